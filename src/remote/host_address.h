#pragma once

#include <sys/socket.h>

#include <string>

namespace ggufgate {

// IsPublicAddress tells whether an Internet address is globally reachable. It excludes addresses of
// this machine, this network, a link, a group, and ranges for documentation and tests. It also
// excludes IPv6 addresses that lead to such IPv4 addresses, and all other families. Source: the
// registries of IANA, iana-ipv4-special-registry and iana-ipv6-special-registry.
[[nodiscard]] bool IsPublicAddress(const sockaddr& address, socklen_t size);

// IsPublicHost does the same for a host that is written as a number, in any notation of the C
// library ("127.1", "0x7f000001", "[::1]"), and for the names of this machine (localhost). It
// returns true for all other names.
[[nodiscard]] bool IsPublicHost(const std::string& host);

}  // namespace ggufgate
