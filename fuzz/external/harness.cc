#include "fuzz/external/harness.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <system_error>

#include "fuzz/external/allocations.h"

namespace ggufgate::external {
namespace {

// The address space of a sanitized program is terabytes from the start.
#if defined(__SANITIZE_ADDRESS__)
constexpr bool kCanBoundAddresses = false;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer) || \
    __has_feature(thread_sanitizer)
constexpr bool kCanBoundAddresses = false;
#else
constexpr bool kCanBoundAddresses = true;
#endif
#else
constexpr bool kCanBoundAddresses = true;
#endif

// Descriptors of a child; those above are closed.
constexpr int kAnswers = 3;
constexpr int kFile = 4;
constexpr int kLastKept = 4;

constexpr std::size_t kMostWords = 4096;            // bytes kept of standard error
constexpr rlim_t kMostWritten = rlim_t{256} << 20;  // bytes that a child may put into a file
constexpr std::uint8_t kTooMuch = 0x80;             // in the byte that a child answers with

[[noreturn]] void Fail(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

int MemoryFile(const char* name) {
  const int descriptor = ::memfd_create(name, MFD_CLOEXEC);
  if (descriptor < 0) Fail("memfd_create");
  return descriptor;
}

// Memory is what /proc says of a process, in bytes: of its address space (0) or resident (1).
std::uint64_t Memory(pid_t process, std::size_t which) {
  std::array<unsigned long long, 2> pages{};
  const std::string path = "/proc/" + std::to_string(process) + "/statm";
  std::FILE* const file = std::fopen(path.c_str(), "re");
  if (file == nullptr) return 0;
  const bool read = std::fscanf(file, "%llu %llu", &pages[0], &pages[1]) == 2;
  std::fclose(file);
  return read ? pages.at(which) * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE)) : 0;
}

void Hold(int descriptor, const File& file) {
  if (::ftruncate(descriptor, 0) != 0) Fail("ftruncate");
  for (std::size_t at = 0; at < file.size();) {
    const ssize_t written =
        ::pwrite(descriptor, file.data() + at, file.size() - at, static_cast<off_t>(at));
    if (written <= 0) Fail("pwrite");
    at += static_cast<std::size_t>(written);
  }
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
  // Only whole pages: what lies beside the bytes is needed.
  ::madvise(reinterpret_cast<void*>(first), last - first, MADV_DONTFORK);
}

// Child is a forked process that answers about one file after the other.
class Harness::Child {
 public:
  Child(Harness& harness, std::span<const File> files) : harness_(harness) {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) Fail("pipe2");
    *harness.too_much_ = false;
    ++harness.children_;
    std::fflush(nullptr);
    process_ = ::fork();
    if (process_ < 0) Fail("fork");
    if (process_ == 0) harness.Work(ends[1], files);
    ::close(ends[1]);
    answers_ = ends[0];
    at_birth_ = Memory(process_, 1);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() {
    End();
    ::close(answers_);
  }

  // Lives is false once an answer was not given.
  [[nodiscard]] bool Lives() const { return process_ > 0; }

  // Next waits for one answer, or for what keeps it from being given.
  Answer Next() {
    Answer answer = Wait();
    answer.stage = harness_.Stage();
    return answer;
  }

 private:
  Answer Wait() {
    const auto begin = std::chrono::steady_clock::now();
    pollfd ready{.fd = answers_, .events = POLLIN, .revents = 0};
    while (::poll(&ready, 1, /*milliseconds=*/20) <= 0) {
      const bool late = std::chrono::steady_clock::now() - begin > harness_.bounds_.patience;
      const bool large = Memory(process_, 1) > at_birth_ + harness_.bounds_.memory;
      if (!late && !large) continue;
      End();
      return {.outcome = large ? Outcome::kMemory : Outcome::kHangs, .words = harness_.Words()};
    }
    std::uint8_t byte = 0;
    if (::read(answers_, &byte, 1) != 1) return Death();
    if ((byte & kTooMuch) != 0) return {.outcome = Outcome::kMemory, .words = {}};
    return {.outcome = Outcome{byte}, .words = {}};
  }

  Answer Death() {
    const int status = Reap();
    Answer answer{.outcome = *harness_.too_much_ ? Outcome::kMemory : Outcome::kCrashes,
                  .words = harness_.Words()};
    if (WIFSIGNALED(status)) answer.signal = WTERMSIG(status);
    if (WIFEXITED(status)) answer.exit_code = WEXITSTATUS(status);
    return answer;
  }

