#include "check/rules/contract/conditions/conditions.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <memory>
#include <optional>
#include <unordered_set>

#include "bytes/grouped.h"
#include "check/rules/contract/conditions/families/families.h"
#include "check/rules/contract/parameters/formula_words.h"
#include "check/rules/rule_functions.h"
#include "check/values.h"
#include "format/contracts/contract.h"
#include "format/key.h"

namespace ggufgate {
namespace {

using P = LoaderParameters;

// NextWord takes the first word from a list that is separated by spaces.
std::string_view NextWord(std::string_view& words) {
  const std::size_t end = std::min(words.find(' '), words.size());
  const std::string_view word = words.substr(0, end);
  words.remove_prefix(std::min(end + 1, words.size()));
  return word;
}

// ValueText prints the value of a key: text in quotes, or the first elements of an array of
// numbers.
std::string ValueText(const Context& context, const P& parameters, std::string_view name) {
  const MetadataEntry* entry = parameters.Find(name);
  if (entry == nullptr) return "absent";
  if (const auto text = context.document.StringOf(*entry))
    return "\"" + std::string(text->substr(0, 40)) + "\"";
  if (const auto real = FloatOf(context.document, *entry)) return std::to_string(*real);
  const auto signed_of = [](Number value) { return static_cast<std::int64_t>(value); };
  if (!parameters.IsArray(name)) return GroupedSigned(signed_of(parameters.Value(name)));
  constexpr Number kShown = 8;
  const Number count = parameters.Count(name);
  std::string text = "[";
  for (Number i = 0; i < std::min(count, kShown); ++i) {
    text += (i > 0 ? ", " : "") + std::to_string(signed_of(parameters.At(name, i)));
  }
  return text + (count > kShown ? ", …]" : "]");
}

// EntryOf returns the first key of a condition that the file has; otherwise the architecture.
const MetadataEntry& EntryOf(const Context& context, const Condition& condition,
                             const P& parameters) {
  for (std::string_view keys = condition.keys; !keys.empty();) {
    if (const MetadataEntry* entry = parameters.Find(NextWord(keys))) return *entry;
  }
  return *context.document.Find("general.architecture");
}

// ValuesText prints the values of all keys of a condition: "value is 33, attention.key_length is
// absent". "value" replaces the name of the first key if the finding points to it.
std::string ValuesText(const Context& context, const Condition& condition, const P& parameters,
                       const MetadataEntry& place) {
  std::string text;
  for (std::string_view keys = condition.keys; !keys.empty();) {
    const std::string_view name = NextWord(keys);
    const bool first = text.empty();
    if (!first) text += ", ";
    text += first && parameters.Find(name) == &place ? "value" : name;
    text += " is " + ValueText(context, parameters, name);
  }
  return text;
}

// IsSaidElsewhere returns whether rule divisor-missing or divisor-zero reports the same key.
bool IsSaidElsewhere(const Context& context, const Condition& condition, const P& parameters) {
  const ArchitectureInfo* info = context.parameters.info();
  if (condition.slug == "first-heads-none" && DividesByHeads(context.parameters)) return true;
  std::string_view keys = condition.keys;
  const std::string_view key = NextWord(keys);
  if (info == nullptr || !parameters.Has(key) || parameters.Value(key) != 0) return false;
  for (std::string_view divisors = info->divisors; !divisors.empty();) {
    if (NextWord(divisors) == key) return true;
  }
  return false;
}

// NeedsAbsent returns whether a condition uses one of AbsentKeysOf().
bool NeedsAbsent(const Context& context, const Condition& condition) {
  const std::vector<std::string>& absent = AbsentKeysOf(context);
  const std::size_t prefix = context.parameters.architecture().size() + 1;
  for (std::string_view keys = condition.keys; !absent.empty() && !keys.empty();) {
    const std::string_view key = NextWord(keys);
    if (std::ranges::any_of(absent, [&](std::string_view one) {
          return one.size() > prefix && one.substr(prefix) == key;
        })) {
      return true;
    }
  }
  return false;
}

// HasWrongLength returns whether a condition uses an array without one number for each layer. Rule
// per-layer-array-length reports it, and the loader refuses it.
bool HasWrongLength(const Context& context, const Condition& condition, const P& parameters) {
  const std::string_view architecture = context.parameters.architecture();
  for (std::string_view keys = condition.keys; !keys.empty();) {
    const MetadataEntry* entry = parameters.Find(NextWord(keys));
    if (entry == nullptr || entry->type != ValueType::kArray) continue;
    const KeyInfo* key = FindKey(entry->key, architecture);
    const bool per_layer = key != nullptr && IsPerLayer(key->shape);
    const bool short_of_next = entry->count == context.parameters.LayersThatRead();
    if (per_layer && entry->count != context.parameters.Layers() && !short_of_next) return true;
  }
  return false;
}

// TakesArrays returns whether a tiny model that runs has an array under a key.
bool TakesArrays(const LoaderContract& contract, std::string_view name) {
  return std::ranges::any_of(contract.Lines("key"), [&](const ContractLine& line) {
    const std::optional<ContractKey> key = line.name == name ? KeyOf(line) : std::nullopt;
    return key && key->is_array;
  });
}

// HasUnmeasuredArray returns whether a condition uses an array under a key that no measured model
// has as an array. The loader refuses most such arrays.
bool HasUnmeasuredArray(const Context& context, const Condition& condition, const P& parameters) {
  const LoaderContract& contract = *context.contract();
  for (std::string_view keys = condition.keys; !keys.empty();) {
    const std::string_view name = NextWord(keys);
    if (!parameters.IsArray(name)) continue;
    const std::string_view key = parameters.Find(name)->key;
    if (FindKey(key, contract.architecture()) == nullptr && !TakesArrays(contract, name))
      return true;
  }
  return false;
}

Breach::Before BeforeOf(const Context& context, const Breach& breach, const P& parameters) {
  if (HasWrongLength(context, *breach.condition, parameters)) return Breach::Before::kRefused;
  if (HasUnmeasuredArray(context, *breach.condition, parameters)) {
    return Breach::Before::kMayBeRefused;
  }
  // Some assertions run before the loader refuses the file, others later.
  const bool at_load = breach.stage == "load";
  if (IsRefusedAtLoad(context)) {
    return at_load ? Breach::Before::kMayBeRefused : Breach::Before::kRefused;
  }
  constexpr std::array kFirst = {RuleId::kExpertRouting, RuleId::kLayerCounts,
                                 RuleId::kRopeScalingType};
  if (at_load && std::ranges::find(kFirst, breach.condition->rule) != kFirst.end()) {
    return Breach::Before::kNothing;
  }
  // The number of layers decides which tensors each layer needs.
  const bool kinds = breach.condition->rule == RuleId::kLayerCounts;
  return kinds || MayBeRefused(context) ? Breach::Before::kMayBeRefused : Breach::Before::kNothing;
}

// KnownStates remembers IsBroken() by condition. It depends on the file alone, and the contracts of
// several loaders have the same conditions.
class KnownStates {
 public:
  [[nodiscard]] bool IsBroken(const Condition& condition, const P& parameters) const {
    std::optional<bool>& state =
        states_.at(static_cast<std::size_t>(&condition - AllConditions().data()));
    if (!state) state = ggufgate::IsBroken(condition, parameters);
    return *state;
  }

