// Calls of functions in expressions of templates: functions of the engine, and unknown ones.

#include <algorithm>

#include "jinja/expressions/expression.h"
#include "jinja/values/names.h"

namespace ggufgate {

using Pool = TemplateScope::Pool;

namespace {

// IsDate tells whether the argument is `%d` or similar: the template cannot choose the result of
// strftime_now().
bool IsDate(const TemplateArguments& arguments) {
  if (arguments.size() != 1 || !arguments.front().value.IsExact()) return false;
  return std::ranges::all_of(arguments.front().value.items, [](const Constant& item) {
    const std::string_view text = item.text;
    const char letter = text.empty() ? '\0' : static_cast<char>(text.back() | 0x20);
    // Seconds since 1970 and microseconds are large numbers.
    const bool large = text.ends_with('s') || text.ends_with('f');
    return text.size() == 2 && text.front() == '%' && letter >= 'a' && letter <= 'z' && !large;
  });
}

}  // namespace

bool HandsMacro(const TemplateArguments& arguments) {
  return std::ranges::any_of(
      arguments, [](const TemplateArgument& argument) { return argument.value.callables > 0; });
}

void ChargeSelfCall(TemplateScope& scope, std::uint64_t levels) {
  constexpr std::uint64_t kMostLevels = 32;
  scope.self_calls = std::min(SumOf(scope.self_calls, levels), kMostLevels);
  scope.Charge(std::uint64_t{1} << scope.self_calls);
}

// A variable of that name may have any other value.
TemplateValue ExpressionReader::CallFunction(const TemplateFrame& frame, std::string_view name) {
  TemplateValue made = CallEngine(frame, name);
  if (!IsEngineFunction(name) || !scope_.IsSet(name)) return made;
  if (frame.target.value.callables > 0) CallAny(frame);
  Absorb(made, FoldUnknown(name, {}, frame.arguments));
  return made;
}

// CheckCalled checks a value that is called. If it is not a macro, it may be a method of any
// object, with unknown costs and results.
void ExpressionReader::CheckCalled(const TemplateFrame& frame, std::string_view name) {
  const TemplateValue& value = frame.target.value;
  if (scope_.first_reading()) return;
  const bool set = name.empty() || scope_.IsSet(name);
  const bool macro = !name.empty() && scope_.MacroNamed(name) != nullptr;
  const bool known = !set && (macro || IsEngineFunction(name));
  const bool joiner = !name.empty() && scope_.IsJoiner(name);  // its calls return its argument
  if (set && value.callables == 0 && !macro && !joiner) {
    scope_.Add(TemplateRemark::Kind::kCalled, *frame.token, name);
  } else if (HandsMacro(frame.arguments) && !known && name != "caller" && name != "loop") {
    // A method may call a macro that it receives: `l.sort(key=m)`.
    scope_.Add(TemplateRemark::Kind::kTaken, *frame.token, name);
  }
}

TemplateValue ExpressionReader::CallEngine(const TemplateFrame& frame, std::string_view name) {
  CheckCalled(frame, name);
  const bool makes_namespace = name == "namespace";
  const bool makes_dictionary = name == "dict";
  CheckCosts(name, *frame.token, frame.arguments);
  if (name == "range") {
    TemplateValue numbers = RangeOf(*frame.token, frame.arguments, scope_);
    if (numbers.elements <= kTemplateRounds) CheckGrowth(numbers, *frame.token, scope_);
    return numbers;
  }
  if (name == "loop") {
    const std::uint64_t depth = scope_.Gathered(Pool::kLooped).depth;
    if (++scope_.loop_calls > 1) ChargeSelfCall(scope_, depth);
    // A loop that calls itself with a new list never stops. A loop over a part of an element stops.
    const bool made = std::ranges::any_of(frame.arguments, [](const TemplateArgument& argument) {
      return argument.value.made && argument.value.container;
    });
    if (made) scope_.Add(TemplateRemark::Kind::kSelfCallBlind, *frame.token, name);
  }
  if (name == "strftime_now" && IsDate(frame.arguments)) return DataValue();
  TemplateMacro* macro = scope_.MacroNamed(name);
  if (macro != nullptr) return CallMacro(frame, name, *macro);
  if (!makes_namespace && !makes_dictionary && name != "cycler") {
    if (frame.target.value.callables > 0) CallAny(frame);
    if (name == "joiner") scope_.MakeJoiner(frame.arguments);
    TemplateValue made = FoldUnknown(name.empty() ? "()" : name, {}, frame.arguments);
    made.given = {.others = kForeign};
    const TemplateValue any = scope_.HandedAny();
    made.bytes = std::max(made.bytes, any.bytes);
    made.most = std::max(made.most, LargestOf(any));
    if (scope_.joins()) AddParts(made, any);
    if (frame.target.value.callables > 0) scope_.AddAnyReads(made);
    if (!frame.arguments.empty()) {  // in llama.cpp, tojson is also a function
      Measure(name, frame.arguments.front().value, frame.arguments, made, scope_);
    }
    CheckGrowth(made, *frame.token, scope_);
    return made;
  }
  TemplateValue made;
  made.container = !makes_namespace;
  made.namespaces = makes_namespace ? 1 : 0;
  for (const TemplateArgument& argument : frame.arguments) {
    const bool named = !argument.name.empty() && !argument.name.starts_with('*');
    if (makes_namespace && named) {
      scope_.SetField(argument.name, argument.value);
      TemplateValue held;
      held.parts = argument.value.parts;
      PutInside(held);
      AddParts(made, held);
      continue;
    }
    if (named) scope_.KeepKey(argument.name, argument.value);
    if (!named) scope_.KeepAnyKey(argument.value);
    // Another dictionary, or pairs: their keys and values become those of the new dictionary.
    Absorb(made, Held(argument.value));
    if (!named) Absorb(made, argument.value);
    // Pairs, and the values of a cycler, leave their containers.
    if (!named) MixDepths(made);
    if (makes_dictionary && named) Absorb(made, Held(TextValue(argument.name)));
  }
  made.container = !makes_namespace;
  if (!made.given.IsGiven()) made.given.others = kForeign;
  made.made = true;
  made.alias = {};
  made.elements = AddElements(made.elements, frame.arguments.size());
  return made;
}

}  // namespace ggufgate
