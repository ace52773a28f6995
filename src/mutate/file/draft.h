#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "bytes/byte_order.h"
#include "bytes/bytes.h"
#include "format/tensors/layout.h"
#include "format/value_type.h"
#include "mutate/memory/fixed_vector.h"

namespace ggufgate::mutate {

// Encoding is how numbers stand in a file.
struct Encoding {
  ByteOrder order = ByteOrder::kLittle;
  std::size_t word = 8;  // bytes of counts, lengths and dimensions: 4 in version 1

  friend bool operator==(const Encoding&, const Encoding&) = default;
};

// Entry is a metadata record. Everything views the input, the arena or static text.
struct Entry {
  std::string_view key;
  std::uint32_t type = 0;  // as in the file, known or not
  Bytes value;  // all that follows the type: of an array, element type and count included
};

// Tensor is a record of the tensor directory, with its data.
struct Tensor {
  std::string_view name;
  std::uint32_t dimension_count = 0;  // as in the file; at most kReadDimensions
  std::array<std::uint64_t, kReadDimensions> dims{1, 1, 1, 1, 1};  // dims[0] is the row length
  std::uint32_t type = 0;                                          // as in the file, known or not
  std::uint64_t offset = 0;  // as in the file, from the start of the data section
  Bytes data;                // the part that the file has; Repair adds what is missing
};

// Piece is a stretch of the file: a record, or bytes that no record could be read from.
struct Piece {
  enum class Kind : std::uint8_t { kEntry, kTensor, kOpaque };
  Kind kind = Kind::kOpaque;
  std::uint32_t index = 0;  // in Draft::entries, tensors or opaque
};

// Draft is a file taken apart for mutation, however broken it is.
//
// Invariant: any string of bytes, taken apart and written as it stands (writer.h), is what it was.
// Every byte of the input belongs to the header, to one record, to an opaque run or to the tail.
// Bytes that are no record are opaque, and reading goes on where the next record seems to begin: an
// early lie does not hide the tensor directory. parse/Document is the opposite: it stops at the
// first lie.
//
// Memory is bounded and taken once; what does not fit the tables stays opaque.
struct Draft {
  static constexpr std::size_t kMostEntries = 4096;
  static constexpr std::size_t kMostTensors = 1024;
  static constexpr std::size_t kMostOpaque = 64;

  Draft();

  Bytes input;  // all of what was taken apart
  Bytes magic;  // the first four bytes; fewer: the input ended
  std::uint32_t version = 3;
  Encoding encoding;
  bool has_counts = false;           // the header is whole
  std::uint64_t tensor_count = 0;    // as the header claims
  std::uint64_t metadata_count = 0;  // as the header claims
  FixedVector<Entry> entries;
  FixedVector<Tensor> tensors;
  FixedVector<Bytes> opaque;
  FixedVector<Piece> pieces;     // in file order; all that stands behind the header
  Bytes tail;                    // data section and whatever follows the last record
  std::uint64_t tail_begin = 0;  // in the input

  // After Repair: the alignment in force, and nothing is opaque.
  std::uint64_t alignment = kDefaultAlignment;

  void Clear();
  [[nodiscard]] Entry* Find(std::string_view key);
};

// TakeApart fills a draft, which views `input` from then on. Total; linear in input.size(). What
// stands behind the last of `most_records` belongs to the tail.
void TakeApart(Bytes input, Draft& draft, std::size_t most_records = SIZE_MAX);

// SizeOfValue is the number of bytes that a value of this type takes at the front of `bytes`;
// nullopt when it does not end there, or nests deeper than 8 arrays.
[[nodiscard]] std::optional<std::size_t> SizeOfValue(std::uint32_t type, Bytes bytes,
                                                     Encoding encoding);

// IsWhole is true of a value that ends where its type says.
[[nodiscard]] inline bool IsWhole(std::uint32_t type, Bytes value, Encoding encoding) {
  const std::size_t scalar = ScalarBytes(type);
  if (scalar > 0) return value.size() == scalar;
  // Asked of every string of every repaired draft: without a reader.
  if (type == IdOf(ValueType::kString) && encoding == Encoding{} && value.size() >= 8) {
    return Load<std::uint64_t>(value, encoding.order) == value.size() - 8;
  }
  return SizeOfValue(type, value, encoding) == value.size();
}

}  // namespace ggufgate::mutate
