#pragma once

#include "bytes/bytes.h"
#include "check/policy.h"
#include "parse/document.h"

namespace ggufgate::fuzz {

// RequireAcceptable asserts properties of every accepted file. It computes them again from the
// document and the bytes, in 128 bits, without code of the rules. So any engine can find a rule
// that accepts too much, even without a known lie.
void RequireAcceptable(const Document& document, Bytes file, const Policy& policy);

}  // namespace ggufgate::fuzz
