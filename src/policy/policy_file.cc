#include "policy/policy_file.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "check/loaders/loader_names.h"
#include "check/rule.h"
#include "policy/policy_values.h"

namespace ggufgate {
namespace {

using internal::kSeverityWords;
using internal::Shown;
using Kind = TomlValue::Kind;

// Reader fills a policy from a file, and records all errors.
class Reader {
 public:
  explicit Reader(ParsedPolicy& result) : result_(result) {}

  void Read(const TomlValue& root, std::optional<Profile> profile);

 private:
  // Meaning is a key with the function that reads its entry.
  struct Meaning {
    std::string_view key;
    void (Reader::*read)(const TomlEntry& entry);
  };

  void Say(TextPlace at, std::string what) { problems_.push_back({at, std::move(what)}); }
  void SayUnknown(const TomlEntry& entry, std::span<const std::string_view> known) {
    problems_.push_back(internal::UnknownKey(entry, known));
  }

  void ReadSchema(const TomlValue& root);
  void ReadProfile(const TomlValue& root, std::optional<Profile> profile);
  void ReadNothing(const TomlEntry& /*entry*/) {}  // was read before all others
  void ReadFailOn(const TomlEntry& entry);
  void ReadData(const TomlEntry& entry);
  void ReadRehearsal(const TomlEntry& entry);
  void ReadTarget(const TomlEntry& entry);
  void ReadLoaders(const TomlEntry& entry);
  void ReadFindingsPerRule(const TomlEntry& entry);
  void ReadSeverities(const TomlEntry& entry);
  void ReadLimits(const TomlEntry& entry);
  void ReadAllow(const TomlEntry& entry);
  void ReadTensorTypes(const TomlEntry& entry);
  void ReadSuppressions(const TomlEntry& entry) {
    internal::ReadSuppressions(entry, policy_, problems_);
  }

