#include "parse/integer.h"

namespace ggufgate {
namespace {

template <Scalar T>
Integer Widen(Bytes bytes, ByteOrder order) {
  const T value = Load<T>(bytes, order);
  // Two's complement: the magnitude of the least number equals its bits.
  if (value < T{0})
    return {.magnitude = std::uint64_t{0} - static_cast<std::uint64_t>(value), .negative = true};
  return {.magnitude = static_cast<std::uint64_t>(value)};
}

}  // namespace

std::optional<Integer> LoadInteger(ValueType type, Bytes bytes, ByteOrder order) {
  switch (type) {
    case ValueType::kU8:
      return Widen<std::uint8_t>(bytes, order);
    case ValueType::kI8:
      return Widen<std::int8_t>(bytes, order);
    case ValueType::kU16:
      return Widen<std::uint16_t>(bytes, order);
    case ValueType::kI16:
      return Widen<std::int16_t>(bytes, order);
    case ValueType::kU32:
      return Widen<std::uint32_t>(bytes, order);
    case ValueType::kI32:
      return Widen<std::int32_t>(bytes, order);
    case ValueType::kU64:
      return Widen<std::uint64_t>(bytes, order);
    case ValueType::kI64:
      return Widen<std::int64_t>(bytes, order);
    default:
      return std::nullopt;
  }
}

}  // namespace ggufgate
