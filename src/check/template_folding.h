#pragma once

// Filters and methods over constants: what they make of text that a template spells out.

#include <string_view>
#include <vector>

#include "check/template_values.h"

namespace ggufgate {

struct TemplateArgument {
  std::string_view name;  // empty for a positional one
  TemplateValue value;
  std::size_t at = 0;  // where it begins, in the template
};
using TemplateArguments = std::vector<TemplateArgument>;

// ArgumentAt is the positional argument of this number, or the one named; nullptr without either.
[[nodiscard]] const TemplateValue* ArgumentAt(const TemplateArguments& arguments,
                                              std::size_t position, std::string_view name = {});

// FoldFilter is value|filter(arguments); FoldMethod is value.method(arguments). What is not
// followed leaves the texts as they are, marked inexact.
[[nodiscard]] TemplateValue FoldFilter(std::string_view filter, const TemplateValue& value,
                                       const TemplateArguments& arguments, WorkBudget& budget);
[[nodiscard]] TemplateValue FoldMethod(std::string_view method, const TemplateValue& value,
                                       const TemplateArguments& arguments, WorkBudget& budget);
// FoldPercent is value % operand, and value|format(operands).
[[nodiscard]] TemplateValue FoldPercent(const TemplateValue& value,
                                        const TemplateArguments& arguments, WorkBudget& budget);
// FoldSlice is value[parts], the parts as between the colons; one part is an index.
[[nodiscard]] TemplateValue FoldSlice(const TemplateValue& value, const TemplateArguments& parts,
                                      WorkBudget& budget);

}  // namespace ggufgate
