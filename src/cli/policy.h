#pragma once

// The policy of a command: options --policy and --profile.

#include <optional>
#include <string>

#include "check/policy.h"
#include "cli/command_line.h"

namespace ggufgate {

// PolicyOptions are what the caller asked for; empty: did not ask.
struct PolicyOptions {
  std::string path = {};     // of a policy file
  std::string profile = {};  // a word of kProfileWords
};

// AddPolicyOptions declares both; `options` outlives the parsing.
void AddPolicyOptions(CLI::App& command, PolicyOptions& options);

// PolicyText is the text of the policy file, empty where none was asked for. Nothing, and a
// message, when it cannot be read. To be called before the process is confined.
[[nodiscard]] std::optional<std::string> PolicyText(const PolicyOptions& options,
                                                    const Streams& streams);

// PolicyIn is the policy that the text describes, under the profile asked for. Nothing, and all
// that is wrong as lines `FILE:LINE:COLUMN: …`, when it describes none. The text is hostile: to be
// called when the process is confined.
[[nodiscard]] std::optional<Policy> PolicyIn(const std::string& text, const PolicyOptions& options,
                                             const Streams& streams);

}  // namespace ggufgate
