// Rules about the counts of an architecture: layers, heads, experts, and divisors.

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "check/hyper_parameters.h"
#include "check/rules/rule_functions.h"
#include "check/values.h"
#include "format/loader_limits.h"

namespace ggufgate {
namespace {

using Report = Sink::Report;

// AboutValue begins the report of a scalar's value.
Report AboutValue(const Context& context, const MetadataEntry& entry, Wording wording) {
  return {.where = entry.ValueRange(),
          .subject = MetadataSubject(context.document, entry),
          .wording = wording};
}

}  // namespace

void CheckBlockCount(const Context& context, Sink& sink) {
  // A decoder may have no separate layers; the loader allocates as many as the key states.
  const std::array<std::pair<std::string_view, std::uint64_t>, 2> keys = {
      {{"block_count", 1}, {"decoder_block_count", 0}}};
  for (const auto& [name, least] : keys) {
    const MetadataEntry* entry = context.parameters.Find(name);
    if (entry == nullptr) continue;
    const std::optional<Integer> count = IntegerOf(context.document, *entry);
    if (!count) continue;
    const std::optional<std::uint64_t> layers = count->Unsigned();
    if (layers && *layers >= least && *layers <= kMostLayers) continue;
    Report report = AboutValue(context, *entry, BlockCountWording::kOnly);
    report.observed = FactOf(*count);
    report.allowed = kMostLayers;
    report.other = least;
    sink.Add(std::move(report));
  }
}

void CheckHeadCount(const Context& context, Sink& sink) {
  const HyperParameters& parameters = context.parameters;
  const MetadataEntry* entry = parameters.Find("attention.head_count");
  if (entry == nullptr || parameters.info() == nullptr || !parameters.info()->attention) return;
  const std::optional<Integer> heads = IntegerOf(context.document, *entry);
  if (!heads) return;

  Report report = AboutValue(context, *entry, HeadCountWording::kNone);
  report.observed = FactOf(*heads);
  if (heads->negative || heads->magnitude == 0) {
    sink.Add(std::move(report));
    return;
  }
  const std::optional<std::uint64_t> width = parameters.Unsigned("embedding_length");
  if (!width || *width % heads->magnitude == 0 || !parameters.info()->heads_divide) return;
  if (parameters.Find("attention.key_length") != nullptr) return;
  if (!HasAllMetadata(context.document)) return;  // it may be in the unread part
  report.wording = HeadCountWording::kUneven;
  report.other = *width;
  sink.Add(std::move(report));
}

void CheckDivisorZero(const Context& context, Sink& sink) {
  const HyperParameters& parameters = context.parameters;
  if (parameters.info() == nullptr) return;
  const auto check = [&](std::string_view name) {
    const MetadataEntry* entry = parameters.Find(name);
    if (entry == nullptr || parameters.Unsigned(name) != 0) return;
    Report report = AboutValue(context, *entry, DivisorZeroWording::kOnly);
    report.observed = std::uint64_t{0};
    sink.Add(std::move(report));
  };
  if (parameters.info()->attention) check("attention.head_count_kv");
  for (std::string_view rest = parameters.info()->divisors; !rest.empty();) {
    const std::size_t blank = std::min(rest.find(' '), rest.size());
    check(rest.substr(0, blank));
    rest.remove_prefix(std::min(blank + 1, rest.size()));
  }
}

void CheckPerLayerArrayLength(const Context& context, Sink& sink) {
  const HyperParameters& parameters = context.parameters;
  const std::optional<std::uint64_t> layers = parameters.Layers();
  for (const MetadataEntry& entry : context.document.metadata) {
    if (entry.type != ValueType::kArray) continue;
    const KeyInfo* key = FindKey(entry.key, parameters.architecture());
    if (key == nullptr || !HasShape(entry, key->shape)) continue;
    const bool sections = key->pattern == "{arch}.rope.dimension_sections";
    if (!sections && !IsPerLayer(key->shape)) continue;

    constexpr std::uint64_t kSections = 4;  // time, height, width, and a spare one
    const std::uint64_t most = sections ? kSections : layers.value_or(kMostLayers);
    const bool any_length = sections || !layers || !HasAllMetadata(context.document);
    if (any_length ? entry.count <= most : entry.count == most) continue;
    // llama.cpp v0.5.0 accepts any length for this array. It accepts all others only for
    // block_count layers. Converters omit the layers that predict further tokens.
    const bool pattern = key->pattern == "{arch}.attention.sliding_window_pattern";
    if (pattern && entry.count == parameters.LayersThatRead()) continue;
    const std::uint64_t count_at = entry.ValueRange().begin + 4;
    sink.Add({.where = {.begin = count_at, .size = 8},
              .subject = MetadataSubject(context.document, entry),
              .observed = entry.count,
              .allowed = most,
              .wording = sections || !layers ? PerLayerArrayLengthWording::kMost
                                             : PerLayerArrayLengthWording::kLayers});
  }
}

namespace {

// UsedExperts is the largest number of experts that a layer uses; for an array, also the layer.
struct UsedExperts {
  std::uint64_t most = 0;
  std::uint64_t most_at = Place::kNoElement;
};

// UsedExpertsOf returns nullopt without a number, and for a negative scalar, whose type the loader
// refuses. In an array, the loader reads a negative number as a huge one.
std::optional<UsedExperts> UsedExpertsOf(const Document& document, const MetadataEntry& entry) {
  if (const std::optional<Integer> used = IntegerOf(document, entry)) {
    if (used->negative) return std::nullopt;
    return UsedExperts{.most = used->magnitude};
  }
  if (entry.type != ValueType::kArray || entry.count > kMostLayers) return std::nullopt;
  UsedExperts experts;
  for (std::uint64_t i = 0; i < entry.count; ++i) {
    const std::optional<Integer> used = IntegerAt(document, entry, i);
    if (!used) return std::nullopt;
    const std::uint64_t taken = used->negative ? UINT32_MAX : used->magnitude;
    if (i > 0 && taken <= experts.most) continue;
    experts = {.most = taken, .most_at = i};
  }
  return experts;
}

}  // namespace

void CheckExpertCount(const Context& context, Sink& sink) {
  const HyperParameters& parameters = context.parameters;
  const MetadataEntry* entry = parameters.Find("expert_count");
  const std::optional<std::uint64_t> count = parameters.Unsigned("expert_count");
  if (entry == nullptr || !count) return;
  if (*count > kMostExperts) {
    Report report = AboutValue(context, *entry, ExpertCountWording::kTooMany);
    report.observed = *count;
    report.allowed = kMostExperts;
    sink.Add(std::move(report));
    return;
  }
  // For these, llama.cpp treats one expert as none.
  const bool one_is_none =
      parameters.architecture() == "hunyuan-dense" || parameters.architecture() == "hunyuan_vl";
  if (one_is_none && *count <= 1) return;

  const MetadataEntry* used_entry = parameters.Find("expert_used_count");
  if (used_entry == nullptr) return;
  const std::optional<UsedExperts> used = UsedExpertsOf(context.document, *used_entry);
  if (!used || (used->most <= *count && (used->most > 0 || *count == 0))) return;
  sink.Add({.where = used_entry->ValueRange(),
            .subject = MetadataSubject(context.document, *used_entry, used->most_at),
            .observed = used->most,
            .allowed = *count,
            .wording = used->most == 0 ? ExpertCountWording::kNoneUsed
                                       : ExpertCountWording::kTooManyUsed});
}

}  // namespace ggufgate
