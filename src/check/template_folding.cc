#include "check/template_folding.h"

#include <algorithm>
#include <array>

namespace ggufgate {
namespace {

using Kind = TemplateValue::Kind;

char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; }
char Upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 0x20) : c; }
bool IsLetter(char c) { return Lower(c) >= 'a' && Lower(c) <= 'z'; }

std::string Changed(std::string text, char (*change)(char)) {
  std::ranges::transform(text, text.begin(), change);
  return text;
}

std::string Swapped(const std::string& text) {
  return Changed(text, [](char c) { return Lower(c) == c ? Upper(c) : Lower(c); });
}

// Titled makes the first letter of each word a capital, or of the whole text only.
std::string Titled(std::string text, bool every_word) {
  bool start = true;
  for (char& c : text) {
    c = start ? Upper(c) : Lower(c);
    start = every_word && !IsLetter(c);
  }
  return text;
}

std::string Reversed(const std::string& text) {
  return SliceText(text, std::nullopt, std::nullopt, -1);
}

std::string Trimmed(std::string text, std::string_view characters, bool left, bool right) {
  if (right) text.erase(text.find_last_not_of(characters) + 1);
  if (left) text.erase(0, std::min(text.find_first_not_of(characters), text.size()));
  return text;
}

// TextAt is a text argument, or nothing where it is none that is known.
std::optional<std::string> TextAt(const TemplateArguments& arguments, std::size_t position,
                                  std::string_view name = {}) {
  const TemplateValue* value = ArgumentAt(arguments, position, name);
  if (value == nullptr || !value->IsScalar()) return std::nullopt;
  return value->items.front().text;
}

// Simple is what needs no more than the text: filters and methods share the names.
using Change = std::string (*)(const std::string&);
Change SimpleChange(std::string_view name) {
  struct Entry {
    std::string_view name;
    Change change;
  };
  static constexpr Change kSame = [](const std::string& text) { return text; };
  static constexpr Change kLower = [](const std::string& text) { return Changed(text, Lower); };
  static constexpr Change kTitle = [](const std::string& text) { return Titled(text, true); };
  static constexpr std::array<Entry, 14> kChanges = {
      {{"lower", kLower},
       {"casefold", kLower},
       {"upper", [](const std::string& text) { return Changed(text, Upper); }},
       {"swapcase", Swapped},
       {"title", kTitle},
       {"capitalize", [](const std::string& text) { return Titled(text, false); }},
       {"string", kSame},
       {"safe", kSame},
       {"e", kSame},
       {"escape", kSame},
       {"forceescape", kSame},
       {"format_map", kSame},
       {"encode", kSame},
       {"copy", kSame}}};
  const auto* const found = std::ranges::find(kChanges, name, &Entry::name);
  return found == kChanges.end() ? nullptr : found->change;
}

TemplateValue Inexact(TemplateValue value) {
  for (Constant& item : value.items) item.inexact = true;
  return value;
}

TemplateValue ListOf(std::vector<Constant> items) {
  TemplateValue list;
  list.kind = Kind::kList;
  list.items = std::move(items);
  if (list.items.size() > TemplateValue::kMostElements) {
    list.items.resize(TemplateValue::kMostElements);
  }
  return list;
}

TemplateValue Split(const TemplateValue& value, const std::string& separator, WorkBudget& budget) {
  std::vector<Constant> pieces;
  if (separator.empty()) return {};
  for (const Constant& item : value.items) {
    if (!budget.Spend(item.text.size())) break;
    std::string_view rest = item.text;
    while (pieces.size() < TemplateValue::kMostElements) {
      const std::size_t at = rest.find(separator);
      pieces.push_back({.text = std::string(rest.substr(0, at))});
      if (at == std::string_view::npos) break;
      rest.remove_prefix(at + separator.size());
    }
  }
  return ListOf(std::move(pieces));
}

TemplateValue CharacterList(const TemplateValue& value, WorkBudget& budget) {
  std::vector<Constant> list;
  const std::string& text = value.items.front().text;
  if (!budget.Spend(text.size() * 4)) return {};
  for (const std::string_view character : Characters(text)) {
    list.push_back({.text = std::string(character)});
  }
  return ListOf(std::move(list));
}

TemplateValue Join(const TemplateValue& value, const std::string& separator, WorkBudget& budget) {
  if (value.kind == Kind::kUnknown) return {};
  if (value.IsScalar() && separator.empty()) return CopyOf(value, budget);
  const TemplateValue elements =
      value.IsScalar() ? CharacterList(value, budget) : CopyOf(value, budget);
  std::string row;
  for (const Constant& item : elements.items) {
    if (!budget.Spend(item.text.size() + separator.size())) return {};
    if (&item != &elements.items.front()) row += separator;
    row += item.text;
  }
  return elements.IsList() ? TextValue(std::move(row)) : TemplateValue();
}

