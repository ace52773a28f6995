#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "bytes/byte_range.h"
#include "bytes/byte_source.h"
#include "format/loader_limits.h"
#include "gate/reading/digest.h"
#include "gate/reading/prefix_memory.h"
#include "gate/reading/sparse_pages.h"
#include "gate/streams/pass_through.h"

namespace ggufgate {

// StreamSource is a file that comes through a pipe and is not kept as a whole. Held are
//
//   the front, as long as asked for: the metadata;
//   of what is not forgotten (padding, gaps) the pages that are not all zeros, up to kMostPages;
//   the last kTailBytes.
//
// All else can be read once, going forward: reads that do so take turns in the order of the file.
// What cannot be had any more is kFailed with ESPIPE. Only ReadAt() may be called by several
// threads at once.
class StreamSource final : public ByteSource {
 public:
  // size() before the end was seen.
  static constexpr std::uint64_t kUnknownSize = kMaximumSize;
  // 24 MiB: more than the rules read of a file's padding, and more than loaders see of any model's.
  static constexpr std::size_t kMostPages = 6144;
  static constexpr std::uint64_t kTailBytes = std::uint64_t{128} << 10;

  // ReadSome gives the next bytes, as read(2) does: 0 at the end, -1 and errno when it fails.
  using ReadSome = std::function<ssize_t(MutableBytes)>;

  // Begin borrows the reading end of a pipe, which stays open. With `digest` all bytes are digested
  // as they pass. With `total` that many are the file's: size() is known, and after an early end
  // the rest of them read as zeros, and that more come is kFailed with EFBIG.
  [[nodiscard]] static absl::StatusOr<std::unique_ptr<StreamSource>> Begin(
      int descriptor, bool digest, std::optional<std::uint64_t> total = {});
  // The same of what comes in another way.
  [[nodiscard]] static absl::StatusOr<std::unique_ptr<StreamSource>> Begin(
      ReadSome read, bool digest, std::optional<std::uint64_t> total = {});

  // Hold reads on until the front has `bytes` or the stream has ended; before anything is read
  // behind the front. It ends views of the front.
  [[nodiscard]] ReadOutcome Hold(std::uint64_t bytes);
  [[nodiscard]] Bytes front() const { return front_.bytes().first(held_); }
  [[nodiscard]] bool ended() const { return ended_; }
  // came is how many bytes were read.
  [[nodiscard]] std::uint64_t came() const { return position_; }

  // Forget names what need not be kept: ranges in the order of their beginnings, none of which
  // overlaps another; once.
  void Forget(std::vector<ByteRange> ranges) { forgotten_ = std::move(ranges); }

  // PassTo gives what comes from here on to `pass`, which outlives the reading and has had the
  // first `passed` bytes of the front; the others of the front are given to it when more is read.
  // Before that, what it was given is settled. What `pass` refuses is kFailed with ECANCELED.
  void PassTo(PassThrough& pass, std::uint64_t passed) {
    pass_ = &pass;
    passed_ = passed;
  }

  // Finish reads to the end; from then on size() is the file's.
  [[nodiscard]] ReadOutcome Finish();

  // Digest is the SHA-256 of all that came, in lower-case hexadecimal; once, after Finish().
  [[nodiscard]] absl::StatusOr<std::string> Digest() { return digest_->Finish(); }

  [[nodiscard]] std::uint64_t size() const override {
    return total_.value_or(ended_ ? position_ : kUnknownSize);
  }
  [[nodiscard]] ReadOutcome ReadAt(std::uint64_t offset, MutableBytes out) const override;
  [[nodiscard]] std::uint64_t NextData(std::uint64_t offset) const override;
  [[nodiscard]] bool forward_only() const override { return true; }

 private:
  StreamSource(ReadSome read, std::optional<std::uint64_t> total);

  // Take reads on from the position; kShrunk when the stream ends before `out` is full.
  [[nodiscard]] ReadOutcome Take(MutableBytes out, bool into_front = false) const;
  // Settle does what PassTo() says; false when no more is to be read.
  [[nodiscard]] bool Settle() const;
  [[nodiscard]] ReadOutcome SkipTo(std::uint64_t offset) const;
  // Again gives what was passed: false when it is not held.
  [[nodiscard]] bool Again(std::uint64_t offset, MutableBytes out) const;
  // Note is told of the bytes that come next, before the position is behind them.
  [[nodiscard]] bool Note(Bytes bytes, bool into_front) const;
  void Keep(Bytes bytes) const;
  void KeepTail(Bytes bytes) const;
  [[nodiscard]] std::uint64_t TailBegin() const;
  // The first of the forgotten ranges that ends behind `offset`.
  [[nodiscard]] std::vector<ByteRange>::const_iterator ForgottenFrom(std::uint64_t offset) const;

  const ReadSome read_;
  const std::optional<std::uint64_t> total_;
  PrefixMemory front_;
  std::uint64_t held_ = 0;  // of the front
  std::vector<ByteRange> forgotten_;

  // Reading forward changes what is known of the file, not the file.
  mutable std::mutex mutex_;
  mutable std::uint64_t position_ = 0;  // all bytes before it have come
  mutable bool ended_ = false;
  mutable SparsePages pages_{kMostPages};
  mutable std::vector<std::uint8_t> tail_;  // byte n of the file lies at n % kTailBytes
  mutable std::vector<std::uint8_t> scratch_;
  mutable std::optional<Sha256> digest_;
  PassThrough* pass_ = nullptr;
  mutable std::uint64_t passed_ = 0;  // of the front
};

}  // namespace ggufgate
