// Judgements for several loaders: which rules repeat, and how their findings are merged.

#include <gmock/gmock.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "check/loaders/loader_findings.h"
#include "tests/support/judge.h"
#include "tests/support/rule_cases.h"
#include "tests/support/rules/contracts_file.h"
#include "words/loader_outcomes.h"
#include "words/message.h"

namespace ggufgate::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string BlockOf(std::string_view architecture) {
  return BlockText(*FindContract(architecture));
}

// By names two loaders, a and b, with contracts of qwen3.
Policy By(const std::string& of_a, const std::string& of_b) {
  Policy policy;
  policy.loaders = {TableOf(ContractsFile("llama.cpp a", of_a)),
                    TableOf(ContractsFile("llama.cpp b", of_b))};
  return policy;
}

Model OddModel(std::string_view architecture = "qwen3") {
  Model model;
  model.Set(kArchitectureKey, architecture);
  for (const auto& [name, value] : {std::pair("context_length", 128U),
                                    {"embedding_length", 64U},
                                    {"block_count", 2U},
                                    {"attention.head_count", 2U},
                                    {"rope.dimension_count", 31U}}) {
    model.Set(std::string(architecture) + "." + name, value);
  }
  model.Add("token_embd.weight", TensorType::kF32, {64, 1});
  model.Add("output_norm.weight", TensorType::kF32, {64});
  return model;
}

TEST(Loaders, TheSameFindingNamesBoth) {
  const std::string qwen3 = BlockOf("qwen3");
  const Judged judged = Judge(OddModel(), By(qwen3, qwen3));
  const std::vector<Finding> found = FindingsOf(judged, RuleId::kRopeDimensions);
  ASSERT_EQ(found.size(), 2U);
  for (const Finding& finding : found) {
    EXPECT_THAT(finding.releases, ElementsAre("llama.cpp a", "llama.cpp b"));
    EXPECT_THAT(MessageFor(finding), HasSubstr("(llama.cpp a/b "));
  }
  EXPECT_EQ(TotalOf(judged, RuleId::kRopeDimensions), 2U);
}

TEST(Loaders, AFindingOfOneNamesOne) {
  const std::string qwen3 = BlockOf("qwen3");
  const std::string fewer = Replaced(qwen3, ",rotated-odd", "");
  for (const bool first : {true, false}) {
    const Judged judged = Judge(OddModel(), first ? By(qwen3, fewer) : By(fewer, qwen3));
    EXPECT_EQ(TotalOf(judged, RuleId::kRopeDimensions), 2U);
    std::vector<std::vector<std::string>> releases;
    for (const Finding& finding : FindingsOf(judged, RuleId::kRopeDimensions)) {
      releases.push_back(finding.releases);
    }
    const std::string one = first ? "llama.cpp a" : "llama.cpp b";
    EXPECT_THAT(releases, ::testing::UnorderedElementsAre(ElementsAre("llama.cpp a", "llama.cpp b"),
                                                          ElementsAre(one)));
    EXPECT_FALSE(judged.Accepted());
  }
}

// Told is a finding without its releases.
std::string Told(Finding finding) {
  finding.releases = {"llama.cpp any"};
  return std::to_string(finding.where.begin) + " " + MessageFor(finding);
}

// FullModel has the tensors of the tiny models in two layers. Every fifth is absent, and others
// have an odd type or shape, so that most rules of contracts find something.
Model FullModel(const Contract& contract) {
  Model model = OddModel(contract.architecture);
  std::size_t count = 0;
  for (const ContractLine& line : ContractLines(contract, "tensor")) {
    const std::optional<ContractTensor> tensor = TensorOf(line);
    const std::size_t star = tensor->name.find('*');
    std::vector<std::uint64_t> dims;
    for (const std::uint64_t dim : tensor->Dimensions()) {
      dims.push_back(dim == ContractTensor::kTokens ? 1 : dim);
    }
    const std::size_t oddity = ++count % 5;
    if (oddity == 0) continue;
    if (oddity == 1) dims.back() += 1;
    const TensorType type = oddity == 2 ? TensorType::kI32 : tensor->type;
    for (const std::string_view layer : {"0", "1"}) {
      std::string name(tensor->name);
      if (star != std::string::npos) name.replace(star, 1, layer);
      if (star != std::string::npos || layer == "0") model.Add(name, type, dims);
    }
  }
  model.Add("blk.0.odd.weight", TensorType::kF32, {64});
  return model;
}

