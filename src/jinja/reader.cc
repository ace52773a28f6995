// Statements of a template: assignments, and the beginnings and ends of blocks.

#include <algorithm>
#include <array>
#include <tuple>

#include "bytes/utf8.h"
#include "jinja/reader.h"
#include "jinja/resource_use/doubling.h"
#include "jinja/resource_use/own_lists.h"
#include "jinja/resource_use/recursion.h"
#include "jinja/resource_use/spreading.h"
#include "jinja/resource_use/times.h"
#include "jinja/resource_use/weights.h"
#include "jinja/syntax/keywords.h"
#include "jinja/trust/trust.h"
#include "jinja/values/names.h"

namespace ggufgate {
namespace {

using Kind = TemplateRemark::Kind;

constexpr std::array<std::string_view, 11> kBlocks = {"if",         "for",   "macro", "call",
                                                      "filter",     "block", "with",  "autoescape",
                                                      "generation", "trans", "set"};

// Tags take time even if they have no effect.
constexpr std::uint64_t kStepsOfTag = 2;

// LongerBy returns the factor by which the filters of a block may lengthen its text. A filter that
// is not known to keep characters replaces each one by the longest text that the tag has or names,
// or by as many characters as the largest number in it.
std::uint64_t LongerBy(std::span<const JinjaToken> tokens, TemplateScope& scope) {
  static constexpr std::array<std::string_view, 10> kKeep = {
      "trim", "lower",  "upper",     "title", "capitalize",
      "safe", "string", "striptags", "list",  "reverse"};
  const auto filters = std::ranges::find_if(tokens, [](const JinjaToken& t) { return t.Is("|"); });
  std::uint64_t longest = 0;
  for (const JinjaToken& token : std::ranges::subrange(filters, tokens.end())) {
    std::uint64_t size = token.text.size();
    if (token.kind == JinjaToken::Kind::kNumber) {
      size = static_cast<std::uint64_t>(NumberOf(token.text).value_or(INT64_MAX));
    } else if (token.kind != JinjaToken::Kind::kString) {
      size = scope.IsSet(token.text) ? scope.Variable(token.text).bytes : 0;
      size = std::max(size, scope.Field(token.text).bytes);
      const TemplateMacro* macro = scope.MacroNamed(token.text);
      if (macro != nullptr) size = std::max(size, macro->output.bytes);
    }
    longest = std::max(longest, size);
  }
  std::uint64_t times = 1;
  for (std::size_t i = 1; i < tokens.size(); ++i) {
    if (!tokens[i - 1].Is("|") || std::ranges::count(kKeep, tokens[i].text) > 0) continue;
    times = ProductOf(times, std::max<std::uint64_t>(longest, 2));
  }
  return times;
}

}  // namespace

// Repeats readings until one finds nothing new. Published templates need three or four readings. If
// a template needs more than the limit, every name that it does not spell out counts as unknown.
std::vector<TemplateRemark> TemplateReader::Read() {
  ReadOnce();
  for (std::uint64_t reading = 2;; ++reading) {
    if (reading > kTemplateReadings) scope_.GiveUp();
    ReadOnce();
    const bool done = !scope_.changed() && scope_.SizesAreKept();
    if (reading > kTemplateReadings || done) break;
  }
  CheckRecursion(scope_);
  CheckWeights(scope_);
  CheckDoubling(scope_);
  CheckOwnHeld(scope_);
  CheckOwnLists(scope_);
  std::vector<TemplateRemark>& remarks = scope_.remarks;
  const auto sort = [&] {
    std::ranges::sort(remarks, {}, [](const TemplateRemark& remark) {
      return std::tuple(remark.at, remark.kind, std::string_view(remark.name));
    });
  };
  sort();
  tokens_ += CheckTrust(text_, span_, remarks);
  sort();
  const auto same = [](const TemplateRemark& a, const TemplateRemark& b) {
    return a.at == b.at && a.kind == b.kind;
  };
  remarks.erase(std::unique(remarks.begin(), remarks.end(), same), remarks.end());
  // The expensive code may be at the end of the file.
  for (TemplateRemark& remark : remarks) {
    remark.size = std::min<std::size_t>(remark.size, text_.size() - remark.at);
  }
  return std::move(scope_.remarks);
}

void TemplateReader::ReadOnce() {
  scope_.BeginReading();
  nested_ = 0;
  for (JinjaLexer lexer(text_); lexer.Next(span_);) ReadSpan(span_);
  while (!blocks_.empty()) Close();
  CountTimes(scope_);
  FollowNames(scope_, /*spreads=*/!scope_.SizesAreKept());
}

void TemplateReader::ReadSpan(const JinjaSpan& span) {
  ReadFault(span);
  CheckNames(span);
  CheckNesting(span);
  tokens_ += span.tokens.size();
  scope_.at = span.begin;
  if (span.too_long) {
    scope_.Add(Kind::kTokens, {.text = text_.substr(span.begin, 2), .begin = span.begin}, {},
               span.tokens.size() + 1);
    return;
  }
  if (span.deepest > kTemplateNestingRead || blocks_.size() > kTemplateNestingRead) return;
  if (span.kind == JinjaSpan::Kind::kComment) return scope_.Charge(kStepsOfTag);
  scope_.rounds = blocks_.empty() ? 1 : blocks_.back().rounds;
  scope_.data_rounds = blocks_.empty() ? 1 : blocks_.back().data_rounds;
  scope_.of_data = !blocks_.empty() && blocks_.back().of_data;
  if (scope_.rounds > 1 && scope_.of_data) scope_.rounds *= TemplateScope::kRoundsOfData;
  scope_.loops_of_data = blocks_.empty() ? 0 : blocks_.back().loops_of_data;
  ChargeNames(span);
  scope_.deepest = 0;
  const std::uint64_t folded = scope_.folding;
  scope_.certain = IsCertain() && !HasChoice(span.tokens);
  scope_.choice = ChoiceIn(span.tokens);
  if (span.kind == JinjaSpan::Kind::kStatement) {
    ReadStatement(span);
  } else {
    const bool output = span.kind == JinjaSpan::Kind::kOutput;
    TemplateValue value = output ? ReadExpression(span.tokens, scope_) : TextValue(span.text);
    // Each block around it copies the text.
    ChargeSize(value, scope_, blocks_.size() + 1);
    CountOutput(value);
    Write(value);
    if (!blocks_.empty() && blocks_.back().called_again) scope_.KeepAnyReads(value);
    const std::uint64_t longer = blocks_.empty() ? 1 : blocks_.back().longer;
    value.bytes = ProductOf(AtLeastAByte(value), longer);
    if (longer > 1) {
      CheckGrowth(value, {.text = text_.substr(span.begin, 2), .begin = span.begin}, scope_);
    }
  }
  CheckChain(span);
  CheckFolding(span, folded);
}

// Code outside of macros that runs once costs what its tags cost.
void TemplateReader::ChargeNames(const JinjaSpan& span) {
  if (scope_.rounds == 1 && scope_.macro == TemplateScope::kNoSlot) {
    if (span.kind != JinjaSpan::Kind::kText) scope_.Charge(kStepsOfTag);
    return;
  }
  constexpr std::uint64_t kOthersOfStep = 4;
  const auto names = std::ranges::count_if(span.tokens, &JinjaToken::IsName);
  scope_.Charge(1 + static_cast<std::uint64_t>(names) + span.tokens.size() / kOthersOfStep);
}

// Engines parse and run sequences of operators, branches and calls of macros recursively.
void TemplateReader::CheckChain(const JinjaSpan& span) {
  const std::uint64_t depth = (blocks_.empty() ? 0 : blocks_.back().depth) + scope_.deepest;
  TemplateWeight& weight = scope_.Weight(scope_.macro);
  if (depth <= weight.depth) return;
  const bool first = weight.depth <= kTemplateChain;
  weight.depth = Kept(depth);
  if (first && depth > kTemplateChain) {
    scope_.Add(Kind::kChain, {.text = text_.substr(span.begin, 2), .begin = span.begin}, {}, depth);
  }
}

// CheckFolding reports the span that makes the sum exceed the limit; `before` is the sum before it.
void TemplateReader::CheckFolding(const JinjaSpan& span, std::uint64_t before) {
  const bool chain = scope_.deepest > kTemplateChain;  // reported as such
  if (chain || before > kTemplateFolding || scope_.folding <= kTemplateFolding) return;
  const JinjaToken token = {.text = text_.substr(span.begin, 2), .begin = span.begin};
  scope_.Add(Kind::kFolding, token, {}, scope_.folding);
}

void TemplateReader::ReadFault(const JinjaSpan& span) {
  if (span.fault == JinjaSpan::Fault::kNone) return;
  const std::size_t size = span.fault == JinjaSpan::Fault::kUnclosed ? 2 : 1;
  const Kind kind = span.fault == JinjaSpan::Fault::kUnclosed ? Kind::kUnclosed : Kind::kBracket;
  const std::string_view text = text_.substr(span.fault_at, size);
  scope_.Add(kind, {.text = text, .begin = span.fault_at}, text);
}

// Python normalizes names (NFKC) when it compiles them: `ª` is `a`. No published template has a
// name with non-ASCII characters, and the other checks of names do not normalize.
void TemplateReader::CheckNames(const JinjaSpan& span) {
  for (const JinjaToken& token : span.tokens) {
    if (token.IsName() && !IsAscii(token.text)) scope_.Add(Kind::kForeignName, token, token.text);
    // In any position: `namespace(__html_format__=m)`, `macro m(__init__)`.
    if (token.IsName() && IsDunder(token.text)) {
      scope_.Add(Kind::kInternalName, token, token.text);
    }
  }
  const JinjaToken* ambiguous = AmbiguousToken(span);
  if (ambiguous != nullptr) scope_.Add(Kind::kAmbiguous, *ambiguous, ambiguous->text);
}

// Engines parse nested brackets and blocks, and consecutive signs, recursively.
void TemplateReader::CheckNesting(const JinjaSpan& span) {
  std::size_t signs = 0;
  std::size_t most_signs = 0;
  for (const JinjaToken& token : span.tokens) {
    const bool sign = token.Is("not") || token.Is("-") || token.Is("+");
    signs = sign ? signs + 1 : 0;
    most_signs = std::max(most_signs, signs);
  }
  const std::uint64_t depth = blocks_.size() + std::max(span.deepest, most_signs);
  // Reported once, and again if the nesting is so deep that the analysis stops.
  const bool first = nested_ == 0 && depth > kTemplateNesting;
  const bool unread = nested_ <= kTemplateNestingRead && depth > kTemplateNestingRead;
  if (!first && !unread) return;
  nested_ = depth;
  scope_.Add(Kind::kNesting, {.text = text_.substr(span.begin, 2), .begin = span.begin}, {}, depth);
}

void TemplateReader::ReadStatement(const JinjaSpan& span) {
  // Jinja2 compiles a list of all variables into each `include` and scoped block.
  constexpr std::uint64_t kCopiesOfCode = 2;
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
    scope_.ChargeCopies(kCopiesOfCode);
    scope_.Add(Kind::kOtherTemplate, keyword, name.IsExact() ? name.items.front().text : word);
  } else if (word == "filter") {
    ReadFilter(keyword, rest);
  } else {
    const TemplateValue value = ReadExpression(rest, scope_);
    const bool block = std::ranges::count(kBlocks, word) > 0;
    if (word == "block") scope_.ChargeCopies(kCopiesOfCode);
    if (block) Open(word);
    if (!block) Write(value);
  }
}

