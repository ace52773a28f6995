// mutator: a draft returns any bytes unchanged. Every mode respects its maximum size, gives the
// same mutant twice, and never returns the input.

#include <algorithm>
#include <array>
#include <vector>

#include "fuzz/support/target.h"
#include "mutate/file/writer.h"
#include "tests/oracles/draw.h"
#include "tests/oracles/mutants.h"

namespace {

using namespace ggufgate;
using fuzz::Require;
using mutate::Mode;

constexpr std::array kModes = {Mode::kConsistent, Mode::kOneLie, Mode::kSemi,  Mode::kRaw,
                               Mode::kGenerate,   Mode::kMixed,  Mode::kReduce};

void RequireLossless(Bytes input) {
  static mutate::Draft draft;
  static std::vector<std::uint8_t> out;
  out.resize(input.size());
  mutate::TakeApart(input, draft);
  const std::optional<std::size_t> size =
      mutate::WriteAsItStands(draft, {.first = draft.tail}, out);
  Require(size == input.size() && std::ranges::equal(out, input),
          "taken apart and written as it stands, every string of bytes is what it was");
}

}  // namespace

GGUFGATE_FUZZ_TARGET(input) {
  const fuzz::GuardedCopy copy(input);
  RequireLossless(copy.bytes());
  const std::uint64_t seed = fuzz::SeedOf(input);
  const mutate::Request request{.input = copy.bytes(),
                                .mode = kModes.at(seed % kModes.size()),
                                .seed = seed,
                                .max_size = 1 + seed % (2 * input.size() + 64)};
  const mutate::Mutant mutant = fuzz::TheMutator().Make(request);
  Require(mutant.bytes.size() <= request.max_size, "a mutant is no larger than asked for");
  Require(!std::ranges::equal(mutant.bytes, input), "a mutant is never the input");
  const std::vector<std::uint8_t> first(mutant.bytes.begin(), mutant.bytes.end());
  const mutate::Mutant again = fuzz::TheMutator().Make(request);
  Require(std::ranges::equal(again.bytes, first), "the same request gives the same mutant");
  RequireLossless(first);
}
