#pragma once

// The policy of a command: options --policy and --profile.

#include <optional>
#include <string>

#include "check/policy.h"
#include "cli/command_line.h"

namespace ggufgate {

// PolicyOptions are the options of the caller; empty if not given.
struct PolicyOptions {
  std::string path = {};     // of a policy file
  std::string profile = {};  // one of kProfileWords
};

// AddPolicyOptions declares both options. `options` must outlive the parsing.
void AddPolicyOptions(Command command, PolicyOptions& options);

// PolicyText returns the text of the policy file, or an empty text without the option. It returns
// nullopt, with a message on the error stream, if the file cannot be read. It must be called before
// the process is confined.
[[nodiscard]] std::optional<std::string> PolicyText(const PolicyOptions& options,
                                                    const Streams& streams);

// PolicyIn returns the policy in the text, under the requested profile. It returns nullopt if the
// text is not a valid policy, and prints all errors as lines `FILE:LINE:COLUMN: …`. The text is
// untrusted, so it must be called after the process is confined.
[[nodiscard]] std::optional<Policy> PolicyIn(const std::string& text, const PolicyOptions& options,
                                             const Streams& streams);

}  // namespace ggufgate
