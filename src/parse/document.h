#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "bytes/byte_order.h"
#include "bytes/byte_range.h"
#include "bytes/bytes.h"
#include "format/tensors/layout.h"
#include "format/value_type.h"
#include "parse/fault.h"

namespace ggufgate {

// MetadataEntry is one key with its value. It does not copy the value: it has the place, and
// Document::BytesAt() returns the bytes.
struct MetadataEntry {
  std::string_view key;  // views the prefix
  ByteRange range;       // the whole record
  ValueType type = ValueType::kU8;
  ValueType element_type = ValueType::kU8;  // arrays only
  std::uint64_t count = 0;                  // elements, for arrays only
  std::uint32_t depth = 0;                  // array: 1, array of arrays: 2, …

  [[nodiscard]] ByteRange KeyLengthRange() const { return {range.begin, 8}; }
  [[nodiscard]] ByteRange KeyRange() const { return {range.begin + 8, key.size()}; }
  [[nodiscard]] ByteRange TypeRange() const { return {KeyRange().End(), 4}; }
  // ValueRange is everything after the type; for an array with element type and count.
  [[nodiscard]] ByteRange ValueRange() const {
    return ByteRange::Between(TypeRange().End(), range.End());
  }
  // ElementsRange is the elements of an array, or the characters of a string.
  [[nodiscard]] ByteRange ElementsRange() const {
    const std::uint64_t head = type == ValueType::kArray ? 12 : type == ValueType::kString ? 8 : 0;
    return ByteRange::Between(ValueRange().begin + head, range.End());
  }
  [[nodiscard]] bool IsArrayOf(ValueType element) const {
    return type == ValueType::kArray && element_type == element;
  }
};

// TensorInfo is one record of the tensor directory, as in the file. The only checks: the record is
// complete and has at most kReadDimensions dimensions.
struct TensorInfo {
  std::string_view name;     // views the prefix
  std::uint64_t begin = 0;   // file offset of the record
  std::uint64_t offset = 0;  // of the data, relative to the data section
  std::array<std::uint64_t, kReadDimensions> dims{1, 1, 1, 1, 1};  // dims[0] is the row length
  std::uint32_t dimension_count = 0;
  std::uint32_t type_id = 0;

  [[nodiscard]] std::span<const std::uint64_t> Dimensions() const {
    return std::span(dims).first(dimension_count);
  }
  [[nodiscard]] ByteRange NameLengthRange() const { return {begin, 8}; }
  [[nodiscard]] ByteRange NameRange() const { return {begin + 8, name.size()}; }
  [[nodiscard]] ByteRange DimensionCountRange() const { return {NameRange().End(), 4}; }
  [[nodiscard]] ByteRange DimensionRange(std::size_t i) const {
    return {DimensionCountRange().End() + 8 * i, 8};
  }
  [[nodiscard]] ByteRange DimensionsRange() const {
    return {DimensionCountRange().End(), 8 * std::uint64_t{dimension_count}};
  }
  [[nodiscard]] ByteRange TypeRange() const { return {DimensionsRange().End(), 4}; }
  [[nodiscard]] ByteRange OffsetRange() const { return {TypeRange().End(), 8}; }
  [[nodiscard]] ByteRange Range() const { return ByteRange::Between(begin, OffsetRange().End()); }
};

// The memory limit of Parse() depends on these sizes.
static_assert(sizeof(MetadataEntry) <= 56 && sizeof(TensorInfo) <= 80);

// Document is the part of a file that Parse understood. Everything in it was read completely. If
// `fault` is set, parsing stopped there, and the document lacks everything after it.
//
// It views the prefix that it was parsed from, which must outlive it.
struct Document {
  Bytes prefix;                 // the parsed bytes, from the start of the file
  std::uint64_t file_size = 0;  // bytes
  std::uint32_t version = 0;    // 2 or 3 after the header is read
  ByteOrder byte_order = ByteOrder::kLittle;
  std::uint64_t tensor_count = 0;    // claimed in the header; tensors.size() were read
  std::uint64_t metadata_count = 0;  // claimed in the header
  std::vector<MetadataEntry> metadata;
  std::vector<TensorInfo> tensors;
  std::uint64_t directory_end = 0;  // first byte after the records that were read

  // File offsets of the lengths of array strings of at least 128 bytes, in file order. All other
  // lengths look like ASCII to a UTF-8 check, and have seven zeros. So a check can run over a whole
  // vocabulary at once.
  std::vector<std::uint64_t> wide_lengths;
  // File offsets of the lengths of some array strings, in file order: in long arrays at least 24
  // KiB apart. They allow several interleaved walks over an array. The choice of strings has no
  // meaning.
  std::vector<std::uint64_t> some_lengths;

  // The effective alignment, after all metadata are read: `general.alignment`, or 32 without that
  // key; nullopt if the value is not a u32, or 0.
  std::optional<std::uint64_t> alignment = kDefaultAlignment;
  // Start of the data section. Set if the whole directory was read and the alignment is valid.
  std::optional<std::uint64_t> data_begin;

  std::optional<Fault> fault;

  // BytesAt returns a range of the prefix. The ranges of entries and tensors are inside it.
  [[nodiscard]] Bytes BytesAt(ByteRange range) const {
    return prefix.subspan(range.begin, range.size);
  }

  // Find returns the first entry with this key, or nullptr.
  [[nodiscard]] const MetadataEntry* Find(std::string_view key) const;

  // StringOf returns the text of a string value; nullopt for other types.
  [[nodiscard]] std::optional<std::string_view> StringOf(const MetadataEntry& entry) const;

  // UnsignedOf returns the value of an integer or bool scalar that is not negative.
  [[nodiscard]] std::optional<std::uint64_t> UnsignedOf(const MetadataEntry& entry) const;
};

}  // namespace ggufgate
