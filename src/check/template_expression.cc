// Expressions in templates: a shunting yard over constants.

#include <algorithm>
#include <array>
#include <utility>

#include "check/template_scope.h"

namespace ggufgate {
namespace {

using Kind = JinjaToken::Kind;

// Strength of binary operators, as jinja2/parser.py 3.1.6 descends; 0 for what is none.
int StrengthOf(const JinjaToken& token) {
  struct Entry {
    std::string_view word;
    int strength;
  };
  static constexpr std::array<Entry, 20> kOperators = {
      {{"if", 1}, {"else", 1}, {"or", 2}, {"and", 3}, {"in", 5},  {"==", 5}, {"!=", 5},
       {"<", 5},  {">", 5},    {"<=", 5}, {">=", 5},  {"+", 6},   {"-", 6},  {"~", 7},
       {"*", 8},  {"/", 8},    {"//", 8}, {"%", 8},   {"**", 10}, {"is", 11}}};
  if (token.kind != Kind::kOperator && token.kind != Kind::kName) return 0;
  const auto* const found = std::ranges::find(kOperators, token.text, &Entry::word);
  return found == kOperators.end() ? 0 : found->strength;
}

// Operand is a value with what was done to get at it, so that a call knows what it calls.
struct Operand {
  TemplateValue value;
  const JinjaToken* method = nullptr;  // last attribute taken
  TemplateValue receiver;              // of what
};

struct Operator {
  const JinjaToken* token;
  int strength;
  bool prefix;
};

// Frame is one open bracket, or the expression as a whole.
struct Frame {
  enum class Use : std::uint8_t { kWhole, kGroup, kList, kDictionary, kSubscript, kCall, kFilter };
  Use use = Use::kWhole;
  const JinjaToken* token = nullptr;  // the bracket; of a filter its name
  Operand target = {};                // what is subscripted, called, filtered
  std::size_t operands = 0;           // below these, of others
  std::size_t operators = 0;
  TemplateArguments arguments = {};
  std::string_view name = {};  // of the argument being read
  std::size_t colons = 0;
  bool commas = false;
};

class ExpressionReader {
 public:
  ExpressionReader(std::span<const JinjaToken> tokens, TemplateScope& scope)
      : tokens_(tokens), scope_(scope), frames_(1) {}

  TemplateValue Value();
  TemplateArguments Arguments();

 private:
  [[nodiscard]] const JinjaToken* Peek(std::size_t ahead = 0) const {
    return at_ + ahead < tokens_.size() ? &tokens_[at_ + ahead] : nullptr;
  }
  [[nodiscard]] bool PeekIs(std::string_view word, std::size_t ahead = 0) const {
    return Peek(ahead) != nullptr && Peek(ahead)->Is(word);
  }

  void ReadAll();
  void ReadOperand();
  void ReadName(const JinjaToken& token);
  void ReadText(const JinjaToken& token);
  void ReadOperator();
  void ReadAttribute(const JinjaToken& dot);
  void ReadFilter();
  void ReadTest();
  void Open(Frame::Use use, const JinjaToken& token, Operand target = {});
  void Separate(const JinjaToken& token);
  void Close();
  void Reduce(int strength);
  void Apply(const Operator& op);
  [[nodiscard]] TemplateValue Percent(const Operand& left, const Operand& right);
  [[nodiscard]] TemplateValue Call(const Frame& frame);
  [[nodiscard]] TemplateValue CallNamed(const Frame& frame, std::string_view name);
  [[nodiscard]] TemplateValue Subscript(const Frame& frame);
  [[nodiscard]] TemplateValue Collection(Frame& frame);
  void Push(TemplateValue value) { operands_.push_back({.value = std::move(value)}); }
  void Made(TemplateValue& made, std::vector<const TemplateValue*> before,
            const JinjaToken& token) {
    CheckAssembled(made, before, token, scope_);
  }
  [[nodiscard]] Operand Pop();

