#pragma once

#include <string_view>

#include "bytes/bytes.h"

namespace ggufgate {

// IsUtf8 is true when `bytes` are well-formed UTF-8 (Unicode 15, table 3-7: no overlong forms, no
// surrogates, nothing above U+10FFFF). Uses vectors where Highway is built in.
[[nodiscard]] bool IsUtf8(Bytes bytes);

// Utf8PrefixLength is the scalar reference: the number of leading bytes that are whole, well-formed
// characters. bytes.size() means all are; otherwise it is the place of the first bad byte sequence.
[[nodiscard]] std::size_t Utf8PrefixLength(Bytes bytes);

// IsAscii is true when no byte has its high bit set: every reader takes each for one and the same
// character.
[[nodiscard]] bool IsAscii(std::string_view text);

}  // namespace ggufgate
