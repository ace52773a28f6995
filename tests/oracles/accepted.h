#pragma once

#include "bytes/bytes.h"
#include "check/policy.h"
#include "parse/document.h"

namespace ggufgate::fuzz {

// RequireAcceptable asserts properties of every accepted file. It computes them from the document
// and the bytes, in 128 bits and without the code of the rules. So any fuzzing engine can find a
// rule that accepts too much, even without a known lie.
void RequireAcceptable(const Document& document, Bytes file, const Policy& policy);

}  // namespace ggufgate::fuzz
