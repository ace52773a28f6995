#include "remote/proxy.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace ggufgate {
namespace {

Address At(const char* url) { return ParseAddress(url).value(); }

TEST(ProxyFor, EachSchemeHasItsOwn) {
  const Proxies proxies{
      .http = "http://a:1", .https = "http://b:2", .all = "http://c:3", .none = ""};
  EXPECT_EQ(ProxyFor(At("http://h/"), proxies), "http://a:1");
  EXPECT_EQ(ProxyFor(At("https://h/"), proxies), "http://b:2");
  EXPECT_EQ(ProxyFor(At("https://h/"), {.http = "x", .https = "", .all = "http://c:3", .none = ""}),
            "http://c:3");
  EXPECT_EQ(ProxyFor(At("https://h/"), {}), "");
}

TEST(ProxyFor, SomeHostsAreReachedDirectly) {
  const auto direct = [](const char* url, const char* none) {
    return ProxyFor(At(url), {.http = {}, .https = "p", .all = {}, .none = none}).empty();
  };
  EXPECT_TRUE(direct("https://models.example/", "models.example"));
  EXPECT_TRUE(direct("https://models.example/", "other, example"));
  EXPECT_TRUE(direct("https://models.example/", ".example"));
  EXPECT_TRUE(direct("https://models.example/", "*"));
  EXPECT_TRUE(direct("https://[::1]/", "::1"));
  EXPECT_FALSE(direct("https://models.example/", "odels.example"));
  EXPECT_FALSE(direct("https://models.example/", "models.example.org"));
  EXPECT_FALSE(direct("https://models.example/", ",, "));
}

TEST(ProxiesOfEnvironment, HttpIsNotTakenInCapitals) {
  for (const char* name : {"http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY",
                           "no_proxy", "NO_PROXY"}) {
    ::unsetenv(name);
  }
  ::setenv("HTTP_PROXY", "http://cgi", 1);
  ::setenv("HTTPS_PROXY", "http://b", 1);
  EXPECT_EQ(ProxiesOfEnvironment().http, "");
  EXPECT_EQ(ProxiesOfEnvironment().https, "http://b");
  ::setenv("https_proxy", "http://c", 1);
  EXPECT_EQ(ProxiesOfEnvironment().https, "http://c");
  for (const char* name : {"HTTP_PROXY", "HTTPS_PROXY", "https_proxy"}) ::unsetenv(name);
}

}  // namespace
}  // namespace ggufgate
