// Statements of a template: what they set, open and close.

#include <algorithm>
#include <array>
#include <tuple>

#include "jinja/doubling.h"
#include "jinja/recursion.h"
#include "jinja/scope.h"
#include "jinja/syntax/statements.h"

namespace ggufgate {
namespace {

using Kind = TemplateRemark::Kind;
using Pool = TemplateScope::Pool;

constexpr std::array<std::string_view, 11> kBlocks = {"if",         "for",   "macro", "call",
                                                      "filter",     "block", "with",  "autoescape",
                                                      "generation", "trans", "set"};

// Block is an open statement.
struct Block {
  std::string_view keyword;
  std::string_view name;     // of what its text becomes: a variable, a macro, `caller`
  TemplateValue text = {};   // what it writes first, and the size of all of it
  std::size_t pieces = 0;    // how often it writes; once more where that is not certain
  std::uint64_t rounds = 1;  // of all loops up to this one
  bool repeats = false;      // outside of it: see TemplateScope
  bool certain = true;       // its body is reached whenever that of the macro around it is
  bool of_user = true;       // outside of it: see TemplateScope
  std::size_t macro_outside = TemplateScope::kNoSlot;
  std::size_t capture = TemplateScope::kNoSlot;  // innermost block whose text is kept
};

class TemplateReader {
 public:
  explicit TemplateReader(std::string_view text) : text_(text), scope_(text) {}
  std::vector<TemplateRemark> Read();
  [[nodiscard]] std::uint64_t Work() const { return scope_.store.budget().Spent() + tokens_; }

