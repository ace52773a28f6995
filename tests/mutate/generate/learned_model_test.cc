#include "mutate/generate/learned_model.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "mutate/generate/learned_vocabulary.h"
#include "tests/support/judge.h"
#include "tests/support/rules/contract_of.h"

namespace ggufgate::mutate {
namespace {

using ggufgate::testing::ContractOf;
using ::testing::IsEmpty;
using ::testing::Optional;

// IsPassedOver: builds that are ten times slower test only every ninth plan.
bool IsPassedOver([[maybe_unused]] std::size_t plan) {
#ifdef NDEBUG
  return false;
#else
  return plan % 9 != 0;
#endif
}

// EveryPlan calls `use` with each form of each architecture.
template <typename Use>
void EveryPlan(Use use) {
  std::size_t plans = 0;
  for (const Contract& contract : AllContracts()) {
    for (std::size_t i = 0; i < kContractFormCount; ++i) {
      const auto form = static_cast<ContractForm>(i);
      if (!FormsOf(contract).Has(form) || IsPassedOver(plans++)) continue;
      SCOPED_TRACE(std::string(contract.architecture) + " " + kContractFormLetters[i]);
      use(LearnedPlan{.contract = &contract,
                      .form = form,
                      .vocabulary = FindVocabulary(contract.vocabulary).value()});
    }
  }
}

LearnedPlan PlanOf(std::string_view architecture, ContractForm form = ContractForm::kDense) {
  return {.contract = FindContract(architecture), .form = form};
}

std::vector<std::string> Complaints(const Model& model, DataScan data = DataScan::kFull) {
  Policy policy;
  policy.data = data;
  return testing::Judge(model, policy).AllRules(Severity::kWarning);
}

const Model::Tensor& TensorNamed(const Model& model, std::string_view name) {
  return *std::ranges::find(model.tensors, name, &Model::Tensor::name);
}

bool HasKey(const Model& model, std::string_view key) {
  return std::ranges::find(model.metadata, key, &Model::Entry::key) != model.metadata.end();
}

TEST(LearnedModel, EachFormIsSoundToItsLastValue) {
  EveryPlan([](const LearnedPlan& plan) { EXPECT_THAT(Complaints(MakeLearned(plan)), IsEmpty()); });
}

TEST(LearnedModel, EachFormWithEachVocabularyIsSound) {
  EveryPlan([](LearnedPlan plan) {
    if (plan.contract->architecture == "gemma3n") return;  // 15 MB each
    for (const VocabularyWord& one : kVocabularyWords) {
      plan.vocabulary = one.kind;
      EXPECT_THAT(Complaints(MakeLearned(plan), DataScan::kNone), IsEmpty()) << one.word;
    }
  });
}

TEST(LearnedModel, MatricesOfEachTypeAreSound) {
  for (const char* name : {"llama", "deepseek2", "rwkv7", "mamba2", "t5"}) {
    const Contract* contract = FindContract(name);
    const ContractForm form = SimplestForm(*contract, false, false).value();
    for (const TensorTypeInfo& type : AllTensorTypes()) {
      if (!RunsInMatrices(type.type)) continue;
      EXPECT_THAT(Complaints(MakeLearned({.contract = contract, .form = form, .type = type.type})),
                  IsEmpty())
          << name << ' ' << type.name;
    }
  }
}

// Changes with the table, a vocabulary or the data. The printed value is right if every compiler
// prints the same.
TEST(LearnedModel, TheSameBytesEverywhere) {
  constexpr std::uint64_t kGolden = 0x86B6'B70C'3556'9675;
  EXPECT_EQ(Write(MakeLearned(PlanOf("llama"))), Write(MakeLearned(PlanOf("llama"))));
  std::uint64_t digest = 0xCBF2'9CE4'8422'2325;  // FNV-1a
  for (const TensorType type : {TensorType::kF32, TensorType::kBF16, TensorType::kQ8_0}) {
    for (const VocabularyWord& one : kVocabularyWords) {
      LearnedPlan plan = PlanOf("llama", ContractForm::kWholeDense);
      plan.vocabulary = one.kind;
      plan.type = type;
      for (const std::uint8_t byte : Write(MakeLearned(plan))) {
        digest = (digest ^ byte) * 0x100'0000'01B3;
      }
    }
  }
  EXPECT_EQ(digest, kGolden) << std::hex << digest;
}

TEST(LearnedModel, HasTheTensorsOfEachLayer) {
  const Model model = MakeLearned(PlanOf("llama"));
  const Model::Tensor& embeddings = TensorNamed(model, "token_embd.weight");
  EXPECT_THAT(embeddings.dims, ::testing::ElementsAre(64, 283)) << "a row for each token";
  for (const char* name : {"blk.0.ffn_up.weight", "blk.1.ffn_up.weight"}) {
    EXPECT_EQ(std::ranges::count(model.tensors, name, &Model::Tensor::name), 1) << name;
  }
  EXPECT_TRUE(HasKey(model, "llama.block_count"));
  EXPECT_TRUE(HasKey(model, "tokenizer.ggml.tokens"));
  EXPECT_TRUE(HasKey(MakeLearned(PlanOf("apertus")), "xielu.alpha_n")) << "without apertus.";
}

TEST(LearnedModel, TypesOfTokensAreCountedWhereTheyAreAskedFor) {
  EXPECT_TRUE(HasKey(MakeLearned(PlanOf("bert")), "tokenizer.ggml.token_type_count"));
  EXPECT_FALSE(HasKey(MakeLearned(PlanOf("llama")), "tokenizer.ggml.token_type_count"));
}

TEST(LearnedModel, OnlyWeightMatricesTakeAType) {
  LearnedPlan plan = PlanOf("mamba");
  plan.type = TensorType::kQ8_0;
  const Model model = MakeLearned(plan);
  const auto type = [&](std::string_view name) {
    return FindTensorType(TensorNamed(model, name).type_id)->name;
  };
  EXPECT_EQ(type("token_embd.weight"), "Q8_0");
  EXPECT_EQ(type("blk.0.ssm_in.weight"), "Q8_0");
  EXPECT_EQ(type("blk.0.attn_norm.weight"), "F32");
  EXPECT_EQ(type("blk.0.ssm_conv1d.weight"), "F32");
  EXPECT_EQ(type("blk.0.ssm_a"), "F32");
  EXPECT_GT(MatricesOf(model, TensorType::kQ8_0), 0U);

  // An assertion of llama.cpp: a tensor with a scale and a bias must not be NVFP4.
  LearnedPlan whole = PlanOf("llama", ContractForm::kWholeDense);
  whole.type = TensorType::kNVFP4;
  const Model scaled = MakeLearned(whole);
  EXPECT_EQ(TensorNamed(scaled, "blk.1.ffn_up.weight").type_id, 0U);
  EXPECT_EQ(TensorNamed(scaled, "token_embd.weight").type_id, 40U);

  // Without an embedding, rows are looked up in the output matrix, which must not be repacked.
  LearnedPlan rows = PlanOf("codeshell");
  rows.type = TensorType::kQ4_0;
  EXPECT_EQ(TensorNamed(MakeLearned(rows), "output.weight").type_id, 2U) << "an odd vocabulary";
  rows.vocabulary = TokenizerKind::kBytePairs;
  EXPECT_EQ(TensorNamed(MakeLearned(rows), "output.weight").type_id, 0U) << "8 x 33 tokens";
  rows.form = ContractForm::kWholeDense;
  EXPECT_EQ(TensorNamed(MakeLearned(rows), "output.weight").type_id, 2U) << "beside the embedding";

  plan.type = TensorType::kQ4_K;
  EXPECT_EQ(MatricesOf(MakeLearned(plan), TensorType::kQ4_K), 0U) << "rows are too short";
}

TEST(LearnedModel, SimplestFormIsTheOneWithTheFewestTensors) {
  const ContractOf dense("key k u32 1 dD\n");
  EXPECT_THAT(SimplestForm(*dense, false, false), Optional(ContractForm::kDense));
  EXPECT_THAT(SimplestForm(*dense, false, true), Optional(ContractForm::kWholeDense));
  EXPECT_FALSE(SimplestForm(*dense, true, false));
  const ContractOf experts("key k u32 1 eE\n");
  EXPECT_THAT(SimplestForm(*experts, false, false), Optional(ContractForm::kExperts));
  EXPECT_THAT(SimplestForm(*experts, true, false), Optional(ContractForm::kExperts));
  EXPECT_THAT(SimplestForm(*experts, false, true), Optional(ContractForm::kWholeExperts));
  const ContractOf whole("key k u32 1 DE\n");
  EXPECT_THAT(SimplestForm(*whole, false, false), Optional(ContractForm::kWholeDense));
  EXPECT_THAT(SimplestForm(*whole, true, false), Optional(ContractForm::kWholeExperts));
}

// Every form can be selected.
TEST(LearnedModel, SimplestFormReachesEachForm) {
  EveryPlan([](const LearnedPlan& plan) {
    std::vector<ContractForm> reached;
    for (const bool experts : {false, true}) {
      for (const bool whole : {false, true}) {
        if (const auto form = SimplestForm(*plan.contract, experts, whole)) {
          reached.push_back(*form);
        }
      }
    }
    EXPECT_THAT(reached, ::testing::Contains(plan.form));
  });
}

TEST(LearnedModel, ValuesOfEveryTypeAreWritten) {
  const ContractOf contract(
      "key block_count u32 1 d\n"
      "key u8 u8 255 d\n"
      "key i16 i16 -2 d\n"
      "key i64 i64 -3 d\n"
      "key f64 f64 0.5 d\n"
      "key flags [bool] 1,0 d\n"
      "key left_out u32 1 D\n"
      "condition some-condition load\n");
  const Model model = MakeLearned(
      {.contract = &*contract, .form = ContractForm::kDense, .vocabulary = TokenizerKind::kNone});
  const auto payload = [&](std::string_view key) {
    return std::ranges::find(model.metadata, key, &Model::Entry::key)->payload;
  };
  const auto number = [](auto value) { return Encoder(ByteOrder::kLittle).Put(value).Take(); };
  EXPECT_EQ(payload("a.u8"), number(std::uint8_t{255}));
  EXPECT_EQ(payload("a.i16"), number(std::int16_t{-2}));
  EXPECT_EQ(payload("a.i64"), number(std::int64_t{-3}));
  EXPECT_EQ(payload("a.f64"), number(0.5));
  EXPECT_EQ(payload("a.flags"), Encoder(ByteOrder::kLittle)
                                    .Put(std::uint32_t{7})
                                    .Put(std::uint64_t{2})
                                    .Put(std::uint8_t{1})
                                    .Put(std::uint8_t{0})
                                    .Take());
  EXPECT_FALSE(HasKey(model, "a.left_out"));
}

}  // namespace
}  // namespace ggufgate::mutate
