#pragma once

#include "fuzz/support/judge.h"
#include "tests/naive/naive.h"

namespace ggufgate::fuzz {

// RequireAgreement asserts that the gate and the naive judge, asked by the same profile, say the
// same of a file: whether it is sound, which rules about the structure it breaks and where, and
// what its keys, values and tensors are.
void RequireAgreement(const Judgement& judged, const naive::Verdict& verdict);

}  // namespace ggufgate::fuzz
