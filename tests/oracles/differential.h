#pragma once

#include "tests/oracles/verdict.h"
#include "witness/witness.h"

namespace ggufgate::fuzz {

// RequireAgreement asserts that the gate and the witness, with the same profile, agree about a
// file: whether it is valid, which rules about the structure it breaks and where, and its keys,
// values and tensors.
void RequireAgreement(const Judgement& judged, const witness::Verdict& verdict);

}  // namespace ggufgate::fuzz
