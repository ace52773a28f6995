#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace ggufgate {

// TensorType is the element type of a tensor, numbered as in the file.
enum class TensorType : std::uint32_t {
#define GGUFGATE_TENSOR_TYPE(name, id, elements, bytes, quantised) k##name = id,
#include "format/tensors/tensor_types.def"
#undef GGUFGATE_TENSOR_TYPE
};

struct TensorTypeInfo {
  TensorType type;
  std::string_view name;         // as printed: "Q4_K"
  std::uint32_t block_elements;  // values in one block, a power of two
  std::uint32_t block_bytes;     // bytes of one block, never 0
  bool quantised;
};

// ForeignType is a number that the reference loader refuses but about which something is known.
struct ForeignType {
  std::uint32_t id;
  std::string_view name;
  std::string_view known_from;  // why it is refused, and what to do
};

// ForkLayout is another block layout that a fork gives to a number of the reference.
struct ForkLayout {
  std::uint32_t id;
  std::uint32_t block_elements;
  std::uint32_t block_bytes;
  std::string_view fork;
};

// IdOf is the number of a type in the file.
[[nodiscard]] constexpr std::uint32_t IdOf(TensorType type) {
  return static_cast<std::uint32_t>(type);
}

// kTensorTypes are the types that the reference loader knows, by number. They stand here so that
// looking one up, for every tensor, is two loads and no call.
inline constexpr std::array kTensorTypes = {
#define GGUFGATE_TENSOR_TYPE(name, id, elements, bytes, quantised) \
  TensorTypeInfo{TensorType::k##name, #name, elements, bytes, quantised},
#include "format/tensors/tensor_types.def"
#undef GGUFGATE_TENSOR_TYPE
};

namespace internal {

// kTensorPlaces is where a number stands in kTensorTypes; behind the last for the numbers between.
inline constexpr auto kTensorPlaces = [] {
  std::array<std::uint8_t, IdOf(kTensorTypes.back().type) + 1> places{};
  static_assert(kTensorTypes.size() < UINT8_MAX);
  places.fill(kTensorTypes.size());
  for (std::size_t i = 0; i < kTensorTypes.size(); ++i) {
    places.at(IdOf(kTensorTypes.at(i).type)) = static_cast<std::uint8_t>(i);
  }
  return places;
}();

}  // namespace internal

// FindTensorType looks a number of the file up; nullptr for one the reference loader refuses.
[[nodiscard]] constexpr const TensorTypeInfo* FindTensorType(std::uint32_t id) {
  const std::size_t place =
      id < internal::kTensorPlaces.size() ? internal::kTensorPlaces[id] : kTensorTypes.size();
  return place < kTensorTypes.size() ? &kTensorTypes[place] : nullptr;
}

// FindTensorTypeNamed looks a name up, as "Q4_K"; nullptr when no type has it.
const TensorTypeInfo* FindTensorTypeNamed(std::string_view name);

// FindForeignType tells what is known of a refused number; nullptr when nothing is.
const ForeignType* FindForeignType(std::uint32_t id);

// FindForkLayout finds the other layout of a number; nullptr when there is none.
const ForkLayout* FindForkLayout(std::uint32_t id);

// AllTensorTypes lists the types the reference loader knows, by number.
[[nodiscard]] constexpr std::span<const TensorTypeInfo> AllTensorTypes() { return kTensorTypes; }

// RunsInMatrices tells whether llama.cpp v0.5.0 multiplies with matrices of a type. Integers, F64
// and the two types that exist for products alone have no kernel in ggml-cpu.c (type_traits_cpu):
// the graph calls through a null pointer.
[[nodiscard]] constexpr bool RunsInMatrices(TensorType type) {
  switch (type) {
    case TensorType::kI8:
    case TensorType::kI16:
    case TensorType::kI32:
    case TensorType::kI64:
    case TensorType::kF64:
    case TensorType::kQ8_1:
    case TensorType::kQ8_K:
      return false;
    default:
      return true;
  }
}

// IsRepacked tells whether the CPU backend of llama.cpp v0.5.0 keeps a matrix of `rows` rows with
// eight of them interleaved, as was seen with AVX-512; other processors have other types
// (ggml_repack_get_optimal_repack_type of ggml-cpu/repack.cpp).
[[nodiscard]] constexpr bool IsRepacked(TensorType type, std::uint64_t rows) {
  switch (type) {
    case TensorType::kQ4_0:
    case TensorType::kQ2_K:
    case TensorType::kQ4_K:
    case TensorType::kIQ4_NL:
    case TensorType::kMXFP4:
      return rows % 8 == 0;
    default:
      return false;
  }
}

}  // namespace ggufgate
