// The outcomes were measured with llama.cpp v0.5.0: tests/templates/hollow_conditions.py.

#include "jinja/hollow.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "jinja/scope.h"

namespace ggufgate {
namespace {

using Kind = JinjaToken::Kind;

// Possible is a set of values that an expression may have: hollow kinds, counts, or anything.
using Possible = std::uint8_t;
constexpr Possible kUndefined = KindOf(Hollow::kUndefined);
constexpr Possible kEmpty = KindOf(Hollow::kEmpty);
constexpr Possible kPlain = KindOf(Hollow::kPlain);
constexpr Possible kZero = 1U << 3U;      // the length of something empty
constexpr Possible kPositive = 1U << 4U;  // another length
constexpr Possible kAnything = 1U << 5U;

// Truths is a set of results of a condition.
using Truths = std::uint8_t;
constexpr Truths kNo = 1;
constexpr Truths kYes = 2;
constexpr Truths kEither = kNo | kYes;

// Each applies `step` to every member of a set and joins the results.
template <typename Step>
std::uint8_t Each(Possible value, Step step) {
  std::uint8_t made = 0;
  for (unsigned bit = 1; bit <= kAnything; bit <<= 1U) {
    if ((value & bit) != 0) made |= step(static_cast<Possible>(bit));
  }
  return made;
}

// Path is a path from one parameter, with its possible values for each hollow argument.
struct Path {
  std::size_t parameter = 0;
  std::array<Possible, kHollows> values{};
};

bool IsOneOf(const JinjaToken& token, std::initializer_list<JinjaWord> words) {
  return std::ranges::any_of(words, [&](JinjaWord word) { return token.Is(word); });
}

bool IsEmptyText(const JinjaToken& token) {
  return token.kind == Kind::kString && token.text.size() == 2;
}

// AtomReader reads one operand of `and`, `or` and `not`.
class AtomReader {
 public:
  AtomReader(JinjaTokens tokens, const TemplateScope& scope) : tokens_(tokens), scope_(scope) {}

  HollowOutcome Read() {
    // 'a' in path
    const bool within = tokens_.size() > 2 && tokens_[0].kind == Kind::kString;
    const bool negated = within && tokens_[1].Is("not");
    if (within) at_ = negated ? 3 : 2;
    if (within && (at_ > tokens_.size() || !tokens_[at_ - 1].Is("in"))) return {};
    std::optional<Path> path = ReadPath();
    if (!path) return {};
    if (within && at_ < tokens_.size()) return {};
    HollowOutcome outcome;
    const std::size_t rest = at_;
    for (std::size_t kind = 0; kind < kHollows; ++kind) {
      at_ = rest;
      const Possible value = path->values.at(kind);
      const Truths truths = within ? Contains(value, negated) : Compared(value);
      const auto bit = static_cast<HollowKinds>(1U << kind);
      if (truths == kNo) outcome.fails.of.at(path->parameter) |= bit;
      if (truths == kYes) outcome.holds.of.at(path->parameter) |= bit;
    }
    return outcome;
  }

 private:
  [[nodiscard]] bool Sees(JinjaWord word, std::size_t ahead = 0) const {
    return at_ + ahead < tokens_.size() && tokens_[at_ + ahead].Is(word);
  }
  [[nodiscard]] bool SeesName(std::size_t ahead) const {
    return at_ + ahead < tokens_.size() && tokens_[at_ + ahead].IsName();
  }

  static Truths Negated(Truths truths, bool negated) {
    if (!negated || truths == kEither) return truths;
    return truths == kNo ? kYes : kNo;
  }

  // An undefined or empty value contains nothing. A text may contain a text.
  static Truths Contains(Possible value, bool negated) {
    return Negated(
        Each(value, [](Possible one) { return (one & (kUndefined | kEmpty)) ? kNo : kEither; }),
        negated);
  }

