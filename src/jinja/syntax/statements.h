#pragma once

// What the tokens of a statement tell without being read as an expression. Not for users of the
// library.

#include <span>
#include <string_view>
#include <vector>

#include "jinja/syntax/tokens.h"

namespace ggufgate {

using JinjaTokens = std::span<const JinjaToken>;

[[nodiscard]] bool OpensBracket(const JinjaToken& token);
[[nodiscard]] bool ClosesBracket(const JinjaToken& token);
// AssignmentIn is the place of the `=` of `set a, b = …`, or the number of tokens.
[[nodiscard]] std::size_t AssignmentIn(JinjaTokens tokens);
// IsAlwaysTrue is true for a condition that is spelled out as true.
[[nodiscard]] bool IsAlwaysTrue(JinjaTokens tokens);
// HasChoice is true where part of an expression may not be reached.
[[nodiscard]] bool HasChoice(JinjaTokens tokens);
// AsksForOther is true for a condition that holds only for a message of somebody who is no user:
// `message.role == 'tool' and …`.
[[nodiscard]] bool AsksForOther(JinjaTokens tokens);
// ClosingOf is the place of the bracket that closes the first token, or the number of tokens.
[[nodiscard]] std::size_t ClosingOf(JinjaTokens tokens);
// ParametersIn are the names in a signature, given with its brackets.
[[nodiscard]] std::vector<std::string_view> ParametersIn(JinjaTokens tokens);
// AreTargets is true of names and fields alone, with commas and brackets: `a`, `ns.b`, `(a, b)`.
[[nodiscard]] bool AreTargets(JinjaTokens tokens);
// TargetsIn are the names that a loop or assignment sets, each with its field: `a`, `ns.b`.
[[nodiscard]] std::vector<JinjaTokens> TargetsIn(JinjaTokens tokens);

}  // namespace ggufgate
