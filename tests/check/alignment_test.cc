// Rules about general.alignment.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/judge.h"
#include "tests/support/rule_cases.h"

namespace ggufgate::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

void ExpectAlignmentFinding(const Model& model, RuleId rule, Fact observed, Fact allowed,
                            int wording = 0, const Policy& policy = {}) {
  const Finding finding = Judge(model, policy).Only(rule);
  EXPECT_EQ(finding.where, (ByteRange{ValueAt(model, 0), 4}));
  EXPECT_EQ(Describe(finding.subject), "metadata 0 \"general.alignment\"");
  EXPECT_EQ(finding.observed, observed);
  EXPECT_EQ(finding.allowed, allowed);
  EXPECT_EQ(finding.wording, wording);
}

TEST(AlignmentType, OnlyU32) {
  const auto expect = [](const Model& model, std::string_view word) {
    SCOPED_TRACE(word);
    EXPECT_THAT(RulesFired(model), ElementsAre("alignment-type"));
    const Finding finding = Judge(model).Only(RuleId::kAlignmentType);
    EXPECT_EQ(finding.where, (ByteRange{TypeAt(model, 0), 4}));
    EXPECT_EQ(Describe(finding.subject), "metadata 0 \"general.alignment\"");
    EXPECT_EQ(finding.observed, Text(word));
    EXPECT_EQ(finding.allowed, Text("u32"));
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
  model.tensors[0].offset = 1U << 30;  // where would that be?
  EXPECT_THAT(RulesFired(model), ElementsAre("alignment-type"));
}

TEST(AlignmentValue, PowersOfTwo) {
  for (const std::uint32_t value : {0U, 3U, 12U, 24U, 33U, 48U, 96U}) {
    SCOPED_TRACE(value);
    const Model model = WithAlignment(value);
    EXPECT_THAT(RulesFired(model), ElementsAre("alignment-value"));
    ExpectAlignmentFinding(model, RuleId::kAlignmentValue, Number(value), Number(32));
  }
  for (const std::uint32_t value : {8U, 16U, 32U, 64U, 4096U}) {
    EXPECT_THAT(Judge(WithAlignment(value)).Rules(), IsEmpty());
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
    ExpectAlignmentFinding(model, RuleId::kAlignmentValue, Number(value), Number(8), 1, spec);
  }
}

TEST(AlignmentLarge, AboveAMebibyte) {
  Model model = Model().Set(kAlignmentKey, (std::uint32_t{1} << 20));
  EXPECT_THAT(RulesFired(model), IsEmpty());
  model.Set(kAlignmentKey, (std::uint32_t{1} << 21));
  EXPECT_THAT(RulesFired(model), ElementsAre("alignment-large"));
  ExpectAlignmentFinding(model, RuleId::kAlignmentLarge, Number(1U << 21), Number(1U << 20));
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
    const Model model = WithAlignment(value);
    EXPECT_THAT(RulesFired(model), ElementsAre("alignment-small"));
    ExpectAlignmentFinding(model, RuleId::kAlignmentSmall, Number(value), Number(8));
    EXPECT_EQ(Severities(model, RuleId::kAlignmentSmall), "warning warning off");
    EXPECT_TRUE(Judge(model).Accepted());
    EXPECT_TRUE(Judge(model, PolicyFor(Profile::kLlamaCpp)).Accepted());
  }
  EXPECT_THAT(RulesFired(WithAlignment(8)), IsEmpty());
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
