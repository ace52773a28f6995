// The exports that show the contents of a file, page by page, in the format of `inspect --format
// json`.

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>

#include "api/wasm/module.h"
#include "parse/parts.h"
#include "parse/regions.h"
#include "report/inspect/inspect_parts.h"
#include "report/json_value.h"
#include "report/values.h"
#include "words/part_text.h"

using namespace ggufgate;
using module::Answer;
using module::Current;

namespace {

using Json = nlohmann::ordered_json;

const Document& Shown() { return Current().judging->document(); }

// PageOf returns up to `count` elements from number `first` on.
template <typename Thing>
std::span<const Thing> PageOf(const std::vector<Thing>& things, std::uint32_t first,
                              std::uint32_t count) {
  const std::span<const Thing> all(things);
  const std::span<const Thing> behind = all.subspan(std::min<std::size_t>(first, all.size()));
  return behind.first(std::min<std::size_t>(count, behind.size()));
}

const std::vector<Region>& RegionsShown() {
  std::vector<Region>& regions = Current().regions;
  if (regions.empty()) regions = Regions(Shown());
  return regions;
}

// NumberWord returns the meaning of a block of tensor data if the block is one number, else an
// empty text.
std::string NumberWord(const Region& region, const Part& part) {
  if (part.kind != Part::Kind::kBlock) return {};
  const TensorTypeInfo* type = FindTensorType(Shown().tensors.at(region.index).type_id);
  if (type == nullptr || type->block_elements != 1) return {};
  std::string word;
  for (const char c : type->name) word += c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  return word;
}

Json PartJson(const Region& region, const Part& part) {
  PartText text = TextOf(Shown(), region, part);
  Json json = {{"offset", part.range.begin},
               {"length", part.range.size},
               {"name", std::move(text.name)},
               {"meaning", std::move(text.meaning)}};
  if (std::string word = NumberWord(region, part); !word.empty()) json["number"] = std::move(word);
  return json;
}

}  // namespace

GGUFGATE_EXPORT(std::uint32_t, gate_header_json) { return Answer(JsonText(HeaderJson(Shown()))); }

GGUFGATE_EXPORT(std::uint32_t, gate_key_count) {
  return static_cast<std::uint32_t>(Shown().metadata.size());
}
// gate_keys_json returns only the first `elements` of each array.
GGUFGATE_EXPORT(std::uint32_t, gate_keys_json, std::uint32_t first, std::uint32_t count,
                std::uint32_t elements) {
  Json list = Json::array();
  for (const MetadataEntry& entry : PageOf(Shown().metadata, first, count)) {
    list.push_back(KeyJson(Shown(), entry, elements));
  }
  return Answer(JsonText(list));
}
// gate_elements_json returns a page of an array. For an array of arrays, it lists the inner
// elements one after the other.
GGUFGATE_EXPORT(std::uint32_t, gate_elements_json, std::uint32_t key, std::uint64_t first,
                std::uint32_t count) {
  if (key >= Shown().metadata.size()) return Answer("[]");
  const MetadataEntry& entry = Shown().metadata[key];
  if (entry.type != ValueType::kArray) return Answer("[]");
  if (entry.element_type != ValueType::kArray) {
    return Answer(JsonText(JsonOfElements(Shown(), entry, first, count)));
  }
  return Answer(JsonText(JsonOfValue(Shown(), entry, count)));
}

GGUFGATE_EXPORT(std::uint32_t, gate_tensor_count) {
  return static_cast<std::uint32_t>(Shown().tensors.size());
}
GGUFGATE_EXPORT(std::uint32_t, gate_tensors_json, std::uint32_t first, std::uint32_t count) {
  Json list = Json::array();
  for (const TensorInfo& tensor : PageOf(Shown().tensors, first, count)) {
    list.push_back(TensorJson(Shown(), tensor));
  }
  return Answer(JsonText(list));
}

GGUFGATE_EXPORT(std::uint32_t, gate_region_count) {
  return static_cast<std::uint32_t>(RegionsShown().size());
}
GGUFGATE_EXPORT(std::uint32_t, gate_regions_json, std::uint32_t first, std::uint32_t count) {
  Json list = Json::array();
  for (const Region& region : PageOf(RegionsShown(), first, count)) {
    list.push_back(RegionJson(Shown(), region));
  }
  return Answer(JsonText(list));
}

// gate_parts_json splits region number `region` into parts, from file offset `from` on: {"parts":
// […], "next": the file offset of the next page}.
GGUFGATE_EXPORT(std::uint32_t, gate_parts_json, std::uint32_t region, std::uint64_t from,
                std::uint32_t most) {
  if (region >= RegionsShown().size()) return Answer("null");
  const Region& whole = RegionsShown()[region];
  const std::uint64_t begin = std::clamp(from, whole.range.begin, whole.range.End());
  const PartPage page = PartsOf(Shown(), whole, begin, most);
  Json list = Json::array();
  for (const Part& part : page.parts) list.push_back(PartJson(whole, part));
  return Answer(JsonText({{"parts", std::move(list)}, {"next", page.next}}));
}
