#include "check/shards/shard_set.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "bytes/checked.h"
#include "check/check.h"
#include "check/repeats/repeats.h"
#include "check/rule.h"
#include "check/rules/sink.h"
#include "check/rules/subject.h"
#include "check/shards/joined_shards.h"
#include "check/verdict.h"
#include "format/loader_limits.h"
#include "format/shard_name.h"

namespace ggufgate {
namespace {

Sink::Report AboutField(const ShardFacts::Field& field, std::string_view key,
                        ShardSetWording wording) {
  return {.where = field.where,
          .subject = {.section = Place::Section::kMetadata,
                      .index = field.entry,
                      .name = std::string(key)},
          .observed = field.value,
          .wording = wording};
}

// SetJudge checks one set, including each shard number. Each of its functions finds one kind of
// violation.
class SetJudge {
 public:
  SetJudge(const ShardSet& set, const Policy& policy)
      : set_(set), policy_(policy), found_(set.members.size()), broken_(set.members.size()) {
    for (Findings& findings : found_) {
      findings.totals.resize(AllRules().size());
      sinks_.emplace_back(RuleOf(RuleId::kShardSet), policy, findings);
    }
  }

  // FoundOf returns the findings about a member.
  [[nodiscard]] const Findings& FoundOf(std::size_t index) const { return found_.at(index); }

  void Judge() {
    // A complete model may also have the name 1 of 1.
    const auto is_shard = [this](const ShardMember& member) {
      return member.facts != nullptr && (member.facts->count.value > 1 || set_.count > 1);
    };
    if (std::ranges::none_of(set_.members, is_shard)) return WarnOfNames();
    CheckKeys();
    CheckNumbers();
    if (set_.alone) return;
    CheckMissing();
    CheckTotals();
    CheckNames();
    CheckJoined();
    WarnTheOthers();
  }

 private:
  void Report(std::size_t index, Sink::Report report) {
    sinks_.at(index).Add(std::move(report));
    broken_.at(index) = true;
  }

  // LacksKeys is true for a valid file without the keys of a shard.
  static bool LacksKeys(const ShardMember& member) {
    const auto fields = static_cast<std::size_t>(RuleId::kShardFields);
    const std::vector<std::uint64_t>& totals = member.findings->totals;
    return member.facts == nullptr && !member.unsound &&
           (fields >= totals.size() || totals.at(fields) == 0);
  }

  // WarnOfNames reports whole models that have names of shards. Loaders load each one separately.
  // Converters keep the name of a safetensors file, so it is not an error.
  void WarnOfNames() {
    if (set_.count < 2) return;
    for (std::size_t i = 0; i < set_.members.size(); ++i) {
      if (!LacksKeys(set_.members.at(i))) continue;
      Report(i, {.where = {}, .wording = ShardSetWording::kNoKeys, .at_most = Severity::kWarning});
    }
  }

  void CheckKeys() {
    for (std::size_t i = 0; i < set_.members.size(); ++i) {
      const ShardMember& member = set_.members.at(i);
      if (member.facts == nullptr) {
        if (LacksKeys(member)) Report(i, {.where = {}, .wording = ShardSetWording::kNoKeys});
        continue;
      }
      if (member.facts->count.value == set_.count) continue;
      Sink::Report report =
          AboutField(member.facts->count, "split.count", ShardSetWording::kOtherCount);
      report.allowed = std::uint64_t{set_.count};
      Report(i, std::move(report));
    }
  }

  void CheckNumbers() {
    struct Taken {
      std::uint64_t number;
      std::size_t member;
    };
    std::vector<Taken> taken;
    for (std::size_t i = 0; i < set_.members.size(); ++i) {
      const ShardFacts* facts = set_.members.at(i).facts;
      if (facts == nullptr || facts->count.value == 0) continue;
      taken.push_back({facts->number.value, i});
    }
    std::ranges::sort(taken, {},
                      [](const Taken& each) { return std::pair(each.number, each.member); });
    for (std::size_t i = 0; i < taken.size(); ++i) {
      const ShardMember& member = set_.members.at(taken.at(i).member);
      Sink::Report report =
          AboutField(member.facts->number, "split.no", ShardSetWording::kOtherNumber);
      if (i > 0 && taken.at(i - 1).number == taken.at(i).number) {
        report.wording = ShardSetWording::kRepeatedNumber;
        report.other = TextFact(set_.members.at(taken.at(i - 1).member).file);
      } else if (taken.at(i).number + 1 != member.number) {
        report.observed = taken.at(i).number + 1;
        report.allowed = std::uint64_t{member.number};
      } else {
        continue;
      }
      Report(taken.at(i).member, std::move(report));
    }
  }

