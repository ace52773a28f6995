// Parses expressions in templates: a shunting yard over constants.

#include <algorithm>
#include <array>
#include <utility>

#include "jinja/expressions/expression.h"

namespace ggufgate {
namespace {

using Kind = JinjaToken::Kind;
using Remark = TemplateRemark::Kind;

constexpr int kSign = 9;  // of an operand
constexpr int kTest = 11;

// StrengthOf returns the precedence of a binary operator, in the order of jinja2/parser.py 3.1.6,
// or 0 for other tokens.
int StrengthOf(const JinjaToken& token) {
  struct Entry {
    JinjaWord word;
    int strength;
  };
  static constexpr std::array<Entry, 20> kOperators = {
      {{"if", 1}, {"else", 1}, {"or", 2}, {"and", 3}, {"in", 5},  {"==", 5},    {"!=", 5},
       {"<", 5},  {">", 5},    {"<=", 5}, {">=", 5},  {"+", 6},   {"-", 6},     {"~", 7},
       {"*", 8},  {"/", 8},    {"//", 8}, {"%", 8},   {"**", 10}, {"is", kTest}}};
  const auto found =
      std::ranges::find_if(kOperators, [&](const Entry& entry) { return token.Is(entry.word); });
  return found == kOperators.end() ? 0 : found->strength;
}

// CeilingOf returns the integer above a fraction.
std::int64_t CeilingOf(std::string_view number) {
  const bool power = number.find_first_of("eE") != std::string_view::npos;
  const std::int64_t whole = NumberOf(number.substr(0, number.find('.'))).value_or(INT64_MAX);
  return power || whole == INT64_MAX ? INT64_MAX : whole + 1;
}

// SupposedOf returns the largest absolute value of an operand, even if the operand is not followed.
// A number of the conversation, such as the number of its messages, is small.
std::int64_t SupposedOf(const TemplateValue& value, const TemplateScope& scope) {
  constexpr std::int64_t kOfConversation = 64;
  const std::int64_t known = std::max(Reach(value), value.supposed);
  return value.MayBeAnyNumber() ? std::max({known, kOfConversation, scope.Largest()}) : known;
}

}  // namespace

TemplateValue ExpressionReader::PopAll() {
  // There is more than one operand if a keyword of a statement is between them, or after a syntax
  // error: any of them may be meant.
  TemplateValue whole = Pop().value;
  while (operands_.size() > frames_.back().operands) Absorb(whole, Pop().value);
  return whole;
}

TemplateOperand ExpressionReader::Pop() {
  if (operands_.size() <= frames_.back().operands) return {};
  TemplateOperand operand = std::move(operands_.back());
  operands_.pop_back();
  popped_ = std::max(popped_, operand.depth);
  return operand;
}

// An operand that is made of others is one level deeper, because engines build and evaluate a tree.
void ExpressionReader::Push(TemplateOperand operand) {
  operand.value = scope_.Known(std::move(operand.value));
  operand.depth = popped_ + 1;
  popped_ = 0;
  scope_.deepest = std::max(scope_.deepest, operand.depth);
  scope_.folding = SumOf(scope_.folding, ProductOf(operand.depth, operand.depth));
  operands_.push_back(std::move(operand));
}

void ExpressionReader::ReadAll() {
  while (at_ < tokens_.size()) {
    if (wants_operand_) {
      ReadOperand();
    } else {
      ReadOperator();
    }
  }
  while (frames_.size() > 1) Close();
}

TemplateValue ExpressionReader::Value() {
  ReadAll();
  Reduce(0);
  if (!frames_.back().commas) return PopAll();
  Separate({});  // a tuple without parentheses
  return Collection(frames_.back());
}

TemplateArguments ExpressionReader::Arguments() {
  frames_.back().use = TemplateFrame::Use::kCall;
  ReadAll();
  Separate({});
  return std::move(frames_.back().arguments);
}

void ExpressionReader::ReadOperand() {
  const JinjaToken& token = *Peek();
  if (token.kind == Kind::kString) return ReadText(token);
  ++at_;
  if (token.kind == Kind::kNumber) {
    const bool whole = token.text.find('.') == std::string_view::npos;
    const auto number = whole ? NumberOf(token.text) : std::nullopt;
    const bool hexadecimal = token.text.size() > 1 && token.text.front() == '0' &&
                             token.text.at(1) > '9' && token.text.at(1) != '_';
    TemplateValue value = number
                              ? NumberValue(*number, hexadecimal ? std::string_view() : token.text)
                              : UnknownNumber();
    if (!number) value.most = CeilingOf(token.text);
    Push(std::move(value));
    wants_operand_ = false;
  } else if (token.IsName()) {
    ReadName(token);
  } else if (token.Is("(")) {
    Open(TemplateFrame::Use::kGroup, token);
  } else if (token.Is("[")) {
    Open(TemplateFrame::Use::kList, token);
  } else if (token.Is("{")) {
    Open(TemplateFrame::Use::kDictionary, token);
  } else if (token.Is("*") || token.Is("**")) {
    frames_.back().name = token.text;
  } else if (token.Is("-") || token.Is("+")) {
    operators_.push_back({.token = &token, .strength = kSign, .prefix = true});
  } else if (token.Is(")") || token.Is("]") || token.Is("}")) {
    Close();
  } else if (token.Is(",") || token.Is(":")) {
    Separate(token);
  }
}

// Adjacent literals are one text.
void ExpressionReader::ReadText(const JinjaToken& first) {
  TemplateValue piece;
  std::string row;
  std::size_t pieces = 0;
  for (; Peek() != nullptr && Peek()->kind == Kind::kString; ++at_) {
    const JinjaToken& token = *Peek();
    const auto text = scope_.store.Literal(token.begin, token.text);
    piece = text ? TextValue(*text) : ComputedValue(token.text.substr(0, 16));
    CheckLiteral(piece, token, scope_);
    row += text ? *text : std::string_view(&kHole, 1);
    ++pieces;
  }
  wants_operand_ = false;
  if (pieces == 1) return Push(std::move(piece));
  const auto kept = scope_.store.Row(first.begin, std::move(row));
  TemplateValue made = kept ? TextValue(*kept) : ComputedValue("''");
  Made(made, {}, first);
  Push(std::move(made));
}

void ExpressionReader::ReadName(const JinjaToken& token) {
  if (token.Is("not")) {
    operators_.push_back({.token = &token, .strength = 4, .prefix = true});
    return;
  }
  const TemplateFrame::Use use = frames_.back().use;
  if (PeekIs("=") && (use == TemplateFrame::Use::kCall || use == TemplateFrame::Use::kFilter)) {
    frames_.back().name = token.text;
    ++at_;
    return;
  }
  // Only llama.cpp has this function. It does not check the divisor.
  if (token.text == "test_is_divisibleby") scope_.Add(Remark::kDivisor, token, "not known");
  const bool called = PeekIs("(");
  CheckVariableName(token, called, scope_);
  const bool engine = !EngineValue(token.text, called, scope_).IsNothing();
  TemplateValue value =
      engine && !scope_.IsSet(token.text) ? TemplateValue() : scope_.Variable(token.text);
  if (engine) Absorb(value, EngineValue(token.text, called, scope_));
  // Arguments for which the macro has no names.
  if (token.Is("varargs") || token.Is("kwargs")) {
    TemplateValue held = Held(scope_.HandedAny());
    PutInside(held);
    AddParts(value, held);
    Absorb(value, held);
  }
  if (scope_.MacroNamed(token.text) != nullptr) {
    value.callables = std::max<std::uint8_t>(value.callables, 1);
    if (!called && token.text != "caller" && !scope_.IsParameter(token.text)) {
      scope_.TakeMacro(token.text);
    }
  }
  value.caller = value.caller || (!called && token.text == "caller");
  if (value.alias.empty()) {
    value.alias = token.text;
    value.alias_is_field = false;
  }
  Push(std::move(value));
  wants_operand_ = false;
}

void ExpressionReader::ReadOperator() {
  const JinjaToken& token = *Peek();
  ++at_;
  if (token.Is(".")) return ReadAttribute(token);
  if (token.Is("|")) return ReadFilter();
  if (token.Is("is")) return ReadTest();
  if (token.Is("[")) return Open(TemplateFrame::Use::kSubscript, token, Pop());
  if (token.Is("(")) return Open(TemplateFrame::Use::kCall, token, Pop());
  if (token.Is(")") || token.Is("]") || token.Is("}")) return Close();
  if (token.Is(",") || token.Is(":")) return Separate(token);
  if (token.Is("not")) return;  // of `not in`
  const int strength = StrengthOf(token);
  if (strength > 0) {
    Reduce(strength);
    operators_.push_back({.token = &token, .strength = strength, .prefix = false});
    wants_operand_ = true;
  } else if (token.kind == Kind::kString || token.kind == Kind::kNumber || token.IsName() ||
             token.Is("{")) {
    // Two adjacent operands: a keyword of a statement is between them, or there is a syntax error.
    Reduce(0);
    wants_operand_ = true;
    if (!token.Is("recursive")) --at_;
  }
}

void ExpressionReader::ReadTest() {
  ReduceTight();
  if (PeekIs("not")) ++at_;
  const JinjaToken* name = Peek();
  if (name == nullptr || !name->IsName()) return;
  ++at_;
  while (PeekIs(".") && Peek(1) != nullptr && Peek(1)->IsName()) at_ += 2;  // the module of a test
  const TemplateValue tested = Pop().value;
  ChargeSize(tested, scope_);
  const bool equal = name->text == "eq" || name->text == "equalto" || name->text == "in";
  const JinjaToken* literal = PeekIs("(") ? Peek(1) : nullptr;
  if (equal && literal != nullptr && literal->kind == Kind::kString && Peek(2) != nullptr) {
    if (const auto text = scope_.store.Literal(literal->begin, literal->text)) {
      CheckComparison(*name, tested, TextValue(*text), scope_);
    }
  }
  // The result is true or false. A call of it is the test with its arguments.
  Push(TemplateOperand{.value = UnknownNumber(), .test = name});
  const JinjaToken* next = Peek();
  const bool argument =
      next != nullptr &&
      (next->kind == Kind::kString || next->kind == Kind::kNumber || next->Is("[") ||
       next->Is("{") || (next->IsName() && StrengthOf(*next) == 0 && !next->Is("not")));
  if (!argument) return;
  operators_.push_back({.token = name, .strength = kTest, .prefix = false});
  wants_operand_ = true;
}

// ReduceTight applies operators that bind more tightly than a following filter or test.
void ExpressionReader::ReduceTight() {
  const auto tight = [](const TemplateOperator& op) {
    return op.strength == kTest || (op.prefix && op.strength == kSign);
  };
  while (operators_.size() > frames_.back().operators && tight(operators_.back())) {
    const TemplateOperator op = operators_.back();
    operators_.pop_back();
    Apply(op);
  }
}

void ExpressionReader::Open(TemplateFrame::Use use, const JinjaToken& token,
                            TemplateOperand target) {
  frames_.push_back({.use = use,
                     .token = &token,
                     .target = std::move(target),
                     .operands = operands_.size(),
                     .operators = operators_.size()});
  wants_operand_ = true;
  popped_ = 0;
}

// Separate completes an argument, an element, a key or a part of a slice.
void ExpressionReader::Separate(const JinjaToken& token) {
  Reduce(0);
  TemplateFrame& frame = frames_.back();
  wants_operand_ = true;
  const bool colon = token.Is(":");
  const bool empty = operands_.size() <= frame.operands;
  if (colon) ++frame.colons;
  if (token.Is(",")) frame.commas = true;
  // Only a slice has empty parts.
  if (empty && (frame.use != TemplateFrame::Use::kSubscript || frame.colons == 0)) return;
  // llama.cpp needs no comma there; Jinja2 joins only texts.
  const bool argument =
      frame.use == TemplateFrame::Use::kCall || frame.use == TemplateFrame::Use::kFilter;
  if (argument && frame.token != nullptr && operands_.size() > frame.operands + 1) {
    scope_.Add(TemplateRemark::Kind::kAmbiguous, *frame.token, frame.token->text);
  }
  const bool key = colon && frame.use == TemplateFrame::Use::kDictionary;
  frame.arguments.push_back({.name = key ? "key" : frame.name, .value = PopAll()});
  frame.depth = std::max(frame.depth, std::exchange(popped_, 0));
  frame.name = {};
}

void ExpressionReader::Close() {
  if (frames_.size() == 1) return;
  Separate({});
  TemplateFrame frame = std::move(frames_.back());
  frames_.pop_back();
  operands_.resize(std::min(operands_.size(), frame.operands));
  operators_.resize(std::min(operators_.size(), frame.operators));
  wants_operand_ = false;
  popped_ = std::max(frame.depth, frame.target.depth);
  switch (frame.use) {
    case TemplateFrame::Use::kSubscript:
      return Push(Subscript(frame));
    case TemplateFrame::Use::kCall:
      return Push(Call(frame));
    case TemplateFrame::Use::kFilter:
      return Push(Filter(frame));
    case TemplateFrame::Use::kGroup:
      if (!frame.commas && frame.arguments.size() == 1) {
        return Push(std::move(frame.arguments.front().value));
      }
      return Push(Collection(frame));
    default:
      return Push(Collection(frame));
  }
}

// Reduce applies the operators of the innermost bracket with at least this precedence.
void ExpressionReader::Reduce(int strength) {
  while (operators_.size() > frames_.back().operators && operators_.back().strength >= strength) {
    const TemplateOperator op = operators_.back();
    operators_.pop_back();
    Apply(op);
  }
}

void ExpressionReader::Apply(const TemplateOperator& op) {
  TemplateOperand right = Pop();
  const std::string_view symbol = op.token->text;
  if (op.prefix) {
    const auto number = symbol == "not" ? std::nullopt : right.value.Whole();
    TemplateValue made =
        number ? NumberValue(symbol == "-" ? Negated(*number) : *number) : UnknownNumber();
    if (symbol == "not") ChargeSize(right.value, scope_);
    if (symbol != "not") made.most = std::max(made.most, Reach(right.value));
    return Push(std::move(made));
  }
  const TemplateOperand left = Pop();
  if (op.strength == 5 || op.strength == kTest) {
    ChargeOperands(symbol, left.value, right.value, scope_);
  }
  // llama.cpp adds up the pieces of a text to find out whether it is empty.
  if (symbol == "if") ChargeSize(right.value, scope_);
  if (symbol == "and" || symbol == "or") ChargeSize(left.value, scope_);
  if (symbol == "in" || symbol == "==" || symbol == "!=") {
    CheckComparison(*op.token, left.value, right.value, scope_);
    return Push(UnknownNumber());
  }
  if (symbol == "if") return Push(left.value);
  if (op.strength <= 3) {  // or, and, else: one of the two
    TemplateValue either = left.value;
    Absorb(either, right.value);
    return Push(std::move(either));
  }
  if (op.strength == kTest && symbol == "divisibleby") {
    CheckDivisibleBy(right.value, *op.token, scope_);
  }
  if (op.strength == 5 || op.strength == kTest) return Push(UnknownNumber());
  // A text made by a chain of operators has as many pieces, which are copied in each operation.
  if (scope_.rounds > 1) scope_.Charge(1 + left.depth / 2);
  CheckDivisor(*op.token, left.value, right.value, scope_);
  CheckRepeat(*op.token, left.value, right.value, scope_);
  TemplateValue made = symbol == "%" ? Percent(*op.token, left.value, right.value)
                                     : Calculate(symbol, left.value, right.value, scope_.store);
  made.repeated =
      left.value.repeated || right.value.repeated || (symbol == "*" && !made.IsNumber());
  if (!made.IsExact()) {
    made.supposed =
        FarthestOf(symbol, SupposedOf(left.value, scope_), SupposedOf(right.value, scope_));
  }
  // A sum of two parts may be longer than the whole.
  if (made.given.IsGiven()) made.given.others |= kForeign;
  Made(made, {&left.value, &right.value}, *op.token);
  Push(std::move(made));
}

TemplateValue ReadExpression(std::span<const JinjaToken> tokens, TemplateScope& scope) {
  return ExpressionReader(tokens, scope).Value();
}

TemplateArguments ReadArguments(std::span<const JinjaToken> tokens, TemplateScope& scope) {
  return ExpressionReader(tokens, scope).Arguments();
}

}  // namespace ggufgate
