#pragma once

// What `check` can be asked for, and every command that judges before it does something else.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cli/check/remote_options.h"
#include "cli/command_line.h"
#include "cli/policy.h"

namespace ggufgate {

inline constexpr std::string_view kQuietAndVerbose =
    "--quiet and --verbose exclude each other; give one of them";

struct CheckOptions {
  std::vector<std::string> paths;  // as given
  PolicyOptions policy;
  RemoteOptions remote;
  std::string fail_on;  // empty: as the policy says
  std::string format = "text";
  std::string data;              // empty: as the policy says
  std::string output = "-";      // a file; "-": standard output
  unsigned jobs = 0;             // 0: one for each processor
  std::uint64_t total_size = 0;  // of the file that standard input brings the first bytes of
  std::string second_opinion = "small";
  bool summary = false;  // by rule, and nothing of single files
  bool quiet = false;
  bool verbose = false;
  bool sha256 = false;
  bool pass_through = false;   // standard input to standard output, and the report elsewhere
  bool verify_digest = false;  // of files that are named by theirs
};

// AddCheckOptions declares all but the paths; `options` outlives the parsing.
void AddCheckOptions(Command command, CheckOptions& options);

}  // namespace ggufgate