// ListFilter is what a filter makes of a list; nothing where it is none over lists.
std::optional<TemplateValue> ListFilter(std::string_view filter, const TemplateValue& value,
                                        WorkBudget& budget) {
  TemplateValue list = CopyOf(value, budget);
  if (!list.IsList()) return TemplateValue();
  if (filter == "list" || filter == "select" || filter == "reject" || filter == "unique") {
    return list;
  }
  if (filter == "reverse") {
    std::ranges::reverse(list.items);
    return list;
  }
  if (filter == "sort") {
    std::ranges::sort(list.items, {},
                      [](const Constant& item) { return Changed(item.text, Lower); });
    return list;
  }
  if (filter == "first" || filter == "last") {
    if (list.items.empty()) return TemplateValue();
    TemplateValue one = TextValue("");
    one.items.front() = filter == "first" ? list.items.front() : list.items.back();
    return one;
  }
  if (filter == "random" || filter == "min" || filter == "max") return AnyOf(list);
  if (filter == "items" || filter == "dictsort" || filter == "batch" || filter == "slice") {
    return ListOf(AnyOf(list).items);
  }
  return std::nullopt;
}

// Shared is what filters and methods of the same name have in common.
std::optional<TemplateValue> Shared(std::string_view name, const TemplateValue& value,
                                    const TemplateArguments& arguments, WorkBudget& budget) {
  if (const Change change = SimpleChange(name)) return MapText(value, budget, change);
  if (name == "replace") {
    const auto from = TextAt(arguments, 0, "old");
    const auto to = TextAt(arguments, 1, "new");
    if (!from || !to) return Inexact(CopyOf(value, budget));
    return MapText(value, budget, [&](const std::string& text) {
      const bool afford = budget.Spend((text.size() + 1) * (to->size() + 1));
      return afford ? ReplaceAll(text, *from, *to) : std::string();
    });
  }
  const bool left = name == "trim" || name == "strip" || name == "lstrip";
  const bool right = name == "trim" || name == "strip" || name == "rstrip";
  if (!left && !right) return std::nullopt;
  const std::string characters = TextAt(arguments, 0, "chars").value_or(" \t\n\r\f\v");
  return MapText(value, budget,
                 [&](const std::string& text) { return Trimmed(text, characters, left, right); });
}

// MapFilter is value|map(filter, …) for filters over one text.
TemplateValue MapFilter(const TemplateValue& value, const TemplateArguments& arguments,
                        WorkBudget& budget) {
  const auto filter = TextAt(arguments, 0);
  if (!filter) return Inexact(CopyOf(value, budget));
  if (*filter == "reverse") return MapText(value, budget, Reversed);
  const TemplateArguments rest(arguments.begin() + 1, arguments.end());
  if (auto mapped = Shared(*filter, value, rest, budget)) return *mapped;
  return Inexact(CopyOf(value, budget));
}

std::vector<FormatArgument> FormatArgumentsOf(const TemplateArguments& arguments,
                                              std::size_t round) {
  std::vector<FormatArgument> list;
  for (const TemplateArgument& argument : arguments) {
    const std::vector<Constant>& items = argument.value.items;
    FormatArgument out{.name = std::string(argument.name), .text = std::string(1, kHole)};
    if (argument.value.IsScalar()) {
      const Constant& item = items.at(std::min(round, items.size() - 1));
      out.text = item.text;
      out.number = item.number;
    }
    list.push_back(std::move(out));
  }
  return list;
}

