#pragma once

// Runs model files, each in a separate child, and reports the result.

#include <cstdint>
#include <string>
#include <string_view>

#include "tests/oracles/llama_cpp/children.h"
#include "tests/oracles/llama_cpp/run.h"

namespace ggufgate::oracles::llama_cpp {

enum class Outcome : std::uint8_t {
  kRan,      // completely
  kRefused,  // cleanly: no model, or no context
  kDied,     // a signal, an assertion, an uncaught exception
  kHung,
  kMemory,  // it requested more memory than allowed
};

[[nodiscard]] std::string_view WordFor(Outcome outcome);

struct Answer {
  Outcome outcome = Outcome::kRan;
  Stage stage = Stage::kLoad;  // the last stage that was begun
  int signal = 0;              // that killed it; 0: none
  // The informative line of the library's output: untrusted text.
  std::string message = {};
  std::uint64_t peak_bytes = 0;  // of address space
  bool decoded = false;
};

class Asker {
 public:
  // The library must be open, with its backends started.
  Asker(const Library& library, const Limits& limits);

  [[nodiscard]] Answer Ask(const std::string& path, const RunOptions& options);

 private:
  const Library& library_;
  Children children_;
  Progress& progress_;
};

// TellingLine finds the line with the reason: an exception, an assertion, the loader's message. It
// removes paths of the build machine. It returns an empty text if no line has one, as after an
// unexpected signal.
[[nodiscard]] std::string TellingLine(std::string_view words, End end);

// NameOf returns "SIGSEGV" for a signal.
[[nodiscard]] std::string NameOf(int signal);

}  // namespace ggufgate::oracles::llama_cpp
