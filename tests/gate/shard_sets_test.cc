#include "gate/shard_sets.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <string>

#include "gate/judge_all.h"
#include "parse/model.h"
#include "tests/support/temp_folder.h"

namespace ggufgate {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

std::vector<std::uint8_t> Shard(std::uint16_t number, std::uint16_t count) {
  Model model;
  if (number == 0) model.Set("general.architecture", "test");
  model.Set("split.no", number).Set("split.count", count);
  model.Set("split.tensors.count", static_cast<std::int32_t>(count));
  model.Add("w." + std::to_string(number), TensorType::kF32, {8});
  return Write(model);
}

std::string Name(const std::string& stem, int number, int count) {
  return stem + "-0000" + std::to_string(number) + "-of-0000" + std::to_string(count) + ".gguf";
}

class ShardSetsTest : public ::testing::Test {
 protected:
  std::string Write(const std::string& stem, int number, int count) {
    return folder_.Write(Name(stem, number, count), Shard(static_cast<std::uint16_t>(number - 1),
                                                          static_cast<std::uint16_t>(count)));
  }

  std::vector<FileReport> Judge(const std::vector<std::string>& paths, unsigned jobs = 1) {
    const FoundFiles found = FindFiles(paths);
    const JudgeOptions options;
    std::vector<FileReport> reports;
    ShardSets sets(found, options.policy,
                   [&](FileReport report) { reports.push_back(std::move(report)); });
    JudgeAll(found.files, options, jobs, [&](FileReport report) { sets.Take(std::move(report)); });
    EXPECT_EQ(reports.size(), found.files.size());
    for (std::size_t i = 0; i < reports.size(); ++i) {
      EXPECT_EQ(reports.at(i).path, found.files.at(i)) << "the order of the paths";
    }
    return reports;
  }

  std::vector<Verdict> VerdictsOf(const std::vector<std::string>& paths, unsigned jobs = 1) {
    std::vector<Verdict> verdicts;
    for (const FileReport& report : Judge(paths, jobs)) verdicts.push_back(report.verdict);
    return verdicts;
  }

