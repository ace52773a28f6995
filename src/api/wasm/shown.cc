// The exports that show what is in a file, page by page, in the words of `inspect --format json`.

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "api/wasm/module.h"
#include "parse/extent.h"
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

// PageOf is `count` of the things from number `first` on, or as many as there are.
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

}  // namespace

GGUFGATE_EXPORT(std::uint32_t, gate_header_json) { return Answer(JsonText(HeaderJson(Shown()))); }

GGUFGATE_EXPORT(std::uint32_t, gate_key_count) {
  return static_cast<std::uint32_t>(Shown().metadata.size());
}
// Of arrays the first `elements`.
GGUFGATE_EXPORT(std::uint32_t, gate_keys_json, std::uint32_t first, std::uint32_t count,
                std::uint32_t elements) {
  Json list = Json::array();
  for (const MetadataEntry& entry : PageOf(Shown().metadata, first, count)) {
    list.push_back(KeyJson(Shown(), entry, elements));
  }
  return Answer(JsonText(list));
}
// gate_elements_json is a page of an array; of an array of arrays, of those inside one after the
// other.
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
// gate_parts_json is what region number `region` consists of, from the part that holds byte `from`
// of the file on; `next` is where the page after it begins. Of a tensor's data, its type as well.
GGUFGATE_EXPORT(std::uint32_t, gate_parts_json, std::uint32_t region, std::uint64_t from,
                std::uint32_t most) {
  Json answer = {{"parts", Json::array()}, {"next", from}, {"type", nullptr}};
  if (region >= RegionsShown().size()) return Answer(JsonText(answer));
  const Region& of = RegionsShown()[region];
  const PartPage page = PartsOf(Shown(), of, from, most);
  for (const Part& part : page.parts) {
    PartText text = TextOf(Shown(), of, part);
    answer["parts"].push_back({{"offset", part.range.begin},
                               {"length", part.range.size},
                               {"name", std::move(text.name)},
                               {"meaning", std::move(text.meaning)}});
  }
  answer["next"] = page.next;
  if (of.kind == Region::Kind::kTensorData) {
    const TensorTypeInfo* type = ExtentOf(Shown().tensors.at(of.index), 1).type;
    if (type != nullptr) answer["type"] = type->name;
  }
  return Answer(JsonText(answer));
}
