#pragma once

// Reads one expression for CheckTrust(), from left to right. Not for users of the library.
//
// Nothing here knows how operators bind. All operands of a bracket count together, so that `a ~ b
// == c` counts as made. An operation that this file does not know makes text.

#include <string_view>
#include <vector>

#include "jinja/syntax/statements.h"
#include "jinja/trust/known.h"
#include "jinja/trust/table.h"
#include "jinja/values/names.h"

namespace ggufgate {

struct TrustOperand {
  Trust trust = {};
  bool number = false;         // a number for certain
  bool container = false;      // a container for certain
  std::string_view name = {};  // of a variable, function or method, directly before its bracket
  std::string_view text = {};  // of a literal as it stands
  bool method = false;
  bool item = false;  // taken by a key: a dictionary's own values come before its methods
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
  bool behind = false;                // the last token ends an operand
  bool numbers = true;                // all operands so far are numbers
  std::size_t operands = 0;
  bool tuple = false;
  bool choice = false;           // may be one of several values
  std::string_view joined = {};  // the operator that joins texts in it
  bool slice = false;
  bool tested = false;  // a list behind a test without brackets
  // An operator in front of the operand that makes text of texts; empty for others.
  std::string_view joins = {};
  // Of a call: the argument being read.
  std::size_t place = 0;
  std::string_view argument = {};
  bool spread = false;
  Trust value = {};
  std::string_view text = {};  // of the only literal in the bracket or argument
  bool format = false;         // an argument so far has the word in it
  bool any_key = false;        // one so far is no literal
};

class TrustExpression {
 public:
  TrustExpression(TrustTable& table, std::vector<TemplateRemark>* remarks)
      : table_(table), remarks_(remarks) {}

  // Read returns the trust of an expression. With `filters`, the expression is filters alone, over
  // text of the template.
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
  // Keep makes a method that is not called a value.
  static void Keep(TrustOperand& operand);
  void Finish();
  void FinishArgument();
  // Make counts the bracket as text that something put together.
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
  std::vector<TemplateRemark>* remarks_;  // null while names are still being learned
  JinjaTokens tokens_ = {};
  std::size_t at_ = 0;
  std::vector<TrustFrame> frames_ = {};
};

}  // namespace ggufgate
