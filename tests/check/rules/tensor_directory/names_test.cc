// Rules about tensor names.

#include <gtest/gtest.h>

#include "tests/support/judge.h"
#include "tests/support/matchers.h"
#include "tests/support/rule_cases.h"

namespace ggufgate::testing {
namespace {

using namespace std::string_literals;

TEST(TensorNameLength, SixtyThreeForTheReference) {
  const Model model = WithNames({"a", std::string(64, 'n')});
  const Judged judged = Judge(model, PolicyFor(Profile::kLlamaCpp));
  EXPECT_FALSE(judged.Accepted());
  const Finding finding = judged.Only(RuleId::kTensorNameLength);
  EXPECT_THAT(finding, Tells({TensorAt(model, 1), 8}, Number(64), Number(63)));
  EXPECT_EQ(Describe(finding.subject), "tensor 1 \"" + std::string(64, 'n') + "\"");
  EXPECT_EQ(WordingOf(finding), TensorNameLengthWording::kTooLong);

  EXPECT_THAT(RulesFired(WithNames({std::string(63, 'n')})), IsEmpty());
}

// stable-diffusion.cpp is built with GGML_MAX_NAME=160.
TEST(TensorNameLength, AHundredAndFiftyNineForImageModelsWithAWarningFromSixtyFourOn) {
  for (const std::size_t length : {64U, 159U}) {
    const Judged judged = Judge(WithNames({std::string(length, 'n')}));
    EXPECT_TRUE(judged.Accepted()) << length;
    const Finding finding = judged.Only(RuleId::kTensorNameLength);
    EXPECT_EQ(finding.severity, Severity::kWarning);
    EXPECT_EQ(finding.allowed, Number(63));
    EXPECT_EQ(WordingOf(finding), TensorNameLengthWording::kTooLongForLlamaCpp);
    const Model model = WithNames({std::string(length, 'n')});
    EXPECT_THAT(Judge(model, PolicyFor(Profile::kDiffusion)).checked.findings.list, IsEmpty());
  }
  const Model model = WithNames({std::string(160, 'n')});
  EXPECT_THAT(RulesFired(model), ElementsAre("tensor-name-length"));
  EXPECT_EQ(Judge(model).Only(RuleId::kTensorNameLength).allowed, Number(159));
  EXPECT_FALSE(Judge(model, PolicyFor(Profile::kDiffusion)).Accepted());
}

TEST(TensorNameLength, APolicyThatKnowsOnlyLlamaCppRefusesSixtyFour) {
  Policy policy = PolicyFor(Profile::kGate);
  policy.limits.tensor_name_bytes = 63;
  EXPECT_FALSE(Judge(WithNames({std::string(64, 'n')}), policy).Accepted());
  EXPECT_TRUE(Judge(WithNames({std::string(63, 'n')}), policy).Accepted());
}

TEST(TensorNameLength, SixtyFourForTheSpecification) {
  EXPECT_EQ(Severities(WithNames({std::string(64, 'n')}), RuleId::kTensorNameLength),
            "warning error off");
  const Model model = WithNames({std::string(65, 'n')});
  EXPECT_EQ(Severities(model, RuleId::kTensorNameLength), "warning error error");
  EXPECT_EQ(Judge(model, PolicyFor(Profile::kSpec)).Only(RuleId::kTensorNameLength).allowed,
            Number(64));
}

TEST(TensorNameEmpty, IsAWarning) {
  const Model model = WithNames({"a", ""});
  const Finding finding = SoleFinding(model, RuleId::kTensorNameEmpty);
  EXPECT_THAT(finding, Tells({TensorAt(model, 1), 8}, Number(0)));
  EXPECT_EQ(Describe(finding.subject), "tensor 1 \"\"");
  EXPECT_EQ(Severities(model, RuleId::kTensorNameEmpty), "warning warning warning");
  EXPECT_THAT(RulesFired(WithNames({"a", "b"})), IsEmpty());
}

TEST(TensorNameDuplicate, NamesTheFirst) {
  const Model model = WithNames({"a", "w", "b", "w", "w"});
  EXPECT_THAT(RulesFired(model), ElementsAre("tensor-name-duplicate"));
  const std::vector<Finding> findings = FindingsOf(Judge(model), RuleId::kTensorNameDuplicate);
  ASSERT_THAT(findings, SizeIs(2));
  EXPECT_EQ(findings[0].where, (ByteRange{NameAt(model, 3), 1}));
  EXPECT_THAT(findings[1], Tells({NameAt(model, 4), 1}, Number(4), _, Number(1)));
  EXPECT_EQ(Describe(findings[1].subject), "tensor 4 \"w\"");
  EXPECT_EQ(Severities(model, RuleId::kTensorNameDuplicate), "error error error");

  EXPECT_THAT(RulesFired(WithNames({"w", "W2", "w.", "ww"})), IsEmpty());
}

TEST(TensorNameDuplicate, TwoEmptyNames) {
  EXPECT_THAT(RulesFired(WithNames({"", ""})),
              ElementsAre("tensor-name-duplicate", "tensor-name-empty"));
}

TEST(TensorNameNul, TwoReadersTwoNames) {
  const Model model = WithNames({"w", "w\0x"s});
  const Finding finding = SoleFinding(model, RuleId::kTensorNameNul);
  EXPECT_EQ(finding.where, (ByteRange{NameAt(model, 1) + 1, 1}));
  EXPECT_EQ(finding.subject.name, "w\0x"s);
  EXPECT_EQ(finding.observed, Number(1));
  EXPECT_EQ(Severities(model, RuleId::kTensorNameNul), "error error error");
  EXPECT_THAT(RulesFired(WithNames({"\0"s})), ElementsAre("tensor-name-nul"));
  EXPECT_THAT(RulesFired(WithNames({"w", "w0x"})), IsEmpty());
}

TEST(TensorNameCharacters, ControlCharacters) {
  for (const char c : {'\x01', '\n', '\x1B', '\x1F', '\x7F'}) {
    const Model model = WithNames({"ab"s + c});
    EXPECT_THAT(SoleFinding(model, RuleId::kTensorNameCharacters),
                Tells({NameAt(model, 0) + 2, 1}, Number(static_cast<unsigned char>(c))));
    EXPECT_EQ(Severities(model, RuleId::kTensorNameCharacters), "error warning warning");
  }
  EXPECT_THAT(RulesFired(WithNames({"a b~", "caf\xC3\xA9"})), IsEmpty());
  EXPECT_THAT(RulesFired(WithNames({"\n\0"s})),
              ElementsAre("tensor-name-characters", "tensor-name-nul"));
}

}  // namespace
}  // namespace ggufgate::testing
