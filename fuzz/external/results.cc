#include "fuzz/external/results.h"

#include <algorithm>
#include <cctype>

namespace ggufgate::external {
namespace {

// WithoutNumbers replaces numbers, decimal and hexadecimal, by '#', also in paths.
std::string WithoutNumbers(const std::string& line) {
  std::string out;
  for (std::size_t i = 0; i < line.size();) {
    const auto digit = [&](std::size_t at) {
      return at < line.size() && std::isxdigit(static_cast<unsigned char>(line[at])) != 0;
    };
    if (std::isdigit(static_cast<unsigned char>(line[i])) == 0) {
      out += line[i++];
      continue;
    }
    if (line[i] == '0' && i + 1 < line.size() && line[i + 1] == 'x') i += 2;
    while (digit(i)) ++i;
    out += '#';
  }
  return out;
}

bool SaysMuch(const std::string& line) {
  for (const char* word :
       {"ERROR: ", "runtime error:", "ssert", "terminate called", "error loading model: "}) {
    if (line.find(word) != std::string::npos) return true;
  }
  return false;
}

}  // namespace

std::string LastLine(const std::string& words) {
  std::string last;
  for (std::size_t begin = 0; begin < words.size();) {
    const std::size_t end = std::min(words.find('\n', begin), words.size());
    std::string line = words.substr(begin, end - begin);
    begin = end + 1;
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    if (SaysMuch(line)) return WithoutNumbers(line);
    last = std::move(line);
  }
  return WithoutNumbers(last);
}

void Results::AddToRules(const Case& made, const Answer& answer) {
  for (const std::string& rule : made.rules) {
    auto tally = std::ranges::find(rules_, rule, &RuleTally::rule);
    if (tally == rules_.end()) tally = rules_.insert(rules_.end(), RuleTally{.rule = rule});
    ++tally->rejected;
    if (answer.outcome == Outcome::kLoads) {
      ++tally->loads;
      if (made.rules.size() == 1) ++tally->loads_alone;
    }
    if (IsDeath(answer.outcome)) ++tally->dies;
  }
}

bool Results::Add(const Case& made, const Answer& answer) {
  const bool accepted = made.rules.empty();
  ++counts_.at(accepted ? 1 : 0).at(static_cast<std::size_t>(answer.outcome));
  AddToRules(made, answer);
  const bool misbehaves =
      IsDeath(answer.outcome) || (accepted && answer.outcome == Outcome::kRefuses);
  if (!misbehaves) return false;
  const std::string line = LastLine(answer.words);
  const auto sort = std::ranges::find_if(sorts_, [&](const Sort& known) {
    return known.answer.outcome == answer.outcome && known.answer.signal == answer.signal &&
           known.answer.exit_code == answer.exit_code && known.answer.stage == answer.stage &&
           LastLine(known.answer.words) == line;
  });
  if (sort != sorts_.end()) {
    ++sort->count;
    sort->accepted += accepted ? 1 : 0;
    return false;
  }
  last_ = sorts_.size();
  sorts_.push_back({.answer = answer, .count = 1, .accepted = accepted ? 1U : 0U, .first = made});
  return true;
}

std::uint64_t Results::deaths() const {
  std::uint64_t count = 0;
  for (const bool accepted : {false, true}) {
    for (const Outcome outcome : {Outcome::kCrashes, Outcome::kHangs, Outcome::kMemory}) {
      count += Count(accepted, outcome);
    }
  }
  return count;
}

std::uint64_t Results::unloaded() const {
  std::uint64_t count = 0;
  for (const Outcome outcome :
       {Outcome::kRefuses, Outcome::kCrashes, Outcome::kHangs, Outcome::kMemory}) {
    count += Count(/*accepted=*/true, outcome);
  }
  return count;
}

}  // namespace ggufgate::external
