#pragma once

#include <string>

#include "remote/address.h"

namespace ggufgate {

// Proxies are those that the environment names.
struct Proxies {
  std::string http;   // $http_proxy; in capitals a web server may have set it
  std::string https;  // $https_proxy or $HTTPS_PROXY
  std::string all;    // $all_proxy or $ALL_PROXY, where there is no other
  std::string none;   // $no_proxy or $NO_PROXY: hosts and domains between commas, or *
};

[[nodiscard]] Proxies ProxiesOfEnvironment();

// ProxyFor is the proxy that leads to an address; empty where none does.
[[nodiscard]] std::string ProxyFor(const Address& address, const Proxies& proxies);

}  // namespace ggufgate