std::vector<std::string> ToldOf(const Judged& judged, std::string_view release) {
  std::vector<std::string> told;
  for (const Finding& finding : judged.checked.findings.list) {
    if (std::ranges::count(finding.releases, release) > 0) told.push_back(Told(finding));
  }
  std::ranges::sort(told);
  return told;
}

// A rule that reads the same lines of two releases runs once: that must not show.
TEST(Loaders, EachFindsWhatItFindsAlone) {
  std::vector<std::shared_ptr<const ContractTable>> all;
  for (const ContractTable& table : ContractTable::Learned()) {
    all.push_back(std::make_shared<const ContractTable>(table));
  }
  ASSERT_GE(all.size(), 3U);
  std::set<RuleId> found;
  for (const Contract& contract : all.back()->All()) {
    for (const Model& model : {OddModel(contract.architecture), FullModel(contract)}) {
      Policy policy;
      policy.loaders = all;
      const Judged together = Judge(model, policy);
      for (const Finding& finding : together.checked.findings.list) {
        if (!finding.releases.empty()) found.insert(finding.rule);
      }
      for (const auto& loader : all) {
        policy.loaders = {loader};
        EXPECT_EQ(ToldOf(together, loader->release()),
                  ToldOf(Judge(model, policy), loader->release()))
            << contract.architecture << " in " << loader->release();
      }
    }
  }
  for (const RuleId rule :
       {RuleId::kTensorMissing, RuleId::kTensorRole, RuleId::kTensorUnknown, RuleId::kShapeRefused,
        RuleId::kHyperparameterMissing, RuleId::kRopeDimensions, RuleId::kTensorUsed}) {
    EXPECT_TRUE(found.contains(rule)) << RuleOf(rule).slug;
  }
}

TEST(Loaders, OneThatDoesNotKnowTheArchitectureRejects) {
  const Judged judged = Judge(OddModel(), By(BlockOf("llama"), BlockOf("llama")));
  EXPECT_THAT(judged.Only(RuleId::kArchitectureUnknown).releases,
              ElementsAre("llama.cpp a", "llama.cpp b"));
  EXPECT_FALSE(judged.Accepted());
  const Judged one = Judge(OddModel(), By(BlockOf("qwen3"), BlockOf("llama")));
  EXPECT_THAT(one.Only(RuleId::kArchitectureUnknown).releases, ElementsAre("llama.cpp b"));
}

TEST(Loaders, OtherRulesRunOnce) {
  Model model = OddModel();
  model.Set("", "no key");
  const std::string qwen3 = BlockOf("qwen3");
  const Judged judged = Judge(model, By(qwen3, qwen3));
  EXPECT_EQ(TotalOf(judged, RuleId::kKeyEmpty), 1U);
  EXPECT_THAT(judged.Only(RuleId::kKeyEmpty).releases, IsEmpty());
}

// The first finding of each loader is kept, so that its outcome is known.
TEST(Loaders, TheLimitOfListedFindingsHolds) {
  const std::string qwen3 = BlockOf("qwen3");
  const std::string fewer = Replaced(qwen3, ",rotated-odd", "");
  for (const auto& [of_b, listed] : {std::pair(qwen3, 1U), {fewer, 2U}}) {
    Policy policy = By(qwen3, of_b);
    policy.findings_per_rule = 1;
    const Judged judged = Judge(OddModel(), policy);
    EXPECT_EQ(FindingsOf(judged, RuleId::kRopeDimensions).size(), listed);
    EXPECT_EQ(TotalOf(judged, RuleId::kRopeDimensions), 2U);
    for (const OutcomeInLoader& one :
         OutcomesIn(judged.checked.findings, Verdict::kReject, policy)) {
      EXPECT_EQ(one.outcome, LoaderOutcome::kCrashes) << one.release;
    }
  }
}

