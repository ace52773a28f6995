// Errors of the parser inside records: types, arrays, dimensions, and the limits on work.

#include <gtest/gtest.h>

#include "tests/support/judge.h"
#include "tests/support/matchers.h"
#include "tests/support/rule_cases.h"

namespace ggufgate::testing {
namespace {

TEST(ValueTypeRule, AboveTwelve) {
  Model model = Model::Minimal();
  model.Set(kKey, std::uint64_t{0});
  EXPECT_THAT(RulesFired(model), IsEmpty());
  for (const std::uint32_t type : {13U, 255U, 256U, 0x80000000U, UINT32_MAX}) {
    model.metadata[1].type = type;
    EXPECT_THAT(RulesFired(model), ElementsAre("value-type"));
    ExpectFault(Judge(model), ValueTypeWording::kOnly, {TypeAt(model, 1), 4}, Number(type),
                Number(12));
  }
  EXPECT_EQ(Describe(Judge(model).Only(RuleId::kValueType).subject), "metadata 1 \"k.a\"");
  EXPECT_EQ(Severities(model, RuleId::kValueType), "error error error");
  model.metadata[1].type = 12;  // f64, also 8 bytes
  EXPECT_THAT(RulesFired(model), IsEmpty());
}

TEST(ArrayElementType, AboveTwelveEvenWhenEmpty) {
  for (const std::uint32_t type : {13U, 14U, 0x80000000U, UINT32_MAX}) {
    const Model model = WithArray(static_cast<ValueType>(type), 0, {});
    EXPECT_THAT(RulesFired(model), ElementsAre("array-element-type"));
    ExpectFault(Judge(model), ArrayElementTypeWording::kOnly, {ValueAt(model, 0), 4}, Number(type),
                Number(12));
    EXPECT_EQ(Severities(model, RuleId::kArrayElementType), "error error error");
  }
  EXPECT_THAT(RulesFired(WithArray(ValueType::kF64, 0, {})), IsEmpty());
}

TEST(ArrayCount, BoundedByTheBytesLeft) {
  const std::vector<std::uint8_t> zeros(16, 0);
  struct Case {
    ValueType type;
    std::uint64_t room;
  };
  for (const auto& [type, room] :
       {Case{ValueType::kU8, 16}, Case{ValueType::kU16, 8}, Case{ValueType::kF32, 4},
        Case{ValueType::kI64, 2}, Case{ValueType::kString, 2}}) {
    SCOPED_TRACE(InfoOf(type).word);
    EXPECT_THAT(RulesFired(WithArray(type, room, zeros)), IsEmpty());
    for (const std::uint64_t claim :
         {room + 1, (std::uint64_t{1} << 61) + 1, std::uint64_t{1} << 63, UINT64_MAX}) {
      const Model model = WithArray(type, claim, zeros);
      EXPECT_THAT(RulesFired(model), ElementsAre("array-count"));
      ExpectFault(Judge(model), ArrayCountWording::kBytesLeft, {ValueAt(model, 0) + 4, 8},
                  Number(claim), Number(room));
    }
  }
}

TEST(ArrayCount, BoundedByTheLimit) {
  Policy policy;
  policy.limits.array_elements = 3;
  EXPECT_THAT(RulesFired(WithArray(ValueType::kU8, 3, {1, 2, 3}), policy), IsEmpty());
  const Model model = WithArray(ValueType::kU8, 4, {1, 2, 3, 4});
  ExpectFault(Judge(model, policy), ArrayCountWording::kLimit, {ValueAt(model, 0) + 4, 8},
              Number(4), Number(3));
}

TEST(ArrayDepth, AboveFourIsAnErrorEvenWhereNestingIsANote) {
  const Model model = WithNestedArray(5);
  EXPECT_EQ(RuleOf(RuleId::kArrayNested).SeverityIn(Profile::kSpec), Severity::kNote);
  EXPECT_EQ(Severities(model, RuleId::kArrayNested), "error error error");
  ExpectFault(Judge(model), ArrayNestedWording::kTooDeep, {ValueAt(model, 0) + 4 * 12, 12},
              Number(5), Number(4));
  EXPECT_FALSE(Judge(WithNestedArray(100'000), PolicyFor(Profile::kSpec)).Accepted());
  EXPECT_TRUE(Judge(WithNestedArray(4), PolicyFor(Profile::kSpec)).Accepted());
}

TEST(TensorDimensions, AboveFive) {
  Model model;
  model.Add("weight", TensorType::kI8, {2, 1, 1, 1});
  EXPECT_THAT(RulesFired(model), IsEmpty());
  for (const std::uint32_t claim : {6U, 0x80000000U, UINT32_MAX}) {
    model.tensors[0].claimed_dimension_count = claim;
    EXPECT_THAT(RulesFired(model), ElementsAre("tensor-dimensions"));
    ExpectFault(Judge(model), TensorDimensionsWording::kTooMany, {DimensionCountAt(model, 0), 4},
                Number(claim), Number(5));
  }
  EXPECT_EQ(Describe(Judge(model).Only(RuleId::kTensorDimensions).subject), "tensor 0 \"weight\"");
  EXPECT_EQ(Severities(model, RuleId::kTensorDimensions), "error error error");
}

// Wan 2.1 and HunyuanVideo have tensors with five dimensions; the following records are checked as
// usual.
TEST(TensorDimensions, FiveAreReadOn) {
  Model model;
  model.Add("patch_embedding.weight", TensorType::kF16, {2, 2, 1, 16, 3});
  model.Add("last", TensorType::kI8, {32});
  EXPECT_EQ(Severities(model, RuleId::kTensorDimensions), "warning error error");
  const Judged judged = Judge(model);
  EXPECT_TRUE(judged.Accepted());
  const Finding finding = judged.Only(RuleId::kTensorDimensions);
  EXPECT_THAT(finding, Tells({DimensionCountAt(model, 0), 4}, Number(5), Number(4)));
  EXPECT_EQ(WordingOf(finding), TensorDimensionsWording::kTooManyForLlamaCpp);
  EXPECT_THAT(Judge(model, PolicyFor(Profile::kDiffusion)).checked.findings.list, IsEmpty());

  // All five count: 384 bytes of the first tensor, not fewer.
  model.tensors[1].offset = 352;
  EXPECT_THAT(RulesFired(model), ::testing::Contains("tensor-overlap"));
}

TEST(LimitExceeded, BytesOfMetadata) {
  const Model model = Model::Minimal();
  Policy policy;
  policy.limits.metadata_bytes = DirectoryEnd(model);
  EXPECT_THAT(RulesFired(model, policy), IsEmpty());
  --policy.limits.metadata_bytes;
  ExpectFault(Judge(model, policy), LimitExceededWording::kMetadataBytes, {OffsetAt(model, 0), 8},
              Number(DirectoryEnd(model)), Number(DirectoryEnd(model) - 1));
}

TEST(LimitExceeded, StringsInAllArraysTogether) {
  Model model;
  model.Set("a", std::vector<std::string>{"x", "y"}).Set("b", std::vector<std::string>{"z"});
  Policy policy;
  policy.limits.array_strings = 3;
  EXPECT_THAT(RulesFired(model, policy), IsEmpty());
  policy.limits.array_strings = 2;
  ExpectFault(Judge(model, policy), LimitExceededWording::kArrayStrings, {ValueAt(model, 1) + 4, 8},
              Number(3), Number(2));
}

}  // namespace
}  // namespace ggufgate::testing
