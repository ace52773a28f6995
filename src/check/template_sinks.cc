// What an expression in a template is looked at for: the rules' facts, one function each.

#include <algorithm>

#include "check/template_names.h"
#include "check/template_scope.h"

namespace ggufgate {
namespace {

using Kind = TemplateRemark::Kind;

// Shown writes holes as an ellipsis.
std::string Shown(const std::string& text) { return ReplaceAll(text, {&kHole, 1}, "…"); }

// ReachesInside is true for a path of attributes, "a.b,c.d", with an internal name in it. Texts
// that went through something not followed count by a double underscore; a name that the template
// deciphers always does: whoever means a plain one writes it.
bool ReachesInside(const Constant& constant) {
  if (constant.opaque) return true;
  if (constant.inexact && constant.text.find("__") != std::string::npos) return true;
  std::string_view rest = constant.text;
  while (true) {
    const std::size_t end = rest.find_first_of(".,");
    if (IsInternal(rest.substr(0, end))) return true;
    if (end == std::string_view::npos) return false;
    rest.remove_prefix(end + 1);
  }
}

const Constant* InsideOf(const TemplateValue& name) {
  const auto reaches = [](const Constant& item) { return !item.number && ReachesInside(item); };
  const auto found = std::ranges::find_if(name.items, reaches);
  return found == name.items.end() ? nullptr : &*found;
}

bool SaysPhrase(const TemplateValue& value) {
  return value.IsScalar() && !value.content &&
         std::ranges::any_of(value.items, [](const Constant& item) { return IsPhrase(item.text); });
}

std::string PhraseOf(const TemplateValue& value) {
  return std::ranges::find_if(value.items, [](const Constant& item) { return IsPhrase(item.text); })
      ->text;
}

// LargestOf is the largest number a value may be.
std::optional<std::int64_t> LargestOf(const TemplateValue& value) {
  std::optional<std::int64_t> largest;
  for (const Constant& item : value.items) {
    if (item.number && value.IsScalar())
      largest = std::max(largest.value_or(*item.number), *item.number);
  }
  return largest;
}

}  // namespace

void CheckName(const TemplateValue& name, const JinjaToken& token, TemplateScope& scope) {
  const Constant* inside = InsideOf(name);
  if (inside == nullptr || inside->reported) return;
  scope.Add(Kind::kInternalName, token, Shown(inside->text));
}

void CheckAssembled(TemplateValue& made, const std::vector<const TemplateValue*>& before,
                    const JinjaToken& token, TemplateScope& scope) {
  if (!made.IsScalar()) return;
  for (Constant& item : made.items) {
    if (!IsDunder(item.text) || item.reported) continue;
    const bool was_there = std::ranges::any_of(before, [&](const TemplateValue* value) {
      return std::ranges::count(value->items, item.text, &Constant::text) > 0;
    });
    if (was_there) continue;
    scope.Add(Kind::kAssembledName, token, Shown(item.text));
    item.reported = true;
  }
}

void CheckLiteral(TemplateValue& literal, const JinjaToken& token, TemplateScope& scope) {
  if (token.text.find('\\') != std::string_view::npos) CheckAssembled(literal, {}, token, scope);
}

void CheckVariableName(const JinjaToken& token, bool called, TemplateScope& scope) {
  if (IsDunder(token.text)) scope.Add(Kind::kInternalName, token, token.text);
  if (scope.IsSet(token.text)) return;  // the template's own variable of that name
  const bool object = token.text == "cycler" || token.text == "joiner";
  if (token.text == "lipsum" || (object && !called)) scope.Add(Kind::kHelper, token, token.text);
}

void CheckFilter(const JinjaToken& filter, const TemplateArguments& arguments,
                 TemplateScope& scope) {
  const AttributeArgument where = AttributeArgumentOf(filter.text);
  std::size_t position = 0;
  bool hands_on = false;  // map('groupby', …) hands its arguments on
  for (const TemplateArgument& argument : arguments) {
    const bool named = !argument.name.empty();
    const std::size_t place = named ? 0 : ++position;
    if (where == AttributeArgument::kAll && place == 1) {
      for (const Constant& inner : argument.value.items) {
        hands_on = hands_on || AttributeArgumentOf(inner.text) != AttributeArgument::kNone;
        if (inner.text != "attr") continue;
        scope.Add(Kind::kAttrFilter, filter, "attr");
        return;
      }
    }
    const bool attribute = named ? argument.name == "attribute" || argument.name == "name"
                                 : hands_on || place == static_cast<std::size_t>(where);
    if (filter.text != "attr" && attribute && where != AttributeArgument::kNone) {
      CheckName(argument.value, filter, scope);
    }
  }
  if (filter.text != "attr") return;
  const Constant* inside = arguments.empty() ? nullptr : InsideOf(arguments.front().value);
  if (inside != nullptr && inside->reported) return;
  scope.Add(Kind::kAttrFilter, filter, inside == nullptr ? "attr" : Shown(inside->text));
}

void CheckFormat(const TemplateValue& pattern, const JinjaToken& method, TemplateScope& scope) {
  if (method.text != "format" && method.text != "format_map") return;
  for (const Constant& item : pattern.items) {
    for (const std::string_view part : FieldParts(item.text)) {
      if (!IsInternal(part)) continue;
      scope.Add(Kind::kFormatString, method, Shown(std::string(part)));
      return;
    }
  }
}

void CheckComparison(const JinjaToken& symbol, const TemplateValue& left,
                     const TemplateValue& right, TemplateScope& scope) {
  if (SaysPhrase(left) && right.content) scope.Add(Kind::kPhrase, symbol, PhraseOf(left));
  if (SaysPhrase(right) && left.content) scope.Add(Kind::kPhrase, symbol, PhraseOf(right));
}

void CheckContentMethod(const JinjaToken& method, const TemplateValue& receiver,
                        const TemplateArguments& arguments, TemplateScope& scope) {
  const std::string_view name = method.text;
  const bool looks = name == "startswith" || name == "endswith" || name == "find" ||
                     name == "rfind" || name == "index" || name == "count";
  if (!looks || !receiver.content || arguments.empty()) return;
  const TemplateValue words = AnyOf(arguments.front().value);
  if (SaysPhrase(words)) scope.Add(Kind::kPhrase, method, PhraseOf(words));
}

std::uint64_t CheckRange(const JinjaToken& token, const TemplateArguments& arguments,
                         TemplateScope& scope) {
  if (arguments.empty()) return 0;
  std::vector<std::int64_t> numbers;
  for (const TemplateArgument& argument : arguments) {
    const auto number = LargestOf(argument.value);
    if (!number) return 0;
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
  const auto text = [](const TemplateValue& value) {
    return value.IsList() || (value.IsScalar() && !value.items.front().number);
  };
  const TemplateValue& count = text(left) ? right : left;
  if (symbol.text != "*" || text(left) == text(right)) return;
  const std::int64_t times = LargestOf(count).value_or(0);
  if (times > 0 && static_cast<std::uint64_t>(times) > kTemplateRounds) {
    scope.Add(Kind::kRepeat, symbol, {}, static_cast<std::uint64_t>(times));
  }
}

}  // namespace ggufgate
