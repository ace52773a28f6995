#pragma once

// The examples of rules: see examples.def.

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>

#include "format/loader_limits.h"
#include "format/tensors/layout.h"
#include "format/tensors/tensor_type.h"
#include "format/value_type.h"

namespace ggufgate::mutate {

// ExampleValue is the value of a key: a scalar, a string, or an array of equal elements.
struct ExampleValue {
  ValueType type = ValueType::kU8;
  std::uint64_t number = 0;            // of a scalar, or of each element
  std::string_view text = {};          // of a string, or of each element
  ValueType element = ValueType::kU8;  // of an array
  std::uint64_t count = 0;             // of an array

  friend bool operator==(const ExampleValue&, const ExampleValue&) = default;
};

// ExampleRecord is a key with its value, or a tensor.
struct ExampleRecord {
  std::string_view name;
  ExampleValue value = {};
  bool is_tensor = false;
  TensorType type = TensorType::kF32;
  std::array<std::uint64_t, kReadDimensions> dims{1, 1, 1, 1, 1};
  std::uint32_t dimension_count = 0;
};

// Kept tells which records remain in consistent mutants.
enum class Kept : std::uint8_t { kGood, kAtLeast, kAtMost, kAll };

// Example is one line of examples.def.
struct Example {
  std::string_view rule;
  std::string_view variant;
  std::string_view severities;
  ExampleRecord bad;
  ExampleRecord good;
  Kept kept;
  std::string_view what;
  std::string_view slug;  // of the lie; a NUL follows, for the C interface

  [[nodiscard]] constexpr bool IsError() const { return severities.starts_with('e'); }
};

// kArchitecturePattern begins keys that begin with the architecture in the file.
inline constexpr std::string_view kArchitecturePattern = "{arch}.";

// The words of examples.def.
namespace examples {

using enum Kept;

template <ValueType kType>
constexpr ExampleValue Number(std::uint64_t number) {
  return {.type = kType, .number = number};
}
constexpr ExampleValue U8(std::uint8_t n) { return Number<ValueType::kU8>(n); }
constexpr ExampleValue U16(std::uint16_t n) { return Number<ValueType::kU16>(n); }
constexpr ExampleValue U32(std::uint32_t n) { return Number<ValueType::kU32>(n); }
constexpr ExampleValue U64(std::uint64_t n) { return Number<ValueType::kU64>(n); }
constexpr ExampleValue I8(std::int8_t n) {
  return Number<ValueType::kI8>(static_cast<std::uint64_t>(n));
}
constexpr ExampleValue I16(std::int16_t n) {
  return Number<ValueType::kI16>(static_cast<std::uint64_t>(n));
}
constexpr ExampleValue I32(std::int32_t n) {
  return Number<ValueType::kI32>(static_cast<std::uint64_t>(n));
}
constexpr ExampleValue I64(std::int64_t n) {
  return Number<ValueType::kI64>(static_cast<std::uint64_t>(n));
}
constexpr ExampleValue F32(float x) {
  return Number<ValueType::kF32>(std::bit_cast<std::uint32_t>(x));
}
constexpr ExampleValue F64(double x) {
  return Number<ValueType::kF64>(std::bit_cast<std::uint64_t>(x));
}
constexpr ExampleValue Bool(std::uint8_t byte) { return Number<ValueType::kBool>(byte); }
// Text may contain NUL bytes.
template <std::size_t kSize>
constexpr ExampleValue Text(const char (&text)[kSize]) {
  return {.type = ValueType::kString, .text = {text, kSize - 1}};
}
constexpr ExampleValue Array(std::uint64_t count, ExampleValue each) {
  return {.type = ValueType::kArray,
          .number = each.number,
          .text = each.text,
          .element = each.type,
          .count = count};
}

template <std::size_t kSize>
constexpr ExampleRecord Key(const char (&key)[kSize], ExampleValue value) {
  return {.name = {key, kSize - 1}, .value = value};
}
template <std::size_t kSize>
constexpr ExampleRecord Tensor(const char (&name)[kSize], TensorType type,
                               std::initializer_list<std::uint64_t> dims) {
  ExampleRecord record{.name = {name, kSize - 1}, .is_tensor = true, .type = type};
  std::ranges::copy(dims, record.dims.begin());
  record.dimension_count = static_cast<std::uint32_t>(dims.size());
  return record;
}

inline constexpr auto kLines = std::to_array<Example>({
#define GGUFGATE_EXAMPLE(rule, variant, severities, bad, good, kept, what) \
  Example{rule,       variant,                                             \
          severities, bad,                                                 \
          good,       kept,                                                \
          what,       sizeof(variant) == 1 ? "example-" rule : "example-" rule "-" variant},
#include "mutate/examples/examples.def"
#undef GGUFGATE_EXAMPLE
});

}  // namespace examples

inline constexpr std::span<const Example> kExamples = examples::kLines;

}  // namespace ggufgate::mutate
