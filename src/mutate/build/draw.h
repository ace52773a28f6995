#pragma once

// Numbers, names and values drawn at random. Values are made as compose.h makes them; what is made
// in the arena is empty when that is used up.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "format/key.h"
#include "format/value_type.h"
#include "mutate/build/mutation_context.h"

namespace ggufgate::mutate {

// BoundaryNumber is one at which a type, a limit of a loader or a product ends, or one beside it.
[[nodiscard]] std::uint64_t BoundaryNumber(Random& random);
// FileNumber is a size, place or count of this very file, or one beside it.
[[nodiscard]] std::uint64_t FileNumber(MutationContext& context);
// FloatBits are the bits of a NaN, an infinity, a denormal or another float at a boundary; `size`
// is 4 or 8.
[[nodiscard]] std::uint64_t FloatBits(Random& random, std::size_t size);
// AnyScalarType is one of the eleven.
[[nodiscard]] ValueType AnyScalarType(Random& random);

// DrawWord gives `size` lower-case letters.
[[nodiscard]] std::string_view DrawWord(MutationContext& context, std::size_t size);
// DrawKey gives a new key in the style of those there are.
[[nodiscard]] std::string_view DrawKey(MutationContext& context);
// KnownKeyFor gives the key of a line of keys.def; "{arch}" is what the draft says.
[[nodiscard]] std::string_view KnownKeyFor(MutationContext& context, const KeyInfo& info);
// FreshName is a name that no record has, of `size` (20 or more) lower-case letters and dots that
// mean nothing to anybody.
[[nodiscard]] std::string_view FreshName(MutationContext& context, std::size_t size = 20);
// Spliced is a text with a part put in anywhere.
[[nodiscard]] std::string_view Spliced(MutationContext& context, std::string_view text,
                                       std::string_view part);

// DrawScalar gives a number or bool: random, at a boundary or tied to the file.
[[nodiscard]] Bytes DrawScalar(MutationContext& context, ValueType type);
// DrawString gives a string of `size` lower-case letters.
[[nodiscard]] Bytes DrawString(MutationContext& context, std::size_t size);
// DrawArray gives an array of scalars or short strings.
[[nodiscard]] Bytes DrawArray(MutationContext& context, ValueType element, std::size_t count);
// DrawShape gives a value such as loaders expect of a known key, in an entry that has no key yet.
[[nodiscard]] Entry DrawShape(MutationContext& context, KeyShape shape);

}  // namespace ggufgate::mutate
