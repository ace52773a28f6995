#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "format/tensors/tensor_type.h"
#include "parse/document.h"

namespace ggufgate {

// Extent is the size of one tensor, computed from its dimensions and type. A number is set only if
// it and all numbers before it are at most 2^63-1, as in the reference loader.
struct Extent {
  const TensorTypeInfo* type = nullptr;   // nullptr: a type that the reference loader refuses
  std::optional<std::uint64_t> elements;  // product of the dimensions; 1 without dimensions
  std::optional<std::uint64_t>
      row_bytes;                        // dims[0] * block bytes / block elements; whole blocks only
  std::optional<std::uint64_t> bytes;   // row_bytes * rows
  std::optional<std::uint64_t> padded;  // bytes, rounded up to the alignment
  bool whole_blocks = false;            // dims[0] is a multiple of the elements of a block
};

// ExtentOf multiplies step by step without overflow. `alignment` must not be 0.
//
// dims[0] * block bytes must fit before it is divided by the elements of a block, although dividing
// first would allow more. The reason is that the reference multiplies first: it computes 4 bytes
// for a row of 32·(2^64/576+1) Q4_0 elements (CVE-2026-33298 and its bypass). This rejects only
// rows of more than 2^55 bytes.
[[nodiscard]] Extent ExtentOf(const TensorInfo& tensor, std::uint64_t alignment);

// ExtentsOf returns the extents of all tensors, in the order of the directory. If the document's
// alignment is invalid, it uses 1.
[[nodiscard]] std::vector<Extent> ExtentsOf(const Document& document);

// DataRange returns the range of the tensor's data in the file. It returns nullopt if a number is
// not set or the sum exceeds 63 bits. The range may extend beyond the end of the file.
[[nodiscard]] std::optional<ByteRange> DataRange(const Document& document, const TensorInfo& tensor,
                                                 const Extent& extent);

}  // namespace ggufgate
