#include "jinja/resource_use/own_lists.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>

#include "jinja/resource_use/looped_calls.h"
#include "jinja/values/names.h"

namespace ggufgate {
namespace {

using How = TemplateHolding::How;
using Kind = TemplateRemark::Kind;

// Maximum number of pairs; further pairs count as the same object. Published templates have a few.
constexpr std::size_t kMostPairs = 256;

// Sought returns the names of `value`: the objects themselves if they are known, otherwise the
// containers that hold them.
TemplateOwnList::Names Sought(const TemplateValue& value) {
  TemplateOwnList::Names names;
  const auto is_it = [](const TemplateValue::Part& part) {
    return part.whole && part.inside == 0 && !part.traced;
  };
  names.whole = std::ranges::any_of(value.parts, is_it);
  for (const TemplateValue::Part& part : value.parts) {
    if (part.traced || (names.whole && !is_it(part))) continue;
    names.of.push_back(part.name);
  }
  return names;
}

// IsNew tells whether no other code knows a list.
bool IsNew(const TemplateValue& loop) { return loop.rounds > 0 || loop.alias == kNewList; }

// A loop without names certainly iterates over another list only if the template spells out that
// list.
bool MayBeOne(const TemplateValue& loop, const TemplateValue& receiver) {
  if (loop.alias.empty() || receiver.alias.empty()) {
    return !IsNew(loop) && (loop.container || loop.alias.empty());
  }
  return loop.alias == receiver.alias && loop.alias_is_field == receiver.alias_is_field;
}

// IsNamed tells whether both containers of a pair have names.
bool IsNamed(const TemplateOwnList::Names& over, const TemplateOwnList::Names& into) {
  return !over.of.empty() && !into.of.empty();
}

bool IsIn(const TemplateOwnList::Names& names, std::size_t name) {
  return std::ranges::count(names.of, name) > 0;
}

// MarkNew marks a pair if the method adds to a field of a namespace that the code has just made.
void MarkNew(TemplateOwnList& pair, const TemplateValue& receiver, const TemplateScope& scope) {
  if (!receiver.alias_is_field || !pair.into.whole || pair.into.of.size() != 1) return;
  pair.field = pair.into.of.front();
  const std::size_t slot = scope.SlotOf(receiver.alias);
  if (slot == TemplateScope::kNoSlot || pair.field != 2 * slot + 1) return;
  std::optional<TemplateScope::NewSpace> made;
  for (const TemplateValue::Part& part : receiver.parts) {
    if (part.name == pair.field) continue;
    if (made || part.name % 2 == 1) return;
    made = scope.SpaceOf(part.name / 2);
    if (!made) return;
    pair.space = part.name;
  }
  if (!made || !made->clean || IsIn(pair.over, pair.field) || IsIn(pair.over, pair.space)) return;
  pair.is_new = true;
  pair.made_at = made->at;
  pair.end = scope.at;
  const auto since = std::ranges::upper_bound(scope.loop_branches, made->last);
  if (since != scope.loop_branches.end()) pair.loop = *since;
  pair.branch = scope.branch();
}

// IsApart tells whether no other name can mean the new field while the loops run.
bool IsApart(const TemplateOwnList& pair, TemplateScope& scope) {
  if (!pair.is_new || !scope.store.budget().Spend(scope.holdings.size())) return false;
  return std::ranges::none_of(scope.holdings, [&](const TemplateHolding& holding) {
    const bool then = holding.of_macro || (holding.at >= pair.made_at && holding.at <= pair.end);
    const bool handed = holding.held == pair.field || holding.held == pair.space;
    const bool given =
        holding.holder == pair.field && (holding.how == How::kIs || holding.how == How::kTakenFrom);
    return then && (handed || given);
  });
}

// Ways are steps from one name to another, sorted.
using Ways = std::vector<std::pair<std::size_t, std::size_t>>;
using Names = std::vector<std::size_t>;

void Sort(Ways& ways) {
  std::ranges::sort(ways);
  ways.erase(std::unique(ways.begin(), ways.end()), ways.end());
}

// Reached returns `names` and all names that `ways` lead to, sorted. It returns nullopt if the
// budget is used up.
std::optional<Names> Reached(const Ways& ways, Names names, WorkBudget& budget) {
  Names reached;
  while (!names.empty()) {
    std::ranges::sort(names);
    names.erase(std::unique(names.begin(), names.end()), names.end());
    Names all;
    std::ranges::set_union(reached, names, std::back_inserter(all));
    Names next;
    for (const std::size_t name : names) {
      for (auto way = std::ranges::lower_bound(ways, std::pair(name, std::size_t{0}));
           way != ways.end() && way->first == name; ++way) {
        if (!std::ranges::binary_search(all, way->second)) next.push_back(way->second);
      }
    }
    if (!budget.Spend(all.size() + next.size())) return std::nullopt;
    reached = std::move(all);
    names = std::move(next);
  }
  return reached;
}

// Objects finds names that may mean the same object.
class Objects {
 public:
  Objects(const std::vector<TemplateHolding>& holdings, WorkBudget& budget) : budget_(budget) {
    for (const TemplateHolding& holding : holdings) {
      const std::pair down(holding.holder, holding.held);
      const std::pair up(holding.held, holding.holder);
      inside_.push_back(down);
      if (holding.how == How::kIs) same_.insert(same_.end(), {down, up});
      // An object from a container may be any object in it. Depths are ignored: filters such as
      // `map(attribute='a.b')` and `sum(start=[])` reach several levels down.
      if (holding.how == How::kTakenFrom || holding.how == How::kHolds) {
        taken_.push_back(holding.holder);
      }
      // The object that a method stores into may also be any of them.
      if (holding.how != How::kStores) inside_.push_back(up);
    }
    Sort(inside_);
    Sort(same_);
    std::ranges::sort(taken_);
  }

