#include "gate/reading/read_document.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/status/status.h"

namespace ggufgate {

absl::Status StatusOf(const ReadOutcome& outcome) {
  switch (outcome.kind) {
    case ReadOutcome::Kind::kComplete:
      return absl::OkStatus();
    case ReadOutcome::Kind::kShrunk:
      return absl::AbortedError("the file became shorter while it was read");
    case ReadOutcome::Kind::kFailed:
      return absl::ErrnoToStatus(outcome.error_number, "cannot read");
  }
  return absl::InternalError("unknown result of a read");
}

const FrontGrowth& GrowthFor(const ByteSource& source) {
  return source.far_away() ? kFarGrowth : kFileGrowth;
}

absl::Status ReadFront(const ByteSource& source, const FrontSteps& steps,
                       const std::function<bool(Bytes front)>& give, PrefixMemory& memory) {
  memory = PrefixMemory(steps.room());
  memory.FillSoon(steps.wanted());
  std::uint64_t held = 0;
  absl::Status read;
  const auto more = [&]() -> std::optional<Bytes> {
    const std::uint64_t wanted = steps.wanted();
    if (wanted > memory.size()) {
      PrefixMemory larger(steps.room());
      std::ranges::copy(memory.bytes().first(held), larger.bytes().begin());
      memory = std::move(larger);
    }
    const MutableBytes front = memory.bytes().first(wanted);
    read = StatusOf(source.ReadAt(held, front.subspan(held)));
    held = wanted;
    return read.ok() ? std::optional<Bytes>(front) : std::nullopt;
  };
  return GrowFront(more, give) ? absl::OkStatus() : read;
}

absl::StatusOr<ReadDocument> ReadDocument::Read(const ByteSource& source, const Limits& limits) {
  ReadDocument result;
  FrontSteps steps(source.size(), limits, GrowthFor(source));
  const auto give = [&](Bytes front) {
    std::optional<Document> document = steps.Give(front, source.size());
    if (document) result.document_ = *std::move(document);
    return document.has_value();
  };
  if (absl::Status read = ReadFront(source, steps, give, result.prefix_); !read.ok()) return read;
  return result;
}

}  // namespace ggufgate
