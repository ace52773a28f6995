#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace ggufgate {

// kByteOrderMark is U+FEFF, which some readers drop at the beginning of a text.
inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// Ignorable is an invisible character: it has the property Default_Ignorable_Code_Point or
// Bidi_Control. All characters with the latter also have the former (bytes/character_kind.h).
struct Ignorable {
  std::size_t position = 0;  // in bytes
  std::size_t size = 0;      // in bytes
  char32_t code = 0;
};

// FindIgnorable returns the first invisible character of a text, or nullopt. In a text that is not
// UTF-8 it finds only a byte order mark at the beginning, which readers drop in any case.
[[nodiscard]] std::optional<Ignorable> FindIgnorable(std::string_view text);

}  // namespace ggufgate
