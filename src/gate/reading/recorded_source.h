#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "bytes/byte_range.h"
#include "bytes/byte_source.h"
#include "gate/reading/keyed_code.h"

namespace ggufgate {

// RecordedSource remembers what was read through it, so that the digest of a file is the digest of
// the bytes that were judged: somebody who writes to the file by a mapping changes it without a
// trace in its time stamps.
//
// What is judged is read in any order and by several threads, a SHA-256 wants the bytes in order.
// So each read leaves a keyed code of its bytes, and the pass that makes the digest computes the
// same codes again. The key is drawn at random for each source and never leaves it, and nobody is
// shown a code: nobody can choose other bytes with the same one.
//
// A record takes 40 bytes, which is 0.03 % of a chunk of data.
class RecordedSource final : public ByteSource {
 public:
  // Begin borrows `source`. An error when there is no randomness.
  [[nodiscard]] static absl::StatusOr<std::unique_ptr<RecordedSource>> Begin(
      const ByteSource& source);
  ~RecordedSource() override;

  [[nodiscard]] std::uint64_t size() const override { return source_.size(); }
  [[nodiscard]] ReadOutcome ReadAt(std::uint64_t offset, MutableBytes out) const override;
  [[nodiscard]] std::uint64_t NextData(std::uint64_t offset) const override {
    return source_.NextData(offset);
  }
  [[nodiscard]] bool far_away() const override { return source_.far_away(); }

  // Sha256 reads all bytes once more, in order, and gives their digest in lower-case hexadecimal;
  // kAborted when a byte differs from what an earlier read gave. Not while others read.
  [[nodiscard]] absl::StatusOr<std::string> Sha256() const;

 private:
  struct Record {
    ByteRange range;
    KeyedCode::Code code;
  };
  class Comparison;

  explicit RecordedSource(const ByteSource& source);

  const ByteSource& source_;
  KeyedCode::Key key_{};
  mutable std::mutex mutex_;
  mutable std::vector<Record> records_;  // guarded by mutex_
};

}  // namespace ggufgate
