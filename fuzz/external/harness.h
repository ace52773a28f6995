#pragma once

// Asks a loader about files in forked children, and sees from outside what becomes of them. Knows
// nothing of the gate, the mutator or any fuzzing engine.

#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tests/oracles/forked_child.h"

namespace ggufgate::external {

using File = std::vector<std::uint8_t>;

// Loader is what is attacked.
struct Loader {
  std::string_view name;
  std::string_view what;           // how it loads, for --help
  bool (*load)(const char* path);  // true: loads, false: refuses; gives back what it took
  // Called once, before the first child is made. Gives what is missing, or nothing.
  std::string (*prepare)() = nullptr;
  bool alone = false;  // a child of its own for each file, always
  // Where the loader is with its file, in words. The parent asks; it is read from shared memory.
  std::string_view (*stage)() = nullptr;
};

// Outcome is what became of a file, and of the process that loaded it.
enum class Outcome : std::uint8_t {
  kLoads,
  kRefuses,
  kCrashes,  // died of a signal, or ended the process
  kHangs,    // did not answer in time
  kMemory,   // asked for more memory than it may have, whatever came of that
};
inline constexpr std::size_t kOutcomes = 5;

[[nodiscard]] std::string_view WordFor(Outcome outcome);
// IsDeath tells which outcomes are faults of the loader, whatever the file.
[[nodiscard]] constexpr bool IsDeath(Outcome outcome) { return outcome >= Outcome::kCrashes; }

struct Answer {
  Outcome outcome = Outcome::kRefuses;
  int signal = 0;     // that it died of; 0: none
  int exit_code = 0;  // with which it ended the process; 0: it did not
  // The end of what it wrote to standard error, where it died or was asked alone. Hostile text.
  std::string words = {};
  std::string stage = {};  // where the loader was, if it tells
};

// KeepFromChildren leaves the pages of bytes out of children made from now on: what they do not
// need need not be set up for each, nor taken down. The bytes must live until the last child is
// made.
void KeepFromChildren(const File& bytes);

// Bounds hold for one file.
struct Bounds {
  std::chrono::milliseconds patience{10'000};
  std::uint64_t memory = std::uint64_t{1} << 30;  // bytes, above what the process begins with
};

// Harness makes the children. A child has no standard input, no descriptor but its own, no core
// dump and, unless a sanitizer needs it, no address space beyond the bound.
class Harness {
 public:
  Harness(const Loader& loader, Bounds bounds);
  Harness(const Harness&) = delete;
  Harness& operator=(const Harness&) = delete;
  ~Harness();

  // AskAll asks about files in their order, all in one child as long as that child lives, unless
  // the loader wants each alone.
  [[nodiscard]] std::vector<Answer> AskAll(std::span<const File> files);
  // Ask asks about one file in a child of its own, and keeps what it says.
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
  oracles::MemoryFile file_{"model"};   // rewritten for every question
  oracles::MemoryFile words_{"words"};  // standard error of the child
  std::string folder_;                  // holds the name that the loader is given
  std::string path_;
  volatile bool* too_much_ = nullptr;  // shared with the child: it asked for too much memory
  std::uint64_t children_ = 0;
};

}  // namespace ggufgate::external
