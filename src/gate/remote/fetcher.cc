#include "gate/remote/fetcher.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "gate/confine/confine.h"
#include "gate/confine/parent_death.h"
#include "gate/processes/companion.h"
#include "gate/remote/passed_socket.h"

namespace ggufgate {
namespace {

constexpr std::string_view kProgram = "ggufgate-fetch";
// Descriptors that the program expects for its socket and its configuration; see src/fetch/main.cc.
constexpr int kControl = 3;
constexpr int kConfig = 4;

absl::StatusOr<std::string> FindFetcher() {
  if (std::optional<std::string> path = FindCompanion(kProgram)) return *std::move(path);
  return absl::NotFoundError(
      "the program ggufgate-fetch, which fetches files from servers, is missing (searched next to "
      "this program and in ../libexec/ggufgate): install the Debian packages ggufgate and "
      "ggufgate-fetch (the archive and the container lack it, because it needs libcurl), or use "
      "curl --fail --location ADDRESS | ggufgate check -");
}

// Anonymous returns a memory file that holds `text`, positioned at its beginning.
absl::StatusOr<Descriptor> Anonymous(std::string_view text) {
  Descriptor memory(::memfd_create("ggufgate-fetch", MFD_CLOEXEC));
  if (!memory.valid())
    return absl::ErrnoToStatus(errno, "cannot send the settings to ggufgate-fetch");
  while (!text.empty()) {
    const ssize_t put = ::write(memory.get(), text.data(), text.size());
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return absl::ErrnoToStatus(errno, "cannot tell ggufgate-fetch what to do");
    text.remove_prefix(static_cast<std::size_t>(put));
  }
  if (::lseek(memory.get(), 0, SEEK_SET) != 0) {
    return absl::ErrnoToStatus(errno, "cannot tell ggufgate-fetch what to do");
  }
  return memory;
}

// Variables returns the environment of the program: the variables that its resolver and the
// run-times of sanitizers use. Proxies and secrets come with the configuration.
std::vector<std::string> Variables() {
  std::vector<std::string> kept;
  for (const char* name :
       {"RES_OPTIONS", "LOCALDOMAIN", "ASAN_OPTIONS", "UBSAN_OPTIONS", "LLVM_PROFILE_FILE"}) {
    if (const char* value = std::getenv(name)) kept.push_back(absl::StrCat(name, "=", value));
  }
  return kept;
}

struct Given {
  int control;
  int config;
  pid_t parent;
};

// Become runs in the child. It returns only if exec fails.
void Become(const char* program, char* const* arguments, char* const* variables,
            const Given& given) {
  if (!EndWithParent(given.parent)) return;
  // First moves both above their final numbers, so that neither overwrites the other.
  constexpr int kAbove = 10;
  const int control = ::fcntl(given.control, F_DUPFD, kAbove);
  const int config = ::fcntl(given.config, F_DUPFD, kAbove);
  const int nowhere = ::open("/dev/null", O_RDWR);
  if (control < 0 || config < 0 || nowhere < 0) return;
  if (::dup2(nowhere, STDIN_FILENO) < 0 || ::dup2(nowhere, STDOUT_FILENO) < 0) return;
  if (::dup2(control, kControl) < 0 || ::dup2(config, kConfig) < 0) return;
  if (::close_range(kConfig + 1, ~0U, 0) != 0) return;
  ::execve(program, arguments, variables);
}

std::vector<char*> Pointers(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

}  // namespace

absl::StatusOr<std::unique_ptr<Fetcher>> Fetcher::Start(const FetchConfig& config) {
  const absl::StatusOr<std::string> program = FindFetcher();
  if (!program.ok()) return program.status();
  std::string text = WriteFetchConfig(config);
  const absl::StatusOr<Descriptor> told = Anonymous(text);
  ::explicit_bzero(text.data(), text.size());
  if (!told.ok()) return told.status();
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    return absl::ErrnoToStatus(errno, "cannot make a socket");
  }
  Descriptor ours(ends[0]);
  const Descriptor its(ends[1]);
  // All memory is allocated before fork().
  std::vector<std::string> words = {*program};
  std::vector<std::string> variables = Variables();
  const std::vector<char*> arguments = Pointers(words);
  const std::vector<char*> environment = Pointers(variables);
  const Given given{.control = its.get(), .config = told->get(), .parent = ::getpid()};
  const pid_t process = ::fork();
  if (process < 0) return absl::ErrnoToStatus(errno, "cannot start ggufgate-fetch");
  if (process == 0) {
    Become(program->c_str(), arguments.data(), environment.data(), given);
    ::_exit(127);
  }
  return std::unique_ptr<Fetcher>(new Fetcher(process, std::move(ours)));
}

Fetcher::~Fetcher() {
  ::kill(process_, SIGKILL);
  while (::waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

absl::StatusOr<std::vector<Descriptor>> Fetcher::OpenChannels(std::size_t count,
                                                              ChannelPool& pool) {
  std::vector<Descriptor> kept;
  std::vector<int> sockets;
  for (std::size_t i = 0; i < count; ++i) {
    std::array<int, 2> ends{};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
      return absl::ErrnoToStatus(errno, "cannot make a socket");
    }
    kept.emplace_back(ends[0]);
    // If the checking threads share this process, the pool gets a duplicate, so that each
    // descriptor is closed once.
    sockets.push_back(ConfinementIsBuiltIn() ? ends[0] : ::dup(ends[0]));
    const Descriptor its(ends[1]);
    if (absl::Status sent = SendSocket(control_.get(), its.get()); !sent.ok()) {
      // The fetching process has ended. The checking processes then get an error from their
      // sockets, and report it for each file.
      continue;
    }
  }
  pool.Fill(std::move(sockets));
  return kept;
}

}  // namespace ggufgate
