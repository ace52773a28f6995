// The cost of rendering an expression of a template.

#include <algorithm>
#include <array>
#include <bit>

#include "jinja/expression_checks.h"

namespace ggufgate {
namespace {

using Kind = TemplateRemark::Kind;

constexpr std::uint64_t kBytesOfStep = 256;
constexpr std::uint64_t kElementsOfStep = 16;
// A search compares each position with the text that it searches for.
constexpr std::uint64_t kComparisonsOfStep = 1024;

// CountOf returns the largest possible count. If the value is not followed, this is the largest
// number in the template.
std::uint64_t CountOf(const TemplateValue& value, const TemplateScope& scope) {
  const auto reach = static_cast<std::uint64_t>(Reach(value));
  if (value.IsExact() || value.IsNothing()) return reach;
  const std::int64_t supposed = std::max(value.supposed, scope.Largest());
  return std::max(reach, static_cast<std::uint64_t>(supposed));
}

void AddRepeat(std::uint64_t times, const JinjaToken& token, TemplateScope& scope) {
  if (times > kTemplateWidth) scope.Add(Kind::kRepeat, token, {}, times);
}

std::uint64_t ReachOf(const TemplateValue& value) {
  return static_cast<std::uint64_t>(Reach(value));
}

// Filters and methods that make as many characters, digits or elements as an argument says, or
// compute with it. Source: the signatures in jinja2/filters.py 3.1.6 and of Python's str and int.
bool Counts(std::string_view name) {
  static constexpr std::array<std::string_view, 12> kNames = {
      "center", "ljust",      "rjust",    "zfill",  "indent", "batch",
      "slice",  "expandtabs", "to_bytes", "tojson", "round",  "wordwrap"};
  return std::ranges::count(kNames, name) > 0;
}

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// Widths holds the sum of the widths, precisions and field numbers of a pattern. `computed` is the
// character of a width that is an argument.
struct Widths {
  std::uint64_t total = 0;
  std::string_view computed = {};
};

void ReadDigit(char c, std::uint64_t& number, Widths& widths) {
  constexpr std::uint64_t kEnough = std::uint64_t{1} << 50;
  if (!IsDigit(c)) number = 0;
  if (!IsDigit(c) || number >= kEnough) return;
  const std::uint64_t longer = number * 10 + static_cast<std::uint64_t>(c - '0');
  widths.total = SumOf(widths.total, longer - number);
  number = longer;
}

// After a percent sign come a name in brackets, flags, digits and stars.
Widths PercentWidths(std::string_view pattern) {
  constexpr std::string_view kFlags = "#0123456789- +.*";
  Widths widths;
  for (std::size_t at = pattern.find('%'); at < pattern.size(); at = pattern.find('%', at)) {
    ++at;
    if (pattern.substr(at).starts_with('(')) at = std::min(pattern.find(')', at), pattern.size());
    if (pattern.substr(at).starts_with(')')) ++at;
    std::uint64_t number = 0;
    for (; at < pattern.size() && kFlags.find(pattern.at(at)) != std::string_view::npos; ++at) {
      ReadDigit(pattern.at(at), number, widths);
      if (pattern.at(at) == '*') widths.computed = "*";
    }
    ++at;  // the letter, or another percent sign
  }
  return widths;
}

// Nested braces are a width.
Widths BraceWidths(std::string_view pattern) {
  Widths widths;
  std::size_t depth = 0;
  std::uint64_t number = 0;
  for (std::size_t at = 0; at < pattern.size(); ++at) {
    const char c = pattern.at(at);
    if (depth == 0 && pattern.substr(at + 1).starts_with(c) && (c == '{' || c == '}')) {
      ++at;
    } else if (c == '{') {
      if (depth++ > 0) widths.computed = "{}";
      number = 0;
    } else if (c == '}') {
      depth -= depth > 0 ? 1 : 0;
    } else if (depth > 0) {
      ReadDigit(c, number, widths);
    }
  }
  return widths;
}

// RoundsOf returns the number of rounds of range(first, last, step).
std::uint64_t RoundsOf(std::int64_t first, std::int64_t last, std::int64_t step) {
  if (step == 0 || (step > 0 ? last <= first : last >= first)) return 0;
  const auto low = static_cast<std::uint64_t>(std::min(first, last));
  const auto high = static_cast<std::uint64_t>(std::max(first, last));
  const std::uint64_t stride =
      step > 0 ? static_cast<std::uint64_t>(step) : 0 - static_cast<std::uint64_t>(step);
  return (high - low - 1) / stride + 1;
}

std::uint64_t AtLeastOne(std::uint64_t bytes) { return std::max(bytes, std::uint64_t{1}); }

// BracketsIn returns the maximum number of brackets in a text that may open tags.
std::uint64_t BracketsIn(const TemplateValue& text, TemplateScope& scope) {
  constexpr std::uint64_t kSparse = 4;
  constexpr std::uint64_t kManyRounds = 64;
  if (!text.IsExact()) {
    return scope.rounds > kManyRounds && !text.computed.empty() ? text.bytes / kSparse : 0;
  }
  std::uint64_t most = 0;
  for (const Constant& item : text.items) {
    if (!scope.store.budget().Spend(item.text.size())) return text.bytes;
    const auto brackets =
        std::ranges::count_if(item.text, [](char c) { return c == '<' || c == '['; });
    most = std::max(most, static_cast<std::uint64_t>(brackets));
  }
  return most;
}

}  // namespace

TemplateValue RangeOf(const JinjaToken& token, const TemplateArguments& arguments,
                      TemplateScope& scope) {
  TemplateValue numbers = Held(UnknownNumber());
  if (arguments.empty() || arguments.size() > 3) return numbers;
  std::vector<std::int64_t> exact;
  std::uint64_t reach = 0;
  std::uint64_t farthest = 0;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const TemplateValue& value = arguments.at(i).value;
    const auto number = value.Whole();
    if (number) exact.push_back(*number);
    farthest = std::max(farthest, CountOf(value, scope));
    constexpr std::size_t kStep = 2;
    if (i != kStep) reach = SumOf(reach, ReachOf(value));
  }
  const bool certain = exact.size() == arguments.size();
  std::uint64_t rounds = reach;
  if (certain) {
    rounds = RoundsOf(exact.size() > 1 ? exact.at(0) : 0, exact.at(exact.size() > 1 ? 1 : 0),
                      exact.size() > 2 ? exact.at(2) : 1);
    numbers.rounds = rounds;
  }
  numbers.elements = AddElements(rounds, 0);
  numbers.most = static_cast<std::int64_t>(std::min<std::uint64_t>(farthest, INT64_MAX));
  numbers.bytes = ProductOf(rounds, 4);
  if (rounds > kTemplateRounds || (!certain && farthest > kTemplateRounds)) {
    scope.Add(Kind::kRange, token, {}, std::max(rounds, certain ? 0 : farthest));
  } else if (farthest > kTemplateNumber) {
    scope.Add(Kind::kFar, token, {}, farthest);
  }
  return numbers;
}

