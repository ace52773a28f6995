#include "jinja/hollow/hollow.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "jinja/hollow/atoms.h"
#include "jinja/scope.h"

namespace ggufgate {
namespace {

// ConditionReader combines the operands: a shunting yard over `and`, `or`, `not` and parentheses.
class ConditionReader {
 public:
  ConditionReader(JinjaTokens tokens, const TemplateScope& scope) : tokens_(tokens), scope_(scope) {
    // Finds the position of the bracket that closes each bracket.
    closing_.assign(tokens.size(), tokens.size());
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      if (IsOneOf(tokens[i], {"(", "[", "{"})) open.push_back(i);
      if (open.empty() || !IsOneOf(tokens[i], {")", "]", "}"})) continue;
      closing_.at(open.back()) = i;
      open.pop_back();
    }
  }

  HollowOutcome Read() {
    bool operand = true;
    for (std::size_t at = 0; at < tokens_.size(); ++at) {
      const JinjaToken& token = tokens_[at];
      if (operand && token.Is("not")) {
        operators_.push_back(kNot);
      } else if (operand && IsGroup(at)) {
        operators_.push_back(kOpen);
      } else if (operand) {
        const std::size_t end = EndOfAtom(at);
        if (end == at) return {};
        outcomes_.push_back(TryAtom(tokens_.subspan(at, end - at), scope_));
        at = end - 1;
        operand = false;
      } else if (token.Is(")")) {
        Reduce(kOpen + 1);
        if (operators_.empty()) return {};
        operators_.pop_back();
      } else if (token.Is("and") || token.Is("or")) {
        const int strength = token.Is("and") ? kAnd : kOr;
        Reduce(strength);
        operators_.push_back(strength);
        operand = true;
      } else {
        return {};  // an inline if, or a syntax error
      }
    }
    Reduce(kOpen + 1);
    if (operand || !operators_.empty() || outcomes_.size() != 1) return {};
    return outcomes_.front();
  }

 private:
  enum Operator : int { kOpen, kOr, kAnd, kNot };

  static bool Joins(const JinjaToken& token) { return IsOneOf(token, {"and", "or", "if", "else"}); }

  [[nodiscard]] bool IsGroup(std::size_t at) const {
    if (!tokens_[at].Is("(")) return false;
    const std::size_t next = closing_.at(at) + 1;
    return next >= tokens_.size() || Joins(tokens_[next]) || tokens_[next].Is(")");
  }

  [[nodiscard]] std::size_t EndOfAtom(std::size_t at) const {
    while (at < tokens_.size() && !Joins(tokens_[at]) && !tokens_[at].Is(")")) {
      const bool opens = IsOneOf(tokens_[at], {"(", "[", "{"});
      at = opens ? std::min(closing_.at(at) + 1, tokens_.size()) : at + 1;
    }
    return at;
  }

  void Reduce(int strength) {
    while (!operators_.empty() && operators_.back() >= strength) {
      const int op = operators_.back();
      operators_.pop_back();
      if (outcomes_.size() < (op == kNot ? 1U : 2U)) return outcomes_.clear();
      HollowOutcome right = outcomes_.back();
      if (op == kNot) {
        std::swap(outcomes_.back().fails, outcomes_.back().holds);
        continue;
      }
      outcomes_.pop_back();
      HollowOutcome& left = outcomes_.back();
      if (op == kOr) std::swap(left.fails, left.holds), std::swap(right.fails, right.holds);
      left.fails |= right.fails;
      left.holds &= right.holds;
      if (op == kOr) std::swap(left.fails, left.holds);
    }
  }

  JinjaTokens tokens_;
  const TemplateScope& scope_;
  std::vector<std::size_t> closing_;
  std::vector<int> operators_;
  std::vector<HollowOutcome> outcomes_;
};

}  // namespace

HollowCases& HollowCases::operator|=(const HollowCases& other) {
  for (std::size_t i = 0; i < of.size(); ++i) of.at(i) |= other.of.at(i);
  return *this;
}

HollowCases& HollowCases::operator&=(const HollowCases& other) {
  for (std::size_t i = 0; i < of.size(); ++i) of.at(i) &= other.of.at(i);
  return *this;
}

HollowOutcome TryHollow(JinjaTokens condition, const TemplateScope& scope) {
  if (scope.macro == TemplateScope::kNoSlot) return {};
  return ConditionReader(condition, scope).Read();
}

}  // namespace ggufgate
