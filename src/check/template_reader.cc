// Statements of a template: what they set, open and close.

#include <algorithm>
#include <array>
#include <tuple>

#include "check/template_names.h"
#include "check/template_recursion.h"
#include "check/template_scope.h"

namespace ggufgate {
namespace {

using Kind = TemplateRemark::Kind;
using Tokens = std::span<const JinjaToken>;

constexpr std::array<std::string_view, 11> kBlocks = {"if",         "for",   "macro", "call",
                                                      "filter",     "block", "with",  "autoescape",
                                                      "generation", "trans", "set"};

// Block is an open statement.
struct Block {
  std::string_view keyword;
  std::string_view name;     // of what its text becomes: a variable, a macro, `caller`
  std::string output = {};   // what it writes, as far as known
  std::uint64_t rounds = 1;  // of all loops up to this one
  bool certain = true;       // its body is reached whenever that of the macro around it is
  std::size_t macro_outside = TemplateScope::kNoSlot;
  std::size_t capture = TemplateScope::kNoSlot;  // innermost block whose text is kept
  std::vector<std::string> names = {};           // texts of their own that are internal names
};

class TemplateReader {
 public:
  explicit TemplateReader(std::string_view text) : text_(text), scope_(text) {}
  std::vector<TemplateRemark> Read();
  [[nodiscard]] std::uint64_t Work() const { return scope_.budget.Spent() + tokens_; }

 private:
  void ReadOnce();
  void ReadSpan(const JinjaSpan& span);
  void ReadStatement(const JinjaSpan& span);
  void ReadSet(Tokens tokens);
  void ReadFor(const JinjaToken& keyword, Tokens tokens);
  void ReadMacro(Tokens tokens);
  void ReadWith(Tokens tokens);
  void ReadCondition(std::string_view keyword, Tokens tokens);
  void ReadFault(const JinjaSpan& span);
  void CheckNesting(const JinjaSpan& span);
  void Open(std::string_view keyword, std::string_view name = {});
  void Close();
  void Write(const TemplateValue& value);
  void Write(std::string_view text);
  void Bind(Tokens targets, const TemplateValue& value, bool elements);
  [[nodiscard]] bool IsCertain() const { return blocks_.empty() || blocks_.back().certain; }

