// Calls, items and collections in expressions of templates.

#include <algorithm>
#include <array>

#include "jinja/expressions/expression.h"
#include "jinja/values/effects.h"
#include "jinja/values/names.h"

namespace ggufgate {
namespace {

using Pool = TemplateScope::Pool;

template <std::size_t kCount>
bool IsAmong(const std::array<std::string_view, kCount>& words, std::string_view word) {
  return std::ranges::count(words, word) > 0;
}

// OutsideText returns text that the conversation, or the program that renders the template,
// decides.
TemplateValue OutsideText(std::string_view by) {
  TemplateValue value = ComputedValue(by);
  value.outside = true;
  return value;
}

// IsOfMacro tells whether macros have this attribute: their name, and the names of their
// parameters.
bool IsOfMacro(std::string_view name) { return name == "name" || name == "arguments"; }

// MapsEngine tells whether map() reads attributes of macros or engine objects.
bool MapsEngine(const TemplateValue& value, const TemplateArguments& arguments) {
  if (!value.made && value.callables == 0) return false;
  const auto engine = [](std::string_view path) {
    while (true) {
      const std::string_view part = path.substr(0, path.find('.'));
      if (IsOfEngine(part) || IsOfMacro(part)) return true;
      if (part.size() == path.size()) return false;
      path.remove_prefix(part.size() + 1);
    }
  };
  return std::ranges::any_of(arguments, [&](const TemplateArgument& argument) {
    return std::ranges::any_of(argument.value.items, [&](const Constant& item) {
      return !item.number && engine(item.text);
    });
  });
}

// IsTyped tells whether a dictionary is {'type': 'any'}: Hollow::kTyped.
bool IsTyped(const TemplateFrame& frame) {
  const TemplateArguments& pair = frame.arguments;
  const auto is = [](const TemplateValue& value, std::string_view text) {
    return value.IsExact() && value.items.size() == 1 && value.items.front().text == text;
  };
  return frame.use == TemplateFrame::Use::kDictionary && pair.size() == 2 &&
         pair.front().name == "key" && is(pair.front().value, kTypedKey) &&
         is(pair.back().value, kTypedText);
}

}  // namespace

HollowKinds OthersOf(std::string_view name, const TemplateValue& made) {
  static constexpr std::array<std::string_view, 18> kPick = {
      "first",   "last",       "items",      "dictsort", "list",    "sort",
      "reverse", "unique",     "select",     "reject",   "default", "d",
      "get",     "selectattr", "rejectattr", "values",   "keys",    "copy"};
  if (!made.given.IsGiven()) return 0;
  return IsAmong(kPick, name) ? KindOf(Hollow::kEmpty) : kForeign;
}

TemplateValue EngineValue(std::string_view name, bool called, const TemplateScope& scope) {
  static constexpr std::array<std::string_view, 6> kConstants = {"true", "false", "none",
                                                                 "True", "False", "None"};
  static constexpr std::array<std::string_view, 4> kTexts = {"varargs", "kwargs", "self", "super"};
  if (IsAmong(kConstants, name)) return UnknownNumber();
  // The special tokens of a model come from the same file.
  if (IsAmong(kTexts, name) || name.ends_with("_token") || name.ends_with("special_tokens")) {
    TemplateValue text = OutsideText(name);
    // Arguments that a macro has no names for: it may write them twice.
    if (name.ends_with("args")) text.parts.push_back({.name = 2 * scope.SlotOf(name), .times = 1});
    text.made = name == "kwargs";  // a dictionary, whose items may have the names of methods
    // It includes the caller if a call block calls the macro.
    if (text.made && scope.HasCallBlock()) text.callables = TemplateValue::kDeepest;
    return text;
  }
  if (IsEngineFunction(name)) return called ? TemplateValue() : ComputedValue(name);
  if (name != "loop" && name != "caller") return {};
  TemplateValue value = OutsideText(name);
  value.callables = 1;
  return value;
}

TemplateValue LoopAttribute(std::string_view name, const TemplateScope& scope) {
  static constexpr std::array<std::string_view, 9> kNumbers = {
      "index", "index0", "revindex", "revindex0", "first", "last", "length", "depth", "depth0"};
  if (IsAmong(kNumbers, name)) {
    TemplateValue number = UnknownNumber();
    const std::uint64_t rounds = scope.loops.empty() ? 0 : RoundsOver(scope.loops.back());
    number.most = static_cast<std::int64_t>(std::min<std::uint64_t>(rounds, INT64_MAX));
    return number;
  }
  if (name != "previtem" && name != "nextitem") return ComputedValue("loop");
  TemplateValue item = scope.Element(scope.Gathered(Pool::kLooped));
  for (const TemplateValue& loop : scope.loops) AddParts(item, ElementOf(loop));
  Absorb(item, scope.Element(scope.Gathered(Pool::kArgument)));
  item.data = item.outside = true;
  return item;
}

TemplateValue ExpressionReader::Percent(const JinjaToken& symbol, const TemplateValue& left,
                                        const TemplateValue& right) {
  if (left.IsNumber() || left.IsNothing()) return Calculate("%", left, right, scope_.store);
  CheckPattern(left, Formatting::kPercent, symbol, scope_);
  TemplateArguments arguments;
  arguments.push_back({.name = right.container ? "*" : "", .value = right});
  return FoldPercent(left, arguments, scope_.store);
}

TemplateValue ExpressionReader::Member(const TemplateValue& object, std::string_view name) {
  if (object.alias == "loop" && !object.alias_is_field) return LoopAttribute(name, scope_);
  TemplateValue member = MemberOf(object);
  const bool plain = !object.made && object.computed.empty() && object.namespaces == 0;
  if (IsOfEngine(name) && !plain) {
    const GivenPart given = member.given;
    Absorb(member, object);
    member.given = given;
  }
  scope_.AddStored(member, object);
  scope_.NarrowMember(name, member);
  if (object.IsNumber()) member.most = std::max(member.most, Reach(object));
  if (object.namespaces > 0 || (scope_.stored_fields() && !object.IsNumber())) {
    TemplateValue field = scope_.Field(name);
    const bool local = !object.alias_is_field && scope_.MadeSpace(object.alias);
    for (TemplateValue::Part& part : field.parts) part.local = local;
    // The field holds everything that the namespace holds under that name, which counts once.
    for (TemplateValue::Part& part : member.parts)
      part.times = field.parts.empty() ? part.times : 0;
    if (scope_.stores()) {
      for (const TemplateValue::Part& part : object.parts) {
        if (part.whole && !part.traced) {
          scope_.Hold(part.name, field, TemplateHolding::How::kHolds, {.text = name});
        }
      }
    }
    Absorb(member, field);
  }
  if (object.namespaces > 0) {
    member.alias = name;
    member.alias_is_field = true;
  }
  // A macro discloses its name and those of its parameters.
  if (object.callables > 0 && IsOfMacro(name) && member.computed.empty()) {
    member.computed = name;
  }
  if (name == "content" || name == "text") {
    member.content =
        scope_.of_user ? TemplateValue::Content::kUser : TemplateValue::Content::kOther;
  }
  return scope_.Known(std::move(member));
}

void ExpressionReader::BindMethod(std::string_view name, const TemplateValue& object,
                                  TemplateValue& member) const {
  // Lists have no other methods, except those that store.
  if (!IsMethodOfObject(name) && !(scope_.stores() && IsMethodOfList(name))) return;
  TemplateValue bound;
  bound.parts = object.parts;
  // The growth of a name is recorded with the name itself.
  for (TemplateValue::Part& part : bound.parts) part.times = 0;
  PutInside(bound);
  AddParts(member, bound);
}

TemplateValue ExpressionReader::Subscript(const TemplateFrame& frame) {
  const TemplateValue& target = frame.target.value;
  if (frame.colons > 0) {
    for (const TemplateArgument& part : frame.arguments) {
      const auto reach = static_cast<std::uint64_t>(Reach(part.value));
      if (reach > kTemplateNumber) {
        scope_.Add(TemplateRemark::Kind::kFar, *frame.token, {}, reach);
      }
    }
    TemplateValue made = FoldSlice(target, frame.arguments, scope_.store);
    made.given = target.given;  // a walk by slices is as deep as a text of the conversation is long
    made.given.named = false;
    made.given.others |= KindOf(Hollow::kEmpty);
    Made(made, {&target}, *frame.token);
    return made;
  }
  if (frame.arguments.size() != 1) return scope_.Element(target);
  const TemplateValue& key = frame.arguments.front().value;
  CheckName(key, *frame.token, scope_);
  ChargeSize(key, scope_);  // engines compute its hash
  ChargeSize(target, scope_);
  TemplateValue result;
  if (key.IsNumber()) {
    result = FoldSlice(target, frame.arguments, scope_.store);
    result.given = target.given;  // a text of one character gives the same text
    result.given.pairs = result.given.named = false;
    Made(result, {&target}, *frame.token);
    scope_.AddStored(result, target);
    return scope_.Known(std::move(result));
  }
  for (const Constant& item : key.items) {
    if (item.number) Absorb(result, scope_.Element(target));
    if (item.number) continue;
    CheckFormat(target, item.text, *frame.token, scope_);
    CheckTaken(item.text, *frame.token, scope_);
    TemplateValue member = Member(target, item.text);
    BindMethod(item.text, target, member);
    Absorb(result, member);
  }
  if (key.IsExact()) return result;
  // Any item, attribute or method; for a pattern, also the method that reads attributes.
  TemplateValue known = target;
  known.computed = {};
  CheckFormat(known, "format", *frame.token, scope_);
  TemplateValue element = scope_.Element(target);
  element.given = target.given;  // the key may be a number: see above
  element.given.pairs = element.given.named = false;
  Absorb(result, element);
  if (target.namespaces > 0 || target.callables > 0) result.computed = "[]";
  return result;
}

// CheckCosts checks the arguments of a filter, method or function, and those of a filter that map()
// applies. In llama.cpp, filters are also methods.
void ExpressionReader::CheckCosts(std::string_view name, const JinjaToken& token,
                                  const TemplateArguments& arguments) {
  CheckCount(name, token, arguments, scope_);
  CheckSelection(token, arguments, scope_);
  if (name != "map" || arguments.empty() || !arguments.front().name.empty()) return;
  for (const Constant& mapped : arguments.front().value.items) {
    CheckCount(mapped.text, token, arguments, scope_);
  }
}

TemplateValue ExpressionReader::Filter(const TemplateFrame& frame) {
  const TemplateValue& value = frame.target.value;
  const std::string_view name = frame.token->text;
  CheckFilter(*frame.token, value, frame.arguments, scope_);
  CheckCosts(name, *frame.token, frame.arguments);
  ChargeSearch(name, value, frame.arguments, scope_);
  TemplateValue made = FoldFilter(name, value, frame.arguments, scope_.store);
  Measure(name, value, frame.arguments, made, scope_);
  if (!made.IsNumber() && !value.IsExact()) {
    scope_.AddStored(made, value);
    if (value.namespaces > 0) AddFields(made);
    // Fields are not followed through filters that read attributes.
    const bool fields = std::max(value.namespaces, made.namespaces) > 0;
    if (fields && name == "map") made.computed = "map";
    if (name == "map" && MapsEngine(value, frame.arguments)) made.computed = "map";
  }
  made.given.others |= OthersOf(name, made);
  made.given.named = made.given.named && (name == "default" || name == "d");
  Made(made, {&value}, *frame.token);
  return made;
}

TemplateValue ExpressionReader::Call(const TemplateFrame& frame) {
  const TemplateValue& target = frame.target.value;
  if (frame.target.method != nullptr) return CallMethod(frame);
  if (frame.target.test != nullptr) {
    if (frame.target.test->Is("divisibleby") && !frame.arguments.empty()) {
      CheckDivisibleBy(frame.arguments.front().value, *frame.target.test, scope_);
    }
    return UnknownNumber();
  }
  const std::string_view name = target.alias_is_field ? std::string_view() : target.alias;
  if (target.IsNumber()) {
    if (!target.IsExact()) CheckCalled(frame, name);
    return UnknownNumber();
  }
  return CallFunction(frame, name);
}

// Collection is a list, a tuple or a dictionary.
TemplateValue ExpressionReader::Collection(TemplateFrame& frame) {
  TemplateValue list;
  TemplateValue held;
  GivenPart given;
  const TemplateValue* key = nullptr;
  for (const TemplateArgument& argument : frame.arguments) {
    scope_.CheckCaller(argument.value);
    if (key != nullptr) scope_.KeepKeys(*key, argument.value);
    key = argument.name == "key" ? &argument.value : nullptr;
    const std::uint64_t bytes = SumOf(list.bytes, argument.value.bytes);
    Absorb(list, Held(argument.value));
    GivenPart part = argument.value.Given();
    part.Wrap();
    given.Join(part);
    list.bytes = bytes;
    // A number that grows by a number, like a counter, makes no container longer.
    const bool counter =
        argument.value.IsNumber() &&
        std::ranges::all_of(argument.value.parts,
                            [](const TemplateValue::Part& p) { return p.times <= 1; });
    TemplateValue element;
    element.parts = argument.value.parts;
    // However, it may be a method that a field of this name hides.
    if (counter) std::erase_if(element.parts, [](const auto& p) { return p.inside == 0; });
    AddParts(held, element);
  }
  list.parts = std::move(held.parts);
  PutInside(list);
  constexpr std::uint64_t kEach = 2;  // brackets and commas
  const bool pairs = frame.use == TemplateFrame::Use::kDictionary;
  list.elements = AddElements((frame.arguments.size() + (pairs ? 1 : 0)) / (pairs ? 2 : 1), 0);
  list.bytes = SumOf(list.bytes, kEach * (frame.arguments.size() + 1));
  list.depth = std::max<std::uint16_t>(list.depth, 1);
  list.container = true;
  list.made = true;
  // A stored value may be in this container, too.
  const bool kept = scope_.Gathered(Pool::kStored).given.others == 0;
  // Engines write a list of messages once for each reference to it. The tokens of long lists are
  // already limited.
  constexpr std::ptrdiff_t kManyHeld = 64;
  const auto of_data = std::ranges::count_if(frame.arguments, [](const TemplateArgument& argument) {
    return argument.value.outside && argument.value.bytes < kHeldData;
  });
  if (of_data > 1) {
    const auto times = static_cast<std::uint64_t>(std::min(of_data, kManyHeld));
    list.bytes = SumOf(list.bytes, ProductOf(kHeldData, times));
  }
  if (kept && frame.arguments.empty()) {
    given.others = KindOf(Hollow::kEmpty);
  } else if (kept && IsTyped(frame)) {
    given.others = KindOf(Hollow::kTyped);
  } else if (!given.IsGiven()) {
    given.others = kForeign;
  }
  list.given = given;
  list.alias = {};
  if (frame.token != nullptr) CheckGrowth(list, *frame.token, scope_);
  return list;
}

}  // namespace ggufgate
