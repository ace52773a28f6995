#include "repair/plan.h"

#include <utility>

#include "bytes/checked.h"
#include "repair/workbench.h"

namespace ggufgate {
namespace {

// Layout is where the parts of the new file after its front come from.
struct Layout {
  std::uint64_t zeros_before = 0;
  ByteRange kept;
  std::uint64_t zeros_after = 0;
};

// Unmoved is the place in a file whose metadata stay: the old padding before the data stays too.
Layout Unmoved(const Workbench& bench) {
  const Document& document = bench.document;
  const std::uint64_t end = bench.data_begin && *bench.data_begin <= document.file_size
                                ? *bench.data_begin + bench.kept_bytes
                                : document.file_size;
  return {.kept = ByteRange::Between(document.directory_end, end),
          .zeros_after = bench.zeros_after};
}

// Moved is the place of data that begin elsewhere, because the metadata have another length. It
// returns nullopt, perhaps after a doubt, if bytes in front of the data could be lost.
std::optional<Layout> Moved(Workbench& bench, std::uint64_t front) {
  const Document& document = bench.document;
  const auto begin = CheckedAlignUp(front, bench.new_alignment);
  if (!begin || !bench.data_begin) return std::nullopt;
  if (const std::optional<DoubtId> doubt = bench.DoubtOfPlace()) {
    bench.Leave(*doubt);
    return std::nullopt;
  }
  if (document.tensors.empty()) {
    // A file without tensors may end before the data would begin.
    if (bench.Has(RuleId::kTrailingBytes)) return std::nullopt;
    const bool padded = document.file_size > document.directory_end;
    return Layout{.zeros_before = padded ? *begin - front : 0};
  }
  if (*bench.data_begin > document.file_size) return std::nullopt;
  return Layout{.zeros_before = *begin - front,
                .kept = {.begin = *bench.data_begin, .size = bench.kept_bytes},
                .zeros_after = bench.zeros_after};
}

// HasSize tells whether the parts have a size together.
bool HasSize(const RepairPlan& plan) {
  std::optional<std::uint64_t> size = plan.front.size();
  for (const std::uint64_t part : {plan.zeros_before, plan.kept.size, plan.zeros_after}) {
    size = size ? CheckedAdd(*size, part) : std::nullopt;
  }
  return size.has_value();
}

}  // namespace

RepairPlan PlanRepair(const Document& document, const Findings& findings, bool record_follows) {
  Workbench bench(document, findings, record_follows);
#define GGUFGATE_REPAIR(name, slug, rules, sentence, reason) Repair##name(bench);
#include "repair/repairs.def"
#undef GGUFGATE_REPAIR

  RepairPlan plan;
  if (!bench.changes.empty()) {
    plan.front = bench.Front();
    const std::optional<Layout> place =
        bench.ChangesMetadata() ? Moved(bench, plan.front.size()) : std::optional(Unmoved(bench));
    if (place) {
      plan.zeros_before = place->zeros_before;
      plan.kept = place->kept;
      plan.zeros_after = place->zeros_after;
      plan.changes = std::move(bench.changes);
    }
    if (!place || !HasSize(plan)) plan = {};
  }
  plan.doubts = std::move(bench.doubts);
  return plan;
}

}  // namespace ggufgate
