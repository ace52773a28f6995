#pragma once

// The command of a loader, as `run` and `rehearse` take it behind --.

#include <string>
#include <vector>

namespace ggufgate {

// FaultOfCommand says why a command cannot be run with a model; empty: it can. `usage` is the
// command line that the message recommends.
[[nodiscard]] std::string FaultOfCommand(const std::vector<std::string>& command,
                                         const std::string& usage);

// WithModel replaces {} in the command by the model's name.
[[nodiscard]] std::vector<std::string> WithModel(std::vector<std::string> command,
                                                 const std::string& model);

// PathsOf returns the possible paths of a program: the name itself if it has a slash, else the name
// in each folder of $PATH.
[[nodiscard]] std::vector<std::string> PathsOf(const std::string& name);

}  // namespace ggufgate
