// A file's claims about itself may add rules, but must not remove any. Each key that switches rules
// is set to each of its values in each rejected file of the corpus: all earlier findings must
// remain. If a loader obeys the key itself, the rules that the key governs may disappear. The same
// applies to each key of an architecture that such a file lacks.

#include <functional>
#include <map>
#include <set>

#include "check/rule.h"
#include "check/values.h"
#include "format/key.h"
#include "tests/conformance/corpus.h"
#include "tests/support/matchers.h"
#include "tests/support/sizes.h"
#include "tests/support/texts/patterns.h"

namespace ggufgate::testing {
namespace {

using Edit = std::function<void(Model&)>;

// Switch is a key that enables or disables a rule.
struct Switch {
  // The key; after a blank, the other keys that are set with it.
  std::string name;
  std::vector<Edit> values;
  // The rules that may disappear, if a loader obeys the key.
  std::function<bool(const Rule&)> governs;
};

void PrintTo(const Switch& of, std::ostream* out) { *out << of.name; }

bool Nothing(const Rule& /*rule*/) { return false; }

std::function<bool(const Rule&)> Families(std::set<Family> families) {
  return [of = std::move(families)](const Rule& rule) { return of.contains(rule.family); };
}

// To returns edits that set `key` to each of these values.
template <typename T>
std::vector<Edit> To(const std::string& key, const std::vector<T>& values) {
  std::vector<Edit> edits;
  for (const T& value : values) {
    edits.push_back([key, value](Model& model) { model.Set(key, value); });
  }
  return edits;
}

std::vector<Edit> ToBools(const std::string& key) {
  return {[key](Model& model) { model.Set(key, false); },
          [key](Model& model) { model.Set(key, true); }};
}

std::vector<Edit> Joined(std::vector<Edit> edits, const std::vector<Edit>& more) {
  edits.insert(edits.end(), more.begin(), more.end());
  return edits;
}

std::vector<Edit> Tokenizers() {
  const std::vector<std::string> words = {
#define GGUFGATE_TOKENIZER(word, ...) word,
#include "format/tokenizers/tokenizers.def"
#undef GGUFGATE_TOKENIZER
      "x", ""};
  return To("tokenizer.ggml.model", words);
}

std::vector<Edit> Shard(std::uint16_t number) {
  return {[number](Model& model) {
    model.Set("split.no", number).Set("split.count", std::uint16_t{2});
    model.Set("split.tensors.count", std::int32_t{INT32_MAX});
  }};
}

// The architecture identifies a model. It decides about rules of hyper-parameters, and about the
// tables of experts that the graph reads.
bool IsOfModels(const Rule& rule) {
  return rule.family == Family::kHyperParameters || rule.id == RuleId::kExpertIndex;
}

bool IsOfArchitecture(const Rule& rule) {
  return IsOfModels(rule) || rule.family == Family::kTokenizer || rule.family == Family::kResources;
}

// Another shard may have the missing tensor. A shard that has only halves of adapter matrices may
// belong to a model: loaders treat it as an adapter only if general.type says so.
bool IsOfFirstShard(const Rule& rule) {
  return rule.id == RuleId::kTensorUsed || rule.id == RuleId::kTensorRole ||
         rule.id == RuleId::kAdapter;
}

bool IsOfFurtherShard(const Rule& rule) { return IsOfModels(rule) || rule.id == RuleId::kAdapter; }

const std::vector<Switch>& Switches() {
  using enum Family;
  using U16s = std::vector<std::uint16_t>;
  using U32s = std::vector<std::uint32_t>;
  using I32s = std::vector<std::int32_t>;
  using Texts = std::vector<std::string>;
  static const auto* const switches = new std::vector<Switch>{
      {"general.type",
       Joined(To("general.type", Texts{"model", "adapter", "mmproj", "imatrix", "x", ""}),
              To("general.type", U32s{0})),
       Nothing},
      {"adapter.type", To("adapter.type", Texts{"lora", "dora", ""}), Nothing},
      {"adapter.alora.invocation_tokens",
       To("adapter.alora.invocation_tokens", std::vector<U32s>{{}, {1}}), Nothing},
      {"split.no", Joined(To("split.no", U16s{0, 1, 2, UINT16_MAX}), To("split.no", U32s{1})),
       Nothing},
      {"split.count",
       Joined(To("split.count", U16s{0, 1, 2, UINT16_MAX}), To("split.count", U32s{2})), Nothing},
      {"split.tensors.count", To("split.tensors.count", I32s{-1, 0, 1, INT32_MAX}), Nothing},
      {"split.no first", Shard(0), IsOfFirstShard},
      // A loader reads no other metadata of it.
      {"split.no second", Shard(1), IsOfFurtherShard},
      {"general.architecture",
       To("general.architecture", Texts{"x", "", "clip", "controlvector", "flux"}),
       IsOfArchitecture},
      {"clip.projector_type", To("clip.projector_type", Texts{"mlp", "x", ""}), Nothing},
      {"clip.vision.projector_type", To("clip.vision.projector_type", Texts{"mlp", "x", ""}),
       Nothing},
      {"clip.gen.audio.projector_type",
       To("clip.gen.audio.projector_type", Texts{"pockettts_gen", "x", ""}), Nothing},
      {"clip.audio.projector_type", To("clip.audio.projector_type", Texts{"mlp", "x", ""}),
       Nothing},
      {"general.alignment", To("general.alignment", U32s{8, 32, 64}),
       Families({kContainer, kDataLayout, kMetadata, kTensorData})},
      {"general.name", To("general.name", Texts{"phi-3", "x", ""}), Nothing},
      {"general.quantization_version", To("general.quantization_version", U32s{0, 2, 3}), Nothing},
      {"general.file_type", To("general.file_type", U32s{0, 1, 7, 1000}), Nothing},
      {"tokenizer.ggml.model", Tokenizers(), Families({kTokenizer, kResources})},
      {"tokenizer.ggml.pre", To("tokenizer.ggml.pre", Texts{"default", "gemma4", "x", ""}),
       Families({kTokenizer})},
      {"tokenizer.ggml.add_bos_token", ToBools("tokenizer.ggml.add_bos_token"),
       Families({kTokenizer})},
      {"tokenizer.ggml.add_eos_token", ToBools("tokenizer.ggml.add_eos_token"),
       Families({kTokenizer})},
  };
  return *switches;
}

// Keys that rules name because of their contents: a change of such a key changes the checked data.
const std::set<std::string> kContents = {"clip.",
                                         "clip.audio.block_count",
                                         "clip.vision.block_count",
                                         "clip.vision.image_grid_pinpoints",
                                         "clip.vision.image_max_pixels",
                                         "clip.vision.image_mean",
                                         "clip.vision.image_min_pixels",
                                         "clip.vision.image_size",
                                         "clip.vision.image_std",
                                         "clip.vision.patch_size",
                                         "clip.vision.preproc_image_size",
                                         "general.license",
                                         "split.",
                                         "tokenizer.",
                                         "tokenizer.chat_template",
                                         "tokenizer.ggml.",
                                         "tokenizer.ggml.added_tokens",
                                         "tokenizer.ggml.bos_token_id",
                                         "tokenizer.ggml.cls_token_id",
                                         "tokenizer.ggml.eos_token_id",
                                         "tokenizer.ggml.merges",
                                         "tokenizer.ggml.padding_token_id",
                                         "tokenizer.ggml.precompiled_charsmap",
                                         "tokenizer.ggml.scores",
                                         "tokenizer.ggml.seperator_token_id",
                                         "tokenizer.ggml.token_type",
                                         "tokenizer.ggml.tokens",
                                         "tokenizer.ggml.unknown_token_id"};

// --- keys that only the code lists ---------------------------------------------------------------

// KeysIn returns the keys without an architecture in some code, and the prefixes of such keys.
std::set<std::string> KeysIn(const std::string& code) {
  std::set<std::string> keys;
  const auto find = [&](const std::string& pattern, const std::string& prefix) {
    for (const std::string& name : FindAll(code, pattern, 1)) keys.insert(prefix + name);
  };
  find(R"re("((general|split|adapter|tokenizer|clip|imatrix|controlvector)\.[a-z0-9_.]*)")re", "");
  find(R"re(KeyMember\{"([a-z_]+)")re", "tokenizer.ggml.");
  if (code.find("kArchitectureKey") != std::string::npos) keys.emplace(kArchitectureKey);
  if (code.find("kAlignmentKey") != std::string::npos) keys.emplace(kAlignmentKey);
  return keys;
}

// ForEachFileOfTheRules passes the text of each file in src/check, without prose.
void ForEachFileOfTheRules(const std::function<void(const std::string&)>& take) {
  const std::filesystem::path folder = std::filesystem::path(GGUFGATE_SOURCE_DIR) / "src/check";
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file() || entry.path().filename() == "rules.def") continue;
    const FileBytes bytes = ReadBytes(entry.path());
    take(std::string(bytes.begin(), bytes.end()));
  }
}

