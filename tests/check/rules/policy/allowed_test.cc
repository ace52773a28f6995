// Allow-lists of a policy: architectures and tensor types.

#include <gtest/gtest.h>

#include "tests/support/judge.h"
#include "tests/support/matchers.h"
#include "tests/support/rule_cases.h"

namespace ggufgate::testing {
namespace {

constexpr auto kArchitecture = RuleId::kArchitectureNotAllowed;
constexpr auto kType = RuleId::kTensorTypeNotAllowed;

Policy Architectures(std::vector<std::string> names) {
  Policy policy;
  policy.architectures = std::move(names);
  return policy;
}

Policy Types(std::vector<TensorType> types) {
  Policy policy;
  policy.tensor_types = std::move(types);
  return policy;
}

TEST(ArchitectureNotAllowed, OnlyThoseOfTheList) {
  const Model model = Model::Minimal();
  const Judged judged = Judge(model, Architectures({"llama", "tests"}));
  EXPECT_THAT(judged.Rules(), ElementsAre("architecture-not-allowed"));
  const Finding finding = judged.Only(kArchitecture);
  EXPECT_EQ(finding.severity, Severity::kError);
  EXPECT_THAT(finding, Tells({ValueAt(model, 0), 8 + 4}, Text("test"), Text("llama, tests")));
  EXPECT_EQ(WordingOf(finding), ArchitectureNotAllowedWording::kOther);
  EXPECT_EQ(Describe(finding.subject), "metadata 0 \"general.architecture\"");

  EXPECT_THAT(Judge(model, Architectures({"llama", "test"})).Rules(), IsEmpty());
  EXPECT_THAT(Judge(model, Architectures({"Test"})).Rules(), SizeIs(1)) << "to the letter";
  EXPECT_THAT(Judge(model).Rules(), IsEmpty()) << "no list, no rule";
}

TEST(ArchitectureNotAllowed, NoneIsNotAllowedEither) {
  Model absent;
  absent.Add("weight", TensorType::kF32, {8});
  const Finding finding = Judge(absent, Architectures({"test"})).Only(kArchitecture);
  EXPECT_EQ(finding.where, (ByteRange{16, 8}));
  EXPECT_EQ(WordingOf(finding), ArchitectureNotAllowedWording::kAbsent);
  EXPECT_EQ(Describe(finding.subject), "header");

  Model number = Model().Set("general.architecture", std::uint32_t{1});
  const Finding wrong = Judge(number, Architectures({"test"})).Only(kArchitecture);
  EXPECT_THAT(wrong, Tells({ValueAt(number, 0), 4}, Fact{}));
  EXPECT_EQ(WordingOf(wrong), ArchitectureNotAllowedWording::kAbsent);
}

TEST(ArchitectureNotAllowed, NoSecondKeySlipsThrough) {
  Model model = Model::Minimal();
  model.metadata.push_back(Model().Set("general.architecture", "evil").metadata.front());
  const Judged judged = Judge(model, Architectures({"test"}));
  EXPECT_THAT(FindingsOf(judged, kArchitecture), SizeIs(1));
  EXPECT_EQ(judged.Only(kArchitecture).observed, Text("evil"));
}

TEST(ArchitectureNotAllowed, SaysNothingBehindAFault) {
  std::vector<std::uint8_t> file = Write(Model::Minimal());
  file.resize(30);
  const Judged judged = Judge(file, Architectures({"test"}));
  EXPECT_THAT(FindingsOf(judged, kArchitecture), IsEmpty());
  EXPECT_FALSE(judged.Accepted());
}

TEST(TensorTypeNotAllowed, OnlyThoseOfTheList) {
  Model model = Model::Minimal();
  model.Add("half", TensorType::kF16, {8});
  const Judged judged = Judge(model, Types({TensorType::kF32, TensorType::kQ4_0}));
  EXPECT_THAT(judged.Rules(), ElementsAre("tensor-type-not-allowed"));
  const Finding finding = judged.Only(kType);
  EXPECT_THAT(finding, Tells({TensorTypeAt(model, 1), 4}, Text("F16"), Text("F32, Q4_0")));
  EXPECT_EQ(Describe(finding.subject), "tensor 1 \"half\"");
  EXPECT_EQ(TotalOf(judged, kType), 1U);

  EXPECT_THAT(Judge(model, Types({TensorType::kF16, TensorType::kF32})).Rules(), IsEmpty());
}

TEST(TensorTypeNotAllowed, AnUnknownTypeIsOnNoList) {
  Model model = Model::Minimal();
  model.tensors.front().type_id = 9'999;
  Policy policy = Types({TensorType::kF32});
  policy.severities = {{.rule = RuleId::kTensorType, .severity = Severity::kOff}};
  const Finding finding = Judge(model, policy).Only(kType);
  EXPECT_EQ(finding.observed, Number(9'999));
  EXPECT_EQ(finding.severity, Severity::kError);
}

TEST(TensorTypeNotAllowed, ALongListIsCut) {
  Policy policy;
  for (const TensorTypeInfo& type : AllTensorTypes()) {
    if (type.type == TensorType::kF32) continue;
    for (int i = 0; i < 10; ++i) policy.tensor_types.push_back(type.type);
  }
  const Finding finding = Judge(Model::Minimal(), policy).Only(kType);
  EXPECT_EQ(std::get<std::string>(finding.allowed).size(), Subject::kLongestText);
}

}  // namespace
}  // namespace ggufgate::testing