 private:
  mutable std::vector<std::optional<bool>> states_ =
      std::vector<std::optional<bool>>(AllConditions().size());
};

std::vector<Breach> FindBreaches(const Context& context) {
  std::vector<Breach> breaches;
  const LoaderContract* contract = context.contract();
  if (contract == nullptr || !IsJudgedByContract(context)) return breaches;
  const LoaderParameters& parameters = LoaderParametersOf(context);
  const auto& states = context.cache.Get<KnownStates>([] { return KnownStates(); });
  for (const ContractLine& line : contract->Lines("condition")) {
    std::string_view fields = line.fields;
    const Condition* condition = FindCondition(line.name);
    Breach breach{.condition = condition, .ending = TakeField(fields), .stage = TakeField(fields)};
    // Without its tensors, the loader reads only the hyper-parameters, and then refuses the file.
    if (condition == nullptr || !states.IsBroken(*condition, parameters)) continue;
    if (breach.stage != "load" && !HasMostTensors(context, *contract)) {
      // Exception: this assertion runs before any tensor is created (llama-model.cpp:1262 of
      // v0.5.0).
      const Condition* next = FindCondition("next-layers");
      if (condition->slug != "next-layers-all" || !states.IsBroken(*next, parameters)) continue;
      breach = {.condition = next, .ending = "aborts", .stage = "load"};
    }
    if (NeedsAbsent(context, *condition)) continue;
    breach.before = BeforeOf(context, breach, parameters);
    if (!IsSaidElsewhere(context, *condition, parameters)) breaches.push_back(breach);
  }
  return breaches;
}

// Tally counts the tensors that a form requires and that a file has, by their names without layer.
struct Tally {
  std::uint64_t wanted = 0;
  std::uint64_t found = 0;
  std::uint64_t wanted_beside = 0;  // of `wanted`, those that belong to no layer
  std::uint64_t found_beside = 0;

