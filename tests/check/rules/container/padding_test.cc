// Rule padding-not-zero, and the number of bytes that it reads.

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "check/check.h"
#include "parse/parse.h"
#include "tests/support/judge.h"
#include "tests/support/matchers.h"
#include "tests/support/rule_cases.h"
#include "tests/support/sizes.h"

namespace ggufgate::testing {
namespace {

using testing::kMiB;

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
  std::swap(model.tensors[1], model.tensors[2]);  // also not as trailing bytes if it comes last
  model.LayOut();
  EXPECT_THAT(RulesFired(model), ElementsAre("tensor-type"));
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

// GapSource is a file with a gap of zeros between its first part and its last. The gap may be a
// hole of the file. It counts the bytes read from the gap.
class GapSource final : public ByteSource {
 public:
  GapSource(std::vector<std::uint8_t> file, std::uint64_t begin, std::uint64_t size, bool hole)
      : file_(std::move(file)), begin_(begin), size_(size), hole_(hole) {}

  [[nodiscard]] std::uint64_t size() const override { return file_.size() + size_; }
  [[nodiscard]] ReadOutcome ReadAt(std::uint64_t offset, MutableBytes out) const override {
    for (std::uint64_t i = 0; i < out.size(); ++i) {
      const std::uint64_t at = offset + i;
      const bool inside = at >= begin_ && at < begin_ + size_;
      out[i] = inside ? 0 : file_.at(at < begin_ ? at : at - size_);
      read_of_gap += inside ? 1 : 0;
    }
    return {};
  }
  [[nodiscard]] std::uint64_t NextData(std::uint64_t offset) const override {
    const bool inside = offset >= begin_ && offset < begin_ + size_;
    return hole_ && inside ? begin_ + size_ : offset;
  }

  mutable std::uint64_t read_of_gap = 0;

 private:
  std::vector<std::uint8_t> file_;
  std::uint64_t begin_;
  std::uint64_t size_;
  bool hole_;
};

// Two tensors of 4 KiB with a gap of `size` bytes between them.
GapSource WithGap(std::uint64_t size, bool hole) {
  Model model = WithTensors({4096, 4096});
  const std::uint64_t begin = DataAt(model) + 4096;
  model.tensors.at(1).offset += size;
  std::vector<std::uint8_t> file = Write(model);
  file.resize(begin);  // the writer leaves no gap
  file.resize(begin + 4096, 1);
  return {std::move(file), begin, size, hole};
}

CheckResult CheckGap(const GapSource& source, const Policy& policy) {
  std::vector<std::uint8_t> front(4096);
  EXPECT_TRUE(source.ReadAt(0, front).complete());
  const ParseResult parsed = Parse(front, source.size(), policy.limits);
  EXPECT_FALSE(parsed.NeedsMore());
  CheckResult result = Check(parsed.document, source, policy, {});
  EXPECT_TRUE(result.io.complete());
  return result;
}

std::uint64_t Total(const CheckResult& result, RuleId rule) {
  return result.findings.totals.at(static_cast<std::size_t>(rule));
}

// Another rule searches the last MiB of the file for the end of an archive.
constexpr std::uint64_t kOtherReads = kMiB;

TEST(PaddingNotZero, GapsOfARejectedFileAreNotRead) {
  const GapSource source = WithGap(8 * kMiB, /*hole=*/false);
  const CheckResult result = CheckGap(source, {});
  EXPECT_EQ(Total(result, RuleId::kTensorOrder), 1U);
  EXPECT_LT(source.read_of_gap, kOtherReads);
}

TEST(PaddingNotZero, GapsAreReadWhereTheirPlaceIsSuppressed) {
  Policy policy;
  policy.suppressions.push_back({.rule = RuleId::kTensorOrder, .reason = "test"});
  const GapSource source = WithGap(kMiB, /*hole=*/false);
  EXPECT_EQ(Total(CheckGap(source, policy), RuleId::kPaddingNotZero), 0U);
  EXPECT_GE(source.read_of_gap, kMiB);
}

TEST(PaddingNotZero, HolesAreNotRead) {
  const GapSource source = WithGap(std::uint64_t{512} << 30, /*hole=*/true);
  const CheckResult result = CheckGap(source, PolicyFor(Profile::kSpec));
  EXPECT_EQ(Total(result, RuleId::kPaddingNotZero), 0U);
  EXPECT_LT(source.read_of_gap, kOtherReads);
}

TEST(PaddingNotZero, NoMoreIsReadThanTheLimitAndThatIsSaid) {
  const Policy spec = PolicyFor(Profile::kSpec);
  const Model model = WithTensors({4096, 4096});
  const std::uint64_t before = DataAt(model) - DirectoryEnd(model);  // this is padding as well
  const GapSource all = WithGap(16 * kMiB - before, /*hole=*/false);
  EXPECT_EQ(Total(CheckGap(all, spec), RuleId::kPaddingNotZero), 0U);

  const GapSource more = WithGap(16 * kMiB - before + 5, /*hole=*/false);
  const CheckResult result = CheckGap(more, spec);
  EXPECT_EQ(Total(result, RuleId::kPaddingNotZero), 1U);
  const auto finding = std::ranges::find(result.findings.list, RuleId::kPaddingNotZero,
                                         [](const Finding& found) { return found.rule; });
  ASSERT_NE(finding, result.findings.list.end());
  EXPECT_EQ(WordingOf(*finding), PaddingNotZeroWording::kUnread);
  EXPECT_EQ(finding->observed, Number(5));
  EXPECT_LT(more.read_of_gap, 16 * kMiB + kOtherReads);
}

}  // namespace
}  // namespace ggufgate::testing
