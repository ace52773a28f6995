#pragma once

#include "tests/oracles/verdict.h"
#include "witness/witness.h"

namespace ggufgate::fuzz {

// RequireAgreement asserts that gate and witness agree about a file in the same profile: the
// verdict, the rules of witness::Rules() that it breaks and their places, and its keys, values and
// tensors. Findings of other rules are not compared.
void RequireAgreement(const Judgement& judged, const witness::Verdict& verdict);

}  // namespace ggufgate::fuzz
