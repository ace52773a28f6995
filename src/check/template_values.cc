#include "check/template_values.h"

#include <algorithm>
#include <limits>

namespace ggufgate {
namespace {

using Kind = TemplateValue::Kind;

constexpr std::int64_t kMostCopies = 1024;
constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();

const std::string& Hole() {
  static const std::string hole(1, kHole);
  return hole;
}

// Texts are the texts of a scalar; of anything else one hole.
std::vector<Constant> TextsOf(const TemplateValue& value) {
  if (value.IsScalar()) return value.items;
  return {{.text = Hole()}};
}

void AddAlternative(TemplateValue& value, Constant constant) {
  if (value.items.size() >= TemplateValue::kMostAlternatives) return;
  for (const Constant& item : value.items) {
    if (item.text == constant.text) return;
  }
  value.kind = Kind::kScalar;
  value.items.push_back(std::move(constant));
}

std::string Joined(const std::string& a, const std::string& b) {
  // Two holes in a row are one: what is not known stays short.
  if (a.ends_with(kHole) && b.starts_with(kHole)) return a + b.substr(1);
  return a + b;
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

std::optional<std::int64_t> Result(std::string_view symbol, std::int64_t a, std::int64_t b) {
  const auto x = static_cast<long double>(a);
  const auto y = static_cast<long double>(b);
  if (symbol == "+") return Saturated(x + y);
  if (symbol == "-") return Saturated(x - y);
  if (symbol == "*") return Saturated(x * y);
  if (symbol == "**") return Power(a, b);
  if (b == 0 || b == -1) return std::nullopt;  // -1: the quotient of the smallest overflows
  if (symbol == "//" || symbol == "/") return a / b;
  return symbol == "%" ? std::optional(a % b) : std::nullopt;
}

TemplateValue Repeat(const TemplateValue& text, const TemplateValue& count, WorkBudget& budget) {
  TemplateValue result;
  for (const Constant& constant : text.items) {
    const std::int64_t times = count.items.front().number.value_or(0);
    if (constant.number || times <= 0) continue;
    // The first of very many copies are enough to cut names from.
    const auto copies = static_cast<std::uint64_t>(std::min(times, kMostCopies));
    if (!budget.Spend((constant.text.size() + 1) * copies)) continue;
    std::string repeated;
    for (std::uint64_t i = 0; i < copies; ++i) repeated += constant.text;
    AddAlternative(result, {.text = std::move(repeated), .inexact = times > kMostCopies});
  }
  return result;
}

bool IsNumber(const TemplateValue& value) {
  return value.IsScalar() && value.items.front().number.has_value();
}

TemplateValue AddLists(const TemplateValue& a, const TemplateValue& b, WorkBudget& budget) {
  TemplateValue sum = CopyOf(a, budget);
  for (const Constant& item : b.items) {
    if (sum.items.size() >= TemplateValue::kMostElements || !budget.Spend(item.text.size())) break;
    sum.items.push_back(item);
  }
  return sum;
}

}  // namespace

bool WorkBudget::Spend(std::uint64_t bytes) {
  const std::uint64_t cost = bytes + 8;
  if (exhausted_ || bytes > left_ || cost > left_) {
    exhausted_ = true;
    return false;
  }
  left_ -= cost;
  return true;
}

TemplateValue TextValue(std::string text) {
  TemplateValue value;
  value.kind = Kind::kScalar;
  value.items.push_back({.text = std::move(text)});
  return value;
}

TemplateValue NumberValue(std::int64_t number) {
  TemplateValue value = TextValue(std::to_string(number));
  value.items.front().number = number;
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

TemplateValue CopyOf(const TemplateValue& value, WorkBudget& budget) {
  std::uint64_t bytes = 0;
  for (const Constant& item : value.items) bytes += item.text.size() + 8;
  for (const Constant& member : value.members) bytes += member.text.size() + 8;
  if (budget.Spend(bytes)) return value;
  TemplateValue unknown;
  unknown.alias = value.alias;
  unknown.rounds = value.rounds;
  unknown.content = value.content;
  return unknown;
}

void Absorb(TemplateValue& value, const TemplateValue& more) {
  value.content = value.content || more.content;
  value.rounds = std::max(value.rounds, more.rounds);
  if (value.alias.empty()) value.alias = more.alias;
  if (more.kind == Kind::kUnknown) return;
  if (value.kind == Kind::kUnknown || (value.IsScalar() && more.IsList())) {
    value.kind = more.kind;
    value.items = more.items;
    value.members = more.members;
    return;
  }
  // A list that becomes another: its elements are what either held.
  if (value.IsList()) {
    if (more.IsList() && more.items.size() > value.items.size()) value.items = more.items;
    for (const Constant& item : more.items) {
      if (value.members.size() < TemplateValue::kMostAlternatives) value.members.push_back(item);
    }
    return;
  }
  for (const Constant& item : more.items) AddAlternative(value, item);
}

TemplateValue AnyOf(const TemplateValue& value) {
  TemplateValue any;
  any.content = value.content;
  for (const Constant& item : value.items) AddAlternative(any, item);
  for (const Constant& member : value.members) AddAlternative(any, member);
  return any;
}

TemplateValue LoopVariable(const TemplateValue& value, WorkBudget& budget) {
  if (value.IsScalar()) return CopyOf(value, budget);
  TemplateValue variable = AnyOf(value);
  std::string row;
  for (const Constant& item : value.items) {
    if (!budget.Spend(item.text.size())) return variable;
    row += item.text;
  }
  if (value.items.size() > 1) {
    if (variable.items.size() >= TemplateValue::kMostAlternatives) variable.items.pop_back();
    AddAlternative(variable, {.text = std::move(row)});
  }
  return variable;
}

TemplateValue Concatenate(const TemplateValue& a, const TemplateValue& b, WorkBudget& budget) {
  TemplateValue result;
  result.content = a.content || b.content;
  if (!a.IsScalar() && !b.IsScalar()) return result;
  for (const Constant& left : TextsOf(a)) {
    for (const Constant& right : TextsOf(b)) {
      if (!budget.Spend(left.text.size() + right.text.size())) return result;
      AddAlternative(result, {.text = Joined(left.text, right.text),
                              .inexact = left.inexact || right.inexact,
                              .opaque = left.opaque || right.opaque});
    }
  }
  return result;
}

TemplateValue Calculate(std::string_view symbol, const TemplateValue& a, const TemplateValue& b,
                        WorkBudget& budget) {
  if (IsNumber(a) && IsNumber(b)) {
    const auto result = Result(symbol, *a.items.front().number, *b.items.front().number);
    return result ? NumberValue(*result) : TemplateValue();
  }
  if (symbol == "+" && a.IsList() && b.IsList()) return AddLists(a, b, budget);
  if (symbol == "+" && !IsNumber(a) && !IsNumber(b)) return Concatenate(a, b, budget);
  if (symbol == "*" && a.IsScalar() && IsNumber(b)) return Repeat(a, b, budget);
  if (symbol == "*" && b.IsScalar() && IsNumber(a)) return Repeat(b, a, budget);
  return {};
}

TemplateValue MapText(const TemplateValue& value, WorkBudget& budget,
                      const std::function<std::string(const std::string&)>& change) {
  TemplateValue result;
  result.content = value.content;
  result.kind = value.kind;
  for (const Constant& item : value.items) {
    if (!budget.Spend(item.text.size())) break;
    result.items.push_back(
        {.text = change(item.text), .inexact = item.inexact, .opaque = item.opaque});
  }
  if (result.items.empty()) result.kind = Kind::kUnknown;
  return result;
}

}  // namespace ggufgate
