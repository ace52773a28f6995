#include "mutate/build/known_key.h"

#include <type_traits>

#include "bytes/byte_order.h"

namespace ggufgate::mutate {
namespace {

constexpr unsigned kSlotBits = 10;  // a fifth of the slots are taken
constexpr std::size_t kSlots = std::size_t{1} << kSlotBits;
static_assert(kKnownKeys.size() * 4 < kSlots);

// What a hash looks at, and no known name is shorter.
constexpr std::size_t kWord = sizeof(std::uint64_t);
static_assert(std::ranges::all_of(kKnownKeys,
                                  [](const KnownKey& key) { return key.name.size() >= kWord; }));

// WordAt is 8 bytes of a text as a number.
constexpr std::uint64_t WordAt(std::string_view text, std::size_t at) {
  if (!std::is_constant_evaluated()) {
    return Load<std::uint64_t>(AsBytes(text.substr(at)), ByteOrder::kLittle);
  }
  std::uint64_t word = 0;
  for (std::size_t i = at + kWord; i > at; --i) {
    word = word << 8 | static_cast<unsigned char>(text[i - 1]);
  }
  return word;
}

// SlotOf looks at the end of a name only, where names differ most: two are compared anyhow.
constexpr std::size_t SlotOf(std::string_view name, bool of_architecture) {
  const std::size_t size = name.size();
  std::uint64_t hash = WordAt(name, size - kWord);
  hash ^= WordAt(name, size < 2 * kWord ? 0 : size - 2 * kWord) * 0x9FB2'1C65'1E98'DF25;
  hash ^= (size << 1 | (of_architecture ? 1 : 0)) * 0xD6E8'FEB8'6659'FD93;
  hash *= 0xA3AA'AC6C'1D7F'2B1D;
  return hash >> (64 - kSlotBits);
}

constexpr auto kTable = [] {
  std::array<KeyId, kSlots> table{};
  for (KeyId& slot : table) slot = kUnknownKey;
  for (std::size_t i = 0; i < kKnownKeys.size(); ++i) {
    std::size_t at = SlotOf(kKnownKeys.at(i).name, kKnownKeys.at(i).of_architecture);
    while (table.at(at) != kUnknownKey) at = (at + 1) % kSlots;
    table.at(at) = static_cast<KeyId>(i);
  }
  return table;
}();

KeyId Find(std::string_view name, bool of_architecture) {
  if (name.size() < kWord) return kUnknownKey;
  for (std::size_t at = SlotOf(name, of_architecture);; at = (at + 1) % kSlots) {
    const KeyId id = kTable[at];
    if (id == kUnknownKey) return id;
    if (kKnownKeys[id].name == name && kKnownKeys[id].of_architecture == of_architecture) return id;
  }
}

}  // namespace

KeyId FindKeyId(std::string_view key, std::string_view architecture) {
  const std::size_t size = architecture.size();
  if (size > 0 && key.size() > size && key[size] == '.' && key.starts_with(architecture)) {
    const KeyId id = Find(key.substr(size + 1), true);
    if (id != kUnknownKey) return id;
  }
  return Find(key, false);
}

}  // namespace ggufgate::mutate
