// Results of operations: numbers, joined texts, changed texts.

#include <algorithm>
#include <limits>

#include "bytes/utf8.h"
#include "jinja/values/values.h"

namespace ggufgate {
namespace {

constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();

std::int64_t Saturated(long double value) {
  constexpr long double kLimit = 9.2e18L;
  return value >= kLimit    ? kLargest
         : value <= -kLimit ? -kLargest
                            : static_cast<std::int64_t>(value);
}

std::int64_t Power(std::int64_t base, std::int64_t exponent) {
  long double result = 1;
  // 2 to the 64th power is already too large. An odd exponent stays odd, for the sign.
  const std::int64_t times = std::min(exponent, 64 + exponent % 2);
  for (std::int64_t i = 0; i < times; ++i) result *= static_cast<long double>(base);
  return Saturated(result);
}

// Python rounds down; C++ truncates.
std::optional<std::int64_t> Quotient(std::string_view symbol, std::int64_t a, std::int64_t b) {
  if (b == 0 || b == -1) return std::nullopt;  // -1: the quotient of the smallest number overflows
  const bool down = a % b != 0 && (a < 0) != (b < 0);
  if (symbol == "//") return a / b - (down ? 1 : 0);
  return symbol == "%" ? std::optional(a % b + (down ? b : 0)) : std::nullopt;
}

// Result returns nullopt unless the result is known exactly. A result that is too large stays so.
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

// Passing returns the flags of operands that may also be the result.
TemplateValue Passing(const TemplateValue& a, const TemplateValue& b) {
  TemplateValue result;
  result.namespaces = std::max(a.namespaces, b.namespaces);
  result.callables = std::max(a.callables, b.callables);
  result.content = std::max(a.content, b.content);
  result.outside = a.outside || b.outside;
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

// The text form of a number is not followed.
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

std::uint64_t AtLeastAByte(const TemplateValue& value) {
  return value.IsExact() ? value.bytes : std::max(value.bytes, std::uint64_t{1});
}

std::uint64_t MessageBytes(const TemplateValue& value) {
  constexpr std::uint64_t kShortMessage = 32;
  return value.outside ? std::max(value.bytes, kShortMessage) : value.bytes;
}

std::uint64_t WrittenBytes(const TemplateValue& value) {
  constexpr std::uint64_t kEscapes = 2;
  constexpr std::uint64_t kQuotes = 4;  // before and after an element
  if (!value.container && value.elements == 0) return AtLeastAByte(value);
  return SumOf(ProductOf(AtLeastAByte(value), kEscapes), ProductOf(value.elements, kQuotes));
}

std::int64_t FarthestOf(std::string_view symbol, std::int64_t a, std::int64_t b) {
  const std::int64_t left = std::max<std::int64_t>(a, 1);
  const std::int64_t right = std::max<std::int64_t>(b, 1);
  const auto x = static_cast<long double>(left);
  const auto y = static_cast<long double>(right);
  if (symbol == "+" || symbol == "-") return Saturated(x + y);
  if (symbol == "*") return Saturated(x * y);
  if (symbol == "**") return Power(left, right);
  return symbol == "%" ? right : left;
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
    std::int64_t power = 0;  // a negative one counts as 0: no count depends on it
    for (++at; at < rest.size() && rest.at(at) != '-' && power < 1000; ++at) {
      if (rest.at(at) >= '0' && rest.at(at) <= '9') power = power * 10 + (rest.at(at) - '0');
    }
    value = power > 18 ? 1e30L : value * static_cast<long double>(Power(10, power));
  }
  return Saturated(value);
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
    Absorb(result, TextValue(*kept));
  }
  return value.items.empty() ? ComputedOf(by, value) : result;
}

TemplateValue Concatenate(std::string_view symbol, const TemplateValue& a, const TemplateValue& b,
                          TextStore& store) {
  const std::uint64_t bytes = SumOf(WrittenBytes(a), WrittenBytes(b));
  TemplateValue result;
  if (a.IsNothing() || b.IsNothing()) {
    result = Passing(a, b);  // may be known in the next reading
  } else if (!a.IsExact() || !b.IsExact() || HasNumber(a) || HasNumber(b)) {
    result = Computed(symbol, a, b);
  } else {
    for (const Constant& left : a.items) {
      for (const Constant& right : b.items) {
        const auto row = left.text.size() + right.text.size() > TextStore::kLongest
                             ? std::nullopt
                             : store.Keep(RowOf(left.text, right.text));
        if (row) Absorb(result, TextValue(*row));
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
  result.SetCopies(std::uint64_t{a.copies} + b.copies);
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
  // The keys of a dictionary, without those of another one.
  const bool keys = a.container || a.HoldsText();
  if (symbol == "-" && keys && !b.IsNumber()) {
    TemplateValue rest = a;
    rest.alias = {};
    return rest;
  }
  if (numbers || (symbol != "+" && symbol != "*" && symbol != "%")) return UnknownNumber();
  if (symbol == "+") {
    if (a.IsNumber() || b.IsNumber()) return UnknownNumber();
    if (!a.container && !b.container) return Concatenate(symbol, a, b, store);
    TemplateValue sum = a;
    Absorb(sum, b);
    sum.container = true;
    sum.alias = {};
    sum.bytes = SumOf(a.bytes, b.bytes);
    // A list of the conversation has at least one element.
    const auto elements = [](const TemplateValue& list) {
      return std::max(list.elements, list.outside ? 1U : 0U);
    };
    sum.elements = AddElements(elements(a), elements(b));
    return sum;
  }
  if (a.IsNothing() || b.IsNothing()) return Passing(a, b);
  if (symbol == "%") return a.IsNumber() ? UnknownNumber() : Computed(symbol, a, b);
  const bool counts = a.IsNumber() || b.IsNumber();
  TemplateValue product = counts ? Repeated(a, b, store) : Computed(symbol, a, b);
  const TemplateValue& whole = a.IsNumber() ? b : a;
  const std::int64_t times =
      counts ? LargestOf(a.IsNumber() ? a : b) : std::max(LargestOf(a), LargestOf(b));
  const auto count = static_cast<std::uint64_t>(std::max<std::int64_t>(times, 1));
  const std::uint64_t least = whole.container && whole.outside ? kHeldData : 1;
  product.bytes = ProductOf(std::max(whole.bytes, least), count);
  product.elements = AddElements(ProductOf(whole.elements, count), 0);
  const bool text = !whole.container && whole.elements == 0;
  constexpr std::uint64_t kUnit = TemplateSizes::kCopies;
  if (text && count > 1) {
    product.SetCopies(whole.copies > 0 ? ProductOf(whole.copies, count) : count / kUnit + 1);
  }
  product.inner = whole.inner;
  product.depth = whole.depth;
  return product;
}

// MostOf returns the largest absolute value of the result of two numbers, or 0 if no constant takes
// part.
std::int64_t MostOf(std::string_view symbol, const TemplateValue& a, const TemplateValue& b) {
  if (a.most == 0 && a.items.empty() && b.most == 0 && b.items.empty()) return 0;
  // A divisor below one makes the result larger.
  if (symbol.starts_with('/') && !b.Whole()) return kLargest;
  return FarthestOf(symbol, Reach(a), Reach(b));
}

bool ShareAName(const TemplateValue& a, const TemplateValue& b) {
  return std::ranges::any_of(a.parts, [&](const TemplateValue::Part& part) {
    return std::ranges::count(b.parts, part.name, &TemplateValue::Part::name) > 0;
  });
}

// A list that is converted to text has escapes in it.
std::vector<TemplateValue::Part> WrittenParts(const TemplateValue& value) {
  std::vector<TemplateValue::Part> parts = value.parts;
  if (value.elements == 0) return parts;
  for (TemplateValue::Part& part : parts) part.times = std::max(part.times, 2U);
  return parts;
}

// Adding to a number lengthens it only a little; multiplying it doubles it.
void JoinOperands(std::string_view symbol, TemplateValue& made, const TemplateValue& a,
                  const TemplateValue& b) {
  const bool little = (symbol == "+" && (a.IsNumber() || b.IsNumber())) || symbol == "-";
  const bool text = symbol == "~";
  made.parts = text ? WrittenParts(a) : a.parts;
  TemplateValue other;
  other.parts = text ? WrittenParts(b) : b.parts;
  if (little && !ShareAName(a, b)) {
    Absorb(made, other);
  } else {
    AddParts(made, other);
  }
  const std::int64_t times = std::min(a.Number().value_or(2), b.Number().value_or(2));
  if (symbol == "**" || (symbol == "*" && times > 1)) RepeatParts(made);
  ForgetWhole(made);
  if (made.container) return;
  // Text of a container has quotes and escapes in it.
  for (TemplateValue::Part& part : made.parts) {
    if (part.inside > 0 && part.times > 0) part.times = 2;
    part.inside = 0;
  }
}

}  // namespace

TemplateValue Calculate(std::string_view symbol, const TemplateValue& a, const TemplateValue& b,
                        TextStore& store) {
  TemplateValue made = Calculated(symbol, a, b, store);
  if (made.IsNumber() && made.items.empty()) made.most = MostOf(symbol, a, b);
  made.parts.clear();
  if (!a.parts.empty() || !b.parts.empty()) JoinOperands(symbol, made, a, b);
  return made;
}

}  // namespace ggufgate