  void CheckMissing() {
    auto member = set_.members.begin();
    for (std::uint32_t number = 1; number <= set_.count; ++number) {
      if (member != set_.members.end() && member->number == number) {
        ++member;
        continue;
      }
      const ShardName name{.stem = set_.stem, .number = number, .count = set_.count};
      Sink::Report report = {.where = {}, .wording = ShardSetWording::kMissing};
      if (const ShardFacts* facts = set_.members.front().facts) {
        report = AboutField(facts->count, "split.count", ShardSetWording::kMissing);
      }
      report.observed = TextFact(FileNameOf(name));
      Report(0, std::move(report));
    }
  }

  // The total is checked only if every shard exists and was parsed.
  void CheckTotals() {
    const ShardMember* first = nullptr;  // the first that states a total
    std::uint64_t tensors = 0;
    bool complete = set_.members.size() == set_.count;
    for (std::size_t i = 0; i < set_.members.size(); ++i) {
      const ShardMember& member = set_.members.at(i);
      complete = complete && member.facts != nullptr && !broken_.at(i);
      if (member.facts == nullptr) continue;
      tensors = CheckedAdd(tensors, member.facts->tensors).value_or(UINT64_MAX);
      if (!member.facts->tensors_of_all) continue;
      if (first == nullptr) first = &member;
      const std::uint64_t stated = first->facts->tensors_of_all->value;
      if (member.facts->tensors_of_all->value == stated) continue;
      Sink::Report report = AboutField(*member.facts->tensors_of_all, "split.tensors.count",
                                       ShardSetWording::kOtherTotal);
      report.allowed = stated;
      report.other = TextFact(first->file);
      Report(i, std::move(report));
    }
    if (!complete || first == nullptr) return;
    const std::uint64_t stated = first->facts->tensors_of_all->value;
    if (tensors == stated) return;
    Sink::Report report = AboutField(*first->facts->tensors_of_all, "split.tensors.count",
                                     ShardSetWording::kWrongTotal);
    report.observed = tensors;
    report.allowed = stated;
    Report(static_cast<std::size_t>(first - set_.members.data()), std::move(report));
  }

  void CheckNames() {
    struct Place {
      std::size_t member;
      const ShardFacts::Tensor* tensor;
    };
    std::vector<Place> places;
    for (std::size_t i = 0; i < set_.members.size(); ++i) {
      const ShardFacts* facts = set_.members.at(i).facts;
      if (facts == nullptr) continue;
      for (const ShardFacts::Tensor& tensor : facts->directory) places.push_back({i, &tensor});
    }
    const auto text_of = [&](const Place& place) {
      return set_.members.at(place.member).facts->NameOf(*place.tensor);
    };
    for (const Repeat repeat : FindRepeats(places, text_of)) {
      const Place& place = places.at(repeat.index);
      const Place& before = places.at(repeat.first);
      if (before.member == place.member) continue;  // rule tensor-name-duplicate reports it
      const TensorInfo record{.name = text_of(place), .begin = place.tensor->begin};
      Report(place.member, {.where = record.NameRange(),
                            .subject = {.section = ggufgate::Place::Section::kTensor,
                                        .index = place.tensor->index,
                                        .name = std::string(text_of(place))},
                            .other = TextFact(set_.members.at(before.member).file),
                            .wording = ShardSetWording::kRepeatedTensor});
    }
  }

  // AllShards returns the shards of a set that is complete and in order; otherwise empty.
  [[nodiscard]] std::vector<const ShardFacts*> AllShards() const {
    std::vector<const ShardFacts*> shards;
    if (set_.members.size() != set_.count) return {};
    for (const ShardMember& member : set_.members) {
      const ShardFacts* facts = member.facts;
      if (facts == nullptr || facts->number.value != shards.size()) return {};
      if (facts->count.value != set_.members.size()) return {};
      shards.push_back(facts);
    }
    return shards;
  }

  // CheckJoined checks the model that a loader builds from all shards, if the set is complete.
  void CheckJoined() {
    const std::vector<const ShardFacts*> shards = AllShards();
    if (shards.empty()) return;
    std::uint64_t tensors = 0;
    for (const ShardFacts* facts : shards) tensors += facts->directory.size();
    if (tensors > policy_.limits.tensors) {
      return ReportTooMany(ShardSetWording::kTooManyTensors, tensors, policy_.limits.tensors);
    }
    const JoinedShards joined(shards, policy_);
    if (!joined.IsWhole()) {
      return ReportTooMany(ShardSetWording::kTooManyKeys, shards.front()->key_bytes,
                           ShardFacts::kMostKeyBytes);
    }
    std::vector<JoinedFinding> found = joined.Find();
    std::erase_if(found, [&](const JoinedFinding& each) {
      return IsTold(*set_.members.at(each.shard).findings, each.finding);
    });
    std::ranges::sort(found, {}, [](const JoinedFinding& each) {
      return std::tuple(each.shard, each.finding.rule, each.finding.where.begin);
    });
    ReportJoined(found);
    for (std::size_t i = 0; i < found_.size(); ++i) {
      if (VerdictOf(found_.at(i), policy_) == Verdict::kReject) broken_.at(i) = true;
    }
  }

