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

// UnmeasuredRole returns the role of a tensor that the loader looks up, but no form reads. Kernels
// read vectors as floats everywhere. No kernel for products accepts more types than "kernel".
[[nodiscard]] const Role& UnmeasuredRole(std::string_view name);

}  // namespace ggufgate
