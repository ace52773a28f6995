#pragma once

// The results of filters and methods, and harmless literals, for CheckTrust(). Not for users of
// the library.

#include <cstdint>
#include <string_view>

#include "jinja/trust/trust.h"

namespace ggufgate {

enum class Makes : std::uint8_t {
  kNumber,   // a number or truth
  kSame,     // the value or one of the arguments
  kElement,  // an element of the value, or one of the arguments
  kRow,      // a container of elements of the value, or of characters of a text
  kPiece,    // a piece of a text: harmless of a conversation, any name of a literal
  kWritten,  // the same of a value written as text
  kMade,     // any text
  kText,     // the same, and it may keep its arguments: all that is not known
};

// Sources: jinja2/filters.py 3.1.6, and Python's str, list and dict.
[[nodiscard]] Makes FilterMakes(std::string_view name);
[[nodiscard]] Makes MethodMakes(std::string_view name);

// LiteralTrust is the trust of a string literal, given with its quotes. One that mentions an
// internal name anywhere, or has an escape besides the usual ones, counts as made.
[[nodiscard]] Trust LiteralTrust(std::string_view literal);

// PieceOf is a piece of a text; WrittenOf is one of a value that is written as text.
[[nodiscard]] Trust PieceOf(Trust trust, std::string_view by);
[[nodiscard]] Trust WrittenOf(Trust trust, std::string_view by);

}  // namespace ggufgate
