// c_abi: the C interface of the mutator handles any request, valid or not.

#include <algorithm>
#include <array>
#include <cstring>

#include "fuzz/support/target.h"
#include "ggufgate/mutator.h"

using namespace ggufgate;

GGUFGATE_FUZZ_TARGET(input) {
  static ggufgate_mutator* const mutator = ggufgate_mutator_create(std::size_t{1} << 14);
  if (input.size() < 4) return;
  const fuzz::GuardedCopy copy(input.subspan(4));
  const Bytes bytes = copy.bytes();
  ggufgate_request request{};
  request.input = bytes.data();
  request.input_size = bytes.size() / 2;
  request.donor = bytes.subspan(bytes.size() / 2).data();
  request.donor_size = bytes.size() - bytes.size() / 2;
  request.mode = static_cast<std::int8_t>(input[0]) % 9;
  request.data = static_cast<std::int8_t>(input[1]) % 5;
  request.seed = input[2];
  request.max_size = std::size_t{input[3]} * 64;
  ggufgate_mutant mutant{};
  const int result = ggufgate_mutator_mutate(mutator, &request, &mutant);
  fuzz::Require(result == GGUFGATE_OK || result == GGUFGATE_BAD_ARGUMENT, "nothing fails inside");
  if (result != GGUFGATE_OK) return;
  fuzz::Require(mutant.bytes != nullptr && mutant.size <= request.max_size,
                "a mutant is no larger than asked for");
  std::array<char, 64> text{};
  const std::size_t length = ggufgate_mutator_describe(mutator, text.data(), text.size());
  fuzz::Require(std::strlen(text.data()) == std::min(length, text.size() - 1),
                "a description is as long as it says, and ends");
}
