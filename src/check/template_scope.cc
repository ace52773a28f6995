#include "check/template_scope.h"

#include <algorithm>

namespace ggufgate {
namespace {

// Constants may be put together up to this many times the template's size: honest ones need less
// than once.
constexpr std::uint64_t kBytesPerByte = 32;
constexpr std::uint64_t kBytesAtLeast = std::uint64_t{1} << 20;

std::vector<std::string_view> NamesIn(std::string_view text) {
  std::vector<std::string_view> names;
  JinjaSpan span;
  for (JinjaLexer lexer(text); lexer.Next(span);) {
    for (const JinjaToken& token : span.tokens) {
      if (token.IsName()) names.push_back(token.text);
      if (token.kind == JinjaToken::Kind::kString && token.text.size() > 2) {
        names.push_back(token.text.substr(1, token.text.size() - 2));
      }
    }
  }
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

}  // namespace

std::uint64_t WorkFor(std::size_t template_bytes) {
  return std::uint64_t{template_bytes} * kBytesPerByte + kBytesAtLeast;
}

TemplateScope::TemplateScope(std::string_view text) : budget(WorkFor(text.size())) {
  for (const std::string_view name : NamesIn(text)) slots_.push_back({.name = name});
}

void TemplateScope::Add(TemplateRemark::Kind kind, const JinjaToken& token, std::string_view name,
                        std::uint64_t number) {
  remarks.push_back({.kind = kind,
                     .at = token.begin,
                     .size = token.text.size(),
                     .name = std::string(name.substr(0, 256)),
                     .number = number});
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

TemplateValue TemplateScope::Variable(std::string_view name) {
  TemplateValue value;
  const std::size_t slot = SlotOf(name);
  if (slot != kNoSlot && slots_.at(slot).variable != kNoSlot) {
    value = CopyOf(values_.at(slots_.at(slot).variable), budget);
  }
  if (value.alias.empty()) value.alias = name;
  return value;
}

void TemplateScope::SetVariable(std::string_view name, const TemplateValue& value) {
  const std::size_t slot = SlotOf(name);
  if (slot == kNoSlot) return;
  Absorb(values_.at(Ensure(slots_.at(slot).variable)), value);
}

void TemplateScope::AppendToVariable(std::string_view name, const TemplateValue& value) {
  const std::size_t slot = SlotOf(name);
  if (slot == kNoSlot || second_reading) return;
  TemplateValue& list = values_.at(Ensure(slots_.at(slot).variable));
  if (!list.IsList()) {
    list = {};
    list.kind = TemplateValue::Kind::kList;
  }
  for (const Constant& item : value.items) {
    if (list.items.size() >= TemplateValue::kMostElements || !budget.Spend(item.text.size())) break;
    list.items.push_back(item);
  }
}

bool TemplateScope::IsSet(std::string_view name) const {
  const std::size_t slot = SlotOf(name);
  return slot != kNoSlot && slots_.at(slot).variable != kNoSlot;
}

TemplateValue TemplateScope::Field(std::string_view name) {
  const std::size_t slot = SlotOf(name);
  if (slot == kNoSlot || slots_.at(slot).field == kNoSlot) return {};
  return CopyOf(values_.at(slots_.at(slot).field), budget);
}

void TemplateScope::SetField(std::string_view name, const TemplateValue& value) {
  const std::size_t slot = SlotOf(name);
  if (slot == kNoSlot) return;
  Absorb(values_.at(Ensure(slots_.at(slot).field)), value);
}

TemplateMacro* TemplateScope::MacroNamed(std::string_view name) {
  const std::size_t slot = SlotOf(name);
  if (slot == kNoSlot || slots_.at(slot).macro == kNoSlot) return nullptr;
  return &macros_.at(slots_.at(slot).macro);
}

TemplateMacro& TemplateScope::DefineMacro(std::string_view name) {
  std::size_t& index = slots_.at(SlotOf(name)).macro;
  if (index == kNoSlot) {
    index = macros_.size();
    macros_.emplace_back();
  }
  return macros_.at(index);
}

}  // namespace ggufgate
