#include "jinja/trust/expression.h"

#include <algorithm>
#include <array>
#include <utility>

#include "jinja/trust/known.h"
#include "jinja/values/names.h"

namespace ggufgate {
namespace {

using Kind = TemplateRemark::Kind;

template <std::size_t kCount>
bool IsAmong(const std::array<std::string_view, kCount>& words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

bool IsNumberOfLoop(std::string_view name) {
  static constexpr std::array<std::string_view, 9> kNumbers = {
      "index", "index0", "revindex", "revindex0", "length", "first", "last", "depth", "depth0"};
  return IsAmong(kNumbers, name);
}

// IsPlain tells whether an operand is a number, or a value without text.
bool IsPlain(const TrustOperand& operand) { return operand.number || operand.trust.IsNothing(); }

}  // namespace

Trust TrustExpression::Read(JinjaTokens tokens, bool filters) {
  tokens_ = tokens;
  frames_.assign(1, TrustFrame());
  at_ = 0;
  if (filters) {
    Begin({.trust = {.made = "filter"}});
    ReadFilter();
    ++at_;
  }
  for (; at_ < tokens_.size(); ++at_) ReadToken(tokens_[at_]);
  while (frames_.size() > 1) Close();
  Finish();
  return SumOf(frame());
}

// SumOf returns the trust of a bracket. Joined texts hold no object; joined lists do.
Trust TrustExpression::SumOf(const TrustFrame& inner) {
  if (inner.joined != "~" || inner.choice) return inner.sum;
  return {.literal = true, .made = inner.joined};
}

void TrustExpression::ReadToken(const JinjaToken& token) {
  static constexpr std::array<std::string_view, 6> kOperators = {"and", "or",   "not",
                                                                 "if",  "else", "in"};
  if (token.kind == JinjaToken::Kind::kOther) return Make("signs that are not understood");
  if (ClosesBracket(token)) return Close();
  if (token.Is("is")) return ReadTest();
  if (token.IsName() && IsAmong(kOperators, token.text)) return ReadOperator(token);
  const bool sign = token.kind == JinjaToken::Kind::kOperator;
  if (sign && frame().behind) return ReadBehind(token);
  if (sign && !OpensBracket(token)) return ReadOperator(token);
  ReadOperand(token);
}

// ReadBehind reads a symbol after an operand.
void TrustExpression::ReadBehind(const JinjaToken& token) {
  if (token.Is(".")) {
    ReadMember();
  } else if (token.Is("|")) {
    ++at_;
    ReadFilter();
  } else if (token.Is("[")) {
    Open(Use::kSubscript, token);
  } else if (token.Is("(")) {
    Open(Use::kCall, token);
  } else if (token.Is("{")) {
    ReadOperand(token);
  } else {
    ReadOperator(token);
  }
}

void TrustExpression::ReadOperand(const JinjaToken& token) {
  if (token.IsName()) return ReadName(token);
  if (token.kind == JinjaToken::Kind::kNumber) return Begin({.number = true});
  if (token.kind == JinjaToken::Kind::kString) return ReadText(token);
  if (frame().behind) Begin({});  // two adjacent operands
  Open(token.Is("(") ? Use::kGroup : token.Is("[") ? Use::kList : Use::kDictionary, token);
}

void TrustExpression::ReadName(const JinjaToken& token) {
  static constexpr std::array<std::string_view, 6> kConstants = {"true",  "True", "false",
                                                                 "False", "none", "None"};
  if (IsAmong(kConstants, token.text)) return Begin({});
  if (!PeekIs("(")) table_.Escape(token.text);
  Begin({.trust = table_.Of(token.text), .name = token.text});
}

void TrustExpression::ReadText(const JinjaToken& token) {
  const bool closed = token.text.size() >= 2;
  Begin({.trust = LiteralTrust(token.text),
         .text = closed ? token.text.substr(1, token.text.size() - 2) : ""});
}

void TrustExpression::ReadOperator(const JinjaToken& token) {
  const TrustOperand left = frame().operand;
  const bool behind = frame().behind;
  const bool argument = frame().use == Use::kCall || frame().use == Use::kFilter;
  if (argument && token.Is("=") && behind) {
    frame().argument = left.name;
    frame().operand = {};
    frame().behind = false;
    frame().value.Add({.literal = true, .made = IsInternal(left.name) ? left.name : ""});
    return;
  }
  Finish();
  // `~` and `+` join texts. If the bracket has a choice, its value may also be another one.
  static constexpr std::array<std::string_view, 6> kChoices = {"if", "else", "and", "or", ",", ":"};
  if (IsAmong(kChoices, token.text)) frame().choice = true;
  if (token.Is("~")) Make(frame().joined = "~");
  if (token.Is("%") && !IsPlain(left)) Make("%");
  if (token.Is("+") && behind && !IsPlain(left) && !left.container) frame().joins = "+";
  if (token.Is("*") && behind && !left.container) frame().joins = IsPlain(left) ? "number *" : "*";
  if (token.Is(":") && frame().use == Use::kSubscript) frame().slice = true;
  if (!behind && (token.Is("*") || token.Is("**"))) frame().spread = true;
  if (!token.Is(",")) return;
  frame().tuple = true;
  if (argument) FinishArgument();
}

void TrustExpression::ReadMember() {
  const JinjaToken* member = Peek();
  if (member == nullptr || !member->IsName()) return Make("signs that are not understood");
  ++at_;
  TrustOperand& operand = frame().operand;
  Keep(operand);
  const bool loop = operand.name == "loop" && !operand.method && !table_.IsBound("loop");
  if (loop && IsNumberOfLoop(member->text)) {
    operand = {.number = true};
    return;
  }
  const Trust field = operand.trust.object ? table_.FieldOf(member->text) : Trust();
  if (IsInternal(member->text)) Report(Kind::kInternalName, *member, member->text);
  operand.receiver = operand.trust;
  operand.receiver.Add(field);
  operand.trust = ElementOf(operand.trust);
  operand.trust.Add(field);
  operand.name = member->text;
  operand.text = {};
  operand.method = true;
  operand.item = operand.any_key = false;
  operand.number = operand.container = false;
}

// ReadFilter reads the name of a filter at the current position.
void TrustExpression::ReadFilter() {
  const JinjaToken* filter = Peek(0);
  if (filter == nullptr || !filter->IsName()) return Make("signs that are not understood");
  const bool dotted = PeekIs(".");
  if (dotted) Make(filter->text);
  if (!dotted && PeekIs("(")) {
    ++at_;
    return Open(Use::kFilter, *filter);
  }
  Keep(frame().operand);
  const TrustFrame none = {.use = Use::kFilter, .token = filter, .target = frame().operand};
  frame().operand = Filtered(none);
}

// The result of a test is a truth. Its argument may follow without brackets.
void TrustExpression::ReadTest() {
  Finish();
  if (PeekIs("not")) ++at_;
  if (Peek() != nullptr && Peek()->IsName()) ++at_;
  while (PeekIs(".") && Peek(2) != nullptr && Peek(2)->IsName()) at_ += 2;
  // A filter may follow and apply to this truth.
  if (PeekIs("|")) return Begin({.number = true});
  // `x is eq [a]` may also be parsed as an item of a value.
  if (!PeekIs("[")) return;
  ++at_;
  Open(Use::kList, tokens_[at_]);
  frame().tested = true;
}

void TrustExpression::Begin(TrustOperand operand) {
  if (frame().behind) Make("texts side by side");
  Finish();
  frame().operand = std::move(operand);
  frame().behind = true;
}

void TrustExpression::Keep(TrustOperand& operand) {
  if (!operand.method) return;
  if (IsFormat(operand.name) && !operand.receiver.made.empty()) operand.trust.format = true;
  if (StoresIn(operand.name)) operand.trust.stores = true;
}

// Finish adds the operand to the value of its bracket.
void TrustExpression::Finish() {
  TrustFrame& here = frame();
  if (!here.behind) return;
  TrustOperand& operand = here.operand;
  Keep(operand);
  const bool one_is_plain = here.joins != "*" && IsPlain(operand);
  if (!here.joins.empty() && !one_is_plain && !operand.container) {
    here.value.Add({.made = here.joins});
    if (here.joins == "+") here.joined = here.joins;
  }
  here.value.Add(operand.trust);
  here.sum.Add(here.value);
  here.numbers = here.numbers && operand.number;
  here.text = here.operands++ == 0 ? operand.text : "";
  here.operand = {};
  here.joins = {};
  here.behind = false;
}

void TrustExpression::FinishArgument() {
  TrustFrame& here = frame();
  Finish();
  here.sum.Add(here.value);
  if (here.use == Use::kFilter) CheckAttribute(here);
  here.any_key = here.any_key || (here.text.empty() && !here.value.IsNothing());
  here.format = here.format || here.text.find("format") != std::string_view::npos;
  if (here.use == Use::kCall) Hand(here);
  if (here.value.format) Report(Kind::kComputedPattern, *here.token, "format");
  if (here.argument.empty()) ++here.place;
  here.argument = {};
  here.operands = 0;
  here.value = {};
  here.spread = false;
}

void TrustExpression::Make(std::string_view by) {
  frame().value.Add({.made = by});
  frame().sum.Add({.made = by});
}

void TrustExpression::Open(Use use, const JinjaToken& token) {
  TrustFrame inner = {.use = use, .token = &token};
  const bool applied = use == Use::kSubscript || use == Use::kCall || use == Use::kFilter;
  if (applied && frame().behind) {
    if (use != Use::kCall) Keep(frame().operand);
    inner.target = frame().operand;
  }
  frames_.push_back(std::move(inner));
}

void TrustExpression::Close() {
  if (frames_.size() == 1) return Make("signs that are not understood");
  const bool argument = frame().use == Use::kCall || frame().use == Use::kFilter;
  if (argument) FinishArgument();
  if (!argument) Finish();
  const TrustFrame inner = std::move(frames_.back());
  frames_.pop_back();
  if (inner.tested && !inner.sum.made.empty()) {
    Report(Kind::kComputedName, *inner.token, inner.sum.made);
  }
  TrustOperand made = inner.use == Use::kSubscript ? Subscript(inner)
                      : inner.use == Use::kCall    ? Call(inner)
                      : inner.use == Use::kFilter  ? Filtered(inner)
                                                   : Group(inner);
  frame().operand = std::move(made);
  frame().behind = true;
}

TrustOperand TrustExpression::Subscript(const TrustFrame& inner) {
  TrustOperand item = {.trust = ElementOf(inner.target.trust)};
  if (inner.slice) {
    item.trust = PieceOf(inner.target.trust, "a slice");
    item.container = inner.target.container;
    return item;
  }
  if (!inner.sum.made.empty()) Report(Kind::kComputedName, *inner.token, inner.sum.made);
  const bool known = !inner.text.empty();
  if (item.trust.object) item.trust.Add(known ? table_.FieldOf(inner.text) : table_.AnyField());
  // A key that is one of several literals may be the dangerous one.
  item.name = known || !inner.sum.literal ? inner.text : "format";
  // A key from the conversation may be it, too: schemas of tools have `format`.
  item.any_key = !known && !inner.numbers && !inner.sum.IsNothing();
  item.method = item.item = true;
  item.receiver = inner.target.trust;
  return item;
}

TrustOperand TrustExpression::Group(const TrustFrame& inner) const {
  const bool made = inner.use != Use::kGroup;  // a list or dictionary
  TrustOperand group = {.trust = SumOf(inner),
                        .number = !made && inner.numbers && !inner.tuple,
                        .container = made || inner.tuple};
  if (made || inner.tuple) group.trust = HeldBy(group.trust);
  if (made) group.trust.Add({.object = true});
  if (made) group.trust.Add(table_.Stored());
  return group;
}

void TrustExpression::CheckPattern(const Trust& pattern, const JinjaToken& token) {
  if (!pattern.made.empty()) Report(Kind::kComputedPattern, token, pattern.made);
}

void TrustExpression::Report(Kind kind, const JinjaToken& token, std::string_view by) {
  if (remarks_ == nullptr) return;
  remarks_->push_back(
      {.kind = kind, .at = token.begin, .size = token.text.size(), .name = std::string(by)});
}

}  // namespace ggufgate
