#pragma once

// Random models and random lies about them, for the property tests of the rules.

#include <cstdint>
#include <random>
#include <vector>

#include "bytes/byte_range.h"
#include "parse/model.h"

namespace ggufgate::testing {

// RandomSound is a model that breaks no rule of any profile: some keys of every type, some tensors
// of every type, laid out, little-endian.
[[nodiscard]] Model RandomSound(std::mt19937_64& random);

// NumbersOf lists where the counts, lengths, types, dimensions and offsets of a model's file stand:
// every number of 4 or 8 bytes on which the reading of the rest depends.
[[nodiscard]] std::vector<ByteRange> NumbersOf(const Model& model);

// TellALie overwrites one of the numbers with another. `file` is Write(model).
void TellALie(const Model& model, std::vector<std::uint8_t>& file, std::mt19937_64& random);

}  // namespace ggufgate::testing
