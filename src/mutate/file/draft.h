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

// Encoding is the encoding of numbers in a file.
struct Encoding {
  ByteOrder order = ByteOrder::kLittle;
  std::size_t word = 8;  // bytes of counts, lengths and dimensions; 4 in version 1

  friend bool operator==(const Encoding&, const Encoding&) = default;
};

// Entry is a metadata record. Its members view the input, the arena or static text.
struct Entry {
  std::string_view key;
  std::uint32_t type = 0;  // as in the file, maybe unknown
  Bytes value;             // all bytes after the type; for an array with element type and count
};

// Tensor is a record of the tensor directory, with its data.
struct Tensor {
  std::string_view name;
  std::uint32_t dimension_count = 0;  // as in the file; at most kReadDimensions
  std::array<std::uint64_t, kReadDimensions> dims{1, 1, 1, 1, 1};  // dims[0] is the row length
  std::uint32_t type = 0;                                          // as in the file, maybe unknown
  std::uint64_t offset = 0;  // as in the file, relative to the data section
  Bytes data;                // the part that the file has; Repair adds the rest
};

// Piece is a part of the file: a record, or bytes that are not a record.
struct Piece {
  enum class Kind : std::uint8_t { kEntry, kTensor, kOpaque };
  Kind kind = Kind::kOpaque;
  std::uint32_t index = 0;  // in Draft::entries, tensors or opaque
};

// Draft is a file that was split into parts for mutation, however broken it is.
//
// Invariant: if any bytes are taken apart and written with WriteAsItStands (writer.h), the result
// equals them. Every byte of the input belongs to the header, to one record, to an opaque run or to
// the tail. Bytes that are not a record are opaque, and reading continues at the next apparent
// record. So an early lie does not hide the tensor directory. parse/Document does the opposite: it
// stops at the first fault.
//
// Memory is bounded and allocated once. Records that do not fit into the tables stay opaque.
struct Draft {
  static constexpr std::size_t kMostEntries = 4096;
  static constexpr std::size_t kMostTensors = 1024;
  static constexpr std::size_t kMostOpaque = 64;

  Draft();

  Bytes input;  // the whole input
  Bytes magic;  // the first four bytes; fewer if the input is shorter
  std::uint32_t version = 3;
  Encoding encoding;
  bool has_counts = false;           // the header is complete
  std::uint64_t tensor_count = 0;    // as the header claims
  std::uint64_t metadata_count = 0;  // as the header claims
  FixedVector<Entry> entries;
  FixedVector<Tensor> tensors;
  FixedVector<Bytes> opaque;
  FixedVector<Piece> pieces;     // everything after the header, in file order
  Bytes tail;                    // data section, and everything after the last record
  std::uint64_t tail_begin = 0;  // offset in the input

  // After Repair: the effective alignment, and `opaque` is empty.
  std::uint64_t alignment = kDefaultAlignment;

  void Clear();
  [[nodiscard]] Entry* Find(std::string_view key);
};

// TakeApart fills a draft, which views `input` afterwards. It accepts any input, in linear time.
// Bytes after `most_records` records belong to the tail.
void TakeApart(Bytes input, Draft& draft, std::size_t most_records = SIZE_MAX);

// SizeOfValue returns the size of a value of this type at the front of `bytes`. It returns nullopt
// if the value is incomplete, or has more than 8 levels of arrays.
[[nodiscard]] std::optional<std::size_t> SizeOfValue(std::uint32_t type, Bytes bytes,
                                                     Encoding encoding);

// IsWhole is true if `value` has exactly the size of its type.
[[nodiscard]] inline bool IsWhole(std::uint32_t type, Bytes value, Encoding encoding) {
  const std::size_t scalar = ScalarBytes(type);
  if (scalar > 0) return value.size() == scalar;
  // Called for every string of every repaired draft, so it avoids a reader.
  if (type == IdOf(ValueType::kString) && encoding == Encoding{} && value.size() >= 8) {
    return Load<std::uint64_t>(value, encoding.order) == value.size() - 8;
  }
  return SizeOfValue(type, value, encoding) == value.size();
}

}  // namespace ggufgate::mutate