  ParsedPolicy& result_;
  Policy& policy_ = result_.policy;
  internal::Problems& problems_ = result_.problems;
};

// A file without a schema may have any contents: another program's, or only the end of a policy.
void Reader::ReadSchema(const TomlValue& root) {
  const TomlEntry* entry = internal::FindEntry(root, "schema");
  if (entry == nullptr) {
    return Say({}, absl::StrCat("key schema is missing; a policy begins with schema = \"",
                                std::string(kPolicySchema), "\""));
  }
  const std::array words = {kPolicySchema};
  (void)internal::IndexIn(*entry, words, problems_);
}

void Reader::ReadProfile(const TomlValue& root, std::optional<Profile> profile) {
  if (const TomlEntry* entry = internal::FindEntry(root, "profile")) {
    const auto index = internal::IndexIn(*entry, kProfileWords, problems_);
    if (index && !profile) profile = static_cast<Profile>(*index);
  }
  policy_ = PolicyFor(profile.value_or(Profile::kGate));
}

void Reader::Read(const TomlValue& root, std::optional<Profile> profile) {
  constexpr std::array kMeanings = {
      Meaning{"schema", &Reader::ReadNothing},
      Meaning{"profile", &Reader::ReadNothing},
      Meaning{"fail_on", &Reader::ReadFailOn},
      Meaning{"data", &Reader::ReadData},
      Meaning{"rehearsal", &Reader::ReadRehearsal},
      Meaning{"target", &Reader::ReadTarget},
      Meaning{"loaders", &Reader::ReadLoaders},
      Meaning{"findings_per_rule", &Reader::ReadFindingsPerRule},
      Meaning{"severity", &Reader::ReadSeverities},
      Meaning{"limits", &Reader::ReadLimits},
      Meaning{"allow", &Reader::ReadAllow},
      Meaning{"suppress", &Reader::ReadSuppressions},
  };
  std::array<std::string_view, kMeanings.size()> keys;
  std::ranges::transform(kMeanings, keys.begin(), &Meaning::key);

  ReadSchema(root);
  ReadProfile(root, profile);  // first, because it sets all values that the other keys change
  for (const TomlEntry& entry : root.entries) {
    if (internal::IsFull(problems_)) return;
    const auto found = std::ranges::find(kMeanings, entry.key, &Meaning::key);
    if (found == kMeanings.end()) {
      SayUnknown(entry, keys);
    } else {
      (this->*found->read)(entry);
    }
  }
}

void Reader::ReadFailOn(const TomlEntry& entry) {
  const std::span<const std::string_view> words(kSeverityWords);
  const auto index =
      internal::IndexIn(entry, words.first(3), problems_);  // "off" would reject nothing
  if (index) policy_.fail_on = internal::SeverityAt(*index);
}

void Reader::ReadData(const TomlEntry& entry) {
  const auto index = internal::IndexIn(entry, kDataScanWords, problems_);
  if (index) policy_.data = static_cast<DataScan>(*index);
}

void Reader::ReadRehearsal(const TomlEntry& entry) {
  const auto index = internal::IndexIn(entry, kRehearsalNeedWords, problems_);
  if (index) policy_.rehearsal = static_cast<RehearsalNeed>(*index);
}

void Reader::ReadTarget(const TomlEntry& entry) {
  const auto index = internal::IndexIn(entry, kTargetOrderWords, problems_);
  if (index) policy_.target = static_cast<TargetOrder>(*index);
}

void Reader::ReadLoaders(const TomlEntry& entry) {
  if (!JudgesLoaders(policy_.profile)) {
    return Say(entry.at, "loaders needs profile gate or llama.cpp; others do not judge loaders");
  }
  for (const TomlValue* name : internal::TextsIn(entry, problems_)) {
    NamedLoader loader = LoaderNamed(name->text);
    for (auto& contracts : loader.contracts) AddLoader(std::move(contracts), policy_);
    if (!loader.contracts.empty()) continue;
    const std::vector<std::string> known = LoaderNames();
    Say(name->at, absl::StrCat("there are no contracts of loader ", Shown(name->text),
                               "; known: ", absl::StrJoin(known, ", ")));
  }
}

void Reader::ReadFindingsPerRule(const TomlEntry& entry) {
  const auto number = internal::IntegerIn(entry, 1, kMostFindingsPerRule, problems_);
  if (number) policy_.findings_per_rule = *number;
}

void Reader::ReadSeverities(const TomlEntry& table) {
  if (!internal::HasKind(table, Kind::kTable, problems_)) return;
  for (const TomlEntry& entry : table.value.entries) {
    if (internal::IsFull(problems_)) return;
    const Rule* rule = internal::RuleNamed(entry.key, entry.at, problems_);
    if (rule == nullptr) continue;
    const auto index = internal::IndexIn(entry, kSeverityWords, problems_);
    if (!index) continue;
    const auto severity = internal::SeverityAt(*index);
    if (OnlyAFault(*rule) && severity != Severity::kError) {
      Say(entry.value.at, absl::StrCat(entry.key,
                                       " is always an error: bytes after such a fault cannot be "
                                       "read, so they were not checked"));
      continue;
    }
    policy_.severities.push_back({.rule = rule->id, .severity = severity});
  }
  // PolicyText() prints this order, so a printed policy reads back to the same one.
  std::ranges::sort(policy_.severities, {}, &SeverityChoice::rule);
}

void Reader::ReadLimits(const TomlEntry& table) {
  if (!internal::HasKind(table, Kind::kTable, problems_)) return;
  std::vector<std::string_view> names;
  for (const LimitInfo& limit : AllLimits()) names.push_back(limit.name);
  for (const TomlEntry& entry : table.value.entries) {
    if (internal::IsFull(problems_)) return;
    const auto limit = std::ranges::find(AllLimits(), entry.key, &LimitInfo::name);
    if (limit == AllLimits().end()) {
      SayUnknown(entry, names);
    } else if (const auto value = internal::LimitIn(entry, *limit, problems_)) {
      policy_.limits.*limit->value = *value;
    }
  }
}

void Reader::ReadAllow(const TomlEntry& table) {
  constexpr std::array<std::string_view, 2> kKeys = {"architectures", "tensor_types"};
  if (!internal::HasKind(table, Kind::kTable, problems_)) return;
  for (const TomlEntry& entry : table.value.entries) {
    if (internal::IsFull(problems_)) return;
    if (entry.key == "architectures") {
      for (const TomlValue* name : internal::TextsIn(entry, problems_)) {
        policy_.architectures.push_back(name->text);
      }
    } else if (entry.key == "tensor_types") {
      ReadTensorTypes(entry);
    } else {
      SayUnknown(entry, kKeys);
    }
  }
}

void Reader::ReadTensorTypes(const TomlEntry& entry) {
  for (const TomlValue* name : internal::TextsIn(entry, problems_)) {
    if (const TensorTypeInfo* type = FindTensorTypeNamed(name->text)) {
      policy_.tensor_types.push_back(type->type);
      continue;
    }
    std::vector<std::string_view> names;
    for (const TensorTypeInfo& type : AllTensorTypes()) names.push_back(type.name);
    std::string upper = name->text;  // the names of types are in upper case
    std::ranges::transform(upper, upper.begin(), [](char c) {
      return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    });
    Say(name->at, absl::StrCat("there is no tensor type ", Shown(name->text),
                               internal::DidYouMean(upper, names)));
  }
}

}  // namespace

ParsedPolicy ParsePolicy(std::string_view text, std::optional<Profile> profile) {
  ParsedPolicy result;
  TomlDocument document = ParseToml(text);
  result.problems = std::move(document.problems);
  if (!result.problems.empty()) return result;
  Reader(result).Read(document.root, profile);
  std::ranges::sort(result.problems, {}, [](const TextProblem& problem) {
    return std::tuple(problem.at, std::string_view(problem.what));
  });
  return result;
}

}  // namespace ggufgate
