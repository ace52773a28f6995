// Calls of macros in expressions of templates, by their names or as values.

#include <algorithm>

#include "jinja/expressions/expression.h"
#include "jinja/resource_use/own_lists.h"

namespace ggufgate {
namespace {

using Pool = TemplateScope::Pool;

// Spread returns the values that an argument passes: for `*a` and `**a`, each element.
TemplateValue Spread(const TemplateArgument& argument, const TemplateScope& scope) {
  return argument.name.starts_with('*') ? scope.Element(argument.value) : argument.value;
}

}  // namespace

// CallAny passes arguments to every macro, and to the loops that call themselves.
void ExpressionReader::CallAny(const TemplateFrame& frame) {
  NoteLoopedCall(scope_.AnyMacro(), scope_);
  scope_.calls.push_back({.caller = scope_.macro,
                          .callee = scope_.AnyMacro(),
                          .in_block = scope_.named_blocks > 0,
                          .rounds = scope_.rounds,
                          .data_rounds = scope_.data_rounds,
                          .at = frame.token->begin,
                          .size = 1});
  for (const TemplateArgument& argument : frame.arguments) {
    const bool named = !argument.name.empty() && !argument.name.starts_with('*');
    if (named) scope_.SetParameter(TemplateScope::kNoSlot, argument.name, argument.value);
    if (named) scope_.HandAny(argument.value);          // kwargs
    if (named && frame.target.value.alias == "loop") {  // `loop(iterable=x)`
      scope_.Gather(Pool::kArgument, argument.value);
    }
    if (!named) scope_.Gather(Pool::kArgument, Spread(argument, scope_));
  }
}

// HandOver records the arguments of a call within a macro. Spread arguments have no known position.
void ExpressionReader::HandOver(const TemplateFrame& frame, const TemplateMacro& macro,
                                MacroCall& call) const {
  if (macro.several || scope_.macro == TemplateScope::kNoSlot) return;
  const auto spread = [](const TemplateArgument& argument) {
    return argument.name.starts_with('*');
  };
  if (std::ranges::any_of(frame.arguments, spread)) return;
  std::size_t position = 0;
  for (const TemplateArgument& argument : frame.arguments) {
    const auto named = std::ranges::find(macro.parameters, argument.name);
    const std::size_t place = argument.name.empty()
                                  ? position++
                                  : static_cast<std::size_t>(named - macro.parameters.begin());
    if (place >= std::min(macro.parameters.size(), kFollowedParameters)) continue;
    call.handed.at(place) = scope_.HandedAs(argument.value, call.at);
  }
}

TemplateValue ExpressionReader::CallMacro(const TemplateFrame& frame, std::string_view name,
                                          TemplateMacro& macro) {
  const std::size_t of = scope_.SlotOf(name);
  std::size_t position = 0;
  for (const TemplateArgument& argument : frame.arguments) {
    if (argument.name.starts_with('*')) {
      scope_.Gather(Pool::kArgument, Spread(argument, scope_));
      scope_.SpreadTo(of);
    } else if (!argument.name.empty()) {
      scope_.SetParameter(of, argument.name, argument.value);
      if (std::ranges::count(macro.parameters, argument.name) == 0) scope_.HandAny(argument.value);
    } else {
      if (position < macro.parameters.size()) {
        scope_.SetParameter(of, macro.parameters.at(position), argument.value);
      } else {
        scope_.HandAny(argument.value);
      }
      scope_.HandIn(macro, position++, argument.value);
    }
    if (macro.several) scope_.HandAny(argument.value);  // one definition may have fewer parameters
  }
  // A variable of that name may be another macro.
  const bool other = scope_.IsSet(name);
  const bool any = other && scope_.Variable(name).callables > 0;
  if (any) CallAny(frame);
  if (name == "caller") {
    scope_.CountCaller();
  } else {
    MacroCall call{.caller = scope_.macro,
                   .callee = of,
                   .certain = scope_.certain,
                   .in_block = scope_.named_blocks > 0,
                   .rounds = scope_.rounds,
                   .data_rounds = scope_.data_rounds,
                   .at = frame.token->begin,
                   .size = 1};
    HandOver(frame, macro, call);
    // Within a macro, the name of a parameter means another object.
    if (!scope_.IsParameter(name)) scope_.calls.push_back(std::move(call));
  }
  NoteLoopedCall(of, scope_);
  scope_.ChargeCopies(1);
  TemplateValue output = macro.output;
  output.given = {};  // it may be a part of the macro's arguments
  const bool unknown = other || (output.IsNothing() && !scope_.first_reading());
  if (unknown && output.computed.empty()) output.computed = name;
  std::uint64_t handed = 0;
  for (const TemplateArgument& argument : frame.arguments) {
    AddParts(output, argument.value);
    handed = SumOf(handed, AtLeastAByte(argument.value));
  }
  if (macro.doubles) RepeatParts(output);
  scope_.AddReads(macro, output);
  if (any) scope_.AddAnyReads(output);
  // The macro may write each argument more than once, also under other names.
  const std::uint64_t times = std::max<std::uint64_t>(macro.writes, 2);
  output.bytes = std::max(output.bytes, ProductOf(handed, times));
  CheckGrowth(output, *frame.token, scope_);
  output.written = true;
  return output;
}

}  // namespace ggufgate
