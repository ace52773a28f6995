#include "tests/oracles/mutants.h"

#include <algorithm>
#include <cstdio>

#include "check/rule.h"
#include "tests/oracles/guarded.h"
#include "tests/oracles/require.h"
#include "tests/oracles/verdict.h"

namespace ggufgate::fuzz {
namespace {

void Print(const char* before, std::string_view text) {
  std::fprintf(stderr, "%s%.*s", before, static_cast<int>(text.size()), text.data());
}

}  // namespace

mutate::Mutator& TheMutator() {
  static mutate::Mutator mutator(kMostBytes);
  return mutator;
}

bool Names(const Findings& findings, std::string_view rules) {
  return std::ranges::any_of(findings.list, [&](const Finding& finding) {
    const std::string_view slug = RuleOf(finding.rule).slug;
    for (std::string_view rest = rules; !rest.empty();) {
      const std::size_t end = std::min(rest.find('|'), rest.size());
      if (rest.substr(0, end) == slug && finding.severity == Severity::kError) return true;
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return false;
  });
}

void RequireAccepted(const mutate::Mutant& mutant) {
  if (mutant.expect != mutate::Expectation::kAccept) return;
  Policy policy;
  policy.data = DataScan::kFull;
  const GuardedCopy copy(mutant.bytes);
  const Judgement judged = Judge(copy.bytes(), policy);
  if (judged.Rejected()) Tell(mutant, judged.checked.findings);
  Require(!judged.Rejected(), "what the mutator calls sound is accepted");
  RequireSound(judged, copy.bytes(), policy);
}

void Tell(const mutate::Mutant& mutant, const Findings& findings) {
  for (const mutate::Mutation* mutation : mutant.mutations) Print(" ", mutation->slug);
  Print("; expected ", mutant.rules.empty() ? "nothing" : mutant.rules);
  for (const Finding& finding : findings.list) {
    if (finding.severity >= Severity::kError) Print("; found ", RuleOf(finding.rule).slug);
  }
  std::fprintf(stderr, "\n");
}

}  // namespace ggufgate::fuzz