 private:
  void ReadOnce();
  void ReadSpan(const JinjaSpan& span);
  void ReadStatement(const JinjaSpan& span);
  void ReadSet(JinjaTokens tokens);
  void ReadFor(const JinjaToken& keyword, JinjaTokens tokens);
  void ReadMacro(JinjaTokens tokens);
  void ReadCall(JinjaTokens tokens);
  void ReadSignature(std::string_view name, JinjaTokens tokens);
  void ReadWith(JinjaTokens tokens);
  void ReadCondition(std::string_view keyword, JinjaTokens tokens);
  void ReadFilter(const JinjaToken& keyword, JinjaTokens tokens);
  void ReadFault(const JinjaSpan& span);
  void CheckNesting(const JinjaSpan& span);
  void Open(std::string_view keyword, std::string_view name = {});
  void Close();
  void Write(const TemplateValue& value);
  void Bind(JinjaTokens targets, const TemplateValue& value);
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

// Whatever is known is read until a reading adds nothing. Honest templates need three or four
// readings; of one that needs more, every name that is not spelled out counts as not known.
std::vector<TemplateRemark> TemplateReader::Read() {
  ReadOnce();
  for (std::uint64_t reading = 2;; ++reading) {
    if (reading > kTemplateReadings) scope_.GiveUp();
    ReadOnce();
    if (reading > kTemplateReadings || !scope_.changed()) break;
  }
  CheckRecursion(scope_);
  CheckDoubling(scope_);
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
  scope_.BeginReading();
  nested_ = 0;
  JinjaSpan span;
  for (JinjaLexer lexer(text_); lexer.Next(span);) ReadSpan(span);
  while (!blocks_.empty()) Close();
}

void TemplateReader::ReadSpan(const JinjaSpan& span) {
  ReadFault(span);
  CheckNesting(span);
  tokens_ += span.tokens.size();
  scope_.at = span.begin;
  if (span.too_long) {
    scope_.Add(Kind::kTokens, {.text = text_.substr(span.begin, 2), .begin = span.begin}, {},
               span.tokens.size() + 1);
    return;
  }
  if (span.deepest > kTemplateNestingRead || blocks_.size() > kTemplateNestingRead) return;
  switch (span.kind) {
    case JinjaSpan::Kind::kText:
    case JinjaSpan::Kind::kRaw:
      return Write(TextValue(span.text));
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
  const JinjaTokens rest = JinjaTokens(span.tokens).subspan(1);
  const std::string_view word = keyword.text;
  if (word.starts_with("end")) {
    if (!blocks_.empty()) Close();
  } else if (word == "set") {
    ReadSet(rest);
  } else if (word == "for") {
    ReadFor(keyword, rest);
  } else if (word == "macro") {
    ReadMacro(rest);
  } else if (word == "call") {
    ReadCall(rest);
  } else if (word == "with") {
    ReadWith(rest);
  } else if (word == "if" || word == "elif" || word == "else") {
    ReadCondition(word, rest);
  } else if (word == "include" || word == "import" || word == "from" || word == "extends") {
    const TemplateValue name = ReadExpression(rest, scope_);
    scope_.Add(Kind::kOtherTemplate, keyword, name.IsExact() ? name.items.front().text : word);
  } else if (word == "filter") {
    ReadFilter(keyword, rest);
  } else {
    const TemplateValue value = ReadExpression(rest, scope_);
    const bool block = std::ranges::count(kBlocks, word) > 0;
    if (block) Open(word);
    if (!block) Write(value);
  }
}

void TemplateReader::ReadSet(JinjaTokens tokens) {
  const std::size_t equals = AssignmentIn(tokens);
  if (equals < tokens.size()) {
    return Bind(tokens.first(equals), ReadExpression(tokens.subspan(equals + 1), scope_));
  }
  if (tokens.empty()) return;
  static_cast<void>(ReadExpression(tokens, scope_));  // filters over the block
  // `set ns.a` fills a field; its last name stands for it.
  const bool field = tokens.size() > 2 && tokens[1].Is(".");
  if (field) scope_.SetNamespace(tokens.front().text);
  Open("set", field ? tokens[2].text : tokens.front().text);
  // What filters make of the text is not followed.
  if (tokens.size() > (field ? 3U : 1U)) blocks_.back().pieces = 1;
}

// Bind sets the names among `targets`, each to any element where there are several.
void TemplateReader::Bind(JinjaTokens targets, const TemplateValue& value) {
  const std::vector<JinjaTokens> names = TargetsIn(targets);
  TemplateValue each = names.size() > 1 ? scope_.Element(value) : value;
  // Names in brackets of their own take an element apart once more.
  const bool nested = std::ranges::any_of(targets, [](const JinjaToken& t) { return t.Is("("); });
  if (names.size() > 1 && nested) Absorb(each, scope_.Element(each));
  for (const JinjaTokens name : names) {
    if (name.size() == 3) {
      scope_.SetNamespace(name.front().text);
      scope_.SetField(name[2].text, each);
    } else {
      scope_.SetVariable(name.front().text, each);
    }
  }
}

void TemplateReader::ReadFor(const JinjaToken& keyword, JinjaTokens tokens) {
  const auto in = std::ranges::find_if(tokens, [](const JinjaToken& t) { return t.Is("in"); });
  const auto names = static_cast<std::size_t>(in - tokens.begin());
  const JinjaTokens rest = tokens.subspan(std::min(names + 1, tokens.size()));
  const TemplateValue value = ReadExpression(rest, scope_);
  TemplateValue element = scope_.Element(value);
  const auto calls_itself = [](const JinjaToken& token) { return token.Is("recursive"); };
  if (std::ranges::any_of(rest, calls_itself)) {
    Absorb(element, scope_.Element(scope_.Gathered(Pool::kArgument)));
  }
  Bind(tokens.first(names), element);
  scope_.Gather(Pool::kLooped, value);
  const std::uint64_t before = blocks_.empty() ? 1 : blocks_.back().rounds;
  Open("for");
  scope_.loops.push_back(value);
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

void TemplateReader::ReadMacro(JinjaTokens tokens) {
  if (tokens.empty() || !tokens.front().IsName()) return;
  const std::string_view name = tokens.front().text;
  Open("macro", name);
  scope_.macro = scope_.SlotOf(name);
  ReadSignature(name, tokens.subspan(1));
}

// ReadSignature defines a macro; `tokens` are what stands in brackets behind its name.
void TemplateReader::ReadSignature(std::string_view name, JinjaTokens tokens) {
  TemplateMacro* macro = scope_.DefineMacro(name);
  if (macro == nullptr) return;
  macro->parameters = ParametersIn(tokens);
  for (std::size_t i = 0; i < macro->parameters.size(); ++i) {
    const std::string_view parameter = macro->parameters.at(i);
    if (!macro->handed.empty()) {
      scope_.SetVariable(parameter, macro->handed.at(std::min(i, macro->handed.size() - 1)));
    }
    scope_.SetVariable(parameter, scope_.Gathered(Pool::kArgument));
  }
  if (tokens.size() < 3) return;
  for (const TemplateArgument& argument :
       ReadArguments(tokens.subspan(1, tokens.size() - 2), scope_)) {
    if (!argument.name.empty()) scope_.SetVariable(argument.name, argument.value);
  }
}

// `call(a, b) m(…)` hands its text to the macro as `caller`, a macro with parameters a and b.
void TemplateReader::ReadCall(JinjaTokens tokens) {
  std::size_t behind = 0;
  if (!tokens.empty() && tokens.front().Is("(")) {
    behind = std::min(ClosingOf(tokens) + 1, tokens.size());
  }
  ReadSignature("caller", tokens.first(behind));
  Write(ReadExpression(tokens.subspan(behind), scope_));
  Open("call", "caller");
}

void TemplateReader::ReadWith(JinjaTokens tokens) {
  for (const TemplateArgument& argument : ReadArguments(tokens, scope_)) {
    if (!argument.name.empty()) scope_.SetVariable(argument.name, argument.value);
  }
  Open("with");
}

// The block's text goes through the filters: `filter a|b` is text|a|b.
void TemplateReader::ReadFilter(const JinjaToken& keyword, JinjaTokens tokens) {
  std::vector<JinjaToken> all{
      {.kind = JinjaToken::Kind::kName, .text = "filter", .begin = keyword.begin},
      {.kind = JinjaToken::Kind::kOperator, .text = "|", .begin = keyword.begin}};
  all.insert(all.end(), tokens.begin(), tokens.end());
  Write(ReadExpression(all, scope_));
  Open("filter");
}

void TemplateReader::ReadCondition(std::string_view keyword, JinjaTokens tokens) {
  const bool of_user = keyword == "if" || blocks_.empty() ? scope_.of_user : blocks_.back().of_user;
  scope_.of_user = of_user && !AsksForOther(tokens);
  static_cast<void>(ReadExpression(tokens, scope_));
  if (keyword == "if") {
    Open("if");
    blocks_.back().of_user = of_user;
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
                     .repeats = scope_.repeats,
                     .certain = keyword == "macro" || IsCertain(),
                     .of_user = scope_.of_user,
                     .macro_outside = scope_.macro,
                     .capture = Captures(keyword) ? blocks_.size() : outer});
  scope_.repeats = scope_.repeats || keyword == "for" || keyword == "macro";
}

// KnownText is what a block wrote, where that is one text that white space and escapes leave alone.
TemplateValue KnownText(const Block& block) {
  const auto loose = [](const Constant& item) {
    return item.number || item.text.size() > TextStore::kLongest ||
           (!item.text.empty() &&
            (SpaceAt(item.text, 0) > 0 || SpaceAt(item.text, item.text.size() - 1) > 0)) ||
           item.text.find_first_of("<>&'\"") != std::string_view::npos;
  };
  TemplateValue text = block.pieces == 0 ? TextValue("") : block.text;
  if (block.pieces > 1 || !text.IsExact() || std::ranges::any_of(text.items, loose)) {
    text = ComputedValue(block.keyword == "set" ? block.keyword : block.name);
  }
  text.bytes = block.text.bytes;
  text.parts = block.text.parts;
  text.alias = {};
  return text;
}

void TemplateReader::Close() {
  const Block block = std::move(blocks_.back());
  blocks_.pop_back();
  scope_.macro = block.macro_outside;
  scope_.of_user = block.of_user;
  scope_.repeats = block.repeats;
  if (block.keyword == "for" && !scope_.loops.empty()) scope_.loops.pop_back();
  if (!Captures(block.keyword)) return;
  const TemplateValue value = KnownText(block);
  if (block.keyword != "set") {
    TemplateMacro* macro = scope_.DefineMacro(block.name);
    if (macro != nullptr) scope_.SetOutput(*macro, value);
    return;
  }
  scope_.SetVariable(block.name, value);
  scope_.SetField(block.name, value);
}

// Write adds to the innermost block whose text is kept.
void TemplateReader::Write(const TemplateValue& value) {
  const std::size_t capture = blocks_.empty() ? TemplateScope::kNoSlot : blocks_.back().capture;
  if (capture == TemplateScope::kNoSlot) return;
  Block& block = blocks_.at(capture);
  // Under a condition, in a loop or behind a filter it may be written or not, and changed.
  const bool certain = capture + 1 == blocks_.size();
  const std::uint64_t rounds = blocks_.back().rounds / std::max(block.rounds, std::uint64_t{1});
  const std::uint64_t bytes =
      SumOf(block.text.bytes, ProductOf(std::max(value.bytes, std::uint64_t{1}), rounds));
  std::vector<TemplateValue::Part> before = std::move(block.text.parts);
  if (block.pieces == 0) block.text = value;
  block.text.parts = std::move(before);
  AddParts(block.text, value);
  block.text.bytes = bytes;
  block.pieces += certain ? 1 : 2;
}

}  // namespace

std::vector<TemplateRemark> ReadTemplate(std::string_view text, std::uint64_t* work) {
  TemplateReader reader(text);
  std::vector<TemplateRemark> remarks = reader.Read();
  if (work != nullptr) *work = reader.Work();
  return remarks;
}

}  // namespace ggufgate
