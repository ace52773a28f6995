#pragma once

// What a template's code has set so far: variables, fields, macros, captured text. Not for users of
// the library.

#include <span>
#include <vector>

#include "check/jinja_tokens.h"
#include "check/template_folding.h"
#include "check/template_remarks.h"

namespace ggufgate {

// TemplateMacro is one macro, or what `{% call %}` hands in as `caller`.
struct TemplateMacro {
  std::vector<std::string_view> parameters;
  TemplateValue output;
  std::size_t at = 0;
  bool defined = false;
};

// MacroCall is one call of a macro by its name within a macro.
struct MacroCall {
  std::size_t caller;  // slots of the names
  std::size_t callee;
  bool certain = false;  // whatever the conversation, the call is made
  std::size_t at = 0;
  std::size_t size = 0;
};

// TemplateScope keeps what is known by name. Scopes of blocks are not told apart: a name is one
// thing in the whole template, and is all that it is ever set to.
class TemplateScope {
 public:
  explicit TemplateScope(std::string_view text);

  void Add(TemplateRemark::Kind kind, const JinjaToken& token, std::string_view name = {},
           std::uint64_t number = 0);

  // Names that do not stand in the template have no slot.
  static constexpr std::size_t kNoSlot = static_cast<std::size_t>(-1);
  [[nodiscard]] std::size_t SlotOf(std::string_view name) const;

  [[nodiscard]] std::string_view NameOf(std::size_t slot) const { return slots_.at(slot).name; }
  [[nodiscard]] std::size_t SlotCount() const { return slots_.size(); }

  [[nodiscard]] TemplateValue Variable(std::string_view name);
  void SetVariable(std::string_view name, const TemplateValue& value);
  // AppendToVariable adds to the end of a list, once for each place that does so.
  void AppendToVariable(std::string_view name, const TemplateValue& value);
  [[nodiscard]] bool IsSet(std::string_view name) const;
  // Fields are attributes and items of whatever object: `ns.a`, `{'a': …}`, `namespace(a=…)`.
  [[nodiscard]] TemplateValue Field(std::string_view name);
  void SetField(std::string_view name, const TemplateValue& value);
  [[nodiscard]] TemplateMacro* MacroNamed(std::string_view name);
  TemplateMacro& DefineMacro(std::string_view name);

  WorkBudget budget;
  std::vector<MacroCall> calls;
  std::vector<TemplateRemark> remarks;
  std::size_t macro = kNoSlot;  // whose body is being read
  bool certain = true;          // the span being read is reached whenever that body is
  bool second_reading = false;  // everything the template sets is known by now

 private:
  struct Slot {
    std::string_view name;
    std::size_t variable = kNoSlot;
    std::size_t field = kNoSlot;
    std::size_t macro = kNoSlot;
  };
  std::size_t& Ensure(std::size_t& index);

  std::vector<Slot> slots_;  // by name
  std::vector<TemplateValue> values_;
  std::vector<TemplateMacro> macros_;
};

// ReadExpression reads tokens as one expression and gives what is known of its value; what comes
// after the expression is read as another. Brackets, calls, filters and operators are kept on a
// stack of its own: nesting costs memory in proportion, never the machine's stack.
[[nodiscard]] TemplateValue ReadExpression(std::span<const JinjaToken> tokens,
                                           TemplateScope& scope);
// ReadArguments reads tokens as the arguments of a call.
[[nodiscard]] TemplateArguments ReadArguments(std::span<const JinjaToken> tokens,
                                              TemplateScope& scope);

// --- what is looked at while an expression is read: template_sinks.cc
// ------------------------------

// CheckName looks at a name by which an object is asked for an attribute or item.
void CheckName(const TemplateValue& name, const JinjaToken& token, TemplateScope& scope);
// CheckAssembled looks at what an operation made of `before`, and marks what it tells of: one name
// is one finding, wherever it goes from there.
void CheckAssembled(TemplateValue& made, const std::vector<const TemplateValue*>& before,
                    const JinjaToken& token, TemplateScope& scope);
void CheckLiteral(TemplateValue& literal, const JinjaToken& token, TemplateScope& scope);
void CheckVariableName(const JinjaToken& token, bool called, TemplateScope& scope);
void CheckFilter(const JinjaToken& filter, const TemplateArguments& arguments,
                 TemplateScope& scope);
void CheckFormat(const TemplateValue& pattern, const JinjaToken& method, TemplateScope& scope);
// CheckComparison looks at `left operator right`; CheckContentMethod at content.method(argument).
void CheckComparison(const JinjaToken& symbol, const TemplateValue& left,
                     const TemplateValue& right, TemplateScope& scope);
void CheckContentMethod(const JinjaToken& method, const TemplateValue& receiver,
                        const TemplateArguments& arguments, TemplateScope& scope);
// CheckRange gives the rounds of range(arguments), 0 where they are not known.
std::uint64_t CheckRange(const JinjaToken& token, const TemplateArguments& arguments,
                         TemplateScope& scope);
void CheckRepeat(const JinjaToken& symbol, const TemplateValue& left, const TemplateValue& right,
                 TemplateScope& scope);

}  // namespace ggufgate
