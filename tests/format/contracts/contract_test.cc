#include "format/contracts/contract.h"

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <vector>

#include "tests/support/matchers.h"
#include "tests/support/rules/contract_of.h"

namespace ggufgate::testing {
namespace {

TEST(Contract, EachIsFoundByName) {
  std::set<std::string_view> names;
  for (const Contract& contract : AllContracts()) {
    EXPECT_TRUE(names.insert(contract.architecture).second) << contract.architecture;
    EXPECT_EQ(FindContract(contract.architecture), &contract);
  }
  EXPECT_GE(names.size(), 130U);
  EXPECT_TRUE(std::ranges::is_sorted(AllContracts(), {}, &Contract::architecture));
  for (const char* name : {"", "Llama", "llam", "llama ", "no-such"}) {
    EXPECT_EQ(FindContract(name), nullptr) << name;
  }
}

std::string TextOf(const ContractLine& line) {
  return std::string(line.word) + '|' + std::string(line.name) + '|' + std::string(line.fields);
}

// Lines other than of keys and tensors.
constexpr std::array kOtherWords = {
    std::string_view("condition"), std::string_view("next"),  std::string_view("required"),
    std::string_view("role"),      std::string_view("first"), std::string_view("rows"),
    std::string_view("scaled"),    std::string_view("shape"), std::string_view("sought"),
    std::string_view("unfit"),     std::string_view("used"),  std::string_view("unadapted"),
    std::string_view("load")};

// A query for the lines of one word returns all of them, at any position in the block.
TEST(Contract, LinesOfOneWordAreAllOfThatWord) {
  std::vector<std::string_view> words(kOtherWords.begin(), kOtherWords.end());
  words.insert(words.end(), {"key", "tensor"});
  for (const Contract& contract : AllContracts()) {
    SCOPED_TRACE(contract.architecture);
    for (const std::string_view word : words) {
      std::vector<std::string> wanted;
      for (const ContractLine& line : ContractLines(contract)) {
        if (line.word == word) wanted.push_back(TextOf(line));
      }
      std::vector<std::string> found;
      for (const ContractLine& line : ContractLines(contract, word)) found.push_back(TextOf(line));
      EXPECT_EQ(found, wanted) << word;
    }
    for (const char* word : {"con", "conditions", "no-such"}) {
      EXPECT_TRUE(ContractLines(contract, word).begin() == ContractLines::end()) << word;
    }
  }
}

// Each form has a number of layers and a unique name.
TEST(Contract, FormsAreWhole) {
  for (const Contract& contract : AllContracts()) {
    for (std::size_t i = 0; i < kContractFormCount; ++i) {
      const auto form = static_cast<ContractForm>(i);
      if (!FormsOf(contract).Has(form)) continue;
      SCOPED_TRACE(std::string(contract.architecture) + " " + kContractFormLetters[i]);
      std::set<std::string_view> names;
      std::string_view layers;
      for (const ContractLine& line : ContractLines(contract)) {
        const std::optional<ContractKey> key = KeyOf(line);
        const std::optional<ContractTensor> tensor = TensorOf(line);
        if (key && key->forms.Has(form)) {
          EXPECT_TRUE(names.insert(key->name).second) << key->name;
          if (key->name == "block_count" && key->after_architecture) layers = key->value;
        }
        if (tensor && tensor->forms.Has(form)) {
          EXPECT_TRUE(names.insert(tensor->name).second) << tensor->name;
        }
      }
      EXPECT_TRUE(ReadInteger(layers)) << layers;
      EXPECT_TRUE(names.contains("token_embd.weight") || names.size() > 5);
    }
  }
}

ContractLine LineOf(std::string_view text) { return *ContractLines(*ContractOf(text)).begin(); }

TEST(Contract, ReadsKeys) {
  const std::optional<ContractKey> key = KeyOf(LineOf("key attention.head_count u32 2 dD"));
  ASSERT_TRUE(key);
  EXPECT_EQ(key->name, "attention.head_count");
  EXPECT_TRUE(key->after_architecture);
  EXPECT_EQ(key->type, ValueType::kU32);
  EXPECT_FALSE(key->is_array);
  EXPECT_EQ(key->value, "2");
  EXPECT_TRUE(key->forms.Has(ContractForm::kDense));
  EXPECT_FALSE(key->forms.Has(ContractForm::kExperts));
  EXPECT_TRUE(key->forms.Has(ContractForm::kWholeDense));

  const std::optional<ContractKey> array = KeyOf(LineOf("key /xielu.eps [f32] 0.5,1e-07 E"));
  ASSERT_TRUE(array);
  EXPECT_EQ(array->name, "xielu.eps");
  EXPECT_FALSE(array->after_architecture);
  EXPECT_EQ(array->type, ValueType::kF32);
  EXPECT_TRUE(array->is_array);
}

TEST(Contract, ReadsTensors) {
  const std::optional<ContractTensor> tensor =
      TensorOf(LineOf("tensor blk.*.ffn_up_exps.weight F32 64,v,4 eE required"));
  ASSERT_TRUE(tensor);
  EXPECT_EQ(tensor->name, "blk.*.ffn_up_exps.weight");
  EXPECT_TRUE(tensor->InEachLayer());
  EXPECT_EQ(tensor->type, TensorType::kF32);
  EXPECT_EQ(tensor->dimension_count, 3U);
  EXPECT_THAT(tensor->dims, ElementsAre(64, ContractTensor::kTokens, 4, 0));
  EXPECT_TRUE(tensor->required);
  EXPECT_FALSE(TensorOf(LineOf("tensor output.weight Q4_K 64,v D optional"))->required);
}

TEST(Contract, NamesShareTheFieldsBehindThem) {
  const ContractOf contract("condition a,b aborts load\nrows a,b c\n");
  std::vector<std::string> lines;
  for (const ContractLine& line : ContractLines(*contract)) {
    lines.push_back(TextOf(line));
  }
  EXPECT_THAT(lines,
              ElementsAre("condition|a|aborts load", "condition|b|aborts load", "rows||a,b c"));
}

TEST(Contract, ReadsNothingElse) {
  for (const char* text :
       {"key", "key a", "key a u32", "key a u32 1", "key a u32 1 x", "key a u32 1 dd",
        "key a u32 1 d more", "key a u33 1 d", "key a string x d", "key a [u32 1 d", "key  u32 1 d",
        "condition a load", "tensor a F32 64 d required"}) {
    EXPECT_FALSE(KeyOf(LineOf(text))) << text;
  }
  for (const char* text :
       {"tensor", "tensor a F32 64 d", "tensor a F33 64 d required", "tensor a F32 0 d required",
        "tensor a F32 1,2,3,4,5 d required", "tensor a F32 x d required",
        "tensor a F32 -1 d required", "tensor a F32  d required", "tensor a F32 64 z required",
        "tensor a F32 64 d perhaps", "tensor *.* F32 64 d required", "key a u32 1 d"}) {
    EXPECT_FALSE(TensorOf(LineOf(text))) << text;
  }
}

TEST(Contract, TakesFields) {
  std::string_view rest = "one  two";
  EXPECT_EQ(TakeField(rest), "one");
  EXPECT_EQ(TakeField(rest), "") << "a field that is empty";
  EXPECT_EQ(TakeField(rest), "two");
  EXPECT_EQ(TakeField(rest), "");
}

TEST(Contract, ReadsNumbers) {
  EXPECT_THAT(ReadInteger("4"), Optional(4));
  EXPECT_THAT(ReadInteger("-5"), Optional(-5));
  for (const char* text : {"", " 4", "4 ", "4.0", "x", "9223372036854775808"}) {
    EXPECT_FALSE(ReadInteger(text)) << text;
  }
  EXPECT_THAT(ReadDecimal("10000.0"), Optional(Eq(10000.0)));
  EXPECT_THAT(ReadDecimal("1e-05"), Optional(Eq(1e-05)));
  EXPECT_THAT(ReadDecimal("-0.125"), Optional(Eq(-0.125)));
  EXPECT_THAT(ReadDecimal("2.5e3"), Optional(Eq(2500.0)));
  EXPECT_THAT(ReadDecimal("7"), Optional(Eq(7.0)));
  for (const char* text :
       {"", "-", ".5", "1e", "1e99", "1.2.3", "nan", "inf", "1e+-2", "1234567890123456789"}) {
    EXPECT_FALSE(ReadDecimal(text)) << text;
  }
}

}  // namespace
}  // namespace ggufgate::testing
