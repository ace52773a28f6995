#include "remote/address.h"

#include <gmock/gmock.h>

#include <string>
#include <vector>

namespace ggufgate {
namespace {

constexpr std::string_view kHub = "https://hub.example";

TEST(ParseAddress, TakesTheParts) {
  const Address address =
      ParseAddress("https://Models.Example:8443/a/b.gguf?download=true").value();
  EXPECT_EQ(address.scheme, "https");
  EXPECT_EQ(address.host, "models.example");
  EXPECT_EQ(address.port, 8443);
  EXPECT_EQ(address.target, "/a/b.gguf?download=true");
  EXPECT_EQ(address.Text(), "https://models.example:8443/a/b.gguf?download=true");
  EXPECT_EQ(ParseAddress("HTTPS://h").value().Text(), "https://h:443/");
  EXPECT_EQ(ParseAddress("http://h?x").value().Text(), "http://h:80/?x");
  EXPECT_EQ(ParseAddress("https://[::1]:8/").value().host, "[::1]");
}

TEST(ParseAddress, RefusesWhatTwoReadersMayReadInTwoWays) {
  for (const char* text : {"",
                           "https:/h/",
                           "https://",
                           "ftp://h/",
                           "file:///etc/passwd",
                           "https://u@h/",
                           "https://u:p@h/",
                           "https://h@u/",
                           "https://h\\@u/",
                           "https://h /",
                           "https://h/ ",
                           "https://h/\n",
                           "https://h/#x",
                           "https://h:0/",
                           "https://h:65536/",
                           "https://h:/",
                           "https://h:1:2/",
                           "https://h:-1/",
                           "https://h:1x/",
                           "https://[::1/",
                           "https://::1/",
                           "https://[g]/",
                           "https://[]/",
                           "https://h%41/",
                           "https://h\xC3\xA4/",
                           "https://h/\xC3\xA4",
                           "https://h<x>/"}) {
    EXPECT_FALSE(ParseAddress(text).ok()) << text;
  }
  const std::string longest = "https://h/" + std::string(8192 - 10, 'x');
  EXPECT_TRUE(ParseAddress(longest).ok());
  EXPECT_FALSE(ParseAddress(longest + "x").ok());
}

TEST(IsRemote, KnowsThreeBeginnings) {
  for (const char* path : {"https://h/x", "http://h/x", "hf://o/r/x", "HTTPS://h/x"}) {
    EXPECT_TRUE(IsRemote(path)) << path;
  }
  for (const char* path : {"https:/h/x", "x", "./https://h", "hf:o", "ftp://h/x", "-"}) {
    EXPECT_FALSE(IsRemote(path)) << path;
  }
}

TEST(UrlOf, NamesOfAHub) {
  const std::vector<std::pair<const char*, const char*>> cases = {
      {"hf://o/r/m.gguf", "https://hub.example:443/o/r/resolve/main/m.gguf"},
      {"hf://o/r/d/m.gguf@v1.0", "https://hub.example:443/o/r/resolve/v1.0/d/m.gguf"},
      {"hf://o/r@v1.0/d/m.gguf", "https://hub.example:443/o/r/resolve/v1.0/d/m.gguf"},
      {"hf://o/r/m.gguf@refs%2Fpr%2F1", "https://hub.example:443/o/r/resolve/refs%2Fpr%2F1/m.gguf"},
      {"hf://o/r/a b?c#d.gguf", "https://hub.example:443/o/r/resolve/main/a%20b%3Fc%23d.gguf"},
  };
  for (const auto& [path, url] : cases) {
    const absl::StatusOr<std::string> found = UrlOf(path, kHub);
    ASSERT_TRUE(found.ok()) << path;
    EXPECT_EQ(*found, url);
  }
  EXPECT_EQ(UrlOf("hf://o/r/m", "https://hub.example/").value(), UrlOf("hf://o/r/m", kHub).value());
}

TEST(UrlOf, WhatIsNoNameOfAHub) {
  for (const char* path :
       {"hf://", "hf://o", "hf://o/r", "hf://o/r/", "hf://o//m", "hf:///r/m", "hf://o/../m",
        "hf://o/r/../m", "hf://o/r/a//m", "hf://o/r/./m", "hf://o/r/m@", "hf://o/r/m@a b",
        "hf://o/r/m@..", "hf://o/r@/m", "hf://o?/r/m", "hf://o/r%2F/m"}) {
    EXPECT_FALSE(UrlOf(path, kHub).ok()) << path;
  }
}

TEST(RemoteFileName, IsWithoutQueryAndRevision) {
  EXPECT_EQ(RemoteFileName("https://h/a/b.gguf"), "b.gguf");
  EXPECT_EQ(RemoteFileName("https://h/a/b.gguf?c=/d"), "b.gguf");
  EXPECT_EQ(RemoteFileName("hf://o/r/b.gguf@v1"), "b.gguf");
  EXPECT_EQ(RemoteFileName("hf://o/r@v1/b.gguf"), "b.gguf");
  EXPECT_EQ(RemoteFileName("https://h/a/"), "");
}

TEST(WithFileName, KeepsTheRest) {
  EXPECT_EQ(WithFileName("https://h/a/b.gguf?c=/d", "x"), "https://h/a/x?c=/d");
  EXPECT_EQ(WithFileName("hf://o/r/a/b.gguf@v1", "x"), "hf://o/r/a/x@v1");
  EXPECT_EQ(WithFileName("hf://o/r@v1/b.gguf", "x"), "hf://o/r@v1/x");
}

}  // namespace
}  // namespace ggufgate
