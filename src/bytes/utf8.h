#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "bytes/bytes.h"

namespace ggufgate {

// IsUtf8 returns whether `bytes` is well-formed UTF-8 (Unicode 15, table 3-7: no overlong forms, no
// surrogates, nothing above U+10FFFF). It uses vectors in builds with Highway.
[[nodiscard]] bool IsUtf8(Bytes bytes);

// TextFacts has facts about a text, from one pass.
struct TextFacts {
  bool is_utf8 = true;      // as by IsUtf8()
  std::uint64_t zeros = 0;  // bytes that are 0
  bool has_ef = false;      // has a byte 0xEF, the first of a byte order mark
};

// FactsOf combines IsUtf8, a count of zeros and a search in one pass. A vocabulary does not fit
// into the fast caches, so reading it twice would cost more than the work.
[[nodiscard]] TextFacts FactsOf(Bytes bytes);

// Utf8PrefixLength is the scalar reference: the number of leading bytes that are complete,
// well-formed characters. It is bytes.size() for a valid text, otherwise the offset of the first
// invalid sequence.
[[nodiscard]] std::size_t Utf8PrefixLength(Bytes bytes);

// IsUtf8ByStretches is IsUtf8 for builds without Highway, such as the WebAssembly module. It skips
// stretches of ASCII quickly.
[[nodiscard]] bool IsUtf8ByStretches(Bytes bytes);

// IsContinuation is true for bytes that occur only after the first byte of a character.
[[nodiscard]] constexpr bool IsContinuation(std::uint8_t byte) { return (byte & 0xC0) == 0x80; }

// Surrogates (U+D800 to U+DFFF) are not characters, but some readers accept them.
enum class Surrogates : std::uint8_t { kRefused, kTaken };

// TakeCharacter removes the first character of `text`, which must not be empty, and returns its
// code point. If the text begins with no valid character, it removes one byte and returns nullopt.
[[nodiscard]] std::optional<char32_t> TakeCharacter(std::string_view& text,
                                                    Surrogates surrogates = Surrogates::kRefused);

// AppendUtf8 encodes a code point below U+110000. It accepts surrogates.
void AppendUtf8(char32_t code, std::string& out);

// IsAscii returns whether no byte has its high bit set: then all readers agree on the characters.
[[nodiscard]] bool IsAscii(std::string_view text);

}  // namespace ggufgate
