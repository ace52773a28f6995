#pragma once

#include "tests/oracles/verdict.h"
#include "witness/witness.h"

namespace ggufgate::fuzz {

// RequireAgreement asserts that the gate and the witness, asked by the same profile, say the
// same of a file: whether it is sound, which rules about the structure it breaks and where, and
// what its keys, values and tensors are.
void RequireAgreement(const Judgement& judged, const witness::Verdict& verdict);

}  // namespace ggufgate::fuzz
