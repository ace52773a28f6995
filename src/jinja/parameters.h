#pragma once

// Parameters of macros that are separate variables. Internal to this module.

#include <string_view>
#include <vector>

#include "jinja/syntax/tokens.h"

namespace ggufgate {

// Maximum number of parameters of one macro that are treated as separate variables.
inline constexpr std::size_t kMostParameters = 64;

// OwnParameter is a parameter that only the code of its macro can read: a separate variable.
struct OwnParameter {
  std::string_view macro;
  std::string_view name;
};

// OwnParametersIn lists the parameters of a template that no code can mistake for a variable of the
// same name, sorted. In llama.cpp, a macro sees the variables of its caller. So a name is excluded
// if code of another macro, of a block or of a call block uses it. It is also excluded if an
// argument of a call has that name, if the default of a parameter uses it, or if two macros have
// the name of its macro. `span` is memory that the caller reuses.
[[nodiscard]] std::vector<OwnParameter> OwnParametersIn(std::string_view text, JinjaSpan& span);

}  // namespace ggufgate
