#include "jinja/values/folding.h"

#include <algorithm>

#include "bytes/utf8.h"
#include "jinja/values/effects.h"
#include "jinja/values/text_changes.h"

namespace ggufgate {
namespace {

using Effect = TemplateEffect;

// Changes of text are followed only for ASCII, because Python's tables of case and white space are
// larger.
constexpr std::string_view kBlanks = " \t\n\r\f\v\x1C\x1D\x1E\x1F";

char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; }
char Upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 0x20) : c; }

// Anonymous returns a value that is no longer the variable itself.
TemplateValue Anonymous(TemplateValue value) {
  value.alias = {};
  value.rounds = 0;
  return value;
}

// IntegerOf returns the result of Python's int() for a number, or for a text of digits.
std::optional<std::int64_t> IntegerOf(const Constant& constant) {
  if (constant.number) return constant.number;
  const std::string_view text = constant.text;
  const bool digits = !text.empty() && text.size() <= TextStore::kLongest && text.front() != '_' &&
                      text.back() != '_' && text.find("__") == std::string_view::npos &&
                      text.find_first_not_of("0123456789_") == std::string_view::npos;
  return digits ? NumberOf(text) : std::nullopt;
}

// ChangedText returns lower, upper, capitalize or title of a text.
std::optional<std::string> ChangedText(std::string_view name, std::string_view text) {
  if (!IsAscii(text)) return std::nullopt;
  std::string out(text);
  bool start = true;
  for (char& c : out) {
    const bool letter = Lower(c) >= 'a' && Lower(c) <= 'z';
    // Only letters, blanks and low lines have a known effect on the words of title().
    if (name == "title" && !letter && c != ' ' && c != '_') return std::nullopt;
    c = name == "upper" || (name != "lower" && start) ? Upper(c) : Lower(c);
    start = name == "title" && !letter;
  }
  return out;
}

bool HasSpread(const TemplateArguments& arguments) {
  return std::ranges::any_of(
      arguments, [](const TemplateArgument& argument) { return argument.name.starts_with('*'); });
}

TemplateValue Cut(std::string_view name, const TemplateValue& value,
                  const TemplateArguments& arguments, TextStore& store) {
  const auto characters = arguments.empty() ? kBlanks : TextAt(arguments, 0, "chars");
  return MapText(name, value, store, [&](std::string_view text) -> std::optional<std::string> {
    if (!characters || !IsAscii(text) || !IsAscii(*characters)) return std::nullopt;
    if (name != "lstrip") {
      text = text.substr(0, text.find_last_not_of(*characters) + 1);
    }
    const std::size_t begin = std::min(text.find_first_not_of(*characters), text.size());
    return std::string(name == "rstrip" ? text : text.substr(begin));
  });
}

// Mapped returns value|map(filter, …), or the map of an attribute. A map of maps counts as a
// filter.
TemplateValue Mapped(const TemplateValue& value, const TemplateArguments& arguments,
                     TextStore& store) {
  if (HasSpread(arguments)) return FoldUnknown("map", value, arguments);
  if (arguments.empty() || !arguments.front().name.empty()) {
    // For an attribute: the attribute of each element.
    TemplateValue made = Held(MemberOf(ElementOf(value)));
    MixDepths(made);  // `a.b` is more than one level down
    made.elements = value.elements;
    made.data = true;
    if (const TemplateValue* otherwise = ArgumentAt(arguments, arguments.size(), "default")) {
      Absorb(made, Held(*otherwise));
    }
    return made;
  }
  const auto filter = TextAt(arguments, 0);
  if (!filter || *filter == "map") return FoldUnknown("map", value, arguments);
  const TemplateArguments rest(arguments.begin() + 1, arguments.end());
  TemplateValue made = Held(FoldFilter(*filter, ElementOf(value), rest, store));
  made.bytes = std::max(made.bytes, value.bytes);
  made.elements = value.elements;
  return made;
}

// IsText tells whether a value may be text of the template itself, outside of containers.
bool IsText(const TemplateValue& value) {
  return value.HoldsText() && !value.container && value.shallowest == 0;
}

// Returns another container of the same elements. A text becomes a container of its characters;
// reversed, it stays a text.
TemplateValue Same(std::string_view name, const TemplateValue& value,
                   const TemplateArguments& arguments) {
  if (!IsText(value)) return Anonymous(value);
  if (name == "reverse") return FoldUnknown(name, value, arguments);
  TemplateValue same = Held(ElementOf(value));
  same.elements = AddElements(RoundsOver(value), 0);
  if (value.deepest > 0) Absorb(same, value);
  same.bytes = value.bytes;
  return same;
}