void CheckRepeat(const JinjaToken& symbol, const TemplateValue& left, const TemplateValue& right,
                 TemplateScope& scope) {
  if (symbol.text == "**") {
    // A power of a power that is too large to compute may have any number of digits.
    scope.Charge(std::min(CountOf(right, scope), kTemplateWidth) / 64);
    const bool huge =
        std::max(LargestOf(left), left.supposed) == INT64_MAX && right.Number().value_or(2) > 1;
    return AddRepeat(huge ? INT64_MAX : CountOf(right, scope), symbol, scope);
  }
  if (symbol.text != "*" || (left.IsNumber() && right.IsNumber())) return;
  const std::uint64_t times = left.IsNumber() ? CountOf(left, scope)
                              : right.IsNumber()
                                  ? CountOf(right, scope)
                                  : std::max(CountOf(left, scope), CountOf(right, scope));
  AddRepeat(times, symbol, scope);
  if (times <= kTemplateWidth) scope.Charge(times / 4);
  ChargeTags(left.IsNumber() ? right : left, times, scope);
}

void CheckDivisor(const JinjaToken& symbol, const TemplateValue& left, const TemplateValue& right,
                  TemplateScope& scope) {
  if (symbol.text != "%" && symbol.text != "/" && symbol.text != "//") return;
  const bool zero = right.IsNumber() && std::ranges::any_of(right.items, [](const Constant& item) {
                      return item.number == 0;
                    });
  if (zero && !left.HoldsText()) scope.Add(Kind::kDivisor, symbol, "0");
}

