#pragma once

// Results of filters and methods, as far as they are known.

#include <string_view>
#include <vector>

#include "jinja/values/values.h"

namespace ggufgate {

struct TemplateArgument {
  std::string_view name;  // empty for a positional one; "*" or "**" for spread arguments
  TemplateValue value;
  std::size_t at = 0;  // its offset in the template
};
using TemplateArguments = std::vector<TemplateArgument>;

// ArgumentAt returns the positional argument of this number, or the named argument, or nullptr.
[[nodiscard]] const TemplateValue* ArgumentAt(const TemplateArguments& arguments,
                                              std::size_t position, std::string_view name = {});

// FoldFilter returns value|filter(arguments). FoldMethod returns value.method(arguments). If they
// do not follow an operation, the result is unknown text.
[[nodiscard]] TemplateValue FoldFilter(std::string_view filter, const TemplateValue& value,
                                       const TemplateArguments& arguments, TextStore& store);
[[nodiscard]] TemplateValue FoldMethod(std::string_view method, const TemplateValue& value,
                                       const TemplateArguments& arguments, TextStore& store);
// FoldPercent returns value % operand, and value|format(operands).
[[nodiscard]] TemplateValue FoldPercent(const TemplateValue& value,
                                        const TemplateArguments& arguments, TextStore& store);
// FoldSlice returns value[parts]. The parts are those between the colons; a single part is an
// index.
[[nodiscard]] TemplateValue FoldSlice(const TemplateValue& value, const TemplateArguments& parts,
                                      TextStore& store);
// FoldUnknown returns the unknown result of a function for these arguments.
[[nodiscard]] TemplateValue FoldUnknown(std::string_view function, TemplateValue value,
                                        const TemplateArguments& arguments);

}  // namespace ggufgate
