#include "jinja/trust/table.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "jinja/values/names.h"

namespace ggufgate {

bool Trust::IsNothing() const {
  const bool text = literal || holds_literal || data || holds_data || !made.empty();
  return !text && !object && !format && !stores && !written;
}

bool Trust::Add(const Trust& more) {
  const auto bits = [](const Trust& trust) {
    return std::tuple(trust.literal, trust.holds_literal, trust.data, trust.holds_data,
                      trust.object, trust.format, trust.stores, trust.written, trust.made.empty());
  };
  const auto before = bits(*this);
  literal = literal || more.literal;
  holds_literal = holds_literal || more.holds_literal;
  data = data || more.data;
  holds_data = holds_data || more.holds_data;
  object = object || more.object;
  format = format || more.format;
  stores = stores || more.stores;
  written = written || more.written;
  if (made.empty()) made = more.made;
  return bits(*this) != before;
}

Trust ElementOf(Trust container) {
  container.literal = container.literal || container.holds_literal;
  container.data = container.data || container.holds_data;
  return container;
}

Trust HeldBy(Trust value) {
  value = ElementOf(value);
  value.holds_literal = std::exchange(value.literal, false);
  value.holds_data = std::exchange(value.data, false);
  return value;
}

void TrustTable::Grow(Trust& trust, const Trust& more) {
  changed_ = trust.Add(more) || changed_;
  any_.format = any_.format || more.format;
  any_.stores = any_.stores || more.stores;
  any_.object = any_.object || more.object;
}

bool TrustTable::HasRoom(bool is_there) {
  if (is_there) return true;
  if (variables_.size() + fields_.size() < kMostNames) return true;
  GiveUp();
  return false;
}

void TrustTable::Bind(std::string_view name, const Trust& trust) {
  if (!HasRoom(variables_.contains(name))) return;
  Grow(variables_[name], trust);
  Escape(name);
}

void TrustTable::BindMacro(std::string_view name, const std::vector<std::string_view>& parameters) {
  if (!HasRoom(variables_.contains(name))) return;
  Grow(variables_[name], {.made = name});
  const bool added = !macros_.contains(name);
  Macro& macro = macros_[name];
  const bool few = parameters.size() <= kMostParameters;
  if (added && few) macro.parameters = parameters;
  if (macro.ambiguous || macro.parameters == parameters) return;
  macro.ambiguous = changed_ = true;
}

Trust TrustTable::Of(std::string_view name) const {
  if (given_up_) return unknown_;
  const Trust* found = variables_.Find(name);
  // Special tokens are texts of the file itself. Names that an engine binds may hold any value.
  const bool object = IsEngineObject(name) || IsEngineFunction(name);
  if (object || name.ends_with("_token") || name.ends_with("_tokens")) {
    Trust trust = {.made = name};
    if (found != nullptr) trust.Add(*found);
    if (object) trust.Add(any_);
    return trust;
  }
  if (found == nullptr) return conversation_;
  // Until the template sets a variable, it comes from the conversation.
  Trust trust = conversation_;
  trust.data = trust.holds_data = false;
  trust.Add(*found);
  return trust;
}

Trust TrustTable::FieldOf(std::string_view key) const {
  if (given_up_) return unknown_;
  Trust trust = any_field_;
  const Trust* found = fields_.Find(key);
  if (found != nullptr) trust.Add(*found);
  return trust;
}

void TrustTable::SetField(std::string_view key, const Trust& trust) {
  if (!HasRoom(fields_.contains(key))) return;
  Grow(fields_[key], trust);
  Grow(all_fields_, trust);
}

void TrustTable::SetAnyField(const Trust& trust) {
  Grow(any_field_, trust);
  Grow(all_fields_, trust);
}

void TrustTable::Store(const Trust& receiver, const Trust& value) {
  Grow(stored_, HeldBy(value));
  if (receiver.data || !receiver.object) Grow(conversation_, HeldBy(value));
}

void TrustTable::PassTo(std::string_view macro, std::size_t place, std::string_view name,
                        const Trust& value) {
  if (MayBeCalled(macro)) return Pass(value);
  const std::vector<std::string_view>& parameters = macros_[macro].parameters;
  const bool known =
      name.empty() ? place < parameters.size() : std::ranges::count(parameters, name) > 0;
  if (!known) return Pass(value);
  Bind(name.empty() ? parameters[place] : name, value);
}

void TrustTable::Escape(std::string_view macro) {
  if (!MayBeCalled(macro)) macros_[macro].ambiguous = changed_ = true;
}

bool TrustTable::MayBeCalled(std::string_view macro) const {
  const Macro* found = macros_.Find(macro);
  return found == nullptr || found->ambiguous;
}

bool TrustTable::Changed() { return std::exchange(changed_, false); }

}  // namespace ggufgate