  // ReportTooMany reports a set that is too large to check as one model.
  void ReportTooMany(ShardSetWording wording, std::uint64_t observed, std::uint64_t allowed) {
    Sink::Report report = AboutField(set_.members.front().facts->count, "split.count", wording);
    report.observed = observed;
    report.allowed = allowed;
    Report(0, std::move(report));
  }

  // IsTold returns whether the check of a single file has the finding, or has unlisted findings of
  // the same rule.
  static bool IsTold(const Findings& findings, const Finding& finding) {
    const auto rule = static_cast<std::size_t>(finding.rule);
    std::uint64_t total = 0;  // without suppressed findings
    if (rule < findings.totals.size() && rule < findings.suppressed.size()) {
      total = findings.totals.at(rule) - findings.suppressed.at(rule);
    }
    std::uint64_t listed = 0;
    for (const Finding& other : findings.list) {
      if (other.rule != finding.rule) continue;
      if (!other.suppression) ++listed;
      if (other.where == finding.where && other.observed == finding.observed &&
          other.allowed == finding.allowed && other.releases == finding.releases) {
        return true;
      }
    }
    return total > listed;
  }

  // ReportJoined requires findings that are sorted by shard and rule.
  void ReportJoined(std::span<JoinedFinding> found) {
    std::optional<Sink> sink;
    for (std::size_t i = 0; i < found.size(); ++i) {
      auto& [shard, finding] = found[i];
      const bool same =
          i > 0 && found[i - 1].shard == shard && found[i - 1].finding.rule == finding.rule;
      if (!same) sink.emplace(RuleOf(finding.rule), policy_, found_.at(shard));
      const Wording wording = WordingOf(finding);
      sink->Add({.where = finding.where,
                 .subject = std::move(finding.subject),
                 .observed = std::move(finding.observed),
                 .allowed = std::move(finding.allowed),
                 .other = std::move(finding.other),
                 .wording = wording,
                 .releases = std::move(finding.releases),
                 .at_most = finding.severity});
    }
  }

  void WarnTheOthers() {
    const auto is_bad = [&](std::size_t i) { return broken_.at(i) || set_.members.at(i).unsound; };
    std::size_t bad = 0;
    while (bad < broken_.size() && !is_bad(bad)) ++bad;
    if (bad == broken_.size()) return;
    for (std::size_t i = 0; i < broken_.size(); ++i) {
      if (is_bad(i)) continue;
      Sink::Report report = {.where = {}, .wording = ShardSetWording::kBroken};
      report.other = TextFact(set_.members.at(bad).file);
      Report(i, std::move(report));
    }
  }

  const ShardSet& set_;
  const Policy& policy_;
  std::vector<Findings> found_;  // by member
  std::vector<Sink> sinks_;      // into found_
  std::vector<bool> broken_;     // by member: it has a finding of the set
};

void Merge(const Findings& found, Findings& findings) {
  findings.totals.resize(found.totals.size());
  findings.suppressed.resize(found.suppressed.size());
  for (std::size_t i = 0; i < found.totals.size(); ++i) {
    findings.totals.at(i) += found.totals.at(i);
    findings.suppressed.at(i) += found.suppressed.at(i);
  }
  findings.list.insert(findings.list.end(), found.list.begin(), found.list.end());
  SortFindings(findings);
}

}  // namespace

bool ShardFacts::IsSound() const {
  return std::ranges::all_of(directory,
                             [&](const Tensor& tensor) {
                               return tensor.name.FitsIn(names.size()) &&
                                      tensor.dimension_count <= tensor.dims.size() &&
                                      tensor.begin <= kMaximumSize;
                             }) &&
         std::ranges::all_of(key_places, [](const Key& key) { return key.begin <= kMaximumSize; });
}

void JudgeImpossibleName(const ShardName& name, const ShardFacts* facts, const Policy& policy,
                         Findings& findings) {
  const bool is_shard = facts != nullptr && facts->count.value > 1;
  Sink sink(RuleOf(RuleId::kShardSet), policy, findings);
  sink.Add({.where = {},
            .observed = std::uint64_t{name.number},
            .allowed = std::uint64_t{name.count},
            .wording = ShardSetWording::kImpossibleName,
            .at_most = is_shard ? Severity::kError : Severity::kWarning});
  SortFindings(findings);
}

void JudgeShardSet(const ShardSet& set, const Policy& policy) {
  ShardSet once{.stem = set.stem, .count = set.count, .members = {}, .alone = set.alone};
  for (const ShardMember& member : set.members) {
    const bool again = !once.members.empty() && once.members.back().number == member.number;
    if (!again) once.members.push_back(member);
  }
  SetJudge judge(once, policy);
  judge.Judge();
  for (const ShardMember& member : set.members) {
    const auto same = std::ranges::find(once.members, member.number, &ShardMember::number);
    Merge(judge.FoundOf(static_cast<std::size_t>(same - once.members.begin())), *member.findings);
  }
}

}  // namespace ggufgate
