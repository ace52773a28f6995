#pragma once

// Runs the built command, or another program, as its users do: as a process of its own.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ggufgate::testing {

struct CommandOptions {
  // Standard input is, in this order: closed, a file, a pipe that delivers `input`.
  std::string input = {};
  std::optional<std::string> input_path = {};
  std::vector<int> closed = {};  // descriptors of 0, 1, 2 that the program does not get
  // Standard output goes to this file; it is not captured then.
  std::optional<std::string> output_path = {};
  bool terminal = false;    // standard output is a pseudo-terminal; captured all the same
  bool error_too = false;   // standard error goes the same way
  std::string folder = {};  // to run in; empty: ours
  std::vector<std::string> environment =
      {};                           // on top of ours: "NAME=VALUE", or "NAME" to remove it
  bool without_privileges = false;  // file modes and resource limits hold even for root
  std::optional<std::uint64_t> most_memory = {};  // bytes of address space
};

struct CommandResult {
  int exit_code = -1;  // -1: ended by a signal, or by us after a minute
  int signal = 0;
  bool hung = false;
  std::string out;
  std::string error;
  std::uint64_t peak_bytes = 0;  // most memory resident at once
};

// RunProgram runs `program` (a path) to its end, which comes after a minute at the latest.
[[nodiscard]] CommandResult RunProgram(const std::string& program,
                                       const std::vector<std::string>& arguments,
                                       const CommandOptions& options = {});

// RunCommand runs `ggufgate`.
[[nodiscard]] CommandResult RunCommand(const std::vector<std::string>& arguments,
                                       const CommandOptions& options = {});

// kSanitized is true where the command is built with a sanitizer, which needs memory of its own.
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
