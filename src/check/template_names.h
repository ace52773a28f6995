#pragma once

// The names by which a template leaves its conversation for the Python that renders it.

#include <cstdint>
#include <string_view>

namespace ggufgate {

// IsDunder is true for `__name__`.
[[nodiscard]] bool IsDunder(std::string_view text);

// IsInternal tells whether an attribute or item of this name is one of Python's or Jinja's inside.
// A hole in the text (see jinja_strings.h) stands for what only a conversation brings.
[[nodiscard]] bool IsInternal(std::string_view text);

// AttributeArgument says where a filter takes the name of an attribute: the position among its
// arguments, kKeywordOnly where only `attribute=` does, nothing for filters that take none.
enum class AttributeArgument : std::uint8_t { kNone, kFirst, kSecond, kThird, kKeywordOnly, kAll };
[[nodiscard]] AttributeArgument AttributeArgumentOf(std::string_view filter);

// IsPhrase is true for plain words a person might say: two or more, without mark-up. The control
// tokens and labels that honest templates look for in a message are none.
[[nodiscard]] bool IsPhrase(std::string_view text);

}  // namespace ggufgate