// All pieces of a text together are no longer than the text.
TemplateValue Pieces(std::string_view name, const TemplateValue& value,
                     const TemplateArguments& arguments) {
  TemplateValue pieces = value.HoldsText() ? FoldUnknown(name, value, arguments) : Anonymous(value);
  for (TemplateValue::Part& part : pieces.parts) part.times = 0;
  const std::uint64_t bytes = value.container ? 0 : value.bytes;
  pieces.elements = AddElements(std::max(RoundsOver(value), bytes), 0);
  return pieces;
}

// Otherwise returns the value, or its default if it is undefined.
TemplateValue Otherwise(TemplateValue value, const TemplateArguments& arguments,
                        std::size_t first) {
  for (std::size_t i = first; i < arguments.size(); ++i) {
    const TemplateArgument& argument = arguments.at(i);
    Absorb(value, argument.name.starts_with('*') ? ElementOf(argument.value) : argument.value);
  }
  return Anonymous(std::move(value));
}

TemplateValue Fold(Effect effect, std::string_view name, const TemplateValue& value,
                   const TemplateArguments& arguments, TextStore& store) {
  // Data of the conversation, or the digits of a number.
  const bool plain = !value.HoldsText() && value.callables == 0 && value.namespaces == 0 &&
                     !value.container &&
                     !std::ranges::any_of(
                         value.items, [](const Constant& item) { return item.number.has_value(); });
  switch (effect) {
    case Effect::kNumber:
      // For a text that is not a number, the result is the default.
      return name == "int" || name == "float" ? Otherwise(UnknownNumber(), arguments, 0)
                                              : UnknownNumber();
    case Effect::kElement: {
      TemplateValue element = ElementOf(value);
      if (const TemplateValue* given = ArgumentAt(arguments, arguments.size(), "default")) {
        Absorb(element, *given);
      }
      return element;
    }
    case Effect::kSame:
      return Same(name, value, arguments);
    case Effect::kPairs: {
      TemplateValue pairs = Held(value);
      pairs.elements = value.elements;
      pairs.made = value.made;
      pairs.given.wraps = value.given.wraps;
      pairs.given.pairs = value.given.inside >= 0 && value.given.IsGiven();
      return pairs;
    }
    case Effect::kPieces:
      return Pieces(name, value, arguments);
    case Effect::kChange:
      if (plain) return Anonymous(value);
      return MapText(name, value, store,
                     [&](std::string_view one) { return ChangedText(name, one); });
    case Effect::kPrint:
      if (plain) return Anonymous(value);
      if (value.IsNumber()) {
        TemplateValue text = DataValue();
        text.most = Reach(value);
        return text;
      }
      if (name == "string" && (value.container || value.elements > 0)) {
        // Each time, it also escapes the escapes.
        TemplateValue made = FoldUnknown(name, value, arguments);
        for (TemplateValue::Part& part : made.parts) part.times = std::max(part.times, 1U);
        RepeatParts(made);
        return made;
      }
      if (name == "tojson" || value.container) break;
      return MapText(name, value, store, [&](std::string_view one) -> std::optional<std::string> {
        const bool markup = name != "string" && name != "safe";
        if (markup && one.find_first_of("<>&'\"") != std::string_view::npos) return std::nullopt;
        return std::string(one);
      });
    case Effect::kCut:
      if (plain) return Anonymous(value);
      return Cut(name, value, arguments, store);
    case Effect::kReplace:
      return Replaced(value, arguments, store);
    case Effect::kMap:
      return Mapped(value, arguments, store);
    case Effect::kDefault:
    case Effect::kFormat:
    case Effect::kText:
      break;
  }
  TemplateValue made = FoldUnknown(name, value, arguments);
  // A text between all characters, or escapes of escapes, double the values in the text.
  const bool between =
      name == "join" ? !arguments.empty() : name == "wordwrap" && arguments.size() > 1;
  if (name == "join") {  // the result is a text, and is not written as a container
    ForgetWhole(made);
    // Data between the pieces of a text are as long as all pieces.
    const bool longer = between && arguments.front().value.outside && !value.IsExact();
    for (TemplateValue::Part& part : made.parts) {
      part.inside = 0;
      if (longer) part.times = std::max(part.times, 1U);
    }
  }
  if (MayMultiply(name) || between) RepeatParts(made);
  return made;
}

}  // namespace

