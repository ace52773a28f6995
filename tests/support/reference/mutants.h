#pragma once

// Broken copies of sound files, for asking two judges the same question many times.

#include <cstdint>
#include <string>
#include <vector>

#include "parse/model.h"
#include "tests/support/reference/models.h"

namespace ggufgate::testing {

// Mutant is a file and what was done to it.
struct Mutant {
  std::string what;
  std::vector<std::uint8_t> file;
};
using Mutants = std::vector<Mutant>;

// FieldLies sets every count, length, type, dimension and offset of a file that parses to numbers
// that loaders have tripped over, one field in one copy. Of arrays with many strings the first and
// last lengths are taken.
[[nodiscard]] Mutants FieldLies(Bytes file);

// Truncations cuts a file behind every byte up to the data, and at some places in the data.
[[nodiscard]] Mutants Truncations(Bytes file);

// ByteFlips changes one to four bytes or bits anywhere before `limit`.
[[nodiscard]] Mutants ByteFlips(Bytes file, std::uint64_t limit, std::size_t count, Random& random);

// Edits changes a model in one to three ways that keep most of it in order: entries and tensors
// swapped, doubled and dropped, NUL and odd bytes in names, alignments, zero dimensions, shapes
// that wrap, missing padding.
[[nodiscard]] Mutants Edits(const Model& model, std::size_t count, Random& random);

}  // namespace ggufgate::testing
