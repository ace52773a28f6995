#include "gate/summary.h"

#include <algorithm>
#include <span>
#include <vector>

#include "bytes/checked.h"
#include "check/hyper_parameters.h"
#include "parse/document.h"
#include "parse/extent.h"

namespace ggufgate {

namespace {

// SidecarOf returns the kind of a file whose tensors do not belong to a model.
std::string_view SidecarOf(const Document& document) {
  if (!IsSidecar(document)) return "";
  const std::string_view first = document.tensors.front().name;
  if (std::ranges::any_of(document.tensors, IsHalf)) return kLoraAdapter;
  if (first.starts_with("direction.")) return "control vector";
  return "importance matrix";
}

// RankOf returns the largest rank in a LoRA adapter: the row length of a tensor b.
std::uint64_t RankOf(const Document& document) {
  std::uint64_t rank = 0;
  for (const TensorInfo& tensor : document.tensors) {
    if (tensor.name.ends_with(".lora_b")) rank = std::max(rank, tensor.dims.front());
  }
  return rank;
}

}  // namespace

Summary Summarise(const Document& document) {
  Summary summary;
  summary.version = document.version;
  summary.metadata_keys = document.metadata.size();
  summary.tensors = document.tensors.size();
  if (const MetadataEntry* entry = document.Find(kArchitectureKey)) {
    constexpr std::size_t kLongest = 64;
    summary.architecture = document.StringOf(*entry).value_or("").substr(0, kLongest);
  }

  summary.sidecar = SidecarOf(document);
  if (summary.sidecar == kLoraAdapter) summary.rank = RankOf(document);

  const auto add = [](std::uint64_t a, std::uint64_t b) {
    return CheckedAdd(a, b).value_or(UINT64_MAX);
  };
  const std::span<const TensorTypeInfo> types = AllTensorTypes();
  std::vector<std::uint64_t> elements_by_type(types.size());  // in the order of the table
  for (const TensorInfo& tensor : document.tensors) {
    const Extent extent = ExtentOf(tensor, 1);
    if (extent.type == nullptr || !extent.elements) continue;
    summary.parameters = add(summary.parameters, *extent.elements);
    std::uint64_t& elements =
        elements_by_type.at(static_cast<std::size_t>(extent.type - types.data()));
    elements = add(elements, *extent.elements);
  }
  const auto most = std::ranges::max_element(elements_by_type);
  if (*most > 0) {
    summary.main_type = types[static_cast<std::size_t>(most - elements_by_type.begin())].name;
  }
  const auto used = std::ranges::count_if(elements_by_type, [](std::uint64_t n) { return n > 0; });
  summary.mixed_types = used > 1;
  return summary;
}

}  // namespace ggufgate
