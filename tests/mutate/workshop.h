#pragma once

// A context with all its objects, for tests of single mutations and of Repair.

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "bytes/memory_source.h"
#include "check/check.h"
#include "check/rule.h"
#include "mutate/build/mutation_context.h"
#include "mutate/file/attach.h"
#include "mutate/mutation.h"
#include "parse/parse.h"

namespace ggufgate::mutate {

// Workshop makes one mutant after the other.
class Workshop {
 public:
  explicit Workshop(std::uint64_t seed, std::size_t room = std::size_t{1} << 20)
      : arena_(6 * room), out_(room), random_(seed) {}

  // Fresh returns a context with the parsed input.
  MutationContext& Fresh(Bytes input = {}) {
    arena_.Reset();
    context_.emplace(draft_, donor_, arena_, placement_, seen_, MutableBytes(out_), random_,
                     nullptr);
    TakeApart(input, draft_);
    AttachData(draft_);
    return *context_;
  }

 private:
  Draft draft_, donor_;
  Arena arena_;
  Placement placement_;
  StringSet seen_{Draft::kMostEntries};
  std::vector<std::uint8_t> out_;
  Random random_;
  std::optional<MutationContext> context_;
};

// Judge returns the gate's findings, with a check of all data.
inline Findings Judge(Bytes bytes) {
  Policy policy = PolicyFor(Profile::kGate);
  policy.data = DataScan::kFull;
  const ParseResult parsed = Parse(bytes, bytes.size(), policy.limits);
  const MemorySource source(bytes);
  return Check(parsed.document, source, policy).findings;
}

// ErrorsIn returns the slugs of the rules for which the gate rejects a file.
inline std::set<std::string> ErrorsIn(Bytes bytes) {
  std::set<std::string> rules;
  for (const Finding& finding : Judge(bytes).list) {
    if (finding.severity >= Severity::kError) rules.emplace(RuleOf(finding.rule).slug);
  }
  return rules;
}

}  // namespace ggufgate::mutate
