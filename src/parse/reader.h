#pragma once

// The parser's inside: one Reader walks one prefix. Not for users of the library; see parse.h.

#include <cstdint>

#include "bytes/cursor.h"
#include "format/limits.h"
#include "parse/parse.h"

namespace ggufgate::internal {

// Reader fills a ParseResult. Its steps return false when reading must stop: then either the
// document has its fault or bytes_needed is set.
class Reader {
 public:
  Reader(Bytes prefix, std::uint64_t file_size, const Limits& limits, ParseResult& result);

  [[nodiscard]] bool ReadHeader();
  [[nodiscard]] bool ReadMetadata();
  [[nodiscard]] bool ReadTensors();

 private:
  // Array is a level of the walk over nested arrays.
  struct Array {
    ValueType element_type = ValueType::kU8;
    std::uint64_t left = 0;
  };

  [[nodiscard]] bool ReadVersion();
  [[nodiscard]] bool ReadCounts();
  [[nodiscard]] bool ReadEntry();
  [[nodiscard]] bool ReadValue(MetadataEntry& entry);
  [[nodiscard]] bool ReadValueType(ValueType& type, const char* field, FaultKind kind);
  [[nodiscard]] bool ReadString(Bytes& out, const char* length_field, const char* field);
  [[nodiscard]] bool ReadArray(MetadataEntry& entry);
  [[nodiscard]] bool ReadArrayHead(Array& array);
  [[nodiscard]] bool ReadElements(const Array& array);
  [[nodiscard]] bool ReadStrings(std::uint64_t count);
  [[nodiscard]] bool CheckLength(std::uint64_t length, const char* field);
  [[nodiscard]] bool ReadTensor();

  // Each notes why reading stops and returns false.
  bool Fail(FaultKind kind, ByteRange where, const char* field, std::uint64_t observed,
            std::uint64_t allowed, bool by_limit = false);
  bool StopAtShortfall();
  // Expect notes where a list ends of which reading stopped at number `done` of `all`.
  void Expect(std::uint64_t list_begin, std::uint64_t done, std::uint64_t all);

  Document& document_;
  ParseResult& result_;
  const Limits& limits_;
  Cursor cursor_;
  Place place_;  // what is being read, for the fault
  std::uint64_t strings_in_arrays_ = 0;
};

}  // namespace ggufgate::internal
