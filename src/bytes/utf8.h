#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "bytes/bytes.h"

namespace ggufgate {

// IsUtf8 is true when `bytes` are well-formed UTF-8 (Unicode 15, table 3-7: no overlong forms, no
// surrogates, nothing above U+10FFFF). Uses vectors where Highway is built in.
[[nodiscard]] bool IsUtf8(Bytes bytes);

// TextFacts are found by reading a text once.
struct TextFacts {
  bool is_utf8 = true;      // as IsUtf8() says
  std::uint64_t zeros = 0;  // bytes that are 0
  bool has_ef = false;      // a byte is 0xEF, the first of a byte order mark
};

// FactsOf is IsUtf8, a count of zeros and a search in one pass. A vocabulary does not fit into the
// nearest caches: reading it again costs more than the work on it.
[[nodiscard]] TextFacts FactsOf(Bytes bytes);

// Utf8PrefixLength is the scalar reference: the number of leading bytes that are whole, well-formed
// characters. bytes.size() means all are; otherwise it is the place of the first bad byte sequence.
[[nodiscard]] std::size_t Utf8PrefixLength(Bytes bytes);

// IsUtf8ByStretches is IsUtf8 where Highway is not built in, as in the module for WebAssembly:
// stretches of ASCII are passed over whole.
[[nodiscard]] bool IsUtf8ByStretches(Bytes bytes);

// IsContinuation is true of a byte that only stands inside a character.
[[nodiscard]] constexpr bool IsContinuation(std::uint8_t byte) { return (byte & 0xC0) == 0x80; }

// Surrogates (U+D800 to U+DFFF) are no characters; some readers take them for such all the same.
enum class Surrogates : std::uint8_t { kRefused, kTaken };

// TakeCharacter takes the first character off `text`, which is not empty, and gives its code point;
// nullopt where none stands there, and then one byte is taken.
[[nodiscard]] std::optional<char32_t> TakeCharacter(std::string_view& text,
                                                    Surrogates surrogates = Surrogates::kRefused);

// AppendUtf8 writes a code point below U+110000, be it a surrogate.
void AppendUtf8(char32_t code, std::string& out);

// IsAscii is true when no byte has its high bit set: every reader takes each for one and the same
// character.
[[nodiscard]] bool IsAscii(std::string_view text);

}  // namespace ggufgate
