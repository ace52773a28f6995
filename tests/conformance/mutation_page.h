#pragma once

#include <string>
#include <vector>

namespace ggufgate::testing {

// MutationPage is the list of all mutations as Markdown: by family, with what each does, the rules
// that answer a lie, and where there are several the reason, which is the comment above its line in
// src/mutate/mutations.
[[nodiscard]] std::string MutationPage();

// UnreasonedLies are the lies that several rules may answer and that have no such comment.
[[nodiscard]] std::vector<std::string> UnreasonedLies();

}  // namespace ggufgate::testing
