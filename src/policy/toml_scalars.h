#pragma once

// Numbers, booleans and dates of TOML. Internal to this module.

#include <cstdint>
#include <optional>

#include "policy/toml.h"
#include "policy/toml_cursor.h"

namespace ggufgate::internal {

struct TomlScalar {
  TomlValue::Kind kind = TomlValue::Kind::kBoolean;
  std::int64_t integer = 0;
};

// ReadTomlScalar reads a value that does not begin with a quote or a bracket. It does not keep the
// value of a float, a boolean or a date, because no key of a policy has one.
[[nodiscard]] std::optional<TomlScalar> ReadTomlScalar(TomlCursor& in);

}  // namespace ggufgate::internal
