#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "remote/proxy.h"

namespace ggufgate {

// FetchConfig is what the process that fetches is told when it starts, by the one that started it.
struct FetchConfig {
  bool allow_private = false;  // addresses of this machine and this network
  bool allow_http = false;
  std::string authorities;   // a file of certificates; empty: the system's
  std::string token;         // for addresses of `token_origin`, over https
  std::string token_origin;  // as Address::Origin() has it
  std::string netrc;         // a file; empty: none
  Proxies proxies;
  std::uint64_t seconds = 30;  // that nothing may come for
  std::uint64_t judges = 1;    // that ask for each file
  std::vector<std::string> urls;
};

// WriteFetchConfig writes into memory that is asked for once: what it wrote is in no other place.
[[nodiscard]] std::string WriteFetchConfig(const FetchConfig& config);
// Nothing of text that is none.
[[nodiscard]] std::optional<FetchConfig> ReadFetchConfig(std::string_view text);

}  // namespace ggufgate
