#include "jinja/resource_use/weights.h"

#include <algorithm>
#include <tuple>

namespace ggufgate {
namespace {

using Kind = TemplateRemark::Kind;

enum class State : std::uint8_t { kNew, kOnPath, kDone };

// Weighing is a depth-first search over the calls, without recursion. A macro is done after all
// macros that it calls. The last entry but one is the code outside of macros, the last one any
// macro (AnyMacro()).
class Weighing {
 public:
  explicit Weighing(TemplateScope& scope)
      : scope_(scope),
        outside_(scope.SlotCount()),
        totals_(scope.AnyMacro() + 1),
        states_(scope.AnyMacro() + 1, State::kNew),
        first_(scope.AnyMacro() + 2, 0) {
    for (MacroCall& call : scope.calls) {
      if (call.caller == TemplateScope::kNoSlot) call.caller = outside_;
    }
    std::ranges::sort(scope.calls, {},
                      [](const MacroCall& call) { return std::tuple(call.caller, call.at); });
    for (const MacroCall& call : scope.calls) ++first_.at(call.caller + 1);
    for (std::size_t i = 1; i < first_.size(); ++i) first_.at(i) += first_.at(i - 1);
  }

  void Weigh() {
    for (std::size_t start = 0; start < states_.size(); ++start) {
      if (states_.at(start) == State::kNew) Visit(start);
    }
  }

 private:
  struct Step {
    std::size_t macro;
    std::size_t next;  // index in all calls
  };

  void Enter(std::size_t macro) {
    states_.at(macro) = State::kOnPath;
    const TemplateWeight& own = scope_.Weight(macro == outside_ ? TemplateScope::kNoSlot : macro);
    totals_.at(macro) = own;
    const std::uint64_t most = std::max<std::uint64_t>({own.steps, own.data, own.tags});
    if (most > kTemplateSteps) Tell(Kind::kSteps, own.at, 2, most);
    path_.push_back({.macro = macro, .next = first_.at(macro)});
  }

  void Visit(std::size_t start) {
    Enter(start);
    while (!path_.empty()) {
      Step& step = path_.back();
      if (step.next == first_.at(step.macro + 1)) {
        states_.at(step.macro) = State::kDone;
        path_.pop_back();
        continue;
      }
      const MacroCall& call = scope_.calls.at(step.next);
      const State state = states_.at(call.callee);
      if (state == State::kNew) {
        Enter(call.callee);
        continue;
      }
      ++step.next;
      if (state == State::kDone) Add(step.macro, call);
    }
  }

  // Reports a cost where it exceeds a limit, and not again in the callers.
  void Add(std::size_t macro, const MacroCall& call) {
    TemplateWeight& total = totals_.at(macro);
    const TemplateWeight& called = totals_.at(call.callee);
    const auto sum_of = [&](std::uint64_t before, std::uint64_t each, std::uint64_t added) {
      const std::uint64_t sum = SumOf(before, added);
      const bool told = each > kTemplateSteps || before > kTemplateSteps;
      if (!told && sum > kTemplateSteps) Tell(Kind::kSteps, call.at, call.size, sum);
      return sum;
    };
    const std::uint64_t steps = ProductOf(call.rounds, SumOf(called.steps, 1));
    total.steps = sum_of(total.steps, called.steps, steps);
    const std::uint64_t data = ProductOf(call.data_rounds, called.data);
    total.data = Kept(sum_of(total.data, called.data, data));
    total.tags = Kept(sum_of(total.tags, called.tags, ProductOf(call.rounds, called.tags)));
    const std::uint64_t output = SumOf(total.output, ProductOf(call.rounds, called.output));
    if (called.output <= kTemplateOutput && total.output <= kTemplateOutput &&
        output > kTemplateOutput) {
      Tell(Kind::kOutput, call.at, call.size, output);
    }
    total.output = output;
    const TemplateWeight& own = scope_.Weight(macro == outside_ ? TemplateScope::kNoSlot : macro);
    const std::uint64_t depth = SumOf(own.depth, called.depth);
    if (called.depth <= kTemplateChain && own.depth <= kTemplateChain && depth > kTemplateChain &&
        total.depth <= kTemplateChain) {
      Tell(Kind::kChain, call.at, call.size, depth);
    }
    total.depth = std::max(total.depth, Kept(depth));
  }

  void Tell(Kind kind, std::size_t at, std::size_t size, std::uint64_t number) {
    scope_.Add({.kind = kind, .at = at, .size = size, .name = {}, .number = number});
  }

  TemplateScope& scope_;
  std::size_t outside_;
  std::vector<TemplateWeight> totals_;
  std::vector<State> states_;
  std::vector<std::size_t> first_;  // first call of each macro; all calls are sorted by caller
  std::vector<Step> path_;
};

}  // namespace

void CheckWeights(TemplateScope& scope) { Weighing(scope).Weigh(); }

}  // namespace ggufgate
