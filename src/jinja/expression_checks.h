#pragma once

// Expressions of a template: reading them, and all that is looked at meanwhile. Not for users of
// the library.

#include <span>
#include <string_view>
#include <vector>

#include "jinja/scope.h"

namespace ggufgate {

// ReadExpression reads tokens as one expression and returns the known part of its value. Tokens
// behind the expression are read as another one. Brackets, calls, filters and operators are kept in
// a vector: nesting costs memory in proportion, never the machine's stack.
[[nodiscard]] TemplateValue ReadExpression(std::span<const JinjaToken> tokens,
                                           TemplateScope& scope);
// ReadArguments reads tokens as the arguments of a call.
[[nodiscard]] TemplateArguments ReadArguments(std::span<const JinjaToken> tokens,
                                              TemplateScope& scope);

// --- names, patterns and comparisons: jinja/expressions/sinks.cc

// CheckTaken looks at the name of a method that is not called where it stands.
void CheckTaken(std::string_view method, const JinjaToken& token, TemplateScope& scope);
// CheckRebound looks at a name that a statement or a macro gives a meaning.
enum class Meaning : std::uint8_t { kVariable, kMacro };
void CheckRebound(std::string_view name, Meaning meaning, TemplateScope& scope);
// CheckName looks at the name of an attribute or item that code asks for.
void CheckName(const TemplateValue& name, const JinjaToken& token, TemplateScope& scope);
// CheckAssembled looks at the result of an operation on `before`, and marks the names that it
// reports: each is one finding, wherever it goes from there.
void CheckAssembled(TemplateValue& made, const std::vector<const TemplateValue*>& before,
                    const JinjaToken& token, TemplateScope& scope);
void CheckLiteral(TemplateValue& literal, const JinjaToken& token, TemplateScope& scope);
void CheckVariableName(const JinjaToken& token, bool called, TemplateScope& scope);
void CheckFilter(const JinjaToken& filter, const TemplateValue& value,
                 const TemplateArguments& arguments, TemplateScope& scope);
// CheckFormat looks at the pattern of a method that formats; CheckPattern at that of `%`.
void CheckFormat(const TemplateValue& pattern, std::string_view method, const JinjaToken& token,
                 TemplateScope& scope);
enum class Formatting : std::uint8_t { kPercent, kBraces };
void CheckPattern(const TemplateValue& pattern, Formatting formatting, const JinjaToken& token,
                  TemplateScope& scope);
// CheckComparison looks at `left operator right`; CheckContentMethod at content.method(argument).
void CheckComparison(const JinjaToken& symbol, const TemplateValue& left,
                     const TemplateValue& right, TemplateScope& scope);
void CheckContentMethod(const JinjaToken& method, const TemplateValue& receiver,
                        const TemplateArguments& arguments, TemplateScope& scope);

// --- the costs of rendering: jinja/expressions/costs.cc

// RangeOf is range(arguments): its rounds only where they are certain.
TemplateValue RangeOf(const JinjaToken& token, const TemplateArguments& arguments,
                      TemplateScope& scope);
void CheckRepeat(const JinjaToken& symbol, const TemplateValue& left, const TemplateValue& right,
                 TemplateScope& scope);
// CheckDivisor looks at the divisor of `%`, `/` and `//`; CheckDivisibleBy at that of the test, on
// which llama.cpp dies; CheckSelection at filters that get a test by its name.
void CheckDivisor(const JinjaToken& symbol, const TemplateValue& left, const TemplateValue& right,
                  TemplateScope& scope);
void CheckDivisibleBy(const TemplateValue& divisor, const JinjaToken& token, TemplateScope& scope);
void CheckSelection(const JinjaToken& filter, const TemplateArguments& arguments,
                    TemplateScope& scope);
// CheckCount looks at widths and counts given to a filter, method or function of a name.
void CheckCount(std::string_view name, const JinjaToken& token, const TemplateArguments& arguments,
                TemplateScope& scope);
// Measure sets the size of the result of a filter or method.
void Measure(std::string_view name, const TemplateValue& value, const TemplateArguments& arguments,
             TemplateValue& made, TemplateScope& scope);
// CheckWidths looks at the widths in a pattern.
void CheckWidths(const TemplateValue& pattern, Formatting formatting, const JinjaToken& token,
                 TemplateScope& scope);
// CheckGrowth looks at the size of a result.
void CheckGrowth(const TemplateValue& made, const JinjaToken& token, TemplateScope& scope);
// ChargeOperands counts the steps of a comparison or search; ChargeSearch, of a method that
// searches.
void ChargeOperands(std::string_view symbol, const TemplateValue& left, const TemplateValue& right,
                    TemplateScope& scope);
void ChargeSearch(std::string_view method, const TemplateValue& text,
                  const TemplateArguments& arguments, TemplateScope& scope);
// ChargeTags charges for what llama.cpp does with the brackets of a text that is written so often:
// it looks for tags in what a template writes at start. Measured on v0.5.0: 27,000 brackets that
// nothing closes take 6 s, 9,000 tags around names 4 s.
void ChargeTags(const TemplateValue& text, std::uint64_t times, TemplateScope& scope);
// ChargeSize counts the steps that a value of its size takes, so many times.
void ChargeSize(const TemplateValue& value, TemplateScope& scope, std::uint64_t times = 1);

}  // namespace ggufgate
