// Rules byte-order and trailing-bytes. The other container rules are errors of the parser:
// faults_test.cc. padding_test.cc has padding.

#include <gtest/gtest.h>

#include "tests/support/judge.h"
#include "tests/support/matchers.h"
#include "tests/support/rule_cases.h"

namespace ggufgate::testing {
namespace {

TEST(ByteOrderRule, BigEndianForLittleEndianMachines) {
  const Judged judged = Judge(BigEndianMinimal());
  EXPECT_THAT(judged.Rules(), ElementsAre("byte-order"));
  EXPECT_FALSE(judged.Accepted());
  const Finding finding = judged.Only(RuleId::kByteOrder);
  EXPECT_THAT(finding, Tells({4, 4}, Number(3)));
  EXPECT_EQ(Describe(finding.subject), "header");
  EXPECT_EQ(WordingOf(finding), ByteOrderWording::kBigEndian);
  EXPECT_FALSE(finding.cause);

  EXPECT_THAT(Judge(Model::Minimal()).Rules(), IsEmpty());
}

TEST(ByteOrderRule, LittleEndianForBigEndianMachines) {
  Policy policy;
  policy.target = TargetOrder::kBig;
  const Judged judged = Judge(Model::Minimal(), policy);
  EXPECT_THAT(judged.Rules(), ElementsAre("byte-order"));
  EXPECT_EQ(WordingOf(judged.Only(RuleId::kByteOrder)), ByteOrderWording::kLittleEndian);

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
  model.trailing = {0};  // zeros, too, because their meaning is unknown
  const Finding finding = SoleFinding(model, RuleId::kTrailingBytes);
  EXPECT_THAT(finding, Tells({end, 1}, Number(1)));
  EXPECT_EQ(Describe(finding.subject), "file");
  EXPECT_EQ(Severities(model, RuleId::kTrailingBytes), "warning warning warning");
  EXPECT_TRUE(Judge(model).Accepted());

  model.trailing.clear();
  EXPECT_THAT(RulesFired(model), IsEmpty());
}

TEST(TrailingBytes, OfAnotherGguf) {
  Model model = Model::Minimal();
  const auto wording = [&] { return WordingOf(SoleFinding(model, RuleId::kTrailingBytes)); };
  model.trailing = {'G', 'G', 'U', 'F', 3, 0, 0, 0};
  EXPECT_EQ(wording(), TrailingBytesWording::kGguf);
  model.trailing = {'G', 'G', 'U', 'F', 0, 0, 0, 3};  // in the other byte order
  EXPECT_EQ(wording(), TrailingBytesWording::kGguf);
  model.trailing = {'G', 'G', 'U', 'F', 4, 0, 0, 0};
  EXPECT_EQ(wording(), TrailingBytesWording::kBytes);
  model.trailing = {'G', 'G', 'U', 'F', 3, 0, 0};
  EXPECT_EQ(wording(), TrailingBytesWording::kBytes);
}

TEST(TrailingBytes, BeginAfterThePaddingOfTheLastTensor) {
  Model model = WithTensors({5});
  model.pad_last_tensor = false;
  model.trailing.assign(27, 0);  // the missing padding
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

TEST(TrailingBytes, NotBeforeTheEndOfATensorOutsideTheFile) {
  Model model = WithTensors({32, 64});
  model.tensors[1].offset = 4096;
  EXPECT_THAT(RulesFired(model, PolicyFor(Profile::kSpec)), ElementsAre("tensor-data-bounds"));
}

}  // namespace
}  // namespace ggufgate::testing
