// differential: the gate and a second, naive parser and judge (src/witness), which share no line,
// say the same of any bytes. What is accepted is sound to the witness, and what it finds
// unsound is rejected; every breach of a rule about the structure is found by both; and both read
// the same keys, values and tensors.

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
  // One profile a time keeps it fast; which one, the last byte of the input says.
  const std::size_t profile = input.empty() ? 0 : input.back() % kProfileCount;
  fuzz::RequireAgreement(fuzz::Judge(file, PolicyFor(static_cast<Profile>(profile))),
                         witness::Judge(file, kReadings.at(profile)));
}
