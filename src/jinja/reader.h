#pragma once

// The reader behind ReadTemplate(): statements, and the blocks that they open. Not for users of the
// library.

#include <string_view>
#include <vector>

#include "jinja/expression_checks.h"
#include "jinja/syntax/statements.h"

namespace ggufgate {

// TemplateBlock is an open statement.
struct TemplateBlock {
  std::string_view keyword;
  std::string_view name;          // of what its text becomes: a variable, a macro, `caller`
  std::string_view object = {};   // the variable whose field that name is
  TemplateValue text = {};        // the first value that it writes, with the size of all values
  std::size_t pieces = 0;         // how often it writes; once more where that is not certain
  std::uint64_t rounds = 1;       // of all loops up to this one
  std::uint64_t data_rounds = 1;  // the same, if each loop over data has four
  bool of_data = false;           // in a loop over data of the conversation
  std::size_t loops = 0;          // up to this one that may have several rounds
  std::size_t loops_of_data = 0;
  std::size_t loops_of_lengths = 0;  // of these, over numbers up to a length
  std::uint32_t writes = 0;          // how often it writes what names hold, a loop as one round
  bool called_again = false;  // in a block, or in a loop that calls itself: `self.x()`, `loop(x)`
  std::uint64_t depth = 1;    // of all blocks up to this one, each branch of an `if` one deeper
  std::uint64_t longer = 1;   // how often longer filters up to this one make its text
  bool repeats = false;       // outside of it: see TemplateScope
  bool certain = true;        // its body is reached whenever that of the macro around it is
  bool of_user = true;        // outside of it: see TemplateScope
  // Outside of it: see TemplateScope.
  HollowCases missed = {};
  HollowCases looped = {};
  std::size_t macro_branch = 0;
  std::uint32_t loop_branch = 0;
  std::vector<std::size_t> renewed = {};  // names that all branches so far renew
  bool branches = false;                  // has another branch
  bool complete = false;                  // one of its branches is taken for certain
  HollowCases taken_before = {};          // an earlier branch runs with these
  std::size_t macro_outside = TemplateScope::kNoSlot;
  std::size_t capture = TemplateScope::kNoSlot;  // innermost block whose text is kept
};

// TemplateReader reads a template as statements, again and again: see TemplateScope.
class TemplateReader {
 public:
  explicit TemplateReader(std::string_view text) : text_(text), scope_(text, span_) {}
  std::vector<TemplateRemark> Read();
  [[nodiscard]] std::uint64_t Work() const { return scope_.store.budget().Spent() + tokens_; }

 private:
  void ReadOnce();
  void ReadSpan(const JinjaSpan& span);
  void ReadStatement(const JinjaSpan& span);
  void ReadSet(JinjaTokens tokens);
  void StoreField(const JinjaToken& object, std::string_view field, const TemplateValue& value);
  void CheckTargets(JinjaTokens tokens, bool assigns);
  void StoreInObject(std::string_view name, const TemplateValue& value);
  void ReadFor(const JinjaToken& keyword, JinjaTokens tokens);
  void CountRounds(const JinjaToken& keyword, const TemplateValue& value);
  void ReadMacro(JinjaTokens tokens);
  void ReadCall(JinjaTokens tokens);
  void ReadSignature(std::string_view name, JinjaTokens tokens);
  void ReadWith(JinjaTokens tokens);
  void ReadCondition(std::string_view keyword, JinjaTokens tokens);
  void ReadFilter(const JinjaToken& keyword, JinjaTokens tokens);
  void ReadFault(const JinjaSpan& span);
  void CheckNames(const JinjaSpan& span);
  void CheckNesting(const JinjaSpan& span);
  void CheckChain(const JinjaSpan& span);
  void ChargeNames(const JinjaSpan& span);
  void CountOutput(const TemplateValue& value);
  void Open(std::string_view keyword, std::string_view name = {});
  void Close();
  void Rejoin(bool last);
  void KeepRenewed(TemplateBlock& block) const;
  [[nodiscard]] TemplateChoice ChoiceIn(JinjaTokens tokens) const;
  void Write(const TemplateValue& value);
  TemplateValue Bind(JinjaTokens targets, const TemplateValue& value);
  void BindHere(JinjaTokens targets, const TemplateValue& value);
  [[nodiscard]] bool IsCertain() const { return blocks_.empty() || blocks_.back().certain; }

  std::string_view text_;
  JinjaSpan span_;  // its tokens are the largest thing here, and new memory is slow
  TemplateScope scope_;
  std::vector<TemplateBlock> blocks_;
  std::uint64_t tokens_ = 0;
  std::uint64_t nested_ = 0;  // depth told of last
};

}  // namespace ggufgate
