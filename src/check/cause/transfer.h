#pragma once

// Damage by transfers that treated the file as text. Not for users of the library.

#include "check/cause/cause.h"
#include "format/limits.h"
#include "parse/document.h"

namespace ggufgate {

// ThroughTextDecoder recognises a file that was decoded as UTF-8 and encoded again: invalid bytes
// became U+FFFD, and the file is now valid UTF-8. A vocabulary may contain U+FFFD as a token. So
// one U+FFFD must be in a number that was parsed, or in the field of the fault. `start` has the
// first bytes of the file; the caller chooses how many. The prefix can be too short, if the fault
// is near the start.
[[nodiscard]] Cause ThroughTextDecoder(const Document& document, Bytes start);

// ThroughTextMode recognises a file in which each line feed got a carriage return before it. A chat
// template may contain such lines. So the proof is to remove the carriage returns again: then the
// parser must get further than before.
[[nodiscard]] Cause ThroughTextMode(const Document& document, const Limits& limits);

}  // namespace ggufgate
