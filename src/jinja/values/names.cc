#include "jinja/values/names.h"

#include <algorithm>
#include <array>

namespace ggufgate {
namespace {

// Attributes without double underscores that lead to internal objects. jinja2/sandbox.py 3.1.6
// rejects most of them (UNSAFE_…_ATTRIBUTES). The others are those of frames, tracebacks and Python
// 2, and the function at the end of such chains. No key of a conversation has such a name.
constexpr std::array<std::string_view, 33> kInternal = {
    "mro",      "func_globals", "func_code",   "func_closure", "func_defaults", "func_dict",
    "im_class", "im_func",      "im_self",     "gi_frame",     "gi_code",       "gi_yieldfrom",
    "cr_frame", "cr_code",      "cr_await",    "cr_origin",    "ag_frame",      "ag_code",
    "ag_await", "f_globals",    "f_locals",    "f_builtins",   "f_back",        "f_code",
    "tb_frame", "tb_next",      "tb_lasti",    "co_code",      "co_consts",     "co_names",
    "popen",    "Popen",        "check_output"};

bool IsLower(char c) { return c >= 'a' && c <= 'z'; }
bool IsUpper(char c) { return c >= 'A' && c <= 'Z'; }
bool IsDigit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

bool IsDunder(std::string_view text) {
  if (text.size() < 5 || !text.starts_with("__") || !text.ends_with("__")) return false;
  if (text.at(2) == '_') return false;  // only underscores
  return std::ranges::all_of(
      text, [](char c) { return IsLower(c) || IsUpper(c) || IsDigit(c) || c == '_'; });
}

bool IsInternal(std::string_view text) {
  return text.starts_with('_') || std::ranges::count(kInternal, text) > 0;
}

bool ReachesInside(std::string_view path) {
  while (true) {
    const std::size_t end = path.find_first_of(".,");
    if (IsInternal(path.substr(0, end))) return true;
    if (end == std::string_view::npos) return false;
    path.remove_prefix(end + 1);
  }
}

// Source: the signatures in jinja2/filters.py 3.1.6.
AttributeArgument AttributeArgumentOf(std::string_view filter) {
  using enum AttributeArgument;
  struct Entry {
    std::string_view filter;
    AttributeArgument argument;
  };
  static constexpr std::array<Entry, 13> kFilters = {{{"attr", kFirst},
                                                      {"map", kAll},
                                                      {"selectattr", kFirst},
                                                      {"rejectattr", kFirst},
                                                      {"groupby", kFirst},
                                                      {"sum", kFirst},
                                                      {"join", kSecond},
                                                      {"unique", kSecond},
                                                      {"min", kSecond},
                                                      {"max", kSecond},
                                                      {"sort", kThird},
                                                      {"select", kKeywordOnly},
                                                      {"reject", kKeywordOnly}}};
  const auto found = std::ranges::find(kFilters, filter, &Entry::filter);
  return found == kFilters.end() ? kNone : found->argument;
}

bool IsEngineFunction(std::string_view name) {
  static constexpr std::array<std::string_view, 8> kFunctions = {
      "range",  "dict",   "namespace",       "cycler",
      "joiner", "lipsum", "raise_exception", "strftime_now"};
  return std::ranges::count(kFunctions, name) > 0;
}

bool AddsTo(std::string_view method) {
  static constexpr std::array<std::string_view, 3> kMethods = {"append", "extend", "insert"};
  return std::ranges::count(kMethods, method) > 0;
}

bool StoresIn(std::string_view method) {
  static constexpr std::array<std::string_view, 3> kOthers = {"update", "setdefault", "add"};
  return AddsTo(method) || std::ranges::count(kOthers, method) > 0;
}

bool IsEngineObject(std::string_view name) {
  static constexpr std::array<std::string_view, 6> kObjects = {"loop",  "caller",  "self",
                                                               "super", "varargs", "kwargs"};
  return std::ranges::count(kObjects, name) > 0;
}

bool IsFormat(std::string_view method) { return method == "format" || method == "format_map"; }

bool IsPhrase(std::string_view text) {
  static constexpr std::string_view kBetween = " ,.!?'-";
  std::size_t words = 0;
  std::size_t letters = 0;
  for (const char c : text) {
    const bool letter = IsLower(c) || IsUpper(c) || static_cast<unsigned char>(c) >= 0x80;
    if (!letter && !IsDigit(c) && kBetween.find(c) == std::string_view::npos) return false;
    letters = letter ? letters + 1 : 0;
    if (letters == 2) ++words;
  }
  return words >= 2 && text.find(' ') != std::string_view::npos;
}

}  // namespace ggufgate
