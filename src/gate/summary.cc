#include "gate/summary.h"

#include <algorithm>

#include "absl/container/flat_hash_map.h"
#include "bytes/checked.h"
#include "parse/extent.h"

namespace ggufgate {

Summary Summarise(const Document& document) {
  Summary summary;
  summary.version = document.version;
  summary.metadata_keys = document.metadata.size();
  summary.tensors = document.tensors.size();
  if (const MetadataEntry* entry = document.Find(kArchitectureKey)) {
    constexpr std::size_t kLongest = 64;
    summary.architecture = document.StringOf(*entry).value_or("").substr(0, kLongest);
  }

  const auto add = [](std::uint64_t a, std::uint64_t b) {
    return CheckedAdd(a, b).value_or(UINT64_MAX);
  };
  absl::flat_hash_map<const TensorTypeInfo*, std::uint64_t> by_type;
  for (const TensorInfo& tensor : document.tensors) {
    const Extent extent = ExtentOf(tensor, 1);
    if (extent.type == nullptr || !extent.elements) continue;
    summary.parameters = add(summary.parameters, *extent.elements);
    std::uint64_t& elements = by_type[extent.type];
    elements = add(elements, *extent.elements);
  }
  const TensorTypeInfo* main = nullptr;
  for (const TensorTypeInfo& type : AllTensorTypes()) {  // in the order of numbers: deterministic
    if (!by_type.contains(&type)) continue;
    if (main == nullptr || by_type[&type] > by_type[main]) main = &type;
  }
  if (main != nullptr) summary.main_type = main->name;
  summary.mixed_types = by_type.size() > 1;
  return summary;
}

}  // namespace ggufgate
