#pragma once

// Options of `check`, and of each other command that first checks a file.

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
  std::string contracts;             // a file; empty: none
  std::vector<std::string> loaders;  // NAME or NAME@VERSION; empty: those of the policy
  bool all_loaders = false;  // that are compiled in; shows a table, unless a format is given
  RemoteOptions remote;
  std::string fail_on;  // empty: the value of the policy
  std::string format = "text";
  std::string data;          // empty: the value of the policy
  std::string output = "-";  // a file; "-": standard output
  unsigned jobs = 0;         // 0: one per processor
  // Of the file whose beginning comes through standard input.
  std::uint64_t total_size = 0;
  std::string second_opinion = "small";
  bool summary = false;  // counts by rule, without single files
  bool quiet = false;
  bool verbose = false;
  bool sha256 = false;
  // Copies standard input to standard output, and prints the report elsewhere.
  bool pass_through = false;
  bool verify_digest = false;    // of files whose name is their digest
  std::string rehearsal_loader;  // a library that runs the accepted files; empty: none
  // This command rehearses the files itself, after the check.
  bool rehearsal_follows = false;
};

// AddCheckOptions declares all options except the paths. `options` must outlive the parsing.
void AddCheckOptions(Command command, CheckOptions& options);

}  // namespace ggufgate
