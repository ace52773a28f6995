#pragma once

// The roles of tensors in a graph. Not for users of the library.

#include <string_view>

#include "format/tensors/tensor_type.h"

namespace ggufgate {

// Role is the requirement of a kernel for the type of a tensor.
struct Role {
  std::string_view word;
  std::string_view runs;  // for people
  bool (*takes)(TensorType type);
};

// FindRole returns the role of a word; nullptr if it is unknown. RoleNamed requires a known word.
[[nodiscard]] const Role* FindRole(std::string_view word);
[[nodiscard]] const Role& RoleNamed(std::string_view word);

}  // namespace ggufgate
