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

// MetadataEntry is one key with its value. Nothing of the value is copied: Document::BytesAt()
// shows it, MetadataEntry says where it is.
struct MetadataEntry {
  std::string_view key;  // views the prefix
  ByteRange range;       // the whole record
  ValueType type = ValueType::kU8;
  ValueType element_type = ValueType::kU8;  // arrays only
  std::uint64_t count = 0;                  // arrays only: elements
  std::uint32_t depth = 0;                  // arrays: 1, arrays of arrays: 2, …

  [[nodiscard]] ByteRange KeyLengthRange() const { return {range.begin, 8}; }
  [[nodiscard]] ByteRange KeyRange() const { return {range.begin + 8, key.size()}; }
  [[nodiscard]] ByteRange TypeRange() const { return {KeyRange().End(), 4}; }
  // ValueRange is all that follows the type: of an array, element type and count included.
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

// TensorInfo is one record of the tensor directory, as the file says it: nothing here is checked
// but that the record is whole and has at most kReadDimensions dimensions.
struct TensorInfo {
  std::string_view name;     // views the prefix
  std::uint64_t begin = 0;   // of the record, in the file
  std::uint64_t offset = 0;  // of the data, from the start of the data section
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

// Parse() promises its memory in terms of these.
static_assert(sizeof(MetadataEntry) <= 56 && sizeof(TensorInfo) <= 80);

// Document is what a Parse understood of a file. Everything in it was read completely; when `fault`
// is set, reading ended there and what follows is not in it.
//
// It views the prefix it was parsed from, which must outlive it.
struct Document {
  Bytes prefix;                 // the bytes parsed, from the start of the file
  std::uint64_t file_size = 0;  // bytes
  std::uint32_t version = 0;    // 2 or 3 once the header is read
  ByteOrder byte_order = ByteOrder::kLittle;
  std::uint64_t tensor_count = 0;    // as the header claims; tensors.size() were read
  std::uint64_t metadata_count = 0;  // as the header claims
  std::vector<MetadataEntry> metadata;
  std::vector<TensorInfo> tensors;
  std::uint64_t directory_end = 0;  // first byte after what was read

  // Where the lengths of array strings of 128 bytes and more stand, in file order. All other
  // lengths are ASCII to a UTF-8 check and have seven zeros, so that a check may run over a whole
  // vocabulary at once.
  std::vector<std::uint64_t> wide_lengths;
  // Where the lengths of some array strings stand, in file order: in long arrays one in 16 KiB or
  // more, so that a walk over them can be many side by side. Which of them are listed means
  // nothing.
  std::vector<std::uint64_t> some_lengths;

  // The alignment in force, once all metadata are read: `general.alignment`, or 32 without that
  // key; nullopt when the key holds no u32, or 0.
  std::optional<std::uint64_t> alignment = kDefaultAlignment;
  // Start of the data section; known once the whole directory is read and the alignment is usable.
  std::optional<std::uint64_t> data_begin;

  std::optional<Fault> fault;

  // BytesAt shows a range of the prefix; the ranges of entries and tensors lie inside it.
  [[nodiscard]] Bytes BytesAt(ByteRange range) const {
    return prefix.subspan(range.begin, range.size);
  }

  // Find gives the first entry with this key, nullptr when there is none.
  [[nodiscard]] const MetadataEntry* Find(std::string_view key) const;

  // StringOf is the text of a string value; nullopt when the entry is not a string.
  [[nodiscard]] std::optional<std::string_view> StringOf(const MetadataEntry& entry) const;

  // UnsignedOf is the value of an integer or bool scalar that is not negative.
  [[nodiscard]] std::optional<std::uint64_t> UnsignedOf(const MetadataEntry& entry) const;
};

}  // namespace ggufgate
