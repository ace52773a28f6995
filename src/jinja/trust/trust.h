#pragma once

// Finds out which values of a template may be used as names. This analysis runs after that of
// jinja/reader.h and is stricter: text counts as made by the template unless it certainly comes
// from elsewhere. Internal to this module.
//
// The analysis of values (jinja/reader.h) computes texts and rejects harmful ones. This one
// computes nothing. Numbers, literals as written, and unchanged data of the conversation may be
// names. A sum, a slice of a literal, or the result of an unknown method or filter may not. It
// ignores branches, order and scopes: a name is one variable in the whole template.

#include <cstdint>
#include <string_view>
#include <vector>

#include "jinja/syntax/tokens.h"
#include "jinja/template.h"

namespace ggufgate {

// Trust lists the possible sources of the texts in a value.
struct Trust {
  bool literal = false;        // a text that the template spells out
  bool holds_literal = false;  // a container with such texts
  bool data = false;           // from the conversation
  bool holds_data = false;     // a container of the template with such values
  bool object = false;         // is, or is in, a container that the template made
  bool format = false;         // the method format of a text, used as a value
  bool stores = false;         // a method that stores, used as a value
  bool written = false;        // text of any value, such as the address of a method
  std::string_view made = {};  // the operation that made text; empty if none did

  [[nodiscard]] bool IsNothing() const;
  // Add returns true if the value changes.
  bool Add(const Trust& more);
};

// ElementOf returns an element of a container, at any depth. HeldBy returns a container of the
// value.
[[nodiscard]] Trust ElementOf(Trust container);
[[nodiscard]] Trust HeldBy(Trust value);

// CheckTrust adds to `remarks` each name and each format pattern that the template may have made.
// It skips tags for which `remarks`, sorted by offset, already has an error. It returns the number
// of tokens read: at most kTrustReadings + 2 times those of the text. `span` holds the tokens of
// one tag at a time, and its memory is reused.
std::uint64_t CheckTrust(std::string_view text, JinjaSpan& span,
                         std::vector<TemplateRemark>& remarks);

// Number of readings after which every variable counts as made by the template. Of 378 published
// templates, none needs more than five.
inline constexpr int kTrustReadings = 8;

}  // namespace ggufgate
