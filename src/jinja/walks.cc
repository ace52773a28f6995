// TemplateScope: how the current macro uses its arguments, and which parts it passes on.

#include <algorithm>

#include "jinja/scope.h"

namespace ggufgate {

GivenPart TemplateScope::GivenAs(std::size_t slot, const TemplateValue& value) const {
  if (FollowedParameter(slot)) {
    return {.inside = 0, .named = true, .as = static_cast<std::uint32_t>(slot)};
  }
  GivenPart part = value.Given();
  if (!part.IsGiven()) return part;
  // A name has one value in the whole template. The bindings of this macro are more precise.
  if (IsFresh(slots_.at(slot))) {
    const std::vector<Binding>& bindings = slots_.at(slot).bindings;
    const auto own = std::ranges::lower_bound(bindings, macro_branch, {}, &Binding::macro_branch);
    if (own != bindings.end() && own->macro_branch == macro_branch) return own->part;
  }
  part.others |= kForeign;
  return part;
}

std::optional<std::size_t> TemplateScope::FollowedParameter(std::size_t slot) const {
  if (slot >= slots_.size() || macro == kNoSlot || slots_.at(macro).macro == kNoSlot) return {};
  const TemplateMacro& reads = macros_.at(slots_.at(macro).macro);
  const std::vector<std::string_view>& names = reads.parameters;
  const std::size_t most = std::min(names.size(), kFollowedParameters);
  const auto end = names.begin() + static_cast<std::ptrdiff_t>(most);
  const auto found = std::find(names.begin(), end, slots_.at(slot).name);
  const auto place = static_cast<std::size_t>(found - names.begin());
  // A variable of the same name is another object.
  if (found != end && slot != ParameterSlot(macro, slots_.at(slot).name)) return {};
  if (found == end || reads.several || ((reads.changed >> place) & 1U) != 0) return {};
  return place;
}

std::optional<GivenName> TemplateScope::GivenBy(std::string_view name) const {
  const std::size_t slot = VariableSlot(name);
  if (const auto place = FollowedParameter(slot))
    return GivenName{.parameter = *place, .whole = true};
  if (slot == kNoSlot || slots_.at(slot).variable == kNoSlot || !IsFresh(slots_.at(slot)))
    return {};
  const TemplateValue& value = values_.at(slots_.at(slot).variable);
  const GivenPart part = GivenAs(slot, value);
  const auto place = FollowedParameter(part.as);
  const bool plain =
      part.LiesInside(1) && !part.pairs && value.namespaces == 0 && value.callables == 0;
  if (!place || !plain) return {};
  return GivenName{.parameter = *place, .named = part.named, .otherwise = part.others};
}

void TemplateScope::MissLoop(const TemplateValue& value) {
  const auto place = FollowedParameter(value.given.as);
  const GivenPart& given = value.given;
  const bool pairs = given.pairs && given.IsGiven() && !given.wraps && !given.IsForeign();
  if (place && (pairs || given.LiesInside(0))) looped.of.at(*place) = kAnyHollow;
}

void TemplateScope::SetParameters(TemplateMacro& defined,
                                  std::vector<std::string_view> parameters) {
  const bool several = !defined.parameters.empty() && defined.parameters != parameters;
  Change(several && !defined.several);
  defined.several = defined.several || several;
  if (!defined.counted) ++variables_;
  defined.counted = true;
  most_parameters_ = std::max<std::uint64_t>(most_parameters_, parameters.size());
  defined.parameters = std::move(parameters);
}

HandedPart TemplateScope::HandedAs(const TemplateValue& value, std::size_t call_at) const {
  const GivenPart& given = value.given;
  const auto place = FollowedParameter(given.as);
  if (!place || !given.IsGiven() || given.IsForeign() || value.IsNumber() || !value.outside ||
      value.elements > kTemplateChain) {
    return {};
  }
  // A container around an undefined value is never hollow. Only a loop over a part stops such a
  // walk.
  const bool within = std::ranges::any_of(loops, [&](const TemplateValue& loop) {
    return loop.given.as == given.as && loop.given.LiesInside(1);
  });
  const bool smaller = given.IsSmaller(within);
  if (!smaller && !given.LiesInside(0)) return {};
  HollowCases kept = missed;
  if (call_at < choice.before) kept |= choice.missed_before;
  if (call_at > choice.behind) kept |= choice.missed_behind;
  HandedPart part{.of = static_cast<std::uint8_t>(*place), .smaller = smaller};
  part.not_called = kept.of.at(*place);
  // Pairs are a list, even those of an empty dictionary.
  part.may_be = given.pairs ? kAnyHollow : given.others | KindOf(Hollow::kUndefined);
  if (!given.pairs) part.not_called |= looped.of.at(*place);
  return part;
}

void TemplateScope::EnterBranch(bool of_macro) {
  // Jinja2 copies its records of all names when it compiles a branch. Measured on 3.1.2: 6,000
  // branches after 4,000 names take more than 25 s.
  constexpr std::uint64_t kNamesOfRound = 256;
  ChargeDataRounds(slots_.size() / kNamesOfRound);
  branches_.push_back(++branch_);
  if (of_macro) macro_branch = branch_;
}

void TemplateScope::LeaveBranch() {
  if (branches_.empty()) return;
  while (!renewals_.empty() && renewals_.back().branch == branches_.back()) {
    slots_.at(renewals_.back().slot).renewed = renewals_.back().before;
    renewals_.pop_back();
  }
  branches_.pop_back();
}

void TemplateScope::Renew(std::string_view name) {
  const std::size_t slot = VariableSlot(name);
  if (slot != kNoSlot && loop_branch > 0) RenewAll({slot});
}

void TemplateScope::RenewAll(const std::vector<std::size_t>& slots) {
  if (loop_branch == 0) return;
  for (const std::size_t slot : slots) {
    std::uint32_t& renewed = slots_.at(slot).renewed;
    if (renewed == branch()) continue;
    renewals_.push_back(
        {.slot = static_cast<std::uint32_t>(slot), .before = renewed, .branch = branch()});
    renewed = branch();
  }
}

std::vector<std::size_t> TemplateScope::RenewedHere() const {
  std::vector<std::size_t> slots;
  for (std::size_t i = renewals_.size(); i > 0 && renewals_.at(i - 1).branch == branch(); --i) {
    slots.push_back(renewals_.at(i - 1).slot);
  }
  std::ranges::sort(slots);
  return slots;
}

bool TemplateScope::IsCarried(std::size_t name) const {
  constexpr std::size_t kField = 1;
  if (name % 2 == kField) return true;
  // Each call of a macro has new parameters.
  if (loop_branch > 0 && loop_branch == macro_branch && IsParameter(NameOf(name / 2))) return false;
  return loop_branch > 0 && slots_.at(name / 2).renewed < loop_branch;
}

bool TemplateScope::IsFresh(const Slot& slot) const {
  return slot.bound >= macro_branch && slot.bound > 0 &&
         std::ranges::binary_search(branches_, slot.bound);
}

void TemplateScope::Bind(std::string_view name, const TemplateValue& value) {
  const std::size_t slot = VariableSlot(name);
  if (slot == kNoSlot || macro == kNoSlot) return;
  // Macros are read in order, so a new binding is usually the last one.
  std::vector<Binding>& bindings = slots_.at(slot).bindings;
  auto own = std::ranges::lower_bound(bindings, macro_branch, {}, &Binding::macro_branch);
  if (own == bindings.end() || own->macro_branch != macro_branch) {
    own = bindings.insert(own, {.macro_branch = macro_branch, .part = {}});
  }
  Change(own->part.Join(value.Given()));
  // A binding in an outer branch stays valid here.
  if (!IsFresh(slots_.at(slot))) slots_.at(slot).bound = branches_.empty() ? 0 : branches_.back();
  if (slots_.at(macro).macro == kNoSlot) return;
  TemplateMacro& reads = macros_.at(slots_.at(macro).macro);
  const std::size_t most = std::min(reads.parameters.size(), kFollowedParameters);
  for (std::size_t place = 0; place < most; ++place) {
    const std::uint64_t bit = std::uint64_t{reads.parameters.at(place) == name} << place;
    Change((reads.changed & bit) != bit);
    reads.changed |= bit;
  }
}

void TemplateScope::TakeMacro(std::string_view name) {
  const std::size_t slot = SlotOf(name);
  if (slot == kNoSlot) return;
  Change(!slots_.at(slot).taken);
  slots_.at(slot).taken = true;
}

}  // namespace ggufgate