void TemplateReader::ReadSet(JinjaTokens tokens) {
  const std::size_t equals = AssignmentIn(tokens);
  CheckTargets(tokens.first(std::min(equals, tokens.size())), equals < tokens.size());
  if (equals < tokens.size()) {
    const JinjaTokens targets = tokens.first(equals);
    BindHere(targets, Bind(targets, ReadExpression(tokens.subspan(equals + 1), scope_)));
    return;
  }
  if (tokens.empty()) return;
  static_cast<void>(ReadExpression(tokens, scope_));  // filters over the block
  // `set ns.a` sets a field; its last name is used for it.
  const bool field = tokens.size() > 2 && tokens[1].Is(".");
  if (field) scope_.SetNamespace(tokens.front().text);
  if (!field) scope_.Bind(tokens.front().text, ComputedValue("set"));
  if (!field) CheckRebound(tokens.front().text, Meaning::kVariable, scope_);
  Open("set", field ? tokens[2].text : tokens.front().text);
  if (field) blocks_.back().object = tokens.front().text;
  // The result of filters on the text is not followed.
  if (tokens.size() > (field ? 3U : 1U)) blocks_.back().pieces = 1;
  blocks_.back().longer = ProductOf(blocks_.back().longer, LongerBy(tokens, scope_));
}

