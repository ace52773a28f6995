// The contracts that are compiled in, as a file: it judges the corpus in the same way.

#include <string>
#include <vector>

#include "tests/conformance/corpus.h"
#include "tests/support/matchers.h"
#include "tests/support/rules/contracts_file.h"
#include "words/message.h"

namespace ggufgate::testing {
namespace {

// Sentences returns the findings as texts.
std::vector<std::string> Sentences(const Findings& findings) {
  std::vector<std::string> all;
  for (Finding finding : findings.list) {
    // A rule whose message does not contain a release gets it at the end, if one is named.
    if (finding.releases == std::vector<std::string>{std::string(kContractRelease)}) {
      finding.releases.clear();
    }
    all.push_back(std::string(RuleOf(finding.rule).slug) + ": " + SentenceFor(finding));
  }
  return all;
}

bool IsUnknown(const Judged& judged) {
  return judged.checked.findings.totals.at(static_cast<std::size_t>(RuleId::kArchitectureUnknown)) >
         0;
}

TEST(ContractsFile, JudgesTheCorpusLikeTheContractsThatAreCompiledIn) {
  const std::shared_ptr<const ContractTable> table = TableOf(CompiledInText());
  const std::shared_ptr<const ContractTable> named = TableOf(CompiledInText("llama.cpp v0.4.9"));
  ASSERT_NE(table, nullptr);
  std::size_t renamed = 0;
  for (const CorpusFile& file : Corpus()) {
    SCOPED_TRACE(file.path);
    const FileBytes bytes = ReadBytes(CorpusFolder() / file.path);
    // In profile gate, a named release makes refusals more severe.
    Policy policy = file.PolicyIn(Profile::kLlamaCpp);
    const Judged plain = Judge(bytes, policy);
    policy.loaders = {table};
    const Judged by_file = Judge(bytes, policy);
    // Architecture "test" is not in contracts, and an architecture may be unknown in other words.
    if (IsUnknown(by_file)) continue;
    EXPECT_EQ(Sentences(by_file.checked.findings), Sentences(plain.checked.findings));
    EXPECT_EQ(by_file.checked.findings.totals, plain.checked.findings.totals);
    policy.loaders = {named};
    renamed +=
        Sentences(Judge(bytes, policy).checked.findings) != Sentences(plain.checked.findings);
  }
  EXPECT_GT(renamed, 50U) << "the name of the release is in the messages";
}

}  // namespace
}  // namespace ggufgate::testing
