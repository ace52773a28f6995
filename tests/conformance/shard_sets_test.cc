// Compares the sets of shards of the corpus with its manifest.

#include <set>

#include "check/rule.h"
#include "gate/judge_all.h"
#include "gate/shard_sets.h"
#include "tests/conformance/corpus.h"
#include "tests/support/matchers.h"

namespace ggufgate::testing {
namespace {

class CorpusSetTest : public ::testing::TestWithParam<CorpusSet> {};

std::vector<FileReport> JudgeFolder(const std::string& folder, Profile profile) {
  const FoundFiles found = FindFiles({folder});
  JudgeOptions options;
  options.policy = PolicyFor(profile);
  std::vector<FileReport> reports;
  ShardSets sets(found, options.policy,
                 [&](FileReport report) { reports.push_back(std::move(report)); });
  JudgeAll(found.files, options, 1, [&](FileReport report) { sets.Take(std::move(report)); });
  return reports;
}

TEST_P(CorpusSetTest, IsAsTheManifestSays) {
  const CorpusSet& set = GetParam();
  for (const Profile profile : {Profile::kGate, Profile::kLlamaCpp, Profile::kSpec}) {
    const std::string word(kProfileWords.at(static_cast<std::size_t>(profile)));
    const auto reports = JudgeFolder((CorpusFolder() / set.folder).string(), profile);
    EXPECT_THAT(reports, SizeIs(set.files.size()));
    std::vector<std::string> verdicts;
    std::set<std::string> rules;
    for (const FileReport& report : reports) {
      verdicts.emplace_back(WordFor(report.verdict));
      for (const Finding& finding : report.findings.list) {
        if (finding.severity >= Severity::kWarning) rules.emplace(RuleOf(finding.rule).slug);
      }
    }
    // Under profile spec, a fault of another shard is only a warning.
    const std::string& wanted = set.verdict.at(word);
    const bool some = profile == Profile::kSpec && wanted == "reject";
    if (some) {
      EXPECT_THAT(verdicts, Contains(wanted));
    } else {
      EXPECT_THAT(verdicts, Each(wanted)) << word;
    }
    if (profile == Profile::kGate) {
      EXPECT_THAT(rules, ElementsAreArray(set.rules));
    }
  }
}

std::string SetNameOf(const ::testing::TestParamInfo<CorpusSet>& info) {
  std::string name = info.param.folder;
  std::ranges::replace_if(name, [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, CorpusSetTest, ::testing::ValuesIn(CorpusSets()), SetNameOf);

// A shard that is checked alone is checked by its contents.
TEST(CorpusSets, EachShardAloneIsAccepted) {
  for (const CorpusSet& set : CorpusSets()) {
    for (const std::string& file : set.files) {
      const Judged judged = Judge(ReadBytes(CorpusFolder() / set.folder / file));
      EXPECT_TRUE(judged.Accepted()) << set.folder << '/' << file;
    }
  }
}

}  // namespace
}  // namespace ggufgate::testing
