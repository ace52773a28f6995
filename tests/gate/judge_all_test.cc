#include "gate/judge_all.h"

#include <gmock/gmock.h>

#include <atomic>
#include <new>
#include <string>
#include <thread>

#include "parse/model.h"
#include "tests/support/temp_folder.h"

namespace ggufgate {
namespace {

using ::testing::ElementsAreArray;
using ::testing::IsEmpty;

// Many small files: one in three is broken, one in seven missing, one in ten larger.
std::vector<std::string> ManyFiles(const testing::TempFolder& folder, int count) {
  std::vector<std::string> paths;
  for (int i = 0; i < count; ++i) {
    Model model = Model::Minimal();
    if (i % 10 == 0) model.Set("fill", std::vector<std::uint8_t>(1 << 18));
    std::vector<std::uint8_t> file = Write(model);
    if (i % 3 == 0) file.resize(file.size() - 40);
    const std::string name = std::to_string(i);
    paths.push_back(i % 7 == 6 ? folder.Path("none" + name) : folder.Write(name, file));
  }
  return paths;
}

struct Judged {
  std::string path;
  Verdict verdict;
  std::uint64_t size;
  std::size_t findings;
  friend bool operator==(const Judged&, const Judged&) = default;
};

std::vector<Judged> JudgeWith(const std::vector<std::string>& paths, unsigned jobs) {
  std::vector<Judged> judged;
  JudgeAll(paths, {}, jobs, [&](const FileReport& report) {
    judged.push_back(
        {report.path, report.verdict, report.identity.size, report.findings.list.size()});
  });
  return judged;
}

TEST(JudgeAll, HandsOverInTheOrderOfThePaths) {
  const testing::TempFolder folder;
  const std::vector<std::string> paths = ManyFiles(folder, 200);
  for (const unsigned jobs : {1U, 2U, 8U}) {
    std::vector<std::string> got;
    for (const Judged& judged : JudgeWith(paths, jobs)) got.push_back(judged.path);
    EXPECT_EQ(got, paths) << jobs;
  }
}

TEST(JudgeAll, SaysTheSameWithAnyNumberOfJobs) {
  const testing::TempFolder folder;
  const std::vector<std::string> paths = ManyFiles(folder, 100);
  const std::vector<Judged> one = JudgeWith(paths, 1);
  ASSERT_EQ(one.size(), paths.size());
  EXPECT_EQ(one.at(0).verdict, Verdict::kReject);
  EXPECT_EQ(one.at(1).verdict, Verdict::kAccept);
  EXPECT_EQ(one.at(6).verdict, Verdict::kUndecided);
  for (const unsigned jobs : {2U, 3U, 8U, 64U}) EXPECT_EQ(JudgeWith(paths, jobs), one) << jobs;
}

TEST(JudgeAll, DoesNothingForAnEmptyList) {
  for (const unsigned jobs : {0U, 1U, 8U}) EXPECT_THAT(JudgeWith({}, jobs), IsEmpty());
}

TEST(JudgeAll, TakesMoreJobsThanFilesAndNone) {
  const testing::TempFolder folder;
  const std::vector<std::string> paths = ManyFiles(folder, 3);
  EXPECT_EQ(JudgeWith(paths, 1024).size(), 3U);
  EXPECT_EQ(JudgeWith(paths, 0).size(), 3U);
}

TEST(JudgeAll, JudgesAFileAsOftenAsItIsNamed) {
  const testing::TempFolder folder;
  const std::string path = folder.Write("a", Write(Model::Minimal()));
  EXPECT_EQ(JudgeWith({path, path, path}, 2).size(), 3U);
}

TEST(JudgeAll, HandsOverOneAtATime) {
  const testing::TempFolder folder;
  const std::vector<std::string> paths = ManyFiles(folder, 100);
  std::atomic<int> inside = 0;
  bool overlapped = false;
  JudgeAll(paths, {}, 8, [&](const FileReport&) {
    overlapped |= inside.fetch_add(1) != 0;
    std::this_thread::yield();
    inside.fetch_sub(1);
  });
  EXPECT_FALSE(overlapped);
}

TEST(JudgeAll, HandsOverEachAsSoonAsItIsDone) {
  // With one job, the second file is opened only after the first report was delivered. So the
  // receiver of the first can still create the second file.
  const testing::TempFolder folder;
  const std::vector<std::string> paths = {folder.Write("first", Write(Model::Minimal())),
                                          folder.Path("second")};
  std::vector<Verdict> verdicts;
  JudgeAll(paths, {}, 1, [&](const FileReport& report) {
    if (verdicts.empty()) folder.Write("second", Write(Model::Minimal()));
    verdicts.push_back(report.verdict);
  });
  EXPECT_THAT(verdicts, ElementsAreArray({Verdict::kAccept, Verdict::kAccept}));
}

TEST(JudgeAll, ThrowsOnWhatTheTakerThrowsAndDoesNotHang) {
  const testing::TempFolder folder;
  const std::vector<std::string> paths = ManyFiles(folder, 100);
  for (const unsigned jobs : {1U, 2U, 8U}) {
    for (const int fails_at : {0, 5, 99}) {
      int taken = 0;
      const auto take = [&](const FileReport&) {
        if (taken++ >= fails_at) throw std::bad_alloc();
      };
      EXPECT_THROW(JudgeAll(paths, {}, jobs, take), std::bad_alloc) << jobs << ' ' << fails_at;
      EXPECT_GT(taken, fails_at);
    }
  }
}

}  // namespace
}  // namespace ggufgate
