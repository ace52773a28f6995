#pragma once

// Asks what becomes of a model file that is run, each in a child of its own.

#include <cstdint>
#include <string>
#include <string_view>

#include "tests/oracles/llama_cpp/children.h"
#include "tests/oracles/llama_cpp/run.h"

namespace ggufgate::oracles::llama_cpp {

enum class Outcome : std::uint8_t {
  kRan,      // all was done
  kRefused,  // cleanly: no model, or no context
  kDied,     // a signal, an assertion, an exception that nobody caught
  kHung,
  kMemory,  // it asked for more than it may have
};

[[nodiscard]] std::string_view WordFor(Outcome outcome);

struct Answer {
  Outcome outcome = Outcome::kRan;
  Stage stage = Stage::kLoad;    // the last that was begun
  int signal = 0;                // that it died of; 0: none
  std::string message = {};      // the telling line of what the library said: hostile text
  std::uint64_t peak_bytes = 0;  // of address space
  bool decoded = false;
};

class Asker {
 public:
  // The library is open, its backends have been started.
  Asker(const Library& library, const Limits& limits);

  [[nodiscard]] Answer Ask(const std::string& path, const RunOptions& options);

 private:
  const Library& library_;
  Children children_;
  Progress& progress_;
};

// TellingLine finds the line that says why: an exception, an assertion, the loader's reason. Paths
// of the machine that the library was built on are cut off. Empty: none does, as where a signal
// came out of nowhere.
[[nodiscard]] std::string TellingLine(std::string_view words, End end);

// NameOf gives "SIGSEGV" for a signal.
[[nodiscard]] std::string NameOf(int signal);

}  // namespace ggufgate::oracles::llama_cpp
