#include "jinja/resource_use/looped_calls.h"

#include <algorithm>
#include <tuple>

namespace ggufgate {

LoopedCalls::LoopedCalls(TemplateScope& scope)
    : scope_(scope), complete_(scope.looped_calls.size() < kMostLoopedCalls) {
  std::vector<TemplateLoopedCall>& calls = scope.looped_calls;
  // A call of a value may call any macro whose name is used as a value.
  for (std::size_t slot = 0; slot < scope.SlotCount(); ++slot) {
    if (scope.IsTaken(slot)) calls.push_back({.caller = scope.AnyMacro(), .callee = slot});
  }
  const auto key = [](const TemplateLoopedCall& call) {
    return std::tuple(call.callee, call.caller, call.looped, call.unnamed, call.over.whole,
                      call.over.of);
  };
  std::ranges::sort(calls, {}, key);
  const auto same = [&](const TemplateLoopedCall& a, const TemplateLoopedCall& b) {
    return key(a) == key(b);
  };
  calls.erase(std::unique(calls.begin(), calls.end(), same), calls.end());
}

std::optional<std::vector<const TemplateLoopedCall*>> LoopedCalls::Around(std::size_t macro) {
  std::vector<const TemplateLoopedCall*> around;
  std::vector<bool> seen(scope_.AnyMacro() + 1, false);
  std::vector<std::size_t> open{macro};
  if (!complete_ || !scope_.store.budget().Spend(seen.size() / 8 + scope_.looped_calls.size()))
    return {};
  seen.at(macro) = true;
  while (!open.empty()) {
    const std::size_t callee = open.back();
    open.pop_back();
    const auto first =
        std::ranges::lower_bound(scope_.looped_calls, callee, {}, &TemplateLoopedCall::callee);
    for (auto call = first; call != scope_.looped_calls.end() && call->callee == callee; ++call) {
      if (call->looped) around.push_back(&*call);
      if (call->caller == TemplateScope::kNoSlot || seen.at(call->caller)) continue;
      seen.at(call->caller) = true;
      open.push_back(call->caller);
    }
  }
  return around;
}

}  // namespace ggufgate
