#pragma once

#include <cstdint>

#include "bytes/bytes.h"
#include "format/limits.h"
#include "parse/document.h"

namespace ggufgate {

// ParseResult is a Document, or a request for a longer prefix.
struct ParseResult {
  Document document;
  // Not 0: the prefix ended before the metadata did, and at least this many bytes from the start of
  // the file are needed to go on. Never more than the file has, nor than the limits allow.
  std::uint64_t bytes_needed = 0;
  // A guess at least as large, where the prefix ended in a list of strings or of tensors: where
  // that ends if it goes on as it began, with the tensors behind it. Within the same bounds.
  std::uint64_t bytes_likely = 0;

  [[nodiscard]] bool NeedsMore() const { return bytes_needed != 0; }
};

// Parse reads header, metadata and tensor directory from the first bytes of a file of `file_size`
// bytes. Pure: the same arguments give the same result, and nothing but `prefix` is looked at.
//
// Total: every byte sequence gets a Document with or without a fault, or a request for more bytes.
// Time is linear in prefix.size(). Heap use is at most 15 bytes for each byte of metadata present:
// a MetadataEntry of 56 bytes for a record of at least 13, a TensorInfo of 80 for at least 24, and
// three times that while a vector grows.
//
// The caller grows the prefix geometrically until NeedsMore() is false; a longer prefix never
// changes a result that did not ask for one.
[[nodiscard]] ParseResult Parse(Bytes prefix, std::uint64_t file_size, const Limits& limits);

}  // namespace ggufgate
