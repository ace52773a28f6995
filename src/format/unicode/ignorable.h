#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace ggufgate {

// kByteOrderMark is U+FEFF, which some readers drop at the beginning of a text.
inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// Ignorable is a character that is not seen: it has the property Default_Ignorable_Code_Point
// or Bidi_Control, whose characters all have the other too (bytes/character_kind.h).
struct Ignorable {
  std::size_t position = 0;  // in bytes
  std::size_t size = 0;      // in bytes
  char32_t code = 0;
};

// FindIgnorable gives the first of a text; nullopt where there is none. In a text that is not UTF-8
// it sees only a byte order mark at the beginning, which readers drop all the same.
[[nodiscard]] std::optional<Ignorable> FindIgnorable(std::string_view text);

}  // namespace ggufgate
