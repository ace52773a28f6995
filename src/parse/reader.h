#pragma once

// Internals of the parser: one Reader parses one prefix. Not for users of the library; see parse.h.

#include <cstdint>
#include <vector>

#include "bytes/cursor.h"
#include "format/limits.h"
#include "parse/parse.h"

namespace ggufgate::internal {

// Reader fills a ParseResult. Its steps return false if parsing must stop: then the document has a
// fault, or bytes_needed is set.
class Reader {
 public:
  // `limits` and `known` must outlive the reader.
  Reader(Bytes prefix, std::uint64_t file_size, const Limits& limits, const StringRuns& known,
         ParseResult& result);

  [[nodiscard]] bool ReadHeader();
  [[nodiscard]] bool ReadMetadata();
  [[nodiscard]] bool ReadTensors();

 private:
  // Array is one level of nested arrays.
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
  // SkipKnown skips the run that begins here. It returns its number of strings, or 0.
  [[nodiscard]] std::uint64_t SkipKnown(std::uint64_t count);
  void KeepRun(const StringRun& run);
  [[nodiscard]] bool CheckLength(std::uint64_t length, const char* field);
  [[nodiscard]] bool ReadTensor();

  // Each records why parsing stops, and returns false.
  bool Fail(FaultKind kind, ByteRange where, const char* field, std::uint64_t observed,
            std::uint64_t allowed, bool by_limit = false);
  bool StopAtShortfall();
  // Expect estimates the end of a list in which parsing stopped at element `done` of `all`.
  void Expect(std::uint64_t list_begin, std::uint64_t done, std::uint64_t all);

  Document& document_;
  ParseResult& result_;
  const Limits& limits_;
  Cursor cursor_;
  Place place_;  // the current record, for the fault
  std::uint64_t strings_in_arrays_ = 0;
  const StringRuns& known_;
  std::vector<StringRun>::const_iterator next_known_;
  std::uint64_t skipped_bytes_ = 0;  // in long runs, and in arrays of numbers
};

}  // namespace ggufgate::internal
