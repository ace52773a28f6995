// differential: the gate and a second, simple parser and checker (src/witness), which share no
// code, agree about any bytes. If the gate accepts a file, the witness must find it valid; if the
// witness finds a fault, the gate must reject the file. Both report every violation of a rule about
// the structure, and both read the same keys, values and tensors.

#include "tests/oracles/differential.h"

#include <array>

#include "fuzz/support/target.h"

namespace {

using namespace ggufgate;

constexpr std::array kReadings = {witness::Reading::kGate, witness::Reading::kLlamaCpp,
                                  witness::Reading::kSpec, witness::Reading::kDiffusion};
static_assert(kReadings.size() == kProfileCount);

}  // namespace

GGUFGATE_FUZZ_TARGET(input) {
  const fuzz::GuardedCopy copy(input);
  const Bytes file = copy.bytes();
  // One profile per input, for speed. The last byte of the input selects it.
  const std::size_t profile = input.empty() ? 0 : input.back() % kProfileCount;
  fuzz::RequireAgreement(fuzz::Judge(file, PolicyFor(static_cast<Profile>(profile))),
                         witness::Judge(file, kReadings.at(profile)));
}
