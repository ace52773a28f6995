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
  const TensorTypeInfo* type = nullptr;   // nullptr: a number the reference loader refuses; without
                                          // a type there are sizes only where OllamaType() has some
  std::optional<std::uint64_t> elements;  // product of the dimensions; 1 without dimensions
  std::optional<std::uint64_t>
      row_bytes;                        // dims[0] * block bytes / block elements; whole blocks only
  std::optional<std::uint64_t> bytes;   // row_bytes * rows
  std::optional<std::uint64_t> padded;  // bytes, rounded up to the alignment
  bool whole_blocks = false;            // dims[0] is a multiple of the elements of a block
};

// IsOfGptoss is true of models of "gptoss", as Ollama's converter of August to October 2025 wrote
// them: their type 4 is its MXFP4, with blocks of the size of ggml's and another order inside.
// Source: ollama/ollama issue 11796, and its fs/ggml/ggml.go of August 2025.
[[nodiscard]] bool IsOfGptoss(const Document& document);
// OllamaType gives the sizes of such a type; nullptr of other numbers.
[[nodiscard]] const TensorTypeInfo* OllamaType(std::uint32_t type_id);

// ExtentOf multiplies step by step and never wraps. `alignment` is not 0.
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
