// roundtrip: an accepted file, taken apart and written again, parses to an equal document; with
// zero padding it has the same bytes. Every prefix that lacks needed bytes is rejected.

#include <algorithm>
#include <vector>

#include "fuzz/support/target.h"
#include "parse/model.h"
#include "tests/oracles/draw.h"
#include "tests/oracles/needed_bytes.h"
#include "tests/oracles/parse_same.h"
#include "tests/oracles/verdict.h"

namespace {

using namespace ggufgate;
using fuzz::Require;

}  // namespace

GGUFGATE_FUZZ_TARGET(input) {
  const fuzz::GuardedCopy copy(input);
  const fuzz::Judgement judged = fuzz::Judge(copy.bytes());
  if (judged.Rejected()) return;
  const std::vector<std::uint8_t> again = Write(ModelOf(judged.document, copy.bytes()));
  const fuzz::Judgement second = fuzz::Judge(again);
  Require(testing::DifferenceOf(judged.document, second.document).empty(),
          "written again, an accepted file parses to an equal document");
  const std::uint64_t odd_padding =
      judged.checked.findings.totals.at(static_cast<std::size_t>(RuleId::kPaddingNotZero));
  Require(odd_padding > 0 || std::ranges::equal(again, input),
          "written again, an accepted file with zero padding has the same bytes");

  const std::uint64_t end = testing::NeededBytes(judged.document);
  const fuzz::GuardedCopy cut(input.first(fuzz::SeedOf(input) % end), 1);
  Require(fuzz::Judge(cut.bytes()).Rejected(), "a prefix that cuts needed bytes is rejected");
}
