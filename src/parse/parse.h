#pragma once

#include <cstdint>
#include <vector>

#include "bytes/bytes.h"
#include "format/limits.h"
#include "parse/document.h"
#include "parse/string_runs.h"

namespace ggufgate {

// ParseResult is a Document, or a request for a longer prefix.
struct ParseResult {
  Document document;
  // If not 0: the prefix ended before the metadata, and parsing needs at least this many bytes from
  // the start of the file. Never more than the size of the file or the limits.
  std::uint64_t bytes_needed = 0;
  // An estimate, at least as large. If the prefix ended in a list of strings or tensors, it assumes
  // that the list continues with the same sizes, and adds the tensors after it. It has the same
  // upper bounds.
  std::uint64_t bytes_likely = 0;
  // If bytes_needed is not 0: the long runs of strings, and the number of bytes that a parse which
  // skips these runs reads again.
  std::vector<StringRun> runs;
  std::uint64_t bytes_again = 0;

  [[nodiscard]] bool NeedsMore() const { return bytes_needed != 0; }
};

// Parse reads header, metadata and tensor directory from the first bytes of a file of `file_size`
// bytes. It is pure: the result depends only on the arguments, and it reads only `prefix`.
//
// It is total: every byte sequence gives a Document with or without a fault, or a request for more
// bytes. Time is linear in prefix.size(). It allocates at most 15 bytes per byte of metadata in the
// prefix: a MetadataEntry of 56 bytes for a record of at least 13, a TensorInfo of 80 for at least
// 24, and three times that while a vector grows.
//
// The caller grows the prefix until NeedsMore() is false: geometrically, or by a multiple of
// bytes_again. A longer prefix changes only results that requested one.
//
// `known` has the runs of a shorter prefix, which must be the start of this one, with the same
// limits. They change the time, and which offsets some_lengths has, but nothing else.
[[nodiscard]] ParseResult Parse(Bytes prefix, std::uint64_t file_size, const Limits& limits,
                                const StringRuns& known = {});

}  // namespace ggufgate