  std::optional<Path> ReadPath() {
    if (at_ >= tokens_.size() || !tokens_[at_].IsName()) return std::nullopt;
    const std::optional<GivenName> given = scope_.GivenBy(tokens_[at_].text);
    if (!given) return std::nullopt;
    ++at_;
    Path path{.parameter = given->parameter};
    for (std::size_t kind = 0; kind < kHollows; ++kind) {
      const auto bit = static_cast<Possible>(1U << kind);
      Possible value = given->whole ? bit : static_cast<Possible>(kUndefined | given->otherwise);
      // A slice of a text is a text, and may be empty.
      if (!given->whole && bit == kPlain && (given->otherwise & kEmpty) != 0) value |= kPlain;
      path.values.at(kind) = value;
    }
    while (at_ < tokens_.size() && ReadStep(path)) {
    }
    return path;
  }

  // ReadStep reads an attribute, item or filter; false if there is none.
  bool ReadStep(Path& path) {
    if (Sees(".") && SeesName(1)) {
      const bool gets = Sees("get", 1);
      at_ += 2;
      if (!Sees("(")) return Apply(path, Member);
      const std::size_t close = std::min(at_ + ClosingOf(tokens_.subspan(at_)), tokens_.size());
      const JinjaTokens arguments = tokens_.subspan(at_ + 1, close - std::min(close, at_ + 1));
      at_ = std::min(close + 1, tokens_.size());
      if (!gets) return Apply(path, [](Possible) { return kAnything; });
      const Possible otherwise = Otherwise(arguments);
      return Apply(path, [&](Possible one) {
        return one == kAnything ? kAnything : static_cast<Possible>(kUndefined | otherwise);
      });
    }
    if (Sees("[")) {
      const std::size_t close = std::min(at_ + ClosingOf(tokens_.subspan(at_)), tokens_.size());
      if (close == tokens_.size()) return false;
      const bool member = close == at_ + 2 && tokens_[at_ + 1].kind == Kind::kString;
      at_ = std::min(close + 1, tokens_.size());
      if (member) return Apply(path, Member);
      return Apply(path, [](Possible one) {
        return (one & (kUndefined | kEmpty)) != 0 ? kUndefined : kAnything;
      });
    }
    if (!Sees("|") || !SeesName(1)) return false;
    const JinjaToken& filter = tokens_[at_ + 1];
    at_ += 2;
    if (Sees("(")) at_ = std::min(at_ + ClosingOf(tokens_.subspan(at_)) + 1, tokens_.size());
    return Apply(path, [&](Possible one) { return Filtered(filter, one); });
  }

  template <typename Step>
  static bool Apply(Path& path, Step step) {
    for (Possible& value : path.values) value = Each(value, step);
    return true;
  }

  static Possible Member(Possible one) { return one == kAnything ? kAnything : kUndefined; }

  // Otherwise returns the result of get(name, …) when the name is missing.
  static Possible Otherwise(JinjaTokens arguments) {
    if (arguments.size() == 1) return kEmpty;
    if (arguments.size() < 3 || !arguments[1].Is(",")) return kAnything;
    const JinjaToken& last = arguments.back();
    if (arguments.size() == 4 && (last.Is("}") || last.Is("]"))) return kEmpty;
    if (arguments.size() != 3 || last.kind != Kind::kString) return kAnything;
    return IsEmptyText(last) ? kEmpty : kPlain;
  }

  static Possible Filtered(const JinjaToken& filter, Possible one) {
    if (filter.Is("length") || filter.Is("count")) {
      return (one & (kUndefined | kEmpty)) != 0 ? kZero : one == kPlain ? kPositive : kAnything;
    }
    if (IsOneOf(filter, {"upper", "lower", "trim", "string", "title", "capitalize"})) {
      return one == kUndefined ? kEmpty : static_cast<Possible>(kEmpty | kPlain);
    }
    const bool picks = IsOneOf(filter, {"first", "last"});
    if (picks && (one & (kUndefined | kEmpty)) != 0) return kUndefined;
    return kAnything;
  }

