// The outcomes are those of llama.cpp v0.5.0: tests/templates/hollow_conditions.py measures them.

#include "jinja/hollow/atoms.h"

#include <algorithm>
#include <optional>

#include "jinja/scope.h"
#include "jinja/values/effects.h"

namespace ggufgate {
namespace {

using Kind = JinjaToken::Kind;

// Possible is a set of values that an expression may have: hollow kinds, counts, or anything.
using Possible = std::uint8_t;
constexpr Possible kUndefined = KindOf(Hollow::kUndefined);
constexpr Possible kEmpty = KindOf(Hollow::kEmpty);
constexpr Possible kPlain = KindOf(Hollow::kPlain);
constexpr Possible kTyped = KindOf(Hollow::kTyped);
constexpr Possible kZero = 1U << 4U;      // the length of an empty value
constexpr Possible kPositive = 1U << 5U;  // any other length
constexpr Possible kWord = 1U << 6U;      // kTypedText
constexpr Possible kAnything = 1U << 7U;

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

// Literal is the text of a literal. It is not `sure` if the literal has escapes.
struct Literal {
  explicit Literal(const JinjaToken& token)
      : sure(token.kind == Kind::kString && token.text.size() >= 2 &&
             token.text.find('\\') == std::string_view::npos),
        text(sure ? token.text.substr(1, token.text.size() - 2) : std::string_view()) {}
  bool sure;
  std::string_view text;
};

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
  [[nodiscard]] Truths Contains(Possible value, bool negated) const {
    const Literal key(tokens_[0]);
    const Truths typed = !key.sure ? kEither : key.text == kTypedKey ? kYes : kNo;
    return Negated(Each(value,
                        [&](Possible one) {
                          if (one == kTyped) return typed;
                          return (one & (kUndefined | kEmpty)) != 0 ? kNo : kEither;
                        }),
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
      const bool part = !given->whole;
      if (part && bit == kTyped) {
        value |= given->named ? kWord : kAnything;
      } else if (part && bit == kPlain && !given->named && (given->otherwise & kEmpty) != 0) {
        value |= kPlain;  // a slice of a text is a text, and may be empty
      }
      path.values.at(kind) = value;
    }
    while (at_ < tokens_.size() && ReadStep(path)) {
    }
    return path;
  }

  // ReadStep reads an attribute, item or filter. It returns false if there is no further one.
  bool ReadStep(Path& path) {
    if (Sees(".") && SeesName(1)) {
      const bool gets = Sees("get", 1);
      const std::string_view name = tokens_[at_ + 1].text;
      at_ += 2;
      if (!Sees("(")) {
        return Apply(path, [&](Possible one) { return Member(one, name, true); });
      }
      const std::size_t close = std::min(at_ + ClosingOf(tokens_.subspan(at_)), tokens_.size());
      const JinjaTokens arguments = tokens_.subspan(at_ + 1, close - std::min(close, at_ + 1));
      at_ = std::min(close + 1, tokens_.size());
      if (!gets) return Apply(path, [](Possible) { return kAnything; });
      const Possible otherwise = Otherwise(arguments);
      return Apply(path, [&](Possible one) {
        if (one == kAnything) return kAnything;
        const Possible member = one == kTyped ? Item(arguments) : kUndefined;
        return static_cast<Possible>(member | otherwise);
      });
    }
    if (Sees("[")) {
      const std::size_t close = std::min(at_ + ClosingOf(tokens_.subspan(at_)), tokens_.size());
      if (close == tokens_.size()) return false;
      const bool member = close == at_ + 2 && tokens_[at_ + 1].kind == Kind::kString;
      const Literal key(tokens_[at_ + 1]);
      at_ = std::min(close + 1, tokens_.size());
      if (member) {
        return Apply(path, [&](Possible one) { return Member(one, key.text, key.sure); });
      }
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

  static Possible Member(Possible one, std::string_view name, bool sure) {
    const bool unsure = one == kTyped && (!sure || IsMethodOfObject(name));
    if (one == kAnything || unsure) return kAnything;
    return one == kTyped && name == kTypedKey ? kWord : kUndefined;
  }
  // Item returns what get() finds in a dictionary of Hollow::kTyped.
  static Possible Item(JinjaTokens arguments) {
    const bool one = arguments.size() == 1 || (arguments.size() > 1 && arguments[1].Is(","));
    const Literal key(one ? arguments.front() : JinjaToken());
    if (!key.sure) return kAnything;
    return key.text == kTypedKey ? kWord : kUndefined;
  }

  // Otherwise returns the result of get(name, …) if the name is missing.
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
      return (one & (kUndefined | kEmpty)) != 0 ? kZero
             : (one & (kPlain | kTyped)) != 0   ? kPositive
                                                : kAnything;
    }
    if (IsOneOf(filter, {"upper", "lower", "trim", "string", "title", "capitalize"})) {
      return one == kUndefined ? kEmpty : static_cast<Possible>(kEmpty | kPlain);
    }
    const bool picks = IsOneOf(filter, {"first", "last"});
    if (picks && (one & (kUndefined | kEmpty)) != 0) return kUndefined;
    return kAnything;
  }

  // Compared reads the rest of the condition after the path: nothing, a test or a comparison.
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
    if ((one & (kUndefined | kEmpty | kPlain | kTyped | kWord)) == 0) return kEither;
    if (test.Is("defined")) return one == kUndefined ? kNo : kYes;
    if (test.Is("undefined")) return one == kUndefined ? kYes : kNo;
    if (IsOneOf(test, {"mapping", "none"}))
      return one == kTyped && test.Is("mapping") ? kYes : one == kEmpty ? kEither : kNo;
    const bool typed =
        IsOneOf(test, {"string", "number", "integer", "float", "boolean", "true", "false"});
    return typed && one == kUndefined ? kNo : kEither;
  }

  // Among evaluates `in [literals]`.
  static Truths Among(JinjaTokens list, Possible one) {
    if (!IsOneOf(list.front(), {"[", "("}) || ClosingOf(list) != list.size() - 1) return kEither;
    const JinjaTokens items = list.subspan(1, list.size() - 2);
    const bool texts = std::ranges::all_of(items, [](const JinjaToken& token) {
      return token.Is(",") || (token.kind == Kind::kString && !IsEmptyText(token));
    });
    if (one != kWord) return texts && (one & (kUndefined | kEmpty)) != 0 ? kNo : kEither;
    const bool others = std::ranges::all_of(items, [](const JinjaToken& token) {
      const Literal item(token);
      return token.Is(",") || (item.sure && item.text != kTypedText);
    });
    return others ? kNo : kEither;
  }

  // Measured evaluates a comparison with a literal; `!=` counts as `==` here.
  static Truths Measured(const JinjaToken& symbol, const JinjaToken& literal, Possible one) {
    const bool equal = IsOneOf(symbol, {"==", "!="});
    if (one == kWord && equal) {
      const Literal word(literal);
      return !word.sure ? kEither : word.text == kTypedText ? kYes : kNo;
    }
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

}  // namespace

bool IsOneOf(const JinjaToken& token, std::initializer_list<JinjaWord> words) {
  return std::ranges::any_of(words, [&](JinjaWord word) { return token.Is(word); });
}

HollowOutcome TryAtom(JinjaTokens atom, const TemplateScope& scope) {
  return AtomReader(atom, scope).Read();
}

}  // namespace ggufgate
