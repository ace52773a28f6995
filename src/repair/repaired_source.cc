#include "repair/repaired_source.h"

#include <algorithm>

namespace ggufgate {

RepairedSource::RepairedSource(const RepairPlan& plan, const ByteSource& old)
    : plan_(plan), old_(old) {
  using Kind = Part::Kind;
  // The sizes have a sum: PlanRepair has added them.
  const ByteRange front{.begin = 0, .size = plan.front.size()};
  const ByteRange before{.begin = front.End(), .size = plan.zeros_before};
  const ByteRange kept{.begin = before.End(), .size = plan.kept.size};
  const ByteRange after{.begin = kept.End(), .size = plan.zeros_after};
  parts_ = {Part{.kind = Kind::kFront, .range = front}, Part{.kind = Kind::kZeros, .range = before},
            Part{.kind = Kind::kKept, .range = kept}, Part{.kind = Kind::kZeros, .range = after}};
}

ReadOutcome RepairedSource::ReadPart(const Part& part, std::uint64_t offset,
                                     MutableBytes out) const {
  switch (part.kind) {
    case Part::Kind::kFront:
      std::ranges::copy(Bytes(plan_.front).subspan(offset, out.size()), out.begin());
      return {};
    case Part::Kind::kZeros:
      std::ranges::fill(out, std::uint8_t{0});
      return {};
    case Part::Kind::kKept:
      return old_.ReadAt(plan_.kept.begin + offset, out);
  }
  return {.kind = ReadOutcome::Kind::kFailed};
}

ReadOutcome RepairedSource::ReadAt(std::uint64_t offset, MutableBytes out) const {
  if (!ByteRange{.begin = offset, .size = out.size()}.FitsIn(size())) {
    return {.kind = ReadOutcome::Kind::kShrunk};
  }
  for (const Part& part : parts_) {
    if (out.empty()) break;
    if (offset >= part.range.End()) continue;
    const std::uint64_t there = part.range.End() - offset;
    const MutableBytes piece = out.first(std::min<std::uint64_t>(out.size(), there));
    const ReadOutcome outcome = ReadPart(part, offset - part.range.begin, piece);
    if (!outcome.complete()) return outcome;
    offset += piece.size();
    out = out.subspan(piece.size());
  }
  return {};
}

std::uint64_t RepairedSource::NextData(std::uint64_t offset) const {
  const ByteRange& kept = parts_.at(2).range;
  if (offset < kept.begin || offset >= kept.End()) return offset;
  const std::uint64_t next = old_.NextData(plan_.kept.begin + (offset - kept.begin));
  return kept.begin + (std::min(next, plan_.kept.End()) - plan_.kept.begin);
}

}  // namespace ggufgate
