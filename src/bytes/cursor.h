#pragma once

#include <cstdint>
#include <vector>

#include "bytes/byte_order.h"
#include "bytes/byte_range.h"
#include "bytes/bytes.h"
#include "bytes/record_run.h"

namespace ggufgate {

// Shortfall is the first read a Cursor could not serve.
struct Shortfall {
  enum class Kind : std::uint8_t {
    kNone,
    kEndOfFile,    // the file has no such bytes: a fault of the file
    kEndOfPrefix,  // the file has them, the prefix read so far has not: ask again with more
  };
  Kind kind = Kind::kNone;
  ByteRange wanted;        // never reaches past 2^64: wanted.size is at most what was asked for
  const char* field = "";  // static text: the name of what was being read
};

// Cursor reads a file from front to back and cannot overrun it.
//
// It holds a prefix of the file and the file's whole size, so that it can tell "the file ends here"
// from "read more first". It only moves forward, names each field it reads, and its first shortfall
// sticks: after it every read of a byte fails and nothing more is consumed. Model: BoringSSL's CBS.
class Cursor {
 public:
  // `prefix` holds the first prefix.size() bytes of a file of `file_size` bytes, and outlives the
  // cursor; prefix.size() <= file_size.
  Cursor(Bytes prefix, std::uint64_t file_size) : rest_(prefix), file_size_(file_size) {}

  // Read takes one number. `field` is static text.
  template <Scalar T>
  [[nodiscard]] bool Read(T& out, const char* field) {
    if (rest_.size() < sizeof(T)) [[unlikely]] {
      return Stop(sizeof(T), field);
    }
    out = Load<T>(rest_, order_);
    Advance(sizeof(T));
    return true;
  }

  // ReadBytes takes a view of the next `size` bytes.
  [[nodiscard]] bool ReadBytes(std::uint64_t size, Bytes& out, const char* field) {
    if (rest_.size() < size) [[unlikely]] {
      return Stop(size, field);
    }
    out = rest_.first(size);
    Advance(size);
    return true;
  }

  // Skip passes over the next `size` bytes, which must have been read into the prefix: no number of
  // the file moves the cursor past bytes that nobody has seen.
  [[nodiscard]] bool Skip(std::uint64_t size, const char* field) {
    Bytes ignored;
    return ReadBytes(size, ignored, field);
  }

  // SkipRecords passes over whole length-prefixed records: at most `most`, none longer than
  // `longest`, up to the first that is not whole. See bytes/record_run.h.
  [[nodiscard]] RecordRun SkipRecords(std::uint64_t most, std::uint64_t longest,
                                      std::vector<std::uint64_t>& wide,
                                      std::vector<std::uint64_t>& some) {
    const RecordRun run = ggufgate::SkipRecords(rest_, order_, most, longest, offset_, wide, some);
    Advance(run.bytes);
    return run;
  }

  void set_byte_order(ByteOrder order) { order_ = order; }
  [[nodiscard]] ByteOrder byte_order() const { return order_; }

  // offset is the place in the file of the next byte.
  [[nodiscard]] std::uint64_t offset() const { return offset_; }
  // remaining is the number of bytes left in the file, not in the prefix.
  [[nodiscard]] std::uint64_t remaining() const { return file_size_ - offset_; }
  [[nodiscard]] std::uint64_t file_size() const { return file_size_; }
  [[nodiscard]] const Shortfall& shortfall() const { return shortfall_; }

 private:
  void Advance(std::uint64_t size) {
    rest_ = rest_.subspan(size);
    offset_ += size;
  }

  bool Stop(std::uint64_t size, const char* field);

  Bytes rest_;  // what is left of the prefix
  std::uint64_t file_size_;
  std::uint64_t offset_ = 0;
  ByteOrder order_ = ByteOrder::kLittle;
  Shortfall shortfall_;
};

}  // namespace ggufgate
