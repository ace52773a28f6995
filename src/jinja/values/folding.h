#pragma once

// Filters and methods: what they make of what is known.

#include <string_view>
#include <vector>

#include "jinja/values/values.h"

namespace ggufgate {

struct TemplateArgument {
  std::string_view name;  // empty for a positional one; "*" or "**" for what is spread
  TemplateValue value;
  std::size_t at = 0;  // where it begins, in the template
};
using TemplateArguments = std::vector<TemplateArgument>;

// ArgumentAt is the positional argument of this number, or the one named; nullptr without either.
[[nodiscard]] const TemplateValue* ArgumentAt(const TemplateArguments& arguments,
                                              std::size_t position, std::string_view name = {});

// FoldFilter is value|filter(arguments); FoldMethod is value.method(arguments). What is not
// followed makes text that is not known.
[[nodiscard]] TemplateValue FoldFilter(std::string_view filter, const TemplateValue& value,
                                       const TemplateArguments& arguments, TextStore& store);
[[nodiscard]] TemplateValue FoldMethod(std::string_view method, const TemplateValue& value,
                                       const TemplateArguments& arguments, TextStore& store);
// FoldPercent is value % operand, and value|format(operands).
[[nodiscard]] TemplateValue FoldPercent(const TemplateValue& value,
                                        const TemplateArguments& arguments, TextStore& store);
// FoldSlice is value[parts], the parts as between the colons; one part is an index.
[[nodiscard]] TemplateValue FoldSlice(const TemplateValue& value, const TemplateArguments& parts,
                                      TextStore& store);
// FoldUnknown is what a function makes of arguments that is not known.
[[nodiscard]] TemplateValue FoldUnknown(std::string_view function, TemplateValue value,
                                        const TemplateArguments& arguments);

}  // namespace ggufgate
