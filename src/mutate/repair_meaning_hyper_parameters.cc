// Hyper-parameters held against each other.

#include <algorithm>

#include "mutate/entry_value.h"
#include "mutate/repair_meaning.h"

namespace ggufgate::mutate {
namespace {

std::optional<std::uint64_t> NumberAt(const KnownEntries& known, KeyId id) {
  const Entry* const entry = known.Find(id);
  return entry != nullptr ? UnsignedOf(*entry) : std::nullopt;
}

void DropIfZero(KnownEntries& known, KeyId id) {
  if (NumberAt(known, id) == 0) known.Drop(id);
}

// KeepSoundHeads: heads that an architecture divides by are there, and divide the width.
void KeepSoundHeads(KnownEntries& known, const ArchitectureInfo& info) {
  constexpr KeyId kHeads = IdOf("{arch}.attention.head_count");
  const Entry* const entry = known.Find(kHeads);
  if (entry == nullptr || Is(*entry, ValueType::kArray)) return;
  const std::uint64_t heads = UnsignedOf(*entry).value_or(0);
  const auto width = NumberAt(known, IdOf("{arch}.embedding_length"));
  const bool divides = heads > 0 && (!width || *width % heads == 0);
  const bool stated =
      !info.heads_divide || known.Find(IdOf("{arch}.attention.key_length")) != nullptr;
  if (heads == 0 || (!divides && !stated)) known.Drop(kHeads);
}

void KeepSoundDivisors(KnownEntries& known, const ArchitectureInfo& info) {
  if (info.attention) DropIfZero(known, IdOf("{arch}.attention.head_count_kv"));
  for (std::string_view rest = info.divisors; !rest.empty();) {
    const std::size_t blank = std::min(rest.find(' '), rest.size());
    const std::string_view name = rest.substr(0, blank);
    for (std::size_t id = 0; id < kKnownKeys.size(); ++id) {
      const KnownKey& key = kKnownKeys[id];
      if (key.of_architecture && key.name == name) DropIfZero(known, static_cast<KeyId>(id));
    }
    rest.remove_prefix(std::min(blank + 1, rest.size()));
  }
}

constexpr auto kPerLayer = [] {
  constexpr auto kIsPerLayer = [](const KnownKey& key) { return IsPerLayer(key.shape); };
  std::array<KeyId, static_cast<std::size_t>(std::ranges::count_if(kKnownKeys, kIsPerLayer))> ids{};
  std::size_t count = 0;
  for (std::size_t i = 0; i < kKnownKeys.size(); ++i) {
    if (IsPerLayer(kKnownKeys.at(i).shape)) ids.at(count++) = static_cast<KeyId>(i);
  }
  return ids;
}();

// KeepSoundLayers: arrays with an element for each layer have as many as there are layers.
void KeepSoundLayers(KnownEntries& known) {
  const auto layers = NumberAt(known, IdOf("{arch}.block_count"));
  const auto further = NumberAt(known, IdOf("{arch}.nextn_predict_layers"));
  for (const KeyId id : kPerLayer) {
    const Entry* const entry = known.Find(id);
    if (entry == nullptr || !Is(*entry, ValueType::kArray)) continue;
    const std::uint64_t count = CountOf(*entry);
    const bool fits =
        layers ? count == *layers || (further && *further < *layers && count == *layers - *further)
               : count <= kMostLayers;
    if (!fits) known.Drop(id);
  }
}

// MostUsed is the most experts that a layer uses; nothing where one uses a negative number.
std::optional<std::uint64_t> MostUsed(const Entry& entry) {
  if (!Is(entry, ValueType::kArray)) return UnsignedOf(entry);
  const ValueType type = ElementTypeOf(entry);
  const std::size_t size = InfoOf(type).scalar_bytes;
  std::uint64_t most = 0;
  for (Bytes rest = ElementsOf(entry); rest.size() >= size; rest = rest.subspan(size)) {
    const Integer used = LoadInteger(type, rest, ByteOrder::kLittle).value_or(Integer{});
    if (used.negative) return std::nullopt;
    most = std::max(most, used.magnitude);
  }
  return most;
}

void KeepSoundExperts(KnownEntries& known) {
  constexpr KeyId kUsed = IdOf("{arch}.expert_used_count");
  const auto count = NumberAt(known, IdOf("{arch}.expert_count"));
  const Entry* const entry = known.Find(kUsed);
  if (!count || entry == nullptr) return;
  const auto used = MostUsed(*entry);
  if (!used || *used > *count || (*used == 0 && *count > 0)) known.Drop(kUsed);
}

}  // namespace

void KeepSoundHyperParameters(KnownEntries& known, const ArchitectureInfo* info) {
  if (info != nullptr && info->attention) KeepSoundHeads(known, *info);
  if (info != nullptr) KeepSoundDivisors(known, *info);
  KeepSoundLayers(known);
  KeepSoundExperts(known);
}

}  // namespace ggufgate::mutate
