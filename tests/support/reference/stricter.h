#pragma once

#include <span>
#include <string>
#include <string_view>

namespace ggufgate::testing {

// Stricter is a rule that refuses files which gguf_init_from_file loads without their data, and why
// we refuse them all the same.
struct Stricter {
  std::string_view rule;
  std::string_view reason;
};

// The rules of profile llama.cpp that are stricter: such files load, but not soundly.
[[nodiscard]] std::span<const Stricter> StricterThanReference();
[[nodiscard]] bool IsStricterThanReference(const std::string& rule);

// The rules that profile gate adds to those: they concern what a file does to others than the
// loader, or to the loader later than gguf_init_from_file.
[[nodiscard]] std::span<const Stricter> StricterInGate();

}  // namespace ggufgate::testing