  std::string_view text_;
  TemplateScope scope_;
  std::vector<Block> blocks_;
  std::uint64_t tokens_ = 0;
  std::uint64_t nested_ = 0;  // depth told of last
};

bool Captures(std::string_view keyword) {
  return keyword == "set" || keyword == "macro" || keyword == "call";
}

std::string_view Trimmed(std::string_view text) {
  while (!text.empty() && SpaceAt(text, 0) == 1) text.remove_prefix(1);
  while (!text.empty() && SpaceAt(text, text.size() - 1) == 1) text.remove_suffix(1);
  return text;
}

// AssignmentIn is the place of the `=` of `set a, b = …`, or the number of tokens.
std::size_t AssignmentIn(Tokens tokens) {
  std::size_t depth = 0;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const JinjaToken& token = tokens[i];
    if (token.Is("(") || token.Is("[")) ++depth;
    if ((token.Is(")") || token.Is("]")) && depth > 0) --depth;
    if (token.Is("|")) break;
    if (token.Is("=") && depth == 0) return i;
  }
  return tokens.size();
}

// IsAlwaysTrue is true for a condition that is spelled out as true.
bool IsAlwaysTrue(Tokens tokens) {
  if (tokens.size() != 1) return false;
  const JinjaToken& token = tokens.front();
  if (token.kind == JinjaToken::Kind::kNumber) return NumberOf(token.text).value_or(0) != 0;
  return token.Is("true") || token.Is("True");
}

bool HasChoice(Tokens tokens) {
  return std::ranges::any_of(tokens, [](const JinjaToken& token) {
    return token.Is("if") || token.Is("and") || token.Is("or");
  });
}

std::vector<TemplateRemark> TemplateReader::Read() {
  ReadOnce();
  blocks_.clear();
  nested_ = 0;
  scope_.second_reading = true;
  ReadOnce();
  CheckRecursion(scope_);
  if (scope_.budget.Exhausted()) scope_.Add(Kind::kConstants, {.text = text_, .begin = 0});
  std::vector<TemplateRemark>& remarks = scope_.remarks;
  std::ranges::sort(remarks, {}, [](const TemplateRemark& remark) {
    return std::tuple(remark.at, remark.kind, std::string_view(remark.name));
  });
  const auto same = [](const TemplateRemark& a, const TemplateRemark& b) {
    return a.at == b.at && a.kind == b.kind;
  };
  remarks.erase(std::unique(remarks.begin(), remarks.end(), same), remarks.end());
  return std::move(scope_.remarks);
}

void TemplateReader::ReadOnce() {
  scope_.macro = TemplateScope::kNoSlot;
  JinjaSpan span;
  for (JinjaLexer lexer(text_); lexer.Next(span);) ReadSpan(span);
  while (!blocks_.empty()) Close();
}

void TemplateReader::ReadSpan(const JinjaSpan& span) {
  ReadFault(span);
  CheckNesting(span);
  tokens_ += span.tokens.size();
  if (span.deepest > kTemplateNestingRead || blocks_.size() > kTemplateNestingRead) return;
  switch (span.kind) {
    case JinjaSpan::Kind::kText:
    case JinjaSpan::Kind::kRaw:
      return Write(span.text);
    case JinjaSpan::Kind::kComment:
      return;
    case JinjaSpan::Kind::kOutput:
      scope_.certain = IsCertain() && !HasChoice(span.tokens);
      return Write(ReadExpression(span.tokens, scope_));
    case JinjaSpan::Kind::kStatement:
      scope_.certain = IsCertain() && !HasChoice(span.tokens);
      return ReadStatement(span);
  }
}

void TemplateReader::ReadFault(const JinjaSpan& span) {
  if (span.fault == JinjaSpan::Fault::kNone) return;
  const std::size_t size = span.fault == JinjaSpan::Fault::kUnclosed ? 2 : 1;
  const Kind kind = span.fault == JinjaSpan::Fault::kUnclosed ? Kind::kUnclosed : Kind::kBracket;
  const std::string_view text = text_.substr(span.fault_at, size);
  scope_.Add(kind, {.text = text, .begin = span.fault_at}, text);
}

// Engines read nested brackets and blocks, and signs in a row, by calling themselves.
void TemplateReader::CheckNesting(const JinjaSpan& span) {
  std::size_t signs = 0;
  std::size_t most_signs = 0;
  for (const JinjaToken& token : span.tokens) {
    const bool sign = token.Is("not") || token.Is("-") || token.Is("+");
    signs = sign ? signs + 1 : 0;
    most_signs = std::max(most_signs, signs);
  }
  const std::uint64_t depth = blocks_.size() + std::max(span.deepest, most_signs);
  // Told once, and once more where it is so deep that reading stops.
  const bool first = nested_ == 0 && depth > kTemplateNesting;
  const bool unread = nested_ <= kTemplateNestingRead && depth > kTemplateNestingRead;
  if (!first && !unread) return;
  nested_ = depth;
  scope_.Add(Kind::kNesting, {.text = text_.substr(span.begin, 2), .begin = span.begin}, {}, depth);
}

void TemplateReader::ReadStatement(const JinjaSpan& span) {
  if (span.tokens.empty()) return;
  const JinjaToken& keyword = span.tokens.front();
  const Tokens rest = Tokens(span.tokens).subspan(1);
  const std::string_view word = keyword.text;
  if (word.starts_with("end")) {
    if (!blocks_.empty()) Close();
  } else if (word == "set") {
    ReadSet(rest);
  } else if (word == "for") {
    ReadFor(keyword, rest);
  } else if (word == "macro") {
    ReadMacro(rest);
  } else if (word == "with") {
    ReadWith(rest);
  } else if (word == "if" || word == "elif" || word == "else") {
    ReadCondition(word, rest);
  } else if (word == "include" || word == "import" || word == "from" || word == "extends") {
    const TemplateValue name = ReadExpression(rest, scope_);
    scope_.Add(Kind::kOtherTemplate, keyword,
               name.IsScalar() ? std::string_view(name.items.front().text) : word);
  } else if (word == "filter") {
    // The block's text goes through the filters: `filter a|b` is text|a|b.
    std::vector<JinjaToken> tokens{
        {.kind = JinjaToken::Kind::kName, .text = "_", .begin = keyword.begin},
        {.kind = JinjaToken::Kind::kOperator, .text = "|", .begin = keyword.begin}};
    tokens.insert(tokens.end(), rest.begin(), rest.end());
    Write(ReadExpression(tokens, scope_));
    Open(word);
  } else {
    Write(ReadExpression(rest, scope_));
    if (std::ranges::count(kBlocks, word) > 0) Open(word, word == "call" ? "caller" : "");
  }
}

void TemplateReader::ReadSet(Tokens tokens) {
  const std::size_t equals = AssignmentIn(tokens);
  if (equals < tokens.size()) {
    Bind(tokens.first(equals), ReadExpression(tokens.subspan(equals + 1), scope_), false);
    return;
  }
  if (tokens.empty()) return;
  static_cast<void>(ReadExpression(tokens, scope_));  // filters over the block
  // `set ns.a` fills a field; its last name stands for it.
  const bool field = tokens.size() > 2 && tokens[1].Is(".");
  Open("set", field ? tokens[2].text : tokens.front().text);
}

// Bind sets the names among `targets`, each to its element where there are as many.
void TemplateReader::Bind(Tokens targets, const TemplateValue& value, bool elements) {
  std::vector<Tokens> names;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    if (!targets[i].IsName()) continue;
    const bool field = i + 2 < targets.size() && targets[i + 1].Is(".");
    names.push_back(targets.subspan(i, field ? 3 : 1));
    if (field) i += 2;
  }
  const bool each = names.size() > 1 && !elements && value.items.size() == names.size();
  for (std::size_t i = 0; i < names.size(); ++i) {
    TemplateValue one = names.size() > 1 ? AnyOf(value) : value;
    if (each) {
      one = TextValue("");
      one.items.front() = value.items.at(i);
    }
    if (names.at(i).size() == 3) {
      scope_.SetField(names.at(i)[2].text, one);
    } else {
      scope_.SetVariable(names.at(i).front().text, one);
    }
  }
}

