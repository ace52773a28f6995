#pragma once

#include "bytes/bytes.h"
#include "check/policy.h"
#include "parse/document.h"

namespace ggufgate::fuzz {

// RequireAcceptable asserts what holds of every accepted file. All is reckoned once more from the
// document and the bytes, in 128 bits and without what the rules are made of: a rule that lets
// something through is found out by any engine, and not only where a lie is known to be one.
void RequireAcceptable(const Document& document, Bytes file, const Policy& policy);

}  // namespace ggufgate::fuzz
