#include "check/hyper_parameters.h"

#include <algorithm>
#include <array>

#include "check/values.h"
#include "format/loader_limits.h"

namespace ggufgate {
namespace {

std::optional<std::uint64_t> U16Of(const Document& document, std::string_view key) {
  const MetadataEntry* entry = document.Find(key);
  if (entry == nullptr || entry->type != ValueType::kU16) return std::nullopt;
  return document.UnsignedOf(*entry);
}

// NumberAmongShards returns `split.no` if there are several shards; otherwise nullopt.
std::optional<std::uint64_t> NumberAmongShards(const Document& document) {
  const std::optional<std::uint64_t> number = U16Of(document, "split.no");
  const std::optional<std::uint64_t> count = U16Of(document, "split.count");
  return number && count && *count > 1 && *number < *count ? number : std::nullopt;
}

bool EndsWithOneOf(std::string_view name, std::span<const std::string_view> endings) {
  return std::ranges::any_of(endings,
                             [&](std::string_view ending) { return name.ends_with(ending); });
}

bool IsNorm(const TensorInfo& tensor) { return tensor.name.ends_with("_norm.weight"); }

}  // namespace

HyperParameters::HyperParameters(const Document& document)
    : document_(document),
      architecture_(ArchitectureOf(document)),
      info_(FindArchitecture(architecture_)) {}

const MetadataEntry* HyperParameters::Find(std::string_view name) const {
  if (architecture_.empty()) return nullptr;
  for (const MetadataEntry& entry : document_.metadata) {
    const std::string_view key = entry.key;
    if (key.size() != architecture_.size() + 1 + name.size() || !key.ends_with(name)) continue;
    if (key.starts_with(architecture_) && key.at(architecture_.size()) == '.') return &entry;
  }
  return nullptr;
}

std::optional<std::uint64_t> HyperParameters::Unsigned(std::string_view name) const {
  const MetadataEntry* entry = Find(name);
  if (entry == nullptr) return std::nullopt;
  const std::optional<Integer> value = IntegerOf(document_, *entry);
  return value ? value->Unsigned() : std::nullopt;
}

std::optional<std::uint64_t> HyperParameters::Layers() const {
  const std::optional<std::uint64_t> count = Unsigned("block_count");
  if (!count || *count == 0 || *count > kMostLayers) return std::nullopt;
  return count;
}

std::optional<std::uint64_t> HyperParameters::LayersThatRead() const {
  const std::optional<std::uint64_t> layers = Layers();
  const std::uint64_t next = Unsigned("nextn_predict_layers").value_or(0);
  return layers && next < *layers ? *layers - next : layers;
}

bool ClaimsAdapter(const Document& document) {
  const MetadataEntry* type = document.Find("general.type");
  return (type != nullptr && TextOf(document, *type) == "adapter") ||
         document.Find("adapter.type") != nullptr;
}

bool HasOtherShards(const Document& document) { return NumberAmongShards(document).has_value(); }

bool IsFurtherShard(const Document& document) {
  return NumberAmongShards(document).value_or(0) > 0;
}

bool IsHalf(const TensorInfo& tensor) {
  constexpr std::array<std::string_view, 2> kHalves = {".lora_a", ".lora_b"};
  return EndsWithOneOf(tensor.name, kHalves);
}

bool IsSidecar(const Document& document) {
  constexpr std::array<std::string_view, 2> kImportance = {".in_sum2", ".counts"};
  const std::vector<TensorInfo>& tensors = document.tensors;
  if (std::ranges::any_of(tensors, IsHalf)) {
    return std::ranges::all_of(
        tensors, [](const TensorInfo& tensor) { return IsHalf(tensor) || IsNorm(tensor); });
  }
  const auto all = [&](const auto& is_of_kind) {
    return !tensors.empty() && std::ranges::all_of(tensors, is_of_kind);
  };
  return all([&](const TensorInfo& tensor) { return EndsWithOneOf(tensor.name, kImportance); }) ||
         all([](const TensorInfo& tensor) { return tensor.name.starts_with("direction."); });
}

bool HasAllMetadata(const Document& document) {
  return document.version != 0 && document.metadata.size() == document.metadata_count;
}

bool IsWhole(const Document& document) {
  return !document.fault && HasAllMetadata(document) &&
         document.tensors.size() == document.tensor_count;
}

}  // namespace ggufgate
