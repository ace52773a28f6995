// Statements of a template for CheckTrust(): the names that they bind.

#include <algorithm>
#include <array>

#include "jinja/trust/expression.h"

namespace ggufgate {
namespace {

class TrustReader {
 public:
  TrustReader(std::string_view text, JinjaSpan& span) : text_(text), span_(span) {}

  std::uint64_t Read(std::vector<TemplateRemark>& remarks) {
    for (int reading = 0; reading <= kTrustReadings; ++reading) {
      if (reading == kTrustReadings) table_.GiveUp();
      signatures_ = reading == 0;  // calls pass arguments to macros that are defined below
      ReadAll(nullptr);
      if (!table_.Changed() && !signatures_) break;
    }
    std::vector<TemplateRemark> found;
    told_ = &remarks;
    ReadAll(&found);
    remarks.insert(remarks.end(), found.begin(), found.end());
    return tokens_;
  }

 private:
  void ReadAll(std::vector<TemplateRemark>* remarks) {
    for (JinjaLexer lexer(text_); lexer.Next(span_);) {
      TrustExpression expression(table_, IsTold() ? nullptr : remarks);
      tokens_ += span_.tokens.size();
      const bool unread = span_.too_long || span_.deepest > kTemplateNestingRead;
      if (unread || span_.tokens.empty()) continue;  // reported elsewhere
      if (span_.kind == JinjaSpan::Kind::kStatement) ReadStatement(span_.tokens, expression);
      if (span_.kind == JinjaSpan::Kind::kOutput && !signatures_) expression.Read(span_.tokens);
    }
  }

  // IsTold tells whether a tag already has an error.
  [[nodiscard]] bool IsTold() const {
    if (told_ == nullptr) return false;
    auto remark = std::ranges::lower_bound(*told_, span_.begin, {}, &TemplateRemark::at);
    for (; remark != told_->end() && remark->at < span_.end; ++remark) {
      if (remark->kind < TemplateRemark::Kind::kNesting) return true;
    }
    return false;
  }

  void ReadStatement(JinjaTokens tokens, TrustExpression& expression) {
    // Jinja2 allows a colon at the end of statements.
    if (tokens.size() > 1 && tokens.back().Is(":")) tokens = tokens.first(tokens.size() - 1);
    const std::string_view word = tokens.front().text;
    const JinjaTokens rest = tokens.subspan(1);
    if (word == "macro" && !rest.empty()) {
      table_.BindMacro(rest.front().text, ParametersIn(rest.subspan(1)));
      if (signatures_) return;
      ReadSignature(rest.subspan(1), expression);
      if (table_.MayBeCalled(rest.front().text)) BindParameters(rest.subspan(1));
    } else if (signatures_) {
      return;
    } else if (word == "set") {
      ReadSet(rest, expression);
    } else if (word == "for") {
      ReadFor(rest, expression);
    } else if (word == "call") {
      ReadCall(rest, expression);
    } else if (word == "filter") {
      expression.Read(rest, /*filters=*/true);
    } else {
      ReadOther(word, rest, expression);
    }
  }

  // ReadSignature reads parameters in brackets. Each parameter may have any of their defaults.
  void ReadSignature(JinjaTokens signature, TrustExpression& expression) {
    const std::size_t close = ClosingOf(signature);
    const bool closed = close > 0 && close < signature.size();
    const JinjaTokens inside =
        closed ? signature.subspan(1, close - 1) : signature.subspan(0, signature.size());
    const Trust defaults = ReadAssignments(inside, expression);
    for (const std::string_view parameter : ParametersIn(signature)) {
      table_.Bind(parameter, defaults);
    }
  }

  void BindParameters(JinjaTokens signature) {
    for (const std::string_view parameter : ParametersIn(signature)) {
      table_.BindParameter(parameter);
    }
  }

  // ReadAssignments reads `a='x', b=c, d` and returns all values together. Names without a value
  // hold nothing.
  Trust ReadAssignments(JinjaTokens tokens, TrustExpression& expression) {
    Trust sum;
    std::size_t begin = 0;
    std::size_t depth = 0;
    for (std::size_t i = 0; i <= tokens.size(); ++i) {
      const bool end = i == tokens.size();
      if (!end && OpensBracket(tokens[i])) ++depth;
      if (!end && ClosesBracket(tokens[i]) && depth > 0) --depth;
      if (!end && (depth > 0 || !tokens[i].Is(","))) continue;
      const JinjaTokens one = tokens.subspan(begin, i - begin);
      const std::size_t equals = AssignmentIn(one);
      if (equals < one.size()) sum.Add(expression.Read(one.subspan(equals + 1)));
      begin = i + 1;
    }
    return sum;
  }

  void ReadSet(JinjaTokens tokens, TrustExpression& expression) {
    const std::size_t equals = AssignmentIn(tokens);
    if (equals < tokens.size()) {
      const JinjaTokens targets = tokens.first(equals);
      const Trust trust = expression.Read(tokens.subspan(equals + 1));
      // `a, b = c` and `(a,) = c` unpack a container.
      const bool several =
          std::ranges::any_of(targets, [](const JinjaToken& t) { return t.Is(",") || t.Is("("); });
      return BindTargets(targets, several ? ElementOf(trust) : trust);
    }
    // The text of a block, through filters.
    const auto bar = std::ranges::find_if(tokens, [](const JinjaToken& t) { return t.Is("|"); });
    const auto targets = static_cast<std::size_t>(bar - tokens.begin());
    BindTargets(tokens.first(targets), {.made = "set"});
    if (targets < tokens.size()) expression.Read(tokens.subspan(targets + 1), /*filters=*/true);
  }