void CheckDivisibleBy(const TemplateValue& divisor, const JinjaToken& token, TemplateScope& scope) {
  // Texts are not accepted. llama.cpp computes some numbers differently from Python: 0x10 and
  // '1_0'|int - 1 are 0 there (measured on v0.5.0). So the divisor must be a decimal number.
  const auto harmless = [](const Constant& item) {
    constexpr std::size_t kMostDigits = 9;
    const std::string_view text = item.text;
    return !item.number || (!text.empty() && text.size() <= kMostDigits && text.front() != '0' &&
                            text.find_first_not_of("0123456789") == std::string_view::npos);
  };
  if (divisor.IsExact() && std::ranges::all_of(divisor.items, harmless)) return;
  const auto number = divisor.Whole();
  scope.Add(Kind::kDivisor, token,
            !number        ? "not known"
            : *number == 0 ? "0"
                           : "not written in digits");
}

void CheckSelection(const JinjaToken& filter, const TemplateArguments& arguments,
                    TemplateScope& scope) {
  static constexpr std::array<std::string_view, 5> kNames = {"select", "reject", "selectattr",
                                                             "rejectattr", "map"};
  if (std::ranges::count(kNames, filter.text) == 0) return;
  for (std::size_t i = 0; i + 1 < arguments.size(); ++i) {
    const TemplateValue& test = arguments.at(i).value;
    const TemplateValue& divisor = arguments.at(i + 1).value;
    const bool named = std::ranges::count(test.items, "divisibleby", &Constant::text) > 0;
    const bool text = divisor.IsExact() &&
                      std::ranges::none_of(
                          divisor.items, [](const auto& item) { return item.number.has_value(); });
    const bool unknown = !test.IsExact() && !test.IsNumber() && !text;
    if (named || unknown) CheckDivisibleBy(divisor, filter, scope);
  }
}

void CheckCount(std::string_view name, const JinjaToken& token, const TemplateArguments& arguments,
                TemplateScope& scope) {
  if (!Counts(name)) return;
  for (const TemplateArgument& argument : arguments) {
    AddRepeat(CountOf(argument.value, scope), token, scope);
  }
}