// Formatted fills patterns in: alternative after alternative of all arguments at once.
template <typename Format>
TemplateValue Formatted(const TemplateValue& value, const TemplateArguments& arguments,
                        WorkBudget& budget, Format format) {
  if (!value.IsScalar()) return {};
  std::size_t rounds = 1;
  std::size_t bytes = 1;
  for (const TemplateArgument& argument : arguments) {
    if (argument.value.IsScalar()) rounds = std::max(rounds, argument.value.items.size());
    for (const Constant& item : argument.value.items) bytes += item.text.size() + 1;
  }
  TemplateValue result;
  for (std::size_t round = 0; round < rounds; ++round) {
    const auto list = FormatArgumentsOf(arguments, round);
    TemplateValue one = MapText(value, budget, [&](const std::string& pattern) {
      return budget.Spend((pattern.size() + 1) * bytes) ? format(pattern, list) : std::string();
    });
    Absorb(result, one);
  }
  return result;
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

TemplateValue FoldPercent(const TemplateValue& value, const TemplateArguments& arguments,
                          WorkBudget& budget) {
  return Formatted(value, arguments, budget, FormatPercent);
}

TemplateValue FoldFilter(std::string_view filter, const TemplateValue& value,
                         const TemplateArguments& arguments, WorkBudget& budget) {
  if (filter == "default" || filter == "d") {
    TemplateValue either = CopyOf(value, budget);
    if (const TemplateValue* other = ArgumentAt(arguments, 0, "default_value")) {
      Absorb(either, *other);
    }
    return either;
  }
  if (value.kind == Kind::kUnknown) {
    TemplateValue unknown;
    unknown.content = value.content;
    return unknown;
  }
  if (filter == "join") return Join(value, TextAt(arguments, 0, "d").value_or(""), budget);
  if (filter == "map") return MapFilter(value, arguments, budget);
  if (value.IsList()) {
    if (auto list = ListFilter(filter, value, budget)) return *list;
    return Inexact(CopyOf(value, budget));
  }
  if (filter == "format") return FoldPercent(value, arguments, budget);
  if (filter == "reverse") return MapText(value, budget, Reversed);
  if (filter == "list") return CharacterList(value, budget);
  if (filter == "int" || filter == "float" || filter == "abs" || filter == "round") {
    const auto number = NumberOf(value.items.front().text);
    return number ? NumberValue(*number) : TemplateValue();
  }
  if (filter == "first" || filter == "last") {
    const std::int64_t index = filter == "first" ? 0 : -1;
    return MapText(value, budget, [&](const std::string& text) {
      return SliceText(text, index, index == 0 ? std::optional<std::int64_t>(1) : std::nullopt, 1);
    });
  }
  if (auto shared = Shared(filter, value, arguments, budget)) return *shared;
  return Inexact(CopyOf(value, budget));
}

TemplateValue FoldMethod(std::string_view method, const TemplateValue& value,
                         const TemplateArguments& arguments, WorkBudget& budget) {
  if (!value.IsScalar()) {
    // get(), pop() of a list or dictionary, next() of a cycler: one of what is in it.
    if (method == "values" && value.IsList()) return ListOf(value.members);
    TemplateValue any = AnyOf(value);
    return method == "items" ? ListOf(std::move(any.items)) : any;
  }
  if (method == "format") return Formatted(value, arguments, budget, FormatBraces);
  if (method == "join") {
    const TemplateValue* list = ArgumentAt(arguments, 0);
    return list == nullptr ? TemplateValue() : Join(*list, value.items.front().text, budget);
  }
  if (method == "split" || method == "rsplit" || method == "partition" || method == "rpartition") {
    return Split(value, TextAt(arguments, 0, "sep").value_or(" "), budget);
  }
  if (method == "decode" || method == "translate") {
    TemplateValue deciphered = CopyOf(value, budget);
    for (Constant& item : deciphered.items) item.opaque = true;
    return deciphered;
  }
  if (auto shared = Shared(method, value, arguments, budget)) return *shared;
  return Inexact(CopyOf(value, budget));
}

TemplateValue FoldSlice(const TemplateValue& value, const TemplateArguments& parts,
                        WorkBudget& budget) {
  const auto number = [&](std::size_t part) -> std::optional<std::int64_t> {
    if (part >= parts.size() || !parts.at(part).value.IsScalar()) return std::nullopt;
    return parts.at(part).value.items.front().number;
  };
  const bool index = parts.size() == 1;
  TemplateValue result;
  result.content = value.content;
  if (value.kind == Kind::kUnknown || (index && !number(0))) return result;
  const auto end = !index ? number(1)
                   : *number(0) == -1
                       ? std::nullopt
                       : std::optional(*number(0) + (*number(0) < INT64_MAX ? 1 : 0));
  const std::int64_t step = index ? 1 : number(2).value_or(1);
  if (value.IsScalar()) {
    return MapText(value, budget, [&](const std::string& text) {
      return budget.Spend(text.size() * 16) ? SliceText(text, number(0), end, step) : std::string();
    });
  }
  if (!index) {
    return step == -1 ? *ListFilter("reverse", value, budget) : CopyOf(value, budget);
  }
  const auto size = static_cast<std::int64_t>(value.items.size());
  const std::int64_t at = *number(0) < 0 ? *number(0) + size : *number(0);
  if (at < 0 || at >= size) return AnyOf(value);
  TemplateValue one = TextValue("");
  one.items.front() = value.items.at(static_cast<std::size_t>(at));
  return one;
}

}  // namespace ggufgate