  void BindTargets(JinjaTokens targets, const Trust& trust) {
    for (const JinjaTokens target : TargetsIn(targets)) {
      if (target.size() == 3) {
        table_.SetField(target[2].text, trust);
      } else {
        table_.Bind(target.front().text, trust);
      }
    }
  }

  void ReadFor(JinjaTokens tokens, TrustExpression& expression) {
    const auto in = std::ranges::find_if(tokens, [](const JinjaToken& t) { return t.Is("in"); });
    const auto targets = static_cast<std::size_t>(in - tokens.begin());
    if (targets == tokens.size()) return;
    const JinjaTokens rest = tokens.subspan(targets + 1);
    const std::size_t condition = ConditionIn(rest);
    Trust trust = ElementOf(expression.Read(rest.first(condition)));
    if (IsRow(rest.first(condition))) trust = RowOf(rest.first(condition));
    const bool recursive = condition < rest.size() && rest.back().Is("recursive");
    for (const JinjaTokens target : TargetsIn(tokens.first(targets))) {
      table_.Bind(target.front().text, trust);
      if (recursive) table_.BindParameter(target.front().text);
    }
    if (condition < rest.size()) expression.Read(rest.subspan(condition + 1));
  }

  // ConditionIn returns the index of the `if` of `for x in y if z`, or the number of tokens.
  static std::size_t ConditionIn(JinjaTokens tokens) {
    std::size_t depth = 0;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      if (OpensBracket(tokens[i])) ++depth;
      if (ClosesBracket(tokens[i]) && depth > 0) --depth;
      const bool last = i > 0 && i + 1 == tokens.size() && EndsOperand(tokens[i - 1]);
      if (depth == 0 && (tokens[i].Is("if") || (last && tokens[i].Is("recursive")))) return i;
    }
    return tokens.size();
  }

  // A variable may have the name `recursive`.
  static bool EndsOperand(const JinjaToken& token) {
    static constexpr std::array<std::string_view, 7> kOperators = {"and",  "or", "not", "if",
                                                                   "else", "in", "is"};
    if (token.kind == JinjaToken::Kind::kOperator) return ClosesBracket(token);
    return std::ranges::count(kOperators, token.text) == 0;
  }

  // IsRow tells whether the tokens are a list like `['a', 'b']`. No other value holds it, so
  // nothing is stored in it.
  static bool IsRow(JinjaTokens tokens) {
    if (tokens.size() < 2 || !tokens.front().Is("[") || !tokens.back().Is("]")) return false;
    bool comma = true;  // adjacent strings are one text
    for (const JinjaToken& token : tokens.subspan(1, tokens.size() - 2)) {
      const bool constant =
          token.kind == JinjaToken::Kind::kString || token.kind == JinjaToken::Kind::kNumber;
      if (constant ? !comma : !token.Is(",")) return false;
      comma = !constant;
    }
    return true;
  }

  static Trust RowOf(JinjaTokens row) {
    Trust trust;
    for (const JinjaToken& token : row) {
      if (token.kind == JinjaToken::Kind::kString) trust.Add(LiteralTrust(token.text));
    }
    return trust;
  }

  void ReadCall(JinjaTokens tokens, TrustExpression& expression) {
    if (!tokens.empty() && tokens.front().Is("(")) {
      ReadSignature(tokens, expression);
      // A macro may pass anything to its caller.
      BindParameters(tokens);
      tokens = tokens.subspan(std::min(ClosingOf(tokens) + 1, tokens.size()));
    }
    expression.Read(tokens);
  }

  // Other statements only bind names that `=` follows. `import` statements bind all their names.
  void ReadOther(std::string_view word, JinjaTokens tokens, TrustExpression& expression) {
    static constexpr std::array<std::string_view, 4> kImports = {"import", "from", "include",
                                                                 "extends"};
    const bool imports = std::ranges::count(kImports, word) > 0;
    const bool with = word == "with" || word == "trans";
    Trust trust = with ? ReadAssignments(tokens, expression) : expression.Read(tokens);
    if (imports) trust.Add({.made = word});
    if (!imports && !with) return;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      const bool assigned = i + 1 < tokens.size() && tokens[i + 1].Is("=");
      if (tokens[i].IsName() && (imports || assigned)) table_.Bind(tokens[i].text, trust);
    }
  }

  std::string_view text_;
  JinjaSpan& span_;
  TrustTable table_ = {};
  const std::vector<TemplateRemark>* told_ = nullptr;
  bool signatures_ = false;
  std::uint64_t tokens_ = 0;
};

}  // namespace

std::uint64_t CheckTrust(std::string_view text, JinjaSpan& span,
                         std::vector<TemplateRemark>& remarks) {
  return TrustReader(text, span).Read(remarks);
}

}  // namespace ggufgate
