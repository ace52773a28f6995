#pragma once

#include <cstdint>
#include <string>

#include "cli/command_line.h"

namespace ggufgate {

// RemoteOptions are how files on servers are fetched.
struct RemoteOptions {
  bool allow_private = false;
  bool allow_http = false;
  std::string authorities;     // a file; empty: the system's
  std::uint64_t seconds = 30;  // that a server may keep us waiting
};

// AddRemoteOptions declares them; `options` outlives the parsing.
void AddRemoteOptions(Command command, RemoteOptions& options);

}  // namespace ggufgate
