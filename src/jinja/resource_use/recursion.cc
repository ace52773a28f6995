#include "jinja/resource_use/recursion.h"

#include <algorithm>
#include <span>
#include <tuple>
#include <utility>

#include "jinja/resource_use/circles.h"

namespace ggufgate {
namespace {

using Kind = TemplateRemark::Kind;

std::string_view NameOf(const TemplateScope& scope, const MacroCall& call) {
  return scope.NameOf(call.callee == scope.AnyMacro() ? call.caller : call.callee);
}

void Add(TemplateScope& scope, Kind kind, const MacroCall& call) {
  scope.remarks.push_back(
      {.kind = kind, .at = call.at, .size = call.size, .name = std::string(NameOf(scope, call))});
}

// WaysOf returns all calls that macros make, sorted by caller. A call of a value may call any macro
// whose name is used as a value.
std::vector<TemplateGrowth> WaysOf(TemplateScope& scope) {
  std::vector<TemplateGrowth> ways;
  for (std::size_t slot = 0; slot < scope.SlotCount(); ++slot) {
    if (!scope.IsTaken(slot)) continue;
    scope.calls.push_back({.caller = scope.AnyMacro(), .callee = slot});
  }
  for (const MacroCall& call : scope.calls) {
    if (call.caller != TemplateScope::kNoSlot) {
      ways.push_back({.into = call.caller, .from = call.callee});
    }
  }
  std::ranges::sort(ways, {},
                    [](const TemplateGrowth& way) { return std::tuple(way.into, way.from); });
  return ways;
}

// RingMeasure looks for one parameter of each macro of a ring that becomes smaller with the calls
// and never larger.
class RingMeasure {
 public:
  // `calls` are all calls within the ring.
  explicit RingMeasure(std::span<const MacroCall* const> calls) : calls_(calls) {
    RingMeasure best(*this, 0);
    std::ptrdiff_t most = 0;
    for (std::uint8_t first = 0; first < kFollowedParameters; ++first) {
      RingMeasure measure(*this, first);
      const std::ptrdiff_t ends =
          std::ranges::count_if(calls_, [&](const MacroCall* call) { return measure.Ends(*call); });
      if (ends > most) best = std::move(measure);
      most = std::max(most, ends);
    }
    *this = std::move(best);
  }

  // Ends tells whether such calls stop: each passes a smaller part, and none runs once the argument
  // is hollow.
  [[nodiscard]] bool Ends(const MacroCall& call) const {
    if (!found_) return false;
    const HandedPart& part = PartOf(call);
    return part.smaller && (part.not_called & may_be_) == may_be_;
  }

 private:
  // Makes a measure that uses this parameter of the first macro.
  RingMeasure(const RingMeasure& of, std::uint8_t first) : calls_(of.calls_), found_(Try(first)) {
    if (!found_) return;
    for (const MacroCall* call : calls_) may_be_ |= PartOf(*call).may_be;
  }

  static constexpr std::uint8_t kUnknown = kFollowedParameters;

  [[nodiscard]] std::uint8_t& MeasureOf(std::size_t macro) {
    return measures_.at(
        static_cast<std::size_t>(std::ranges::lower_bound(macros_, macro) - macros_.begin()));
  }
  [[nodiscard]] const HandedPart& PartOf(const MacroCall& call) const {
    const auto at = std::ranges::lower_bound(macros_, call.callee) - macros_.begin();
    return call.handed.at(measures_.at(static_cast<std::size_t>(at)));
  }

  // The parameter of a callee decides the parameter of each caller.
  bool Try(std::uint8_t first) {
    for (const MacroCall* call : calls_) {
      if (macros_.empty() || macros_.back() != call->callee) macros_.push_back(call->callee);
    }
    measures_.assign(macros_.size(), kUnknown);
    measures_.front() = first;
    std::vector<std::size_t> open{macros_.front()};
    while (!open.empty()) {
      const std::size_t callee = open.back();
      open.pop_back();
      const auto called = [](const MacroCall* call) { return call->callee; };
      for (auto at = std::ranges::lower_bound(calls_, callee, {}, called);
           at != calls_.end() && (*at)->callee == callee; ++at) {
        const std::uint8_t of = (*at)->handed.at(MeasureOf(callee)).of;
        std::uint8_t& measure = MeasureOf((*at)->caller);
        if (of == kUnknown || (measure != kUnknown && measure != of)) return false;
        if (measure == kUnknown) open.push_back((*at)->caller);
        measure = of;
      }
    }
    return true;
  }