const TemplateValue* ArgumentAt(const TemplateArguments& arguments, std::size_t position,
                                std::string_view name) {
  for (const TemplateArgument& argument : arguments) {
    if (argument.name.empty() ? position-- == 0 : !name.empty() && argument.name == name) {
      return &argument.value;
    }
  }
  return nullptr;
}

TemplateValue FoldUnknown(std::string_view function, TemplateValue value,
                          const TemplateArguments& arguments) {
  for (const TemplateArgument& argument : arguments) {
    value.namespaces = std::max(value.namespaces, argument.value.namespaces);
    value.callables = std::max(value.callables, argument.value.callables);
    value.bytes = std::max(value.bytes, argument.value.bytes);
    value.most = std::max(value.most, LargestOf(argument.value));
    value.outside = value.outside || argument.value.outside;
    AddParts(value, argument.value);
    if (value.computed.empty()) value.computed = argument.value.computed;
  }
  // The function may put them into containers, like `slice`.
  if (value.namespaces > 0) value.namespaces = TemplateValue::kDeepest;
  if (value.callables > 0) value.callables = TemplateValue::kDeepest;
  value.items.clear();  // the result may contain any of them
  value.shallowest = value.deepest = 0;
  value.data = true;
  value.container = false;
  value.alias = {};
  value.rounds = 0;
  if (value.computed.empty()) value.computed = function;
  MixDepths(value);
  return value;
}

TemplateValue FoldPercent(const TemplateValue& value, const TemplateArguments& arguments,
                          TextStore& store) {
  return Formatted(/*percent=*/true, value, arguments, store);
}

TemplateValue FoldFilter(std::string_view filter, const TemplateValue& value,
                         const TemplateArguments& arguments, TextStore& store) {
  const Effect effect = EffectOfFilter(filter);
  if (effect == Effect::kFormat) return FoldPercent(value, arguments, store);
  if (effect == Effect::kDefault) return Otherwise(value, arguments, 0);
  if (filter == "int" && value.IsExact() && value.items.size() == 1 && arguments.empty()) {
    if (const auto number = IntegerOf(value.items.front())) return NumberValue(*number);
  }
  // The sum starts at 0, to which only numbers can be added.
  const bool from_zero = ArgumentAt(arguments, 1, "start") == nullptr && !HasSpread(arguments);
  if (filter == "sum" && from_zero) return UnknownNumber();
  return Fold(effect, filter, value, arguments, store);
}

TemplateValue FoldMethod(std::string_view method, const TemplateValue& value,
                         const TemplateArguments& arguments, TextStore& store) {
  const Effect effect = EffectOfMethod(method);
  if (effect == Effect::kFormat) return Formatted(/*percent=*/false, value, arguments, store);
  if (effect == Effect::kDefault)
    return Otherwise(MemberOf(value), arguments, HasSpread(arguments) ? 0 : 1);
  return Fold(effect, method, value, arguments, store);
}

TemplateValue FoldSlice(const TemplateValue& value, const TemplateArguments& parts,
                        TextStore& store) {
  const auto number = [&](std::size_t part) -> std::optional<std::int64_t> {
    return part < parts.size() ? parts.at(part).value.Whole() : std::nullopt;
  };
  const bool index = parts.size() == 1;
  if (value.IsNumber()) return DataValue();
  const bool known = std::ranges::all_of(parts, [](const TemplateArgument& part) {
    return part.value.IsNothing() || part.value.Whole();
  });
  if (!value.IsExact()) {
    if (index) return ElementOf(value);
    // A part of a container, or of text from the conversation.
    const bool text = value.HoldsText() && !value.container && value.shallowest == 0;
    return text ? FoldUnknown("[:]", value, parts) : Anonymous(value);
  }
  if (!known) return index ? ElementOf(value) : FoldUnknown("[:]", value, parts);
  const auto end = !index ? number(1)
                   : *number(0) == -1
                       ? std::nullopt
                       : std::optional(*number(0) + (*number(0) < INT64_MAX ? 1 : 0));
  const std::int64_t step = index ? 1 : number(2).value_or(1);
  return MapText(index ? "[]" : "[:]", value, store,
                 [&](std::string_view text) -> std::optional<std::string> {
                   // The characters of a longer text would take too much memory.
                   constexpr std::size_t kMost = 16 * TextStore::kLongest;
                   if (text.size() > kMost) return std::nullopt;
                   return SliceText(text, number(0), end, step);
                 });
}

}  // namespace ggufgate
