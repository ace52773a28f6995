#pragma once

// Which values of a template may be used as names. This reader runs after the reader of values and
// is stricter: text counts as made by the template unless it is seen to be something else.
// Not for users of the library.
//
// The reader of values (jinja/reader.h) works out texts and rejects harmful ones. This one works
// out nothing. Numbers, literals as they are written, and data of the conversation as it came may
// be names. A sum, a slice of a literal, the result of an unknown method or filter may not. No
// branch, no order and no scope is looked at: a name is one thing in the whole template.

#include <cstdint>
#include <string_view>
#include <vector>

#include "jinja/syntax/tokens.h"
#include "jinja/template.h"

namespace ggufgate {

// Trust lists the sources that the texts in a value may have.
struct Trust {
  bool literal = false;        // a text that the template spells out
  bool holds_literal = false;  // a container with such texts
  bool data = false;           // brought by the conversation
  bool holds_data = false;     // a container of the template with such values
  bool object = false;         // is, or is in, a container that the template made
  bool format = false;         // the method format of a text, as a value
  bool stores = false;         // a method that stores, as a value
  bool written = false;        // text of any value, such as the address of a method
  std::string_view made = {};  // what put text together; empty where nothing did

  [[nodiscard]] bool IsNothing() const;
  // Add is true where the value becomes more than it was.
  bool Add(const Trust& more);
};

// ElementOf is an element of a container, at any depth; HeldBy is a container of the value.
[[nodiscard]] Trust ElementOf(Trust container);
[[nodiscard]] Trust HeldBy(Trust value);

// CheckTrust adds to `remarks` each name and each pattern of a format that the template may have
// put together, except in tags about which `remarks`, sorted by place, has an error already.
// Returns the number of tokens read: at most kTrustReadings + 2 times those of the text.
// The tokens of one tag after the other are in `span`, whose memory is used again.
std::uint64_t CheckTrust(std::string_view text, JinjaSpan& span,
                         std::vector<TemplateRemark>& remarks);

// Readings after which every variable counts as made. Of 378 published templates none needs more
// than five.
inline constexpr int kTrustReadings = 8;

}  // namespace ggufgate
