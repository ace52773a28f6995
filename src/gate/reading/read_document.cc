#include "gate/reading/read_document.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "parse/front/front_steps.h"

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

absl::StatusOr<ReadDocument> ReadDocument::Read(const ByteSource& source, const Limits& limits) {
  ReadDocument result;
  FrontSteps steps(source.size(), limits, source.far_away() ? kFarGrowth : kFileGrowth);
  PrefixMemory& memory = result.prefix_;
  memory = PrefixMemory(steps.room());
  memory.FillSoon(steps.wanted());
  std::uint64_t held = 0;
  while (true) {
    const std::uint64_t wanted = steps.wanted();
    if (wanted > memory.size()) {
      PrefixMemory larger(steps.room());
      std::ranges::copy(memory.bytes().first(held), larger.bytes().begin());
      memory = std::move(larger);
    }
    const MutableBytes front = memory.bytes().first(wanted);
    const ReadOutcome outcome = source.ReadAt(held, front.subspan(held));
    if (!outcome.complete()) return StatusOf(outcome);
    held = wanted;
    if (std::optional<Document> document = steps.Give(front, source.size())) {
      result.document_ = *std::move(document);
      return result;
    }
  }
}

}  // namespace ggufgate
