#pragma once

// Reads one expression for CheckTrust(), from left to right. Internal to this module.
//
// It does not know the precedence of operators. It joins all operands of a bracket, so `a ~ b == c`
// counts as made by the template. An unknown operation counts as text made by the template.

#include <string_view>
#include <vector>

#include "jinja/syntax/statements.h"
#include "jinja/trust/known.h"
#include "jinja/trust/table.h"
#include "jinja/values/names.h"

namespace ggufgate {

struct TrustOperand {
  Trust trust = {};
  bool number = false;     // certainly a number
  bool container = false;  // certainly a container
  // Of a variable, function or method, directly before its bracket.
  std::string_view name = {};
  std::string_view text = {};  // of a literal, as written
  bool method = false;
  // Read by a key: a dictionary's values come before its methods.
  bool item = false;
  bool any_key = false;
  Trust receiver = {};  // of a method
};

// TrustFrame is one open bracket, or the expression as a whole.
struct TrustFrame {
  enum class Use : std::uint8_t { kWhole, kGroup, kList, kDictionary, kSubscript, kCall, kFilter };

  Use use = Use::kWhole;
  const JinjaToken* token = nullptr;  // the bracket, or the filter's name
  TrustOperand target = {};           // the value that is subscripted, called or filtered
  Trust sum = {};                     // of all operands so far
  TrustOperand operand = {};          // the one being read
  bool behind = false;                // the last token was the end of an operand
  bool numbers = true;                // all operands so far are numbers
  std::size_t operands = 0;
  bool tuple = false;
  bool choice = false;           // may be one of several values
  std::string_view joined = {};  // the operator that joins texts in the bracket
  bool slice = false;
  bool tested = false;  // a list after a test without brackets
  // An operator before the operand that joins texts; empty for others.
  std::string_view joins = {};
  // Of a call: index and name of the argument being read.
  std::size_t place = 0;
  std::string_view argument = {};
  bool spread = false;
  Trust value = {};
  std::string_view text = {};  // of the only literal in the bracket or argument
  bool format = false;         // an earlier argument contains the word
  bool any_key = false;        // an earlier one is not a literal
};

class TrustExpression {
 public:
  TrustExpression(TrustTable& table, std::vector<TemplateRemark>* remarks)
      : table_(table), remarks_(remarks) {}

  // Read returns the trust of an expression. With `filters`, the tokens are only filters for text
  // of the template.
  Trust Read(JinjaTokens tokens, bool filters = false);

 private:
  using Use = TrustFrame::Use;

  [[nodiscard]] const JinjaToken* Peek(std::size_t ahead = 1) const {
    return at_ + ahead < tokens_.size() ? &tokens_[at_ + ahead] : nullptr;
  }
  [[nodiscard]] bool PeekIs(JinjaWord word) const { return Peek() != nullptr && Peek()->Is(word); }
  TrustFrame& frame() { return frames_.back(); }

  void ReadToken(const JinjaToken& token);
  void ReadBehind(const JinjaToken& token);
  void ReadOperand(const JinjaToken& token);
  void ReadOperator(const JinjaToken& token);
  void ReadName(const JinjaToken& token);
  void ReadText(const JinjaToken& token);
  void ReadMember();
  void ReadFilter();
  void ReadTest();
  void Begin(TrustOperand operand);
  // Keep handles a method that is used as a value.
  static void Keep(TrustOperand& operand);
  void Finish();
  void FinishArgument();
  // Make marks the value of the bracket as text that `by` put together.
  void Make(std::string_view by);
  void Open(Use use, const JinjaToken& token);
  void Close();
  [[nodiscard]] static Trust SumOf(const TrustFrame& inner);
  [[nodiscard]] TrustOperand Subscript(const TrustFrame& inner);
  [[nodiscard]] TrustOperand Group(const TrustFrame& inner) const;
  // MakesOf returns the kind of result of a call.
  [[nodiscard]] Makes MakesOf(const TrustOperand& called) const;
  // Of returns the trust of a filter's or method's result.
  [[nodiscard]] Trust Of(Makes makes, const Trust& value, const Trust& arguments,
                         std::string_view by) const;
  [[nodiscard]] bool CallsEngine(const TrustFrame& call, TrustOperand& result) const;
  [[nodiscard]] TrustOperand Call(const TrustFrame& inner);
  [[nodiscard]] TrustOperand Filtered(const TrustFrame& inner) const;
  void Hand(const TrustFrame& call);
  void CheckAttribute(const TrustFrame& filter);
  void CheckPattern(const Trust& pattern, const JinjaToken& token);
  void Report(TemplateRemark::Kind kind, const JinjaToken& token, std::string_view by);

  TrustTable& table_;
  std::vector<TemplateRemark>* remarks_;  // null during the readings that collect names
  JinjaTokens tokens_ = {};
  std::size_t at_ = 0;
  std::vector<TrustFrame> frames_ = {};
};

}  // namespace ggufgate
