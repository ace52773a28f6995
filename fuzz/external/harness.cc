#include "fuzz/external/harness.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>

#include "fuzz/external/allocations.h"
#include "tests/oracles/forked_child.h"

namespace ggufgate::external {
namespace {

// Descriptors of a child; those above are closed.
constexpr int kAnswers = 3;
constexpr int kFile = 4;
constexpr int kLastKept = 4;

constexpr std::size_t kMostWords = 4096;  // bytes of standard error that are kept
constexpr std::uint8_t kTooMuch = 0x80;   // in the byte that a child answers with

using oracles::Fail;
using oracles::ForkedChild;

// Memory returns a number of /proc for a process, in bytes: its address space (0) or resident
// memory (1).
std::uint64_t Memory(pid_t process, std::size_t which) {
  std::array<unsigned long long, 2> pages{};
  const std::string path = "/proc/" + std::to_string(process) + "/statm";
  std::FILE* const file = std::fopen(path.c_str(), "re");
  if (file == nullptr) return 0;
  const bool read = std::fscanf(file, "%llu %llu", &pages[0], &pages[1]) == 2;
  std::fclose(file);
  return read ? pages.at(which) * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE)) : 0;
}

}  // namespace

std::string_view WordFor(Outcome outcome) {
  constexpr std::array<std::string_view, kOutcomes> kWords = {"loads", "refuses", "crashes",
                                                              "hangs", "takes too much memory"};
  return kWords.at(static_cast<std::size_t>(outcome));
}

void KeepFromChildren(const File& bytes) {
  const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const auto begin = reinterpret_cast<std::uintptr_t>(bytes.data());
  const std::uintptr_t first = (begin + page - 1) / page * page;
  const std::uintptr_t last = (begin + bytes.size()) / page * page;
  if (first >= last) return;
  // Only whole pages, because the data next to the bytes are needed.
  ::madvise(reinterpret_cast<void*>(first), last - first, MADV_DONTFORK);
}

// Child is a forked process that loads one file after the other.
class Harness::Child {
 public:
  Child(Harness& harness, std::span<const File> files)
      : harness_(harness), pipe_(MakePipe()), process_([&] { harness.Work(pipe_[1], files); }) {
    ++harness.children_;
    ::close(pipe_[1]);
    at_birth_ = Memory(process_.process(), 1);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() { ::close(pipe_[0]); }

  // Lives returns false after an answer was missing.
  [[nodiscard]] bool Lives() const { return process_.lives(); }

  // Next waits for an answer, or for the reason why there is none.
  Answer Next() {
    Answer answer = Wait();
    answer.stage = harness_.Stage();
    return answer;
  }

 private:
  static std::array<int, 2> MakePipe() {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) Fail("pipe2");
    return ends;
  }

  Answer Wait() {
    const auto begin = std::chrono::steady_clock::now();
    pollfd ready{.fd = pipe_[0], .events = POLLIN, .revents = 0};
    while (::poll(&ready, 1, /*milliseconds=*/20) <= 0) {
      const bool late = std::chrono::steady_clock::now() - begin > harness_.bounds_.patience;
      const bool large = Memory(process_.process(), 1) > at_birth_ + harness_.bounds_.memory;
      if (!late && !large) continue;
      process_.Kill();
      return {.outcome = large ? Outcome::kMemory : Outcome::kHangs, .words = harness_.Words()};
    }
    std::uint8_t byte = 0;
    if (::read(pipe_[0], &byte, 1) != 1) return Death();
    if ((byte & kTooMuch) != 0) return {.outcome = Outcome::kMemory, .words = {}};
    return {.outcome = Outcome{byte}, .words = {}};
  }

  Answer Death() {
    const int status = process_.Wait();
    Answer answer{.outcome = *harness_.too_much_ ? Outcome::kMemory : Outcome::kCrashes,
                  .words = harness_.Words()};
    if (WIFSIGNALED(status)) answer.signal = WTERMSIG(status);
    if (WIFEXITED(status)) answer.exit_code = WEXITSTATUS(status);
    return answer;
  }

