#pragma once

#include <span>
#include <string>
#include <string_view>

#include "check/rule.h"

namespace ggufgate::testing {

// Stricter is a rule that rejects files that gguf_init_from_file loads without their data, with the
// reason for the rejection.
struct Stricter {
  std::string_view rule;
  std::string_view reason;
};

// StricterThanReference returns the rules of profile llama.cpp that are stricter: such files load,
// but are not valid.
[[nodiscard]] std::span<const Stricter> StricterThanReference();
[[nodiscard]] bool IsStricterThanReference(const std::string& rule);

// IsStricterInGate is true of the rules that profile gate adds: rules.def gives them a higher
// severity there. They concern the effects of a file on programs other than the loader, or on the
// loader after gguf_init_from_file.
[[nodiscard]] bool IsStricterInGate(const Rule& rule);

}  // namespace ggufgate::testing
