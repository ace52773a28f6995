#pragma once

// What replacing and formatting make of text: known where all of it is, and how much longer it
// gets.

#include <optional>
#include <string_view>

#include "jinja/values/folding.h"

namespace ggufgate {

// TextAt is a text argument, or nullopt where it is not known to be a text.
[[nodiscard]] std::optional<std::string_view> TextAt(const TemplateArguments& arguments,
                                                     std::size_t position,
                                                     std::string_view name = {});
// Replaced is value|replace(arguments), and the method of that name.
[[nodiscard]] TemplateValue Replaced(const TemplateValue& value, const TemplateArguments& arguments,
                                     TextStore& store);
// Formatted is value % arguments, or value.format(arguments).
[[nodiscard]] TemplateValue Formatted(bool percent, const TemplateValue& value,
                                      const TemplateArguments& arguments, TextStore& store);

}  // namespace ggufgate
