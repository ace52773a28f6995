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

// RecordedSource records all reads, to make sure that the digest of a file covers the bytes that
// were checked. Otherwise a process could write to the file through a mapping, which need not
// change the time stamps.
//
// A check reads in any order and in several threads, but SHA-256 needs the bytes in order. So each
// read records a keyed code of its bytes, and the pass that computes the digest computes the same
// codes again. Each source has a random key, which never leaves it, and no code is disclosed. So
// nobody can choose other bytes with the same code.
//
// A record takes 40 bytes, which is 0.03 % of a chunk of data.
class RecordedSource final : public ByteSource {
 public:
  // Begin borrows `source`. It returns an error if the system has no random numbers.
  [[nodiscard]] static absl::StatusOr<std::unique_ptr<RecordedSource>> Begin(
      const ByteSource& source);
  ~RecordedSource() override;

  [[nodiscard]] std::uint64_t size() const override { return source_.size(); }
  [[nodiscard]] ReadOutcome ReadAt(std::uint64_t offset, MutableBytes out) const override;
  [[nodiscard]] std::uint64_t NextData(std::uint64_t offset) const override {
    return source_.NextData(offset);
  }
  [[nodiscard]] bool far_away() const override { return source_.far_away(); }

  // Sha256 reads all bytes again, in order, and returns their digest in lower-case hexadecimal. It
  // returns kAborted if a byte differs from an earlier read. No other thread may read meanwhile.
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
