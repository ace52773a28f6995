// Rules byte-order, trailing-bytes and padding-not-zero. The other container rules are faults of
// the parser: faults_test.cc.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/judge.h"
#include "tests/support/rule_cases.h"

namespace ggufgate::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST(ByteOrderRule, BigEndianForLittleEndianMachines) {
  const Judged judged = Judge(BigEndianMinimal());
  EXPECT_THAT(judged.Rules(), ElementsAre("byte-order"));
  EXPECT_FALSE(judged.Accepted());
  const Finding finding = judged.Only(RuleId::kByteOrder);
  EXPECT_EQ(finding.where, (ByteRange{4, 4}));
  EXPECT_EQ(Describe(finding.subject), "header");
  EXPECT_EQ(finding.observed, Number(3));
  EXPECT_EQ(finding.wording, 1);
  EXPECT_FALSE(finding.cause);

  EXPECT_THAT(Judge(Model::Minimal()).Rules(), IsEmpty());
}

TEST(ByteOrderRule, LittleEndianForBigEndianMachines) {
  Policy policy;
  policy.target = TargetOrder::kBig;
  const Judged judged = Judge(Model::Minimal(), policy);
  EXPECT_THAT(judged.Rules(), ElementsAre("byte-order"));
  EXPECT_EQ(judged.Only(RuleId::kByteOrder).wording, 2);

  EXPECT_THAT(Judge(BigEndianMinimal(), policy).Rules(), IsEmpty());
}

TEST(ByteOrderRule, EitherForAnyMachine) {
  Policy policy;
  policy.target = TargetOrder::kAny;
  EXPECT_THAT(Judge(Model::Minimal(), policy).Rules(), IsEmpty());
  EXPECT_THAT(Judge(BigEndianMinimal(), policy).Rules(), IsEmpty());
}

TEST(ByteOrderRule, IsNoMatterToTheSpecification) {
  EXPECT_EQ(Severities(BigEndianMinimal(), RuleId::kByteOrder), "error error note");
  EXPECT_TRUE(Judge(BigEndianMinimal(), PolicyFor(Profile::kSpec)).Accepted());
}

TEST(TrailingBytes, AfterTheLastTensor) {
  Model model = Model::Minimal();
  const std::uint64_t end = Write(model).size();
  model.trailing = {0};  // zeros, too: nobody says what they are
  EXPECT_THAT(RulesFired(model), ElementsAre("trailing-bytes"));
  const Finding finding = Judge(model).Only(RuleId::kTrailingBytes);
  EXPECT_EQ(finding.where, (ByteRange{end, 1}));
  EXPECT_EQ(Describe(finding.subject), "file");
  EXPECT_EQ(finding.observed, Number(1));
  EXPECT_EQ(Severities(model, RuleId::kTrailingBytes), "warning warning warning");
  EXPECT_TRUE(Judge(model).Accepted());

  model.trailing.clear();
  EXPECT_THAT(RulesFired(model), IsEmpty());
}

TEST(TrailingBytes, BeginAfterThePaddingOfTheLastTensor) {
  Model model = WithTensors({5});
  model.pad_last_tensor = false;
  model.trailing.assign(27, 0);  // the padding that was left out
  EXPECT_THAT(RulesFired(model), IsEmpty());
  model.trailing.assign(28, 0);
  EXPECT_THAT(RulesFired(model), ElementsAre("trailing-bytes"));
  EXPECT_EQ(Judge(model).Only(RuleId::kTrailingBytes).where, (ByteRange{DataAt(model) + 32, 1}));
}

TEST(TrailingBytes, WithoutTensorsFollowTheMetadata) {
  Model model;  // 24 bytes: 8 more are padding
  model.trailing.assign(8, 0);
  EXPECT_THAT(RulesFired(model), IsEmpty());
  model.trailing.assign(1000, 7);
  EXPECT_THAT(RulesFired(model), ElementsAre("padding-not-zero", "trailing-bytes"));
  EXPECT_EQ(Judge(model).Only(RuleId::kTrailingBytes).where, (ByteRange{32, 992}));
}

