#pragma once

// The words of contract lines. Not for users of the library.

#include <string_view>
#include <unordered_set>

#include "format/contracts/contract.h"

namespace ggufgate {

// IsList returns whether each element of a list is sound. An empty list has one empty element.
template <typename IsSound>
[[nodiscard]] bool IsList(std::string_view list, char separator, const IsSound& is_sound) {
  while (true) {
    const std::size_t end = list.find(separator);
    if (!is_sound(list.substr(0, end))) return false;
    if (end == std::string_view::npos) return true;
    list.remove_prefix(end + 1);
  }
}

// IsPattern: the name of a tensor. One of the parts between its dots may be "*".
[[nodiscard]] bool IsPattern(std::string_view name);

// HasNumber returns whether a part between dots is a number. The rules compare such lines with
// names that have "*" instead, so the line would have no effect.
[[nodiscard]] bool HasNumber(std::string_view name);

// IsAlternatives: patterns separated by "|".
[[nodiscard]] bool IsAlternatives(std::string_view patterns);

// IsValueOf returns whether each element of a key's value is a number of its kind. The range of the
// type is not checked: the values are only examples.
[[nodiscard]] bool IsValueOf(const ContractKey& key);

// IsShape: the dimensions of a line "shape". A quantity is one of IsShapeQuantity(), or a key of
// the block. Otherwise a mistyped key would allow each shape.
[[nodiscard]] bool IsShape(std::string_view dimensions,
                           const std::unordered_set<std::string_view>& keys);

}  // namespace ggufgate
