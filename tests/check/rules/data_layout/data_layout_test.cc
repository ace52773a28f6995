// Rules about the places of tensor data. For the causes of their findings see diagnose_test.cc.

#include <gtest/gtest.h>

#include "tests/support/judge.h"
#include "tests/support/matchers.h"
#include "tests/support/rule_cases.h"

namespace ggufgate::testing {
namespace {

const Policy& Spec() {
  static const Policy policy = PolicyFor(Profile::kSpec);
  return policy;
}

// Empty removes the elements and data of a tensor.
void Empty(Model::Tensor& tensor) {
  tensor.dims = {0};
  tensor.data.clear();
}

TEST(TensorOffsetAlignment, AMultipleOfTheAlignment) {
  Model model = WithTensors({5, 5});
  for (const std::uint64_t offset : {33U, 40U, 56U}) {
    model.tensors[1].offset = offset;
    EXPECT_THAT(RulesFired(model, Spec()), ElementsAre("tensor-offset-alignment"));
    const Finding finding = Judge(model).Only(RuleId::kTensorOffsetAlignment);
    EXPECT_THAT(finding, Tells({OffsetAt(model, 1), 8}, Number(offset), Number(32)));
    EXPECT_EQ(Describe(finding.subject), "tensor 1 \"t.1\"");
    EXPECT_EQ(Severities(model, RuleId::kTensorOffsetAlignment), "error error error");
  }
  model.tensors[1].offset = 32;
  EXPECT_THAT(RulesFired(model, Spec()), IsEmpty());
}

TEST(TensorOffsetAlignment, IsThatOfTheFile) {
  Model model = WithAlignment(64);
  model.Add("second", TensorType::kI8, {5});
  EXPECT_THAT(RulesFired(model), IsEmpty());
  model.tensors[1].offset = 32;
  EXPECT_THAT(RulesFired(model),
              ElementsAre("tensor-offset-alignment", "tensor-order", "trailing-bytes"));
}

TEST(TensorDataBounds, OneByteMissing) {
  Model model = WithTensors({5});
  model.pad_last_tensor = false;
  std::vector<std::uint8_t> file = Write(model);
  EXPECT_THAT(Judge(file).Rules(), IsEmpty());
  file.pop_back();
  const Judged judged = Judge(file);
  EXPECT_THAT(judged.Rules(), ElementsAre("tensor-data-bounds"));
  const Finding finding = judged.Only(RuleId::kTensorDataBounds);
  EXPECT_THAT(finding,
              Tells({OffsetAt(model, 0), 8}, Number(DataAt(model) + 5), Number(DataAt(model) + 4)));
  EXPECT_EQ(Describe(finding.subject), "tensor 0 \"t.0\"");
  EXPECT_EQ(WordingOf(finding), TensorDataBoundsWording::kPastTheFile);
  EXPECT_EQ(Severities(file, RuleId::kTensorDataBounds), "error error error");
}

TEST(TensorDataBounds, TheLastLegalOffset) {
  Model model = WithTensors({32, 32});
  model.tensors[1].offset = 64;
  EXPECT_THAT(RulesFired(model, Spec()), ElementsAre("tensor-data-bounds"));
  EXPECT_EQ(Judge(model).Only(RuleId::kTensorDataBounds).observed, Number(DataAt(model) + 96));
  model.tensors[1].offset = 32;
  EXPECT_THAT(RulesFired(model), IsEmpty());
}

TEST(TensorDataBounds, OffsetsThatWrap) {
  Model model = WithTensors({32});
  constexpr std::uint64_t kTwo63 = std::uint64_t{1} << 63;
  for (const std::uint64_t offset : {UINT64_MAX - 31, kTwo63, kTwo63 - 32}) {
    model.tensors[0].offset = offset;
    EXPECT_THAT(RulesFired(model, Spec()), ElementsAre("tensor-data-bounds"));
    const Finding finding = Judge(model).Only(RuleId::kTensorDataBounds);
    EXPECT_EQ(WordingOf(finding), TensorDataBoundsWording::kPastAnyFile);
    EXPECT_EQ(finding.observed, Number(offset));
    EXPECT_EQ(finding.allowed, Number(DataAt(model)));
  }
  model.tensors[0].offset = kTwo63 - DataAt(model) - 64;  // ends below 2^63
  EXPECT_EQ(WordingOf(Judge(model).Only(RuleId::kTensorDataBounds)),
            TensorDataBoundsWording::kPastTheFile);
}

TEST(TensorDataBounds, EveryMissingTensorIsCounted) {
  Model model = WithTensors({32, 32, 32});
  std::vector<std::uint8_t> file = Write(model);
  file.resize(DataAt(model) + 40);
  const Judged truncated = Judge(file);
  EXPECT_THAT(FindingsOf(truncated, RuleId::kTensorDataBounds), SizeIs(1));
  EXPECT_EQ(TotalOf(truncated, RuleId::kTensorDataBounds), 2U);

  // Where a tensor is out of place too, each is a fault of its own.
  model.tensors[1].offset = 96;
  model.tensors[2].offset = 128;
  EXPECT_THAT(FindingsOf(Judge(model), RuleId::kTensorDataBounds), SizeIs(2));
}

TEST(TensorDataBounds, ATensorWithoutDataMustStillBeginInTheFile) {
  Model model = WithTensors({32});
  Empty(model.tensors[0]);
  std::vector<std::uint8_t> file = Write(model);
  EXPECT_THAT(Judge(file).Rules(), ElementsAre("tensor-row-empty"));
  file.pop_back();  // from the padding before the data section
  EXPECT_THAT(Judge(file).Rules(), ElementsAre("tensor-data-bounds", "tensor-row-empty"));
}

TEST(TensorOverlap, ASharedByte) {
  Model model = WithTensors({64, 32});
  model.tensors[1].offset = 32;
  model.tensors[1].data.clear();  // it is the second half of the first
  EXPECT_THAT(RulesFired(model, Spec()), ElementsAre("tensor-overlap"));
  const Finding finding = Judge(model).Only(RuleId::kTensorOverlap);
  EXPECT_THAT(finding, Tells({OffsetAt(model, 1), 8}, Number(DataAt(model) + 32),
                             Number(DataAt(model) + 64), Text("t.0")));
  EXPECT_EQ(Describe(finding.subject), "tensor 1 \"t.1\"");
  EXPECT_EQ(Severities(model, RuleId::kTensorOverlap), "error error error");

  model.tensors[0].dims = {32};  // now it ends where the second begins
  EXPECT_THAT(RulesFired(model), IsEmpty());
}

TEST(TensorOverlap, TheSameOffsetTwice) {
  Model model = WithTensors({32, 32});
  model.tensors[1].offset = 0;
  const std::vector<Finding> findings = FindingsOf(Judge(model), RuleId::kTensorOverlap);
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(Describe(findings[0].subject), "tensor 1 \"t.1\"");
  EXPECT_EQ(findings[0].other, Text("t.0"));
}

TEST(TensorOverlap, WithOneThatEndsFarBehind) {
  // The first contains the others; the second and third do not touch.
  Model model = WithTensors({128, 32, 32});
  model.tensors[1].offset = 32;
  model.tensors[2].offset = 96;
  const std::vector<Finding> findings = FindingsOf(Judge(model), RuleId::kTensorOverlap);
  ASSERT_THAT(findings, SizeIs(2));
  EXPECT_EQ(findings[0].other, Text("t.0"));
  EXPECT_EQ(findings[1].other, Text("t.0"));
}

TEST(TensorOverlap, TensorsWithoutDataShareNothing) {
  Model model = WithTensors({64, 32, 32});
  Empty(model.tensors[1]);
  model.LayOut();
  EXPECT_EQ(model.tensors[1].offset, model.tensors[2].offset);
  EXPECT_THAT(RulesFired(model), ElementsAre("tensor-row-empty"));
  model.tensors[1].offset = 32;  // inside the first
  EXPECT_THAT(RulesFired(model, Spec()), ElementsAre("tensor-row-empty"));
}

TEST(TensorOrder, TheRunningPaddedSum) {
  Model model = WithTensors({5, 32, 32});
  model.tensors[2].offset = 96;
  model.trailing.assign(32, 0);
  const Finding finding = SoleFinding(model, RuleId::kTensorOrder);
  EXPECT_THAT(finding, Tells({OffsetAt(model, 2), 8}, Number(96), Number(64)));
  EXPECT_EQ(Describe(finding.subject), "tensor 2 \"t.2\"");
  EXPECT_FALSE(finding.cause);
  EXPECT_EQ(Severities(model, RuleId::kTensorOrder), "error error off");

  model.tensors[2].offset = 64;
  model.trailing.clear();
  EXPECT_THAT(RulesFired(model), IsEmpty());
}

TEST(TensorOrder, TheFirstBeginsAtZero) {
  Model model = WithTensors({32});
  model.tensors[0].offset = 32;
  model.trailing.assign(32, 0);
  EXPECT_THAT(RulesFired(model), ElementsAre("tensor-order"));
  EXPECT_EQ(Judge(model).Only(RuleId::kTensorOrder).allowed, Number(0));
}

TEST(TensorOrder, OneGapIsOneFinding) {
  Model model = WithTensors({32, 32, 32, 32});
  for (const std::size_t i : {1U, 2U, 3U}) model.tensors[i].offset += 64;
  model.trailing.assign(64, 0);
  EXPECT_EQ(TotalOf(Judge(model), RuleId::kTensorOrder), 1U);
  model.tensors[3].offset += 32;
  model.trailing.assign(96, 0);
  EXPECT_EQ(TotalOf(Judge(model), RuleId::kTensorOrder), 2U);
}

TEST(TensorOrder, AnyOrderWithAnyGapsIsLegalInTheSpecification) {
  Model model = WithTensors({32, 64, 32});
  std::swap(model.tensors[0], model.tensors[2]);
  EXPECT_THAT(RulesFired(model), ElementsAre("tensor-order"));
  EXPECT_THAT(RulesFired(model, Spec()), IsEmpty());
  model.tensors[0].offset += 320;  // the last one by offset
  model.trailing.assign(320, 0);
  EXPECT_THAT(RulesFired(model, Spec()), IsEmpty());
}

TEST(TensorOrder, SaysNothingBehindASizeThatNobodyKnows) {
  Model model = WithTensors({32, 32});
  model.tensors[0].type_id = 43;
  model.tensors[1].offset = 64;
  model.trailing.assign(32, 0);
  EXPECT_THAT(Judge(model).Rules(Severity::kError), ElementsAre("tensor-type"));
}

}  // namespace
}  // namespace ggufgate::testing
