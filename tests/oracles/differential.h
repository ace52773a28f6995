#pragma once

#include "check/rule.h"
#include "tests/oracles/verdict.h"
#include "witness/witness.h"

namespace ggufgate::fuzz {

// MustConfirm returns whether the witness must implement a rule: one about the structure that is an
// error in a profile. It may implement others; then they are compared, too.
[[nodiscard]] bool MustConfirm(const Rule& rule);

// RequireAgreement asserts that gate and witness agree about a file in the same profile: the
// verdict, the structural rules that it breaks and their places, and its keys, values and tensors.
void RequireAgreement(const Judgement& judged, const witness::Verdict& verdict);

}  // namespace ggufgate::fuzz
