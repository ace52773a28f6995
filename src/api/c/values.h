#pragma once

// Scalars for callers: values of keys and elements of arrays.

#include <cstdint>
#include <limits>
#include <optional>

#include "bytes/byte_order.h"
#include "bytes/bytes.h"
#include "format/value_type.h"
#include "ggufgate/ggufgate.h"
#include "parse/integer.h"

namespace ggufgate::api {

// Scalar is a value, or an element of an array, and the bytes that hold it.
struct Scalar {
  ValueType type = ValueType::kArray;
  Bytes bytes = {};
  ByteOrder order = ByteOrder::kLittle;
};

[[nodiscard]] inline ggufgate_status UnsignedIn(const Scalar& scalar, std::uint64_t* value) {
  const std::optional<Integer> integer = LoadInteger(scalar.type, scalar.bytes, scalar.order);
  if (!integer) return GGUFGATE_STATUS_WRONG_TYPE;
  if (integer->negative) return GGUFGATE_STATUS_OUT_OF_RANGE;
  *value = integer->magnitude;
  return GGUFGATE_STATUS_OK;
}

[[nodiscard]] inline ggufgate_status SignedIn(const Scalar& scalar, std::int64_t* value) {
  const std::optional<Integer> integer = LoadInteger(scalar.type, scalar.bytes, scalar.order);
  if (!integer) return GGUFGATE_STATUS_WRONG_TYPE;
  constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (integer->magnitude > kMost + (integer->negative ? 1 : 0)) return GGUFGATE_STATUS_OUT_OF_RANGE;
  // The negative of the magnitude modulo 2^64 is the number; this also holds for -2^63.
  *value =
      static_cast<std::int64_t>(integer->negative ? ~integer->magnitude + 1 : integer->magnitude);
  return GGUFGATE_STATUS_OK;
}

[[nodiscard]] inline ggufgate_status RealIn(const Scalar& scalar, double* value) {
  if (scalar.type == ValueType::kF32) {
    *value = static_cast<double>(Load<float>(scalar.bytes, scalar.order));
  } else if (scalar.type == ValueType::kF64) {
    *value = Load<double>(scalar.bytes, scalar.order);
  } else {
    return GGUFGATE_STATUS_WRONG_TYPE;
  }
  return GGUFGATE_STATUS_OK;
}

[[nodiscard]] inline ggufgate_status BoolIn(const Scalar& scalar, int* value) {
  if (scalar.type != ValueType::kBool) return GGUFGATE_STATUS_WRONG_TYPE;
  *value = scalar.bytes.front() != 0 ? 1 : 0;
  return GGUFGATE_STATUS_OK;
}

}  // namespace ggufgate::api
