#include "jinja/scope.h"

#include <algorithm>

#include "jinja/parameters.h"
#include "jinja/syntax/name_list.h"
#include "jinja/values/names.h"

namespace ggufgate {
namespace {

// Steps of an analysis, and bytes of generated text, per byte of a template: published templates
// need fewer than four.
constexpr std::uint64_t kWorkPerByte = 32;
constexpr std::uint64_t kWorkAtLeast = std::uint64_t{1} << 20;
// Maximum number of remarks of one kind.
constexpr std::size_t kMostTold = 1'000;

std::vector<std::string_view> NamesIn(std::string_view text, JinjaSpan& span) {
  NameList names;
  names.Add("*");  // TemplateScope::kAnyHanded
  for (JinjaLexer lexer(text); lexer.Next(span);) {
    for (std::size_t i = 0; i < span.tokens.size(); ++i) {
      const JinjaToken& token = span.tokens[i];
      if (token.IsName()) names.Add(token.text);
      if (token.kind != JinjaToken::Kind::kString || i + 1 == span.tokens.size()) continue;
      const JinjaToken& next = span.tokens[i + 1];
      const std::string_view key = token.text.substr(1, token.text.size() - 2);
      const bool ends = next.Is("]") || next.Is(":") || next.Is(")") || next.Is(",");
      if (ends && IsKey(key)) names.Add(key);
    }
  }
  return names.Take();
}

}  // namespace

std::optional<std::uint64_t> BoundOf(TemplateRemark::Kind kind) {
  switch (kind) {
    case TemplateRemark::Kind::kNesting:
      return kTemplateNesting;
    case TemplateRemark::Kind::kChain:
      return kTemplateChain;
    case TemplateRemark::Kind::kFolding:
      return kTemplateFolding;
    case TemplateRemark::Kind::kRange:
      return kTemplateRounds;
    case TemplateRemark::Kind::kRepeat:
      return kTemplateWidth;
    case TemplateRemark::Kind::kSteps:
      return kTemplateSteps;
    case TemplateRemark::Kind::kFar:
      return kTemplateNumber;
    case TemplateRemark::Kind::kOutput:
      return kTemplateOutput;
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

TemplateScope::TemplateScope(std::string_view text, JinjaSpan& room)
    : store(WorkFor(text.size()), text.size()) {
  const std::vector<std::string_view> names = NamesIn(text, room);
  const std::vector<OwnParameter> own = OwnParametersIn(text, room);
  slots_.reserve(names.size() + own.size());
  for (const std::string_view name : names) slots_.push_back({.name = name});
  names_ = names.size();
  own_slots_.reserve(own.size());
  // Both lists are sorted by name, and so are the slots.
  for (const OwnParameter& parameter : own) {
    own_slots_.push_back({.macro = SlotOf(parameter.macro), .name = SlotOf(parameter.name)});
    slots_.push_back({.name = parameter.name, .read = true});
  }
  for (JinjaLexer lexer(text); lexer.Next(room);) FindRead(room);
  slots_.at(kAnyHanded).read = true;
  weights_.resize(AnyMacro() + 1);
  largest_ = LargestIn(text, room);
  stores_ = std::ranges::any_of(names, StoresIn);
  pops_ = std::ranges::binary_search(names, "pop");
}

void TemplateScope::FindRead(const JinjaSpan& span) {
  const bool sets = span.kind == JinjaSpan::Kind::kStatement && span.tokens.size() > 2 &&
                    span.tokens[0].Is("set") && span.tokens[2].Is("=");
  const JinjaTokens tokens = span.tokens;
  const bool joiner = sets && tokens.size() > 5 && tokens[3].Is("joiner") && tokens[4].Is("(") &&
                      ClosingOf(tokens.subspan(4)) + 5 == tokens.size();
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (!tokens[i].IsName()) continue;
    Slot& slot = slots_.at(SlotOf(tokens[i].text));
    const bool target = sets && i == 1;
    slot.read = slot.read || !(sets && i < 2);
    const bool member = i > 0 && (tokens[i - 1].Is(".") || tokens[i - 1].Is("|"));
    const bool macro = i > 0 && tokens[i - 1].Is("macro");
    const bool called = i + 1 < tokens.size() && tokens[i + 1].Is("(") && !member && !macro;
    if (!called && !(joiner && target)) slot.no_joiner = true;
  }
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
  folding = 0;
  ++readings_;
  changed_ = false;
  calls.clear();
  growths.clear();
  enlarged.clear();
  holdings.clear();
  own_lists.clear();
  looped_calls.clear();
  addings.clear();
  std::ranges::fill(weights_, TemplateWeight{});
  remarks.clear();
  told_.fill(0);
  macro = kNoSlot;
  missed = looped = {};
  branches_.assign(1, branch_ = 1);  // of all code outside of blocks
  for (Slot& slot : slots_) {
    slot.bound = slot.renewed = slot.origin = slot.sizes = 0;
    slot.space = 0;
  }
  renewals_.clear();
  origins_.assign(1, {});
  round_sizes_.assign(1, {});
  spaces_.assign(1, {});
  loops.clear();
  loop_branches.clear();
  loop_branch = 0;
  self_calls = loop_calls = 0;
  call_blocks = named_blocks = 0;
  block_times_ = TimesOfBlock();
  calls_of_blocks_ = calls_in_blocks_ = 0;
  if (key_sizes_.empty()) key_sizes_.emplace_back();
  if (SizesAreKept()) return;
  std::ranges::fill(key_sizes_, TemplateSizes{});
  for (TemplateValue& value : values_) ForgetSizes(value);
  for (TemplateValue& value : pools_) ForgetSizes(value);
  for (TemplateMacro& defined : macros_) {
    ForgetSizes(defined.output);
    for (TemplateValue& value : defined.handed) ForgetSizes(value);
  }
}

std::size_t TemplateScope::SlotOf(std::string_view name) const {
  const auto end = slots_.begin() + static_cast<std::ptrdiff_t>(names_);
  const auto found = std::lower_bound(
      slots_.begin(), end, name,
      [](const Slot& slot, std::string_view sought) { return slot.name < sought; });
  if (found == end || found->name != name) return kNoSlot;
  return static_cast<std::size_t>(found - slots_.begin());
}

std::size_t TemplateScope::ParameterSlot(std::size_t of, std::string_view name) const {
  const OwnSlot own{.macro = of, .name = SlotOf(name)};
  const auto found = std::ranges::lower_bound(own_slots_, own);
  if (found == own_slots_.end() || *found != own) return own.name;
  return names_ + static_cast<std::size_t>(found - own_slots_.begin());
}

std::size_t TemplateScope::VariableSlot(std::string_view name) const {
  return IsParameter(name) ? ParameterSlot(macro, name) : SlotOf(name);
}

std::size_t& TemplateScope::Ensure(std::size_t& index) {
  if (index == kNoSlot) {
    index = values_.size();
    values_.emplace_back();
  }
  return index;
}

TemplateValue TemplateScope::Known(TemplateValue value) const {
  if (value.IsNothing() && !first_reading()) value.data = value.outside = true;
  return value;
}

TemplateValue* TemplateScope::Named(std::size_t name) {
  const Slot& slot = slots_.at(name / 2);
  const std::size_t index = name % 2 == 1 ? slot.field : slot.variable;
  return index == kNoSlot ? nullptr : &values_.at(index);
}

void TemplateScope::Charge(std::uint64_t steps) {
  TemplateWeight& weight = Weight(macro);
  const bool within = weight.steps <= kTemplateSteps;
  weight.steps = SumOf(weight.steps, ProductOf(steps, rounds));
  if (within && weight.steps > kTemplateSteps) weight.at = at;
}

void TemplateScope::ChargeCopies(std::uint64_t copies) {
  const std::uint64_t copied = ProductOf(copies, StepsOfCopies());
  const std::uint64_t more = data_rounds / std::max(rounds, std::uint64_t{1});
  Charge(ProductOf(copied, std::max(more, std::uint64_t{1})));
}

void TemplateScope::ChargeDataRounds(std::uint64_t made) {
  TemplateWeight& weight = Weight(macro);
  weight.data = Kept(SumOf(weight.data, ProductOf(made, kStepsOfDataRound)));
  if (weight.data > kTemplateSteps && weight.at == 0) weight.at = at;
}

void TemplateScope::CountCaller() {
  if (macro == kNoSlot) return;
  std::uint32_t& sum = Weight(macro).caller_calls;
  sum = Kept(std::min(SumOf(sum, data_rounds), kTemplateSteps));
  std::uint64_t& most = macros_.at(slots_.at(macro).macro).caller_calls;
  Change(sum > most);
  most = std::max<std::uint64_t>(most, sum);
}

void TemplateScope::SetOutput(TemplateMacro& written, TemplateValue value, std::uint32_t writes) {
  const bool twice = std::ranges::any_of(
      value.parts, [](const TemplateValue::Part& part) { return part.times > 1; });
  Change(twice && !written.doubles);
  written.doubles = written.doubles || twice;
  written.writes = std::max(written.writes, writes);
  KeepReads(written, value);
  KeepReads(any_, value);
  value.parts.clear();
  Change(Absorb(written.output, value));
}

bool TemplateScope::IsParameter(std::string_view name) const {
  if (macro == kNoSlot || slots_.at(macro).macro == kNoSlot) return false;
  const std::vector<std::string_view>& parameters = macros_.at(slots_.at(macro).macro).parameters;
  const std::size_t most = std::min<std::size_t>(parameters.size(), kMostParameters);
  const auto end = parameters.begin() + static_cast<std::ptrdiff_t>(most);
  return std::find(parameters.begin(), end, name) != end;
}

TemplateValue TemplateScope::Variable(std::string_view name) {
  return VariableAt(VariableSlot(name));
}

TemplateValue TemplateScope::VariableAt(std::size_t slot) {
  const bool set = slot != kNoSlot && slots_.at(slot).variable != kNoSlot;
  TemplateValue value = set ? CopyOf(slots_.at(slot).variable, 2 * slot) : Known(TemplateValue{});
  if (set) NarrowSizes(slot, value);
  if (set && slots_.at(slot).fields) value.namespaces = std::max<std::uint8_t>(value.namespaces, 1);
  // Methods of llama.cpp's engine change the conversation itself.
  if (!set && slot != kNoSlot && stores_) value.parts.push_back({.name = 2 * slot, .times = 1});
  // A variable may have been set to a part; the argument of that name is whole.
  value.given = GivenAs(slot, value);
  return value;
}

void TemplateScope::SetVariable(std::string_view name, const TemplateValue& value) {
  const std::size_t slot = VariableSlot(name);
  if (slot == kNoSlot) return;
  if (slots_.at(slot).variable == kNoSlot) ++variables_;
  Assign(slots_.at(slot).variable, 2 * slot, value);
  KeepSizes(slot, value);
  KeepOrigin(slots_.at(slot), value);
}

void TemplateScope::SetParameter(std::size_t of, std::string_view name,
                                 const TemplateValue& value) {
  // Each call has new parameters.
  const std::size_t slot = ParameterSlot(of, name);
  if (slot == kNoSlot) return;
  const bool object = slots_.at(slot).fields && value.namespaces == 0 && !value.IsNothing() &&
                      !value.IsExact() && !value.IsNumber() &&
                      (value.made || value.data || value.outside);
  // The first readings do not know the namespaces that macros pass on.
  constexpr std::size_t kHandedOn = 4;
  Change(object && !slots_.at(slot).object);
  if (object && readings_ >= kHandedOn) slots_.at(slot).object = true;
  TemplateValue own = value;
  for (TemplateValue::Part& part : own.parts) part.carried = false;
  Assign(slots_.at(slot).variable, 2 * slot, own);
  ForgetOrigin(slots_.at(slot));
}

// A namespace holds its fields. They count if it is read as a whole.
void TemplateScope::SetFieldOf(std::string_view name, std::string_view field,
                               const TemplateValue& value) {
  own_field_ = MadeSpace(name);
  SetNamespace(name);
  SetField(field, value);
  own_field_ = false;
  const std::size_t slot = VariableSlot(name);
  const std::size_t field_slot = SlotOf(field);
  if (!repeats || slot == kNoSlot || field_slot == kNoSlot || growths.size() >= kMostGrowths)
    return;
  growths.push_back({.into = 2 * slot,
                     .from = 2 * field_slot + 1,
                     .times = 1,
                     .field = true,
                     .carried = true,
                     .rounds = rounds,
                     .at = at});
}

void TemplateScope::SetNamespace(std::string_view name) {
  const std::size_t slot = VariableSlot(name);
  if (slot == kNoSlot) return;
  SetVariable(name, {});
  Change(!slots_.at(slot).fields);
  slots_.at(slot).fields = true;
}

bool TemplateScope::IsSet(std::string_view name) const {
  const std::size_t slot = VariableSlot(name);
  return slot != kNoSlot && slots_.at(slot).variable != kNoSlot;
}

TemplateValue TemplateScope::Field(std::string_view name) {
  const std::size_t slot = SlotOf(name);
  if (slot == kNoSlot || slots_.at(slot).field == kNoSlot) return {};
  return CopyOf(slots_.at(slot).field, 2 * slot + 1);
}

void TemplateScope::SetField(std::string_view name, const TemplateValue& value) {
  const std::size_t slot = SlotOf(name);
  if (slot == kNoSlot) return;
  // A field outlasts the call that sets it.
  TemplateValue kept = value;
  kept.given.others |= kForeign;
  KeepKey(name, value);
  Gather(Pool::kFields, value);
  if (slots_.at(slot).field == kNoSlot) ++fields_;
  Assign(slots_.at(slot).field, 2 * slot + 1, kept);
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
  CheckCaller(value);
  // Above this limit, which no signature reaches, arguments are not distinguished.
  constexpr std::size_t kMost = 64;
  std::vector<TemplateValue>& handed = callee.handed;
  const std::size_t place = std::min(position, kMost);
  if (handed.size() <= place) handed.resize(place + 1);
  TemplateValue plain = value;
  plain.parts.clear();
  Change(Absorb(handed.at(place), plain));
}

void TemplateScope::Gather(Pool pool, const TemplateValue& value) {
  CheckCaller(value);
  TemplateValue plain = value;
  plain.parts.clear();
  plain.given.others |= kForeign;
  if (pool == Pool::kArgument) HandAny(value);
  Change(Absorb(pools_.at(static_cast<std::size_t>(pool)), plain));
}

TemplateValue TemplateScope::Element(const TemplateValue& value) const {
  TemplateValue element = ElementOf(value);
  AddStored(element, value);
  return Known(std::move(element));
}

}  // namespace ggufgate
