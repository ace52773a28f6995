#include "check/hyper_parameters.h"

#include "check/values.h"
#include "format/loader_limits.h"

namespace ggufgate {
namespace {

// U16Of is 0 without the key.
std::optional<std::uint64_t> U16Of(const Document& document, std::string_view key) {
  const MetadataEntry* entry = document.Find(key);
  if (entry == nullptr) return 0;
  if (entry->type != ValueType::kU16) return std::nullopt;
  return document.UnsignedOf(*entry);
}

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

std::string_view TypeOfFile(const Document& document) {
  const MetadataEntry* entry = document.Find("general.type");
  return entry != nullptr ? TextOf(document, *entry).value_or("") : "";
}

std::optional<std::uint64_t> ShardsOf(const Document& document) {
  return U16Of(document, "split.count");
}

std::optional<std::uint64_t> ShardNumberOf(const Document& document) {
  return U16Of(document, "split.no");
}

bool HasOtherShards(const Document& document) { return ShardsOf(document).value_or(0) > 1; }

bool HasAllMetadata(const Document& document) {
  return document.version != 0 && document.metadata.size() == document.metadata_count;
}

bool IsWhole(const Document& document) {
  return !document.fault && HasAllMetadata(document) &&
         document.tensors.size() == document.tensor_count;
}

}  // namespace ggufgate
