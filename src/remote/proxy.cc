#include "remote/proxy.h"

#include <algorithm>
#include <cstdlib>
#include <initializer_list>
#include <string_view>

namespace ggufgate {
namespace {

std::string FirstOf(std::initializer_list<const char*> names) {
  for (const char* name : names) {
    const char* value = std::getenv(name);
    if (value != nullptr && *value != '\0') return value;
  }
  return "";
}

// Covers tells whether one entry of the list is the host, or a domain that contains it.
bool Covers(std::string_view entry, std::string_view host) {
  if (entry == "*") return true;
  while (entry.starts_with('.')) entry.remove_prefix(1);
  if (entry.empty() || !host.ends_with(entry)) return false;
  return host.size() == entry.size() || host[host.size() - entry.size() - 1] == '.';
}

bool GoesDirectly(const Address& address, std::string_view list) {
  std::string_view host = address.host;
  if (host.starts_with('[')) host = host.substr(1, host.size() - 2);
  while (!list.empty()) {
    std::string_view entry = list.substr(0, list.find(','));
    list.remove_prefix(std::min(entry.size() + 1, list.size()));
    while (entry.starts_with(' ')) entry.remove_prefix(1);
    while (entry.ends_with(' ')) entry.remove_suffix(1);
    if (Covers(entry, host)) return true;
  }
  return false;
}

}  // namespace

Proxies ProxiesOfEnvironment() {
  return {.http = FirstOf({"http_proxy"}),
          .https = FirstOf({"https_proxy", "HTTPS_PROXY"}),
          .all = FirstOf({"all_proxy", "ALL_PROXY"}),
          .none = FirstOf({"no_proxy", "NO_PROXY"})};
}

std::string ProxyFor(const Address& address, const Proxies& proxies) {
  if (GoesDirectly(address, proxies.none)) return "";
  const std::string& own = address.IsSecure() ? proxies.https : proxies.http;
  return own.empty() ? proxies.all : own;
}

}  // namespace ggufgate
