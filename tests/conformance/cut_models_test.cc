// A model that is split into shards gets the same findings as the whole model, at the same offsets,
// for the rules that compare tensors with the architecture.

#include <map>
#include <set>
#include <tuple>

#include "bytes/memory_source.h"
#include "check/rule.h"
#include "check/rules/context.h"
#include "check/rules/contract/conditions/conditions.h"
#include "check/shards/shard_set.h"
#include "check/suppression.h"
#include "tests/conformance/corpus.h"
#include "tests/support/matchers.h"

namespace ggufgate::testing {
namespace {

// IsOfContract tells whether a rule is based on contracts. Shards must not be a way around such
// rules.
bool IsOfContract(RuleId rule) {
  static const std::set<RuleId> kRules = {
#define GGUFGATE_WEAKNESS(...)
#define GGUFGATE_RULE(name, ...) RuleId::k##name,
#include "check/rules/contract/rules.def"
#undef GGUFGATE_RULE
#undef GGUFGATE_WEAKNESS
  };
  return kRules.contains(rule);
}

// Told is a finding without its offset in the file: rule, severity, record, and the bytes there.
using Told = std::tuple<RuleId, Severity, std::string, std::string>;

void Tell(const Findings& findings, const std::vector<std::uint8_t>& file, std::set<Told>& told) {
  for (const Finding& finding : findings.list) {
    if (!IsOfContract(finding.rule)) continue;
    const Bytes bytes = Bytes(file).subspan(finding.where.begin, finding.where.size);
    told.insert(
        {finding.rule, finding.severity, RecordPath(finding.subject), std::string(AsText(bytes))});
  }
}

std::vector<Model> Cut(const Model& whole, std::size_t tensors_of_first) {
  std::vector<Model> shards(2);
  const auto middle = whole.tensors.begin() + static_cast<std::ptrdiff_t>(tensors_of_first);
  shards[0] = whole;
  shards[0].tensors.assign(whole.tensors.begin(), middle);
  shards[1].byte_order = whole.byte_order;
  shards[1].tensors.assign(middle, whole.tensors.end());
  for (std::uint16_t i = 0; i < 2; ++i) {
    shards[i].Set("split.no", i).Set("split.count", std::uint16_t{2}).LayOut();
  }
  return shards;
}

std::set<Told> ToldOfShards(const std::vector<Model>& models, const Policy& policy) {
  std::vector<Judged> judged;
  for (const Model& model : models) judged.push_back(Judge(model, policy));
  std::vector<std::optional<ShardFacts>> facts;
  for (const Judged& each : judged) facts.push_back(ShardFactsOf(each.parsed.document));
  ShardSet set{.stem = "m", .count = static_cast<std::uint32_t>(models.size()), .members = {}};
  for (std::size_t i = 0; i < models.size(); ++i) {
    set.members.push_back({.file = "m" + std::to_string(i),
                           .number = static_cast<std::uint32_t>(i + 1),
                           .facts = facts[i] ? &*facts[i] : nullptr,
                           .findings = &judged[i].checked.findings});
  }
  JudgeShardSet(set, policy);
  std::set<Told> told;
  for (const Judged& each : judged) Tell(each.checked.findings, each.file, told);
  return told;
}

// IsModel tells whether a file is valid and has most tensors of a known model. For a first shard,
// the rules assume that the others have them.
bool IsModel(const Judged& whole, const Policy& policy) {
  const Document& document = whole.parsed.document;
  const MemorySource source(whole.file);
  return !document.fault && document.data_begin && document.Find("split.count") == nullptr &&
         ContractOfModel(Context(document, source, policy)) != nullptr;
}

class CutModel : public ::testing::TestWithParam<Profile> {};

TEST_P(CutModel, IsJudgedAsTheWholeIs) {
  Policy policy = PolicyFor(GetParam());
  policy.findings_per_rule = 1000;
  std::size_t with_findings = 0;
  for (const CorpusFile& file : Corpus()) {
    if (file.path.starts_with("limits/")) continue;
    const Judged whole = Judge(ReadBytes(CorpusFolder() / file.path), policy);
    if (!IsModel(whole, policy)) continue;
    std::set<Told> of_whole;
    Tell(whole.checked.findings, whole.file, of_whole);
    const Model model = ModelOf(whole.parsed.document, whole.file);
    if (!of_whole.empty()) ++with_findings;
    for (const std::size_t first : {std::size_t{0}, std::size_t{1}, model.tensors.size() / 2}) {
      if (first > model.tensors.size()) continue;
      EXPECT_EQ(ToldOfShards(Cut(model, first), policy), of_whole) << file.path << ' ' << first;
    }
  }
  EXPECT_GE(with_findings, GetParam() == Profile::kSpec ? 11U : 20U);
}

INSTANTIATE_TEST_SUITE_P(Profiles, CutModel,
                         ::testing::Values(Profile::kGate, Profile::kLlamaCpp, Profile::kSpec));

}  // namespace
}  // namespace ggufgate::testing
