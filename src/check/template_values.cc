#include "check/template_values.h"

#include <algorithm>
#include <limits>

#include "bytes/checked.h"
#include "check/jinja_tokens.h"
#include "check/template_names.h"

namespace ggufgate {
namespace {

constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();

std::uint8_t Deeper(std::uint8_t depth) {
  return depth < TemplateValue::kDeepest ? static_cast<std::uint8_t>(depth + 1) : depth;
}
std::uint8_t Shallower(std::uint8_t depth) {
  return depth > 0 ? static_cast<std::uint8_t>(depth - 1) : depth;
}
// What is deeper than is counted stays so.
std::uint8_t ShallowerAtMost(std::uint8_t depth) {
  return depth < TemplateValue::kDeepest ? Shallower(depth) : depth;
}

// Long texts are the same when they stand in the same place: to compare them would take their
// length each time.
bool SameText(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  return a.size() > TextStore::kLongest ? a.data() == b.data() : a == b;
}

// AddItem adds one alternative. Of more than there is room for, the harmless are counted only: an
// internal name takes the place of another.
bool AddItem(TemplateValue& value, const Constant& constant) {
  const auto same = [&](const Constant& item) {
    return SameText(item.text, constant.text) && item.number == constant.number;
  };
  if (std::ranges::any_of(value.items, same)) return false;
  if (value.items.size() < TemplateValue::kMostAlternatives) {
    value.items.push_back(constant);
    value.items.back().reported = false;  // by this reading; the next one has to tell again
    return true;
  }
  const bool changes = !value.more;
  value.more = true;
  const bool internal = MayReachInside(constant);
  if (!internal || std::ranges::any_of(value.items, MayReachInside)) {
    return changes;
  }
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

// JoinParts adds up how often each name is held, or takes the larger. Of more names than are kept,
// the last stands for all that are left out, held twice: too often for anything that grows.
void JoinParts(TemplateValue& value, const TemplateValue& more, bool sum) {
  for (const TemplateValue::Part& part : more.parts) {
    const auto found = std::ranges::find(value.parts, part.name, &TemplateValue::Part::name);
    if (found != value.parts.end()) {
      found->times = std::min(sum ? found->times + part.times : std::max(found->times, part.times),
                              kMostTimes);
    } else if (value.parts.size() < TemplateValue::kMostParts) {
      value.parts.push_back(part);
    } else {
      RepeatParts(value);
    }
  }
}

std::int64_t Saturated(long double value) {
  constexpr long double kLimit = 9.2e18L;
  return value >= kLimit    ? kLargest
         : value <= -kLimit ? -kLargest
                            : static_cast<std::int64_t>(value);
}

std::int64_t Power(std::int64_t base, std::int64_t exponent) {
  long double result = 1;
  // The 64th power of 2 is too large already; an odd exponent stays odd, for the sign.
  const std::int64_t times = std::min(exponent, 64 + exponent % 2);
  for (std::int64_t i = 0; i < times; ++i) result *= static_cast<long double>(base);
  return Saturated(result);
}

// Python rounds down where C++ cuts off.
std::optional<std::int64_t> Quotient(std::string_view symbol, std::int64_t a, std::int64_t b) {
  if (b == 0 || b == -1) return std::nullopt;  // -1: the quotient of the smallest overflows
  const bool down = a % b != 0 && (a < 0) != (b < 0);
  if (symbol == "//") return a / b - (down ? 1 : 0);
  return symbol == "%" ? std::optional(a % b + (down ? b : 0)) : std::nullopt;
}

// Result is nothing where it is not known to the digit, except that what is too large stays so.
std::optional<std::int64_t> Result(std::string_view symbol, std::int64_t a, std::int64_t b) {
  const auto x = static_cast<long double>(a);
  const auto y = static_cast<long double>(b);
  const bool huge = std::max(a, b) == kLargest;
  if (huge) {
    const bool grows = symbol == "+" || symbol == "*" || symbol == "**";
    return grows && std::min(a, b) > 0 ? std::optional(kLargest) : std::nullopt;
  }
  if (std::min(a, b) == -kLargest) return std::nullopt;
  if (symbol == "+") return Saturated(x + y);
  if (symbol == "-") return Saturated(x - y);
  if (symbol == "*") return Saturated(x * y);
  if (symbol == "**") return b < 0 ? std::nullopt : std::optional(Power(a, b));
  return Quotient(symbol, a, b);
}

bool IsAscii(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

// Flags of what goes into an operation and may come out of it as it is.
TemplateValue Passing(const TemplateValue& a, const TemplateValue& b) {
  TemplateValue result;
  result.namespaces = std::max(a.namespaces, b.namespaces);
  result.callables = std::max(a.callables, b.callables);
  result.content = std::max(a.content, b.content);
  return result;
}

TemplateValue Computed(std::string_view by, const TemplateValue& a, const TemplateValue& b) {
  TemplateValue result = Passing(a, b);
  result.data = true;
  result.computed = a.computed.empty() ? b.computed.empty() ? by : b.computed : a.computed;
  return result;
}

TemplateValue ComputedOf(std::string_view by, const TemplateValue& value) {
  TemplateValue result = Computed(by, value, {});
  result.parts = value.parts;
  return result;
}

// How a number is written is not followed.
bool HasNumber(const TemplateValue& value) {
  return std::ranges::any_of(value.items,
                             [](const Constant& item) { return item.number.has_value(); });
}

std::string RowOf(std::string_view a, std::string_view b) {
  std::string row(a);
  row += b;
  return row;
}

TemplateValue Repeated(const TemplateValue& a, const TemplateValue& b, TextStore& store) {
  const bool first = !a.IsNumber();
  const TemplateValue& text = first ? a : b;
  const auto times = (first ? b : a).Number();
  if (text.container) return Held(ElementOf(text));
  if (!times || *times > static_cast<std::int64_t>(TextStore::kLongest)) return Computed("*", a, b);
  return MapText("*", text, store, [&](std::string_view one) -> std::optional<std::string> {
    std::string row;
    for (std::int64_t i = 0; i < *times && row.size() <= TextStore::kLongest; ++i) row += one;
    return row;
  });
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
  // What a text costs besides its bytes, as memory.
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
  return value;
}

TemplateValue ComputedValue(std::string_view by) {
  TemplateValue value = DataValue();
  value.computed = by;
  return value;
}

std::optional<std::int64_t> NumberOf(std::string_view text) {
  std::string digits;
  for (const char c : text) {
    if (c != '_') digits += static_cast<char>(c >= 'A' && c <= 'Z' ? c | 0x20 : c);
  }
  std::string_view rest = digits;
  int base = 10;
  if (rest.starts_with("0x") || rest.starts_with("0o") || rest.starts_with("0b")) {
    base = rest.at(1) == 'x' ? 16 : rest.at(1) == 'o' ? 8 : 2;
    rest.remove_prefix(2);
  }
  long double value = 0;
  std::size_t at = 0;
  for (; at < rest.size(); ++at) {
    const char c = rest.at(at);
    const int digit = c >= '0' && c <= '9'                 ? c - '0'
                      : base == 16 && c >= 'a' && c <= 'f' ? c - 'a' + 10
                                                           : base;
    if (digit >= base) break;
    value = std::min(value * base + digit, 1e30L);
  }
  if (at == 0) return std::nullopt;
  if (at < rest.size() && rest.at(at) == '.') at = std::min(rest.find('e', at), rest.size());
  if (at < rest.size() && rest.at(at) == 'e') {
    std::int64_t power = 0;  // a negative one reads as 0: no count hangs on it
    for (++at; at < rest.size() && rest.at(at) != '-' && power < 1000; ++at) {
      if (rest.at(at) >= '0' && rest.at(at) <= '9') power = power * 10 + (rest.at(at) - '0');
    }
    value = power > 18 ? 1e30L : value * static_cast<long double>(Power(10, power));
  }
  return Saturated(value);
}

bool Absorb(TemplateValue& value, const TemplateValue& more) {
  const bool fresh = value.IsNothing();
  bool changes = fresh && !more.IsNothing();
  if (fresh) value.container = more.container;
  if (fresh) value.alias_is_field = more.alias_is_field;
  if (fresh) value.alias = more.alias;
  if (!more.IsNothing()) {
    if (value.container && !more.container) changes = true;
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
  changes = Raise(value.more, more.more) || changes;
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
  value.rounds = std::max(value.rounds, more.rounds);
  value.bytes = std::max(value.bytes, more.bytes);
  JoinParts(value, more, /*sum=*/false);
  return changes;
}

void AddParts(TemplateValue& value, const TemplateValue& more) {
  JoinParts(value, more, /*sum=*/true);
}

void RepeatParts(TemplateValue& value) {
  for (TemplateValue::Part& part : value.parts) part.times = std::min(2 * part.times, kMostTimes);
}

TemplateValue Held(TemplateValue value) {
  value.shallowest = Deeper(value.shallowest);
  value.deepest = Deeper(value.deepest);
  value.container = true;
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
  value.content = TemplateValue::Content::kNone;
  return value;
}

TemplateValue ElementOf(const TemplateValue& value) {
  TemplateValue element = MemberOf(value);
  element.content = value.content;
  if (value.container || value.shallowest > 0) return element;
  // Further constants are known to be harmless as a whole only.
  if (value.more && element.computed.empty()) element.computed = "[]";
  for (const Constant& item : value.items) {
    if (item.number) continue;
    // What is left out of very many may be any; what is no ASCII depends on who decodes it.
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

TemplateValue MapText(std::string_view by, const TemplateValue& value, TextStore& store,
                      const TextChange& change) {
  TemplateValue result;
  result.content = value.content;
  result.parts = value.parts;
  for (const Constant& item : value.items) {
    const bool known = value.IsExact() && !item.number &&
                       store.budget().Spend(item.text.size() + 1) && IsAscii(item.text);
    auto text = known ? change(item.text) : std::nullopt;
    const auto kept = text ? store.Keep(*std::move(text)) : std::nullopt;
    if (!kept) return ComputedOf(by, value);
    AddItem(result, {.text = *kept});
  }
  return value.items.empty() ? ComputedOf(by, value) : result;
}

TemplateValue Concatenate(std::string_view symbol, const TemplateValue& a, const TemplateValue& b,
                          TextStore& store) {
  const std::uint64_t bytes = SumOf(a.bytes, b.bytes);
  TemplateValue result;
  if (a.IsNothing() || b.IsNothing()) {
    result = Passing(a, b);  // to be known at the next reading
  } else if (!a.IsExact() || !b.IsExact() || HasNumber(a) || HasNumber(b)) {
    result = Computed(symbol, a, b);
  } else {
    for (const Constant& left : a.items) {
      for (const Constant& right : b.items) {
        const auto row = left.text.size() + right.text.size() > TextStore::kLongest
                             ? std::nullopt
                             : store.Keep(RowOf(left.text, right.text));
        if (row) AddItem(result, {.text = *row});
        if (!row || result.more) {
          result = Computed(symbol, a, b);
          break;
        }
      }
      if (!result.computed.empty()) break;
    }
  }
  result.content = std::max(a.content, b.content);
  result.bytes = bytes;
  return result;
}

namespace {

TemplateValue Calculated(std::string_view symbol, const TemplateValue& a, const TemplateValue& b,
                         TextStore& store) {
  if (symbol == "~") return Concatenate(symbol, a, b, store);
  const auto x = a.Whole();
  const auto y = b.Whole();
  if (x && y) {
    const auto result = Result(symbol, *x, *y);
    return result ? NumberValue(*result) : UnknownNumber();
  }
  const bool numbers = a.IsNumber() && b.IsNumber();
  if (numbers || (symbol != "+" && symbol != "*" && symbol != "%")) return UnknownNumber();
  if (symbol == "+") {
    if (a.IsNumber() || b.IsNumber()) return UnknownNumber();
    if (!a.container && !b.container) return Concatenate(symbol, a, b, store);
    TemplateValue sum = a;
    Absorb(sum, b);
    sum.container = true;
    sum.alias = {};
    sum.bytes = SumOf(a.bytes, b.bytes);
    return sum;
  }
  if (a.IsNothing() || b.IsNothing()) return Passing(a, b);
  if (symbol == "%") return a.IsNumber() ? UnknownNumber() : Computed(symbol, a, b);
  const bool counts = a.IsNumber() || b.IsNumber();
  TemplateValue product = counts ? Repeated(a, b, store) : Computed(symbol, a, b);
  const std::int64_t times = std::max<std::int64_t>(x ? *x : y.value_or(1), 0);
  product.bytes = ProductOf(std::max(a.IsNumber() ? b.bytes : a.bytes, std::uint64_t{1}),
                            static_cast<std::uint64_t>(times));
  return product;
}

// What one adds to a number makes it longer by little; what multiplies it, doubles it.
void JoinOperands(std::string_view symbol, TemplateValue& made, const TemplateValue& a,
                  const TemplateValue& b) {
  const bool little = (symbol == "+" && (a.IsNumber() || b.IsNumber())) || symbol == "-";
  made.parts = a.parts;
  JoinParts(made, b, !little);
  const std::int64_t times = std::min(a.Number().value_or(2), b.Number().value_or(2));
  const bool counted = !a.IsNumber() || !b.IsNumber();
  if (symbol == "**" || (symbol == "*" && counted && times > 1)) {
    RepeatParts(made);
  }
}

}  // namespace

TemplateValue Calculate(std::string_view symbol, const TemplateValue& a, const TemplateValue& b,
                        TextStore& store) {
  TemplateValue made = Calculated(symbol, a, b, store);
  made.parts.clear();
  if (!a.parts.empty() || !b.parts.empty()) JoinOperands(symbol, made, a, b);
  return made;
}

std::uint64_t SumOf(std::uint64_t a, std::uint64_t b) {
  return CheckedAdd(a, b).value_or(std::numeric_limits<std::uint64_t>::max());
}

std::uint64_t ProductOf(std::uint64_t a, std::uint64_t b) {
  return CheckedMul(a, b).value_or(std::numeric_limits<std::uint64_t>::max());
}

}  // namespace ggufgate
