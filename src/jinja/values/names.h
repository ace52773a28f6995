#pragma once

// Names through which a template can reach the Python program that renders it.

#include <cstdint>
#include <string_view>

namespace ggufgate {

// IsDunder is true for `__name__`.
[[nodiscard]] bool IsDunder(std::string_view text);

// IsInternal tells whether an attribute or item of this name may be internal to Python or Jinja. It
// begins with an underscore, unlike the keys of a conversation, or it is known to lead to internal
// objects.
[[nodiscard]] bool IsInternal(std::string_view text);

// ReachesInside tells whether a path of attributes, "a.b,c.d", contains an internal name.
[[nodiscard]] bool ReachesInside(std::string_view path);

// AttributeArgumentOf tells which argument of a filter names an attribute: its position,
// kKeywordOnly for `attribute=` only, or kNone.
enum class AttributeArgument : std::uint8_t { kNone, kFirst, kSecond, kThird, kKeywordOnly, kAll };
[[nodiscard]] AttributeArgument AttributeArgumentOf(std::string_view filter);

// IsEngineFunction tells whether engines define a function of this name for chat templates.
[[nodiscard]] bool IsEngineFunction(std::string_view name);

// IsEngineObject tells whether engines define this name inside loops, macros and blocks.
[[nodiscard]] bool IsEngineObject(std::string_view name);

// AddsTo tells whether a method adds elements to a list.
[[nodiscard]] bool AddsTo(std::string_view method);
// StoresIn tells whether a method puts a value into a container.
[[nodiscard]] bool StoresIn(std::string_view method);
// IsFormat tells whether a method reads the attributes that a pattern names.
[[nodiscard]] bool IsFormat(std::string_view method);

// IsPhrase tells whether a text consists of plain words that a person might say: two or more,
// without mark-up. Control tokens and labels, which published templates search for in a message,
// are not phrases.
[[nodiscard]] bool IsPhrase(std::string_view text);

}  // namespace ggufgate
