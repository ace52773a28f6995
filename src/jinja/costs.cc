// What rendering an expression of a template would cost.

#include <algorithm>
#include <array>

#include "jinja/scope.h"

namespace ggufgate {
namespace {

using Kind = TemplateRemark::Kind;

// LargestOf is the largest number a value may be.
std::optional<std::int64_t> LargestOf(const TemplateValue& value) {
  std::optional<std::int64_t> largest;
  for (const Constant& item : value.items) {
    if (item.number && value.deepest == 0)
      largest = std::max(largest.value_or(*item.number), *item.number);
  }
  return largest;
}

void AddRepeat(std::int64_t times, const JinjaToken& token, TemplateScope& scope) {
  if (times > 0 && static_cast<std::uint64_t>(times) > kTemplateRounds) {
    scope.Add(Kind::kRepeat, token, {}, static_cast<std::uint64_t>(times));
  }
}

// Filters and methods that make as many characters, or elements, as an argument says.
// Source: the signatures in jinja2/filters.py 3.1.6 and of Python's str and int.
bool Counts(std::string_view name) {
  static constexpr std::array<std::string_view, 9> kNames = {
      "center", "ljust", "rjust", "zfill", "indent", "batch", "slice", "expandtabs", "to_bytes"};
  return std::ranges::count(kNames, name) > 0;
}

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// LargestIn is the largest number that a pattern gives as width or precision, or as the number of a
// field.
std::int64_t LargestIn(std::string_view pattern) {
  constexpr std::int64_t kEnough = std::int64_t{1} << 50;
  std::int64_t largest = 0;
  for (std::size_t at = pattern.find_first_of("%{"); at < pattern.size();
       at = pattern.find_first_of("%{", at)) {
    // Behind a percent sign stand flags and digits, between braces anything.
    const std::string_view ends = pattern.at(at) == '{' ? "{}%" : "";
    const std::string_view flags = "#0- +.";
    std::int64_t number = 0;
    for (++at; at < pattern.size(); ++at) {
      const char c = pattern.at(at);
      if (!IsDigit(c)) number = 0;
      if (IsDigit(c) && number < kEnough) number = number * 10 + (c - '0');
      largest = std::max(largest, number);
      const bool goes_on = ends.empty() ? IsDigit(c) || flags.find(c) != std::string_view::npos
                                        : ends.find(c) == std::string_view::npos;
      if (!goes_on) break;
    }
  }
  return largest;
}

}  // namespace

std::uint64_t CheckRange(const JinjaToken& token, const TemplateArguments& arguments,
                         TemplateScope& scope) {
  if (arguments.empty()) return 0;
  std::vector<std::int64_t> numbers;
  for (const TemplateArgument& argument : arguments) {
    const auto number = LargestOf(argument.value);
    if (!number || numbers.size() == 3) return 0;
    numbers.push_back(*number);
  }
  const std::int64_t first = numbers.size() > 1 ? numbers.at(0) : 0;
  const std::int64_t last = numbers.size() > 1 ? numbers.at(1) : numbers.at(0);
  const std::int64_t step = numbers.size() > 2 ? numbers.at(2) : 1;
  if (step == 0 || (step > 0 ? last <= first : last >= first)) return 0;
  const auto low = static_cast<std::uint64_t>(std::min(first, last));
  const auto high = static_cast<std::uint64_t>(std::max(first, last));
  const std::uint64_t stride =
      step > 0 ? static_cast<std::uint64_t>(step) : 0 - static_cast<std::uint64_t>(step);
  const std::uint64_t rounds = (high - low - 1) / stride + 1;
  if (rounds > kTemplateRounds) scope.Add(Kind::kRange, token, {}, rounds);
  return rounds;
}

void CheckRepeat(const JinjaToken& symbol, const TemplateValue& left, const TemplateValue& right,
                 TemplateScope& scope) {
  if (symbol.text == "**") {
    // A power of a power that is too large to be known may have any number of digits.
    const bool huge = left.Number() == INT64_MAX && right.Number().value_or(2) > 1;
    return AddRepeat(huge ? INT64_MAX : LargestOf(right).value_or(0), symbol, scope);
  }
  if (symbol.text != "*" || left.IsNumber() == right.IsNumber()) return;
  AddRepeat(LargestOf(left.IsNumber() ? left : right).value_or(0), symbol, scope);
}

void CheckCount(const JinjaToken& name, const TemplateValue& value,
                const TemplateArguments& arguments, TemplateScope& scope) {
  if (Counts(name.text)) {
    for (const TemplateArgument& argument : arguments) {
      AddRepeat(LargestOf(argument.value).value_or(0), name, scope);
    }
  }
  if (name.text != "join" || arguments.empty()) return;
  // Between the elements of a range stands the text, or between those of the argument the value.
  const TemplateValue& other = arguments.front().value;
  TemplateValue made;
  made.bytes = std::max(ProductOf(value.rounds, other.bytes), ProductOf(other.rounds, value.bytes));
  CheckGrowth(made, name, scope);
}

void CheckWidths(const TemplateValue& pattern, const JinjaToken& token, TemplateScope& scope) {
  for (const Constant& item : pattern.items) {
    // Where the budget ends, the pattern counts as not known: CheckFormat() and CheckPattern().
    if (item.number || !scope.store.budget().Spend(item.text.size())) continue;
    AddRepeat(LargestIn(item.text), token, scope);
  }
}

void CheckGrowth(const TemplateValue& made, const JinjaToken& token, TemplateScope& scope) {
  if (made.bytes > kTemplateMade) scope.Add(Kind::kMade, token, {}, made.bytes);
}

void CheckOwnList(const JinjaToken& method, const TemplateValue& receiver, TemplateScope& scope) {
  static constexpr std::array<std::string_view, 3> kAdding = {"append", "extend", "insert"};
  if (std::ranges::count(kAdding, method.text) == 0) return;
  // Deeper ones are an error of their own.
  const std::size_t most = std::min<std::size_t>(scope.loops.size(), kTemplateNesting);
  for (std::size_t i = 0; i < most; ++i) {
    const TemplateValue& loop = scope.loops.at(i);
    const bool named = !loop.alias.empty() && !receiver.alias.empty();
    const bool same =
        named ? loop.alias == receiver.alias && loop.alias_is_field == receiver.alias_is_field
              : loop.rounds == 0 && (loop.container || loop.alias.empty());
    if (same) return scope.Add(Kind::kOwnList, method, receiver.alias);
  }
}

}  // namespace ggufgate
