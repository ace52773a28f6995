#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace ggufgate {

// TensorType is the element type of a tensor, with its number in the file.
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

// ForkLayout is another block layout that a fork gives to a number of the reference.
struct ForkLayout {
  std::uint32_t id;
  std::uint32_t block_elements;
  std::uint32_t block_bytes;
  std::string_view fork;
};

// IdOf returns the number of a type in the file.
[[nodiscard]] constexpr std::uint32_t IdOf(TensorType type) {
  return static_cast<std::uint32_t>(type);
}

// FindTensorType finds a type by its number in the file; nullptr if the reference loader refuses
// it.
const TensorTypeInfo* FindTensorType(std::uint32_t id);

// FindTensorTypeNamed finds a type by its name, such as "Q4_K", or returns nullptr.
const TensorTypeInfo* FindTensorTypeNamed(std::string_view name);

// FindForkLayout finds the other layout of a number; nullptr when there is none.
const ForkLayout* FindForkLayout(std::uint32_t id);

// AllTensorTypes lists the types of the reference loader, by number.
std::span<const TensorTypeInfo> AllTensorTypes();

// RunsInMatrices returns whether llama.cpp v0.5.0 can multiply matrices of a type. Integers, F64
// and the two types for intermediate results have no kernel in ggml-cpu.c (type_traits_cpu): the
// graph calls a null pointer.
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

// Repacking tells how many rows of a matrix the CPU backend of llama.cpp v0.5.0 interleaves; 0:
// none, it keeps their order. It does so if the number of rows is a multiple. Source:
// ggml_repack_get_optimal_repack_type of ggml-cpu/repack.cpp, the least of all processors. RISC-V
// and s390x repack some of the types of 64-bit ARM, with the same number of rows or a multiple.
struct Repacking {
  std::uint64_t x86 = 0;  // with AVX2; Q2_K only with AVX-512
  std::uint64_t arm = 0;  // 64-bit ARM with dot products
};

[[nodiscard]] constexpr Repacking RepackingOf(TensorType type) {
  switch (type) {
    case TensorType::kQ4_0:
    case TensorType::kIQ4_NL:
    case TensorType::kMXFP4:
      return {.x86 = 8, .arm = 4};
    case TensorType::kQ1_0:
    case TensorType::kQ8_0:
      return {.arm = 4};
    case TensorType::kQ4_K:
      return {.x86 = 8, .arm = 8};
    case TensorType::kQ5_K:
    case TensorType::kQ6_K:
      return {.arm = 8};
    case TensorType::kQ2_K:
      return {.x86 = 8};
    default:
      return {};
  }
}

inline constexpr std::string_view kArmAlone = "64-bit ARM";

// RepackedOn returns the processors on which a matrix of `rows` rows is repacked; empty: none.
[[nodiscard]] constexpr std::string_view RepackedOn(TensorType type, std::uint64_t rows) {
  const auto fits = [rows](std::uint64_t multiple) {
    return multiple != 0 && rows % multiple == 0;
  };
  const Repacking repacking = RepackingOf(type);
  if (fits(repacking.x86)) return fits(repacking.arm) ? "x86-64 and 64-bit ARM" : "x86-64";
  return fits(repacking.arm) ? kArmAlone : "";
}

}  // namespace ggufgate