// CheckTargets checks the targets of an assignment, or of a block with its filters. llama.cpp also
// sets items of any value (`set x['a'].b = …`), which Jinja2 rejects.
void TemplateReader::CheckTargets(JinjaTokens tokens, bool assigns) {
  if (tokens.empty()) return;
  const auto bar = std::ranges::find_if(tokens, [](const JinjaToken& t) { return t.Is("|"); });
  const JinjaTokens targets =
      assigns ? tokens : tokens.first(static_cast<std::size_t>(bar - tokens.begin()));
  const bool one = tokens.front().IsName() && TargetsIn(targets).size() == 1;
  if (AreTargets(targets) && (assigns || one)) return;
  scope_.Add(Kind::kTarget, tokens.front(), tokens.front().text);
}

// llama.cpp also sets fields of dictionaries and messages, which other code may read.
void TemplateReader::StoreField(const JinjaToken& object, std::string_view field,
                                const TemplateValue& value) {
  StoreInObject(object.text, value);
  scope_.Charge(scope_.StepsOfField(object.text));
  scope_.SetFieldOf(object.text, field, value);
  const std::size_t slot = scope_.VariableSlot(object.text);
  if (slot == TemplateScope::kNoSlot) return;
  scope_.Hold(2 * slot, value, TemplateHolding::How::kStores, object);
}

