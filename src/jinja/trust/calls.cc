// Calls and filters for CheckTrust(): their results, and the use of their arguments.

#include "jinja/trust/expression.h"
#include "jinja/values/names.h"

namespace ggufgate {
namespace {

using Kind = TemplateRemark::Kind;

bool IsAttributeArgument(const TrustFrame& filter, AttributeArgument where) {
  if (where == AttributeArgument::kNone) return false;
  if (filter.spread || where == AttributeArgument::kAll) return true;
  if (!filter.argument.empty()) return filter.argument == "attribute" || filter.argument == "name";
  return filter.place + 1 == static_cast<std::size_t>(where);
}

}  // namespace

// Hand passes an argument to the function, method or macro that is called.
void TrustExpression::Hand(const TrustFrame& call) {
  const std::string_view name = call.target.name;
  const Trust& value = call.value;
  if (call.target.method) {
    const Makes makes = MakesOf(call.target);
    if (value.stores) table_.Store({}, ElementOf(call.target.receiver));  // l.sort(key=m.append)
    if (makes == Makes::kText) table_.Store(call.target.receiver, value);
    if (makes != Makes::kText && makes != Makes::kMade) return;
    table_.Pass(value);
    if (!name.empty()) table_.Pass(call.target.receiver);  // l.sort(key=m)
  } else if (IsEngineFunction(name) && !table_.IsBound(name)) {
    const bool object = name == "dict" || name == "namespace";
    // Pairs, or a dictionary.
    if (object && call.argument.empty()) table_.SetAnyField(ElementOf(value));
    if (name == "namespace" && call.argument.empty() && !value.IsNothing()) table_.AddAnyName();
    if (object && !call.argument.empty()) table_.SetField(call.argument, value);
  } else if (table_.IsMacro(name) && !call.spread) {
    table_.PassTo(name, call.place, call.argument, value);
  } else {
    table_.Escape(name);
    table_.Pass(value);
    if (table_.IsBound(name) || name.empty()) table_.Store({.data = true}, value);
  }
}

// CallsEngine tells whether a known function of the engine is called.
bool TrustExpression::CallsEngine(const TrustFrame& inner, TrustOperand& result) const {
  const std::string_view name = inner.target.name;
  // A weekday or a year. In a longer format, parts may be empty: `f_%Zcode`.
  const bool date = name == "strftime_now" && inner.place <= 1 && inner.text.size() == 2 &&
                    inner.text.front() == '%';
  const bool object = name == "dict" || name == "namespace";
  if (name != "range" && !object && !date) return false;
  result = {.trust = date ? inner.sum : HeldBy(inner.sum), .container = !date};
  // The values of a namespace can only be reached through its fields.
  if (name == "range" || name == "namespace") result.trust = {};
  if (object) result.trust.Add({.object = true});
  if (name == "dict") result.trust.Add(table_.Stored());
  return true;
}

TrustOperand TrustExpression::Call(const TrustFrame& inner) {
  const TrustOperand& target = inner.target;
  const std::string_view name = target.name;
  TrustOperand result = {.trust = target.trust};
  if (!target.method && !table_.IsBound(name) && CallsEngine(inner, result)) return result;
  if (target.method && (IsFormat(name) || target.any_key))
    CheckPattern(target.receiver, *inner.token);
  const bool unknown = MakesOf(target) == Makes::kText || MakesOf(target) != MethodMakes(name);
  if (target.trust.format && unknown) Report(Kind::kComputedPattern, *inner.token, "format");
  const Trust& value = target.method ? target.receiver : target.trust;
  result.trust = Of(MakesOf(target), value, inner.sum, name.empty() ? "a call" : name);
  return result;
}

// MakesOf trusts the name of a method, unless a field or key of the template may hide it.
Makes TrustExpression::MakesOf(const TrustOperand& called) const {
  if (!called.method || called.item) return Makes::kText;
  const Makes makes = MethodMakes(called.name);
  const Trust& receiver = called.receiver;
  if (makes == Makes::kText || !receiver.object) return makes;
  if (table_.MayBeField(called.name)) return Makes::kText;
  return makes == Makes::kPiece ? Makes::kMade : makes;
}

Trust TrustExpression::Of(Makes makes, const Trust& value, const Trust& arguments,
                          std::string_view by) const {
  Trust trust = value;
  switch (makes) {
    case Makes::kNumber:
      return arguments;  // the arguments of `default`
    case Makes::kPiece:
      return PieceOf(trust, by);
    case Makes::kWritten:
      return WrittenOf(trust, by);
    case Makes::kSame:
      break;
    case Makes::kElement:
      trust = ElementOf(trust);
      break;
    case Makes::kRow:
      // A list of the conversation, or a new one.
      if (trust.data) {
        trust.Add(HeldBy(trust));
        break;
      }
      trust = HeldBy(trust);
      trust.Add({.object = true});
      trust.Add(table_.Stored());
      break;
    case Makes::kMade:
    case Makes::kText:
      trust.Add({.object = true, .made = by});
  }
  trust.Add(arguments);
  return trust;
}

TrustOperand TrustExpression::Filtered(const TrustFrame& inner) const {
  const std::string_view name = inner.token->text;
  // map(attribute='a') picks elements; map('a') applies any filter.
  const bool picks = name == "map" && inner.place == 0;
  const Makes makes = picks ? Makes::kRow : FilterMakes(name);
  TrustOperand result = {.trust = Of(makes, inner.target.trust, inner.sum, name)};
  // trim() with an argument, the characters to remove.
  if (makes == Makes::kWritten && inner.place > 0) result.trust = PieceOf(result.trust, name);
  result.number = makes == Makes::kNumber && result.trust.IsNothing();
  const bool keys = name == "map" || name == "groupby";
  const bool pattern = inner.any_key && !inner.target.trust.made.empty();
  if (keys && (inner.format || pattern)) result.trust.format = true;
  if (keys && result.trust.object) result.trust.Add(HeldBy(table_.AnyField()));
  return result;
}

void TrustExpression::CheckAttribute(const TrustFrame& filter) {
  if (!IsAttributeArgument(filter, AttributeArgumentOf(filter.token->text))) return;
  if (filter.spread) return Report(Kind::kComputedName, *filter.token, "**");
  if (!filter.value.made.empty()) Report(Kind::kComputedName, *filter.token, filter.value.made);
}

}  // namespace ggufgate
