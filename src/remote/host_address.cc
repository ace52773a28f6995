#include "remote/host_address.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <span>

namespace ggufgate {
namespace {

struct Range4 {
  std::uint32_t begin;
  int bits;  // length of the prefix
};

constexpr std::uint32_t Four(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
  return a << 24 | b << 16 | c << 8 | d;
}

constexpr std::array kNotPublic4 = {
    Range4{Four(0, 0, 0, 0), 8},        // this network
    Range4{Four(10, 0, 0, 0), 8},       // private
    Range4{Four(100, 64, 0, 0), 10},    // shared by carriers
    Range4{Four(127, 0, 0, 0), 8},      // this machine
    Range4{Four(169, 254, 0, 0), 16},   // link-local; clouds keep secrets there
    Range4{Four(172, 16, 0, 0), 12},    // private
    Range4{Four(192, 0, 0, 0), 24},     // protocols
    Range4{Four(192, 0, 2, 0), 24},     // documentation
    Range4{Four(192, 88, 99, 0), 24},   // relays to IPv6
    Range4{Four(192, 168, 0, 0), 16},   // private
    Range4{Four(198, 18, 0, 0), 15},    // benchmarks
    Range4{Four(198, 51, 100, 0), 24},  // documentation
    Range4{Four(203, 0, 113, 0), 24},   // documentation
    Range4{Four(224, 0, 0, 0), 4},      // multicast
    Range4{Four(240, 0, 0, 0), 4},      // reserved, and broadcast
};

bool IsPublic4(std::uint32_t address) {
  return std::ranges::none_of(kNotPublic4, [address](const Range4& range) {
    return (address ^ range.begin) >> (32 - range.bits) == 0;
  });
}

using Bytes16 = std::array<std::uint8_t, 16>;

struct Range6 {
  Bytes16 begin;
  std::size_t bits;
};

// Exceptions within 2000::/3, which contains all allocated global addresses.
constexpr std::array kNotPublic6 = {
    Range6{{0x20, 0x01, 0x00, 0x00}, 23},  // protocols; Teredo
    Range6{{0x20, 0x01, 0x0D, 0xB8}, 32},  // documentation
    Range6{{0x3F, 0xFF, 0x00, 0x00}, 20},  // documentation
};

bool IsIn(const Bytes16& address, const Bytes16& begin, std::size_t bits) {
  for (std::size_t bit = 0; bit < bits; ++bit) {
    if (((address.at(bit / 8) ^ begin.at(bit / 8)) >> (7 - bit % 8) & 1) != 0) return false;
  }
  return true;
}

std::uint32_t FourAt(const Bytes16& address, std::size_t at) {
  return Four(address.at(at), address.at(at + 1), address.at(at + 2), address.at(at + 3));
}

bool IsPublic6(const Bytes16& address) {
  // Translators and relays forward these to an IPv4 address.
  constexpr Bytes16 kTranslated = {0x00, 0x64, 0xFF, 0x9B};
  constexpr Bytes16 k6To4 = {0x20, 0x02};
  constexpr Bytes16 kMapped = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF};
  if (IsIn(address, kTranslated, 96)) return IsPublic4(FourAt(address, 12));
  if (IsIn(address, kMapped, 96)) return IsPublic4(FourAt(address, 12));
  if (IsIn(address, k6To4, 16)) return IsPublic4(FourAt(address, 2));
  return IsIn(address, {0x20}, 3) && std::ranges::none_of(kNotPublic6, [&](const Range6& range) {
           return IsIn(address, range.begin, range.bits);
         });
}

std::uint32_t HostOrder(in_addr address) { return ntohl(address.s_addr); }

Bytes16 BytesOf(const in6_addr& address) {
  Bytes16 bytes{};
  std::memcpy(bytes.data(), &address, sizeof(address));
  return bytes;
}

}  // namespace

bool IsPublicAddress(const sockaddr& address, socklen_t size) {
  if (address.sa_family == AF_INET && size >= sizeof(sockaddr_in)) {
    sockaddr_in four = {};
    std::memcpy(&four, &address, sizeof(four));
    return IsPublic4(HostOrder(four.sin_addr));
  }
  if (address.sa_family == AF_INET6 && size >= sizeof(sockaddr_in6)) {
    sockaddr_in6 six = {};
    std::memcpy(&six, &address, sizeof(six));
    return IsPublic6(BytesOf(six.sin6_addr));
  }
  return false;
}

bool IsPublicHost(const std::string& host) {
  std::string name = host;
  if (name.starts_with('[') && name.ends_with(']')) name = name.substr(1, name.size() - 2);
  // Resolvers accept dots at the end, even after a number.
  while (name.ends_with('.')) name.pop_back();
  in6_addr six = {};
  if (::inet_pton(AF_INET6, name.c_str(), &six) == 1) return IsPublic6(BytesOf(six));
  in_addr four = {};
  if (::inet_aton(name.c_str(), &four) != 0) return IsPublic4(HostOrder(four));
  return name != "localhost" && !name.ends_with(".localhost") && !name.empty();
}

}  // namespace ggufgate
