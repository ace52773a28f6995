#pragma once

// Effects of filters and methods on text.

#include <cstdint>
#include <string_view>

namespace ggufgate {

// TemplateEffect is the effect of a filter or method, as far as it can produce names.
enum class TemplateEffect : std::uint8_t {
  kText,     // unknown text
  kSame,     // another container of its input
  kPairs,    // a container of pairs of its input
  kPieces,   // cuts text into a list
  kElement,  // one element of its input
  kNumber,   // a number or truth
  kChange,   // changes text: see ChangeOf()
  kPrint,    // its input as text
  kCut,      // trims text
  kReplace,
  kDefault,
  kMap,
  kFormat,
};

[[nodiscard]] TemplateEffect EffectOfFilter(std::string_view name);
[[nodiscard]] TemplateEffect EffectOfMethod(std::string_view name);

// IsMethodOfObject tells whether llama.cpp has a method of this name for objects. IsMethodOfList
// does so for lists.
[[nodiscard]] bool IsMethodOfObject(std::string_view name);
[[nodiscard]] bool IsMethodOfList(std::string_view name);

// MayMultiply tells whether a filter or method may lengthen a text by a factor. This includes
// unknown ones.
[[nodiscard]] bool MayMultiply(std::string_view name);

}  // namespace ggufgate
