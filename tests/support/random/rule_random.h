#pragma once

// Random models and random changes to them, for the property tests of the rules.

#include <cstdint>
#include <random>
#include <vector>

#include "bytes/byte_range.h"
#include "parse/model.h"

namespace ggufgate::testing {

// RandomSound returns a model that breaks no rule of any profile: some keys of every type, some
// tensors of every type, laid out, little-endian.
[[nodiscard]] Model RandomSound(std::mt19937_64& random);

// NumbersOf lists the ranges of the counts, lengths, types, dimensions and offsets in a model's
// file: every number of 4 or 8 bytes that affects how the rest is parsed.
[[nodiscard]] std::vector<ByteRange> NumbersOf(const Model& model);

// TellALie overwrites one of the numbers. `file` is Write(model).
void TellALie(const Model& model, std::vector<std::uint8_t>& file, std::mt19937_64& random);

}  // namespace ggufgate::testing