  std::span<const JinjaToken> tokens_;
  TemplateScope& scope_;
  std::size_t at_ = 0;
  bool wants_operand_ = true;
  std::vector<Frame> frames_;
  std::vector<Operand> operands_;
  std::vector<Operator> operators_;
};

Operand ExpressionReader::Pop() {
  if (operands_.size() <= frames_.back().operands) return {};
  Operand operand = std::move(operands_.back());
  operands_.pop_back();
  return operand;
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
  if (!frames_.back().commas) return Pop().value;
  Separate({});  // a tuple without parentheses
  return Collection(frames_.back());
}

TemplateArguments ExpressionReader::Arguments() {
  frames_.back().use = Frame::Use::kCall;
  ReadAll();
  Separate({});
  return std::move(frames_.back().arguments);
}

void ExpressionReader::ReadOperand() {
  const JinjaToken& token = *Peek();
  if (token.kind == Kind::kString) return ReadText(token);
  ++at_;
  if (token.kind == Kind::kNumber) {
    Push(NumberValue(NumberOf(token.text).value_or(0)));
    wants_operand_ = false;
  } else if (token.IsName()) {
    ReadName(token);
  } else if (token.Is("(")) {
    Open(Frame::Use::kGroup, token);
  } else if (token.Is("[")) {
    Open(Frame::Use::kList, token);
  } else if (token.Is("{")) {
    Open(Frame::Use::kDictionary, token);
  } else if (token.Is("-") || token.Is("+")) {
    operators_.push_back({.token = &token, .strength = 9, .prefix = true});
  } else if (token.Is(")") || token.Is("]") || token.Is("}")) {
    Close();
  } else if (token.Is(",") || token.Is(":")) {
    Separate(token);
  }
}

// Literals side by side are one.
void ExpressionReader::ReadText(const JinjaToken& first) {
  TemplateValue whole;
  for (; Peek() != nullptr && Peek()->kind == Kind::kString; ++at_) {
    TemplateValue piece = TextValue(DecodeLiteral(Peek()->text));
    CheckLiteral(piece, *Peek(), scope_);
    TemplateValue row = whole.IsScalar() ? Concatenate(whole, piece, scope_.budget) : piece;
    if (whole.IsScalar()) Made(row, {&whole, &piece}, first);
    whole = std::move(row);
  }
  Push(std::move(whole));
  wants_operand_ = false;
}

void ExpressionReader::ReadName(const JinjaToken& token) {
  if (token.Is("not")) {
    operators_.push_back({.token = &token, .strength = 4, .prefix = true});
    return;
  }
  const Frame::Use use = frames_.back().use;
  if (PeekIs("=") && (use == Frame::Use::kCall || use == Frame::Use::kFilter)) {
    frames_.back().name = token.text;
    ++at_;
    return;
  }
  CheckVariableName(token, PeekIs("("), scope_);
  Push(scope_.Variable(token.text));
  wants_operand_ = false;
}

void ExpressionReader::ReadOperator() {
  const JinjaToken& token = *Peek();
  ++at_;
  if (token.Is(".")) return ReadAttribute(token);
  if (token.Is("|")) return ReadFilter();
  if (token.Is("is")) return ReadTest();
  if (token.Is("[")) return Open(Frame::Use::kSubscript, token, Pop());
  if (token.Is("(")) return Open(Frame::Use::kCall, token, Pop());
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
    // Two operands in a row: a word of a statement stands between them, or a mistake.
    Reduce(0);
    wants_operand_ = true;
    if (!token.Is("recursive")) --at_;
  }
}

void ExpressionReader::ReadAttribute(const JinjaToken&) {
  const JinjaToken* name = Peek();
  if (name == nullptr || (!name->IsName() && name->kind != Kind::kNumber)) return;
  ++at_;
  Operand target = Pop();
  Operand result{.method = name};
  if (name->IsName()) {
    CheckName(TextValue(std::string(name->text)), *name, scope_);
    CheckFormat(target.value, *name, scope_);
    result.value = scope_.Field(name->text);
    result.value.content = name->text == "content" || name->text == "text";
  }
  result.receiver = std::move(target.value);
  operands_.push_back(std::move(result));
}

void ExpressionReader::ReadFilter() {
  const JinjaToken* name = Peek();
  if (name == nullptr || !name->IsName()) {
    return;
  }
  ++at_;
  while (PeekIs(".") && Peek(1) != nullptr && Peek(1)->IsName()) at_ += 2;  // a filter's module
  Open(Frame::Use::kFilter, *name, Pop());
  if (PeekIs("(")) {
    ++at_;
  } else {
    Close();
  }
}

void ExpressionReader::ReadTest() {
  if (PeekIs("not")) ++at_;
  const JinjaToken* name = Peek();
  if (name == nullptr || !name->IsName()) return;
  ++at_;
  const TemplateValue tested = Pop().value;
  const bool equal = name->text == "eq" || name->text == "equalto" || name->text == "in";
  if (equal && PeekIs("(") && Peek(1)->kind == Kind::kString && Peek(2) != nullptr) {
    CheckComparison(*name, tested, TextValue(DecodeLiteral(Peek(1)->text)), scope_);
  }
  Push({});
  const JinjaToken* next = Peek();
  const bool argument = next != nullptr && (next->kind == Kind::kString ||
                                            next->kind == Kind::kNumber || next->Is("["));
  if (!argument) return;
  operators_.push_back({.token = name, .strength = 11, .prefix = false});
  wants_operand_ = true;
}

void ExpressionReader::Open(Frame::Use use, const JinjaToken& token, Operand target) {
  frames_.push_back({.use = use,
                     .token = &token,
                     .target = std::move(target),
                     .operands = operands_.size(),
                     .operators = operators_.size()});
  wants_operand_ = true;
}

// Separate ends an argument, an element, a key or a part of a slice.
void ExpressionReader::Separate(const JinjaToken& token) {
  Reduce(0);
  Frame& frame = frames_.back();
  wants_operand_ = true;
  const bool colon = token.Is(":");
  const bool empty = operands_.size() <= frame.operands;
  if (colon) ++frame.colons;
  if (token.Is(",")) frame.commas = true;
  // Only a slice has parts that are left out.
  if (empty && (frame.use != Frame::Use::kSubscript || frame.colons == 0)) return;
  const bool key = colon && frame.use == Frame::Use::kDictionary;
  frame.arguments.push_back({.name = key ? "key" : frame.name, .value = Pop().value});
  frame.name = {};
}

void ExpressionReader::Close() {
  if (frames_.size() == 1) return;
  Separate({});
  Frame frame = std::move(frames_.back());
  frames_.pop_back();
  operands_.resize(std::min(operands_.size(), frame.operands));
  operators_.resize(std::min(operators_.size(), frame.operators));
  wants_operand_ = false;
  switch (frame.use) {
    case Frame::Use::kSubscript:
      return Push(Subscript(frame));
    case Frame::Use::kCall:
      return Push(Call(frame));
    case Frame::Use::kFilter: {
      CheckFilter(*frame.token, frame.arguments, scope_);
      TemplateValue made =
          FoldFilter(frame.token->text, frame.target.value, frame.arguments, scope_.budget);
      Made(made, {&frame.target.value}, *frame.token);
      return Push(std::move(made));
    }
    case Frame::Use::kGroup:
      if (!frame.commas && frame.arguments.size() == 1) {
        return Push(std::move(frame.arguments.front().value));
      }
      return Push(Collection(frame));
    default:
      return Push(Collection(frame));
  }
}

// Reduce applies the operators of the innermost bracket that are at least as strong.
void ExpressionReader::Reduce(int strength) {
  while (operators_.size() > frames_.back().operators && operators_.back().strength >= strength) {
    const Operator op = operators_.back();
    operators_.pop_back();
    Apply(op);
  }
}

void ExpressionReader::Apply(const Operator& op) {
  Operand right = Pop();
  const std::string_view symbol = op.token->text;
  if (op.prefix) {
    const bool minus = symbol == "-" && right.value.IsScalar();
    const auto number = minus ? right.value.items.front().number : std::nullopt;
    return Push(number ? NumberValue(-*number) : TemplateValue());
  }
  const Operand left = Pop();
  if (symbol == "in" || symbol == "==" || symbol == "!=") {
    CheckComparison(*op.token, left.value, right.value, scope_);
    return Push({});
  }
  if (symbol == "if") return Push(CopyOf(left.value, scope_.budget));
  if (op.strength <= 3) {  // or, and, else: one of the two
    TemplateValue either = CopyOf(left.value, scope_.budget);
    Absorb(either, right.value);
    return Push(std::move(either));
  }
  if (op.strength == 5 || op.strength == 11) return Push({});
  TemplateValue made;
  CheckRepeat(*op.token, left.value, right.value, scope_);
  if (symbol == "~") {
    made = Concatenate(left.value, right.value, scope_.budget);
  } else if (symbol == "%") {
    made = Percent(left, right);
  } else {
    made = Calculate(symbol, left.value, right.value, scope_.budget);
  }
  Made(made, {&left.value, &right.value}, *op.token);
  Push(std::move(made));
}

TemplateValue ExpressionReader::Percent(const Operand& left, const Operand& right) {
  if (!left.value.IsScalar() || left.value.items.front().number) {
    return Calculate("%", left.value, right.value, scope_.budget);
  }
  TemplateArguments arguments;
  if (!right.value.IsList()) arguments.push_back({.name = {}, .value = right.value});
  if (right.value.IsList()) {
    for (const Constant& item : right.value.items) {
      TemplateValue one = TextValue("");
      one.items.front() = item;
      arguments.push_back({.name = {}, .value = std::move(one)});
    }
  }
  return FoldPercent(left.value, arguments, scope_.budget);
}

TemplateValue ExpressionReader::Subscript(const Frame& frame) {
  const TemplateValue& target = frame.target.value;
  if (frame.colons > 0) {
    TemplateValue made = FoldSlice(target, frame.arguments, scope_.budget);
    Made(made, {&target}, *frame.token);
    return made;
  }
  if (frame.arguments.empty()) return {};
  const TemplateValue& key = frame.arguments.front().value;
  CheckName(key, *frame.token, scope_);
  const bool text = key.IsScalar() && !key.items.front().number;
  if (!text) return FoldSlice(target, {frame.arguments.front()}, scope_.budget);
  const std::string& name = key.items.front().text;
  TemplateValue field = scope_.Field(name);
  field.content = name == "content" || name == "text";
  return field;
}

TemplateValue ExpressionReader::Call(const Frame& frame) {
  const Operand& target = frame.target;
  if (target.method != nullptr) {
    CheckContentMethod(*target.method, target.receiver, frame.arguments, scope_);
    const bool grows = target.method->text == "append" || target.method->text == "extend";
    if (grows && !frame.arguments.empty()) {
      scope_.AppendToVariable(target.receiver.alias, frame.arguments.front().value);
    }
    TemplateValue made =
        FoldMethod(target.method->text, target.receiver, frame.arguments, scope_.budget);
    Made(made, {&target.receiver}, *target.method);
    return made;
  }
  return target.value.alias.empty() ? TemplateValue() : CallNamed(frame, target.value.alias);
}

TemplateValue ExpressionReader::CallNamed(const Frame& frame, std::string_view name) {
  TemplateValue result;
  for (const TemplateArgument& argument : frame.arguments) {
    if (name == "namespace" || name == "dict") scope_.SetField(argument.name, argument.value);
    if (name == "cycler" || name == "dict") {
      result.kind = TemplateValue::Kind::kList;
      if (name == "dict" && !argument.name.empty()) {
        result.items.push_back({.text = std::string(argument.name)});
      }
      const TemplateValue any = AnyOf(argument.value);
      std::vector<Constant>& into = name == "dict" ? result.members : result.items;
      into.insert(into.end(), any.items.begin(), any.items.end());
    }
  }
  if (name == "range") result.rounds = CheckRange(*frame.token, frame.arguments, scope_);
  TemplateMacro* macro = scope_.MacroNamed(name);
  if (macro == nullptr) return result;
  std::size_t position = 0;
  for (const TemplateArgument& argument : frame.arguments) {
    if (!argument.name.empty()) {
      scope_.SetVariable(argument.name, argument.value);
    } else if (position < macro->parameters.size()) {
      scope_.SetVariable(macro->parameters.at(position++), argument.value);
    }
  }
  if (scope_.second_reading && scope_.macro != TemplateScope::kNoSlot && !scope_.IsSet(name)) {
    scope_.calls.push_back({.caller = scope_.macro,
                            .callee = scope_.SlotOf(name),
                            .certain = scope_.certain,
                            .at = frame.token->begin,
                            .size = 1});
  }
  return CopyOf(macro->output, scope_.budget);
}

// Collection is a list, a tuple or a dictionary.
TemplateValue ExpressionReader::Collection(Frame& frame) {
  TemplateValue list;
  list.kind = TemplateValue::Kind::kList;
  const bool dictionary = frame.use == Frame::Use::kDictionary;
  std::string key;
  for (TemplateArgument& argument : frame.arguments) {
    std::vector<Constant>& items = argument.value.items;
    const bool is_key = dictionary && argument.name == "key";
    if (list.items.size() >= TemplateValue::kMostElements) break;
    if (dictionary && !is_key) {
      scope_.SetField(key, argument.value);
      list.members.insert(list.members.end(), items.begin(), items.end());
    } else if (argument.value.IsScalar()) {
      list.items.push_back(std::move(items.front()));
      if (is_key) key = list.items.back().text;
    } else if (argument.value.IsList()) {
      // A list in a list: flat, so that whatever is taken out of it is found.
      list.members.insert(list.members.end(), items.begin(), items.end());
      list.items.push_back({.text = std::string(1, kHole)});
    } else {
      list.items.push_back({.text = std::string(1, kHole)});
    }
  }
  return list;
}

}  // namespace

TemplateValue ReadExpression(std::span<const JinjaToken> tokens, TemplateScope& scope) {
  return ExpressionReader(tokens, scope).Value();
}

TemplateArguments ReadArguments(std::span<const JinjaToken> tokens, TemplateScope& scope) {
  return ExpressionReader(tokens, scope).Arguments();
}

}  // namespace ggufgate
