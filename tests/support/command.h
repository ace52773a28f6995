#pragma once

// Runs the built command, or another program, like its users do: as a separate process.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ggufgate::testing {

struct CommandOptions {
  // Standard input is the first of these that applies: closed, a file, a pipe that delivers
  // `input`.
  std::string input = {};
  std::optional<std::string> input_path = {};
  std::vector<int> closed = {};  // descriptors among 0, 1, 2 that the program does not get
  // Standard output goes to this file, and is not captured.
  std::optional<std::string> output_path = {};
  bool terminal = false;    // standard output is a pseudo-terminal, and is captured
  bool error_too = false;   // standard error goes to the same place
  std::string folder = {};  // working directory; empty: the current one
  std::vector<std::string> environment =
      // Added to the environment: "NAME=VALUE", or "NAME" to remove it.
      {};
  bool without_privileges = false;  // file modes and resource limits apply even to root
  std::optional<std::uint64_t> most_memory = {};  // bytes of address space
};

struct CommandResult {
  // -1: killed by a signal, or after a minute by this code.
  int exit_code = -1;
  int signal = 0;
  bool hung = false;
  std::string out;
  std::string error;
  std::uint64_t peak_bytes = 0;  // maximum resident memory
};

// RunProgram runs `program` (a path) to its end, at most for a minute.
[[nodiscard]] CommandResult RunProgram(const std::string& program,
                                       const std::vector<std::string>& arguments,
                                       const CommandOptions& options = {});

// RunCommand runs `ggufgate`.
[[nodiscard]] CommandResult RunCommand(const std::vector<std::string>& arguments,
                                       const CommandOptions& options = {});

// kSanitized is true if the command is built with a sanitizer, which needs additional memory.
#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool kSanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer) || \
    __has_feature(thread_sanitizer)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif
#else
inline constexpr bool kSanitized = false;
#endif

}  // namespace ggufgate::testing
