#pragma once

// Runs model files, each in a separate child, and reports the outcome.

#include <cstdint>
#include <string>
#include <string_view>

#include "tests/oracles/llama_cpp/children.h"
#include "tests/oracles/llama_cpp/run.h"

namespace ggufgate::oracles::llama_cpp {

enum class Outcome : std::uint8_t {
  kRan,      // all steps finished
  kRefused,  // without a crash: no model, or no context
  kDied,     // a signal, an assertion, an uncaught exception
  kHung,
  kMemory,  // it needed more memory than its limit
};

[[nodiscard]] std::string_view WordFor(Outcome outcome);

struct Answer {
  Outcome outcome = Outcome::kRan;
  Stage stage = Stage::kLoad;    // the last one that was started
  int signal = 0;                // that killed it; 0: none
  std::string message = {};      // the informative line of the library's output: hostile text
  std::uint64_t peak_bytes = 0;  // of address space
  bool decoded = false;
  bool odd_rows = false;  // Progress
};

class Asker {
 public:
  // `library` must be open, with its backends started.
  Asker(const Library& library, const Limits& limits);

  [[nodiscard]] Answer Ask(const std::string& path, const RunOptions& options);

 private:
  const Library& library_;
  Children children_;
  Progress& progress_;
};

// TellingLine returns the line with the reason: an exception, an assertion, the loader's message.
// It removes paths of the build machine. Empty if there is no such line, as after an unexpected
// signal.
[[nodiscard]] std::string TellingLine(std::string_view words, End end);

// NameOf returns the name of a signal: "SIGSEGV".
[[nodiscard]] std::string NameOf(int signal);

}  // namespace ggufgate::oracles::llama_cpp
