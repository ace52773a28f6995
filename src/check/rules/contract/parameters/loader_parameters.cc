#include "check/rules/contract/parameters/loader_parameters.h"

#include <algorithm>

#include "check/hyper_parameters.h"
#include "check/rules/context.h"
#include "check/values.h"
#include "format/contracts/contract.h"
#include "format/key.h"
#include "format/loader_limits.h"

namespace ggufgate {
namespace {

bool IsOfArchitecture(std::string_view key, std::string_view architecture) {
  return key.starts_with(architecture) && key.substr(architecture.size()).starts_with('.');
}

}  // namespace

bool IsLoaderParameter(std::string_view key, std::string_view architecture) {
  return IsOfArchitecture(key, architecture) || key.starts_with("xielu.");
}

LoaderParameters::LoaderParameters(const Document& document, std::string_view architecture)
    : document_(document), architecture_(architecture) {
  for (const MetadataEntry& entry : document.metadata) {
    if (!IsLoaderParameter(entry.key, architecture)) continue;
    std::string_view name = entry.key;
    if (IsOfArchitecture(name, architecture)) name.remove_prefix(architecture.size() + 1);
    entries_.push_back({name, &entry});
  }
  // If a key occurs twice (a violation of another rule), the loader uses the first.
  std::ranges::sort(entries_, [](const Entry& a, const Entry& b) {
    return a.name != b.name ? a.name < b.name : a.entry < b.entry;
  });
  all_layers_ = std::clamp<Number>(Value("block_count"), 1, kMostLayers);
  // If no layer would be left, the loader aborts in an assertion or refuses the file. So the key
  // must not disable any rule. The same applies to numbers of other types, which may be negative.
  const Number next = Value("nextn_predict_layers");
  layers_ = next > 0 && next < all_layers_ ? all_layers_ - next : all_layers_;
  first_next_layer_ = all_layers_ - std::clamp<Number>(next, 0, all_layers_);
  if (!Has("expert_count")) return;
  for (const TensorInfo& tensor : document.tensors) {
    const std::optional<Number> layer = LayerOf(tensor.name);
    if (!layer || tensor.name.find("_exps.") == std::string_view::npos) continue;
    const auto number = static_cast<std::size_t>(*layer);
    if (layers_with_experts_.size() <= number) layers_with_experts_.resize(number + 1);
    layers_with_experts_[number] = true;
  }
}

std::optional<Number> LayerOf(std::string_view tensor) {
  constexpr std::string_view kPrefix = "blk.";
  if (!tensor.starts_with(kPrefix)) return std::nullopt;
  const std::string_view digits =
      tensor.substr(kPrefix.size(), tensor.find('.', kPrefix.size()) - kPrefix.size());
  const std::optional<std::int64_t> layer = ReadInteger(digits);
  return layer && *layer >= 0 && *layer < Number{kMostLayers} ? layer : std::nullopt;
}

const MetadataEntry* LoaderParameters::Find(std::string_view name) const {
  const auto found = std::ranges::lower_bound(entries_, name, {}, &Entry::name);
  return found != entries_.end() && found->name == name ? found->entry : nullptr;
}

bool LoaderParameters::Readable(std::string_view name) const {
  const MetadataEntry* entry = Find(name);
  if (entry == nullptr) return true;
  const bool array = entry->type == ValueType::kArray;
  const ValueType type = array ? entry->element_type : entry->type;
  const KeyInfo* key = FindKey(entry->key, architecture_);
  if (key != nullptr && !HasShape(*entry, key->shape)) return false;
  if (array && entry->depth > 1) return false;
  return type == ValueType::kU32 || type == ValueType::kF32 || type == ValueType::kBool ||
         type == ValueType::kString || (array && type == ValueType::kI32);
}

std::optional<Number> LoaderParameters::Element(const MetadataEntry& entry, Number index) const {
  if (index < 0 || index >= Number{entry.count}) return std::nullopt;
  const auto at = static_cast<std::uint64_t>(index);
  if (entry.element_type == ValueType::kBool) {
    return document_.BytesAt(entry.ElementsRange()).subspan(at, 1).front() != 0 ? 1 : 0;
  }
  const std::optional<Integer> element = IntegerAt(document_, entry, at);
  if (!element) return std::nullopt;
  // The loader accepts an array of i32 as one of u32.
  const Number magnitude = element->magnitude;
  return element->negative ? (Number{1} << 32) - magnitude : magnitude;
}

Number LoaderParameters::At(std::string_view name, Number layer, Number absent) const {
  const MetadataEntry* entry = Find(name);
  if (entry == nullptr) return absent;
  if (entry->type == ValueType::kArray) return Element(*entry, layer).value_or(absent);
  if (const std::optional<bool> flag = BoolOf(document_, *entry)) return *flag ? 1 : 0;
  const std::optional<Integer> value = IntegerOf(document_, *entry);
  if (!value) return absent;
  const Number magnitude = value->magnitude;
  return value->negative ? -magnitude : magnitude;
}

Number LoaderParameters::Value(std::string_view name, Number absent) const {
  return At(name, 0, absent);
}

Number LoaderParameters::SignedAt(std::string_view name, Number layer) const {
  return AsInt(At(name, layer));
}

Number LoaderParameters::Most(std::string_view name, Number absent) const {
  Number most = At(name, 0, absent);
  if (!IsArray(name)) return most;
  for (Number layer = 1; layer < all_layers_; ++layer) {
    most = std::max(most, At(name, layer, absent));
  }
  return most;
}

Number LoaderParameters::Count(std::string_view name) const {
  return IsArray(name) ? Number{Find(name)->count} : 0;
}

bool LoaderParameters::IsArray(std::string_view name) const {
  const MetadataEntry* entry = Find(name);
  return entry != nullptr && entry->type == ValueType::kArray;
}

bool LoaderParameters::HasArrays() const {
  return std::ranges::any_of(entries_,
                             [](const Entry& one) { return one.entry->type == ValueType::kArray; });
}

float LoaderParameters::Real(std::string_view name, float absent) const {
  const MetadataEntry* entry = Find(name);
  if (entry == nullptr) return absent;
  return FloatOf(document_, *entry).value_or(0);
}

std::string_view LoaderParameters::Text(std::string_view name, std::string_view absent) const {
  const MetadataEntry* entry = Find(name);
  if (entry == nullptr) return absent;
  return TextOf(document_, *entry).value_or(absent);
}

Number LoaderParameters::Dimension(std::string_view tensor, std::size_t dimension) const {
  const auto found = std::ranges::find(document_.tensors, tensor, &TensorInfo::name);
  return found != document_.tensors.end() ? Number{found->dims.at(dimension)} : 0;
}

bool LoaderParameters::HasExperts(Number layer) const {
  const auto number = static_cast<std::size_t>(layer);
  return layer >= 0 && number < layers_with_experts_.size() && layers_with_experts_[number];
}

bool LoaderParameters::HasExperts() const {
  return !layers_with_experts_.empty() || HasOtherShards(document_);
}

Number LoaderParameters::Tensors() const {
  const Number own = document_.tensors.size();
  const MetadataEntry* all = document_.Find("split.tensors.count");
  if (all == nullptr || !HasOtherShards(document_)) return own;
  return std::max<Number>(own, document_.UnsignedOf(*all).value_or(0));
}

Number LoaderParameters::KeyValueHeads(Number layer) const {
  return At("attention.head_count_kv", layer, Heads(layer));
}

Number LoaderParameters::WidthOf(std::string_view name) const {
  if (Heads() > 0) return Value(name, Embedding() / Heads());
  // The loader reads widths only if the first layer has attention; plamo2 reads them itself.
  return architecture_ == "plamo2" ? Value(name) : 0;
}

Number LoaderParameters::KeyWidth() const { return WidthOf("attention.key_length"); }
Number LoaderParameters::ValueWidth() const { return WidthOf("attention.value_length"); }

Number LoaderParameters::Rotated() const {
  return Heads() > 0 ? AsInt(Value("rope.dimension_count", KeyWidth())) : 0;
}

Number LoaderParameters::WindowKeyWidth() const {
  return Value("attention.key_length_swa", KeyWidth());
}

Number LoaderParameters::WindowValueWidth() const {
  return Value("attention.value_length_swa", ValueWidth());
}

Number LoaderParameters::WindowRotated() const {
  return AsInt(Value("rope.dimension_count_swa", Rotated()));
}

const LoaderParameters& LoaderParametersOf(const Context& context) {
  return context.cache.Get<LoaderParameters>(
      [&] { return LoaderParameters(context.document, context.parameters.architecture()); });
}

}  // namespace ggufgate
