#pragma once

// Parses expressions of a template, and checks them at the same time. Internal to this module.

#include <span>
#include <string_view>
#include <vector>

#include "jinja/scope.h"

namespace ggufgate {

// ReadExpression reads tokens as one expression and returns the known part of its value. It reads
// tokens after the expression as another one. Brackets, calls, filters and operators are kept in a
// vector: nesting takes memory in proportion, but no machine stack.
[[nodiscard]] TemplateValue ReadExpression(std::span<const JinjaToken> tokens,
                                           TemplateScope& scope);
// ReadArguments reads tokens as the arguments of a call.
[[nodiscard]] TemplateArguments ReadArguments(std::span<const JinjaToken> tokens,
                                              TemplateScope& scope);

// --- names, patterns and comparisons: jinja/expressions/sinks.cc

// CheckTaken checks the name of a method that is not called directly.
void CheckTaken(std::string_view method, const JinjaToken& token, TemplateScope& scope);
// CheckRebound checks a name that a statement or a macro defines.
enum class Meaning : std::uint8_t { kVariable, kMacro };
void CheckRebound(std::string_view name, Meaning meaning, TemplateScope& scope);
// CheckName checks the name of an attribute or item that code reads.
void CheckName(const TemplateValue& name, const JinjaToken& token, TemplateScope& scope);
// CheckAssembled checks the result of an operation on `before`. It marks the names that it reports,
// so that each is one finding, even if it is used several times.
void CheckAssembled(TemplateValue& made, const std::vector<const TemplateValue*>& before,
                    const JinjaToken& token, TemplateScope& scope);
void CheckLiteral(TemplateValue& literal, const JinjaToken& token, TemplateScope& scope);
void CheckVariableName(const JinjaToken& token, bool called, TemplateScope& scope);
void CheckFilter(const JinjaToken& filter, const TemplateValue& value,
                 const TemplateArguments& arguments, TemplateScope& scope);
// CheckFormat checks the pattern of a formatting method. CheckPattern checks the pattern of `%`.
void CheckFormat(const TemplateValue& pattern, std::string_view method, const JinjaToken& token,
                 TemplateScope& scope);
enum class Formatting : std::uint8_t { kPercent, kBraces };
void CheckPattern(const TemplateValue& pattern, Formatting formatting, const JinjaToken& token,
                  TemplateScope& scope);
// CheckComparison checks `left operator right`. CheckContentMethod checks content.method(argument).
void CheckComparison(const JinjaToken& symbol, const TemplateValue& left,
                     const TemplateValue& right, TemplateScope& scope);
void CheckContentMethod(const JinjaToken& method, const TemplateValue& receiver,
                        const TemplateArguments& arguments, TemplateScope& scope);

// --- the time and memory of rendering: jinja/expressions/resource_use.cc

// RangeOf returns range(arguments), with the number of its rounds only if that is certain.
TemplateValue RangeOf(const JinjaToken& token, const TemplateArguments& arguments,
                      TemplateScope& scope);
void CheckRepeat(const JinjaToken& symbol, const TemplateValue& left, const TemplateValue& right,
                 TemplateScope& scope);
// CheckDivisor checks the divisor of `%`, `/` and `//`. CheckDivisibleBy checks the divisor of that
// test, which can crash llama.cpp. CheckSelection checks filters that take the name of a test.
void CheckDivisor(const JinjaToken& symbol, const TemplateValue& left, const TemplateValue& right,
                  TemplateScope& scope);
void CheckDivisibleBy(const TemplateValue& divisor, const JinjaToken& token, TemplateScope& scope);
void CheckSelection(const JinjaToken& filter, const TemplateArguments& arguments,
                    TemplateScope& scope);
// CheckCount checks the widths and counts that are passed to the filter, method or function `name`.
void CheckCount(std::string_view name, const JinjaToken& token, const TemplateArguments& arguments,
                TemplateScope& scope);
// Measure sets the size of the result of a filter or method.
void Measure(std::string_view name, const TemplateValue& value, const TemplateArguments& arguments,
             TemplateValue& made, TemplateScope& scope);
// CheckWidths checks the widths in a pattern.
void CheckWidths(const TemplateValue& pattern, Formatting formatting, const JinjaToken& token,
                 TemplateScope& scope);
// CheckGrowth checks the size of a result.
void CheckGrowth(const TemplateValue& made, const JinjaToken& token, TemplateScope& scope);
// ChargeOperands counts the steps of a comparison or search. ChargeSearch counts those of a method
// that searches.
void ChargeOperands(std::string_view symbol, const TemplateValue& left, const TemplateValue& right,
                    TemplateScope& scope);
void ChargeSearch(std::string_view method, const TemplateValue& text,
                  const TemplateArguments& arguments, TemplateScope& scope);
// ChargeTags charges for llama.cpp's search for tags in the output of a template at start, for a
// text that is written `times` times. Measured on v0.5.0: 27,000 brackets that are never closed
// take 6 s, 9,000 tags around names 4 s.
void ChargeTags(const TemplateValue& text, std::uint64_t times, TemplateScope& scope);
// ChargeSize counts the steps for a value of its size, `times` times.
void ChargeSize(const TemplateValue& value, TemplateScope& scope, std::uint64_t times = 1);

}  // namespace ggufgate
