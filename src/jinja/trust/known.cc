#include "jinja/trust/known.h"

#include <algorithm>
#include <array>

#include "jinja/values/names.h"

namespace ggufgate {
namespace {

struct Entry {
  std::string_view name;
  Makes makes;
};

bool IsWord(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// MentionsInternal tells whether any word in a text is an internal name: `{0.__class__}`,
// `x|f_code`.
bool MentionsInternal(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && IsWord(text[end])) ++end;
    if (end > at && IsInternal(text.substr(at, end - at))) return true;
    at = end + 1;
  }
  return false;
}

// An escape of any other kind may be a letter or an underscore.
bool HasOddEscape(std::string_view text) {
  static constexpr std::string_view kUsual = "nrt\\'\"";
  for (std::size_t at = text.find('\\'); at != text.npos; at = text.find('\\', at + 2)) {
    if (at + 1 == text.size() || kUsual.find(text[at + 1]) == text.npos) return true;
  }
  return false;
}

template <std::size_t kCount>
Makes MakesOf(const std::array<Entry, kCount>& entries, std::string_view name) {
  const auto found = std::ranges::find(entries, name, &Entry::name);
  return found == entries.end() ? Makes::kText : found->makes;
}

}  // namespace

Makes FilterMakes(std::string_view name) {
  using enum Makes;
  static constexpr std::array<Entry, 33> kFilters = {
      {{"length", kNumber},    {"count", kNumber},   {"int", kNumber},     {"float", kNumber},
       {"wordcount", kNumber}, {"first", kElement},  {"last", kElement},   {"random", kElement},
       {"list", kRow},         {"default", kSame},   {"d", kSame},         {"items", kRow},
       {"dictsort", kRow},     {"sort", kRow},       {"unique", kRow},     {"select", kRow},
       {"reject", kRow},       {"selectattr", kRow}, {"rejectattr", kRow}, {"groupby", kRow},
       {"min", kElement},      {"max", kElement},    {"batch", kRow},      {"slice", kRow},
       {"abs", kNumber},       {"round", kNumber},   {"reverse", kPiece},  {"trim", kWritten},
       {"lower", kWritten},    {"upper", kWritten},  {"title", kWritten},  {"capitalize", kWritten},
       {"string", kWritten}}};
  return MakesOf(kFilters, name);
}

Makes MethodMakes(std::string_view name) {
  using enum Makes;
  static constexpr std::array<Entry, 32> kMethods = {
      {{"get", kElement},        {"items", kRow},        {"keys", kRow},
       {"values", kRow},         {"pop", kElement},      {"copy", kSame},
       {"strip", kPiece},        {"lstrip", kPiece},     {"rstrip", kPiece},
       {"split", kPiece},        {"rsplit", kPiece},     {"splitlines", kPiece},
       {"partition", kPiece},    {"rpartition", kPiece}, {"removeprefix", kPiece},
       {"removesuffix", kPiece}, {"lower", kPiece},      {"upper", kPiece},
       {"title", kPiece},        {"capitalize", kPiece}, {"swapcase", kPiece},
       {"replace", kMade},       {"join", kMade},        {"format", kMade},
       {"startswith", kMade},    {"endswith", kMade},    {"find", kMade},
       {"rfind", kMade},         {"index", kMade},       {"rindex", kMade},
       {"count", kMade},         {"zfill", kMade}}};
  return MakesOf(kMethods, name);
}

Trust LiteralTrust(std::string_view literal) {
  const std::string_view inside = literal.size() < 2 ? "" : literal.substr(1, literal.size() - 2);
  Trust trust = {.literal = true};
  if (MentionsInternal(inside) || HasOddEscape(inside)) trust.made = literal;
  return trust;
}

Trust PieceOf(Trust trust, std::string_view by) {
  if (trust.literal || trust.written) trust.Add({.made = by});
  return trust;
}

Trust WrittenOf(Trust trust, std::string_view by) {
  if (trust.literal || trust.holds_literal || trust.object) trust.Add({.made = by});
  trust.written = true;
  return trust;
}

}  // namespace ggufgate
