#include "gate/confine/landlock.h"

#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

#include "gate/reading/descriptor.h"

namespace ggufgate {
namespace {

// The C library has no wrappers for these system calls.
long CreateRuleset(const landlock_ruleset_attr* attributes, std::size_t size, unsigned flags) {
  return ::syscall(SYS_landlock_create_ruleset, attributes, size, flags);
}

long AddPath(int ruleset, const landlock_path_beneath_attr& path) {
  return ::syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &path, 0);
}

// All access rights that version 1 of the interface can restrict.
constexpr std::uint64_t kEverything =
    LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_READ_FILE |
    LANDLOCK_ACCESS_FS_READ_DIR | LANDLOCK_ACCESS_FS_REMOVE_DIR | LANDLOCK_ACCESS_FS_REMOVE_FILE |
    LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG |
    LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO | LANDLOCK_ACCESS_FS_MAKE_BLOCK |
    LANDLOCK_ACCESS_FS_MAKE_SYM;

// Access rights of later versions, which the headers of Debian 12 (version 2) lack. Source:
// linux/landlock.h of Linux 6.12.
struct Forbidden {
  std::uint64_t files = kEverything;
  std::uint64_t network = 0;
  std::uint64_t scopes = 0;
};
constexpr std::uint64_t kRefer = std::uint64_t{1} << 13;     // since version 2
constexpr std::uint64_t kTruncate = std::uint64_t{1} << 14;  // 3
constexpr std::uint64_t kBind = 0b01;                        // 4
constexpr std::uint64_t kConnect = 0b10;
constexpr std::uint64_t kDevices = std::uint64_t{1} << 15;  // 5: ioctl
constexpr std::uint64_t kSocketsAndSignals = 0b11;          // 6: abstract sockets, and signals

// IsAbsent tells whether an error of LandlockVersion() means that there is no Landlock: not built
// into this kernel, not enabled, or forbidden by the filter of a container. Any other error is a
// failure.
bool IsAbsent(int error) { return error == ENOSYS || error == EOPNOTSUPP || error == EPERM; }

// NewRuleset restricts all rights that this version of the interface knows. An older kernel has a
// shorter structure. It accepts a longer one if the fields that it does not know are 0.
int NewRuleset(long version, Network network) {
  Forbidden forbidden;
  if (version >= 2) forbidden.files |= kRefer;
  if (version >= 3) forbidden.files |= kTruncate;
  if (version >= 4) forbidden.network = network == Network::kNone ? kBind | kConnect : kBind;
  if (version >= 5) forbidden.files |= kDevices;
  if (version >= 6) forbidden.scopes = kSocketsAndSignals;
  return static_cast<int>(::syscall(SYS_landlock_create_ruleset, &forbidden, sizeof(forbidden), 0));
}

// Leave adds a rule that allows a path. It ignores a path that cannot be opened; the verdict will
// give the reason.
absl::Status Leave(const Descriptor& ruleset, const std::string& path, std::uint64_t rights) {
  const int folder = (rights & LANDLOCK_ACCESS_FS_READ_DIR) != 0 ? O_DIRECTORY : 0;
  const Descriptor file(::open(path.c_str(), O_PATH | O_CLOEXEC | folder));
  if (!file.valid()) return absl::OkStatus();
  landlock_path_beneath_attr rule = {};
  rule.allowed_access = rights;
  rule.parent_fd = file.get();
  // EBADFD: the path is in no file system (/dev/stdin, if that is a pipe). This is not an
  // error: the path is not a regular file either, so it is not read, and its verdict says so.
  if (AddPath(ruleset.get(), rule) == 0 || errno == EBADFD) return absl::OkStatus();
  return absl::ErrnoToStatus(errno, "cannot confine: landlock rule");
}

}  // namespace

long LandlockVersion() { return CreateRuleset(nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION); }

absl::StatusOr<bool> LandlockIsAvailable() {
  const long version = LandlockVersion();
  if (version < 0 && !IsAbsent(errno)) {
    return absl::ErrnoToStatus(errno, "cannot confine: landlock version");
  }
  return version >= 1;
}

absl::Status RestrictFiles(const std::vector<std::string>& readable, Network network,
                           const std::vector<std::string>& listed,
                           const std::vector<std::string>& executable) {
  const long version = LandlockVersion();
  if (version < 0 && !IsAbsent(errno)) {
    return absl::ErrnoToStatus(errno, "cannot confine: landlock version");
  }
  if (version < 1) return absl::OkStatus();
  const Descriptor ruleset(NewRuleset(version, network));
  if (!ruleset.valid()) return absl::ErrnoToStatus(errno, "cannot confine: landlock ruleset");

  absl::Status status;
  for (const std::string& path : readable) {
    status.Update(Leave(ruleset, path, LANDLOCK_ACCESS_FS_READ_FILE));
  }
  for (const std::string& path : executable) {
    status.Update(Leave(ruleset, path, LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_EXECUTE));
  }
  for (const std::string& path : listed) {
    status.Update(Leave(ruleset, path, LANDLOCK_ACCESS_FS_READ_DIR));
  }
  if (!status.ok()) return status;
  if (::syscall(SYS_landlock_restrict_self, ruleset.get(), 0) != 0) {
    return absl::ErrnoToStatus(errno, "cannot confine: landlock");
  }
  return absl::OkStatus();
}

}  // namespace ggufgate
