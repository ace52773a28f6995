#include "jinja/recursion.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "jinja/circles.h"

namespace ggufgate {
namespace {

using Kind = TemplateRemark::Kind;

void Add(TemplateScope& scope, Kind kind, const MacroCall& call) {
  scope.remarks.push_back({.kind = kind,
                           .at = call.at,
                           .size = call.size,
                           .name = std::string(scope.NameOf(call.callee))});
}

// Rings are the circles of all calls that macros make.
Circles RingsOf(const TemplateScope& scope, std::vector<TemplateGrowth>& ways) {
  for (const MacroCall& call : scope.calls) {
    if (call.caller != TemplateScope::kNoSlot) {
      ways.push_back({.into = call.caller, .from = call.callee});
    }
  }
  std::ranges::sort(ways, {},
                    [](const TemplateGrowth& way) { return std::tuple(way.into, way.from); });
  return Circles(ways);
}

// BegunAnew are the rings with a call that hands on nothing of an argument: it begins anew each
// time.
std::vector<std::size_t> BegunAnew(const TemplateScope& scope, const Circles& rings) {
  std::vector<std::size_t> begun;
  for (const MacroCall& call : scope.calls) {
    const bool within = call.caller != TemplateScope::kNoSlot && call.caller != call.callee;
    if (within && call.resets && rings.InOne(call.caller, call.callee)) {
      begun.push_back(rings.CircleOf(call.caller));
    }
  }
  std::ranges::sort(begun);
  return begun;
}

// Calls that are made for certain, that do not hand on a part of an argument, or that are in a ring
// with one that begins anew; by caller.
std::vector<MacroCall> EndlessCalls(TemplateScope& scope) {
  std::vector<TemplateGrowth> ways;
  const Circles rings = RingsOf(scope, ways);
  const std::vector<std::size_t> begun = BegunAnew(scope, rings);
  std::vector<MacroCall> calls;
  for (const MacroCall& call : scope.calls) {
    if (call.caller == TemplateScope::kNoSlot) continue;
    const bool itself = call.caller == call.callee;
    if (itself && (call.certain || call.descends)) {
      Add(scope, call.certain ? Kind::kSelfCall : Kind::kSelfCallIf, call);
    } else if (itself) {
      Add(scope, Kind::kSelfCallBlind, call);
    } else if (call.certain || !call.descends ||
               std::ranges::binary_search(begun, rings.CircleOf(call.caller))) {
      calls.push_back(call);
    }
  }
  std::ranges::sort(calls, {},
                    [](const MacroCall& call) { return std::tuple(call.caller, call.at); });
  return calls;
}

// CallsOf is the range of a caller's calls, as places in `calls`. (std::ranges::equal_range gives a
// view, which clang 14 cannot take from this library.)
std::pair<std::size_t, std::size_t> CallsOf(const std::vector<MacroCall>& calls,
                                            std::size_t caller) {
  const auto begin = std::ranges::lower_bound(calls, caller, {}, &MacroCall::caller);
  const auto end = std::ranges::upper_bound(calls, caller, {}, &MacroCall::caller);
  return {static_cast<std::size_t>(begin - calls.begin()),
          static_cast<std::size_t>(end - calls.begin())};
}

}  // namespace

// Depth first over the calls, with a stack of its own; a call back onto the path closes a circle.
void CheckRecursion(TemplateScope& scope) {
  const std::vector<MacroCall> calls = EndlessCalls(scope);
  enum class State : std::uint8_t { kNew, kOnPath, kDone };
  std::vector<State> states(scope.SlotCount(), State::kNew);
  struct Step {
    std::size_t macro;
    std::size_t next;  // call of this macro to follow
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
      if (state == State::kOnPath) Add(scope, Kind::kCircle, call);
      if (state != State::kNew) continue;
      state = State::kOnPath;
      path.push_back({call.callee, 0});
    }
  }
}

}  // namespace ggufgate