void Measure(std::string_view name, const TemplateValue& value, const TemplateArguments& arguments,
             TemplateValue& made, TemplateScope& scope) {
  std::uint64_t count = 0;    // the largest number among the arguments
  std::uint64_t longest = 0;  // of the longest argument
  for (const TemplateArgument& argument : arguments) {
    count = std::max(count, std::min(ReachOf(argument.value), kTemplateWidth));
    longest = std::max(longest, argument.value.bytes);
  }
  const std::uint64_t elements = std::max<std::uint64_t>(value.elements, value.bytes);
  const std::uint64_t lines = SumOf(elements, 16);
  // Texts of a whole conversation: the conversations that llama.cpp makes up at start have 180 to
  // 400 bytes.
  constexpr std::uint64_t kConversation = 112;
  const bool whole = name == "tojson" || name == "string" || name == "join" || name == "pprint";
  if (name == "join" || name == "string" || name == "tojson") made.elements = 0;  // a text
  if (name == "map") {
    made.bytes = std::max(made.bytes, ProductOf(value.elements, std::max(count, longest)));
  } else if (name == "join") {
    // One text comes between the elements of the other value: the method joins its argument.
    const bool given =
        !arguments.empty() && (arguments.front().value.container || !value.container);
    const std::uint64_t others = given ? RoundsOver(arguments.front().value) : 0;
    const bool of_data = !arguments.empty() && arguments.front().value.outside;
    const std::uint64_t pieces = of_data && value.outside ? MessageBytes(value) : 0;
    if (of_data) longest = std::max(longest, MessageBytes(arguments.front().value));
    made.bytes = SumOf(value.bytes, ProductOf(std::max(RoundsOver(value), pieces), longest));
    made.bytes = std::max(made.bytes, SumOf(longest, ProductOf(others, value.bytes)));
  } else if (name == "indent" || name == "tojson") {
    const std::uint64_t width = ProductOf(std::max(count, longest), value.depth + std::uint64_t{1});
    made.bytes = SumOf(ProductOf(AtLeastAByte(value), 2), width > 0 ? ProductOf(lines, width) : 0);
  } else if (name == "expandtabs") {
    constexpr std::uint64_t kTab = 8;
    made.bytes = ProductOf(AtLeastAByte(value), std::max(count, kTab));
  } else if (name == "wordwrap") {
    constexpr std::uint64_t kBytesOfLine = 4;  // each step breaks off one line
    scope.Charge(value.bytes / kBytesOfLine);
    made.bytes = ProductOf(AtLeastOne(value.bytes), SumOf(longest, 1));
  } else if (name == "urlencode" || name == "e" || name == "escape" || name == "forceescape" ||
             name == "xmlattr" || name == "pprint" || name == "urlize") {
    made.bytes = ProductOf(AtLeastAByte(value), 5);
  } else if (name == "fromkeys") {
    if (arguments.empty()) return;
    const TemplateValue& keys = arguments.front().value;
    const TemplateValue& fill = arguments.back().value;
    made.bytes = SumOf(keys.bytes, ProductOf(AtLeastAByte(fill), RoundsOver(keys)));
  } else if (name == "translate") {
    made.bytes = ProductOf(AtLeastAByte(value), AtLeastOne(longest));
  } else if (name == "encode" || name == "hex") {
    // Characters of four bytes, hexadecimal digits of bytes.
    made.bytes = ProductOf(AtLeastAByte(value), name == "encode" ? 4 : 2);
  } else if (name == "string") {
    made.bytes = std::max(made.bytes, WrittenBytes(value));
  } else if (name == "batch" || name == "slice") {
    made.bytes = std::max(made.bytes, ProductOf(count, AtLeastOne(longest)));
    made.elements = std::max(made.elements, static_cast<std::uint32_t>(count));
  } else if (Counts(name)) {
    made.bytes = std::max(made.bytes, count);
    made.elements = std::max(made.elements, static_cast<std::uint32_t>(count));
  } else if (name == "length" || name == "count" || name == "wordcount" || name == "find" ||
             name == "index" || name == "rfind" || name == "rindex") {
    // The length of a text with a message in it is unknown.
    const bool known = value.container || elements >= MessageBytes(value);
    made.most = known ? static_cast<std::int64_t>(std::min<std::uint64_t>(elements, INT64_MAX)) : 0;
  } else if (name == "int" || name == "float") {
    // Text that the template makes may have any digits.
    if (!made.IsExact()) made.most = value.HoldsText() ? INT64_MAX : Reach(value);
    made.supposed = value.supposed;
  } else if (name == "abs" || name == "round") {
    made.most = Reach(value);
    made.supposed = value.supposed;
  } else if (name == "sum") {
    const std::uint64_t all = ProductOf(ReachOf(value), AtLeastOne(value.elements));
    made.most = static_cast<std::int64_t>(std::min<std::uint64_t>(all, INT64_MAX));
  }
  if (whole && value.outside) made.bytes = std::max(made.bytes, kConversation);
}

