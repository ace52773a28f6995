#pragma once

// What a transfer that took the file for text has done to it. Not for users of the library.

#include "check/cause/cause.h"
#include "format/limits.h"
#include "parse/document.h"

namespace ggufgate {

// ThroughTextDecoder recognises a file that was decoded as UTF-8 and written again: each byte that
// was none became U+FFFD, and all of it is valid now. A vocabulary may hold U+FFFD as a token; so
// one must stand in a number that was read, or in the field at fault. `start` is the file's first
// bytes, as many as the caller cares to look at: a fault near the start leaves a short prefix.
[[nodiscard]] Cause ThroughTextDecoder(const Document& document, Bytes start);

// ThroughTextMode recognises a file in which each line feed got a carriage return before it. A chat
// template may have such lines of its own; so the proof is to take the carriage returns out again,
// after which the file must read on further than it did.
[[nodiscard]] Cause ThroughTextMode(const Document& document, const Limits& limits);

}  // namespace ggufgate
