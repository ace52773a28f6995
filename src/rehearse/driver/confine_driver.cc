#include "rehearse/driver/confine_driver.h"

#if GGUFGATE_WITH_CONFINEMENT

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <vector>

#include "gate/confine/landlock.h"
#include "gate/confine/system_calls.h"
#include "gate/reading/descriptor.h"

namespace ggufgate::driver {
namespace {

// Libraries open others, and each thread has a few files open. The loader opens each shard and
// adapter again.
constexpr std::uint64_t kMostDescriptors = 256;
constexpr std::uint64_t kDescriptorsPerStandIn = 2;
constexpr std::size_t kMostLibraries = 1000;

// LibrariesIn returns the libraries of a folder. Other files of the folder stay unreadable, because
// it may be a user's home.
std::vector<std::string> LibrariesIn(const std::string& folder) {
  std::vector<std::string> libraries;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    if (name.find(".so") != std::string::npos && libraries.size() < kMostLibraries) {
      libraries.push_back(entry.path().string());
    }
  }
  return libraries;
}

bool Limit(decltype(RLIMIT_AS) resource, rlim_t soft, rlim_t hard) {
  const rlimit limit{.rlim_cur = soft, .rlim_max = hard};
  return ::setrlimit(resource, &limit) == 0;
}

// LimitDescriptors never raises the limit that the user has.
bool LimitDescriptors(std::uint64_t stand_ins) {
  rlimit had = {};
  if (::getrlimit(RLIMIT_NOFILE, &had) != 0) return false;
  const rlim_t most =
      std::min<rlim_t>(had.rlim_max, kMostDescriptors + kDescriptorsPerStandIn * (stand_ins - 1));
  return Limit(RLIMIT_NOFILE, most, most);
}

// If the system runs out of memory, it kills this process first.
void BeFirstToGo() {
  const Descriptor score(::open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC));
  constexpr std::string_view kMost = "1000";
  if (!score.valid()) return;
  [[maybe_unused]] const ssize_t put = ::write(score.get(), kMost.data(), kMost.size());
}

}  // namespace

absl::Status ConfineDriver(const Confinement& wanted) {
  const absl::StatusOr<bool> landlock = LandlockIsAvailable();
  if (!landlock.ok()) return landlock.status();
  if (!*landlock) return absl::FailedPreconditionError("this kernel has no Landlock");
  BeFirstToGo();
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || !Limit(RLIMIT_CORE, 0, 0) ||
      !Limit(RLIMIT_FSIZE, 0, 0) || !Limit(RLIMIT_MEMLOCK, 0, 0) ||
      !LimitDescriptors(wanted.stand_ins) ||
      !Limit(RLIMIT_CPU, wanted.cpu_seconds, wanted.cpu_seconds + 1)) {
    return absl::ErrnoToStatus(errno, "cannot confine: limits");
  }
  const std::vector<std::string> system = {"/lib", "/lib64", "/usr/lib", "/usr/lib64",
                                           "/usr/local/lib"};
  const std::vector<std::string> facts = {"/proc/self", "/sys/devices/system/cpu"};
  std::vector<std::string> readable = wanted.files;
  for (const std::string& folder : wanted.folders) {
    const std::vector<std::string> libraries = LibrariesIn(folder);
    readable.insert(readable.end(), libraries.begin(), libraries.end());
  }
  readable.insert(readable.end(), system.begin(), system.end());
  readable.insert(readable.end(), facts.begin(), facts.end());
  readable.insert(readable.end(), {"/etc/ld.so.cache", "/dev/null", "/dev/urandom"});
  std::vector<std::string> listed = facts;
  listed.insert(listed.end(), wanted.folders.begin(), wanted.folders.end());
  std::vector<std::string> executable;
  if (!wanted.program.empty()) {
    // The system starts a program by its dynamic linker.
    executable = system;
    executable.push_back(wanted.program);
  }
  absl::Status files = RestrictFiles(readable, Network::kNone, listed, executable);
  if (!files.ok()) return files;
  return wanted.program.empty() ? RestrictSystemCallsToRehearsing()
                                : RestrictSystemCallsToCommand();
}

}  // namespace ggufgate::driver

#else

namespace ggufgate::driver {

absl::Status ConfineDriver(const Confinement& /*wanted*/) {
  return absl::FailedPreconditionError("this build cannot confine a loader");
}

}  // namespace ggufgate::driver

#endif
