// Calls of methods in expressions of templates: stored values, and results.

#include <algorithm>
#include <array>

#include "jinja/expressions/expression.h"
#include "jinja/resource_use/own_lists.h"
#include "jinja/values/names.h"

namespace ggufgate {
namespace {

using Pool = TemplateScope::Pool;

// Under any other name, an object that the template made may have a function that the template
// chooses.
bool IsOfDictionaries(std::string_view method) {
  static constexpr std::array<std::string_view, 8> kMethods = {
      "get", "pop", "items", "keys", "values", "copy", "update", "setdefault"};
  return std::ranges::count(kMethods, method) > 0;
}

// AddSelf adds the container that a method adds to to the method's result: llama.cpp returns the
// container, Jinja2 returns nothing.
void AddSelf(TemplateValue& made, const TemplateValue& receiver) {
  for (TemplateValue::Part part : receiver.parts) {
    if (!part.whole) continue;
    // The growth of a name is recorded with the name itself, unlike that of a container made for
    // the call.
    if (part.inside == 0) part.times = 0;
    made.parts.push_back(part);
  }
}

}  // namespace

TemplateValue ExpressionReader::CallMethod(const TemplateFrame& frame) {
  const JinjaToken& method = *frame.target.method;
  const TemplateValue& receiver = frame.target.receiver;
  CheckContentMethod(method, receiver, frame.arguments, scope_);
  CheckCosts(method.text, method, frame.arguments);
  SeekOwnList(method, receiver, scope_);
  if (StoresIn(method.text)) StoreIn(receiver, method, frame.arguments);
  CheckCallback(method, frame.arguments);
  if (method.Is("fromkeys")) {
    for (const TemplateArgument& argument : frame.arguments) scope_.KeepAnyKey(argument.value);
  }
  ChargeSearch(method.text, receiver, frame.arguments, scope_);
  const bool of_self = receiver.alias == "self" && !receiver.alias_is_field;
  if (of_self) {
    ChargeSelfCall(scope_, 1 + 2 * scope_.loops_of_data);  // four rounds are two levels
    NoteLoopedCall(scope_.SlotOf("block"), scope_);
    scope_.CountBlock();
  }
  TemplateValue made = FoldMethod(method.text, receiver, frame.arguments, scope_.store);
  const bool made_here =
      receiver.made || (scope_.MayHoldStored(receiver) && scope_.Gathered(Pool::kStored).made);
  const bool any = receiver.namespaces > 0 || of_self || receiver.computed == "self" ||
                   (made_here && !IsOfDictionaries(method.text));
  if (any && !receiver.IsExact()) {
    const std::vector<TemplateValue::Part> parts = std::move(made.parts);
    made = FoldUnknown(method.text, receiver, frame.arguments);
    made.parts = parts;
  }
  // loop.cycle() returns an argument, never the loop.
  const bool of_loop = receiver.alias == "loop" && !receiver.alias_is_field;
  if (of_loop) made.callables = HandsMacro(frame.arguments) ? TemplateValue::kDeepest : 0;
  Measure(method.text, receiver, frame.arguments, made, scope_);
  made.given.named = false;
  GetByKey(frame, made);
  if (frame.target.value.callables > 0) {
    CallAny(frame);
    made = FoldUnknown(method.text, std::move(made), frame.arguments);
  }
  if (of_self || frame.target.value.callables > 0) scope_.AddAnyReads(made);
  if (!made.IsNumber() && !receiver.IsExact()) scope_.AddStored(made, receiver);
  if (receiver.namespaces > 0) AddFields(made);
  if (receiver.IsNumber()) made.most = std::max(made.most, Reach(receiver));
  made.given.others |= OthersOf(method.text, made);
  if (StoresIn(method.text)) AddSelf(made, receiver);
  Made(made, {&receiver}, method);
  return made;
}

// AddFields adds all fields to the result of a method or filter of a namespace.
void ExpressionReader::AddFields(TemplateValue& made) {
  const TemplateValue& fields = scope_.Gathered(Pool::kFields);
  Absorb(made, fields);
  if (fields.callables > 0) made.callables = TemplateValue::kDeepest;
}

// CheckCallback looks for a macro that a method receives and may call: `l.sort(key=m)`.
void ExpressionReader::CheckCallback(const JinjaToken& method, const TemplateArguments& arguments) {
  const bool keeps = StoresIn(method.text) || method.Is("get") || method.Is("pop");
  for (const TemplateArgument& argument : arguments) {
    if ((keeps && argument.name.empty()) || argument.value.callables == 0) continue;
    scope_.Add(TemplateRemark::Kind::kTaken, method, argument.value.alias);
  }
}

// KeepStored records an argument that a method puts into a container.
void ExpressionReader::KeepStored(std::string_view method, const TemplateArgument& argument) {
  const bool named = !argument.name.empty() && !argument.name.starts_with('*');
  if (named) scope_.KeepKey(argument.name, argument.value);
  if (!named && !AddsTo(method)) scope_.KeepAnyKey(argument.value);
  TemplateValue stored = argument.value;
  const bool plain = !stored.HoldsText() && stored.namespaces == 0 && stored.callables == 0;
  stored.outside = stored.outside && !plain;
  stored.data = !plain;
  stored.made = true;
  stored.shallowest = 0;
  stored.container = false;
  stored.alias = {};
  scope_.Gather(Pool::kStored, stored);
  if (!named) return;
  // `update(key=value)` turns names of arguments into keys.
  TemplateValue key = TextValue(argument.name);
  key.data = key.made = true;
  scope_.Gather(Pool::kStored, key);
}

// GetByKey limits the sizes of the result of `get` to those at its key.
void ExpressionReader::GetByKey(const TemplateFrame& frame, TemplateValue& made) {
  const TemplateArguments& arguments = frame.arguments;
  const bool gets = frame.target.method->Is("get") || frame.target.method->Is("pop");
  if (!gets || arguments.empty() || !arguments.front().name.empty()) return;
  const TemplateValue& key = arguments.front().value;
  if (!key.IsExact() || key.items.size() != 1 || key.items.front().number) return;
  scope_.NarrowMember(key.items.front().text, made);
  made.given.named = frame.target.receiver.given.named;
  for (const TemplateArgument& otherwise : std::span(arguments).subspan(1)) {
    made.Join(otherwise.value);
  }
}

// StoreIn puts arguments into a container: the container holds them, and grows by their size.
void ExpressionReader::StoreIn(const TemplateValue& receiver, const JinjaToken& method,
                               const TemplateArguments& arguments) {
  const bool element = method.text != "extend" && method.text != "update";
  scope_.StoreInto(receiver);
  for (const TemplateArgument& argument : arguments) {
    KeepStored(method.text, argument);
    const TemplateValue& stored = argument.value;
    scope_.Enlarge(receiver, stored, element);
    // A field has its own name in addition to that of its namespace.
    const bool known = std::ranges::any_of(receiver.parts, &TemplateValue::Part::whole);
    for (const TemplateValue::Part& part : receiver.parts) {
      if (part.traced || (known && !part.whole)) continue;
      using How = TemplateHolding::How;
      scope_.Hold(part.name, stored, part.whole ? How::kStores : How::kStoresInside, method);
      scope_.Grow(part.name, stored, element);
    }
  }
}

}  // namespace ggufgate
