#include "gate/confine/landlock.h"

#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

#include "gate/reading/descriptor.h"

namespace ggufgate {
namespace {

// The C library has no wrappers for these.
long CreateRuleset(const landlock_ruleset_attr* attributes, std::size_t size, unsigned flags) {
  return ::syscall(SYS_landlock_create_ruleset, attributes, size, flags);
}

long AddPath(int ruleset, const landlock_path_beneath_attr& path) {
  return ::syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &path, 0);
}

// Everything that version 1 of the interface can forbid.
constexpr std::uint64_t kEverything =
    LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_READ_FILE |
    LANDLOCK_ACCESS_FS_READ_DIR | LANDLOCK_ACCESS_FS_REMOVE_DIR | LANDLOCK_ACCESS_FS_REMOVE_FILE |
    LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG |
    LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO | LANDLOCK_ACCESS_FS_MAKE_BLOCK |
    LANDLOCK_ACCESS_FS_MAKE_SYM;

// What later versions can forbid, which the headers of Debian 12 (version 2) do not know.
// Source: linux/landlock.h of Linux 6.12.
struct Forbidden {
  std::uint64_t files = kEverything;
  std::uint64_t network = 0;
  std::uint64_t scopes = 0;
};
constexpr std::uint64_t kRefer = std::uint64_t{1} << 13;     // from version 2 on
constexpr std::uint64_t kTruncate = std::uint64_t{1} << 14;  // 3
constexpr std::uint64_t kBind = 0b01;                        // 4
constexpr std::uint64_t kConnect = 0b10;
constexpr std::uint64_t kDevices = std::uint64_t{1} << 15;  // 5: ioctl
constexpr std::uint64_t kSocketsAndSignals = 0b11;          // 6: abstract sockets, and signals

// IsAbsent tells whether an error of LandlockVersion() says that there is no Landlock: not in this
// kernel, not switched on, or forbidden by the filter of a container around us. Any other is a
// failure.
bool IsAbsent(int error) { return error == ENOSYS || error == EOPNOTSUPP || error == EPERM; }

// NewRuleset forbids all that this version of the interface can. An older kernel takes a shorter
// structure, and a longer one as long as what it does not know is 0.
int NewRuleset(long version, Network network) {
  Forbidden forbidden;
  if (version >= 2) forbidden.files |= kRefer;
  if (version >= 3) forbidden.files |= kTruncate;
  if (version >= 4) forbidden.network = network == Network::kNone ? kBind | kConnect : kBind;
  if (version >= 5) forbidden.files |= kDevices;
  if (version >= 6) forbidden.scopes = kSocketsAndSignals;
  return static_cast<int>(::syscall(SYS_landlock_create_ruleset, &forbidden, sizeof(forbidden), 0));
}

// Leave adds a rule for a path. A path that nobody can open gets none; the verdict will say why.
absl::Status Leave(const Descriptor& ruleset, const std::string& path, std::uint64_t rights) {
  const int folder = (rights & LANDLOCK_ACCESS_FS_READ_DIR) != 0 ? O_DIRECTORY : 0;
  const Descriptor file(::open(path.c_str(), O_PATH | O_CLOEXEC | folder));
  if (!file.valid()) return absl::OkStatus();
  landlock_path_beneath_attr rule = {};
  rule.allowed_access = rights;
  rule.parent_fd = file.get();
  // EBADFD: it lies in no file system (/dev/stdin, when that is a pipe). That is no reason to
  // judge nothing: it is not what we read, either, and its verdict will say so.
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
