// The conditions of contracts as formulas: each with hyper-parameters that break it, and similar
// ones that do not. tests/oracles shows that they crash the loader.

#include "check/rules/contract/conditions/conditions.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <charconv>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "check/rules/contract/conditions/measured.h"
#include "check/values.h"
#include "format/contracts/contract_table.h"
#include "parse/parse.h"
#include "tests/support/judge.h"
#include "tests/support/rule_cases.h"

namespace ggufgate::testing {
namespace {

constexpr std::string_view kArchitecture = "qwen3";

std::uint32_t NumberIn(std::string_view text) {
  std::uint32_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

std::vector<std::uint32_t> ListIn(std::string_view text) {
  std::vector<std::uint32_t> list;
  for (text = text.substr(1, text.size() - 2); !text.empty();) {
    list.push_back(NumberIn(TakeField(text, ',')));
  }
  return list;
}

// Put sets a key: a list in brackets, a number with a point, a word, or an integer. "@" before the
// name means a tensor with that many rows, and ":I32" after the number is its type. "-" as value
// means that the key is absent.
void Put(Model& model, std::string_view architecture, std::string_view name,
         std::string_view value) {
  if (name.starts_with('@')) {
    const bool numbers = value.ends_with(":I32");
    model.Add(name.substr(1), numbers ? TensorType::kI32 : TensorType::kF32, {1, NumberIn(value)});
    return;
  }
  const std::string key = std::string(architecture) + "." + std::string(name);
  if (value == "-") {
    std::erase_if(model.metadata, [&](const auto& entry) { return entry.key == key; });
  } else if (value.starts_with('[')) {
    model.Set(key, ListIn(value));
  } else if (value.find('.') != std::string_view::npos) {
    model.Set(key, std::stof(std::string(value)));
  } else if (value == "true" || value == "false") {
    model.Set(key, value == "true");
  } else if (value.find_first_not_of("0123456789") != std::string_view::npos) {
    model.Set(key, value);
  } else {
    model.Set(key, NumberIn(value));
  }
}

bool Breaks(std::string_view slug, std::string_view words,
            std::string_view architecture = kArchitecture) {
  Model model;
  model.Set(kArchitectureKey, architecture);
  std::istringstream all(
      "context_length=128 embedding_length=64 block_count=4 attention.head_count=4 " +
      std::string(words));
  for (std::string word; all >> word;) {
    std::string_view rest = word;
    const std::string_view name = TakeField(rest, '=');
    Put(model, architecture, name, rest);
  }
  const std::vector<std::uint8_t> bytes = Write(model);
  const ParseResult parsed = Parse(bytes, bytes.size(), Policy().limits);
  const Condition* condition = FindCondition(slug);
  EXPECT_NE(condition, nullptr) << slug;
  return condition != nullptr &&
         IsBroken(*condition, LoaderParameters(parsed.document, ArchitectureOf(parsed.document)));
}

// Case is a condition. Its words are set in a model with 4 layers of 4 heads, each 16 wide, and an
// embedding of 64.
struct Case {
  std::string_view slug;
  std::vector<std::string_view> sound;
  std::vector<std::string_view> broken;
};

const std::vector<Case>& Cases() {
  static const std::vector<Case> cases = {
#include "tests/check/rules/contract/conditions/conditions_cases.inc"
  };
  return cases;
}

TEST(Conditions, HoldUpToTheirLegalNeighbour) {
  for (const Case& one : Cases()) {
    for (const std::string_view words : one.sound) {
      EXPECT_FALSE(Breaks(one.slug, words)) << one.slug << ": " << words;
    }
    for (const std::string_view words : one.broken) {
      EXPECT_TRUE(Breaks(one.slug, words)) << one.slug << ": " << words;
    }
  }
}

TEST(Conditions, EachHasACaseOfBothKinds) {
  for (const Condition& condition : AllConditions()) {
    const auto found = std::ranges::find(Cases(), condition.slug, &Case::slug);
    ASSERT_NE(found, Cases().end()) << condition.slug;
    EXPECT_FALSE(found->sound.empty()) << condition.slug;
    EXPECT_FALSE(found->broken.empty()) << condition.slug;
  }
}

// Releases before v0.5.0 ignore an array, and then use the default of the architecture.
TEST(Conditions, APatternOfWindowsHasADefault) {
  EXPECT_TRUE(Breaks("window-period-everywhere", "", "gemma3"));  // 4 layers, every sixth is full
  EXPECT_TRUE(Breaks("window-period-everywhere", "block_count=5", "gemma3"));
  EXPECT_FALSE(Breaks("window-period-everywhere", "block_count=6", "gemma3"));
  EXPECT_FALSE(Breaks("window-period-everywhere", "attention.sliding_window_pattern=2", "gemma3"));
  EXPECT_TRUE(
      Breaks("window-period-everywhere", "attention.sliding_window_pattern=[0,1,0,1]", "gemma3"));
  EXPECT_FALSE(
      Breaks("window-period-everywhere", "attention.sliding_window_pattern=[1,1,1,1]", "gemma2"));
  EXPECT_TRUE(Breaks("window-period-nowhere-full-first", "block_count=1", "modern-bert"));
  EXPECT_FALSE(Breaks("window-period-nowhere-full-first", "block_count=2", "modern-bert"));
}

// A condition without an architecture is never checked, so it should not be in the table.
TEST(Conditions, EachWasSeenInSomeArchitecture) {
  std::set<std::string_view> seen;
  for (const ContractTable& table : ContractTable::Learned()) {
    for (const Contract& contract : table.All()) {
      for (const ContractLine& line : ContractLines(contract, "condition")) {
        seen.insert(line.name);
        EXPECT_NE(FindCondition(line.name), nullptr) << contract.architecture << " " << line.name;
      }
    }
  }
  for (const Condition& condition : AllConditions()) {
    EXPECT_THAT(seen, ::testing::Contains(condition.slug));
  }
}

// A value of a type that the loader refuses breaks no condition.
TEST(Conditions, AreNotAskedOfValuesThatTheLoaderRefuses) {
  EXPECT_TRUE(Breaks("pooling-type", "pooling_type=5"));
  EXPECT_FALSE(Breaks("pooling-type", "pooling_type=5.0"));
  EXPECT_FALSE(Breaks("pooling-type", "pooling_type=[5,5]"));
}

// UnevenRotation is a model without tensors that rotates an odd number of dimensions.
Model UnevenRotation() {
  Model model;
  model.Set(kArchitectureKey, kArchitecture);
  for (const auto& [name, value] :
       {std::pair("context_length", 128U), {"embedding_length", 64U}, {"block_count", 2U}}) {
    model.Set(std::string(kArchitecture) + "." + name, value);
  }
  model.Set(std::string(kArchitecture) + ".attention.head_count", std::uint32_t{2});
  model.Set(std::string(kArchitecture) + ".rope.dimension_count", std::uint32_t{31});
  return model;
}

// Layers that predict further tokens lack the tensors of the others, and all layers may be of that
// kind.
TEST(Conditions, AreAskedOfAFileWithHalfOfTheTensorsOrAllThatBelongToNoLayer) {
  Model model = UnevenRotation();
  const auto is_asked = [&] { return TotalOf(Judge(model), RuleId::kRopeDimensions) > 0; };
  EXPECT_FALSE(is_asked());
  model.Add("token_embd.weight", TensorType::kF32, {64, 1});
  EXPECT_FALSE(is_asked());
  model.Add("output_norm.weight", TensorType::kF32, {64});
  EXPECT_TRUE(is_asked());
  model.tensors.pop_back();
  for (const char* name : {"attn_norm", "attn_q", "attn_k", "attn_v"}) {
    model.Add("blk.0." + std::string(name) + ".weight", TensorType::kF32, {64, 1});
  }
  EXPECT_FALSE(is_asked());  // five of thirteen
  for (const char* name : {"attn_output", "ffn_norm"}) {
    model.Add("blk.0." + std::string(name) + ".weight", TensorType::kF32, {64, 1});
  }
  EXPECT_TRUE(is_asked());
}

// The loader opens the other shards, and crashes on the whole model.
TEST(Conditions, AreAskedOfAFirstShardWhateverTensorsItHas) {
  Model model = UnevenRotation();
  const auto is_asked = [&] { return TotalOf(Judge(model), RuleId::kRopeDimensions) > 0; };
  EXPECT_FALSE(is_asked());
  model.Set("split.no", std::uint16_t{0}).Set("split.count", std::uint16_t{2});
  model.Set("split.tensors.count", std::int32_t{12});
  EXPECT_TRUE(is_asked());
  model.Set("split.no", std::uint16_t{1});
  EXPECT_FALSE(is_asked()) << "a further shard has no say";
  model.Set("split.no", std::uint16_t{0}).Set("split.count", std::uint16_t{1});
  EXPECT_FALSE(is_asked()) << "there are no others";
}

// The loader ignores `general.type`, and also `split.no` if there is only one file.
TEST(Conditions, AreAskedWhateverAKeySaysThatTheFileIs) {
  Model model = UnevenRotation();
  model.Add("token_embd.weight", TensorType::kF32, {64, 1});
  model.Add("output_norm.weight", TensorType::kF32, {64});
  const auto is_asked = [](const Model& of) {
    return TotalOf(Judge(of), RuleId::kRopeDimensions) > 0;
  };
  for (const char* type : {"model", "adapter", "mmproj", "imatrix", "x", ""}) {
    EXPECT_TRUE(is_asked(Model(model).Set("general.type", type))) << type;
  }
  EXPECT_TRUE(is_asked(Model(model).Set("adapter.type", "lora")));
  for (std::uint16_t number = 0; number < 3; ++number) {
    EXPECT_TRUE(is_asked(Model(model).Set("split.no", number))) << number;
    EXPECT_TRUE(is_asked(Model(model).Set("split.count", number))) << number;
    for (std::uint16_t count = 0; count < 4; ++count) {
      const Model shard = Model(model).Set("split.no", number).Set("split.count", count);
      const bool further = count > 1 && number > 0 && number < count;
      EXPECT_NE(is_asked(shard), further) << number << " of " << count;
    }
  }
  EXPECT_TRUE(
      is_asked(Model(model).Set("split.no", std::uint32_t{1}).Set("split.count", std::uint16_t{2})))
      << "of another type";
}

TEST(Conditions, TakeForGrantedWhatTheOtherShardsMayHave) {
  Model model = UnevenRotation();
  model.Set(std::string(kArchitecture) + ".expert_count", std::uint32_t{4});
  model.Set("split.no", std::uint16_t{0}).Set("split.tensors.count", std::int32_t{12});
  for (std::uint16_t shards = 0; shards <= 2; ++shards) {
    model.Set("split.count", shards);
    const std::vector<std::uint8_t> file = Write(model);
    const Document document = Parse(file, file.size(), {}).document;
    const LoaderParameters parameters(document, kArchitecture);
    EXPECT_EQ(parameters.HasExperts(), shards == 2) << shards;
    EXPECT_TRUE(parameters.Tensors() == (shards == 2 ? 12 : 0)) << shards;
    EXPECT_EQ(IsBroken(*FindCondition("indexer-absent"), parameters), shards != 2) << shards;
  }
}

TEST(Conditions, TellOfLayersByTheNamesOfTensors) {
  EXPECT_EQ(LayerOf("blk.0.attn_q.weight"), 0);
  EXPECT_EQ(LayerOf("blk.511.x"), 511);
  for (const char* name :
       {"blk.512.x", "blk.-1.x", "blk..x", "blk.1x.x", "blk.", "enc.blk.1.x", ""}) {
    EXPECT_EQ(LayerOf(name), std::nullopt) << name;
  }
}

// llama.cpp v0.5.0 asserts the number of layers that predict further tokens before it makes any
// tensor (ask-llama: SIGABRT at load). If the numbers are equal, it refuses the file, because
// tensors are missing.
TEST(Conditions, LayersThatPredictAreJudgedWithoutTensors) {
  for (const std::uint32_t number : {1U, 2U, 3U}) {
    Model model;
    model.Set("general.architecture", "llama").Set("llama.block_count", 2U);
    model.Set("llama.context_length", 16U).Set("llama.embedding_length", 8U);
    model.Set("llama.nextn_predict_layers", number);
    const std::vector<std::string> rules = Judge(model).AllRules(Severity::kError);
    EXPECT_EQ(std::ranges::count(rules, "layer-counts"), number > 2 ? 1 : 0) << number;
  }
}

}  // namespace
}  // namespace ggufgate::testing