// CodeByKey returns the keys that rules name, with the code of the files that name them.
std::map<std::string, std::string> CodeByKey() {
  std::map<std::string, std::string> by_key;
  ForEachFileOfTheRules([&](const std::string& code) {
    for (const std::string& key : KeysIn(code)) by_key[key] += code;
  });
  return by_key;
}

// SwitchFor returns a switch for a key of a new rule. Its values are the texts in quotes of the
// code, because the rule may compare the value with them, and a few others.
Switch SwitchFor(const std::string& key, const std::string& code) {
  std::set<std::string> texts = {"", "x"};
  for (const std::string& text : FindAll(code, R"re("([A-Za-z0-9_:-]{1,32})")re", 1)) {
    texts.insert(text);
  }
  using U32s = std::vector<std::uint32_t>;
  std::vector<Edit> values = To(key, std::vector<std::string>(texts.begin(), texts.end()));
  values = Joined(std::move(values), To(key, U32s{0, 1, UINT32_MAX}));
  values = Joined(std::move(values), To(key, std::vector<U32s>{{}, {1}}));
  return {key, Joined(std::move(values), ToBools(key)), Nothing};
}

std::string KeyOf(const Switch& of) { return of.name.substr(0, of.name.find(' ')); }

// AllSwitches returns the listed switches, and one for every other key that rules name.
const std::vector<Switch>& AllSwitches() {
  static const auto* const all = [] {
    auto* switches = new std::vector<Switch>(Switches());
    std::set<std::string> listed = kContents;
    for (const Switch& each : Switches()) listed.insert(KeyOf(each));
    for (const auto& [key, code] : CodeByKey()) {
      if (!listed.contains(key) && !key.ends_with('.')) {
        switches->push_back(SwitchFor(key, code));
      }
    }
    return switches;
  }();
  return *all;
}