void TemplateReader::ReadFor(const JinjaToken& keyword, Tokens tokens) {
  const auto in = std::ranges::find_if(tokens, [](const JinjaToken& t) { return t.Is("in"); });
  const auto names = static_cast<std::size_t>(in - tokens.begin());
  const Tokens rest = tokens.subspan(std::min(names + 1, tokens.size()));
  const TemplateValue value = ReadExpression(rest, scope_);
  Bind(tokens.first(names), LoopVariable(value, scope_.budget), true);
  const std::uint64_t before = blocks_.empty() ? 1 : blocks_.back().rounds;
  Open("for");
  if (value.rounds == 0) blocks_.back().certain = false;
  if (value.rounds == 0) return;
  // Loops in loops multiply; a single one was judged with its range().
  const std::uint64_t most = kTemplateRounds + 1;
  const std::uint64_t rounds = before * std::min(value.rounds, most);
  if (before <= kTemplateRounds && value.rounds <= kTemplateRounds && rounds > kTemplateRounds) {
    scope_.Add(Kind::kRange, keyword, {}, rounds);
  }
  blocks_.back().rounds = std::min(rounds, most);
}

void TemplateReader::ReadMacro(Tokens tokens) {
  if (tokens.empty() || !tokens.front().IsName()) return;
  const std::string_view name = tokens.front().text;
  Open("macro", name);
  scope_.macro = scope_.SlotOf(name);
  TemplateMacro& macro = scope_.DefineMacro(name);
  macro.at = tokens.front().begin;
  macro.defined = true;
  macro.parameters.clear();
  if (tokens.size() < 2) return;
  std::size_t depth = 0;
  bool fresh = true;
  for (const JinjaToken& token : tokens.subspan(1)) {
    if (token.Is("(") || token.Is("[") || token.Is("{")) ++depth;
    if ((token.Is(")") || token.Is("]") || token.Is("}")) && depth > 0) --depth;
    if (depth == 1 && fresh && token.IsName()) macro.parameters.push_back(token.text);
    fresh = depth == 1 && (token.Is(",") || token.Is("("));
  }
  const Tokens arguments = tokens.size() > 3 ? tokens.subspan(2, tokens.size() - 3) : Tokens();
  ReadWith(arguments);
  blocks_.pop_back();  // with() opened one; the macro's is below
}

