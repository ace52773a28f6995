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
void AddPolicyOptions(Command command, PolicyOptions& options);

// PolicyText is the text of the policy file, empty where none was asked for. nullopt when it
// cannot be read, which is said on the error stream. To be called before the process is confined.
[[nodiscard]] std::optional<std::string> PolicyText(const PolicyOptions& options,
                                                    const Streams& streams);

// PolicyIn is the policy that the text describes, under the profile asked for. nullopt when it
// describes none: all that is wrong is told as lines `FILE:LINE:COLUMN: …`. The text is hostile: to
// be called when the process is confined.
[[nodiscard]] std::optional<Policy> PolicyIn(const std::string& text, const PolicyOptions& options,
                                             const Streams& streams);

}  // namespace ggufgate
