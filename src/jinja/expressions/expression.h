#pragma once

// The parser behind ReadExpression(): a shunting yard over constants. Internal to this module.

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "jinja/expression_checks.h"

namespace ggufgate {

// TemplateOperand is a value and the operations that led to it, so that a call knows its callee.
struct TemplateOperand {
  TemplateValue value = {};
  const JinjaToken* method = nullptr;  // the last attribute read
  TemplateValue receiver = {};         // the object of that attribute
  const JinjaToken* test = nullptr;    // the test applied to it
  std::size_t depth = 1;               // nesting of operators, calls and filters
};

// TemplateOperator waits for its right operand.
struct TemplateOperator {
  const JinjaToken* token;
  int strength;
  bool prefix;
};

// TemplateFrame is one open bracket, or the expression as a whole.
struct TemplateFrame {
  enum class Use : std::uint8_t { kWhole, kGroup, kList, kDictionary, kSubscript, kCall, kFilter };
  Use use = Use::kWhole;
  const JinjaToken* token = nullptr;  // the bracket, or the name of a filter
  TemplateOperand target = {};        // the value that is subscripted, called or filtered
  std::size_t operands = 0;           // the operands below this index belong to other frames
  std::size_t operators = 0;
  TemplateArguments arguments = {};
  // Of the argument being read; "*" and "**" for spread arguments.
  std::string_view name = {};
  std::size_t colons = 0;
  std::size_t depth = 0;  // depth of its operands
  bool commas = false;
};

// EngineValue returns the value that an engine gives a name, whether or not the template sets it.
[[nodiscard]] TemplateValue EngineValue(std::string_view name, bool called,
                                        const TemplateScope& scope);
// ChargeSelfCall charges for blocks that call others, and loops that call themselves: each such
// call may double the work of all others.
void ChargeSelfCall(TemplateScope& scope, std::uint64_t levels);
// LoopAttribute returns the value of an attribute of `loop`.
[[nodiscard]] TemplateValue LoopAttribute(std::string_view name, const TemplateScope& scope);

// ExpressionReader reads one expression; see ReadExpression().
class ExpressionReader {
 public:
  ExpressionReader(std::span<const JinjaToken> tokens, TemplateScope& scope)
      : tokens_(tokens), scope_(scope), frames_(1) {}

  TemplateValue Value();
  TemplateArguments Arguments();

 private:
  [[nodiscard]] const JinjaToken* Peek(std::size_t ahead = 0) const {
    return at_ + ahead < tokens_.size() ? &tokens_[at_ + ahead] : nullptr;
  }
  [[nodiscard]] bool PeekIs(JinjaWord word, std::size_t ahead = 0) const {
    return Peek(ahead) != nullptr && Peek(ahead)->Is(word);
  }

  void ReadAll();
  void ReadOperand();
  void ReadName(const JinjaToken& token);
  void ReadText(const JinjaToken& token);
  void ReadOperator();
  void ReadAttribute(const JinjaToken& dot);
  void ReadFilter();
  void ReadTest();
  void Open(TemplateFrame::Use use, const JinjaToken& token, TemplateOperand target = {});
  void Separate(const JinjaToken& token);
  void Close();
  void Reduce(int strength);
  void Apply(const TemplateOperator& op);
  void ReduceTight();
  [[nodiscard]] TemplateValue PopAll();
  [[nodiscard]] TemplateValue Percent(const JinjaToken& symbol, const TemplateValue& left,
                                      const TemplateValue& right);
  [[nodiscard]] TemplateValue Filter(const TemplateFrame& frame);
  [[nodiscard]] TemplateValue Call(const TemplateFrame& frame);
  [[nodiscard]] TemplateValue CallMethod(const TemplateFrame& frame);
  [[nodiscard]] TemplateValue CallFunction(const TemplateFrame& frame, std::string_view name);
  void CheckCalled(const TemplateFrame& frame, std::string_view name);
  [[nodiscard]] TemplateValue CallEngine(const TemplateFrame& frame, std::string_view name);
  [[nodiscard]] TemplateValue CallMacro(const TemplateFrame& frame, std::string_view name,
                                        TemplateMacro& macro);
  void CallAny(const TemplateFrame& frame);
  void HandOver(const TemplateFrame& frame, const TemplateMacro& macro, MacroCall& call) const;
  void CheckCosts(std::string_view name, const JinjaToken& token,
                  const TemplateArguments& arguments);
  void AddFields(TemplateValue& made);
  void CheckCallback(const JinjaToken& method, const TemplateArguments& arguments);
  void KeepStored(std::string_view method, const TemplateArgument& argument);
  void GetByKey(const TemplateFrame& frame, TemplateValue& made);
  void StoreIn(const TemplateValue& receiver, const JinjaToken& method,
               const TemplateArguments& arguments);
  [[nodiscard]] TemplateValue Subscript(const TemplateFrame& frame);
  // BindMethod makes a method that is not called hold its object, because llama.cpp prints both.
  void BindMethod(std::string_view name, const TemplateValue& object, TemplateValue& member) const;
  // Member returns the value of an object's member.
  [[nodiscard]] TemplateValue Member(const TemplateValue& object, std::string_view name);
  [[nodiscard]] TemplateValue Collection(TemplateFrame& frame);
  void Push(TemplateValue value) { Push(TemplateOperand{.value = std::move(value)}); }
  void Push(TemplateOperand operand);
  void Made(TemplateValue& made, std::vector<const TemplateValue*> before,
            const JinjaToken& token) {
    CheckAssembled(made, before, token, scope_);
    CheckGrowth(made, token, scope_);
  }
  [[nodiscard]] TemplateOperand Pop();

  std::span<const JinjaToken> tokens_;
  TemplateScope& scope_;
  std::size_t at_ = 0;
  bool wants_operand_ = true;
  std::size_t popped_ = 0;  // greatest depth of the operands popped since the last push
  std::vector<TemplateFrame> frames_;
  std::vector<TemplateOperand> operands_;
  std::vector<TemplateOperator> operators_;
};

// HandsMacro tells whether an argument may be a macro.
[[nodiscard]] bool HandsMacro(const TemplateArguments& arguments);
// OthersOf returns the other values that a filter or method may return besides parts of an
// argument. Unless the filter or method is known to return a part, these are all values.
[[nodiscard]] HollowKinds OthersOf(std::string_view name, const TemplateValue& made);

}  // namespace ggufgate
