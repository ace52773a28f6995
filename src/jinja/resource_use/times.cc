#include "jinja/resource_use/times.h"

#include <algorithm>
#include <tuple>
#include <vector>

namespace ggufgate {
namespace {

enum class State : std::uint8_t { kNew, kOnPath, kDone };

struct Way {
  std::size_t caller;
  std::size_t callee;
  std::uint64_t rounds;
};

// Counting is a depth-first search over the calls, without recursion. All callers of a macro are
// counted before the macro: macros are handled in the reverse order of leaving them.
class Counting {
 public:
  explicit Counting(const TemplateScope& scope)
      : outside_(scope.SlotCount()),
        states_(scope.AnyMacro() + 1, State::kNew),
        first_(scope.AnyMacro() + 2, 0) {
    for (const MacroCall& call : scope.calls) {
      const bool outside = call.caller == TemplateScope::kNoSlot;
      const std::uint64_t rounds = ProductOf(call.rounds, call.in_block ? scope.TimesOfBlock() : 1);
      ways_.push_back({outside ? outside_ : call.caller, call.callee, rounds});
    }
    // A call of a value may call any macro whose name is used as a value.
    for (std::size_t slot = 0; slot < scope.SlotCount(); ++slot) {
      if (scope.IsTaken(slot)) ways_.push_back({scope.AnyMacro(), slot, 1});
    }
    std::ranges::sort(ways_, {}, [](const Way& way) { return std::tuple(way.caller, way.callee); });
    for (const Way& way : ways_) ++first_.at(way.caller + 1);
    for (std::size_t i = 1; i < first_.size(); ++i) first_.at(i) += first_.at(i - 1);
  }

  std::vector<std::uint64_t> Count() {
    std::vector<std::uint64_t> times(states_.size(), 0);
    times.at(outside_) = 1;
    Visit(outside_);
    std::ranges::reverse(left_);
    for (const std::size_t macro : left_) {
      for (std::size_t i = first_.at(macro); i < first_.at(macro + 1); ++i) {
        const Way& way = ways_.at(i);
        if (way.rounds == 0) continue;
        times.at(way.callee) = std::min(
            SumOf(times.at(way.callee), ProductOf(way.rounds, times.at(macro))), kTemplateRounds);
      }
    }
    return times;
  }

 private:
  struct Step {
    std::size_t macro;
    std::size_t next;  // index in ways_
  };

  void Enter(std::size_t macro) {
    states_.at(macro) = State::kOnPath;
    path_.push_back({macro, first_.at(macro)});
  }

  void Visit(std::size_t start) {
    Enter(start);
    while (!path_.empty()) {
      Step& step = path_.back();
      if (step.next == first_.at(step.macro + 1)) {
        states_.at(step.macro) = State::kDone;
        left_.push_back(step.macro);
        path_.pop_back();
        continue;
      }
      Way& way = ways_.at(step.next++);
      const State state = states_.at(way.callee);
      if (state == State::kOnPath) way.rounds = 0;
      if (state == State::kNew) Enter(way.callee);
    }
  }

  std::size_t outside_;
  std::vector<Way> ways_;  // sorted by caller
  std::vector<State> states_;
  std::vector<std::size_t> first_;  // first way of each macro
  std::vector<Step> path_;
  std::vector<std::size_t> left_;
};

}  // namespace

void CountTimes(TemplateScope& scope) {
  if (scope.calls.empty()) return;
  const std::vector<std::uint64_t> times = Counting(scope).Count();
  for (std::size_t slot = 0; slot < scope.SlotCount(); ++slot) {
    scope.KeepTimes(slot, times.at(slot));
  }
}

}  // namespace ggufgate
