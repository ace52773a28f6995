#pragma once

// The options --loader and --contracts: the loaders that must run a file.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "check/policy.h"
#include "cli/command_line.h"
#include "format/contracts/contract_table.h"

namespace ggufgate {

// ContractsText returns the text of the file, or an empty text without the option. It returns
// nullopt, with a message on the error stream, if the file cannot be read. It must be called before
// the process is confined.
[[nodiscard]] std::optional<std::string> ContractsText(const std::string& path,
                                                       const Streams& streams);

// ContractsIn returns the table in the text; null if the text is invalid, with a line
// `FILE:LINE: …` on the error stream. The text is untrusted, so it must be called after the process
// is confined.
[[nodiscard]] std::shared_ptr<const ContractTable> ContractsIn(const std::string& text,
                                                               const std::string& path,
                                                               const Streams& streams);

// HasJudgingProfile returns false, with a message on the error stream, if the profile cannot judge
// the loaders of the policy.
[[nodiscard]] bool HasJudgingProfile(const Policy& policy, const Streams& streams);

// FaultOfLoader returns the error of a value of --loader; empty for a known one.
[[nodiscard]] std::string FaultOfLoader(const std::string& name);

// AddLoaders adds loaders, whose names must be known, to the policy. For a build
// that was not measured, it prints a note on the error stream.
void AddLoaders(const std::vector<std::string>& names, Policy& policy, const Streams& streams);

// AddAllLoaders adds the releases that are compiled in, unless the policy names some.
void AddAllLoaders(Policy& policy);

}  // namespace ggufgate
