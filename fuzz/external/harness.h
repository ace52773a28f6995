#pragma once

// Loads files with a loader in forked children, and observes the results from outside. It does not
// depend on the gate, the mutator or any fuzzing engine.

#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tests/oracles/forked_child.h"

namespace ggufgate::external {

using File = std::vector<std::uint8_t>;

// Outcome is the result for a file, and for the process that loaded it.
enum class Outcome : std::uint8_t {
  kLoads,
  kRefuses,
  kCrashes,  // killed by a signal, or exited
  kHangs,    // did not answer in time
  kMemory,   // requested more memory than allowed, with any result
};
inline constexpr std::size_t kOutcomes = 5;

[[nodiscard]] std::string_view WordFor(Outcome outcome);
// IsDeath tells whether an outcome is a bug of the loader, for any file.
[[nodiscard]] constexpr bool IsDeath(Outcome outcome) { return outcome >= Outcome::kCrashes; }

struct Answer {
  Outcome outcome = Outcome::kRefuses;
  int signal = 0;     // that killed it; 0: none
  int exit_code = 0;  // with which it exited; 0: it did not
  // The last part of its standard error, if it crashed or loaded only one file. Untrusted text.
  std::string words = {};
  std::string stage = {};  // the loader's stage, if it reports it
};

// Bounds apply to one file.
struct Bounds {
  std::chrono::milliseconds patience{10'000};
  // Bytes, in addition to those at the start of the process.
  std::uint64_t memory = std::uint64_t{1} << 30;
};

// Loader is the target of an attack.
struct Loader {
  std::string_view name;
  std::string_view what;  // how it loads, for --help
  // Returns true if it loads, false if it refuses the file. It frees everything that it allocated.
  bool (*load)(const char* path) = nullptr;
  // Called once, before the first child is made. Returns what is missing, or an empty text.
  std::string (*prepare)() = nullptr;
  bool alone = false;  // always a separate child per file
  // Returns the loader's current stage, in words. The parent calls it; it reads shared memory.
  std::string_view (*stage)() = nullptr;
  // Set if the user names a library by its path. Returns what is wrong with it, or an empty text.
  std::string (*open)(const std::string& path) = nullptr;
  // Instead of `load`: loads a file in a process that it makes and limits by itself.
  Answer (*ask)(const File& file, const Bounds& bounds) = nullptr;
};

// KeepFromChildren excludes the pages of bytes from children that are made later, which saves time
// in fork and exit. The bytes must live until the last child is made.
void KeepFromChildren(const File& bytes);

// Harness makes the children. A child has no standard input, only its own descriptors and no core
// dump. Unless a sanitizer requires more, its address space is limited.
class Harness {
 public:
  Harness(const Loader& loader, Bounds bounds);
  Harness(const Harness&) = delete;
  Harness& operator=(const Harness&) = delete;
  ~Harness();

  // AskAll loads files in order, all in one child as long as that child lives, unless the loader
  // requires a child per file.
  [[nodiscard]] std::vector<Answer> AskAll(std::span<const File> files);
  // Ask loads one file in a separate child, and keeps its output.
  [[nodiscard]] Answer Ask(const File& file);

  [[nodiscard]] std::uint64_t children() const { return children_; }  // made so far

 private:
  class Child;

  void Work(int answers, std::span<const File> files) const;
  void Confine(int answers) const;
  [[nodiscard]] std::string Words() const;
  [[nodiscard]] std::string Stage() const;

  const Loader& loader_;
  Bounds bounds_;
  oracles::MemoryFile file_{"model"};   // rewritten for every file
  oracles::MemoryFile words_{"words"};  // standard error of the child
  std::string folder_;                  // holds the name for the loader
  std::string path_;
  // Shared with the child: it requested too much memory.
  volatile bool* too_much_ = nullptr;
  std::uint64_t children_ = 0;
};

}  // namespace ggufgate::external
