#include "format/value_type.h"

#include <algorithm>

namespace ggufgate {
namespace {

constexpr bool NumbersAreIndexes() {
  for (std::size_t i = 0; i < kValueTypes.size(); ++i) {
    if (static_cast<std::size_t>(kValueTypes.at(i).type) != i) return false;
  }
  return true;
}
static_assert(NumbersAreIndexes(), "value_types.def is in the order of its numbers");

}  // namespace

const ValueTypeInfo* FindValueTypeNamed(std::string_view word) {
  const auto found = std::ranges::find(kValueTypes, word, &ValueTypeInfo::word);
  return found != kValueTypes.end() ? &*found : nullptr;
}

std::uint64_t MinimumBytes(ValueType type) {
  switch (type) {
    case ValueType::kString:
      return 8;
    case ValueType::kArray:
      return 12;
    default:
      return InfoOf(type).scalar_bytes;
  }
}

bool IsInteger(ValueType type) {
  switch (type) {
    case ValueType::kU8:
    case ValueType::kI8:
    case ValueType::kU16:
    case ValueType::kI16:
    case ValueType::kU32:
    case ValueType::kI32:
    case ValueType::kU64:
    case ValueType::kI64:
      return true;
    default:
      return false;
  }
}

}  // namespace ggufgate
