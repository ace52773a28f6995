// Repairs of the end of the file. They run last: the alignment of the new file is then known.

#include <algorithm>

#include "bytes/checked.h"
#include "check/wording.h"
#include "format/tensors/tensor_type.h"
#include "repair/workbench.h"

namespace ggufgate {
namespace {

// MayBeOfFork tells whether a fork gives one of the last tensors more bytes than ggml does.
bool MayBeOfFork(const Workbench& bench) {
  for (std::size_t i = 0; i < bench.document.tensors.size(); ++i) {
    const TensorInfo& tensor = bench.document.tensors.at(i);
    const auto end = CheckedAdd(tensor.offset, bench.extents.at(i).bytes.value_or(0));
    if (end == bench.data_end && FindForkLayout(tensor.type_id) != nullptr) return true;
  }
  return false;
}

std::optional<DoubtId> DoubtOfTail(const Workbench& bench) {
  if (bench.Has(TrailingBytesWording::kGguf)) return DoubtId::kTailJoined;
  if (const std::optional<DoubtId> doubt = bench.DoubtOfPlace()) return doubt;
  if (MayBeOfFork(bench)) return DoubtId::kTailOfFork;
  return std::nullopt;
}

// BytesFrom returns the bytes of the old file from the begin of the data on.
std::uint64_t BytesFrom(const Workbench& bench) {
  const std::uint64_t begin = bench.data_begin.value_or(bench.document.file_size);
  return bench.document.file_size - std::min(begin, bench.document.file_size);
}

}  // namespace

void RepairTrailingBytes(Workbench& bench) {
  bench.kept_bytes = BytesFrom(bench);
  if (bench.document.tensors.empty()) {
    if (bench.Has(RuleId::kTrailingBytes)) bench.Leave(DoubtId::kTailWithoutTensors);
    return;
  }
  if (!bench.data_begin || !bench.data_end) return;
  const auto end = CheckedAlignUp(*bench.data_end, bench.old_alignment);
  if (!end || *end >= bench.kept_bytes) return;
  if (const std::optional<DoubtId> doubt = DoubtOfTail(bench)) {
    bench.Leave(*doubt);
    return;
  }
  bench.Say({.repair = RepairId::kTrailingBytes,
             .a = bench.kept_bytes - *end,
             .b = *bench.data_begin + *end});
  bench.kept_bytes = *end;
}

void RepairFinalPadding(Workbench& bench) {
  if (bench.document.tensors.empty() || !bench.data_begin || !bench.data_end) return;
  const auto old_end = CheckedAlignUp(*bench.data_end, bench.old_alignment);
  const auto new_end = CheckedAlignUp(*bench.data_end, bench.new_alignment);
  // Missing data are not padding. Bytes that another repair has left behind the end stay.
  if (!old_end || !new_end || bench.kept_bytes < *bench.data_end) return;
  if (bench.kept_bytes > *old_end) return;
  const bool whole = bench.kept_bytes == *old_end;
  bench.kept_bytes = std::min(bench.kept_bytes, *new_end);
  bench.zeros_after = *new_end - bench.kept_bytes;
  if (whole || bench.zeros_after == 0) return;  // follows from the new alignment
  bench.Say({.repair = RepairId::kFinalPadding, .a = bench.zeros_after});
}

}  // namespace ggufgate
