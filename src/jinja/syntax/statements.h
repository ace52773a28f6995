#pragma once

// Facts about a statement that need no parse of its expressions. Internal to this module.

#include <span>
#include <string_view>
#include <vector>

#include "jinja/syntax/tokens.h"

namespace ggufgate {

using JinjaTokens = std::span<const JinjaToken>;

[[nodiscard]] bool OpensBracket(const JinjaToken& token);
[[nodiscard]] bool ClosesBracket(const JinjaToken& token);
// AssignmentIn returns the index of the `=` of `set a, b = …`, or the number of tokens.
[[nodiscard]] std::size_t AssignmentIn(JinjaTokens tokens);
// IsAlwaysTrue tells whether a condition is the literal true.
[[nodiscard]] bool IsAlwaysTrue(JinjaTokens tokens);
// HasChoice tells whether a part of an expression may not be evaluated.
[[nodiscard]] bool HasChoice(JinjaTokens tokens);
// AsksForOther tells whether a condition requires a message that is not a user's: `message.role ==
// 'tool' and …`.
[[nodiscard]] bool AsksForOther(JinjaTokens tokens);
// ClosingOf returns the index of the bracket that closes the first token, or the number of tokens.
[[nodiscard]] std::size_t ClosingOf(JinjaTokens tokens);
// ParametersIn returns the names in a signature, which includes its brackets.
[[nodiscard]] std::vector<std::string_view> ParametersIn(JinjaTokens tokens);
// AreTargets tells whether the tokens are only names and fields, with commas and brackets: `a`,
// `ns.b`, `(a, b)`.
[[nodiscard]] bool AreTargets(JinjaTokens tokens);
// TargetsIn returns the names that a loop or assignment sets, each with its field: `a`, `ns.b`.
[[nodiscard]] std::vector<JinjaTokens> TargetsIn(JinjaTokens tokens);

}  // namespace ggufgate
