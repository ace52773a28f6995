// Rules about general.alignment.

#include <gtest/gtest.h>

#include "tests/support/judge.h"
#include "tests/support/matchers.h"
#include "tests/support/rule_cases.h"

namespace ggufgate::testing {
namespace {

void ExpectAlignmentFinding(const Model& model, Wording wording, Fact observed, Fact allowed,
                            const Policy& policy = {}) {
  const Finding finding = Judge(model, policy).Only(wording.rule);
  EXPECT_THAT(finding, Tells({ValueAt(model, 0), 4}, observed, allowed));
  EXPECT_EQ(Describe(finding.subject), "metadata 0 \"general.alignment\"");
  EXPECT_EQ(WordingOf(finding), wording);
}

TEST(AlignmentType, OnlyU32) {
  const auto expect = [](const Model& model, std::string_view word) {
    SCOPED_TRACE(word);
    const Finding finding = SoleFinding(model, RuleId::kAlignmentType);
    EXPECT_THAT(finding, Tells({TypeAt(model, 0), 4}, Text(word), Text("u32")));
    EXPECT_EQ(Describe(finding.subject), "metadata 0 \"general.alignment\"");
    EXPECT_EQ(Severities(model, RuleId::kAlignmentType), "error error error");
  };
  const auto with = [](auto value) { return Model().Set(kAlignmentKey, value); };
  expect(with(std::uint8_t{32}), "u8");
  expect(with(std::uint16_t{32}), "u16");
  expect(with(std::int32_t{32}), "i32");
  expect(with(std::uint64_t{32}), "u64");
  expect(with(32.0F), "f32");
  expect(with(true), "bool");
  expect(with("32"), "string");
  expect(with(std::vector<std::uint32_t>{32}), "array");
  EXPECT_THAT(RulesFired(with(std::uint32_t{32})), IsEmpty());
}

TEST(AlignmentType, LeavesTheTensorsUnplaced) {
  Model model = Model::Minimal();
  model.Set(kAlignmentKey, "32");
  model.tensors[0].offset = 1U << 30;  // its offset is unknown
  EXPECT_THAT(RulesFired(model), ElementsAre("alignment-type"));
}

TEST(AlignmentUnusual, IsANote) {
  for (const std::uint32_t value : {8U, 16U, 64U, 4096U, 1U << 20}) {
    SCOPED_TRACE(value);
    ExpectAlignmentFinding(WithAlignment(value), AlignmentUnusualWording::kOnly, Number(value),
                           Number(32));
    EXPECT_EQ(Severities(WithAlignment(value), RuleId::kAlignmentUnusual), "note note off");
  }
  // A fault with another cause is not reported twice.
  for (const std::uint32_t value : {0U, 1U, 4U, 24U, 32U, 1U << 21}) {
    EXPECT_EQ(Severities(WithAlignment(value), RuleId::kAlignmentUnusual), "off off off") << value;
  }
}

TEST(AlignmentValue, PowersOfTwo) {
  for (const std::uint32_t value : {0U, 3U, 12U, 24U, 33U, 48U, 96U}) {
    SCOPED_TRACE(value);
    const Model model = WithAlignment(value);
    EXPECT_THAT(RulesFired(model), ElementsAre("alignment-value"));
    ExpectAlignmentFinding(model, AlignmentValueWording::kPowerOfTwo, Number(value), Number(32));
  }
  for (const std::uint32_t value : {8U, 16U, 32U, 64U, 4096U}) {
    EXPECT_THAT(RulesFired(BeginAt(WithAlignment(value), 0)), IsEmpty());
  }
  EXPECT_EQ(Severities(WithAlignment(0), RuleId::kAlignmentValue), "error error error");
  EXPECT_EQ(Severities(WithAlignment(3), RuleId::kAlignmentValue), "error error error");
}

TEST(AlignmentValue, TheSpecificationAsksForAMultipleOfEight) {
  const Policy spec = PolicyFor(Profile::kSpec);
  for (const std::uint32_t value : {8U, 24U, 40U, 48U}) {
    EXPECT_THAT(Judge(WithAlignment(value), spec).Rules(), IsEmpty());
  }
  EXPECT_EQ(Severities(WithAlignment(24), RuleId::kAlignmentValue), "error error off");
  for (const std::uint32_t value : {0U, 1U, 4U, 12U}) {
    const Model model = WithAlignment(value);
    EXPECT_THAT(RulesFired(model, spec), ElementsAre("alignment-value"));
    ExpectAlignmentFinding(model, AlignmentValueWording::kMultipleOfEight, Number(value), Number(8),
                           spec);
  }
}

TEST(AlignmentLarge, AboveAMebibyte) {
  Model model = Model().Set(kAlignmentKey, (std::uint32_t{1} << 20));
  EXPECT_THAT(RulesFired(model), IsEmpty());
  model.Set(kAlignmentKey, (std::uint32_t{1} << 21));
  EXPECT_THAT(RulesFired(model), ElementsAre("alignment-large"));
  ExpectAlignmentFinding(model, AlignmentLargeWording::kOnly, Number(1U << 21), Number(1U << 20));
  EXPECT_EQ(Severities(model, RuleId::kAlignmentLarge), "error warning note");
}

TEST(AlignmentLarge, LoadsInLlamaCpp) {
  Model model;
  model.Set(kAlignmentKey, (std::uint32_t{1} << 21));
  model.alignment = 1U << 21;
  model.Add("weight", TensorType::kI8, {5});
  model.pad_last_tensor = false;
  EXPECT_TRUE(Judge(model, PolicyFor(Profile::kLlamaCpp)).Accepted());
  EXPECT_FALSE(Judge(model).Accepted());
}

TEST(AlignmentSmall, BelowEight) {
  for (const std::uint32_t value : {1U, 2U, 4U}) {
    const Model model = BeginAt(WithAlignment(value), 0);
    EXPECT_THAT(RulesFired(model), ElementsAre("alignment-small"));
    ExpectAlignmentFinding(model, AlignmentSmallWording::kValue, Number(value), Number(8));
    EXPECT_EQ(Severities(model, RuleId::kAlignmentSmall), "warning warning off");
    EXPECT_TRUE(Judge(model).Accepted());
    EXPECT_TRUE(Judge(model, PolicyFor(Profile::kLlamaCpp)).Accepted());
  }
  EXPECT_THAT(RulesFired(BeginAt(WithAlignment(8), 0)), IsEmpty());
}

TEST(AlignmentSmall, TheFirstTensorLiesOn32) {
  for (const std::uint32_t value : {1U, 2U, 4U, 8U, 16U}) {
    const Model model = BeginAt(WithAlignment(value), value);
    SCOPED_TRACE(value);
    const std::vector<Finding> findings = FindingsOf(Judge(model), RuleId::kAlignmentSmall);
    ASSERT_EQ(findings.size(), value < 8 ? 2U : 1U);
    const Finding& finding = findings.back();
    EXPECT_EQ(finding.severity, Severity::kError);
    EXPECT_EQ(WordingOf(finding), AlignmentSmallWording::kBufferBegin);
    EXPECT_THAT(finding,
                Tells({OffsetAt(model, 0), 8}, Number(DataAt(model)), Number(32), Number(value)));
    EXPECT_FALSE(Judge(model, PolicyFor(Profile::kLlamaCpp)).Accepted());
  }
}

TEST(AlignmentSmall, LaterTensorsLieWhereTheyWill) {
  Model model = WithAlignment(8);
  model.Add("more", TensorType::kI8, {5});
  EXPECT_THAT(RulesFired(BeginAt(model, 0)), IsEmpty());
  model.tensors.clear();
  EXPECT_THAT(RulesFired(BeginAt(model, 8)), IsEmpty()) << "no tensor, no data";
}

TEST(AlignmentSmall, NorBehindMatricesThatAreRepacked) {
  const auto with = [](const char* name, TensorType type, std::uint64_t rows) {
    Model model;
    model.Set(kAlignmentKey, std::uint32_t{8})
        .Set("general.quantization_version", std::uint32_t{2});
    model.alignment = 8;
    model.Add(name, type, {32, rows});
    model.Add("behind", TensorType::kF32, {8});
    return BeginAt(model, 0);
  };
  const Model model = with("blk.0.attn_k.weight", TensorType::kQ4_0, 4);  // 72 bytes
  EXPECT_THAT(RulesFired(model), ElementsAre("alignment-small"));
  EXPECT_EQ(Describe(Judge(model).Only(RuleId::kAlignmentSmall).subject), "tensor 1 \"behind\"");
  EXPECT_THAT(RulesFired(with("token_embd.weight", TensorType::kQ4_0, 4)), IsEmpty());
  EXPECT_THAT(RulesFired(with("blk.0.attn_k.weight", TensorType::kQ4_0, 5)), IsEmpty());
  EXPECT_THAT(RulesFired(with("blk.0.attn_k.weight", TensorType::kQ5_1, 5)), IsEmpty());
}

TEST(AlignmentRules, TheFirstOfTwoIsInForce) {
  Model model = WithAlignment(64);
  model.metadata.push_back(model.metadata.front());
  model.metadata.back().payload = {7, 0, 0, 0};
  EXPECT_THAT(RulesFired(model), ElementsAre("key-duplicate"));
}

TEST(AlignmentRules, OtherSpellingsAreOtherKeys) {
  EXPECT_THAT(RulesFired(Model().Set("General.Alignment", std::uint32_t{7})), IsEmpty());
  EXPECT_THAT(RulesFired(Model().Set("general.alignment_", std::uint32_t{7})), IsEmpty());
}

}  // namespace
}  // namespace ggufgate::testing
