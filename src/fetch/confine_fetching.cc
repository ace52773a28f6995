#include "fetch/confine_fetching.h"

#include <sys/prctl.h>
#include <sys/resource.h>

#include <cerrno>
#include <string>
#include <vector>

#include "gate/confine/landlock.h"
#include "gate/confine/system_calls.h"

namespace ggufgate {

#if GGUFGATE_WITH_CONFINEMENT

namespace {

// Readable returns files and folders that resolvers and TLS read; missing ones are ignored.
// Debian's certificates are links into /usr/share and /usr/local/share.
std::vector<std::string> Readable(const FetchConfig& config) {
  std::vector<std::string> readable = {"/etc/resolv.conf",
                                       "/etc/hosts",
                                       "/etc/host.conf",
                                       "/etc/nsswitch.conf",
                                       "/etc/gai.conf",
                                       "/etc/services",
                                       "/run/systemd/resolve",
                                       "/etc/ssl/openssl.cnf",
                                       "/etc/ssl/certs",
                                       "/etc/pki",
                                       "/usr/share/ca-certificates",
                                       "/usr/local/share/ca-certificates",
                                       "/dev/urandom"};
  for (const std::string& file : {config.authorities, config.netrc}) {
    if (!file.empty()) readable.push_back(file);
  }
  return readable;
}

bool Limit(decltype(RLIMIT_AS) resource, rlim_t most) {
  const rlimit limit{.rlim_cur = most, .rlim_max = most};
  return ::setrlimit(resource, &limit) == 0;
}

}  // namespace

absl::Status ConfineFetching(const FetchConfig& config) {
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || !Limit(RLIMIT_CORE, 0) ||
      !Limit(RLIMIT_FSIZE, 0)) {
    return absl::ErrnoToStatus(errno, "cannot confine: prctl");
  }
  if (absl::Status files = RestrictFiles(Readable(config), Network::kConnects); !files.ok()) {
    return files;
  }
  return RestrictSystemCallsToFetching();
}

#else

absl::Status ConfineFetching(const FetchConfig& /*config*/) { return absl::OkStatus(); }

#endif

}  // namespace ggufgate
