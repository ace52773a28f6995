// Calls, items and collections in expressions of templates.

#include <algorithm>

#include "check/template_expression.h"

namespace ggufgate {

TemplateValue ExpressionReader::Percent(const TemplateOperand& left, const TemplateOperand& right) {
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

TemplateValue ExpressionReader::Subscript(const TemplateFrame& frame) {
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

TemplateValue ExpressionReader::Call(const TemplateFrame& frame) {
  const TemplateOperand& target = frame.target;
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

TemplateValue ExpressionReader::CallNamed(const TemplateFrame& frame, std::string_view name) {
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
TemplateValue ExpressionReader::Collection(TemplateFrame& frame) {
  TemplateValue list;
  list.kind = TemplateValue::Kind::kList;
  const bool dictionary = frame.use == TemplateFrame::Use::kDictionary;
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

}  // namespace ggufgate
