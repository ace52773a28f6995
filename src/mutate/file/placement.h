#pragma once

#include <cstdint>
#include <optional>

#include "bytes/byte_range.h"
#include "bytes/bytes.h"
#include "mutate/file/draft.h"
#include "mutate/memory/fixed_vector.h"

namespace ggufgate::mutate {

// Placement is where the parts of a written draft stand, as offsets from the start of the file.
struct Placement {
  static constexpr std::uint64_t kVersionAt = 4;
  static constexpr std::uint64_t kTensorCountAt = 8;
  static constexpr std::uint64_t kMetadataCountAt = 16;

  Placement();

  FixedVector<std::uint64_t> entries;  // begin of each metadata record
  FixedVector<std::uint64_t> tensors;  // begin of each record of the tensor directory
  FixedVector<std::uint64_t> data;     // begin of each tensor's data
  std::uint64_t metadata_end = 0;      // begin of the tensor directory
  std::uint64_t directory_end = 0;
  std::uint64_t data_begin = 0;
  std::uint64_t data_end = 0;  // unpadded end of the last tensor's data; directory_end without any
  std::uint64_t size = 0;      // of the file

  // Fields of a record, given its begin. All records here have words of 8 bytes.
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

// LayOut sets the offset of every tensor: the sum of the padded sizes of the data before it.
void LayOut(Draft& draft);

// WriteWhole writes a repaired draft: true counts, entries, tensors, then the data one after the
// other, each padded with zeros to draft.alignment. Fields of records are written as they stand,
// offsets included. False when `out` has no room; `placement` is then of no use.
[[nodiscard]] bool WriteWhole(const Draft& draft, MutableBytes out, Placement& placement);

}  // namespace ggufgate::mutate
