#pragma once

#include <span>
#include <string>
#include <string_view>

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

// StricterInGate returns the rules that profile gate adds. They concern the effects of a file on
// programs other than the loader, or on the loader after gguf_init_from_file.
[[nodiscard]] std::span<const Stricter> StricterInGate();

}  // namespace ggufgate::testing