  // What the loader itself has started goes with it.
  void End() {
    if (process_ <= 0) return;
    ::kill(-process_, SIGKILL);
    ::kill(process_, SIGKILL);
    Reap();
  }

  int Reap() {
    int status = 0;
    while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) {
    }
    process_ = -1;
    return status;
  }

  Harness& harness_;
  pid_t process_ = -1;
  int answers_ = -1;
  std::uint64_t at_birth_ = 0;
};

Harness::Harness(const Loader& loader, Bounds bounds) : loader_(loader), bounds_(bounds) {
  file_ = MemoryFile("model");
  words_ = MemoryFile("words");
  void* const shared =
      ::mmap(nullptr, 1, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) Fail("mmap");
  too_much_ = static_cast<volatile bool*>(shared);

  // A name that ends as loaders may wish, for a file that never is on a disk.
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
  ::close(file_);
  ::close(words_);
}

std::string Harness::Words() const {
  const off_t end = ::lseek(words_, 0, SEEK_END);
  const off_t begin = std::max<off_t>(0, end - static_cast<off_t>(kMostWords));
  std::string words(static_cast<std::size_t>(end - begin), '\0');
  const ssize_t count = ::pread(words_, words.data(), words.size(), begin);
  words.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
  return words;
}

std::string Harness::Stage() const {
  return loader_.stage == nullptr ? "" : std::string(loader_.stage());
}

void Harness::Confine(int answers) const {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  const int nothing = ::open("/dev/null", O_RDWR);
  // Moved out of the way first: one of them may stand where another belongs.
  const int above = kLastKept + 1;
  const int safe_answers = ::fcntl(answers, F_DUPFD, above);
  const int safe_file = ::fcntl(file_, F_DUPFD, above);
  const int safe_words = ::fcntl(words_, F_DUPFD, above);
  ::dup2(nothing, STDIN_FILENO);
  ::dup2(nothing, STDOUT_FILENO);
  ::dup2(safe_words, STDERR_FILENO);
  ::dup2(safe_answers, kAnswers);
  ::dup2(safe_file, kFile);
  ::fcntl(STDERR_FILENO, F_SETFL, O_APPEND);
  ::syscall(SYS_close_range, above, ~0U, 0);

  constexpr rlimit kNone{0, 0};
  ::setrlimit(RLIMIT_CORE, &kNone);
  constexpr rlimit kWritten{kMostWritten, kMostWritten};
  ::setrlimit(RLIMIT_FSIZE, &kWritten);
  ::signal(SIGXFSZ, SIG_IGN);
  ::signal(SIGPIPE, SIG_DFL);
  if constexpr (kCanBoundAddresses) {
    const rlim_t most = Memory(::getpid(), 0) + bounds_.memory;
    const rlimit addresses{most, most};
    ::setrlimit(RLIMIT_AS, &addresses);
  }
}

// Work is the life of a child. Where it throws, the loader's caller would have died of it too.
void Harness::Work(int answers, std::span<const File> files) const {
  const auto work = [&]() noexcept {
    Confine(answers);
    allocation_watch = {.most = bounds_.memory, .too_much = too_much_};
    for (const File& file : files) {
      Hold(kFile, file);
      if (::ftruncate(STDERR_FILENO, 0) != 0) ::_exit(2);
      *too_much_ = false;
      const bool loads = loader_.load(path_.c_str());
      auto byte = static_cast<std::uint8_t>(loads ? Outcome::kLoads : Outcome::kRefuses);
      if (*too_much_) byte |= kTooMuch;
      if (::write(kAnswers, &byte, 1) != 1) ::_exit(2);
    }
  };
  work();
  ::_exit(0);
}

std::vector<Answer> Harness::AskAll(std::span<const File> files) {
  std::vector<Answer> answers;
  answers.reserve(files.size());
  while (answers.size() < files.size()) {
    const std::size_t left = files.size() - answers.size();
    const std::size_t end = answers.size() + (loader_.alone ? 1 : left);
    Child child(*this, files.subspan(answers.size(), end - answers.size()));
    do {
      answers.push_back(child.Next());
      if (loader_.alone) answers.back().words = Words();
      const Answer& last = answers.back();
      // It lives on after a request that it got over.
      if (IsDeath(last.outcome) && !child.Lives()) break;
    } while (answers.size() < end);
  }
  return answers;
}

Answer Harness::Ask(const File& file) {
  Child child(*this, std::span(&file, 1));
  Answer answer = child.Next();
  answer.words = Words();
  return answer;
}

}  // namespace ggufgate::external
