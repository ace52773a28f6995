#pragma once

// The reader behind ReadExpression(): a shunting yard over constants. Not for users of the library.

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "jinja/expression_checks.h"

namespace ggufgate {

// TemplateOperand is a value with what was done to get at it, so that a call knows what it calls.
struct TemplateOperand {
  TemplateValue value = {};
  const JinjaToken* method = nullptr;  // last attribute taken
  TemplateValue receiver = {};         // of what
  const JinjaToken* test = nullptr;    // that was applied to it
  std::size_t depth = 1;               // of operators, calls and filters in each other
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
  const JinjaToken* token = nullptr;  // the bracket; of a filter its name
  TemplateOperand target = {};        // what is subscripted, called, filtered
  std::size_t operands = 0;           // below these, of others
  std::size_t operators = 0;
  TemplateArguments arguments = {};
  std::string_view name = {};  // of the argument being read; "*" and "**" for what is spread
  std::size_t colons = 0;
  std::size_t depth = 0;  // of the operands in it
  bool commas = false;
};

// EngineValue is what an engine knows by a name, whether or not the template sets it.
[[nodiscard]] TemplateValue EngineValue(std::string_view name, bool called,
                                        const TemplateScope& scope);
// ChargeSelfCall charges for blocks that call others, and loops that call themselves: each such
// call may double the work of all others.
void ChargeSelfCall(TemplateScope& scope, std::uint64_t levels);
// LoopAttribute is what an attribute of `loop` is.
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
  // BindMethod makes a method that is not called hold its object: llama.cpp prints that with it.
  void BindMethod(std::string_view name, const TemplateValue& object, TemplateValue& member) const;
  // Member is what an object has by a name.
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
  std::size_t popped_ = 0;  // depth of the operands taken since one was pushed
  std::vector<TemplateFrame> frames_;
  std::vector<TemplateOperand> operands_;
  std::vector<TemplateOperator> operators_;
};

// HandsMacro is true of arguments with a value that may be a macro.
[[nodiscard]] bool HandsMacro(const TemplateArguments& arguments);
// OthersOf returns the other values that a filter or method may give besides parts of an argument.
// If it is not known to pick a part, that is anything.
[[nodiscard]] HollowKinds OthersOf(std::string_view name, const TemplateValue& made);

}  // namespace ggufgate
