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

// StreamSource is a file that comes through a pipe and is not kept completely. It keeps:
//
// - the front, as long as requested: the metadata
// - up to kMostPages pages that are not all zeros, outside the ranges of Forget(): padding and gaps
// - the last kTailBytes.
//
// All other bytes can be read once, in increasing order of their offsets; threads take turns. A
// read of bytes that are gone is kFailed with ESPIPE. Only ReadAt() may be called by several
// threads at once.
class StreamSource final : public ByteSource {
 public:
  // The value of size() before the end of the pipe.
  static constexpr std::uint64_t kUnknownSize = kMaximumSize;
  // 24 MiB: more padding than the rules read, and more than the loaders use of any model.
  static constexpr std::size_t kMostPages = 6144;
  static constexpr std::uint64_t kTailBytes = std::uint64_t{128} << 10;

  // ReadSome returns the next bytes, like read(2): 0 at the end, -1 and errno if it fails.
  using ReadSome = std::function<ssize_t(MutableBytes)>;

  // Begin borrows the reading end of a pipe, which stays open. With `digest`, it computes the
  // digest of all bytes as they pass. With `total`, the file has that many bytes: size() is known
  // from the start. If the pipe ends early, the rest reads as zeros; if more bytes come, the read
  // is kFailed with EFBIG.
  [[nodiscard]] static absl::StatusOr<std::unique_ptr<StreamSource>> Begin(
      int descriptor, bool digest, std::optional<std::uint64_t> total = {});
  // Begin for another source of bytes.
  [[nodiscard]] static absl::StatusOr<std::unique_ptr<StreamSource>> Begin(
      ReadSome read, bool digest, std::optional<std::uint64_t> total = {});

  // Hold reads until the front has `bytes` or the stream has ended. It must be called before any
  // read after the front. It invalidates views of the front.
  [[nodiscard]] ReadOutcome Hold(std::uint64_t bytes);
  [[nodiscard]] Bytes front() const { return front_.bytes().first(held_); }
  [[nodiscard]] bool ended() const { return ended_; }
  // came returns the number of bytes read.
  [[nodiscard]] std::uint64_t came() const { return position_; }

  // Forget names the ranges that need not be kept. They are sorted by their beginnings and do not
  // overlap. It may be called once.
  void Forget(std::vector<ByteRange> ranges) { forgotten_ = std::move(ranges); }

  // PassTo passes all later bytes to `pass`, which must outlive the reading. `pass` already has the
  // first `passed` bytes of the front. The next read passes the other bytes of the front, after it
  // has settled the earlier ones. If `pass` refuses bytes, the read is kFailed with ECANCELED.
  void PassTo(PassThrough& pass, std::uint64_t passed) {
    pass_ = &pass;
    passed_ = passed;
  }

  // Finish reads to the end. From then on, size() is the size of the file.
  [[nodiscard]] ReadOutcome Finish();

  // Digest returns the SHA-256 of all bytes, in lower-case hexadecimal. It may be called once,
  // after Finish().
  [[nodiscard]] absl::StatusOr<std::string> Digest() { return digest_->Finish(); }

  [[nodiscard]] std::uint64_t size() const override {
    return total_.value_or(ended_ ? position_ : kUnknownSize);
  }
  [[nodiscard]] ReadOutcome ReadAt(std::uint64_t offset, MutableBytes out) const override;
  [[nodiscard]] std::uint64_t NextData(std::uint64_t offset) const override;
  [[nodiscard]] bool forward_only() const override { return true; }

 private:
  StreamSource(ReadSome read, std::optional<std::uint64_t> total);

  // Take reads the next bytes. It returns kShrunk if the stream ends before `out` is full.
  [[nodiscard]] ReadOutcome Take(MutableBytes out, bool into_front = false) const;
  // Settle settles the bytes of PassTo(). It returns false if reading must stop.
  [[nodiscard]] bool Settle() const;
  [[nodiscard]] ReadOutcome SkipTo(std::uint64_t offset) const;
  // Again returns bytes that were read before. It returns false if they are not kept.
  [[nodiscard]] bool Again(std::uint64_t offset, MutableBytes out) const;
  // Note processes the next bytes before the position moves past them.
  [[nodiscard]] bool Note(Bytes bytes, bool into_front) const;
  void Keep(Bytes bytes) const;
  void KeepTail(Bytes bytes) const;
  [[nodiscard]] std::uint64_t TailBegin() const;
  // ForgottenFrom returns the first of the forgotten ranges that ends after `offset`.
  [[nodiscard]] std::vector<ByteRange>::const_iterator ForgottenFrom(std::uint64_t offset) const;

  const ReadSome read_;
  const std::optional<std::uint64_t> total_;
  PrefixMemory front_;
  std::uint64_t held_ = 0;  // bytes of the front
  std::vector<ByteRange> forgotten_;

  // Mutable, because reading forward does not change the file.
  mutable std::mutex mutex_;
  mutable std::uint64_t position_ = 0;  // the number of bytes read
  mutable bool ended_ = false;
  mutable SparsePages pages_{kMostPages};
  mutable std::vector<std::uint8_t> tail_;  // byte n of the file is at n % kTailBytes
  mutable std::vector<std::uint8_t> scratch_;
  mutable std::optional<Sha256> digest_;
  PassThrough* pass_ = nullptr;
  mutable std::uint64_t passed_ = 0;  // bytes of the front that pass_ has
};

}  // namespace ggufgate
