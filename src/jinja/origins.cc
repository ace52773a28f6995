// TemplateScope: assignments to variables, and the names that a variable was made of in the current
// round of a loop. Also finds the largest number in the code.

#include <algorithm>

#include "jinja/scope.h"

namespace ggufgate {
namespace {

constexpr std::size_t kMostKept = 8;
constexpr std::size_t kFollowed = 6;  // readings; published templates need no more
constexpr std::string_view kNotFollowed = "more than is followed";

// DigitsIn returns the largest number among the digits of a text.
std::int64_t DigitsIn(std::string_view text) {
  std::int64_t largest = 0;
  for (std::size_t at = text.find_first_of("0123456789"); at < text.size();) {
    const std::size_t end = std::min(text.find_first_not_of("0123456789_", at), text.size());
    largest = std::max(largest, NumberOf(text.substr(at, end - at)).value_or(0));
    at = text.find_first_of("0123456789", end);
  }
  return largest;
}

// UnknownOf keeps only the sizes of a value.
TemplateValue UnknownOf(const TemplateValue& value) {
  TemplateValue unknown = ComputedValue(kNotFollowed);
  unknown.callables = TemplateValue::kDeepest;
  unknown.namespaces = TemplateValue::kDeepest;
  unknown.made = value.made;
  static_cast<TemplateSizes&>(unknown) = value;
  unknown.most = std::max(unknown.most, Reach(value));
  return unknown;
}

// Grown returns a value that a loop adds to in each round: `s = s ~ x`.
TemplateValue Grown(const TemplateValue& before, TemplateValue value, std::uint64_t rounds) {
  if (rounds == 1) {  // the conversation decides the number of rounds
    value.elements =
        std::max(before.elements, value.elements - std::min(value.elements, before.elements));
    return value;
  }
  constexpr std::uint64_t kEach = 16;  // minimum size of each piece, in bytes
  const std::uint64_t more = value.bytes - std::min(value.bytes, before.bytes) + kEach;
  if (!value.IsNumber()) value.bytes = SumOf(value.bytes, ProductOf(more, rounds - 1));
  const std::uint64_t elements = value.elements - std::min(value.elements, before.elements);
  value.elements = AddElements(value.elements, ProductOf(elements, rounds - 1));
  const std::int64_t further = LargestOf(value) - std::min(LargestOf(value), LargestOf(before));
  const std::uint64_t most = SumOf(static_cast<std::uint64_t>(LargestOf(value)),
                                   ProductOf(static_cast<std::uint64_t>(further), rounds - 1));
  value.most = static_cast<std::int64_t>(std::min<std::uint64_t>(most, INT64_MAX));
  return value;
}

}  // namespace

// LargestIn returns the largest number that the code spells out. It includes the digits of texts
// that code may convert to numbers.
std::int64_t TemplateScope::LargestIn(std::string_view text, JinjaSpan& span) {
  std::int64_t numbers = 0;
  std::int64_t digits = 0;
  bool reads = false;
  for (JinjaLexer lexer(text); lexer.Next(span);) {
    for (const JinjaToken& token : span.tokens) {
      using Kind = JinjaToken::Kind;
      if (token.kind == Kind::kNumber) {
        numbers = std::max(numbers, NumberOf(token.text).value_or(0));
      } else if (token.kind == Kind::kString) {
        digits = std::max(digits, DigitsIn(token.text));
        reads = reads || token.text.find("int") < 2 || token.text.find("float") < 2;
      } else {
        reads = reads || token.Is("int") || token.Is("float");
      }
    }
  }
  return reads ? std::max(numbers, digits) : numbers;
}

TemplateValue TemplateScope::CopyOf(std::size_t index, std::size_t part) {
  const TemplateValue& value = values_.at(index);
  const bool unknown = given_up_ || !store.budget().Spend(1 + value.items.size());
  TemplateValue copy = unknown ? UnknownOf(value) : value;
  const bool unknown_object = stores_ && (copy.outside || !copy.computed.empty());
  if (!repeats && !copy.made && !unknown_object) return copy;
  const bool carried = IsCarried(part);
  const bool exact = !carried && IsTraced(part);
  // Code of a macro after its loops reads a variable of the macro.
  const bool own = !carried && loop_branch == macro_branch && IsOwn(part);
  const bool traced = exact || (!carried && IsOwn(part));
  copy.parts.push_back({.name = part, .times = traced ? 0U : 1U, .carried = carried});
  if (!traced) return copy;
  TemplateValue made_of;
  const Origin& origin = origins_.at(slots_.at(part / 2).origin);
  made_of.parts = exact && !own ? origin.parts : origin.all;
  // An earlier value of the name was made of the same names.
  if (own) {
    std::erase_if(made_of.parts,
                  [&](const TemplateValue::Part& held) { return held.name == part; });
  }
  for (TemplateValue::Part& held : made_of.parts) held.traced = true;
  AddParts(copy, made_of);
  return copy;
}

// KeepSizes joins all sizes that statements give the variable in a round. Once the round has
// certainly set it, its sizes from earlier rounds no longer count.
void TemplateScope::KeepSizes(std::size_t slot, const TemplateValue& value) {
  if (loop_branch == 0) return;
  std::uint32_t& place = slots_.at(slot).sizes;
  if (place == 0) {
    place = static_cast<std::uint32_t>(round_sizes_.size());
    round_sizes_.emplace_back();
  }
  RoundSizes& sizes = round_sizes_.at(place);
  if (!std::ranges::binary_search(branches_, sizes.loop)) {
    sizes = {};
    sizes.loop = loop_branch;
  }
  const bool grows = std::ranges::any_of(value.parts, [&](const TemplateValue::Part& part) {
    return part.name == 2 * slot && part.carried;
  });
  sizes.Join(grows ? values_.at(slots_.at(slot).variable) : value);
}

// NarrowSizes limits the sizes of a variable to those of this round, if the round has set it.
void TemplateScope::NarrowSizes(std::size_t slot, TemplateValue& value) const {
  const Slot& of = slots_.at(slot);
  if (of.sizes == 0 || loop_branch == 0 || of.renewed < loop_branch) return;
  const RoundSizes& sizes = round_sizes_.at(of.sizes);
  if (std::ranges::binary_search(branches_, sizes.loop)) value.Narrow(sizes);
}

// IsRing tells whether names are set from each other, according to the last reading.
bool TemplateScope::IsRing(std::size_t a, std::size_t b) const {
  const auto ring_of = [&](std::size_t name) {
    const auto place =
        std::ranges::lower_bound(circles, name, {}, [](const auto& one) { return one.first; });
    return place != circles.end() && place->first == name ? place->second : kNoSlot;
  };
  const std::size_t ring = ring_of(a);
  return ring != kNoSlot && ring == ring_of(b);
}

// SizesOf returns the sizes that code in the span sees.
TemplateValue TemplateScope::SizesOf(std::size_t name) {
  TemplateValue sizes;
  const TemplateValue* value = Named(name);
  if (value == nullptr) return sizes;
  sizes = *value;
  if (name % 2 == 0) NarrowSizes(name / 2, sizes);
  return sizes;
}

// Assign adds to the value of a name. CheckDoubling() checks loops that do so repeatedly.
void TemplateScope::Assign(std::size_t& index, std::size_t part, const TemplateValue& value) {
  CheckCaller(value);
  TemplateValue plain = value;
  plain.parts.clear();
  plain.alias = {};  // the name that code reads next
  const TemplateValue before = values_.at(Ensure(index));
  const bool lasts = part % 2 == 1 && !own_field_;
  const std::uint64_t times = lasts ? TimesHere() : RoundsHere();
  for (const TemplateValue::Part& held : value.parts) {
    if (!repeats) break;
    if (held.times == 0 || !IsEverSet(held.name)) continue;
    // Published templates set far fewer names; so many are not checked one by one.
    if (growths.size() >= kMostGrowths) {
      const std::string_view name = NameOf(part / 2);
      Add({.kind = TemplateRemark::Kind::kDoubling,
           .at = at,
           .size = 2,
           .name = std::string(name.substr(0, 256))});
      break;
    }
    growths.push_back({.into = part,
                       .from = held.name,
                       .times = held.times,
                       .grows = held.grows,
                       .number = value.IsNumber(),
                       .nests = held.whole && held.inside > 0 && held.times > 0,
                       .whole = held.whole && held.inside == 0,
                       .carried = held.carried,
                       .rounds = rounds,
                       .bytes = value.bytes,
                       .at = at});
    const bool ring = held.name != part && !held.whole && IsRing(held.name, part);
    const bool again = times > 1 || of_data;
    if (again && held.name == part) plain = Grown(before, std::move(plain), times);
    if (again && ring) plain = Grown(SizesOf(held.name), std::move(plain), times);
  }
  // No code can use a name that is only set, as in `set _ = l.append(x)`.
  if (part % 2 == 1 || slots_.at(part / 2).read)
    Hold(part, value, TemplateHolding::How::kIs, {.text = "{%", .begin = at});
  TemplateValue& known = values_.at(index);
  if (readings_ > kFollowed && known.computed == kNotFollowed) plain.items.clear();
  const std::size_t texts = known.items.size();
  Change(Absorb(known, plain));
  // A text that code adds to changes with each reading.
  const bool another = readings_ > kFollowed && known.items.size() > texts && !known.IsNumber();
  if (another && known.computed.empty()) known.computed = kNotFollowed;
}

// IsOwn tells whether a name is a variable of the macro and all statements that set it are known.
bool TemplateScope::IsOwn(std::size_t name) const {
  const Slot& slot = slots_.at(name / 2);
  if (name % 2 == 1 || slot.origin == 0 || macro == kNoSlot) return false;
  const Origin& origin = origins_.at(slot.origin);
  return origin.all_known && origin.macro == macro_branch && slot.renewed >= macro_branch;
}

bool TemplateScope::IsTraced(std::size_t name) const {
  const std::size_t origin = slots_.at(name / 2).origin;
  return name % 2 == 0 && origin > 0 && origins_.at(origin).known;
}

void TemplateScope::KeepAll(Origin& origin, const TemplateValue& more) {
  if (macro == kNoSlot) return;
  if (origin.macro != macro_branch)
    origin = {.macro = static_cast<std::uint32_t>(macro_branch), .all_known = true};
  TemplateValue joined;
  joined.parts = std::move(origin.all);
  Absorb(joined, more);
  origin.all_known = origin.all_known && joined.parts.size() <= kMostKept;
  origin.all = origin.all_known ? std::move(joined.parts) : std::vector<TemplateValue::Part>();
}

// KeepOrigin joins the origin from an outer branch, because this branch may not run.
void TemplateScope::KeepOrigin(Slot& slot, const TemplateValue& value) {
  if (loop_branch == 0) return;
  if (slot.origin == 0) {
    slot.origin = static_cast<std::uint32_t>(origins_.size());
    origins_.emplace_back();
  }
  Origin& origin = origins_.at(slot.origin);
  TemplateValue more;
  more.parts = value.parts;
  KeepAll(origin, more);
  const bool again = origin.branch > 0 && origin.branch < branch() &&
                     std::ranges::binary_search(branches_, origin.branch);
  TemplateValue joined;
  if (again) joined.parts = std::move(origin.parts);
  Absorb(joined, more);
  if (!again) origin.branch = branch();
  origin.known = (!again || origin.known) && joined.parts.size() <= kMostKept;
  origin.parts = origin.known ? std::move(joined.parts) : std::vector<TemplateValue::Part>();
}

void TemplateScope::ForgetOrigin(const Slot& slot) {
  if (slot.origin == 0) return;
  Origin& origin = origins_.at(slot.origin);
  origin.parts.clear();
  origin.branch = branch();
  origin.known = false;
}

// JoinBranches forgets the origins of variables from several branches, because only one of them
// runs.
void TemplateScope::JoinBranches(const std::vector<std::size_t>& slots) {
  for (const std::size_t slot : slots) {
    ForgetOrigin(slots_.at(slot));
  }
  RenewAll(slots);
}

// A name that nothing sets comes from the conversation.
bool TemplateScope::IsEverSet(std::size_t name) const {
  const Slot& slot = slots_.at(name / 2);
  return (name % 2 == 1 ? slot.field : slot.variable) != kNoSlot;
}

}  // namespace ggufgate