void TemplateReader::ReadWith(Tokens tokens) {
  for (const TemplateArgument& argument : ReadArguments(tokens, scope_)) {
    if (!argument.name.empty()) scope_.SetVariable(argument.name, argument.value);
  }
  Open("with");
}

void TemplateReader::ReadCondition(std::string_view keyword, Tokens tokens) {
  static_cast<void>(ReadExpression(tokens, scope_));
  if (keyword == "if") {
    Open("if");
    if (!IsAlwaysTrue(tokens)) blocks_.back().certain = false;
  } else if (!blocks_.empty()) {
    blocks_.back().certain = false;
  }
}

void TemplateReader::Open(std::string_view keyword, std::string_view name) {
  const std::size_t outer = blocks_.empty() ? TemplateScope::kNoSlot : blocks_.back().capture;
  blocks_.push_back({.keyword = keyword,
                     .name = name,
                     .rounds = blocks_.empty() ? 1 : blocks_.back().rounds,
                     .certain = keyword == "macro" || IsCertain(),
                     .macro_outside = scope_.macro,
                     .capture = Captures(keyword) ? blocks_.size() : outer});
}

void TemplateReader::Close() {
  const Block block = std::move(blocks_.back());
  blocks_.pop_back();
  scope_.macro = block.macro_outside;
  if (!Captures(block.keyword)) return;
  const std::string_view output = Trimmed(block.output);
  if (!scope_.budget.Spend(output.size())) return;
  TemplateValue value = TextValue(std::string(output));
  for (const std::string& name : block.names) Absorb(value, TextValue(name));
  if (block.keyword == "macro" || block.keyword == "call") {
    if (scope_.SlotOf(block.name) != TemplateScope::kNoSlot) {
      Absorb(scope_.DefineMacro(block.name).output, value);
    }
  } else {
    scope_.SetVariable(block.name, value);
    scope_.SetField(block.name, value);
  }
}

void TemplateReader::Write(const TemplateValue& value) {
  const bool known = value.IsScalar() && value.items.size() == 1;
  Write(known ? std::string_view(value.items.front().text) : std::string_view(&kHole, 1));
}

// Write adds to the innermost block whose text is kept.
void TemplateReader::Write(std::string_view text) {
  const std::size_t capture = blocks_.empty() ? TemplateScope::kNoSlot : blocks_.back().capture;
  if (capture == TemplateScope::kNoSlot || !scope_.budget.Spend(text.size())) return;
  Block& block = blocks_.at(capture);
  block.output += text;
  const std::string_view name = Trimmed(text);
  if (IsInternal(name) && block.names.size() < 4) block.names.emplace_back(name);
}

}  // namespace

std::vector<TemplateRemark> ReadTemplate(std::string_view text, std::uint64_t* work) {
  TemplateReader reader(text);
  std::vector<TemplateRemark> remarks = reader.Read();
  if (work != nullptr) *work = reader.Work();
  return remarks;
}

}  // namespace ggufgate