std::uint64_t SizeOfMetadata(const Model& model) {
  std::uint64_t size = 0;
  for (const Model::Entry& entry : model.metadata) {
    size += 12 + entry.key.size() + entry.payload.size();
  }
  return size;
}

// KeepPlaces adds a label of such a length that the data keep their offset within a block of 32.
void KeepPlaces(Model& model, std::uint64_t size_before) {
  constexpr std::uint64_t kBlock = 32;
  model.Set("general.description", "");
  const std::uint64_t over = (SizeOfMetadata(model) - size_before) % kBlock;
  model.Set("general.description", std::string((kBlock - over) % kBlock, 'x'));
}

// Rejected is a model of the corpus with its errors, except those about one key.
struct Rejected {
  std::string path;
  Model model;
  Policy policy;
  std::string architecture;
  std::vector<Finding> errors;

  [[nodiscard]] std::set<RuleId> RulesBeside(const std::string& key) const {
    std::set<RuleId> rules;
    for (const Finding& finding : errors) {
      if (finding.subject.name != key) rules.insert(finding.rule);
    }
    return rules;
  }
};

std::vector<Finding> ErrorsOf(const Judged& judged) {
  std::vector<Finding> errors;
  for (const Finding& finding : judged.checked.findings.list) {
    if (finding.severity == Severity::kError) errors.push_back(finding);
  }
  return errors;
}

// Remedy tells the author of a rule what to do about a key whose value silences another rule.
std::string Remedy(const std::string& key, const Rule& silent) {
  return "\nIf no loader obeys " + key + ", correct the rule that reads it in src/check/rules. " +
         "If a loader obeys it, add this line to Switches() in tests/conformance/claims_test.cc, " +
         "with the values that matter:\n      {\"" + key + "\", To(\"" + key +
         "\", Texts{\"x\"}), [](const Rule& rule) { return rule.slug == \"" +
         std::string(silent.slug) + "\"; }},\nIf its value is data that rules check, add \"" + key +
         "\" to kContents there.";
}

// The models that are parsed completely, and that are still rejected when they are written again.
const std::vector<Rejected>& AllRejected() {
  static const auto* const rejected = [] {
    auto* list = new std::vector<Rejected>;
    for (const CorpusFile& file : Corpus()) {
      if (file.AcceptedBy("gate")) continue;
      const FileBytes bytes = ReadBytes(CorpusFolder() / file.path);
      const ParseResult parsed = Parse(bytes, bytes.size(), {});
      if (parsed.NeedsMore() || parsed.document.fault) continue;
      Rejected one{.path = file.path,
                   .model = ModelOf(parsed.document, bytes),
                   .policy = file.PolicyIn(Profile::kGate),
                   .architecture = std::string(ArchitectureOf(parsed.document))};
      if (one.architecture.empty()) one.architecture = "llama";
      one.errors = ErrorsOf(Judge(one.model, one.policy));
      if (!one.errors.empty()) list->push_back(std::move(one));
    }
    return list;
  }();
  return *rejected;
}

