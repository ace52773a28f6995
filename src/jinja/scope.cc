#include "jinja/scope.h"

#include <algorithm>

namespace ggufgate {
namespace {

// Steps of reading and bytes of text made, for each byte of a template: honest ones need less than
// four.
constexpr std::uint64_t kWorkPerByte = 32;
constexpr std::uint64_t kWorkAtLeast = std::uint64_t{1} << 20;
// Remarks of one kind that are told.
constexpr std::size_t kMostTold = 1'000;
constexpr std::size_t kMostGrowths = 100'000;
constexpr std::string_view kNotFollowed = "more than is followed";

void Unify(std::vector<std::string_view>& names) {
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
}

std::vector<std::string_view> NamesIn(std::string_view text) {
  std::vector<std::string_view> names;
  std::size_t most = 4096;  // before the same ones are made one
  JinjaSpan span;
  for (JinjaLexer lexer(text); lexer.Next(span);) {
    for (const JinjaToken& token : span.tokens) {
      if (token.IsName()) names.push_back(token.text);
    }
    if (names.size() < most) continue;
    Unify(names);
    most = std::max(most, 2 * names.size());
  }
  Unify(names);
  return names;
}

}  // namespace

std::optional<std::uint64_t> BoundOf(TemplateRemark::Kind kind) {
  switch (kind) {
    case TemplateRemark::Kind::kNesting:
      return kTemplateNesting;
    case TemplateRemark::Kind::kRange:
    case TemplateRemark::Kind::kRepeat:
      return kTemplateRounds;
    case TemplateRemark::Kind::kMade:
      return kTemplateMade;
    case TemplateRemark::Kind::kTokens:
      return kMostTokens;
    default:
      return std::nullopt;
  }
}

std::uint64_t WorkFor(std::size_t template_bytes) {
  return std::uint64_t{template_bytes} * kWorkPerByte + kWorkAtLeast;
}

TemplateScope::TemplateScope(std::string_view text) : store(WorkFor(text.size()), text.size()) {
  const std::vector<std::string_view> names = NamesIn(text);
  slots_.reserve(names.size());
  for (const std::string_view name : names) slots_.push_back({.name = name});
}

void TemplateScope::Add(TemplateRemark::Kind kind, const JinjaToken& token, std::string_view name,
                        std::uint64_t number) {
  Add({.kind = kind,
       .at = token.begin,
       .size = token.text.size(),
       .name = std::string(name.substr(0, 256)),
       .number = number});
}

void TemplateScope::Add(TemplateRemark remark) {
  if (told_.at(static_cast<std::size_t>(remark.kind))++ >= kMostTold) return;
  remarks.push_back(std::move(remark));
}

void TemplateScope::BeginReading() {
  ++readings_;
  changed_ = false;
  calls.clear();
  growths.clear();
  remarks.clear();
  told_.fill(0);
  macro = kNoSlot;
}

std::size_t TemplateScope::SlotOf(std::string_view name) const {
  const auto found = std::ranges::lower_bound(slots_, name, {}, &Slot::name);
  if (found == slots_.end() || found->name != name) return kNoSlot;
  return static_cast<std::size_t>(found - slots_.begin());
}

std::size_t& TemplateScope::Ensure(std::size_t& index) {
  if (index == kNoSlot) {
    index = values_.size();
    values_.emplace_back();
  }
  return index;
}

TemplateValue TemplateScope::Known(TemplateValue value) const {
  if (value.IsNothing() && !first_reading()) value.data = true;
  return value;
}

TemplateValue TemplateScope::CopyOf(const TemplateValue& value, std::size_t part) {
  if (given_up_ || !store.budget().Spend(1 + value.items.size())) {
    TemplateValue unknown = ComputedValue(kNotFollowed);
    unknown.callables = TemplateValue::kDeepest;
    unknown.namespaces = TemplateValue::kDeepest;
    return unknown;
  }
  TemplateValue copy = value;
  if (repeats) copy.parts.push_back({.name = part, .times = 1});
  return copy;
}

// Assign adds to what a name is. A loop that does so again and again is looked at in the end.
void TemplateScope::Assign(std::size_t& index, std::size_t part, const TemplateValue& value) {
  if (value.parts.empty()) {
    Change(Absorb(values_.at(Ensure(index)), value));
    return;
  }
  // No honest template sets as much; so many are not looked at one by one.
  const bool too_many = growths.size() >= kMostGrowths;
  if (too_many) {
    const std::string_view name = NameOf(part / 2);
    Add({.kind = TemplateRemark::Kind::kDoubling,
         .at = at,
         .size = 2,
         .name = std::string(name.substr(0, 256))});
  }
  for (const TemplateValue::Part& held : value.parts) {
    if (too_many) break;
    growths.push_back({.into = part, .from = held.name, .times = held.times, .at = at});
  }
  TemplateValue plain = value;
  plain.parts.clear();
  Change(Absorb(values_.at(Ensure(index)), plain));
}

void TemplateScope::SetOutput(TemplateMacro& written, TemplateValue value) {
  const bool twice = std::ranges::any_of(
      value.parts, [](const TemplateValue::Part& part) { return part.times > 1; });
  Change(twice && !written.doubles);
  written.doubles = written.doubles || twice;
  value.parts.clear();
  Change(Absorb(written.output, value));
}

TemplateValue TemplateScope::Variable(std::string_view name) {
  const std::size_t slot = SlotOf(name);
  if (slot == kNoSlot || slots_.at(slot).variable == kNoSlot) return Known({});
  return CopyOf(values_.at(slots_.at(slot).variable), 2 * slot);
}

void TemplateScope::SetVariable(std::string_view name, const TemplateValue& value) {
  const std::size_t slot = SlotOf(name);
  if (slot != kNoSlot) Assign(slots_.at(slot).variable, 2 * slot, value);
}

void TemplateScope::SetNamespace(std::string_view name) {
  TemplateValue value;
  value.namespaces = 1;
  SetVariable(name, value);
}

bool TemplateScope::IsSet(std::string_view name) const {
  const std::size_t slot = SlotOf(name);
  return slot != kNoSlot && slots_.at(slot).variable != kNoSlot;
}

TemplateValue TemplateScope::Field(std::string_view name) {
  const std::size_t slot = SlotOf(name);
  if (slot == kNoSlot || slots_.at(slot).field == kNoSlot) return {};
  return CopyOf(values_.at(slots_.at(slot).field), 2 * slot + 1);
}

void TemplateScope::SetField(std::string_view name, const TemplateValue& value) {
  const std::size_t slot = SlotOf(name);
  if (slot != kNoSlot) Assign(slots_.at(slot).field, 2 * slot + 1, value);
}

TemplateMacro* TemplateScope::MacroNamed(std::string_view name) {
  const std::size_t slot = SlotOf(name);
  if (slot == kNoSlot || slots_.at(slot).macro == kNoSlot) return nullptr;
  return &macros_.at(slots_.at(slot).macro);
}

TemplateMacro* TemplateScope::DefineMacro(std::string_view name) {
  const std::size_t slot = SlotOf(name);
  if (slot == kNoSlot) return nullptr;
  std::size_t& index = slots_.at(slot).macro;
  if (index == kNoSlot) {
    index = macros_.size();
    macros_.emplace_back();
    Change(true);
  }
  return &macros_.at(index);
}

void TemplateScope::HandIn(TemplateMacro& callee, std::size_t position,
                           const TemplateValue& value) {
  // Further ones than any signature has are told apart no more.
  constexpr std::size_t kMost = 64;
  std::vector<TemplateValue>& handed = callee.handed;
  const std::size_t place = std::min(position, kMost);
  if (handed.size() <= place) handed.resize(place + 1);
  TemplateValue plain = value;
  plain.parts.clear();
  Change(Absorb(handed.at(place), plain));
}

void TemplateScope::Gather(Pool pool, const TemplateValue& value) {
  TemplateValue plain = value;
  plain.parts.clear();
  Change(Absorb(pools_.at(static_cast<std::size_t>(pool)), plain));
}

TemplateValue TemplateScope::Element(const TemplateValue& value) const {
  TemplateValue element = ElementOf(value);
  Absorb(element, Gathered(Pool::kStored));
  return Known(std::move(element));
}

}  // namespace ggufgate