  std::span<const MacroCall* const> calls_;  // by callee
  std::vector<std::size_t> macros_;          // of the ring, sorted; each is called in the ring
  std::vector<std::uint8_t> measures_;       // parameter of each macro
  bool found_ = false;
  HollowKinds may_be_ = 0;
};

// LevelsOf returns the number of levels of the deepest container of constants that is passed to a
// macro.
std::uint64_t LevelsOf(TemplateScope& scope, std::size_t macro) {
  std::uint64_t levels = 0;
  const TemplateMacro* called =
      macro < scope.SlotCount() ? scope.MacroNamed(scope.NameOf(macro)) : nullptr;
  if (called == nullptr) return levels;
  for (const TemplateValue& value : called->handed) {
    levels = std::max<std::uint64_t>(levels, value.depth);
  }
  return levels;
}

// CheckBranching counts the calls of a ring that walks constants. If a macro calls itself twice,
// the number of calls doubles at each level.
void CheckBranching(TemplateScope& scope, std::span<const MacroCall* const> ring) {
  std::vector<std::size_t> callers;
  std::uint64_t levels = 0;
  for (const MacroCall* call : ring) {
    levels = std::max(levels, LevelsOf(scope, call->callee));
    callers.push_back(call->caller);
  }
  std::ranges::sort(callers);
  std::uint64_t branches = 0;
  std::uint64_t of_one = 0;
  for (std::size_t i = 0; i < callers.size(); ++i) {
    of_one = i > 0 && callers.at(i) == callers.at(i - 1) ? of_one + 1 : 1;
    branches = std::max(branches, of_one);
  }
  std::uint64_t steps = 1;
  for (std::uint64_t level = 0; level < levels && branches > 1 && steps <= kTemplateSteps;
       ++level) {
    steps = ProductOf(steps, branches);
  }
  if (steps <= kTemplateSteps) return;
  // A macro that is used as a value has no position of a call.
  const auto placed =
      std::ranges::find_if(ring, [](const MacroCall* call) { return call->size > 0; });
  const MacroCall& told = placed == ring.end() ? *ring.front() : **placed;
  scope.Add({.kind = Kind::kSteps, .at = told.at, .size = told.size, .name = {}, .number = steps});
}

// JudgeRing reports macros of one ring that call themselves. It adds calls between macros that may
// never stop to `endless`.
void JudgeRing(TemplateScope& scope, std::span<const MacroCall* const> ring,
               std::vector<MacroCall>& endless) {
  CheckBranching(scope, ring);
  const RingMeasure measure(ring);
  for (const MacroCall* call : ring) {
    const bool ends = measure.Ends(*call);
    if (call->caller != call->callee) {
      if (call->certain || !ends) endless.push_back(*call);
    } else {
      Add(scope,
          call->certain ? Kind::kSelfCall
          : ends        ? Kind::kSelfCallIf
                        : Kind::kSelfCallBlind,
          *call);
    }
  }
}

// EndlessCalls returns the calls between macros that may never stop, sorted by caller.
std::vector<MacroCall> EndlessCalls(TemplateScope& scope) {
  const std::vector<TemplateGrowth> ways = WaysOf(scope);
  const Circles rings(ways);
  std::vector<const MacroCall*> within;
  for (const MacroCall& call : scope.calls) {
    const bool inner = call.caller != TemplateScope::kNoSlot;
    if (inner && rings.InOne(call.caller, call.callee)) within.push_back(&call);
  }
  const auto ring_of = [&](const MacroCall* call) { return rings.CircleOf(call->callee); };
  std::ranges::sort(within, {}, [&](const MacroCall* call) {
    return std::tuple(ring_of(call), call->callee, call->at);
  });
  std::vector<MacroCall> calls;
  for (std::size_t begin = 0; begin < within.size();) {
    std::size_t end = begin;
    while (end < within.size() && ring_of(within.at(end)) == ring_of(within.at(begin))) ++end;
    JudgeRing(scope, std::span(within).subspan(begin, end - begin), calls);
    begin = end;
  }
  std::ranges::sort(calls, {},
                    [](const MacroCall& call) { return std::tuple(call.caller, call.at); });
  return calls;
}

// CallsOf returns the range of a caller's calls, as indexes in `calls`. (std::ranges::equal_range
// returns a view, which clang 14 cannot compile with this library.)
std::pair<std::size_t, std::size_t> CallsOf(const std::vector<MacroCall>& calls,
                                            std::size_t caller) {
  const auto begin = std::ranges::lower_bound(calls, caller, {}, &MacroCall::caller);
  const auto end = std::ranges::upper_bound(calls, caller, {}, &MacroCall::caller);
  return {static_cast<std::size_t>(begin - calls.begin()),
          static_cast<std::size_t>(end - calls.begin())};
}

}  // namespace

// A depth-first search over the calls, without recursion. A call back onto the path closes a
// circle.
void CheckRecursion(TemplateScope& scope) {
  const std::vector<MacroCall> calls = EndlessCalls(scope);
  enum class State : std::uint8_t { kNew, kOnPath, kDone };
  std::vector<State> states(scope.AnyMacro() + 1, State::kNew);
  struct Step {
    std::size_t macro;
    std::size_t next;  // the next call of this macro to follow
  };
  std::vector<Step> path;
  for (const MacroCall& start : calls) {
    if (states.at(start.caller) != State::kNew) continue;
    path.push_back({start.caller, 0});
    states.at(start.caller) = State::kOnPath;
    while (!path.empty()) {
      Step& step = path.back();
      const auto [first, last] = CallsOf(calls, step.macro);
      if (first + step.next >= last) {
        states.at(step.macro) = State::kDone;
        path.pop_back();
        continue;
      }
      const MacroCall& call = calls.at(first + step.next++);
      State& state = states.at(call.callee);
      if (state == State::kOnPath) {
        // The position is that of the call of the value, because the macro that is the value has
        // none.
        const bool value = call.caller == scope.AnyMacro() && path.size() > 1;
        const Step& before = value ? path.at(path.size() - 2) : step;
        Add(scope, Kind::kCircle,
            value ? calls.at(CallsOf(calls, before.macro).first + before.next - 1) : call);
      }
      if (state != State::kNew) continue;
      state = State::kOnPath;
      path.push_back({call.callee, 0});
    }
  }
}

}  // namespace ggufgate
