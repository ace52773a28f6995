#include "check/shards/joined_shards.h"

#include <array>
#include <utility>

#include "bytes/memory_source.h"
#include "check/loaders/run_rules.h"
#include "check/rule.h"
#include "check/rules/context.h"
#include "parse/parse.h"

namespace ggufgate {
namespace {

// The rules that compare tensors with hyper-parameters: all that use contracts.
constexpr std::array kJoinedRules = {
#define GGUFGATE_WEAKNESS(...)
#define GGUFGATE_RULE(name, ...) RuleId::k##name,
#include "check/rules/contract/rules.def"
#undef GGUFGATE_RULE
#undef GGUFGATE_WEAKNESS
};

}  // namespace

JoinedShards::JoinedShards(std::span<const ShardFacts* const> shards, const Policy& policy)
    : shards_(shards), policy_(policy) {
  const ShardFacts& first = *shards.front();
  ParseResult parsed = Parse(AsBytes(first.keys), first.keys.size(), policy.limits);
  document_ = std::move(parsed.document);
  whole_ = !parsed.NeedsMore() && !document_.fault && document_.tensors.empty() &&
           document_.metadata.size() == first.key_places.size();
  if (!whole_) return;
  document_.data_begin.reset();  // the data are in several files
  for (std::size_t i = 0; i < shards.size(); ++i) TakeTensors(*shards[i], i);
  document_.tensor_count = document_.tensors.size();
}

void JoinedShards::TakeTensors(const ShardFacts& facts, std::size_t shard) {
  for (const ShardFacts::Tensor& tensor : facts.directory) {
    document_.tensors.push_back({.name = facts.NameOf(tensor),
                                 .begin = tensor.begin,
                                 .dims = tensor.dims,
                                 .dimension_count = tensor.dimension_count,
                                 .type_id = tensor.type_id});
    origins_.push_back({.shard = shard, .index = tensor.index});
  }
}

std::vector<JoinedFinding> JoinedShards::Find() const {
  Policy policy = policy_;
  policy.findings_per_rule = kMostFindings;
  const MemorySource source(document_.prefix);
  Context context(document_, source, policy);
  Findings findings;
  findings.totals.resize(AllRules().size());
  findings.suppressed.resize(AllRules().size());
  RunRules(kJoinedRules, context, findings);
  std::vector<JoinedFinding> found;
  found.reserve(findings.list.size());
  for (Finding& finding : findings.list) found.push_back(InItsShard(std::move(finding)));
  return found;
}

JoinedFinding JoinedShards::InItsShard(Finding finding) const {
  if (finding.subject.section == Place::Section::kTensor) {
    const Origin& origin = origins_.at(finding.subject.index);
    finding.subject.index = origin.index;
    return {.shard = origin.shard, .finding = std::move(finding)};
  }
  const std::uint64_t entry = finding.subject.index;
  const ShardFacts::Key& key = shards_.front()->key_places.at(entry);
  finding.where.begin =
      key.begin + (finding.where.begin - document_.metadata.at(entry).range.begin);
  finding.subject.index = key.entry;
  return {.shard = 0, .finding = std::move(finding)};
}

}  // namespace ggufgate
