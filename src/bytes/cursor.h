#pragma once

#include <cstdint>
#include <vector>

#include "bytes/byte_order.h"
#include "bytes/byte_range.h"
#include "bytes/bytes.h"
#include "bytes/record_run.h"

namespace ggufgate {

// Shortfall is the first failed read of a Cursor.
struct Shortfall {
  enum class Kind : std::uint8_t {
    kNone,
    kEndOfFile,    // the file has no such bytes: a fault of the file
    kEndOfPrefix,  // the file has them, but the prefix lacks them: retry with a longer prefix
  };
  Kind kind = Kind::kNone;
  ByteRange wanted;        // never extends beyond 2^64: wanted.size is at most the requested size
  const char* field = "";  // static text: name of the field
};

// Cursor reads a file from front to back and cannot overrun it.
//
// It has a prefix of the file and the size of the file, so it can distinguish "the file ends here"
// from "read more first". It only moves forward, and each read has the name of its field. It keeps
// the first shortfall: afterwards every read of a byte fails and consumes nothing. It is modelled
// on BoringSSL's CBS.
class Cursor {
 public:
  // `prefix` has the first prefix.size() bytes of a file of `file_size` bytes, and must outlive the
  // cursor. prefix.size() must not exceed file_size.
  Cursor(Bytes prefix, std::uint64_t file_size) : rest_(prefix), file_size_(file_size) {}

  // Read reads one number. `field` is static text.
  template <Scalar T>
  [[nodiscard]] bool Read(T& out, const char* field) {
    if (rest_.size() < sizeof(T)) [[unlikely]] {
      return Stop(sizeof(T), field);
    }
    out = Load<T>(rest_, order_);
    Advance(sizeof(T));
    return true;
  }

  // ReadBytes returns a view of the next `size` bytes.
  [[nodiscard]] bool ReadBytes(std::uint64_t size, Bytes& out, const char* field) {
    if (rest_.size() < size) [[unlikely]] {
      return Stop(size, field);
    }
    out = rest_.first(size);
    Advance(size);
    return true;
  }

  // Skip skips the next `size` bytes, which must be in the prefix: numbers in the file cannot move
  // the cursor beyond bytes that were read.
  [[nodiscard]] bool Skip(std::uint64_t size, const char* field) {
    Bytes ignored;
    return ReadBytes(size, ignored, field);
  }

  // SkipRecords skips complete length-prefixed records: at most `most`, none longer than `longest`,
  // up to the first incomplete one. See bytes/record_run.h.
  [[nodiscard]] RecordRun SkipRecords(std::uint64_t most, std::uint64_t longest,
                                      std::vector<std::uint64_t>& wide,
                                      std::vector<std::uint64_t>& some) {
    const RecordRun run = ggufgate::SkipRecords(rest_, order_, most, longest, offset_, wide, some);
    Advance(run.bytes);
    return run;
  }

  void set_byte_order(ByteOrder order) { order_ = order; }
  [[nodiscard]] ByteOrder byte_order() const { return order_; }

  // offset returns the file offset of the next byte.
  [[nodiscard]] std::uint64_t offset() const { return offset_; }
  // remaining returns the number of bytes left in the file, not in the prefix.
  [[nodiscard]] std::uint64_t remaining() const { return file_size_ - offset_; }
  [[nodiscard]] std::uint64_t file_size() const { return file_size_; }
  [[nodiscard]] const Shortfall& shortfall() const { return shortfall_; }

 private:
  void Advance(std::uint64_t size) {
    rest_ = rest_.subspan(size);
    offset_ += size;
  }

  bool Stop(std::uint64_t size, const char* field);

  Bytes rest_;  // the rest of the prefix
  std::uint64_t file_size_;
  std::uint64_t offset_ = 0;
  ByteOrder order_ = ByteOrder::kLittle;
  Shortfall shortfall_;
};

}  // namespace ggufgate
