// TemplateScope: values that methods and assignments put into containers.

#include <algorithm>

#include "jinja/scope.h"

namespace ggufgate {

// In a loop, `l.extend(l)` doubles like `l = l + l`. Elements are checked with the holdings.
void TemplateScope::Grow(std::size_t into, const TemplateValue& by, bool element) {
  if (!repeats) return;
  for (const TemplateValue::Part& part : by.parts) {
    // An element that holds the same as another element is as long as that one.
    if (part.times < (element && part.element ? 2U : 1U)) continue;
    if (growths.size() >= kMostGrowths) return;
    growths.push_back({.into = into,
                       .from = part.name,
                       .times = part.name == into ? 2U : part.times,
                       .method = true,
                       .carried = part.carried,
                       .rounds = rounds,
                       .bytes = by.bytes,
                       .at = at});
  }
}

void TemplateScope::Hold(std::size_t holder, const TemplateValue& held, TemplateHolding::How how,
                         const JinjaToken& token) {
  using How = TemplateHolding::How;
  for (const TemplateValue::Part& part : held.parts) {
    // Far above the number in published templates.
    if (holdings.size() >= kMostGrowths) continue;
    if (part.traced || (!part.whole && (how != How::kIs || !held.made))) continue;
    const bool taken = !part.whole || part.inside == TemplateValue::kAnyDepth;
    const How is = taken ? How::kTakenFrom : part.inside > 0 ? How::kHolds : How::kIs;
    holdings.push_back({.holder = holder,
                        .held = part.name,
                        .how = how == How::kIs ? is : how,
                        .of_macro = macro != kNoSlot,
                        .size = static_cast<std::uint32_t>(token.text.size()),
                        .at = token.begin});
  }
}

void TemplateScope::HandAny(const TemplateValue& value) {
  TemplateValue any = value;
  any.given.others |= kForeign;
  KeepAnyKey(value);  // kwargs
  Assign(slots_.at(kAnyHanded).variable, 2 * kAnyHanded, any);
}

TemplateValue TemplateScope::HandedAny() {
  return slots_.at(kAnyHanded).variable == kNoSlot ? TemplateValue() : VariableAt(kAnyHanded);
}

void TemplateScope::MakeJoiner(const TemplateArguments& arguments) {
  Change(!joins_);
  joins_ = true;
  for (const TemplateArgument& argument : arguments) HandAny(argument.value);
}

bool TemplateScope::MayGetAny(std::size_t slot) const {
  if (slot == kNoSlot) return true;
  return slots_.at(slot).taken || slots_.at(slot).spread || slots_.at(slot).name == "caller";
}

void TemplateScope::SpreadTo(std::size_t slot) {
  if (slot == kNoSlot) return;
  Change(!slots_.at(slot).spread);
  slots_.at(slot).spread = true;
}

bool TemplateScope::MayBeObject(std::string_view name) const {
  const std::size_t slot = VariableSlot(name);
  if (slot == kNoSlot || slots_.at(slot).variable == kNoSlot) return true;
  if (SpaceOf(slot)) return false;
  const TemplateValue& value = values_.at(slots_.at(slot).variable);
  // Macros of published templates receive namespaces, which the first readings do not know.
  if (IsParameter(name)) return slots_.at(slot).object;
  if (value.IsNothing()) return !first_reading();
  return value.namespaces == 0 || value.container || value.data || value.outside;
}

void TemplateScope::StoreInto(const TemplateValue& receiver) {
  const bool made_here = receiver.made && !receiver.outside && !receiver.data;
  Change(!made_here && !stored_outside_);
  stored_outside_ = stored_outside_ || !made_here;
}

void TemplateScope::StoreFields() {
  Change(!stored_fields_);
  stored_fields_ = stores_ = true;
}

bool TemplateScope::MayHoldStored(const TemplateValue& value) const {
  return stored_outside_ || value.made || value.namespaces > 0 || value.callables > 0;
}

void TemplateScope::AddStored(TemplateValue& taken, const TemplateValue& from) const {
  if (MayHoldStored(from)) Absorb(taken, Gathered(Pool::kStored));
}

void TemplateScope::Enlarge(const TemplateValue& receiver, const TemplateValue& by, bool element) {
  for (const TemplateValue::Part& part : receiver.parts) {
    TemplateValue* value = Named(part.name);
    if (value == nullptr) continue;
    const std::uint64_t count = element ? 1 : std::max<std::uint64_t>(by.elements, 1);
    value->elements = AddElements(value->elements, ProductOf(count, TimesHere()));
    value->elements = std::max(value->elements, by.elements);
    value->bytes = SumOf(value->bytes, ProductOf(SumOf(by.bytes, 16), TimesHere()));
    value->depth = std::max<std::uint16_t>(
        value->depth, static_cast<std::uint16_t>(std::min(by.depth + (element ? 1 : 0), 0xFFFF)));
    value->most = std::max(value->most, LargestOf(by));
    KeepAnyKey(*value);  // it may be in a dictionary
    const bool again = enlarged.empty() || enlarged.back() != part.name;
    if (TimesHere() > 1 && again && enlarged.size() < kMostGrowths) enlarged.push_back(part.name);
    const std::uint32_t sizes = slots_.at(part.name / 2).sizes;
    if (part.name % 2 == 0 && sizes > 0) round_sizes_.at(sizes).Join(*value);
  }
}

}  // namespace ggufgate