  // Compared reads the rest of the condition behind the path: nothing, a test or a comparison.
  Truths Compared(Possible value) {
    if (at_ == tokens_.size()) {
      return Each(value, [](Possible one) {
        if ((one & (kUndefined | kEmpty | kZero)) != 0) return kNo;
        return one == kAnything ? kEither : kYes;
      });
    }
    const bool is = Sees("is");
    const bool negated = Sees("not", is ? 1 : 0) || Sees("!=");
    const std::size_t skipped = (is ? 1U : 0U) + (negated && !Sees("!=") ? 1U : 0U);
    const JinjaTokens rest = tokens_.subspan(std::min(at_ + skipped, tokens_.size()));
    if (is) {
      if (rest.size() != 1) return kEither;
      return Negated(Each(value, [&](Possible one) { return Tested(rest[0], one); }), negated);
    }
    if (rest.size() > 2 && rest[0].Is("in")) {
      return Negated(Each(value, [&](Possible one) { return Among(rest.subspan(1), one); }),
                     negated);
    }
    if (rest.size() != 2) return kEither;
    return Negated(Each(value, [&](Possible one) { return Measured(rest[0], rest[1], one); }),
                   negated);
  }

  static Truths Tested(const JinjaToken& test, Possible one) {
    if ((one & (kUndefined | kEmpty | kPlain)) == 0) return kEither;
    if (test.Is("defined")) return one == kUndefined ? kNo : kYes;
    if (test.Is("undefined")) return one == kUndefined ? kYes : kNo;
    if (IsOneOf(test, {"mapping", "none"})) return one == kEmpty ? kEither : kNo;
    const bool typed =
        IsOneOf(test, {"string", "number", "integer", "float", "boolean", "true", "false"});
    return typed && one == kUndefined ? kNo : kEither;
  }

  // Among is `in [literals]`.
  static Truths Among(JinjaTokens list, Possible one) {
    if (!IsOneOf(list.front(), {"[", "("}) || ClosingOf(list) != list.size() - 1) return kEither;
    const JinjaTokens items = list.subspan(1, list.size() - 2);
    const bool texts = std::ranges::all_of(items, [](const JinjaToken& token) {
      return token.Is(",") || (token.kind == Kind::kString && !IsEmptyText(token));
    });
    return texts && (one & (kUndefined | kEmpty)) != 0 ? kNo : kEither;
  }

  // Measured is a comparison with a literal; `!=` counts as `==` here.
  static Truths Measured(const JinjaToken& symbol, const JinjaToken& literal, Possible one) {
    const bool equal = IsOneOf(symbol, {"==", "!="});
    if (literal.kind == Kind::kString && equal) {
      const bool no = one == kUndefined || (one == kEmpty && !IsEmptyText(literal));
      return no ? kNo : kEither;
    }
    if (literal.kind != Kind::kNumber) return kEither;
    const std::optional<std::int64_t> number = NumberOf(literal.text);
    if (!number || literal.text.find('.') != std::string_view::npos) return kEither;
    if (equal && one == kUndefined) return kNo;
    if ((one & (kZero | kPositive)) == 0) return kEither;
    const bool zero = one == kZero;
    if (equal) return zero == (*number == 0) ? (zero ? kYes : kEither) : kNo;
    if (symbol.Is(">")) return zero ? kNo : *number == 0 ? kYes : kEither;
    if (symbol.Is(">=") && *number > 0) return zero ? kNo : *number == 1 ? kYes : kEither;
    return kEither;
  }

  JinjaTokens tokens_;
  const TemplateScope& scope_;
  std::size_t at_ = 0;
};

// ConditionReader combines the operands: a shunting yard over `and`, `or`, `not` and parentheses.
class ConditionReader {
 public:
  ConditionReader(JinjaTokens tokens, const TemplateScope& scope) : tokens_(tokens), scope_(scope) {
    // The place where each bracket closes.
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
        outcomes_.push_back(AtomReader(tokens_.subspan(at, end - at), scope_).Read());
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
        return {};  // an inline if, or a mistake
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
