#include "gate/remote/remote_file.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "bytes/byte_range.h"

namespace ggufgate {
namespace {

absl::Status Mistaken() {
  return absl::DataLossError("ggufgate-fetch sent other bytes than requested");
}

}  // namespace

RemoteFile::~RemoteFile() {
  if (awaits_) return;
  std::ignore = SendRequest(
      socket_, {.kind = FetchRequest::Kind::kDone, .file = number_, .begin = 0, .size = 0});
}

absl::Status RemoteFile::Fail(absl::Status why) {
  if (problem_.ok()) problem_ = std::move(why);
  return problem_;
}

absl::Status RemoteFile::Ask(FetchRequest::Kind kind, std::uint64_t begin, std::uint64_t size) {
  if (!problem_.ok()) return problem_;
  awaits_ = true;
  return SendRequest(socket_, {.kind = kind, .file = number_, .begin = begin, .size = size});
}

absl::StatusOr<FetchAnswer> RemoteFile::Next() {
  const absl::StatusOr<FetchAnswer> kind = ReceiveAnswer(socket_, answer_);
  if (!kind.ok()) return kind.status();
  if (*kind == FetchAnswer::kError) {
    awaits_ = false;
    return ErrorIn(answer_);
  }
  return kind;
}

absl::Status RemoteFile::TakeFacts() {
  std::optional<RemoteFacts> facts = ReadFacts(answer_);
  if (!facts || (open_ && facts->size != facts_.size)) return Mistaken();
  facts_ = *std::move(facts);
  open_ = true;
  return absl::OkStatus();
}

absl::Status RemoteFile::Collect(const std::function<bool(Bytes)>& take) {
  while (true) {
    const absl::StatusOr<FetchAnswer> kind = Next();
    if (!kind.ok()) return kind.status();
    if (*kind == FetchAnswer::kFacts) {
      awaits_ = false;
      return TakeFacts();
    }
    if (!take(answer_)) return Mistaken();
  }
}

absl::StatusOr<std::vector<std::uint8_t>> RemoteFile::Open(std::uint64_t first_bytes) {
  const auto open = [&]() -> absl::StatusOr<std::vector<std::uint8_t>> {
    if (absl::Status asked = Ask(FetchRequest::Kind::kBytes, 0, first_bytes); !asked.ok()) {
      return asked;
    }
    const absl::StatusOr<FetchAnswer> kind = Next();
    if (!kind.ok()) return kind.status();
    if (*kind != FetchAnswer::kFacts) return Mistaken();
    if (absl::Status taken = TakeFacts(); !taken.ok()) return taken;
    std::vector<std::uint8_t> bytes;
    const std::uint64_t expected = std::min(first_bytes, facts_.size);
    const absl::Status collected = Collect([&](Bytes piece) {
      if (piece.size() > expected - bytes.size()) return false;
      bytes.insert(bytes.end(), piece.begin(), piece.end());
      return true;
    });
    if (!collected.ok()) return collected;
    if (bytes.size() != expected) return Mistaken();
    return bytes;
  };
  absl::StatusOr<std::vector<std::uint8_t>> bytes = open();
  if (!bytes.ok()) return Fail(bytes.status());
  return bytes;
}

absl::Status RemoteFile::Read(std::uint64_t offset, MutableBytes out) {
  const auto read = [&]() -> absl::Status {
    if (!ByteRange{.begin = offset, .size = out.size()}.FitsIn(facts_.size)) return Mistaken();
    if (out.empty()) return absl::OkStatus();
    if (absl::Status asked = Ask(FetchRequest::Kind::kBytes, offset, out.size()); !asked.ok()) {
      return asked;
    }
    const absl::StatusOr<FetchAnswer> kind = Next();
    if (!kind.ok()) return kind.status();
    if (*kind != FetchAnswer::kFacts) return Mistaken();
    if (absl::Status taken = TakeFacts(); !taken.ok()) return taken;
    std::size_t had = 0;
    const absl::Status collected = Collect([&](Bytes piece) {
      if (piece.size() > out.size() - had) return false;
      std::ranges::copy(piece, out.subspan(had).begin());
      had += piece.size();
      return true;
    });
    if (!collected.ok()) return collected;
    return had == out.size() ? absl::OkStatus() : Mistaken();
  };
  const absl::Status done = read();
  return done.ok() ? done : Fail(done);
}

absl::Status RemoteFile::StartStream() {
  const auto start = [&]() -> absl::Status {
    if (absl::Status asked = Ask(FetchRequest::Kind::kStream, 0, 0); !asked.ok()) return asked;
    streams_ = true;
    const absl::StatusOr<FetchAnswer> kind = Next();
    if (!kind.ok()) return kind.status();
    if (*kind != FetchAnswer::kFacts) return Mistaken();
    if (absl::Status taken = TakeFacts(); !taken.ok()) return taken;
    stream_left_ = facts_.size;
    answer_.clear();
    return absl::OkStatus();
  };
  const absl::Status started = start();
  return started.ok() ? started : Fail(started);
}

absl::StatusOr<std::size_t> RemoteFile::TakeStream(MutableBytes out) {
  if (!problem_.ok()) return problem_;
  while (streams_ && taken_ == answer_.size()) {
    const absl::StatusOr<FetchAnswer> kind = Next();
    if (!kind.ok()) return Fail(kind.status());
    taken_ = 0;
    if (*kind == FetchAnswer::kData) {
      if (answer_.size() > stream_left_) return Fail(Mistaken());
      stream_left_ -= answer_.size();
      continue;
    }
    awaits_ = false;
    if (absl::Status taken = TakeFacts(); !taken.ok()) return Fail(taken);
    if (stream_left_ != 0) return Fail(Mistaken());
    streams_ = false;
    answer_.clear();
  }
  if (!streams_) return 0;
  const std::size_t size = std::min(out.size(), answer_.size() - taken_);
  std::ranges::copy(Bytes(answer_).subspan(taken_, size), out.begin());
  taken_ += size;
  return size;
}

}  // namespace ggufgate
