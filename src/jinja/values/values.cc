#include "jinja/values/values.h"

#include <algorithm>
#include <limits>

#include "bytes/checked.h"
#include "bytes/utf8.h"
#include "jinja/syntax/tokens.h"
#include "jinja/values/names.h"

namespace ggufgate {
namespace {

std::uint8_t Deeper(std::uint8_t depth) {
  return depth < TemplateValue::kDeepest ? static_cast<std::uint8_t>(depth + 1) : depth;
}
std::uint8_t Shallower(std::uint8_t depth) {
  return depth > 0 ? static_cast<std::uint8_t>(depth - 1) : depth;
}
// A depth above the counted maximum stays there.
std::uint8_t ShallowerAtMost(std::uint8_t depth) {
  return depth < TemplateValue::kDeepest ? Shallower(depth) : depth;
}

// Long texts count as equal only at the same address: comparing them each time would take too long.
bool SameText(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  return a.size() > TextStore::kLongest ? a.data() == b.data() : a == b;
}

// AddItem adds one alternative. If there is no room, harmless ones are only counted, and an
// internal name replaces another alternative.
bool AddItem(TemplateValue& value, const Constant& constant) {
  const auto same = [&](const Constant& item) {
    return SameText(item.text, constant.text) && item.number == constant.number;
  };
  if (std::ranges::any_of(value.items, same)) return false;
  if (value.items.size() < TemplateValue::kMostAlternatives) {
    value.items.push_back(constant);
    value.items.back().reported = false;  // in this reading; the next one must report it again
    return true;
  }
  const bool changes = !value.more;
  value.more = true;
  const bool internal = MayReachInside(constant);
  if (!internal || std::ranges::any_of(value.items, MayReachInside)) return changes;
  value.items.back() = constant;
  value.items.back().reported = false;
  return true;
}

bool Raise(bool& flag, bool by) {
  const bool changes = by && !flag;
  flag = flag || by;
  return changes;
}

constexpr std::uint32_t kMostTimes = 1'000'000;

// JoinParts adds up how often each name is held, or takes the maximum. If there are too many names,
// the last one represents all further ones and counts as held twice, which is too often for any
// growing value.
void JoinParts(TemplateValue& value, const TemplateValue& more, bool sum) {
  for (const TemplateValue::Part& part : more.parts) {
    const auto found = std::ranges::find(value.parts, part.name, &TemplateValue::Part::name);
    if (found != value.parts.end()) {
      found->times = std::min(sum ? found->times + part.times : std::max(found->times, part.times),
                              kMostTimes);
      found->whole = found->whole || part.whole;
      found->inside = std::max(found->inside, part.inside);
      found->grows = std::max(found->grows, part.grows);
      found->carried = found->carried || part.carried;
      found->traced = found->traced && part.traced;
      found->local = found->local && part.local;
      found->element = found->element && part.element;
    } else if (value.parts.size() < TemplateValue::kMostParts) {
      value.parts.push_back(part);
    } else {
      RepeatParts(value);
    }
  }
}

}  // namespace

bool MayReachInside(const Constant& constant) {
  return !constant.number &&
         (constant.text.size() > TextStore::kLongest || ReachesInside(constant.text));
}

bool TemplateValue::IsNothing() const {
  return items.empty() && !data && !number && !more && !container && namespaces == 0 &&
         callables == 0 && computed.empty();
}

GivenPart TemplateValue::Given() const {
  GivenPart part = given;
  if (part.IsGiven() || IsNothing()) return part;
  const bool typed = (part.others & KindOf(Hollow::kTyped)) != 0;  // its texts are one level down
  const bool flat = deepest <= (typed ? 1 : 0) && (!container || part.others != 0);
  const bool spelled_out =
      flat && !data && !more && computed.empty() && namespaces == 0 && callables == 0;
  if (!spelled_out) part.others |= kForeign;
  if (typed || !spelled_out) return part;
  constexpr auto kEmpty = KindOf(Hollow::kEmpty), kPlain = KindOf(Hollow::kPlain);
  if (number) part.others |= kEmpty | kPlain;
  for (const Constant& item : items) {
    if (item.number || item.text.empty()) part.others |= kEmpty;
    if (item.number || !item.text.empty()) part.others |= kPlain;
  }
  return part;
}

bool TemplateValue::IsExact() const {
  return !items.empty() && deepest == 0 && !data && !number && !more && !container &&
         namespaces == 0 && callables == 0 && computed.empty();
}

bool TemplateValue::IsNumber() const {
  return !data && !more && !container && namespaces == 0 && callables == 0 && computed.empty() &&
         deepest == 0 && (number || !items.empty()) &&
         std::ranges::all_of(items, [](const Constant& item) { return item.number.has_value(); });
}

bool TemplateValue::HoldsText() const {
  return more || !computed.empty() || std::ranges::any_of(items, [](const Constant& item) {
           return !item.number && !item.text.empty();
         });
}

std::optional<std::int64_t> TemplateValue::Number() const {
  return IsExact() && items.size() == 1 ? items.front().number : std::nullopt;
}

std::optional<std::int64_t> TemplateValue::Whole() const {
  const bool fraction = !items.empty() && items.front().text.find('e') != std::string_view::npos;
  return fraction ? std::nullopt : Number();
}

bool WorkBudget::Spend(std::uint64_t cost) {
  if (cost > left_) {
    left_ = 0;
    return false;
  }
  left_ -= cost;
  return true;
}

std::optional<std::string_view> TextStore::Keep(std::string&& text) {
  if (text.size() > kLongest || text.find(kHole) != std::string::npos) return std::nullopt;
  // Memory per text besides its bytes.
  constexpr std::uint64_t kEach = 32;
  if (!budget_.Spend(text.size()) || !room_.Spend(text.size() + kEach)) return std::nullopt;
  texts_.push_back(std::move(text));
  return texts_.back();
}

std::optional<std::string_view> TextStore::Literal(std::size_t at, std::string_view literal) {
  if (literal.find('\\') == std::string_view::npos) {
    if (literal.find(kHole) != std::string_view::npos) return std::nullopt;
    const bool closed = literal.size() > 1 && literal.back() == literal.front();
    return literal.substr(1, literal.size() - (closed ? 2 : 1));
  }
  const auto found = std::ranges::lower_bound(literals_, at, {}, &Decoded::at);
  if (found != literals_.end() && found->at == at) return found->text;
  std::string text = DecodeLiteral(literal);
  if (text.find(kHole) != std::string::npos) return std::nullopt;
  texts_.push_back(std::move(text));
  literals_.insert(found, {.at = at, .text = texts_.back()});
  return texts_.back();
}

std::optional<std::string_view> TextStore::Row(std::size_t at, std::string&& row) {
  if (row.find(kHole) != std::string::npos) return std::nullopt;
  const std::size_t place = at + 1;  // no other literal begins within the first one
  const auto found = std::ranges::lower_bound(literals_, place, {}, &Decoded::at);
  if (found != literals_.end() && found->at == place) return found->text;
  texts_.push_back(std::move(row));
  literals_.insert(found, {.at = place, .text = texts_.back()});
  return texts_.back();
}

TemplateValue TextValue(std::string_view text) {
  TemplateValue value;
  value.items.push_back({.text = text});
  value.bytes = text.size();
  return value;
}

TemplateValue NumberValue(std::int64_t number, std::string_view text) {
  TemplateValue value = TextValue(text);
  value.items.front().number = number;
  value.bytes = 0;
  return value;
}

TemplateValue UnknownNumber() {
  TemplateValue value;
  value.number = true;
  return value;
}

TemplateValue DataValue() {
  TemplateValue value;
  value.data = true;
  value.outside = true;
  return value;
}

TemplateValue ComputedValue(std::string_view by) {
  TemplateValue value = DataValue();
  value.outside = false;
  value.computed = by;
  return value;
}

bool Absorb(TemplateValue& value, const TemplateValue& more) {
  const bool fresh = value.IsNothing();
  GivenPart part = value.Given();
  const bool moves = part.Join(more.Given()) && !fresh;
  bool changes = fresh && !more.IsNothing();
  if (fresh) value.container = more.container;
  if (fresh) value.alias_is_field = more.alias_is_field;
  if (fresh) value.alias = more.alias;
  if (!more.IsNothing()) {
    if (value.container && !more.container) changes = true;
    // A list or a number: `[] if x else 1` is not certainly a number.
    const bool either = value.container != more.container && !fresh;
    if (either && (value.number || more.number || !value.items.empty() || !more.items.empty())) {
      changes = Raise(value.data, true) || changes;
    }
    value.container = value.container && more.container;
    if (value.alias != more.alias || value.alias_is_field != more.alias_is_field) value.alias = {};
  }
  if (!more.items.empty()) {
    const bool first = value.items.empty();
    const std::uint8_t shallowest =
        first ? more.shallowest : std::min(value.shallowest, more.shallowest);
    const std::uint8_t deepest = first ? more.deepest : std::max(value.deepest, more.deepest);
    changes = changes || shallowest != value.shallowest || deepest != value.deepest;
    value.shallowest = shallowest;
    value.deepest = deepest;
  }
  for (const Constant& item : more.items) changes = AddItem(value, item) || changes;
  changes = Raise(value.data, more.data) || changes;
  changes = Raise(value.number, more.number) || changes;
  changes = Raise(value.outside, more.outside) || changes;
  changes = Raise(value.more, more.more) || changes;
  changes = Raise(value.made, more.made) || changes;
  changes = Raise(value.caller, more.caller) || changes;
  value.given = part;
  changes = changes || more.namespaces > value.namespaces || more.callables > value.callables;
  value.namespaces = std::max(value.namespaces, more.namespaces);
  value.callables = std::max(value.callables, more.callables);
  if (value.computed.empty() && !more.computed.empty()) {
    value.computed = more.computed;
    changes = true;
  }
  if (more.content > value.content) {
    value.content = more.content;
    changes = true;
  }
  value.repeated = value.repeated || more.repeated;
  value.rounds = std::max(value.rounds, more.rounds);
  value.Join(more);
  JoinParts(value, more, /*sum=*/false);
  return changes || moves;
}

void AddParts(TemplateValue& value, const TemplateValue& more) {
  JoinParts(value, more, /*sum=*/true);
}

void RepeatParts(TemplateValue& value) {
  for (TemplateValue::Part& part : value.parts) part.times = std::min(2 * part.times, kMostTimes);
}

void MixDepths(TemplateValue& value) {
  for (TemplateValue::Part& part : value.parts) {
    if (part.inside > 0) part.inside = TemplateValue::kAnyDepth;
  }
}

void PutInside(TemplateValue& value) {
  for (TemplateValue::Part& part : value.parts) {
    if (part.inside < TemplateValue::kAnyDepth) ++part.inside;
  }
}

void ForgetWhole(TemplateValue& value) {
  for (TemplateValue::Part& part : value.parts) part.whole = false;
}

void ForgetSizes(TemplateValue& value) { static_cast<TemplateSizes&>(value) = {}; }

std::uint64_t RoundsOver(const TemplateValue& value) {
  // A value may be a list of the conversation or a text with it. Then it does not count as a text
  // to iterate over, unless it is long.
  constexpr std::uint64_t kShort = 1024;
  const bool text = !value.container && (!value.outside || value.bytes > kShort);
  return std::max<std::uint64_t>(value.elements, text ? value.bytes : 0);
}

std::int64_t LargestOf(const TemplateValue& value) {
  std::int64_t largest = value.most;
  if (value.deepest > 0) return largest;
  for (const Constant& item : value.items) largest = std::max(largest, item.number.value_or(0));
  return largest;
}

std::int64_t Negated(std::int64_t number) {
  constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
  return number == kLeast ? std::numeric_limits<std::int64_t>::max() : -number;
}

std::int64_t Reach(const TemplateValue& value) {
  std::int64_t reach = value.most;
  for (const Constant& item : value.items) {
    const std::int64_t number = item.number.value_or(0);
    reach = std::max({reach, number, Negated(number)});
  }
  return reach;
}

std::uint32_t AddElements(std::uint64_t a, std::uint64_t b) {
  return static_cast<std::uint32_t>(
      std::min<std::uint64_t>(SumOf(a, b), std::numeric_limits<std::uint32_t>::max()));
}

TemplateValue Held(TemplateValue value) {
  value.depth = static_cast<std::uint16_t>(std::min(value.depth + 1, 0xFFFF));
  value.inner = std::max(value.inner, value.elements);
  value.elements = 0;
  value.given.Wrap();
  PutInside(value);
  value.most = std::max(value.most, LargestOf(value));
  value.shallowest = Deeper(value.shallowest);
  value.deepest = Deeper(value.deepest);
  value.container = true;
  value.made = true;
  if (value.namespaces > 0) value.namespaces = Deeper(value.namespaces);
  if (value.callables > 0) value.callables = Deeper(value.callables);
  value.alias = {};
  value.rounds = 0;
  return value;
}

TemplateValue MemberOf(TemplateValue value) {
  if (value.deepest == 0) value.items.clear();
  value.shallowest = Shallower(value.shallowest);
  value.deepest = ShallowerAtMost(value.deepest);
  value.namespaces = ShallowerAtMost(value.namespaces);
  value.callables = ShallowerAtMost(value.callables);
  value.container = false;
  value.alias = {};
  value.rounds = 0;
  value.depth = static_cast<std::uint16_t>(value.depth > 0 ? value.depth - 1 : 0);
  value.elements = value.inner;
  value.given.MoveInside(1);
  value.given.pairs = false;
  value.content = TemplateValue::Content::kNone;
  for (TemplateValue::Part& part : value.parts) {
    // An element of a container may be one of its objects.
    part.whole = part.whole && part.inside > 0;
    part.element = true;
    if (part.inside > 0 && part.inside < TemplateValue::kAnyDepth) --part.inside;
  }
  return value;
}

TemplateValue ElementOf(const TemplateValue& value) {
  TemplateValue element = MemberOf(value);
  element.content = value.content;
  element.given.named = false;
  if (value.container || value.shallowest > 0) return element;
  // Further constants are only known to be harmless as a whole.
  if (value.more && element.computed.empty()) element.computed = "[]";
  for (const Constant& item : value.items) {
    if (item.number) continue;
    // The rest of a very long text is unknown. Non-ASCII characters depend on the decoder.
    const std::string_view text = item.text.substr(0, TextStore::kLongest);
    const bool known = text.size() == item.text.size() && IsAscii(text);
    if (!known && element.computed.empty()) element.computed = "[]";
    for (std::size_t i = 0; known && i < text.size(); ++i) {
      AddItem(element, {.text = text.substr(i, 1)});
    }
    element.shallowest = 0;
  }
  return element;
}

std::uint64_t SumOf(std::uint64_t a, std::uint64_t b) {
  return CheckedAdd(a, b).value_or(std::numeric_limits<std::uint64_t>::max());
}

std::uint64_t ProductOf(std::uint64_t a, std::uint64_t b) {
  return CheckedMul(a, b).value_or(std::numeric_limits<std::uint64_t>::max());
}

}  // namespace ggufgate
