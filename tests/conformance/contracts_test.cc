// The contracts that are compiled in, as a file: it judges the corpus in the same way.

#include <string>
#include <vector>

#include "tests/conformance/corpus.h"
#include "tests/support/matchers.h"
#include "tests/support/rules/contracts_file.h"
#include "words/message.h"

namespace ggufgate::testing {
namespace {

// Sentences returns the findings as texts, except those about an unknown architecture: an unknown
// one is more severe if the user names the release.
std::vector<std::string> Sentences(const Findings& findings) {
  std::vector<std::string> all;
  for (Finding finding : findings.list) {
    if (finding.rule == RuleId::kArchitectureUnknown) continue;
    // A rule whose message does not contain a release gets it at the end, if one is named.
    if (finding.releases == std::vector<std::string>{std::string(kContractRelease)}) {
      finding.releases.clear();
    }
    all.push_back(std::string(RuleOf(finding.rule).slug) + " " +
                  std::string(WordFor(finding.severity)) + ": " + SentenceFor(finding));
  }
  return all;
}

TEST(ContractsFile, JudgesTheCorpusLikeTheContractsThatAreCompiledIn) {
  const std::shared_ptr<const ContractTable> table = TableOf(CompiledInText());
  const std::shared_ptr<const ContractTable> named = TableOf(CompiledInText("llama.cpp v0.4.9"));
  ASSERT_NE(table, nullptr);
  std::size_t renamed = 0;
  for (const CorpusFile& file : Corpus()) {
    SCOPED_TRACE(file.path);
    const FileBytes bytes = ReadBytes(CorpusFolder() / file.path);
    for (const Profile profile :
         {Profile::kGate, Profile::kLlamaCpp, Profile::kSpec, Profile::kDiffusion}) {
      Policy policy = file.PolicyIn(profile);
      const Judged plain = Judge(bytes, policy);
      policy.loaders = {table};
      const Judged by_file = Judge(bytes, policy);
      EXPECT_EQ(Sentences(by_file.checked.findings), Sentences(plain.checked.findings));
      EXPECT_EQ(by_file.checked.findings.totals, plain.checked.findings.totals);
      if (profile != Profile::kGate) continue;
      policy.loaders = {named};
      renamed +=
          Sentences(Judge(bytes, policy).checked.findings) != Sentences(plain.checked.findings);
    }
  }
  EXPECT_GT(renamed, 50U) << "the name of the release is in the messages";
}

}  // namespace
}  // namespace ggufgate::testing