TEST(TrailingBytes, PaddingOfTheLastTensorMayBeAbsent) {
  Model model = WithTensors({5});
  model.pad_last_tensor = false;
  EXPECT_THAT(RulesFired(model), IsEmpty());
}

TEST(PaddingNotZero, BeforeBetweenAndAfterTheTensors) {
  Model model = WithTensors({5, 7});
  model.padding_byte = 0xAA;
  EXPECT_THAT(RulesFired(model), ElementsAre("padding-not-zero"));
  const Judged judged = Judge(model);
  const std::vector<Finding> findings = FindingsOf(judged, RuleId::kPaddingNotZero);
  ASSERT_THAT(findings, SizeIs(3));
  EXPECT_EQ(findings[0].where, (ByteRange{DirectoryEnd(model), 1}));
  EXPECT_EQ(findings[1].where, (ByteRange{DataAt(model) + 5, 1}));
  EXPECT_EQ(findings[2].where, (ByteRange{DataAt(model) + 32 + 7, 1}));
  EXPECT_EQ(findings[0].observed, Number(0xAA));
  EXPECT_EQ(Describe(findings[0].subject), "file");
  EXPECT_EQ(Severities(model, RuleId::kPaddingNotZero), "warning warning warning");

  model.padding_byte = 0;
  EXPECT_THAT(RulesFired(model), IsEmpty());
}

TEST(PaddingNotZero, TellsTheFirstByteOfEachStretch) {
  const Model model = WithTensors({5});
  std::vector<std::uint8_t> file = Write(model);
  file.at(DataAt(model) - 1) = 1;
  EXPECT_EQ(Judge(file).Only(RuleId::kPaddingNotZero).where, (ByteRange{DataAt(model) - 1, 1}));
  file.at(DataAt(model) - 2) = 2;
  const Judged judged = Judge(file);
  EXPECT_EQ(TotalOf(judged, RuleId::kPaddingNotZero), 1U);
  EXPECT_EQ(judged.Only(RuleId::kPaddingNotZero).where, (ByteRange{DataAt(model) - 2, 1}));
  EXPECT_EQ(judged.Only(RuleId::kPaddingNotZero).observed, Number(2));
}

TEST(PaddingNotZero, DataAreNotPadding) {
  Model model = WithTensors({5, 32});
  model.tensors[0].data.assign(5, 0xFF);
  model.tensors[1].data.assign(32, 0xFF);
  EXPECT_THAT(RulesFired(model), IsEmpty());
}

TEST(PaddingNotZero, DataOfATensorThatCannotBePlacedAreNotPadding) {
  Model model = WithTensors({32, 64, 32});
  model.tensors[1].data.assign(64, 0xFF);
  model.tensors[1].type_id = 43;
  EXPECT_THAT(RulesFired(model), ElementsAre("tensor-type"));
  std::swap(model.tensors[1], model.tensors[2]);  // nor, where it lies last, trailing bytes
  model.LayOut();
  EXPECT_THAT(RulesFired(model), ElementsAre("tensor-type"));
}

TEST(TrailingBytes, NotBeforeTheEndOfATensorOutsideTheFile) {
  Model model = WithTensors({32, 64});
  model.tensors[1].offset = 4096;
  EXPECT_THAT(RulesFired(model, PolicyFor(Profile::kSpec)), ElementsAre("tensor-data-bounds"));
}

TEST(PaddingNotZero, LooksIntoGapsThatTheSpecificationAllows) {
  Model model = WithTensors({32, 64, 32});
  model.tensors.erase(model.tensors.begin() + 1);  // the offset of the third stays
  std::vector<std::uint8_t> gap(64, 0);
  model.tensors[0].data.insert(model.tensors[0].data.end(), gap.begin(), gap.end());
  const Policy spec = PolicyFor(Profile::kSpec);
  EXPECT_THAT(RulesFired(model, spec), IsEmpty());

  model.tensors[0].data.at(32 + 40) = 9;
  EXPECT_THAT(RulesFired(model, spec), ElementsAre("padding-not-zero"));
  EXPECT_EQ(Judge(model, spec).Only(RuleId::kPaddingNotZero).where,
            (ByteRange{DataAt(model) + 72, 1}));
}

}  // namespace
}  // namespace ggufgate::testing
