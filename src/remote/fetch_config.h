#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "remote/proxy.h"

namespace ggufgate {

// FetchConfig is the configuration of the fetching process. It gets this when it is started.
struct FetchConfig {
  bool allow_private = false;  // addresses of this machine and this network
  bool allow_http = false;
  std::string authorities;   // a file of certificates; empty: the system's
  std::string token;         // for addresses of `token_origin`, over https
  std::string token_origin;  // in the format of Address::Origin()
  std::string netrc;         // a file; empty: none
  Proxies proxies;
  std::uint64_t seconds = 30;  // maximum wait for data
  std::uint64_t judges = 1;    // number of processes that read each file
  std::vector<std::string> urls;
};

// WriteFetchConfig allocates its memory once, so that no copy of the text remains elsewhere.
[[nodiscard]] std::string WriteFetchConfig(const FetchConfig& config);
// ReadFetchConfig returns nullopt for an invalid text.
[[nodiscard]] std::optional<FetchConfig> ReadFetchConfig(std::string_view text);

}  // namespace ggufgate
