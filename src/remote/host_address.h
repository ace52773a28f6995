#pragma once

#include <sys/socket.h>

#include <string>

namespace ggufgate {

// IsPublicAddress tells whether an address of the Internet is one that anybody may have: not of
// this machine, this network, a link, a group, or a range kept for documents and tests; nor one of
// IPv6 that leads to such an address of IPv4. Of another family none is. Source: the registries of
// IANA, iana-ipv4-special-registry and iana-ipv6-special-registry.
[[nodiscard]] bool IsPublicAddress(const sockaddr& address, socklen_t size);

// IsPublicHost tells the same of a host that is written as a number, in any way that the C library
// reads ("127.1", "0x7f000001", "[::1]"), and of the names of this machine (localhost). Any other
// name may be public.
[[nodiscard]] bool IsPublicHost(const std::string& host);

}  // namespace ggufgate
