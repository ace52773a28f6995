#pragma once

// Results of replacing and formatting text: the result if all of it is known, and its growth.

#include <optional>
#include <string_view>

#include "jinja/values/folding.h"

namespace ggufgate {

// TextAt returns a text argument, or nullopt if it is not certainly a text.
[[nodiscard]] std::optional<std::string_view> TextAt(const TemplateArguments& arguments,
                                                     std::size_t position,
                                                     std::string_view name = {});
// Replaced returns the result of value|replace(arguments), and of the method with that name.
[[nodiscard]] TemplateValue Replaced(const TemplateValue& value, const TemplateArguments& arguments,
                                     TextStore& store);
// Formatted returns value % arguments, or value.format(arguments).
[[nodiscard]] TemplateValue Formatted(bool percent, const TemplateValue& value,
                                      const TemplateArguments& arguments, TextStore& store);

}  // namespace ggufgate
