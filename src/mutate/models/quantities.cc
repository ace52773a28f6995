#include "mutate/models/quantities.h"

#include <algorithm>

#include "format/contracts/contract.h"
#include "mutate/build/entry_value.h"

namespace ggufgate::mutate {
namespace {

constexpr std::uint64_t kMost = 500'000;  // of any factor: three do not overflow
constexpr std::string_view kHeads = "attention.head_count";
constexpr std::string_view kEmbedding = "embedding_length";

}  // namespace

bool KeyIs(std::string_view key, std::string_view architecture, std::string_view name) {
  if (name.starts_with('/')) return key == name.substr(1);
  return key.size() == architecture.size() + 1 + name.size() && key.starts_with(architecture) &&
         key[architecture.size()] == '.' && key.ends_with(name);
}

const Entry* Quantities::Find(std::string_view name) const {
  const auto found = std::ranges::find_if(
      entries_, [&](const Entry& entry) { return KeyIs(entry.key, architecture_, name); });
  return found != entries_.end() ? &*found : nullptr;
}

std::optional<std::uint64_t> Quantities::At(std::string_view name, std::uint64_t layer) const {
  const Entry* const entry = Find(name);
  if (entry == nullptr) return std::nullopt;
  if (!Is(*entry, ValueType::kArray)) return UnsignedOf(*entry);
  const std::optional<ArrayParts> parts = PartsOf(*entry);
  if (!parts || layer >= parts->count || parts->element_bytes == 0) return std::nullopt;
  const auto number = LoadInteger(
      parts->element, parts->elements.subspan(layer * parts->element_bytes), ByteOrder::kLittle);
  return number ? number->Unsigned() : std::nullopt;
}

std::uint64_t Quantities::KeyValueHeads(std::uint64_t layer) const {
  const std::uint64_t heads = At(kHeads, layer).value_or(0);
  return At("attention.head_count_kv", layer).value_or(heads);
}

std::uint64_t Quantities::Width(std::string_view name) const {
  const std::uint64_t heads = At(kHeads, 0).value_or(0);
  if (heads > 0) return At(name, 0).value_or(At(kEmbedding, 0).value_or(0) / heads);
  return architecture_ == "plamo2" ? At(name, 0).value_or(0) : 0;  // plamo2 reads them itself
}

std::optional<std::uint64_t> Quantities::Quantity(std::string_view word,
                                                  std::uint64_t layer) const {
  const std::uint64_t kv_heads = KeyValueHeads(layer);
  if (word == "tokens") return tokens_;
  if (word == "layers") {
    // As LoaderParameters: such layers do not count, unless all are.
    const std::uint64_t all = At("block_count", 0).value_or(0);
    const std::uint64_t next = At("nextn_predict_layers", 0).value_or(0);
    return next < all ? all - next : all;
  }
  if (word == "kv_heads") return kv_heads;
  if (word == "key_width") return Width("attention.key_length");
  if (word == "value_width") return Width("attention.value_length");
  if (word == "qkv_rows") {
    return (At(kHeads, layer).value_or(0) + kv_heads) * Width("attention.key_length") +
           kv_heads * Width("attention.value_length");
  }
  if (word == "embedding_and_kv_rows") {
    return At(kEmbedding, 0).value_or(0) + 2 * kv_heads * Width("attention.value_length");
  }
  if (const std::optional<std::int64_t> number = ReadInteger(word)) {
    return static_cast<std::uint64_t>(*number);
  }
  return At(word, layer);
}

std::optional<std::uint64_t> Quantities::Product(std::string_view reading,
                                                 std::uint64_t layer) const {
  std::string_view factors = TakeField(reading, '/');
  std::uint64_t product = 1;
  while (!factors.empty()) {
    const std::optional<std::uint64_t> factor = Quantity(TakeField(factors, '*'), layer);
    if (!factor || *factor > kMost) return std::nullopt;
    product *= *factor;
  }
  const std::int64_t divisor = reading.empty() ? 1 : ReadInteger(reading).value_or(0);
  if (divisor <= 0 || product > kMost) return std::nullopt;
  return product / static_cast<std::uint64_t>(divisor);
}

}  // namespace ggufgate::mutate
