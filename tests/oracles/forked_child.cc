#include "tests/oracles/forked_child.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <system_error>

namespace ggufgate::oracles {
namespace {

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

constexpr rlim_t kMostWritten = rlim_t{256} << 20;  // bytes that a child may write to a file

}  // namespace

void Fail(const char* what) { throw std::system_error(errno, std::generic_category(), what); }

MemoryFile::MemoryFile(const char* name) : descriptor_(::memfd_create(name, MFD_CLOEXEC)) {
  if (descriptor_ < 0) Fail("memfd_create");
}

MemoryFile::~MemoryFile() { ::close(descriptor_); }

std::string MemoryFile::End(std::size_t most) const {
  const off_t end = ::lseek(descriptor_, 0, SEEK_END);
  const off_t begin = std::max<off_t>(0, end - static_cast<off_t>(most));
  std::string text(static_cast<std::size_t>(end - begin), '\0');
  const ssize_t count = ::pread(descriptor_, text.data(), text.size(), begin);
  text.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
  return text;
}

void Rewrite(int descriptor, std::span<const std::uint8_t> bytes) {
  if (::ftruncate(descriptor, 0) != 0) Fail("ftruncate");
  for (std::size_t at = 0; at < bytes.size();) {
    const ssize_t written =
        ::pwrite(descriptor, bytes.data() + at, bytes.size() - at, static_cast<off_t>(at));
    if (written <= 0) Fail("pwrite");
    at += static_cast<std::size_t>(written);
  }
}

void* SharedMemory(std::size_t bytes) {
  void* const memory =
      ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) Fail("mmap");
  return memory;
}

ForkedChild::ForkedChild(const std::function<void()>& work) {
  std::fflush(nullptr);
  process_ = ::fork();
  if (process_ < 0) Fail("fork");
  if (process_ > 0) return;
  const auto live = [&]() noexcept {
    ::setpgid(0, 0);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    work();
  };
  live();
  ::_exit(0);
}

int ForkedChild::Wait() {
  int status = 0;
  while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) {
  }
  ::kill(-process_, SIGKILL);  // processes that the loader may have started
  process_ = -1;
  return status;
}

void ForkedChild::Kill() {
  if (!lives()) return;
  ::kill(-process_, SIGKILL);
  ::kill(process_, SIGKILL);
  Wait();
}

void ConfineStreams(int errors) {
  const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  ::dup2(nothing, STDIN_FILENO);
  ::dup2(nothing, STDOUT_FILENO);
  ::dup2(errors, STDERR_FILENO);
  ::fcntl(STDERR_FILENO, F_SETFL, O_APPEND);
  constexpr rlimit kNone{0, 0};
  ::setrlimit(RLIMIT_CORE, &kNone);
  constexpr rlimit kWritten{kMostWritten, kMostWritten};
  ::setrlimit(RLIMIT_FSIZE, &kWritten);
}

void ConfineMemory(std::uint64_t bytes) {
  if constexpr (kCanBoundAddresses) {
    const rlimit both{bytes, bytes};
    ::setrlimit(RLIMIT_AS, &both);
  }
}

}  // namespace ggufgate::oracles
