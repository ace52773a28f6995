#pragma once

// Common code of ask-llama and learn-llama: limits as options, files as lines of standard input.

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tests/oracles/llama_cpp/children.h"

namespace ggufgate::oracles::llama_cpp {

struct CommandLine {
  Limits limits;
  bool help = false;
  bool guard = false;
  std::vector<std::string> files;
};

// ReadCommandLine parses --memory MIB, --seconds N, --guard, --help and files. It returns nullopt
// for wrong usage.
[[nodiscard]] std::optional<CommandLine> ReadCommandLine(int argc, char** argv);

// ForEachLine calls a function for each named file or, without any, for every line of standard
// input.
void ForEachLine(const CommandLine& line, const std::function<void(std::string_view)>& call);

// StartGuarded restarts this program once, with the guarded allocator preloaded.
[[nodiscard]] std::string StartGuarded(char** argv);

}  // namespace ggufgate::oracles::llama_cpp