TEST(Loaders, ARepeatedFindingNamesALoaderOnce) {
  Findings findings;
  findings.totals.resize(AllRules().size());
  findings.suppressed.resize(AllRules().size());
  Findings twice = findings;
  findings.list = {{.rule = RuleId::kTensorRole, .releases = {"a"}}};
  twice.list = {{.rule = RuleId::kTensorRole, .releases = {"b"}},
                {.rule = RuleId::kTensorRole, .releases = {"b"}}};
  MergeFindings(std::move(twice), findings);
  ASSERT_EQ(findings.list.size(), 1U);
  EXPECT_THAT(findings.list.front().releases, ElementsAre("a", "b"));
}

TEST(Loaders, UnlistedFindingsAreCountedOnce) {
  const auto of = [](std::uint64_t listed, std::uint64_t total) {
    Findings findings;
    findings.totals.resize(AllRules().size());
    findings.suppressed.resize(AllRules().size());
    findings.totals.at(static_cast<std::size_t>(RuleId::kTensorRole)) = total;
    for (std::uint64_t i = 0; i < listed; ++i) {
      findings.list.push_back({.rule = RuleId::kTensorRole, .where = {.begin = i, .size = 1}});
    }
    return findings;
  };
  Findings findings = of(2, 5);
  MergeFindings(of(3, 4), findings);
  EXPECT_EQ(findings.list.size(), 3U);
  EXPECT_EQ(findings.totals.at(static_cast<std::size_t>(RuleId::kTensorRole)), 6U);
}

TEST(Loaders, OutcomesFollowFromFindings) {
  const std::string qwen3 = BlockOf("qwen3");
  const std::string neither =
      Replaced(Replaced(qwen3, ",rotated-odd", ""), ",rotated-is-value-width", "");
  const Policy policy = By(qwen3, neither);
  const Judged judged = Judge(OddModel(), policy);
  const auto outcomes = OutcomesIn(judged.checked.findings, Verdict::kReject, policy);
  ASSERT_EQ(outcomes.size(), 2U);
  EXPECT_EQ(outcomes.at(0).release, "llama.cpp a");
  EXPECT_EQ(outcomes.at(0).outcome, LoaderOutcome::kCrashes);
  EXPECT_EQ(outcomes.at(1).outcome, LoaderOutcome::kRefuses);  // keys are absent
  ASSERT_NE(outcomes.at(1).reason, nullptr);
  EXPECT_EQ(outcomes.at(1).reason->rule, RuleId::kHyperparameterMissing);
  const auto undecided = OutcomesIn(judged.checked.findings, Verdict::kUndecided, policy);
  EXPECT_EQ(undecided.at(0).outcome, LoaderOutcome::kUndecided);
  EXPECT_EQ(OutcomesIn({}, Verdict::kAccept, Policy{}).at(0).outcome, LoaderOutcome::kRuns);
}

TEST(Loaders, AFaultOfTheFileRejectsForEach) {
  Model model = OddModel();
  model.Set("", "no key");
  const Policy policy = By(BlockOf("qwen3"), BlockOf("qwen3"));
  const Judged judged = Judge(model, policy);
  for (const OutcomeInLoader& one : OutcomesIn(judged.checked.findings, Verdict::kReject, policy)) {
    EXPECT_EQ(one.outcome, LoaderOutcome::kRejected);
    EXPECT_EQ(one.reason->rule, RuleId::kKeyEmpty);
  }
}

}  // namespace
}  // namespace ggufgate::testing
