// Checks of an expression in a template: names, patterns and comparisons.

#include <algorithm>

#include "jinja/expression_checks.h"
#include "jinja/values/effects.h"
#include "jinja/values/names.h"

namespace ggufgate {
namespace {

using Kind = TemplateRemark::Kind;
using Content = TemplateValue::Content;

const Constant* InsideOf(const TemplateValue& name) {
  const auto found = std::ranges::find_if(name.items, MayReachInside);
  return found == name.items.end() ? nullptr : &*found;
}

const Constant* PhraseIn(const TemplateValue& value) {
  if (value.content != Content::kNone) return nullptr;
  constexpr std::size_t kEnough = 256;  // enough to distinguish words from mark-up
  const auto found = std::ranges::find_if(value.items, [](const Constant& item) {
    return !item.number && IsPhrase(item.text.substr(0, kEnough));
  });
  return found == value.items.end() ? nullptr : &*found;
}

void AddPhrase(Content content, const TemplateValue& words, const JinjaToken& token,
               TemplateScope& scope) {
  const Constant* phrase = PhraseIn(words);
  if (content == Content::kNone || phrase == nullptr) return;
  const bool of_user = content == Content::kUser && scope.of_user;
  scope.Add(of_user ? Kind::kPhrase : Kind::kPhraseOfOther, token, phrase->text);
}

}  // namespace

void CheckName(const TemplateValue& name, const JinjaToken& token, TemplateScope& scope) {
  const Constant* inside = InsideOf(name);
  if (inside != nullptr && inside->reported) return;
  if (inside != nullptr) return scope.Add(Kind::kInternalName, token, inside->text);
  if (!name.computed.empty()) scope.Add(Kind::kComputedName, token, name.computed);
}

void CheckTaken(std::string_view method, const JinjaToken& token, TemplateScope& scope) {
  if (StoresIn(method) || method == "pop") scope.Add(Kind::kTaken, token, method);
}

void CheckRebound(std::string_view name, Meaning meaning, TemplateScope& scope) {
  const bool macro = meaning == Meaning::kMacro && IsEngineFunction(name);
  if (!IsEngineObject(name) && !macro) return;
  scope.Add({.kind = Kind::kRebound, .at = scope.at, .size = 2, .name = std::string(name)});
}

void CheckAssembled(TemplateValue& made, const std::vector<const TemplateValue*>& before,
                    const JinjaToken& token, TemplateScope& scope) {
  for (Constant& item : made.items) {
    if (item.number || !IsDunder(item.text) || item.reported) continue;
    const bool was_there = std::ranges::any_of(before, [&](const TemplateValue* value) {
      return std::ranges::count(value->items, item.text, &Constant::text) > 0;
    });
    if (was_there) continue;
    scope.Add(Kind::kAssembledName, token, item.text);
    item.reported = true;
  }
}

void CheckLiteral(TemplateValue& literal, const JinjaToken& token, TemplateScope& scope) {
  if (token.text.find('\\') != std::string_view::npos) CheckAssembled(literal, {}, token, scope);
}

void CheckVariableName(const JinjaToken& token, bool called, TemplateScope& scope) {
  if (IsDunder(token.text)) scope.Add(Kind::kInternalName, token, token.text);
  if (scope.IsSet(token.text)) return;  // a variable of the template with that name
  const bool object = token.text == "cycler" || token.text == "joiner";
  if (token.text == "lipsum" || (object && !called)) scope.Add(Kind::kHelper, token, token.text);
}

namespace {

// IsNoFilter tells whether a method is not a filter of Jinja2. In llama.cpp, every method is a
// filter.
bool IsNoFilter(std::string_view name) {
  using enum TemplateEffect;
  return StoresIn(name) || (EffectOfFilter(name) == kText && EffectOfMethod(name) != kText);
}

// CheckAttribute checks an argument that names an attribute of each element of `value`.
void CheckAttribute(const TemplateValue& name, const JinjaToken& filter, const TemplateValue& value,
                    TemplateScope& scope) {
  CheckName(name, filter, scope);
  for (const Constant& item : name.items) {
    if (item.number || item.text.size() > TextStore::kLongest) continue;
    CheckTaken(item.text, filter, scope);
    if (item.text.find("format") != std::string_view::npos) {
      CheckFormat(value, "format", filter, scope);
    }
  }
}

// MappedArgument returns the position of that argument for a filter that map() applies. It returns
// kAll if the filter is not known for certain.
AttributeArgument MappedArgument(const TemplateValue& mapped, const JinjaToken& filter,
                                 TemplateScope& scope) {
  AttributeArgument handed = AttributeArgument::kNone;
  if (!mapped.computed.empty()) scope.Add(Kind::kComputedName, filter, mapped.computed);
  if (!mapped.IsExact()) handed = AttributeArgument::kAll;
  for (const Constant& inner : mapped.items) {
    if (inner.text == "attr") scope.Add(Kind::kAttrFilter, filter, "attr");
    if (IsNoFilter(inner.text)) scope.Add(Kind::kCalled, filter, inner.text);
    const AttributeArgument takes = AttributeArgumentOf(inner.text);
    if (takes == handed || takes == AttributeArgument::kNone) continue;
    handed = handed == AttributeArgument::kNone ? takes : AttributeArgument::kAll;
  }
  return handed;
}

}  // namespace

void CheckFilter(const JinjaToken& filter, const TemplateValue& value,
                 const TemplateArguments& arguments, TemplateScope& scope) {
  if (IsNoFilter(filter.text)) scope.Add(Kind::kCalled, filter, filter.text);
  if (filter.text == "attr") {
    const Constant* inside = arguments.empty() ? nullptr : InsideOf(arguments.front().value);
    if (inside == nullptr || !inside->reported) {
      scope.Add(Kind::kAttrFilter, filter, inside == nullptr ? "attr" : inside->text);
    }
    return;
  }
  if (filter.text == "format") CheckPattern(value, Formatting::kPercent, filter, scope);
  AttributeArgument where = AttributeArgumentOf(filter.text);
  if (where == AttributeArgument::kNone) return;
  std::size_t position = 0;
  std::size_t handed_from = 0;
  for (const TemplateArgument& argument : arguments) {
    const bool named = !argument.name.empty();
    const std::size_t place = named ? 0 : ++position;
    if (argument.name.starts_with('*')) {
      scope.Add(Kind::kComputedName, filter, argument.name);
    } else if (filter.text == "map" && place == 1) {
      where = MappedArgument(argument.value, filter, scope);
      handed_from = 1;
    } else if (named ? argument.name == "attribute" || argument.name == "name"
                     : where == AttributeArgument::kAll ||
                           (where != AttributeArgument::kNone &&
                            place == static_cast<std::size_t>(where) + handed_from)) {
      CheckAttribute(argument.value, filter, value, scope);
    }
  }
}

void CheckFormat(const TemplateValue& pattern, std::string_view method, const JinjaToken& token,
                 TemplateScope& scope) {
  if (!IsFormat(method)) return;
  CheckPattern(pattern, Formatting::kBraces, token, scope);
  for (const Constant& item : pattern.items) {
    if (item.number) continue;
    if (!scope.store.budget().Spend(item.text.size())) {
      return scope.Add(Kind::kComputedPattern, token, "more than is followed");
    }
    for (const std::string_view part : FieldParts(item.text)) {
      if (IsInternal(part)) return scope.Add(Kind::kFormatString, token, part);
    }
  }
}

void CheckPattern(const TemplateValue& pattern, Formatting formatting, const JinjaToken& token,
                  TemplateScope& scope) {
  if (!pattern.computed.empty()) scope.Add(Kind::kComputedPattern, token, pattern.computed);
  CheckWidths(pattern, formatting, token, scope);
}

void CheckComparison(const JinjaToken& symbol, const TemplateValue& left,
                     const TemplateValue& right, TemplateScope& scope) {
  AddPhrase(right.content, left, symbol, scope);
  AddPhrase(left.content, right, symbol, scope);
}

void CheckContentMethod(const JinjaToken& method, const TemplateValue& receiver,
                        const TemplateArguments& arguments, TemplateScope& scope) {
  const std::string_view name = method.text;
  const bool looks = name == "startswith" || name == "endswith" || name == "find" ||
                     name == "rfind" || name == "index" || name == "count";
  if (looks && !arguments.empty()) {
    AddPhrase(receiver.content, arguments.front().value, method, scope);
  }
}

}  // namespace ggufgate
