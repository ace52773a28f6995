#pragma once

// Broken copies of valid files, for comparing two checkers many times.

#include <cstdint>
#include <string>
#include <vector>

#include "parse/model.h"
#include "tests/support/reference/models.h"

namespace ggufgate::testing {

// Mutant is a file and the change that was made to it.
struct Mutant {
  std::string what;
  std::vector<std::uint8_t> file;
};
using Mutants = std::vector<Mutant>;

// FieldLies sets every count, length, type, dimension and offset of a valid file to numbers that
// loaders have mishandled, one field per copy. For arrays with many strings it uses the first and
// last lengths.
[[nodiscard]] Mutants FieldLies(Bytes file);

// Truncations cuts a file after every byte up to the data, and at some offsets in the data.
[[nodiscard]] Mutants Truncations(Bytes file);

// ByteFlips changes one to four bytes or bits at any offset before `limit`.
[[nodiscard]] Mutants ByteFlips(Bytes file, std::uint64_t limit, std::size_t count, Random& random);

// Edits changes a model in one to three ways that keep most of it valid: entries and tensors
// swapped, doubled and dropped, NUL and unusual bytes in names, alignments, zero dimensions, shapes
// that overflow, missing padding.
[[nodiscard]] Mutants Edits(const Model& model, std::size_t count, Random& random);

}  // namespace ggufgate::testing
