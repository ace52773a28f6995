// Requirements for every metadata record, regardless of its key.

#include <algorithm>
#include <array>
#include <optional>

#include "format/limits.h"
#include "format/reader_fields.h"
#include "format/value_type.h"
#include "mutate/build/name_look.h"
#include "mutate/file/normalise.h"
#include "mutate/repair/repair.h"

namespace ggufgate::mutate {
namespace {

constexpr Encoding kSound{};
constexpr std::array<std::uint8_t, 1> kTrue = {1};

bool IsBoolean(std::uint8_t byte) { return byte <= 1; }

// Mend corrects a value so that the format allows it; false if that is impossible.
bool Mend(Entry& entry) {
  if (!IsWhole(entry.type, entry.value, kSound)) return false;
  switch (ValueType{entry.type}) {
    case ValueType::kBool:
      if (!IsBoolean(entry.value.front())) entry.value = kTrue;
      return true;
    case ValueType::kArray: {
      const ValueType element{Load<std::uint32_t>(entry.value, kSound.order)};
      if (element == ValueType::kArray) return false;
      return element != ValueType::kBool || std::ranges::all_of(entry.value.subspan(12), IsBoolean);
    }
    default:
      return true;
  }
}

// AlignmentOf returns the alignment of an entry; nullopt if it is invalid.
std::optional<std::uint64_t> AlignmentOf(const Entry& entry) {
  if (entry.type != IdOf(ValueType::kU32)) return std::nullopt;
  const auto value = Load<std::uint32_t>(entry.value, kSound.order);
  if (!std::has_single_bit(value) || value > Limits{}.alignment) return std::nullopt;
  return value;
}

}  // namespace

void RepairMetadata(MutationContext& context) {
  Draft& draft = context.draft;
  Normalise(draft, context.arena);
  draft.alignment = kDefaultAlignment;
  context.seen.Begin(draft.entries.size());
  draft.entries.Keep([&](Entry& entry) {
    if (entry.key.empty() || entry.key.size() > Limits{}.key_bytes) return false;
    const NameLook look = LookAt(entry.key);
    if (!look.printable) return false;
    if (look.may_be_prototype && FindPrototypeSegment(entry.key)) return false;
    if (!Mend(entry) || !context.seen.Add(entry.key, look.hash)) return false;
    if (entry.key != kAlignmentKey) return true;
    const std::optional<std::uint64_t> alignment = AlignmentOf(entry);
    draft.alignment = alignment.value_or(kDefaultAlignment);
    return alignment.has_value();
  });
  draft.magic = AsBytes(kMagic);
  if (draft.version != 2) draft.version = 3;
}

}  // namespace ggufgate::mutate