  void Count(bool there, bool in_layer) {
    ++wanted;
    wanted_beside += in_layer ? 0 : 1;
    if (!there) return;
    ++found;
    found_beside += in_layer ? 0 : 1;
  }
  // IsOfModel: the tensors that a layer requires depend on the keys, and there may be none. The
  // tensors outside layers do not depend on keys.
  [[nodiscard]] bool IsOfModel() const {
    return wanted > 0 &&
           (found * 2 >= wanted || (found_beside > 0 && found_beside == wanted_beside));
  }
};

bool CountMostTensors(const Context& context, const LoaderContract& contract) {
  std::array<Tally, kContractFormCount> tallies{};
  const std::vector<std::string>& names = TensorPatternsOf(context).patterns();
  const std::unordered_set<std::string_view> patterns(names.begin(), names.end());
  for (const ContractLine& line : contract.Lines("tensor")) {
    if (!line.fields.ends_with(" required")) continue;  // skip most lines early
    const std::optional<ContractTensor> tensor = TensorOf(line);
    if (!tensor) continue;
    const std::string pattern = PatternOf(tensor->name);
    const bool there = patterns.contains(pattern);
    const bool in_layer = pattern.find('*') != std::string::npos;
    for (std::size_t form = 0; form < kContractFormCount; ++form) {
      if (!tensor->forms.Has(static_cast<ContractForm>(form))) continue;
      tallies.at(form).Count(there, in_layer);
    }
  }
  return std::ranges::any_of(tallies, &Tally::IsOfModel);
}

// IsOfIk is true of models of deepseek2 with one head of keys and values, and without
// key_length_mla and value_length_mla. ik_llama.cpp uses the widths of DeepSeek V3 and Kimi K2,
// 192 and 128 (llm_load_hparams in its src/llama-hparams.cpp).
bool IsOfIk(const LoaderParameters& parameters) {
  constexpr Number kKeys = 576;
  constexpr Number kRotated = 64;
  return parameters.architecture() == "deepseek2" && !formula::IsLatent(parameters) &&
         parameters.KeyValueHeads() == 1 && parameters.Heads() % 4 == 0 &&
         parameters.KeyWidth() == kKeys &&
         parameters.Value("attention.value_length") == kKeys - kRotated &&
         parameters.Rotated() == kRotated;
}

struct Stage {
  std::string_view word;
  std::string_view text;  // for people
};

constexpr std::array kStages = {Stage{"load", "while it loads"},
                                Stage{"context", "when it makes a context"},
                                Stage{"decode", "when it decodes"},
                                Stage{"encode", "when it encodes"},
                                Stage{"embeddings", "when it computes embeddings"},
                                Stage{"shift", "only when its context is shifted"}};

const Stage* StageNamed(std::string_view word) {
  const auto found = std::ranges::find(kStages, word, &Stage::word);
  return found != kStages.end() ? &*found : nullptr;
}

std::string EndingOf(const Breach& breach, bool of_ik) {
  if (breach.before == Breach::Before::kRefused) {
    return of_ik
               ? "refuses the file; ik_llama.cpp loads it: use ik_llama.cpp, or convert the model "
                 "with llama.cpp"
               : "refuses the file";
  }
  if (breach.before == Breach::Before::kMayBeRefused) {
    return "refuses the file or crashes";
  }
  return EndingText(breach.ending, breach.stage);
}

void ReportBreach(const Context& context, RuleId rule, Sink& sink) {
  for (const Breach& breach : BreachesOf(context)) {
    if (RuleOf(*breach.condition, breach.stage) != rule) continue;
    const LoaderParameters& parameters = LoaderParametersOf(context);
    const MetadataEntry& entry = EntryOf(context, *breach.condition, parameters);
    const bool of_ik = breach.before == Breach::Before::kRefused && IsOfIk(parameters);
    sink.Add({.where = entry.ValueRange(),
              .subject = MetadataSubject(context.document, entry),
              .observed = TextFact(ValuesText(context, *breach.condition, parameters, entry)),
              .allowed = TextFact(breach.condition->needs),
              .other = TextFact(EndingOf(breach, of_ik)),
              .at_most = of_ik ? Severity::kWarning : Severity::kError});
  }
}

}  // namespace

std::span<const Condition> AllConditions() {
  static const std::vector<Condition> all = [] {
    std::vector<Condition> made;
#define GGUFGATE_FAMILY(name) std::ranges::copy(name##Conditions(), std::back_inserter(made));
#include "check/rules/contract/conditions/families.def"
#undef GGUFGATE_FAMILY
    return made;
  }();
  return all;
}

const Condition* FindCondition(std::string_view slug) {
  static const std::vector<const Condition*> by_slug = [] {
    std::vector<const Condition*> made;
    for (const Condition& condition : AllConditions()) made.push_back(&condition);
    std::ranges::sort(made, {}, &Condition::slug);
    return made;
  }();
  const auto found = std::ranges::lower_bound(by_slug, slug, {}, &Condition::slug);
  return found != by_slug.end() && (*found)->slug == slug ? *found : nullptr;
}

bool IsJudgedByContract(const Document& document, const HyperParameters& parameters) {
  if (!HasAllMetadata(document) || IsFurtherShard(document)) return false;
  // The loader refuses a file without these keys before it reads any other.
  constexpr std::array<std::string_view, 3> kFirst = {"context_length", "embedding_length",
                                                      "block_count"};
  return std::ranges::all_of(
      kFirst, [&](std::string_view key) { return parameters.Unsigned(key).has_value(); });
}

bool IsJudgedByContract(const Context& context) {
  return IsJudgedByContract(context.document, context.parameters);
}

bool HasMostTensors(const Context& context, const LoaderContract& contract) {
  struct MostTensors {
    bool there;
  };
  // For a first shard, the loader opens the others, whatever tensors the first one has.
  if (HasOtherShards(context.document)) return true;
  return context.cache
      .Get<MostTensors>([&] { return MostTensors{CountMostTensors(context, contract)}; })
      .there;
}

RuleId RuleOf(const Condition& condition, std::string_view stage) {
  const bool published =
      condition.rule == RuleId::kContextUnshiftable || condition.rule == RuleId::kCacheType;
  return stage == "shift" && !published ? RuleId::kContextShift : condition.rule;
}

const LoaderContract* ContractOfModel(const Context& context) {
  if (!IsWhole(context.document) || !IsJudgedByContract(context)) return nullptr;
  const LoaderContract* contract = context.contract();
  return contract != nullptr && HasMostTensors(context, *contract) ? contract : nullptr;
}

bool IsBroken(const Condition& condition, const LoaderParameters& parameters) {
  for (std::string_view keys = condition.keys; !keys.empty();) {
    if (!parameters.Readable(NextWord(keys))) return false;
  }
  return condition.broken(parameters);
}

const std::vector<Breach>& BreachesOf(const Context& context) {
  return context.cache.Get<std::vector<Breach>>([&] { return FindBreaches(context); });
}

bool IsEnding(std::string_view word) {
  return formula::OneOf(word, {"aborts", "crashes", "hangs", "corrupts", "exhausts"});
}

bool IsStage(std::string_view word) { return StageNamed(word) != nullptr; }

std::string EndingText(std::string_view ending, std::string_view stage) {
  const Stage* found = StageNamed(stage);
  const std::string_view verb = ending == "exhausts" ? "runs out of memory" : ending;
  return std::string(verb) + " " + std::string(found != nullptr ? found->text : stage);
}

#define GGUFGATE_CONTRACT_RULE(name)                     \
  void Check##name(const Context& context, Sink& sink) { \
    ReportBreach(context, RuleId::k##name, sink);        \
  }
#include "check/rules/contract/conditions/condition_rules.def"
#undef GGUFGATE_CONTRACT_RULE

}  // namespace ggufgate