void TemplateReader::StoreInObject(std::string_view name, const TemplateValue& value) {
  const TemplateValue object = scope_.Variable(name);
  if (object.IsNothing() || !scope_.MayBeObject(name)) return;
  scope_.StoreInto(object);
  scope_.StoreFields();
  scope_.KeepAnyKey(value);
  TemplateValue stored = value;
  stored.made = true;
  scope_.Gather(TemplateScope::Pool::kStored, stored);
}

// Bind sets the names among `targets`, and returns their value. If there are several names, each
// gets any element.
TemplateValue TemplateReader::Bind(JinjaTokens targets, const TemplateValue& value) {
  const std::vector<JinjaTokens> names = TargetsIn(targets);
  TemplateValue each = names.size() > 1 ? scope_.Element(value) : value;
  // Names in nested brackets unpack an element again.
  const bool nested = std::ranges::any_of(targets, [](const JinjaToken& t) { return t.Is("("); });
  if (names.size() > 1 && nested) Absorb(each, scope_.Element(each));
  for (const JinjaTokens name : names) {
    if (name.size() == 3) {
      StoreField(name.front(), name[2].text, each);
    } else {
      scope_.SetVariable(name.front().text, each);
    }
  }
  return each;
}

// BindHere records that the current branch sets the names.
void TemplateReader::BindHere(JinjaTokens targets, const TemplateValue& value) {
  for (const JinjaTokens name : TargetsIn(targets)) {
    const bool field = name.size() == 3;
    scope_.Bind(name.front().text, field ? ComputedValue("namespace") : value);
    CheckRebound(name.front().text, Meaning::kVariable, scope_);
    if (field) continue;
    scope_.Renew(name.front().text);
    scope_.MakeSpace(name.front().text, value);
  }
}

void TemplateReader::ReadWith(JinjaTokens tokens) {
  const TemplateArguments arguments = ReadArguments(tokens, scope_);
  for (const TemplateArgument& argument : arguments) {
    if (!argument.name.empty()) scope_.SetVariable(argument.name, argument.value);
    if (argument.name.empty()) {  // several targets at the same time
      scope_.Add(Kind::kTarget, tokens.front(), tokens.front().text);
    }
  }
  Open("with");
  for (const TemplateArgument& argument : arguments) {
    if (argument.name.empty()) continue;
    scope_.Bind(argument.name, argument.value);
    CheckRebound(argument.name, Meaning::kVariable, scope_);
    scope_.Renew(argument.name);
    scope_.MakeSpace(argument.name, argument.value);
  }
}

// The filters apply to the block's text: `filter a|b` is text|a|b.
void TemplateReader::ReadFilter(const JinjaToken& keyword, JinjaTokens tokens) {
  std::vector<JinjaToken> all{
      {.kind = JinjaToken::Kind::kName, .text = "filter", .begin = keyword.begin},
      {.kind = JinjaToken::Kind::kOperator, .text = "|", .begin = keyword.begin}};
  all.insert(all.end(), tokens.begin(), tokens.end());
  Write(ReadExpression(all, scope_));
  scope_.ChargeCopies(1);
  Open("filter");
  blocks_.back().longer = ProductOf(blocks_.back().longer, LongerBy(all, scope_));
}

void TemplateReader::ReadCondition(std::string_view keyword, JinjaTokens tokens) {
  const bool of_user = keyword == "if" || blocks_.empty() ? scope_.of_user : blocks_.back().of_user;
  scope_.of_user = of_user && !AsksForOther(tokens);
  const bool first = keyword == "if";
  if (!first && !blocks_.empty()) Rejoin(keyword == "else");
  ChargeSize(ReadExpression(tokens, scope_), scope_);
  scope_.ChargeCopies(1);
  const HollowOutcome outcome = keyword == "else" ? HollowOutcome() : TryHollow(tokens, scope_);
  if (first) {
    Open("if");
    blocks_.back().of_user = of_user;
    if (!IsAlwaysTrue(tokens)) blocks_.back().certain = false;
  } else if (!blocks_.empty()) {
    blocks_.back().certain = false;
    if (keyword == "elif") ++blocks_.back().depth;
  }
  if (blocks_.empty()) return;
  scope_.missed |= outcome.fails;
  blocks_.back().taken_before |= outcome.holds;
}

std::vector<TemplateRemark> ReadTemplate(std::string_view text, std::uint64_t* work) {
  TemplateReader reader(text);
  std::vector<TemplateRemark> remarks = reader.Read();
  if (work != nullptr) *work = reader.Work();
  return remarks;
}

}  // namespace ggufgate
