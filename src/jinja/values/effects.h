#pragma once

// Which filters and methods do what to text.

#include <cstdint>
#include <string_view>

namespace ggufgate {

// Effect is what a filter or method of a name does, as far as names may come of it.
enum class TemplateEffect : std::uint8_t {
  kText,     // text that is not known
  kSame,     // another container of what it gets
  kPairs,    // a container of pairs of it
  kPieces,   // cuts text into a list
  kElement,  // one element of what it gets
  kNumber,   // a number or truth
  kChange,   // changes text: see ChangeOf()
  kPrint,    // text of whatever it gets
  kCut,      // trims text
  kReplace,
  kDefault,
  kMap,
  kFormat,
};

[[nodiscard]] TemplateEffect EffectOfFilter(std::string_view name);
[[nodiscard]] TemplateEffect EffectOfMethod(std::string_view name);

// IsMethodOfObject is true of llama.cpp's methods of objects, IsMethodOfList of those of lists.
[[nodiscard]] bool IsMethodOfObject(std::string_view name);
[[nodiscard]] bool IsMethodOfList(std::string_view name);

// MayMultiply is true of what may make a text longer by a factor, and of what is not known.
[[nodiscard]] bool MayMultiply(std::string_view name);

}  // namespace ggufgate
