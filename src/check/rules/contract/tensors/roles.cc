#include "check/rules/contract/tensors/roles.h"

#include <algorithm>
#include <array>
#include <cstdlib>

namespace ggufgate {
namespace {

constexpr std::array kRoles = {
    Role{"kernel", "F32, F16, BF16 or a quantised type other than Q8_1 and Q8_K", RunsInMatrices},
    // Source: im2col() of ggml-cpu/ops.cpp.
    Role{"convolution", "F32 or F16",
         [](TensorType type) { return type == TensorType::kF32 || type == TensorType::kF16; }},
    Role{"float", "F32", [](TensorType type) { return type == TensorType::kF32; }},
    // The kernel reads floats regardless of the type: only the size must be the same.
    Role{"word", "F32",
         [](TensorType type) { return type == TensorType::kF32 || type == TensorType::kI32; }},
    Role{"any", "any type", [](TensorType /*type*/) { return true; }},
};

}  // namespace

const Role* FindRole(std::string_view word) {
  const auto found = std::ranges::find(kRoles, word, &Role::word);
  return found != kRoles.end() ? &*found : nullptr;
}

const Role& RoleNamed(std::string_view word) {
  const Role* role = FindRole(word);
  if (role == nullptr) std::abort();  // a bug: the lines of a contract were checked
  return *role;
}

const Role& UnmeasuredRole(std::string_view name) {
  const bool vector = name.ends_with(".bias") || name.ends_with("scale") ||
                      name.find("norm") != std::string_view::npos || name.starts_with("rope_");
  return RoleNamed(vector ? "float" : "kernel");
}

}  // namespace ggufgate