  Harness& harness_;
  std::array<int, 2> pipe_;  // for answers
  ForkedChild process_;
  std::uint64_t at_birth_ = 0;
};

Harness::Harness(const Loader& loader, Bounds bounds) : loader_(loader), bounds_(bounds) {
  too_much_ = static_cast<volatile bool*>(oracles::SharedMemory(1));

  // The file is in memory, with a name whose extension loaders may require.
  const char* const top = std::getenv("TMPDIR");
  std::string folder = std::string(top != nullptr ? top : "/tmp") + "/ggufgate-attack.XXXXXX";
  if (::mkdtemp(folder.data()) == nullptr) Fail("mkdtemp");
  folder_ = folder;
  path_ = folder + "/model.gguf";
  const std::string target = "/proc/self/fd/" + std::to_string(kFile);
  if (::symlink(target.c_str(), path_.c_str()) != 0) Fail("symlink");
}

Harness::~Harness() {
  ::unlink(path_.c_str());
  ::rmdir(folder_.c_str());
  ::munmap(const_cast<bool*>(too_much_), 1);
}

std::string Harness::Words() const { return words_.End(kMostWords); }

std::string Harness::Stage() const {
  return loader_.stage == nullptr ? "" : std::string(loader_.stage());
}

void Harness::Confine(int answers) const {
  // First moves them above all final numbers, because one of them may have another's final number.
  const int above = kLastKept + 1;
  const int safe_answers = ::fcntl(answers, F_DUPFD, above);
  const int safe_file = ::fcntl(file_.descriptor(), F_DUPFD, above);
  const int safe_words = ::fcntl(words_.descriptor(), F_DUPFD, above);
  oracles::ConfineStreams(safe_words);
  ::dup2(safe_answers, kAnswers);
  ::dup2(safe_file, kFile);
  ::syscall(SYS_close_range, above, ~0U, 0);

  ::signal(SIGXFSZ, SIG_IGN);
  ::signal(SIGPIPE, SIG_DFL);
  oracles::ConfineMemory(Memory(::getpid(), 0) + bounds_.memory);
}

// Work is the loop of a child.
void Harness::Work(int answers, std::span<const File> files) const {
  *too_much_ = false;
  Confine(answers);
  allocation_watch = {.most = bounds_.memory, .too_much = too_much_};
  for (const File& file : files) {
    oracles::Rewrite(kFile, file);
    if (::ftruncate(STDERR_FILENO, 0) != 0) ::_exit(2);
    *too_much_ = false;
    const bool loads = loader_.load(path_.c_str());
    auto byte = static_cast<std::uint8_t>(loads ? Outcome::kLoads : Outcome::kRefuses);
    if (*too_much_) byte |= kTooMuch;
    if (::write(kAnswers, &byte, 1) != 1) ::_exit(2);
  }
}

std::vector<Answer> Harness::AskAll(std::span<const File> files) {
  std::vector<Answer> answers;
  answers.reserve(files.size());
  if (loader_.ask != nullptr) {
    for (const File& file : files) answers.push_back(Ask(file));
    return answers;
  }
  while (answers.size() < files.size()) {
    const std::size_t left = files.size() - answers.size();
    const std::size_t end = answers.size() + (loader_.alone ? 1 : left);
    Child child(*this, files.subspan(answers.size(), end - answers.size()));
    do {
      answers.push_back(child.Next());
      if (loader_.alone) answers.back().words = Words();
      const Answer& last = answers.back();
      // It survives if the loader handled the failed request.
      if (IsDeath(last.outcome) && !child.Lives()) break;
    } while (answers.size() < end);
  }
  return answers;
}

Answer Harness::Ask(const File& file) {
  if (loader_.ask != nullptr) {
    ++children_;
    return loader_.ask(file, bounds_);
  }
  Child child(*this, std::span(&file, 1));
  Answer answer = child.Next();
  answer.words = Words();
  return answer;
}

}  // namespace ggufgate::external