void CheckWidths(const TemplateValue& pattern, Formatting formatting, const JinjaToken& token,
                 TemplateScope& scope) {
  for (const Constant& item : pattern.items) {
    // If the budget is used up, the pattern counts as unknown: CheckFormat() and CheckPattern().
    if (item.number || !scope.store.budget().Spend(item.text.size())) continue;
    const Widths widths =
        formatting == Formatting::kPercent ? PercentWidths(item.text) : BraceWidths(item.text);
    AddRepeat(widths.total, token, scope);
    if (widths.total <= kTemplateWidth) scope.Charge(widths.total / kBytesOfStep);
    if (!widths.computed.empty()) scope.Add(Kind::kComputedWidth, token, widths.computed);
  }
}

void ChargeTags(const TemplateValue& text, std::uint64_t times, TemplateScope& scope) {
  constexpr std::uint64_t kStepsOfBracket = 7;
  TemplateWeight& weight = scope.Weight(scope.macro);
  const std::uint64_t each = ProductOf(kStepsOfBracket, ProductOf(times, scope.rounds));
  weight.tags = Kept(SumOf(weight.tags, ProductOf(BracketsIn(text, scope), each)));
  if (weight.tags > kTemplateSteps && weight.at == 0) weight.at = scope.at;
}

void CheckGrowth(const TemplateValue& made, const JinjaToken& token, TemplateScope& scope) {
  if (made.bytes > kTemplateMade) return scope.Add(Kind::kMade, token, {}, made.bytes);
  if (made.depth > kTemplateChain) scope.Add(Kind::kChain, token, {}, made.depth);
  ChargeSize(made, scope);
}

void ChargeOperands(std::string_view symbol, const TemplateValue& left, const TemplateValue& right,
                    TemplateScope& scope) {
  ChargeSize(left, scope);
  ChargeSize(right, scope);
  if (symbol == "in") scope.Charge(ProductOf(left.bytes, right.bytes) / kComparisonsOfStep);
}

void ChargeSearch(std::string_view method, const TemplateValue& text,
                  const TemplateArguments& arguments, TemplateScope& scope) {
  static constexpr std::array<std::string_view, 12> kSearches = {
      "find",  "rfind",  "index",     "rindex",     "count", "replace",
      "split", "rsplit", "partition", "rpartition", "strip", "trim"};
  ChargeSize(text, scope);
  for (const TemplateArgument& argument : arguments) ChargeSize(argument.value, scope);
  // These search for the end of each tag from its start.
  if (method == "striptags" || method == "urlize")
    scope.Charge(ProductOf(text.bytes, text.bytes) / kBytesOfStep / 1024);
  // Measured on llama.cpp v0.5.0: five million comparisons take 5 s at start.
  constexpr std::uint64_t kComparisonsOfSort = 64;
  if (method == "sort" || method == "dictsort") {
    const auto depth = static_cast<std::uint64_t>(std::bit_width(std::uint64_t{text.elements}));
    scope.Charge(ProductOf(text.elements, depth) / kComparisonsOfSort);
  }
  // Python's codec punycode searches for each character in the whole text.
  if (method == "encode" && !arguments.empty()) {
    scope.Charge(ProductOf(text.bytes, text.bytes) / kBytesOfStep / 64);
  }
  if (arguments.empty() || std::ranges::count(kSearches, method) == 0) return;
  const std::uint64_t sought = arguments.front().value.bytes;
  scope.Charge(ProductOf(text.bytes, sought) / kComparisonsOfStep);
}

void ChargeSize(const TemplateValue& value, TemplateScope& scope, std::uint64_t times) {
  if (value.bytes > kTemplateMade) return;  // a separate error
  // Measured on llama.cpp v0.5.0: ('x' * 90000) * 9 takes 3 to 5 s at start.
  constexpr std::uint64_t kCopiesOfStep = 8;
  const std::uint64_t steps = value.bytes / kBytesOfStep + value.elements / kElementsOfStep +
                              value.copies * (TemplateSizes::kCopies / kCopiesOfStep);
  scope.Charge(ProductOf(steps, times));
}

}  // namespace ggufgate
