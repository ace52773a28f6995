#include "jinja/values/effects.h"

#include <algorithm>
#include <array>

namespace ggufgate {
namespace {

using Effect = TemplateEffect;

struct Entry {
  std::string_view name;
  Effect effect;
};

// Source: jinja2/filters.py 3.1.6. A filter that is not in this list makes unknown text.
constexpr std::array<Entry, 37> kFilters = {
    {{"lower", Effect::kChange},     {"upper", Effect::kChange},    {"capitalize", Effect::kChange},
     {"title", Effect::kChange},     {"string", Effect::kPrint},    {"safe", Effect::kPrint},
     {"escape", Effect::kPrint},     {"e", Effect::kPrint},         {"tojson", Effect::kPrint},
     {"trim", Effect::kCut},         {"replace", Effect::kReplace}, {"default", Effect::kDefault},
     {"d", Effect::kDefault},        {"map", Effect::kMap},         {"format", Effect::kFormat},
     {"length", Effect::kNumber},    {"count", Effect::kNumber},    {"int", Effect::kNumber},
     {"float", Effect::kNumber},     {"abs", Effect::kNumber},      {"round", Effect::kNumber},
     {"wordcount", Effect::kNumber}, {"first", Effect::kElement},   {"last", Effect::kElement},
     {"random", Effect::kElement},   {"min", Effect::kElement},     {"max", Effect::kElement},
     {"list", Effect::kSame},        {"reverse", Effect::kSame},    {"items", Effect::kPairs},
     {"dictsort", Effect::kPairs},   {"unique", Effect::kSame},     {"sort", Effect::kSame},
     {"select", Effect::kSame},      {"reject", Effect::kSame},     {"selectattr", Effect::kSame},
     {"rejectattr", Effect::kSame}}};

// Source: Python's str, list and dict.
constexpr std::array<Entry, 39> kMethods = {
    {{"lower", Effect::kChange},      {"upper", Effect::kChange},
     {"capitalize", Effect::kChange}, {"title", Effect::kChange},
     {"strip", Effect::kCut},         {"lstrip", Effect::kCut},
     {"rstrip", Effect::kCut},        {"replace", Effect::kReplace},
     {"format", Effect::kFormat},     {"get", Effect::kDefault},
     {"pop", Effect::kDefault},       {"items", Effect::kPairs},
     {"keys", Effect::kSame},         {"values", Effect::kSame},
     {"copy", Effect::kSame},         {"split", Effect::kPieces},
     {"rsplit", Effect::kPieces},     {"splitlines", Effect::kPieces},
     {"partition", Effect::kPieces},  {"rpartition", Effect::kPieces},
     {"index", Effect::kNumber},      {"find", Effect::kNumber},
     {"rindex", Effect::kNumber},     {"rfind", Effect::kNumber},
     {"count", Effect::kNumber},      {"startswith", Effect::kNumber},
     {"endswith", Effect::kNumber},   {"append", Effect::kNumber},
     {"extend", Effect::kNumber},     {"insert", Effect::kNumber},
     {"update", Effect::kNumber},     {"isdigit", Effect::kNumber},
     {"isdecimal", Effect::kNumber},  {"isnumeric", Effect::kNumber},
     {"isalpha", Effect::kNumber},    {"isalnum", Effect::kNumber},
     {"isspace", Effect::kNumber},    {"isupper", Effect::kNumber},
     {"islower", Effect::kNumber}}};

template <std::size_t kCount>
Effect EffectOf(const std::array<Entry, kCount>& entries, std::string_view name) {
  const auto found = std::ranges::find(entries, name, &Entry::name);
  return found == entries.end() ? Effect::kText : found->effect;
}

}  // namespace

// Distinguishes filters and methods whose effect is not in the tables above.
bool MayMultiply(std::string_view name) {
  static constexpr std::array<std::string_view, 19> kHarmless = {
      "center", "ljust",        "rjust",        "zfill",  "truncate", "striptags", "wordwrap",
      "indent", "swapcase",     "casefold",     "string", "safe",     "reverse",   "batch",
      "slice",  "removeprefix", "removesuffix", "join",   "encode"};
  return EffectOf(kFilters, name) != Effect::kText || EffectOf(kMethods, name) != Effect::kText
             ? name == "tojson"
             : std::ranges::count(kHarmless, name) == 0;
}

// Measured on llama.cpp v0.5.0: the names of a namespace and of a list that are functions.
bool IsMethodOfObject(std::string_view name) {
  static constexpr std::array<std::string_view, 9> kNames = {
      "dictsort", "get", "items", "join", "keys", "length", "string", "tojson", "values"};
  return std::ranges::count(kNames, name) > 0;
}

bool IsMethodOfList(std::string_view name) {
  static constexpr std::array<std::string_view, 21> kNames = {
      "append", "default", "first",      "join", "last",   "length",     "list",
      "map",    "max",     "min",        "pop",  "reject", "rejectattr", "reverse",
      "select", "slice",   "selectattr", "sort", "string", "tojson",     "unique"};
  return std::ranges::count(kNames, name) > 0;
}

TemplateEffect EffectOfFilter(std::string_view name) { return EffectOf(kFilters, name); }

TemplateEffect EffectOfMethod(std::string_view name) { return EffectOf(kMethods, name); }

}  // namespace ggufgate
