#pragma once

#include <string>

#include "remote/address.h"

namespace ggufgate {

// Proxies are the proxies in the environment.
struct Proxies {
  // From $http_proxy; a web server may have set the variable in capitals.
  std::string http;
  std::string https;  // $https_proxy or $HTTPS_PROXY
  std::string all;    // $all_proxy or $ALL_PROXY, the default
  std::string none;   // $no_proxy or $NO_PROXY: hosts and domains separated by commas, or *
};

[[nodiscard]] Proxies ProxiesOfEnvironment();

// ProxyFor returns the proxy for an address, or an empty text without one.
[[nodiscard]] std::string ProxyFor(const Address& address, const Proxies& proxies);

}  // namespace ggufgate
