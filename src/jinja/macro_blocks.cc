// Macros and call blocks of a template: the arguments and results of their calls.

#include <algorithm>

#include "jinja/reader.h"

namespace ggufgate {

using Pool = TemplateScope::Pool;

void TemplateReader::ReadMacro(JinjaTokens tokens) {
  if (tokens.empty() || !tokens.front().IsName()) return;
  const std::string_view name = tokens.front().text;
  scope_.Bind(name, ComputedValue(name));
  CheckRebound(name, Meaning::kMacro, scope_);
  Open("macro", name);
  scope_.macro = scope_.SlotOf(name);
  ReadSignature(name, tokens.subspan(1));
}

// ReadSignature defines a macro. `tokens` are the tokens in brackets after its name.
void TemplateReader::ReadSignature(std::string_view name, JinjaTokens tokens) {
  std::vector<std::string_view> parameters = ParametersIn(tokens);
  for (const std::string_view parameter : parameters) {
    CheckRebound(parameter, Meaning::kVariable, scope_);
  }
  TemplateMacro* macro = scope_.DefineMacro(name);
  if (macro == nullptr) return;
  scope_.SetParameters(*macro, std::move(parameters));
  const std::size_t of = scope_.SlotOf(name);
  for (std::size_t i = 0; i < macro->parameters.size(); ++i) {
    const std::string_view parameter = macro->parameters.at(i);
    if (!macro->handed.empty()) {
      scope_.SetParameter(of, parameter, macro->handed.at(std::min(i, macro->handed.size() - 1)));
    }
    scope_.SetParameter(of, parameter, scope_.Gathered(Pool::kArgument));
    if (scope_.MayGetAny(of)) scope_.SetParameter(of, parameter, scope_.HandedAny());
  }
  if (tokens.size() < 3) return;
  for (const TemplateArgument& argument :
       ReadArguments(tokens.subspan(1, tokens.size() - 2), scope_)) {
    if (argument.name.empty()) continue;
    scope_.SetParameter(of, argument.name, argument.value);
    // The macro may write it twice.
    TemplateValue otherwise = argument.value;
    RepeatParts(otherwise);
    scope_.KeepReads(*macro, otherwise);
  }
}

// ReadCall reads `call(a, b) m(…)`. It passes its text to the macro as `caller`, a macro with
// parameters a and b.
void TemplateReader::ReadCall(JinjaTokens tokens) {
  std::size_t behind = 0;
  if (!tokens.empty() && tokens.front().Is("(")) {
    behind = std::min(ClosingOf(tokens) + 1, tokens.size());
  }
  ReadSignature("caller", tokens.first(behind));
  const TemplateMacro* caller = scope_.MacroNamed("caller");
  if (caller != nullptr) {
    for (const std::string_view name : caller->parameters) {
      scope_.Bind(name, ComputedValue("caller"));
      scope_.MakeSpace(name, ComputedValue("caller"));
    }
  }
  const JinjaTokens called = tokens.subspan(behind);
  // Any other function receives the macro `caller` as an argument: `d.update()` keeps it.
  const bool by_name = called.size() > 1 && called.front().IsName() && called[1].Is("(") &&
                       ClosingOf(called.subspan(1)) + 2 == called.size();
  if (!by_name && !called.empty()) {
    scope_.Add(TemplateRemark::Kind::kTaken, called.front(), "caller");
  }
  Write(ReadExpression(called, scope_));
  constexpr std::uint64_t kCopies = 5;  // measured, including the copy of the macro
  scope_.ChargeCopies(kCopies);
  Open("call", "caller");
  // The macro decides how often its text is written, within that macro.
  const TemplateMacro* macro = called.empty() ? nullptr : scope_.MacroNamed(called.front().text);
  if (macro == nullptr) return;
  TemplateBlock& block = blocks_.back();
  const std::uint64_t most = kTemplateRounds + 1;
  block.rounds =
      std::min(ProductOf(block.rounds, std::max<std::uint64_t>(macro->caller_calls, 1)), most);
  block.data_rounds = std::max(block.data_rounds, block.rounds);
  block.depth += macro->depth;
}

}  // namespace ggufgate