  testing::TempFolder folder_;
};

constexpr Verdict kAccept = Verdict::kAccept;
constexpr Verdict kReject = Verdict::kReject;
constexpr Verdict kUndecided = Verdict::kUndecided;

TEST_F(ShardSetsTest, ACompleteSetIsAcceptedHoweverItIsGiven) {
  const std::string one = Write("m", 1, 2);
  const std::string two = Write("m", 2, 2);
  EXPECT_THAT(VerdictsOf({folder_.path()}), ElementsAre(kAccept, kAccept));
  EXPECT_THAT(VerdictsOf({one, two}), ElementsAre(kAccept, kAccept));
  EXPECT_THAT(VerdictsOf({two, one}), ElementsAre(kAccept, kAccept));
}

TEST_F(ShardSetsTest, AShardNamedAloneIsJudgedAlone) {
  const std::string one = Write("m", 1, 3);
  EXPECT_THAT(VerdictsOf({one}), ElementsAre(kAccept));
  EXPECT_THAT(VerdictsOf({one, one}), ElementsAre(kAccept, kAccept)) << "the same, twice";
  EXPECT_THAT(VerdictsOf({folder_.path()}), ElementsAre(kReject));
  EXPECT_THAT(VerdictsOf({one, folder_.path()}), ElementsAre(kReject, kReject));
  Write("m", 2, 3);
  EXPECT_THAT(VerdictsOf({one, folder_.Path(Name("m", 2, 3))}), ElementsAre(kReject, kReject));
}

// A loader of the first shard opens the others, which were not checked.
TEST_F(ShardSetsTest, AShardJudgedAloneSaysSo) {
  const std::string one = Write("m", 1, 2);
  const std::string two = Write("m", 2, 2);
  EXPECT_EQ(Judge({one}).at(0).lone_shard_of, 2U);
  EXPECT_EQ(Judge({one, two}).at(0).lone_shard_of, 0U);
  EXPECT_EQ(Judge({folder_.Write("whole.gguf", Shard(0, 1))}).at(0).lone_shard_of, 0U);
}

TEST_F(ShardSetsTest, AShardAloneIsHeldAgainstItsName) {
  const auto verdict_of = [&](const std::string& name, const std::vector<std::uint8_t>& shard) {
    const FileReport report = Judge({folder_.Write(name, shard)}).at(0);
    for (const Finding& finding : report.findings.list) {
      if (finding.severity < Severity::kError) continue;
      EXPECT_EQ(finding.rule, RuleId::kShardSet) << name;
    }
    return report.verdict;
  };
  EXPECT_EQ(verdict_of(Name("m", 2, 3), Shard(1, 3)), kAccept);
  EXPECT_EQ(verdict_of(Name("m", 3, 3), Shard(1, 3)), kReject) << "another number";
  EXPECT_EQ(verdict_of(Name("m", 2, 4), Shard(1, 3)), kReject) << "another count";
  EXPECT_EQ(verdict_of(Name("m", 4, 3), Shard(1, 3)), kReject) << "there is no 4 of 3";
  EXPECT_EQ(verdict_of(Name("m", 2, 2), Shard(0, 0)), kReject) << "merged";
  EXPECT_EQ(verdict_of(Name("m", 1, 1), Shard(0, 0)), kAccept);
  EXPECT_EQ(verdict_of(Name("m", 1, 1), Shard(0, 1)), kAccept);
  EXPECT_EQ(verdict_of(Name("m", 4, 3), Shard(0, 0)), kAccept) << "a warning: it is no shard";
  EXPECT_EQ(verdict_of("renamed.gguf", Shard(1, 3)), kAccept);
}

TEST_F(ShardSetsTest, SetsAreToldApartByFolderStemAndCount) {
  for (const int number : {1, 2}) Write("a", number, 2);
  for (const int number : {1, 2, 3}) Write("a", number, 3);
  Write("b", 2, 2);
  folder_.MakeFolder("c");
  folder_.Write("c/" + Name("b", 1, 2), Shard(0, 2));
  EXPECT_THAT(VerdictsOf({folder_.path()}),
              ElementsAre(kAccept, kAccept, kAccept, kAccept, kAccept, kReject, kReject));
}

TEST_F(ShardSetsTest, TheSameFolderInOtherWordsIsTheSame) {
  Write("m", 1, 2);
  Write("m", 2, 2);
  EXPECT_THAT(VerdictsOf({folder_.path() + "/" + Name("m", 1, 2),
                          folder_.path() + "/./" + Name("m", 2, 2)}),
              ElementsAre(kAccept, kAccept));
}

TEST_F(ShardSetsTest, OtherNamesAreOfNoSet) {
  folder_.Write("renamed.gguf", Shard(0, 3));
  folder_.Write("sha256-0123", Shard(1, 3));
  EXPECT_THAT(VerdictsOf({folder_.path()}), ElementsAre(kAccept, kAccept));
}

TEST_F(ShardSetsTest, AnUndecidedShardLeavesTheSetUndecided) {
  const std::string one = Write("m", 1, 2);
  const std::string two = folder_.Path(Name("m", 2, 2));
  const std::vector<FileReport> reports = Judge({one, two});
  EXPECT_THAT(VerdictsOf({one, two}), Each(kUndecided));
  EXPECT_THAT(std::string(reports.at(0).problem.message()), HasSubstr(Name("m", 2, 2)));
  const std::string broken = folder_.WriteText(Name("m", 2, 2), "<html>");
  EXPECT_THAT(VerdictsOf({one, broken}), ElementsAre(kReject, kReject));
}

TEST_F(ShardSetsTest, InterleavedSetsKeepTheOrderOfThePaths) {
  std::vector<std::string> paths;
  for (int number = 1; number <= 9; ++number) {
    paths.push_back(Write("a", number, 9));
    paths.push_back(folder_.Write("single" + std::to_string(number), Shard(0, 0)));
    paths.push_back(Write("b", 10 - number, 9));
  }
  for (const unsigned jobs : {1U, 2U, 8U}) {
    EXPECT_THAT(VerdictsOf(paths, jobs), AllOf(SizeIs(27), Each(kAccept))) << jobs;
  }
  std::filesystem::remove(folder_.Path(Name("b", 5, 9)));
  EXPECT_EQ(VerdictsOf(paths, 8), VerdictsOf(paths, 1));
}

TEST_F(ShardSetsTest, HandsOverAsSoonAsItCan) {
  FoundFiles found;
  for (const char* file : {"x", "m-00001-of-00002.gguf", "y", "m-00002-of-00002.gguf", "z"}) {
    found.files.emplace_back(file);
    found.searched.push_back(false);
  }
  std::vector<std::string> taken;
  const Policy policy;
  ShardSets sets(found, policy, [&](const FileReport& report) { taken.push_back(report.path); });
  const std::vector<std::size_t> expected = {1, 1, 1, 4, 5};
  for (std::size_t i = 0; i < found.files.size(); ++i) {
    FileReport report;
    report.path = found.files.at(i);
    sets.Take(std::move(report));
    EXPECT_THAT(taken, SizeIs(expected.at(i))) << i;
  }
  EXPECT_EQ(taken, found.files);
}

}  // namespace
}  // namespace ggufgate
