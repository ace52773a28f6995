// Check() as a whole: order, limits, totals, failed reads.

#include "check/check.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "bytes/memory_source.h"
#include "tests/support/judge.h"
#include "tests/support/matchers.h"
#include "tests/support/rule_cases.h"

namespace ggufgate::testing {
namespace {

// A model that breaks many rules.
Model Wrong() {
  using namespace std::string_literals;
  Model model = WithTensors({5, 64, 32, 32});
  model.metadata.push_back({.key = "k\0"s, .payload = {1}});
  model.metadata.push_back({.key = "", .payload = {1}});
  model.metadata.push_back({.key = "B", .type = 7, .payload = {3}});
  model.metadata.push_back({.key = "k\0"s, .payload = {1}});
  model.padding_byte = 1;
  model.tensors[1].name = "t.0";
  model.tensors[2].offset = 33;
  model.tensors[3].offset = 4096;
  model.trailing = {1};
  return model;
}

void ExpectSame(const Findings& one, const Findings& other) {
  EXPECT_EQ(one.totals, other.totals);
  ASSERT_EQ(one.list.size(), other.list.size());
  for (std::size_t i = 0; i < one.list.size(); ++i) {
    const Finding& a = one.list[i];
    const Finding& b = other.list[i];
    EXPECT_EQ(a.rule, b.rule);
    EXPECT_EQ(a.severity, b.severity);
    EXPECT_EQ(a.wording, b.wording);
    EXPECT_THAT(a, Tells(b.where, b.observed, b.allowed, b.other));
    EXPECT_EQ(Describe(a.subject), Describe(b.subject));
    EXPECT_EQ(a.cause.kind, b.cause.kind);
  }
}

// Many, because an unstable sort may leave a few in order by chance.
TEST(Check, KeepsTheOrderInWhichARuleReports) {
  Findings findings;
  for (std::uint64_t i = 0; i < 100; ++i) {
    findings.list.push_back({.where = {.begin = 56 - i % 2, .size = 4}, .observed = Fact(i)});
  }
  SortFindings(findings);
  for (std::uint64_t i = 0; i < 100; ++i) {
    EXPECT_EQ(findings.list[i].where.begin, i < 50 ? 55U : 56U);
    EXPECT_EQ(findings.list[i].observed, Fact(i < 50 ? 2 * i + 1 : 2 * (i - 50)));
  }
}

TEST(Check, FindsAllThatIsWrong) {
  EXPECT_THAT(Judge(Wrong()).Rules(),
              ElementsAre("bool-value", "key-duplicate", "key-empty", "key-nul", "key-style",
                          "padding-not-zero", "tensor-data-bounds", "tensor-name-duplicate",
                          "tensor-offset-alignment", "tensor-order", "tensor-overlap"));
}

TEST(Check, FindsTheSameTwice) {
  ExpectSame(Judge(Wrong()).checked.findings, Judge(Wrong()).checked.findings);
}

TEST(Check, FindsTheSameFromAShorterPrefix) {
  const Model model = Wrong();
  const std::vector<std::uint8_t> file = Write(model);
  const MemorySource source(file);
  const Policy policy;
  for (const std::uint64_t length : {DirectoryEnd(model), DirectoryEnd(model) + 1, DataAt(model)}) {
    const ParseResult parsed = Parse(Bytes(file).first(length), file.size(), policy.limits);
    ASSERT_FALSE(parsed.NeedsMore());
    const CheckResult checked = Check(parsed.document, source, policy);
    EXPECT_TRUE(checked.io.complete());
    ExpectSame(checked.findings, Judge(file).checked.findings);
  }
}

TEST(Check, SortsByPlaceThenByRule) {
  const Judged judged = Judge(Wrong());
  const std::vector<Finding>& list = judged.checked.findings.list;
  ASSERT_GT(list.size(), 10U);
  EXPECT_TRUE(std::ranges::is_sorted(list, {}, [](const Finding& finding) {
    return std::pair(finding.where.begin, finding.rule);
  }));
}

TEST(Check, CapsTheFindingsAndCountsThemAll) {
  Model model;
  for (int i = 0; i < 50; ++i) {
    model.metadata.push_back({.key = "Key" + std::to_string(i), .payload = {1}});
  }
  EXPECT_EQ(FindingsOf(Judge(model), RuleId::kKeyStyle).size(), 20U);
  EXPECT_EQ(TotalOf(Judge(model), RuleId::kKeyStyle), 50U);

  Policy policy;
  policy.findings_per_rule = 3;
  const std::vector<Finding> kept = FindingsOf(Judge(model, policy), RuleId::kKeyStyle);
  ASSERT_EQ(kept.size(), 3U);
  EXPECT_EQ(kept.back().subject.index, 2U);
  EXPECT_EQ(TotalOf(Judge(model, policy), RuleId::kKeyStyle), 50U);

  policy.findings_per_rule = 50;
  EXPECT_EQ(FindingsOf(Judge(model, policy), RuleId::kKeyStyle).size(), 50U);
}

// A rule that is off, or has no findings, has no total.
TEST(Check, TotalsOfOtherRulesAreZero) {
  const Judged judged =
      Judge(WithAlignment(4).Set(kArchitectureKey, "test"), PolicyFor(Profile::kSpec));
  for (const Rule& rule : AllRules()) {
    EXPECT_EQ(TotalOf(judged, rule.id), rule.id == RuleId::kAlignmentValue ? 1U : 0U) << rule.slug;
  }
}

TEST(Check, NotesDoNotCrowdOutAnError) {
  Policy policy = PolicyFor(Profile::kSpec);
  policy.findings_per_rule = 2;
  Encoder inner(ByteOrder::kLittle);
  for (int i = 0; i < 5; ++i) {
    inner.Put(std::uint32_t{8}).Put(std::uint64_t{1}).PutString("\xFF");
  }
  Encoder payload(ByteOrder::kLittle);
  payload.Put(std::uint32_t{9}).Put(std::uint64_t{5}).PutBytes(inner.Take());
  Model model;
  model.SetRaw("tokenizer.ggml.added_tokens", ValueType::kArray, payload.Take());
  EXPECT_TRUE(Judge(model, policy).Accepted());
  model.Set("z", "\xFF");  // an error, after five notes of the same rule
  const Judged judged = Judge(model, policy);
  EXPECT_FALSE(judged.Accepted());
  EXPECT_EQ(FindingsOf(judged, RuleId::kStringUtf8).size(), 3U);
  EXPECT_EQ(TotalOf(judged, RuleId::kStringUtf8), 6U);
}

TEST(Check, KeepsOneFindingAtLeast) {
  Policy policy;
  policy.findings_per_rule = 0;
  const Judged judged = Judge(Model().Set("\n", std::uint8_t{1}), policy);
  EXPECT_THAT(judged.Rules(), ElementsAre("key-characters"));
  EXPECT_FALSE(judged.Accepted());
}

TEST(Check, WorstIsTheHighestSeverity) {
  const auto worst = [](const Model& model) { return Judge(model).checked.Worst(); };
  EXPECT_EQ(worst(Model::Minimal()), Severity::kOff);
  EXPECT_EQ(worst(Model::Minimal().Set("Key", std::uint8_t{1})), Severity::kNote);
  EXPECT_EQ(worst(Model::Minimal().Set("Key", "\xFF")), Severity::kWarning);
  EXPECT_EQ(worst(Model::Minimal().Set("Key\n", "\xFF")), Severity::kError);
}

TEST(Check, OnlyTheFirstErrorIsExplained) {
  std::vector<std::uint8_t> file = Write(WithTensors({32, 32, 32}));
  file.resize(file.size() - 70);
  Policy policy;  // with an exception for another tensor, so that each is listed
  policy.suppressions = {{.rule = RuleId::kTensorDataBounds, .reason = "seen", .path = "other"}};
  const std::vector<Finding> findings = FindingsOf(Judge(file, policy), RuleId::kTensorDataBounds);
  ASSERT_EQ(findings.size(), 3U);
  EXPECT_EQ(findings[0].cause.kind, Cause::Kind::kCutShort);
  EXPECT_FALSE(findings[1].cause);
  EXPECT_FALSE(findings[2].cause);
}

TEST(Check, TextOfTheFileIsCut) {
  Model model;
  model.metadata.push_back({.key = std::string(70'000, 'K'), .payload = {1}});
  const Finding finding = Judge(model).Only(RuleId::kKeyStyle);
  EXPECT_EQ(finding.subject.name.size(), Subject::kLongestText);
  EXPECT_EQ(finding.where.size, 70'000U);
}

// FailingSource serves only the first `good` reads.
class FailingSource final : public ByteSource {
 public:
  FailingSource(Bytes bytes, int good, ReadOutcome outcome)
      : bytes_(bytes), good_(good), outcome_(outcome) {}

  [[nodiscard]] std::uint64_t size() const override { return bytes_.size(); }
  [[nodiscard]] ReadOutcome ReadAt(std::uint64_t offset, MutableBytes out) const override {
    if (good_-- <= 0) return outcome_;
    return MemorySource(bytes_).ReadAt(offset, out);
  }

 private:
  Bytes bytes_;
  mutable int good_;
  ReadOutcome outcome_;
};

TEST(Check, AFailedReadMakesItUndecided) {
  Model model = WithTensors({5, 5, 5});  // after the prefix: three stretches of padding
  model.Set(kArchitectureKey, "test");
  const std::vector<std::uint8_t> file = Write(model);
  const Policy policy;
  const ParseResult parsed = Parse(Bytes(file).first(DataAt(model)), file.size(), policy.limits);
  ASSERT_FALSE(parsed.NeedsMore());
  const ReadOutcome failed{.kind = ReadOutcome::Kind::kFailed, .error_number = 5};
  constexpr int kReads = 5;  // these, the start of the data and the end of the file
  for (int good = 0; good < kReads; ++good) {
    const CheckResult checked = Check(parsed.document, FailingSource(file, good, failed), policy);
    EXPECT_FALSE(checked.io.complete());
    EXPECT_EQ(checked.io.kind, ReadOutcome::Kind::kFailed);
    EXPECT_EQ(checked.io.error_number, 5);
    EXPECT_THAT(checked.findings.list, IsEmpty());  // unread bytes are not checked
  }
  EXPECT_TRUE(Check(parsed.document, FailingSource(file, kReads, failed), policy).io.complete());
}

TEST(Check, AShrunkFileMakesItUndecided) {
  const Model model = WithTensors({5});
  const std::vector<std::uint8_t> file = Write(model);
  const Policy policy;
  const ParseResult parsed = Parse(Bytes(file).first(DataAt(model)), file.size(), policy.limits);
  const MemorySource shrunk(Bytes(file).first(file.size() - 1));
  EXPECT_EQ(Check(parsed.document, shrunk, policy).io.kind, ReadOutcome::Kind::kShrunk);
}

TEST(Check, ReadsNothingItAlreadyHas) {
  const std::vector<std::uint8_t> file = Write(Wrong());
  const Policy policy;
  const ParseResult parsed = Parse(file, file.size(), policy.limits);
  const ReadOutcome failed{.kind = ReadOutcome::Kind::kFailed, .error_number = 5};
  EXPECT_TRUE(Check(parsed.document, FailingSource(file, 0, failed), policy).io.complete());
}

// More padding than its read buffer holds.
TEST(Check, LooksThroughLongPadding) {
  Model model;
  model.Set(kAlignmentKey, (std::uint32_t{1} << 16));
  model.Set(kArchitectureKey, "test");
  model.alignment = 1U << 16;
  model.Add("weight", TensorType::kI8, {5});
  std::vector<std::uint8_t> file = Write(model);
  const Policy policy;
  const auto judge = [&] {
    const ParseResult parsed =
        Parse(Bytes(file).first(DirectoryEnd(model)), file.size(), policy.limits);
    return Check(parsed.document, MemorySource(file), policy);
  };
  EXPECT_EQ(judge().findings.list.size(), 1U);  // rule alignment-unusual
  file.back() = 1;
  const CheckResult checked = judge();
  ASSERT_EQ(checked.findings.list.size(), 2U);
  EXPECT_EQ(checked.findings.list[1].where, (ByteRange{file.size() - 1, 1}));
}

}  // namespace
}  // namespace ggufgate::testing
