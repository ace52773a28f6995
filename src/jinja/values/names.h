#pragma once

// The names by which a template leaves its conversation for the Python that renders it.

#include <cstdint>
#include <string_view>

namespace ggufgate {

// IsDunder is true for `__name__`.
[[nodiscard]] bool IsDunder(std::string_view text);

// IsInternal tells whether an attribute or item of this name may be one of Python's or Jinja's
// inside: it begins with an underscore, as no key of a conversation does, or is known to lead
// there.
[[nodiscard]] bool IsInternal(std::string_view text);

// ReachesInside is true for a path of attributes, "a.b,c.d", with an internal name in it.
[[nodiscard]] bool ReachesInside(std::string_view path);

// AttributeArgument says where a filter takes the name of an attribute: the position among its
// arguments, kKeywordOnly where only `attribute=` does, nothing for filters that take none.
enum class AttributeArgument : std::uint8_t { kNone, kFirst, kSecond, kThird, kKeywordOnly, kAll };
[[nodiscard]] AttributeArgument AttributeArgumentOf(std::string_view filter);

// IsEngineFunction is true of the functions that engines give a chat template.
[[nodiscard]] bool IsEngineFunction(std::string_view name);

// IsEngineObject is true of the names that an engine binds inside loops, macros and blocks.
[[nodiscard]] bool IsEngineObject(std::string_view name);

// AddsTo is true of the methods that add elements to a list.
[[nodiscard]] bool AddsTo(std::string_view method);
// StoresIn is true of the methods that put something into a container.
[[nodiscard]] bool StoresIn(std::string_view method);
// IsFormat is true of the methods that read the attributes which a pattern names.
[[nodiscard]] bool IsFormat(std::string_view method);

// IsPhrase is true for plain words a person might say: two or more, without mark-up. The control
// tokens and labels that honest templates look for in a message are none.
[[nodiscard]] bool IsPhrase(std::string_view text);

}  // namespace ggufgate
