#pragma once

#include <cstdint>
#include <optional>

#include "bytes/byte_order.h"
#include "bytes/bytes.h"
#include "format/value_type.h"

namespace ggufgate {

// Integer is a number of any integer type of GGUF: no 64-bit type can hold all of them.
struct Integer {
  std::uint64_t magnitude = 0;
  bool negative = false;

  // Unsigned returns the number, or nullopt if it is negative.
  [[nodiscard]] std::optional<std::uint64_t> Unsigned() const {
    return negative ? std::nullopt : std::optional(magnitude);
  }
  friend bool operator==(const Integer&, const Integer&) = default;
};

// LoadInteger reads a scalar of an integer type from the start of `bytes`, which must be large
// enough. For other types it reads nothing and returns nullopt.
[[nodiscard]] std::optional<Integer> LoadInteger(ValueType type, Bytes bytes, ByteOrder order);

}  // namespace ggufgate
