#pragma once

#include <string>
#include <vector>

namespace ggufgate::testing {

// MutationPage returns the list of all mutations as Markdown, by family. For each it gives the
// effect and the rules that report a lie. If there are several rules, it adds the reason, which is
// the comment above its line in src/mutate/mutations.
[[nodiscard]] std::string MutationPage();

// UnreasonedLies returns the lies that several rules may report and that lack such a comment.
[[nodiscard]] std::vector<std::string> UnreasonedLies();

}  // namespace ggufgate::testing