bool HasSplitKeys(const Model& model) {
  return std::ranges::any_of(
      model.metadata, [](const Model::Entry& entry) { return entry.key.starts_with("split."); });
}

class Claims : public ::testing::TestWithParam<Switch> {};

TEST_P(Claims, TakeNoRuleAway) {
  const Switch& of = GetParam();
  const std::string key = KeyOf(of);
  for (const Rejected& rejected : AllRejected()) {
    // A shard becomes another one.
    if (key.starts_with("split.") && HasSplitKeys(rejected.model)) continue;
    for (std::size_t i = 0; i < of.values.size(); ++i) {
      Model model = rejected.model;
      of.values[i](model);
      KeepPlaces(model, SizeOfMetadata(rejected.model));
      const Judged judged = Judge(model, rejected.policy);
      std::set<RuleId> now;
      for (const Finding& finding : ErrorsOf(judged)) now.insert(finding.rule);
      for (const RuleId rule : rejected.RulesBeside(key)) {
        EXPECT_TRUE(now.contains(rule) || of.governs(RuleOf(rule)))
            << rejected.path << ": " << RuleOf(rule).slug << " is silent with value " << i
            << (judged.Accepted() ? ", and the file is accepted" : "") << Remedy(key, RuleOf(rule));
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(OfEachKey, Claims, ::testing::ValuesIn(AllSwitches()), [](const auto& of) {
  std::string name = of.param.name;
  std::ranges::replace_if(name, [](char c) { return c == '.' || c == ' '; }, '_');
  return name;
});

TEST(ClaimsCorpus, HasFilesOfEveryFamily) {
  std::set<Family> families;
  for (const Rejected& rejected : AllRejected()) {
    for (const Finding& finding : rejected.errors) families.insert(RuleOf(finding.rule).family);
  }
  using enum Family;
  for (const Family family : {kContainer, kMetadata, kTensorDirectory, kDataLayout, kTensorData,
                              kHyperParameters, kTokenizer, kChatTemplate, kSidecars}) {
    EXPECT_TRUE(families.contains(family)) << WordFor(family);
  }
  EXPECT_GT(AllRejected().size(), 150U);
}

// --- the list of switches agrees with the code ---------------------------------------------------

TEST(ClaimsList, FindsTheKeysOfCode) {
  EXPECT_THAT(KeysIn(R"(Find("general.new"); key == "split." KeyMember{"pre", x}; kAlignmentKey)"),
              ElementsAre("general.alignment", "general.new", "split.", "tokenizer.ggml.pre"));
  EXPECT_THAT(KeysIn(R"(a general.type; "llama.block_count" "generally")"), IsEmpty());
}

TEST(ClaimsList, IsThatOfTheCode) {
  std::set<std::string> listed = kContents;
  for (const Switch& each : Switches()) listed.insert(KeyOf(each));
  const std::map<std::string, std::string> named = CodeByKey();
  for (const auto& [key, code] : named) {
    if (!key.ends_with('.')) continue;  // AllSwitches has the others
    EXPECT_TRUE(listed.contains(key))
        << "src/check names the prefix " << key << ". Add this line "
        << "to kContents in tests/conformance/claims_test.cc:\n    \"" << key << "\",";
  }
  for (const std::string& key : listed) {
    EXPECT_TRUE(named.contains(key))
        << "No rule names " << key << " any more. Remove its line from Switches() or kContents in "
        << "tests/conformance/claims_test.cc.";
  }
}

TEST(ClaimsList, TakesTheValuesOfOtherKeysFromTheCode) {
  const Switch of = SwitchFor("general.new", R"(Find("general.new") == "lite"; Find("x.y"))");
  std::set<std::string> texts;
  std::set<ValueType> types;
  for (const Edit& edit : of.values) {
    Model model;
    edit(model);
    const Model::Entry& entry = model.metadata.front();
    EXPECT_EQ(entry.key, "general.new");
    types.insert(ValueType{entry.type});
    constexpr std::size_t kLength = 8;
    if (ValueType{entry.type} == ValueType::kString) {
      texts.emplace(entry.payload.begin() + kLength, entry.payload.end());
    }
  }
  EXPECT_THAT(texts, ElementsAre("", "lite", "x"));
  EXPECT_THAT(
      types, ElementsAre(ValueType::kU32, ValueType::kBool, ValueType::kString, ValueType::kArray));
}

// --- keys of architectures -----------------------------------------------------------------------

// NamesIn returns the keys of an architecture that some code reads, without the architecture.
std::set<std::string> NamesIn(const std::string& code) {
  const std::vector<std::string> names = FindAll(
      code,
      R"re((Find|Unsigned|Value|At|SignedAt|Has|Most|Count|Real|Text|IsArray|WidthOf)\("([a-z0-9_.]+)")re",
      2);
  return {names.begin(), names.end()};
}

// Shapes returns the shapes of the keys of architectures: of all known keys, and of further ones
// that rules read.
const std::map<std::string, KeyShape>& Shapes() {
  static const auto* const shapes = [] {
    auto* of = new std::map<std::string, KeyShape>;
    constexpr std::string_view kArchitecture = "{arch}.";
    for (const KeyInfo& info : AllKeys()) {
      if (!info.pattern.starts_with(kArchitecture)) continue;
      of->emplace(info.pattern.substr(kArchitecture.size()), info.shape);
    }
    ForEachFileOfTheRules([&](const std::string& code) {
      for (const std::string& name : NamesIn(code)) {
        if (KeysIn('"' + name + '"').empty()) of->emplace(name, KeyShape::kInteger);
      }
    });
    return of;
  }();
  return *shapes;
}

// Additions returns values of a key that a file lacks.
std::vector<Edit> Additions(const std::string& key, KeyShape shape) {
  switch (shape) {
    case KeyShape::kInteger:
    case KeyShape::kU32:
    case KeyShape::kLayerIntegers:
    case KeyShape::kOneOrMoreIntegers:
      return Joined(To(key, std::vector<std::uint32_t>{0, 2, UINT32_MAX}),
                    To(key, std::vector<std::int64_t>{INT64_MIN}));
    case KeyShape::kBool:
    case KeyShape::kLayerBools:
      return ToBools(key);
    case KeyShape::kF32:
    case KeyShape::kLayerFloats:
      return To(key, std::vector<float>{0, 1});
    default:
      return {};
  }
}

// Each is a rule, and a key that resolves its finding.
const std::set<std::string> kAnswers = {
    "divisor-missing attention.head_count",   // the missing key
    "expert-routing expert_used_count",       // the missing key
    "head-count attention.key_length",        // then the width of a head is not a quotient
    "memory-demand attention.head_count_kv",  // fewer heads take less memory
    "rope-dimensions attention.key_length_swa", "rope-dimensions attention.value_length",
    "rope-dimensions rope.dimension_count_swa",  // an i64, so the loader refuses the file
    "tensor-empty feed_forward_length",          // if it is 0, the loader requests such tensors
};

TEST(ClaimsOfArchitectures, TakeNoRuleAway) {
  constexpr std::size_t kEach = kFullLength ? 1 : 7;
  std::size_t tried = 0;
  std::set<std::string> silenced;
  for (const Rejected& rejected : AllRejected()) {
    for (const auto& [name, shape] : Shapes()) {
      const std::string key = rejected.architecture + "." + name;
      const auto is_key = [&](const Model::Entry& entry) { return entry.key == key; };
      if (std::ranges::any_of(rejected.model.metadata, is_key)) continue;
      if (++tried % kEach != 0) continue;
      for (const Edit& edit : Additions(key, shape)) {
        Model model = rejected.model;
        edit(model);
        KeepPlaces(model, SizeOfMetadata(rejected.model));
        std::set<RuleId> now;
        for (const Finding& finding : ErrorsOf(Judge(model, rejected.policy))) {
          now.insert(finding.rule);
        }
        for (const RuleId rule : rejected.RulesBeside(key)) {
          if (!now.contains(rule)) silenced.insert(std::string(RuleOf(rule).slug) + " " + name);
        }
      }
    }
  }
  if (kFullLength) {
    EXPECT_EQ(silenced, kAnswers);
  } else {
    EXPECT_THAT(silenced, ::testing::Each(::testing::AnyOfArray(kAnswers)));
  }
}

TEST(ClaimsOfArchitectures, AreOfTheKeysThatCodeAsksFor) {
  EXPECT_THAT(NamesIn(R"(p.Value("a.b_2") > p.At("c", 1) && Find(name) || "d" || Heads("e"))"),
              ElementsAre("a.b_2", "c"));
  for (const char* name : {"nextn_predict_layers", "expert_count", "hrm.h_cycles", "num_loops"}) {
    EXPECT_TRUE(Shapes().contains(name)) << name;
  }
  EXPECT_FALSE(Shapes().contains("general.name"));
}

}  // namespace
}  // namespace ggufgate::testing
