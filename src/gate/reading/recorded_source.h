#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "bytes/byte_range.h"
#include "bytes/byte_source.h"

namespace ggufgate {

// RecordedSource remembers what was read through it, so that the digest of a file is the digest of
// the bytes that were judged: somebody who writes to the file by a mapping changes it without a
// trace in its time stamps.
//
// What is judged is read in any order and by several threads, a SHA-256 wants the bytes in order.
// So each read leaves a Poly1305 code of what it gave, and the pass that makes the digest computes
// the same codes again. The key is drawn at random for each source and never leaves it: nobody can
// choose other bytes with the same code (RFC 8439, section 4: at most 8 · blocks of 16 bytes in
// 2^106). A key is used for more than one message, which Poly1305 allows as long as no code is
// shown to anybody.
//
// A record takes 40 bytes, which is 0.03 % of a chunk of data.
class RecordedSource final : public ByteSource {
 public:
  // Begin borrows `source`. An error when there is no randomness or no Poly1305.
  [[nodiscard]] static absl::StatusOr<std::unique_ptr<RecordedSource>> Begin(
      const ByteSource& source);

  [[nodiscard]] std::uint64_t size() const override { return source_.size(); }
  [[nodiscard]] ReadOutcome ReadAt(std::uint64_t offset, MutableBytes out) const override;
  [[nodiscard]] std::uint64_t NextData(std::uint64_t offset) const override {
    return source_.NextData(offset);
  }

  // Sha256 reads all bytes once more, in order, and gives their digest in lower-case hexadecimal;
  // kAborted when a byte differs from what an earlier read gave. Not while others read.
  [[nodiscard]] absl::StatusOr<std::string> Sha256() const;

 private:
  using Code = std::array<std::uint8_t, 16>;
  struct Record {
    ByteRange range;
    Code code;
  };
  struct Free {
    void operator()(void* context) const;
  };
  using Context = std::unique_ptr<void, Free>;  // an EVP_MAC_CTX
  class Comparison;

  RecordedSource(const ByteSource& source, Context keyed)
      : source_(source), keyed_(std::move(keyed)) {}

  [[nodiscard]] Context NewCode() const;
  static void Add(const Context& context, Bytes bytes);
  [[nodiscard]] static Code Finish(const Context& context);

  const ByteSource& source_;
  Context keyed_;  // holds the key, and is copied for each code
  mutable std::mutex mutex_;
  mutable std::vector<Record> records_;  // guarded by mutex_
};

}  // namespace ggufgate
