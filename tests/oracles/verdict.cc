#include "tests/oracles/verdict.h"

#include <algorithm>
#include <utility>

#include "bytes/memory_source.h"
#include "parse/parse.h"
#include "parse/regions.h"
#include "tests/oracles/accepted.h"
#include "tests/oracles/parse_same.h"
#include "tests/oracles/require.h"

namespace ggufgate::fuzz {
namespace {

bool SameFinding(const Finding& a, const Finding& b) {
  return a.rule == b.rule && a.severity == b.severity && a.wording == b.wording &&
         a.where == b.where && a.subject.section == b.subject.section &&
         a.subject.index == b.subject.index && a.subject.name == b.subject.name &&
         a.subject.element == b.subject.element && a.observed == b.observed &&
         a.allowed == b.allowed && a.other == b.other;
}

}  // namespace

Judgement Judge(Bytes file, const Policy& policy) {
  ParseResult parsed = Parse(file, file.size(), policy.limits);
  Require(!parsed.NeedsMore(), "a whole file is enough");
  const MemorySource source(file);
  CheckResult checked = Check(parsed.document, source, policy);
  return {.document = std::move(parsed.document), .checked = std::move(checked)};
}

void RequireSound(const Judgement& judged, Bytes file, const Policy& policy) {
  const Findings& findings = judged.checked.findings;
  bool error = false;
  for (const Finding& finding : findings.list) {
    error = error || finding.severity == Severity::kError;
    Require(finding.where.begin <= file.size(), "the offset of a finding is inside the file");
    Require(findings.totals.at(static_cast<std::size_t>(finding.rule)) > 0,
            "a finding that is listed is counted");
  }
  Require(judged.Rejected() == error, "a file is rejected if and only if an error is found");
  Require(!judged.document.fault || error, "a fault of the parser rejects");
  Require(judged.checked.io.complete(), "memory can always be read");
  Require(findings.list.size() <= findings.totals.size() * (policy.findings_per_rule + 1),
          "findings are bounded");
  if (judged.Rejected()) return;
  Require(judged.document.directory_end <= file.size(), "the directory is inside the file");
  Require(testing::Tile(Regions(judged.document), file.size()),
          "the regions of an accepted file cover it, each byte once");
  RequireAcceptable(judged.document, file, policy);
}

void RequireSame(const CheckResult& a, const CheckResult& b) {
  Require(std::ranges::equal(a.findings.list, b.findings.list, SameFinding) &&
              a.findings.totals == b.findings.totals,
          "the same bytes give the same findings");
}

}  // namespace ggufgate::fuzz
