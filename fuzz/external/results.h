#pragma once

// The results of an attack so far.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "fuzz/external/harness.h"

namespace ggufgate::external {

// Case is one mutant and the gate's result.
struct Case {
  std::uint64_t number = 0;  // of the mutant, counted from 0
  std::string mode;          // a word of mutate/naming.h
  std::vector<std::string> mutations;
  // The rules with which the gate rejects it; none: it accepts it.
  std::vector<std::string> rules;
};

// RuleTally counts the loader's results for the files that a rule rejects.
struct RuleTally {
  std::string rule;
  std::uint64_t rejected = 0;
  std::uint64_t loads = 0;
  std::uint64_t loads_alone = 0;  // no other rule rejects them
  std::uint64_t dies = 0;         // crashes, hangs, takes too much memory
};

// Sort is one kind of misbehaviour: the same outcome, signal, stage and last words.
struct Sort {
  Answer answer;
  std::uint64_t count = 0;
  std::uint64_t accepted = 0;  // of those, accepted by the gate
  // Whether the first one does the same in a separate process.
  bool alone = false;
  Case first;
  std::string kept;  // path of the file; empty: not kept
};

class Results {
 public:
  // Add counts a case. It returns true for the first one of its sort; then the loader should load
  // it alone.
  bool Add(const Case& made, const Answer& answer);
  // TheSort returns the sort of the last case for which Add returned true.
  [[nodiscard]] Sort& TheSort() { return sorts_.at(last_); }

  [[nodiscard]] std::uint64_t Count(bool accepted, Outcome outcome) const {
    return counts_.at(accepted ? 1 : 0).at(static_cast<std::size_t>(outcome));
  }
  [[nodiscard]] std::uint64_t deaths() const;
  // Files that the gate accepts and that the loader refuses.
  [[nodiscard]] std::uint64_t unloaded() const;
  [[nodiscard]] const std::vector<RuleTally>& rules() const { return rules_; }
  // Crashes, and refusals of files that the gate accepts.
  [[nodiscard]] const std::vector<Sort>& sorts() const { return sorts_; }

 private:
  void AddToRules(const Case& made, const Answer& answer);

  std::array<std::array<std::uint64_t, kOutcomes>, 2> counts_{};
  std::vector<RuleTally> rules_;
  std::vector<Sort> sorts_;
  std::size_t last_ = 0;
};

// LastLine returns the most informative line of a loader's output, without numbers and addresses.
// It is the same for two crashes at one location.
[[nodiscard]] std::string LastLine(const std::string& words);

// Frame holds the facts of a report besides the results.
struct Frame {
  std::string loader;
  std::string profile;
  std::string mode;
  std::uint64_t seed = 0;
  double seconds = 0;
  std::uint64_t children = 0;
};

[[nodiscard]] std::string TextOf(const Results& results, const Frame& frame);
[[nodiscard]] std::string JsonOf(const Results& results, const Frame& frame);

}  // namespace ggufgate::external
