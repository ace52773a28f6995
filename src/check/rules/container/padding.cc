// Bytes that loaders do not read: padding up to the alignment, and gaps.

#include <algorithm>
#include <array>
#include <optional>

#include "check/rules/container/padding.h"
#include "check/rules/rule_functions.h"
#include "check/verdict.h"

namespace ggufgate {
namespace {

// The limit on bytes of padding and gaps that are read in one file. Holes are not read and do not
// count. Real files have less than 1 KiB of padding per tensor. A file of gaps must not take more
// time than a file of data.
constexpr std::uint64_t kMostPaddingRead = std::uint64_t{16} << 20;
// Shorter ranges are read without asking for holes: file systems have no holes within a page.
constexpr std::uint64_t kLeastHole = 4096;

// Reader finds bytes that are not 0, until it has read kMostPaddingRead bytes.
class Reader {
 public:
  explicit Reader(const Context& context) : context_(context) {}

  void Look(ByteRange range, PaddingMarks& marks) {
    while (range.size > 0) {
      if (range.size >= kLeastHole) {
        const std::uint64_t next = context_.source.NextData(range.begin);
        if (next >= range.End()) return;
        range = ByteRange::Between(next, range.End());
      }
      const std::uint64_t size = std::min<std::uint64_t>({range.size, scratch_.size(), left_});
      if (size == 0) {
        marks.unread.size += range.size;
        if (marks.unread.size == range.size) marks.unread.begin = range.begin;
        return;
      }
      left_ -= size;
      const Bytes bytes = context_.cache.View({.begin = range.begin, .size = size}, scratch_);
      if (bytes.empty()) return;  // a failed read, which the cache has recorded
      const auto found = std::ranges::find_if(bytes, [](std::uint8_t byte) { return byte != 0; });
      if (found != bytes.end()) {
        const auto distance = static_cast<std::uint64_t>(found - bytes.begin());
        marks.list.push_back({.at = range.begin + distance, .value = *found});
        return;
      }
      range = ByteRange::Between(range.begin + size, range.End());
    }
  }

 private:
  const Context& context_;
  std::uint64_t left_ = kMostPaddingRead;
  std::array<std::uint8_t, 16 * 1024> scratch_{};
};

// RejectsGaps returns whether the policy rejects gaps, as violations of rule tensor-order.
bool RejectsGaps(const Policy& policy) {
  if (!Rejects(RuleId::kTensorOrder, policy)) return false;
  return std::ranges::none_of(policy.suppressions, [](const Suppression& suppression) {
    return suppression.rule == RuleId::kTensorOrder;
  });
}

PaddingMarks FindMarks(const Context& context) {
  PaddingMarks marks;
  Reader reader(context);
  // If the policy rejects the file for its gaps, their contents do not matter, and may fill a disk.
  // If the place of a tensor is unknown, a gap may be the data of that tensor.
  const bool gaps_too = !RejectsGaps(context.policy) && EndOfData(context).has_value();
  for (const Region& region : context.regions) {
    const bool gap = region.kind == Region::Kind::kGap && gaps_too;
    if (region.kind == Region::Kind::kPadding || gap) reader.Look(region.range, marks);
  }
  return marks;
}

}  // namespace

const PaddingMarks& PaddingMarksOf(const Context& context) {
  return context.cache.Get<PaddingMarks>([&] { return FindMarks(context); });
}

void CheckPaddingNotZero(const Context& context, Sink& sink) {
  const PaddingMarks& marks = PaddingMarksOf(context);
  for (const PaddingMark& mark : marks.list) {
    sink.Add({.where = {.begin = mark.at, .size = 1},
              .observed = std::uint64_t{mark.value},
              .wording = PaddingNotZeroWording::kByte});
  }
  if (marks.unread.size == 0) return;
  sink.Add({.where = {.begin = marks.unread.begin, .size = 1},
            .observed = marks.unread.size,
            .allowed = kMostPaddingRead,
            .wording = PaddingNotZeroWording::kUnread});
}

}  // namespace ggufgate
