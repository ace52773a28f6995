#pragma once

// Results of filters and methods, and harmless literals, for CheckTrust(). Internal to this module.

#include <cstdint>
#include <string_view>

#include "jinja/trust/trust.h"

namespace ggufgate {

enum class Makes : std::uint8_t {
  kNumber,   // a number or truth
  kSame,     // the value, or one of the arguments
  kElement,  // an element of the value, or one of the arguments
  kRow,      // a container of elements of the value, or of characters of a text
  // A piece of a text: harmless for a text of the conversation; for a literal, it may be any name.
  kPiece,
  kWritten,  // like kPiece, for a value that is converted to text
  kMade,     // any text
  // Like kMade, and it may keep its arguments: the kind of all unknown functions.
  kText,
};

// Sources: jinja2/filters.py 3.1.6, and Python's str, list and dict.
[[nodiscard]] Makes FilterMakes(std::string_view name);
[[nodiscard]] Makes MethodMakes(std::string_view name);

// LiteralTrust returns the trust of a string literal, which includes its quotes. A literal that
// contains an internal name, or an unusual escape, counts as made by the template.
[[nodiscard]] Trust LiteralTrust(std::string_view literal);

// PieceOf returns a piece of a text. WrittenOf returns a piece of a value that is converted to
// text.
[[nodiscard]] Trust PieceOf(Trust trust, std::string_view by);
[[nodiscard]] Trust WrittenOf(Trust trust, std::string_view by);

}  // namespace ggufgate
