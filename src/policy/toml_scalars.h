#pragma once

// Numbers, booleans and dates of TOML. Not for users of the library.

#include <cstdint>
#include <optional>

#include "policy/toml.h"
#include "policy/toml_cursor.h"

namespace ggufgate::internal {

struct TomlScalar {
  TomlValue::Kind kind = TomlValue::Kind::kBoolean;
  std::int64_t integer = 0;
};

// ReadTomlScalar reads a value that begins with no quote and no bracket. What a float, a boolean or
// a date is worth is not kept: no key of a policy has one.
[[nodiscard]] std::optional<TomlScalar> ReadTomlScalar(TomlCursor& in);

}  // namespace ggufgate::internal
