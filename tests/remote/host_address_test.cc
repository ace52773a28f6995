#include "remote/host_address.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <cstring>

namespace ggufgate {
namespace {

// Public checks an address in the notation of inet_pton(3).
bool Public(const char* text) {
  sockaddr_storage storage = {};
  sockaddr_in four = {};
  sockaddr_in6 six = {};
  if (::inet_pton(AF_INET, text, &four.sin_addr) == 1) {
    four.sin_family = AF_INET;
    std::memcpy(&storage, &four, sizeof(four));
  } else {
    EXPECT_EQ(::inet_pton(AF_INET6, text, &six.sin6_addr), 1) << text;
    six.sin6_family = AF_INET6;
    std::memcpy(&storage, &six, sizeof(six));
  }
  // The size tells how many bytes are behind the reference.
  return IsPublicAddress(*reinterpret_cast<const sockaddr*>(&storage), sizeof(storage));
}

TEST(IsPublicAddress, RangesOfOthersThanEverybodyAreNot) {
  for (const char* text : {"0.0.0.0",
                           "10.0.0.1",
                           "10.255.255.255",
                           "100.64.0.1",
                           "100.127.255.255",
                           "127.0.0.1",
                           "127.255.255.255",
                           "169.254.169.254",
                           "172.16.0.1",
                           "172.31.255.255",
                           "192.0.0.1",
                           "192.0.2.1",
                           "192.88.99.1",
                           "192.168.0.1",
                           "198.18.0.1",
                           "198.19.255.255",
                           "198.51.100.1",
                           "203.0.113.1",
                           "224.0.0.1",
                           "239.255.255.255",
                           "240.0.0.1",
                           "255.255.255.255",
                           "::",
                           "::1",
                           "::127.0.0.1",
                           "::ffff:127.0.0.1",
                           "::ffff:10.0.0.1",
                           "64:ff9b::10.0.0.1",
                           "64:ff9b:1::1",
                           "100::1",
                           "2001::1",
                           "2001:db8::1",
                           "2002:7f00:1::",
                           "2002:a00:1::1",
                           "3fff::1",
                           "5f00::1",
                           "fc00::1",
                           "fd12::1",
                           "fe80::1",
                           "fec0::1",
                           "ff02::1"}) {
    EXPECT_FALSE(Public(text)) << text;
  }
}

TEST(IsPublicAddress, TheirNeighboursAre) {
  for (const char* text :
       {"1.0.0.1",         "9.255.255.255",   "11.0.0.0",        "100.63.255.255",
        "100.128.0.0",     "126.255.255.255", "128.0.0.1",       "169.253.255.255",
        "169.255.0.0",     "172.15.255.255",  "172.32.0.0",      "192.0.1.0",
        "192.167.255.255", "192.169.0.0",     "198.17.255.255",  "198.20.0.0",
        "223.255.255.255", "8.8.8.8",         "::ffff:8.8.8.8",  "64:ff9b::8.8.8.8",
        "2001:200::1",     "2001:db7::1",     "2002:808:808::1", "2606:4700::1111",
        "3ffe::1"}) {
    EXPECT_TRUE(Public(text)) << text;
  }
}

TEST(IsPublicAddress, OtherFamiliesAndHalvesAreNot) {
  sockaddr address = {};
  address.sa_family = AF_UNIX;
  EXPECT_FALSE(IsPublicAddress(address, sizeof(address)));
  address.sa_family = AF_INET6;
  EXPECT_FALSE(IsPublicAddress(address, sizeof(address)));
}

TEST(IsPublicHost, NumbersInEveryForm) {
  for (const char* host : {"127.0.0.1", "127.1", "0x7f000001", "0177.0.0.1", "2130706433", "10.1",
                           "[::1]", "[::ffff:10.0.0.1]", "127.0.0.1.", "2130706433.", "localhost",
                           "localhost.", "a.localhost", "0", ""}) {
    EXPECT_FALSE(IsPublicHost(host)) << host;
  }
  for (const char* host : {"8.8.8.8", "134744072", "[2606:4700::1111]", "example.org",
                           "localhost.example.org", "notlocalhost"}) {
    EXPECT_TRUE(IsPublicHost(host)) << host;
  }
}

}  // namespace
}  // namespace ggufgate
