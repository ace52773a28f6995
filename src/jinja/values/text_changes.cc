#include "jinja/values/text_changes.h"

#include <algorithm>

namespace ggufgate {
namespace {

// Times returns how often a text contains a part. An empty part is between all characters.
std::size_t Times(std::string_view text, std::string_view part) {
  if (part.empty()) return text.size() + 1;
  std::size_t times = 0;
  for (std::size_t at = text.find(part); at != std::string_view::npos;
       at = text.find(part, at + 1)) {
    ++times;
  }
  return times;
}

// IsComputed tells whether an argument may be any text made by the template.
bool IsComputed(const TemplateArguments& arguments, std::size_t position) {
  const TemplateValue* value = ArgumentAt(arguments, position);
  return value != nullptr && (!value->computed.empty() || value->items.size() > 1);
}

bool IsOutside(const TemplateArguments& arguments, std::size_t position) {
  const TemplateValue* value = ArgumentAt(arguments, position);
  return value != nullptr && value->outside;
}

// A pattern is followed if each of its fields is a whole argument.
bool IsPlainPattern(std::string_view pattern, bool percent) {
  const std::string_view odd = percent ? std::string_view("#0123456789-+. *(") : "!:.[";
  for (std::size_t at = pattern.find_first_of(percent ? "%" : "{"); at < pattern.size();
       at = pattern.find_first_of(percent ? "%" : "{", at + 1)) {
    const std::size_t end = percent ? at + 2 : pattern.find('}', at);
    if (pattern.substr(at, end - at).find_first_of(odd) != std::string_view::npos) return false;
    if (percent &&
        std::string_view("sdc").find(pattern.substr(at + 1, 1)) == std::string_view::npos) {
      return false;
    }
  }
  return true;
}

// FieldsIn returns the maximum number of fields of a pattern.
std::size_t FieldsIn(const TemplateValue& pattern, char sign, TextStore& store) {
  std::size_t most = 0;
  for (const Constant& item : pattern.items) {
    if (!store.budget().Spend(item.text.size())) continue;
    most = std::max(most, static_cast<std::size_t>(std::ranges::count(item.text, sign)));
  }
  return most;
}

}  // namespace

std::optional<std::string_view> TextAt(const TemplateArguments& arguments, std::size_t position,
                                       std::string_view name) {
  const TemplateValue* value = ArgumentAt(arguments, position, name);
  if (value == nullptr || !value->IsExact() || value->items.size() != 1) return std::nullopt;
  const Constant& item = value->items.front();
  return item.number ? std::nullopt : std::optional(item.text);
}

TemplateValue Replaced(const TemplateValue& value, const TemplateArguments& arguments,
                       TextStore& store) {
  const auto from = TextAt(arguments, 0, "old");
  const auto to = TextAt(arguments, 1, "new");
  const bool known = from && to && !from->empty() && arguments.size() == 2;
  TemplateValue made = known ? MapText("replace", value, store,
                                       [&](std::string_view text) -> std::optional<std::string> {
                                         const std::size_t most = TextStore::kLongest;
                                         if (text.size() > most || to->size() > most) {
                                           return std::nullopt;
                                         }
                                         return ReplaceAll(text, *from, *to);
                                       })
                             : FoldUnknown("replace", value, arguments);
  made.bytes = value.bytes;
  if (made.parts.empty()) made.parts = value.parts;
  ForgetWhole(made);
  if (const TemplateValue* text = ArgumentAt(arguments, 1, "new")) {
    const bool of_data = text->outside;
    const std::uint64_t bytes = of_data ? MessageBytes(value) : value.bytes;
    made.bytes = ProductOf(std::max(bytes, std::uint64_t{1}),
                           std::max(MessageBytes(*text), std::uint64_t{1}));
    made.bytes /= from && !from->empty() ? from->size() : 1;
  }
  // If the old text occurs once in the new one, repeated replacements lengthen it only a little,
  // unless another replacement does so, too.
  const bool longer = !to || !from || to->size() > from->size();
  const bool of_conversation = !to && IsOutside(arguments, 1);
  const bool unknown =
      of_conversation || (!to && IsComputed(arguments, 1)) || (!from && IsComputed(arguments, 0));
  if (to && to->empty()) return made;
  if ((to && from && Times(*to, *from) > 1) || (from && from->empty()) || unknown) {
    RepeatParts(made);
  } else if (longer) {
    for (TemplateValue::Part& part : made.parts) {
      part.grows = static_cast<std::uint8_t>(std::min(part.grows + 1, 2));
    }
  }
  return made;
}

TemplateValue Formatted(bool percent, const TemplateValue& value,
                        const TemplateArguments& arguments, TextStore& store) {
  std::vector<FormatArgument> list;
  const std::string_view by = percent ? "%" : "format";
  std::uint64_t bytes = value.bytes;
  TemplateValue held;
  held.parts = value.parts;
  std::size_t given = 0;
  // `%r` and `!r` add escapes.
  const bool escaped =
      !value.IsExact() || std::ranges::any_of(value.items, [&](const Constant& item) {
        return item.text.find(percent ? 'r' : '!') != std::string_view::npos;
      });
  for (const TemplateArgument& argument : arguments) {
    bytes = SumOf(bytes, ProductOf(WrittenBytes(argument.value), escaped ? 2 : 1));
    given += std::max<std::size_t>(argument.value.elements, 1);
    AddParts(held, argument.value);
  }
  ForgetWhole(held);
  const std::size_t fields = FieldsIn(value, percent ? '%' : '{', store);
  if (escaped) RepeatParts(held);
  if (fields > given) {  // some are written more than once
    bytes = ProductOf(bytes, fields);
    RepeatParts(held);
  }
  for (const TemplateArgument& argument : arguments) {
    const TemplateValue& one = argument.value;
    const bool known = one.IsExact() && one.items.size() == 1 && !one.items.front().number &&
                       !argument.name.starts_with('*') &&
                       one.items.front().text.size() <= TextStore::kLongest;
    if (!known || list.size() >= TemplateValue::kMostAlternatives) {
      TemplateValue made = FoldUnknown(by, value, arguments);
      made.bytes = bytes;
      made.parts = std::move(held.parts);
      return made;
    }
    list.push_back(
        {.name = std::string(argument.name), .text = std::string(one.items.front().text)});
  }
  TemplateValue made =
      MapText(by, value, store, [&](std::string_view pattern) -> std::optional<std::string> {
        if (pattern.size() > TextStore::kLongest || !IsPlainPattern(pattern, percent)) {
          return std::nullopt;
        }
        return percent ? FormatPercent(pattern, list) : FormatBraces(pattern, list);
      });
  made.bytes = bytes;
  made.parts = std::move(held.parts);
  return made;
}

}  // namespace ggufgate
