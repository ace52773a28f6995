// Suppressions that name a file by its digest: the gate computes it only if it matters.

#include <gmock/gmock.h>

#include <string>

#include "bytes/memory_source.h"
#include "check/rule.h"
#include "gate/judge_source.h"
#include "gate/reading/digest.h"
#include "parse/model.h"

namespace ggufgate {
namespace {

const std::string kOther(64, '0');

std::vector<std::uint8_t> Bad(int errors = 1) {
  Model model = Model::Minimal();
  for (int i = 0; i < errors; ++i) model.Set(std::to_string(i) + "\n", std::uint32_t{1});
  return Write(model);
}

std::string DigestOf(const std::vector<std::uint8_t>& file) {
  return Sha256Of(MemorySource(file)).value();
}

JudgeOptions Suppressing(std::string sha256, std::string path = "") {
  JudgeOptions options;
  options.policy.suppressions = {{.rule = RuleId::kKeyCharacters,
                                  .reason = "seen",
                                  .sha256 = std::move(sha256),
                                  .path = std::move(path)}};
  return options;
}

TEST(SuppressionByDigest, HoldsForThatFileAlone) {
  const std::vector<std::uint8_t> file = Bad();
  const std::vector<std::uint8_t> another = Bad(2);
  const JudgeOptions options = Suppressing(DigestOf(file));
  const FileReport report = JudgeSource(MemorySource(file), "", options);
  EXPECT_EQ(report.verdict, Verdict::kAccept);
  EXPECT_EQ(report.sha256, DigestOf(file));
  ASSERT_EQ(report.findings.list.size(), 1U);
  EXPECT_EQ(report.findings.list.front().suppression, "seen");
  const FileReport rejected = JudgeSource(MemorySource(another), "", options);
  EXPECT_EQ(rejected.verdict, Verdict::kReject);
  EXPECT_EQ(rejected.sha256, DigestOf(another)) << "it had to be compared";
  for (const Finding& finding : rejected.findings.list) EXPECT_FALSE(finding.suppression);
}

TEST(SuppressionByDigest, IsNotComputedInVain) {
  const std::vector<std::uint8_t> sound = Write(Model::Minimal());
  const FileReport report = JudgeSource(MemorySource(sound), "", Suppressing(kOther));
  EXPECT_EQ(report.verdict, Verdict::kAccept);
  EXPECT_FALSE(report.sha256);
  const FileReport by_rule = JudgeSource(MemorySource(Bad()), "", Suppressing(""));
  EXPECT_EQ(by_rule.verdict, Verdict::kAccept);
  EXPECT_FALSE(by_rule.sha256);
}

TEST(SuppressionByDigest, CoversWhatIsNotKept) {
  const std::vector<std::uint8_t> file = Bad(100);
  JudgeOptions options = Suppressing(DigestOf(file));
  options.policy.findings_per_rule = 3;
  EXPECT_EQ(JudgeSource(MemorySource(file), "", options).verdict, Verdict::kAccept);
  options = Suppressing(DigestOf(file), "1*");  // "1\n" and "10\n" to "19\n"
  options.policy.findings_per_rule = 3;
  const FileReport report = JudgeSource(MemorySource(file), "", options);
  EXPECT_EQ(report.verdict, Verdict::kReject);
  EXPECT_EQ(report.findings.suppressed.at(static_cast<std::size_t>(RuleId::kKeyCharacters)), 11U);
}

TEST(SuppressionByDigest, OneOfManyIsEnough) {
  const std::vector<std::uint8_t> file = Bad();
  JudgeOptions options = Suppressing(DigestOf(file));
  for (int i = 0; i < 100; ++i) {
    options.policy.suppressions.insert(options.policy.suppressions.begin(),
                                       Suppressing(kOther).policy.suppressions.front());
  }
  EXPECT_EQ(JudgeSource(MemorySource(file), "", options).verdict, Verdict::kAccept);
}

}  // namespace
}  // namespace ggufgate