  // MayBeOne tells whether an object of the names `a` may also be one of the names `b`.
  [[nodiscard]] bool MayBeOne(const TemplateOwnList::Names& a, const TemplateOwnList::Names& b) {
    const std::optional<Names> of_a = Of(a);
    const std::optional<Names> of_b = Of(b);
    if (!of_a || !of_b) return true;
    Names both;
    std::ranges::set_intersection(*of_a, *of_b, std::back_inserter(both));
    return !both.empty();
  }

 private:
  std::optional<Names> Of(const TemplateOwnList::Names& names) {
    if (!names.whole) return Reached(inside_, names.of, budget_);
    std::optional<Names> same = Reached(same_, names.of, budget_);
    if (!same) return same;
    Names taken;
    std::ranges::set_intersection(*same, taken_, std::back_inserter(taken));
    std::optional<Names> inside = Reached(inside_, std::move(taken), budget_);
    if (!inside) return inside;
    Names all;
    std::ranges::set_union(*same, *inside, std::back_inserter(all));
    return all;
  }

  WorkBudget& budget_;
  Ways inside_;
  Ways same_;
  Names taken_;
};

TemplateOwnList PairOf(const JinjaToken& method, const TemplateValue& receiver,
                       const TemplateScope& scope, TemplateOwnList::Names over) {
  TemplateOwnList pair{.over = std::move(over),
                       .into = Sought(receiver),
                       .name = receiver.alias,
                       .at = method.begin,
                       .size = method.text.size()};
  MarkNew(pair, receiver, scope);
  return pair;
}

// KeepAdding records that code of a macro, or of a call block, adds to a container.
void KeepAdding(const JinjaToken& method, const TemplateValue& receiver, std::size_t macro,
                TemplateScope& scope) {
  if (macro == TemplateScope::kNoSlot) return;
  if (scope.addings.size() >= kMostPairs) {
    return scope.Add(Kind::kOwnList, method, receiver.alias);
  }
  TemplateAdding adding{.macro = macro, .pair = PairOf(method, receiver, scope, {})};
  adding.pair.end = TemplateScope::kNoSlot;  // all code after it counts
  scope.addings.push_back(std::move(adding));
}

TemplateRemark RemarkOn(const TemplateOwnList& pair) {
  return {.kind = Kind::kOwnList,
          .at = pair.at,
          .size = pair.size,
          .name = std::string(pair.name.substr(0, 256))};
}

// MayAddToLoop tells, for a method in a macro, whether a loop around its calls may iterate over the
// container that it adds to.
bool MayAddToLoop(const TemplateAdding& adding, LoopedCalls& calls, Objects& objects,
                  TemplateScope& scope) {
  if (IsApart(adding.pair, scope)) return false;
  const auto around = calls.Around(adding.macro);
  if (!around) return true;
  return std::ranges::any_of(*around, [&](const TemplateLoopedCall* call) {
    if (!IsNamed(call->over, adding.pair.into)) return call->unnamed;
    return objects.MayBeOne(call->over, adding.pair.into);
  });
}

// NoteCallOf records a call by the code of a macro, or by code outside of macros.
void NoteCallOf(std::size_t callee, std::size_t caller, TemplateScope& scope) {
  TemplateLoopedCall call{.caller = caller, .callee = callee};
  const auto note = [&] {
    if (scope.looped_calls.size() < kMostLoopedCalls) scope.looped_calls.push_back(call);
  };
  if (caller != TemplateScope::kNoSlot) note();
  for (const TemplateValue& loop : scope.loops) {
    call.over = Sought(loop);
    call.looped = true;
    call.unnamed = call.over.of.empty() && loop.alias.empty() && !IsNew(loop);
    note();
  }
}

}  // namespace

void NoteLoopedCall(std::size_t callee, TemplateScope& scope) {
  NoteCallOf(callee, scope.macro, scope);
  if (scope.call_blocks > 0) NoteCallOf(callee, scope.SlotOf("caller"), scope);
  if (scope.named_blocks > 0) NoteCallOf(callee, scope.SlotOf("block"), scope);
}

void SeekOwnList(const JinjaToken& method, const TemplateValue& receiver, TemplateScope& scope) {
  if (!AddsTo(method.text)) return;
  KeepAdding(method, receiver, scope.macro, scope);
  if (scope.call_blocks > 0) KeepAdding(method, receiver, scope.SlotOf("caller"), scope);
  if (scope.named_blocks > 0) KeepAdding(method, receiver, scope.SlotOf("block"), scope);
  const TemplateOwnList::Names into = Sought(receiver);
  // Another rule rejects deeper loops.
  const std::size_t most = std::min<std::size_t>(scope.loops.size(), kTemplateNesting);
  for (std::size_t i = 0; i < most; ++i) {
    const TemplateValue& loop = scope.loops.at(i);
    TemplateOwnList::Names over = Sought(loop);
    const bool named = IsNamed(over, into);
    const bool many = named && scope.own_lists.size() >= kMostPairs;
    if (many || (!named && MayBeOne(loop, receiver))) {
      return scope.Add(Kind::kOwnList, method, receiver.alias);
    }
    if (!named) continue;
    scope.own_lists.push_back(PairOf(method, receiver, scope, std::move(over)));
  }
}

void EndOwnLists(TemplateScope& scope) {
  const std::uint32_t loop = scope.loop_branches.back();
  // The pairs of this loop, and of the loops in it, are the last ones.
  for (std::size_t i = scope.own_lists.size(); i > 0; --i) {
    TemplateOwnList& pair = scope.own_lists.at(i - 1);
    if (pair.loop == loop) pair.end = scope.at;
    if (pair.branch < loop) break;
  }
}

void CheckOwnLists(TemplateScope& scope) {
  if (scope.own_lists.empty() && scope.addings.empty()) return;
  Objects objects(scope.holdings, scope.store.budget());
  LoopedCalls calls(scope);
  std::size_t told = TemplateScope::kNoSlot;
  for (const TemplateOwnList& pair : scope.own_lists) {
    // A method gets only one finding, regardless of the number of loops around it.
    if (pair.at == told || IsApart(pair, scope) || !objects.MayBeOne(pair.over, pair.into))
      continue;
    told = pair.at;
    scope.Add(RemarkOn(pair));
  }
  for (const TemplateAdding& adding : scope.addings) {
    if (MayAddToLoop(adding, calls, objects, scope)) scope.Add(RemarkOn(adding.pair));
  }
}

}  // namespace ggufgate
