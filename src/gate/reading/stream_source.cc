#include "gate/reading/stream_source.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

namespace ggufgate {
namespace {

// Number of bytes skipped per read.
constexpr std::size_t kSkipBytes = std::size_t{128} << 10;

constexpr ReadOutcome kGone = {.kind = ReadOutcome::Kind::kFailed, .error_number = ESPIPE};

}  // namespace

StreamSource::StreamSource(ReadSome read, std::optional<std::uint64_t> total)
    : read_(std::move(read)), total_(total), tail_(kTailBytes), scratch_(kSkipBytes) {}

absl::StatusOr<std::unique_ptr<StreamSource>> StreamSource::Begin(
    int descriptor, bool digest, std::optional<std::uint64_t> total) {
  const auto read = [descriptor](MutableBytes out) {
    return ::read(descriptor, out.data(), out.size());
  };
  return Begin(read, digest, total);
}

absl::StatusOr<std::unique_ptr<StreamSource>> StreamSource::Begin(
    ReadSome read, bool digest, std::optional<std::uint64_t> total) {
  std::unique_ptr<StreamSource> stream(new StreamSource(std::move(read), total));
  if (digest) {
    absl::StatusOr<Sha256> begun = Sha256::Begin();
    if (!begun.ok()) return begun.status();
    stream->digest_ = *std::move(begun);
  }
  return stream;
}

ReadOutcome StreamSource::Hold(std::uint64_t bytes) {
  bytes = std::min(bytes, size());
  if (ended_ || bytes <= held_) return {};
  if (bytes > front_.size()) {
    PrefixMemory larger(bytes);
    std::ranges::copy(front(), larger.bytes().begin());
    front_ = std::move(larger);
  }
  const ReadOutcome outcome =
      Take(front_.bytes().subspan(held_, bytes - held_), /*into_front=*/true);
  held_ = position_;
  return ended_ ? ReadOutcome{} : outcome;
}

ReadOutcome StreamSource::Finish() {
  // Tries to read one byte beyond the total: if there is one, the total was wrong.
  const ReadOutcome outcome = SkipTo(total_ ? *total_ + 1 : kUnknownSize);
  return ended_ ? ReadOutcome{} : outcome;
}

ReadOutcome StreamSource::ReadAt(std::uint64_t offset, MutableBytes out) const {
  const std::scoped_lock lock(mutex_);
  if (!ByteRange{.begin = offset, .size = out.size()}.FitsIn(size())) {
    return {.kind = ReadOutcome::Kind::kShrunk};
  }
  if (offset < position_) {
    const MutableBytes passed = out.first(std::min<std::uint64_t>(out.size(), position_ - offset));
    if (!Again(offset, passed)) return kGone;
    out = out.subspan(passed.size());
    offset += passed.size();
  }
  if (out.empty()) return {};
  if (total_ && ended_) {  // the pipe delivered only the beginning of the file
    std::ranges::fill(out, std::uint8_t{0});
    return {};
  }
  if (const ReadOutcome skipped = SkipTo(offset); !skipped.complete()) return skipped;
  return Take(out);
}

std::uint64_t StreamSource::NextData(std::uint64_t offset) const {
  const std::scoped_lock lock(mutex_);
  if (offset < held_) return offset;
  const std::uint64_t unknown = ended_ ? size() : std::max(position_, offset);
  std::uint64_t next = std::min(pages_.NextData(offset), unknown);
  if (const auto range = ForgottenFrom(offset); range != forgotten_.end()) {
    next = std::min(next, std::max(range->begin, offset));
  }
  return std::min(next, size());
}

ReadOutcome StreamSource::Take(MutableBytes out, bool into_front) const {
  if (!Settle()) return {.kind = ReadOutcome::Kind::kFailed, .error_number = ECANCELED};
  while (!out.empty()) {
    if (ended_) return {.kind = ReadOutcome::Kind::kShrunk};
    const ssize_t got = read_(out);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return {.kind = ReadOutcome::Kind::kFailed, .error_number = errno};
    ended_ = got == 0;
    const MutableBytes bytes = out.first(static_cast<std::size_t>(got));
    if (!Note(bytes, into_front))
      return {.kind = ReadOutcome::Kind::kFailed, .error_number = EFBIG};
    position_ += bytes.size();
    out = out.subspan(bytes.size());
  }
  return {};
}

bool StreamSource::Settle() const {
  if (pass_ == nullptr) return true;
  if (!pass_->Settle()) return false;
  pass_->Take(front().subspan(passed_));
  passed_ = held_;
  return true;
}

ReadOutcome StreamSource::SkipTo(std::uint64_t offset) const {
  while (position_ < offset) {
    const MutableBytes bytes =
        MutableBytes(scratch_).first(std::min<std::uint64_t>(scratch_.size(), offset - position_));
    if (const ReadOutcome outcome = Take(bytes); !outcome.complete()) return outcome;
  }
  return {};
}

bool StreamSource::Again(std::uint64_t offset, MutableBytes out) const {
  while (!out.empty()) {
    MutableBytes piece = out;
    if (offset < held_) {
      piece = out.first(std::min<std::uint64_t>(out.size(), held_ - offset));
      std::ranges::copy(front().subspan(offset, piece.size()), piece.begin());
    } else if (offset >= TailBegin()) {
      const std::uint64_t at = offset % kTailBytes;
      piece = out.first(std::min<std::uint64_t>(out.size(), kTailBytes - at));
      std::ranges::copy(Bytes(tail_).subspan(at, piece.size()), piece.begin());
    } else {
      piece = out.first(std::min<std::uint64_t>(out.size(), TailBegin() - offset));
      const auto forgotten = ForgottenFrom(offset);
      const bool held = forgotten == forgotten_.end() || forgotten->begin >= offset + piece.size();
      if (!held || !pages_.Read(offset, piece)) return false;
    }
    out = out.subspan(piece.size());
    offset += piece.size();
  }
  return true;
}

bool StreamSource::Note(Bytes bytes, bool into_front) const {
  if (bytes.size() > size() - position_) return false;
  if (digest_ && !digest_->Add(bytes).ok()) return false;
  if (!into_front) Keep(bytes);
  if (pass_ != nullptr) pass_->Take(bytes);
  KeepTail(bytes);
  return true;
}

void StreamSource::Keep(Bytes bytes) const {
  std::uint64_t at = position_;
  const std::uint64_t end = position_ + bytes.size();
  for (auto range = ForgottenFrom(at); at < end; ++range) {
    const std::uint64_t to = range == forgotten_.end() ? end : std::clamp(range->begin, at, end);
    pages_.Add(at, bytes.subspan(at - position_, to - at));
    if (range == forgotten_.end()) return;
    at = std::min(range->End(), end);
  }
}

void StreamSource::KeepTail(Bytes bytes) const {
  const std::uint64_t size = std::min<std::uint64_t>(bytes.size(), kTailBytes);
  const std::uint64_t begin = position_ + bytes.size() - size;
  const std::uint64_t at = begin % kTailBytes;
  const Bytes last = bytes.last(size);
  const std::uint64_t first = std::min(size, kTailBytes - at);
  std::ranges::copy(last.first(first), MutableBytes(tail_).subspan(at).begin());
  std::ranges::copy(last.subspan(first), tail_.begin());
}

std::uint64_t StreamSource::TailBegin() const {
  return position_ - std::min(position_, kTailBytes);
}

std::vector<ByteRange>::const_iterator StreamSource::ForgottenFrom(std::uint64_t offset) const {
  return std::ranges::upper_bound(forgotten_, offset, {}, &ByteRange::End);
}

}  // namespace ggufgate
