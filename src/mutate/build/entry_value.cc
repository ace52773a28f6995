#include "mutate/build/entry_value.h"

namespace ggufgate::mutate {

std::optional<Integer> IntegerOf(const Entry& entry) {
  return LoadInteger(ValueType{entry.type}, entry.value, ByteOrder::kLittle);
}

std::optional<std::uint64_t> UnsignedOf(const Entry& entry) {
  const std::optional<Integer> integer = IntegerOf(entry);
  return integer ? integer->Unsigned() : std::nullopt;
}

bool HasShape(const Entry& entry, KeyShape shape) {
  const bool array = Is(entry, ValueType::kArray);
  const bool integers = array && IsInteger(ElementTypeOf(entry));
  switch (shape) {
    case KeyShape::kString:
      return Is(entry, ValueType::kString);
    case KeyShape::kBool:
      return Is(entry, ValueType::kBool);
    case KeyShape::kU16:
      return Is(entry, ValueType::kU16);
    case KeyShape::kU32:
      return Is(entry, ValueType::kU32);
    case KeyShape::kI32:
      return Is(entry, ValueType::kI32);
    case KeyShape::kInteger:
      return !array && IsInteger(ValueType{entry.type});
    case KeyShape::kF32:
      return Is(entry, ValueType::kF32);
    case KeyShape::kLayerIntegers:
    case KeyShape::kOneOrMoreIntegers:
      return integers || (!array && IsInteger(ValueType{entry.type}));
    case KeyShape::kLayerFloats:
      return Is(entry, ValueType::kF32) || IsArrayOf(entry, ValueType::kF32);
    case KeyShape::kLayerBools:
      return integers || Is(entry, ValueType::kBool) || IsArrayOf(entry, ValueType::kBool) ||
             (!array && IsInteger(ValueType{entry.type}));
    case KeyShape::kIntegers:
      return integers;
    case KeyShape::kI32s:
      return IsArrayOf(entry, ValueType::kI32);
    case KeyShape::kF32s:
      return IsArrayOf(entry, ValueType::kF32);
    case KeyShape::kStrings:
      return IsArrayOf(entry, ValueType::kString);
    case KeyShape::kBytes:
      return IsArrayOf(entry, ValueType::kU8) || IsArrayOf(entry, ValueType::kI8);
  }
  return false;
}

}  // namespace ggufgate::mutate
