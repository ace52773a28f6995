// Examines the processes of `ggufgate check` while nobody reads the output, so that all of them
// wait. Built only with confinement.

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/golden.h"

namespace ggufgate::testing {
namespace {

using namespace std::chrono_literals;

// The lines of a file of /proc that begin with a word, by that word.
std::map<std::string, std::string> LinesOf(pid_t process, const std::string& file,
                                           std::size_t word_size) {
  std::ifstream in("/proc/" + std::to_string(process) + "/" + file);
  std::map<std::string, std::string> lines;
  for (std::string line; std::getline(in, line);) {
    const std::size_t end = word_size != 0 ? word_size : line.find(':');
    std::string word = line.substr(0, end);
    word.erase(word.find_last_not_of(' ') + 1);
    lines[word] = line.size() > end ? line.substr(end + 1) : "";
  }
  return lines;
}

std::string Status(pid_t process, const std::string& field) {
  const std::string text = LinesOf(process, "status", 0)[field];
  const std::size_t begin = text.find_first_not_of(" \t");
  return begin == std::string::npos ? "" : text.substr(begin);
}

std::vector<pid_t> ChildrenOf(pid_t parent) {
  std::vector<pid_t> children;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const std::string name = entry.path().filename();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    const auto process = static_cast<pid_t>(std::stol(name));
    if (Status(process, "PPid") == std::to_string(parent)) children.push_back(process);
  }
  std::ranges::sort(children);
  return children;
}

bool HasEnded(pid_t process) {
  const std::string state = Status(process, "State");
  return state.empty() || state.starts_with('Z');
}

bool Comes(const std::function<bool()>& condition) {
  for (int i = 0; i < 6'000; ++i) {
    if (condition()) return true;
    std::this_thread::sleep_for(10ms);
  }
  return false;
}

// A limit of this process would be inherited by all of them, so they begin without limits.
void Unlimited() {
  for (const auto resource : {RLIMIT_AS, RLIMIT_CPU, RLIMIT_FSIZE, RLIMIT_CORE}) {
    const rlimit none{.rlim_cur = RLIM_INFINITY, .rlim_max = RLIM_INFINITY};
    ::setrlimit(resource, &none);
  }
  const rlimit files{.rlim_cur = 4096, .rlim_max = 4096};
  ::setrlimit(RLIMIT_NOFILE, &files);
}

class ConfinedCheck : public ::testing::Test {
 protected:
  // The output fills a pipe that nobody reads.
  void SetUp() override {
    ASSERT_EQ(::pipe(pipe_.data()), 0);
    std::vector<std::string> words = {GGUFGATE_COMMAND, "check", "--format", "json"};
    words.resize(8'000, GGUFGATE_SOURCE_DIR "/corpus/valid/minimal.gguf");
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    gate_ = ::fork();
    if (gate_ == 0) {
      Unlimited();
      ::dup2(pipe_[1], STDOUT_FILENO);
      ::close(pipe_[0]);
      ::execv(arguments.front(), arguments.data());
      ::_exit(127);
    }
    ASSERT_TRUE(Comes([this] { return AllWork(); })) << "four processes and three filters";
  }
  void TearDown() override {
    ::kill(gate_, SIGKILL);
    ::waitpid(gate_, nullptr, 0);
    for (const int end : pipe_) ::close(end);
  }

  // In the order of their starts.
  bool AllWork() {
    const std::vector<pid_t> children = ChildrenOf(gate_);
    if (children.size() != 3) return false;
    processes_ = {{"gate", gate_},
                  {"printer", children[0]},
                  {"worker", children[1]},
                  {"witness", children[2]}};
    return std::ranges::all_of(std::array{"printer", "worker", "witness"}, [this](const char* who) {
      return Status(processes_[who], "Seccomp") == "2";
    });
  }

  pid_t gate_ = -1;
  std::array<int, 2> pipe_{};
  std::map<std::string, pid_t> processes_;
};

TEST_F(ConfinedCheck, ProcessesHaveGivenUpWhatTheGoldenListSays) {
  constexpr std::size_t kNameColumns = 25;  // of /proc/PID/limits
  std::map<std::string, std::string> found = LinesOf(processes_["gate"], "limits", kNameColumns);
  ASSERT_FALSE(found.empty());
  if (found["Max address space"].find("unlimited") != 0) GTEST_SKIP() << "limited from outside";
  std::vector<std::string> lines;
  for (const auto& [who, process] : processes_) {
    lines.push_back(who + " seccomp " + Status(process, "Seccomp"));
    lines.push_back(who + " no-new-privileges " + Status(process, "NoNewPrivs"));
    for (const auto& [name, values] : LinesOf(process, "limits", kNameColumns)) {
      if (values == found[name]) continue;
      std::string numbers = values.substr(0, values.find_last_of("0123456789") + 1);
      lines.push_back(who + " " + name + " " + numbers);
    }
  }
  ExpectGolden("cli/check/golden_processes.txt", lines);
}

TEST_F(ConfinedCheck, NoProcessOutlivesTheGate) {
  ASSERT_EQ(::kill(gate_, SIGKILL), 0);
  for (const auto& [who, process] : processes_) {
    EXPECT_TRUE(Comes([ended = process] { return HasEnded(ended); })) << who;
  }
}

}  // namespace
}  // namespace ggufgate::testing
