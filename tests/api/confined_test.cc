// ggufgate_check_confined: checks in children, like the command, for any caller.

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "parse/model.h"
#include "tests/api/handles.h"
#include "tests/support/temp_folder.h"

namespace ggufgate::testing {
namespace {

using Json = nlohmann::json;

Report Confined(const std::string& path, const ggufgate_options& options = Options()) {
  ggufgate_report* report = nullptr;
  EXPECT_EQ(ggufgate_check_confined(path.c_str(), &options, &report), GGUFGATE_STATUS_OK);
  return Report(report);
}

// Everything except the parts that differ from run to run.
Json Lasting(const Report& report) {
  Json json = Json::parse(JsonOf(report));
  json.at("files").at(0).erase("elapsed_ms");
  return json;
}

class ConfinedC : public ::testing::Test {
 protected:
  void SetUp() override {
    if (ggufgate_can_confine() == 0) GTEST_SKIP() << "this build does not confine";
  }

  const TempFolder folder_;
  const std::string sound_ = folder_.Write("sound", Write(Model::Minimal()));
  const std::string broken_ =
      folder_.Write("broken", Write(Model::Minimal().Set("", std::uint32_t{1})));
};

TEST_F(ConfinedC, SaysWhatACheckInTheSameProcessSays) {
  ggufgate_options options = Options();
  options.sha256 = 1;
  options.data = GGUFGATE_DATA_LEVEL_FULL;
  for (const std::string& path : {sound_, broken_, folder_.Path("nothing")}) {
    for (const int opinion : {GGUFGATE_SECOND_OPINION_SMALL, GGUFGATE_SECOND_OPINION_ALWAYS,
                              GGUFGATE_SECOND_OPINION_NEVER}) {
      options.second_opinion = opinion;
      EXPECT_EQ(Lasting(Confined(path, options)), Lasting(CheckedPath(path, options))) << path;
    }
  }
}

TEST_F(ConfinedC, ReadsWhatADescriptorNames) {
  const int descriptor = ::open(sound_.c_str(), O_RDONLY | O_CLOEXEC);
  const Report report = Confined("/proc/self/fd/" + std::to_string(descriptor));
  ::close(descriptor);
  EXPECT_EQ(ggufgate_report_verdict(report.get()), GGUFGATE_VERDICT_ACCEPT)
      << ggufgate_report_problem(report.get());
}

// A dash is a file name, as everywhere else in the interface.
TEST_F(ConfinedC, ADashIsNotStandardInput) {
  const Report report = Confined("-");
  EXPECT_EQ(ggufgate_report_verdict(report.get()), GGUFGATE_VERDICT_UNDECIDED);
  EXPECT_EQ(Lasting(report).at("files").at(0).at("path"), "-");
}

TEST_F(ConfinedC, WorksWhateverTheCallerDoesWithItsChildren) {
  for (const auto handler : {SIG_IGN, SIG_DFL}) {
    const auto before = ::signal(SIGCHLD, handler);
    EXPECT_EQ(ggufgate_report_verdict(Confined(sound_).get()), GGUFGATE_VERDICT_ACCEPT);
    EXPECT_EQ(ggufgate_report_verdict(Confined(broken_).get()), GGUFGATE_VERDICT_REJECT);
    ::signal(SIGCHLD, before);
  }
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD) << "a child was left behind";
}

TEST_F(ConfinedC, WorksBesideThreadsThatAllocate) {
  std::atomic<bool> over = false;
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([&over] {
      std::vector<std::string> kept;
      while (!over) {
        kept.emplace_back(kept.size() % 977 + 1, 'x');
        if (kept.size() > 1000) kept.clear();
      }
    });
  }
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(ggufgate_report_verdict(Confined(sound_).get()), GGUFGATE_VERDICT_ACCEPT);
  }
  over = true;
  for (std::thread& thread : threads) thread.join();
}

TEST_F(ConfinedC, SeveralThreadsCheckAtOnce) {
  std::array<int, 4> verdicts{9, 9, 9, 9};
  std::vector<std::thread> threads;
  for (int& verdict : verdicts) {
    threads.emplace_back([&verdict, this] {
      for (int i = 0; i < 5; ++i) verdict = ggufgate_report_verdict(Confined(sound_).get());
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_THAT(verdicts, ::testing::Each(GGUFGATE_VERDICT_ACCEPT));
}

// Interpreters reserve more address space than a worker may use.
TEST_F(ConfinedC, WorksInAProcessThatHasReservedMuch) {
  // Large enough for a separate allocation from the system.
  const std::string large =
      folder_.MakeSparse("large", Write(Model::Minimal()), std::uint64_t{1} << 26);
  const std::size_t much = std::size_t{1} << 36;
  void* const reserved =
      ::mmap(nullptr, much, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  ASSERT_NE(reserved, MAP_FAILED);
  const Report report = Confined(large);
  EXPECT_EQ(ggufgate_report_verdict(report.get()), GGUFGATE_VERDICT_ACCEPT)
      << ggufgate_report_problem(report.get());
  ::munmap(reserved, much);
}

// The pipe has no writer: a blocking open would wait forever.
TEST_F(ConfinedC, APipeIsNoFile) {
  EXPECT_EQ(ggufgate_report_verdict(Confined(folder_.MakePipe("pipe")).get()),
            GGUFGATE_VERDICT_UNDECIDED);
}

TEST_F(ConfinedC, ATimeoutIsUndecided) {
  // A sparse file that takes longer than a millisecond to read.
  Model model = Model::Minimal();
  const std::string large = folder_.MakeSparse("large", Write(model), std::uint64_t{1} << 33);
  ggufgate_options options = Options();
  options.sha256 = 1;
  options.timeout_ms = 20;
  const Report report = Confined(large, options);
  EXPECT_EQ(ggufgate_report_verdict(report.get()), GGUFGATE_VERDICT_UNDECIDED);
  EXPECT_THAT(ggufgate_report_problem(report.get()), ::testing::StrEq("it took too long"));
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1) << "a child was left behind";
}

}  // namespace
}  // namespace ggufgate::testing
