#pragma once

#include <cstdint>
#include <string>

#include "cli/command_line.h"

namespace ggufgate {

// RemoteOptions hold the options for fetching files from servers.
struct RemoteOptions {
  bool allow_private = false;
  bool allow_http = false;
  std::string authorities;     // a file; empty: the system's
  std::uint64_t seconds = 30;  // maximum wait for a server
};

// AddRemoteOptions declares the options. `options` must outlive the parsing.
void AddRemoteOptions(Command command, RemoteOptions& options);

}  // namespace ggufgate
