#pragma once

// The parser behind ReadTemplate(): statements, and the blocks that they open. Internal to this
// module.

#include <string_view>
#include <vector>

#include "jinja/expression_checks.h"
#include "jinja/syntax/statements.h"

namespace ggufgate {

// TemplateBlock is an open statement.
struct TemplateBlock {
  std::string_view keyword;
  std::string_view name;         // set to its text: a variable, a macro, `caller`
  std::string_view object = {};  // the variable whose field that name is
  TemplateValue text = {};       // the first value that it writes, with the size of all values
  // How often it writes a value; one more if a value is not certain.
  std::size_t pieces = 0;
  std::uint64_t rounds = 1;       // of all loops up to this one
  std::uint64_t data_rounds = 1;  // the same, if each loop over data has four rounds
  bool of_data = false;           // in a loop over data of the conversation
  std::size_t loops = 0;          // loops up to this one that may have several rounds
  std::size_t loops_of_data = 0;
  std::size_t loops_of_lengths = 0;  // those of them that run over numbers up to a length
  // How often it writes the values of names; a loop counts as one round.
  std::uint32_t writes = 0;
  // In a block (`self.x()`), or in a loop that calls itself (`loop(x)`).
  bool called_again = false;
  // Of all blocks up to this one; each branch of an `if` is one level deeper.
  std::uint64_t depth = 1;
  // The factor by which filters up to this one may lengthen its text.
  std::uint64_t longer = 1;
  bool repeats = false;  // the value outside of it: see TemplateScope
  bool certain = true;   // its body runs whenever that of the macro around it runs
  bool of_user = true;   // the value outside of it: see TemplateScope
  // The values outside of it: see TemplateScope.
  HollowCases missed = {};
  HollowCases looped = {};
  std::size_t macro_branch = 0;
  std::uint32_t loop_branch = 0;
  std::vector<std::size_t> renewed = {};  // names that all branches so far renew
  bool branches = false;                  // has another branch
  bool complete = false;                  // one of its branches certainly runs
  HollowCases taken_before = {};          // an earlier branch runs with these
  std::size_t macro_outside = TemplateScope::kNoSlot;
  std::size_t capture = TemplateScope::kNoSlot;  // the innermost block whose text is kept
};

// TemplateReader parses a template as statements several times: see TemplateScope.
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
  void CheckFolding(const JinjaSpan& span, std::uint64_t before);
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
  // Reused for each span: its tokens are the largest object here, and new memory is slow.
  JinjaSpan span_;
  TemplateScope scope_;
  std::vector<TemplateBlock> blocks_;
  std::uint64_t tokens_ = 0;
  std::uint64_t nested_ = 0;  // the depth reported last
};

}  // namespace ggufgate
