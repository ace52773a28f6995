#pragma once

// Random numbers, names and values. compose.h encodes the values. Results in the arena are empty if
// it is full.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "format/key.h"
#include "format/value_type.h"
#include "mutate/build/mutation_context.h"

namespace ggufgate::mutate {

// BoundaryNumber returns a limit of a type, a loader or a product, or a number next to one.
[[nodiscard]] std::uint64_t BoundaryNumber(Random& random);
// FileNumber returns a size, offset or count of this file, or a number next to one.
[[nodiscard]] std::uint64_t FileNumber(MutationContext& context);
// FloatBits returns the bits of a NaN, an infinity, a denormal or another float at a boundary;
// `size` is 4 or 8.
[[nodiscard]] std::uint64_t FloatBits(Random& random, std::size_t size);
// AnyScalarType returns one of the eleven scalar types.
[[nodiscard]] ValueType AnyScalarType(Random& random);

// DrawWord returns `size` lower-case letters.
[[nodiscard]] std::string_view DrawWord(MutationContext& context, std::size_t size);
// DrawKey returns a new key in the style of known keys.
[[nodiscard]] std::string_view DrawKey(MutationContext& context);
// KnownKeyFor returns the key of a line of keys.def. It replaces "{arch}" with the draft's
// architecture.
[[nodiscard]] std::string_view KnownKeyFor(MutationContext& context, const KeyInfo& info);
// FreshName returns a name that no record has: `size` (at least 20) lower-case letters and dots. No
// reader knows it.
[[nodiscard]] std::string_view FreshName(MutationContext& context, std::size_t size = 20);
// Spliced inserts a part into a text at a random position.
[[nodiscard]] std::string_view Spliced(MutationContext& context, std::string_view text,
                                       std::string_view part);

// DrawScalar returns a number or bool: random, at a boundary, or related to the file.
[[nodiscard]] Bytes DrawScalar(MutationContext& context, ValueType type);
// DrawString returns a string of `size` lower-case letters.
[[nodiscard]] Bytes DrawString(MutationContext& context, std::size_t size);
// DrawArray returns an array of scalars or short strings.
[[nodiscard]] Bytes DrawArray(MutationContext& context, ValueType element, std::size_t count);
// DrawShape returns an entry without key, with a value of a known key's shape.
[[nodiscard]] Entry DrawShape(MutationContext& context, KeyShape shape);

}  // namespace ggufgate::mutate
