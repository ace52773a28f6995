#pragma once

#include <cstdint>

#include "mutate/file/draft.h"
#include "mutate/memory/fixed_vector.h"

namespace ggufgate::mutate {

// Placement has the file offsets of the parts of a written draft.
struct Placement {
  static constexpr std::uint64_t kVersionAt = 4;
  static constexpr std::uint64_t kTensorCountAt = 8;
  static constexpr std::uint64_t kMetadataCountAt = 16;

  Placement();

  FixedVector<std::uint64_t> entries;  // start of each metadata record
  FixedVector<std::uint64_t> tensors;  // start of each record of the tensor directory
  FixedVector<std::uint64_t> data;     // start of each tensor's data
  std::uint64_t metadata_end = 0;      // start of the tensor directory
  std::uint64_t directory_end = 0;
  std::uint64_t data_begin = 0;
  std::uint64_t data_end = 0;  // unpadded end of the last tensor's data; or directory_end
  std::uint64_t size = 0;      // of the file

  // Offsets of a record's fields, from the offset of the record. Counts of these records have 8
  // bytes.
  static std::uint64_t TypeAt(std::uint64_t begin, const Entry& entry) {
    return begin + 8 + entry.key.size();
  }
  static std::uint64_t ValueAt(std::uint64_t begin, const Entry& entry) {
    return TypeAt(begin, entry) + 4;
  }
  static std::uint64_t DimensionCountAt(std::uint64_t begin, const Tensor& tensor) {
    return begin + 8 + tensor.name.size();
  }
  static std::uint64_t DimensionAt(std::uint64_t begin, const Tensor& tensor, std::uint64_t i) {
    return DimensionCountAt(begin, tensor) + 4 + 8 * i;
  }
  static std::uint64_t TypeAt(std::uint64_t begin, const Tensor& tensor) {
    return DimensionAt(begin, tensor, tensor.dimension_count);
  }
  static std::uint64_t OffsetAt(std::uint64_t begin, const Tensor& tensor) {
    return TypeAt(begin, tensor) + 4;
  }
};

// SizeOf returns the size of a record in a file of version 2 or 3. DirectoryEnd returns the end of
// all records.
[[nodiscard]] constexpr std::uint64_t SizeOf(const Entry& entry) {
  return 8 + entry.key.size() + 4 + entry.value.size();
}
[[nodiscard]] constexpr std::uint64_t SizeOf(const Tensor& tensor) {
  return 8 + tensor.name.size() + 4 + 8 * std::uint64_t{tensor.dimension_count} + 4 + 8;
}
[[nodiscard]] std::uint64_t DirectoryEnd(const Draft& draft);

// PaddingAfter returns the number of bytes from `at` to the next multiple of the alignment. It
// returns 0 for alignment 0, which a draft without repair may have.
[[nodiscard]] std::uint64_t PaddingAfter(std::uint64_t at, std::uint64_t alignment);

// LayOut sets the offset of every tensor to the sum of the padded data sizes before it.
void LayOut(Draft& draft);

}  // namespace ggufgate::mutate
