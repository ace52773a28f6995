#include "policy/policy_values.h"

#include <algorithm>
#include <charconv>
#include <set>

#include "absl/strings/str_cat.h"
#include "bytes/checked.h"
#include "bytes/grouped.h"
#include "bytes/utf8.h"
#include "check/nearest.h"

namespace ggufgate::internal {
namespace {

constexpr std::size_t kLongestShown = 64;
constexpr std::size_t kLongestName = 256;
constexpr std::size_t kMostNames = 1'000;

std::string Joined(std::span<const std::string_view> words) {
  std::string text;
  for (const std::string_view word : words) {
    absl::StrAppend(&text, text.empty() ? "" : ", ", std::string(word));
  }
  return text;
}

// SizeOf parses "64 MiB". It returns nullopt for any other text, and for a size above 64 bits.
std::optional<std::uint64_t> SizeOf(std::string_view text) {
  constexpr std::array<std::string_view, 5> kUnits = {"B", "KiB", "MiB", "GiB", "TiB"};
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.begin(), text.end(), number);
  if (error != std::errc()) return std::nullopt;
  std::string_view unit = text.substr(static_cast<std::size_t>(end - text.begin()));
  unit.remove_prefix(std::min(unit.find_first_not_of(' '), unit.size()));
  const auto found = std::ranges::find(kUnits, unit);
  if (found == kUnits.end()) return std::nullopt;
  const auto shift = static_cast<unsigned>(10 * (found - kUnits.begin()));
  return CheckedMul(number, std::uint64_t{1} << shift);
}

}  // namespace

std::string Shown(std::string_view text) {
  if (text.size() <= kLongestShown) return absl::StrCat("\"", std::string(text), "\"");
  std::size_t end = kLongestShown;  // without splitting a character
  while (end > 0 && IsContinuation(static_cast<std::uint8_t>(text.at(end)))) --end;
  return absl::StrCat("\"", std::string(text.substr(0, end)), "…\"");
}

std::string DidYouMean(std::string_view asked, std::span<const std::string_view> words) {
  const std::string_view nearest = Nearest(asked, words);
  return nearest.empty() ? "" : absl::StrCat("; did you mean \"", std::string(nearest), "\"?");
}

TextProblem UnknownKey(const TomlEntry& entry, std::span<const std::string_view> known) {
  return {entry.at, absl::StrCat("unknown key ", Shown(entry.key), DidYouMean(entry.key, known))};
}

const TomlEntry* FindEntry(const TomlValue& table, std::string_view key) {
  const auto found = std::ranges::find(table.entries, key, &TomlEntry::key);
  return found != table.entries.end() ? &*found : nullptr;
}

const Rule* RuleNamed(std::string_view slug, TextPlace at, Problems& problems) {
  const Rule* rule = FindRule(slug);
  if (rule != nullptr) return rule;
  const Rule* nearest = NearestRule(slug);
  problems.push_back(
      {at, absl::StrCat("there is no rule ", Shown(slug),
                        nearest == nullptr ? "; `ggufgate rules` lists them"
                                           : absl::StrCat("; did you mean \"",
                                                          std::string(nearest->slug), "\"?"))});
  return nullptr;
}

bool HasKind(const TomlEntry& entry, TomlValue::Kind kind, Problems& problems) {
  if (entry.value.kind == kind) return true;
  problems.push_back(
      {entry.value.at, absl::StrCat(entry.key, " must be ", std::string(WordFor(kind)), ", not ",
                                    std::string(WordFor(entry.value.kind)))});
  return false;
}

const std::string* TextIn(const TomlEntry& entry, Problems& problems) {
  return HasKind(entry, TomlValue::Kind::kString, problems) ? &entry.value.text : nullptr;
}

std::optional<std::uint64_t> IntegerIn(const TomlEntry& entry, std::uint64_t least,
                                       std::uint64_t most, Problems& problems) {
  if (!HasKind(entry, TomlValue::Kind::kInteger, problems)) return std::nullopt;
  const std::int64_t integer = entry.value.integer;
  if (integer >= 0) {
    const auto number = static_cast<std::uint64_t>(integer);
    if (number >= least && number <= most) return number;
  }
  problems.push_back(
      {entry.value.at, absl::StrCat(entry.key, " must be from ", Grouped(least), " to ",
                                    Grouped(most), ", not ", GroupedSigned(integer))});
  return std::nullopt;
}

std::optional<std::size_t> IndexIn(const TomlEntry& entry, std::span<const std::string_view> words,
                                   Problems& problems) {
  const std::string* text = TextIn(entry, problems);
  if (text == nullptr) return std::nullopt;
  const auto found = std::ranges::find(words, *text);
  if (found != words.end()) return static_cast<std::size_t>(found - words.begin());
  problems.push_back({entry.value.at, absl::StrCat(entry.key, " must be one of ", Joined(words),
                                                   ", not ", Shown(*text))});
  return std::nullopt;
}

std::vector<const TomlValue*> TextsIn(const TomlEntry& entry, Problems& problems) {
  if (!HasKind(entry, TomlValue::Kind::kArray, problems)) return {};
  const std::vector<TomlValue>& elements = entry.value.elements;
  if (elements.empty() || elements.size() > kMostNames) {
    problems.push_back(
        {entry.value.at,
         absl::StrCat(entry.key, " must list 1 to ", kMostNames, " names, not ",
                      Grouped(elements.size()), elements.empty() ? "; omit the key instead" : "")});
    return {};
  }
  std::vector<const TomlValue*> texts;
  std::set<std::string_view> seen;
  for (const TomlValue& element : elements) {
    if (element.kind != TomlValue::Kind::kString) {
      problems.push_back({element.at, absl::StrCat(entry.key, " must list strings, not ",
                                                   std::string(WordFor(element.kind)))});
    } else if (element.text.empty() || element.text.size() > kLongestName) {
      problems.push_back({element.at, absl::StrCat("name length is ", Grouped(element.text.size()),
                                                   " bytes; must be 1 to ", kLongestName)});
    } else if (!seen.insert(element.text).second) {
      problems.push_back({element.at, absl::StrCat(Shown(element.text), " is listed twice")});
    } else {
      texts.push_back(&element);
    }
  }
  return texts;
}

std::optional<std::uint64_t> LimitIn(const TomlEntry& entry, const LimitInfo& limit,
                                     Problems& problems) {
  const bool is_depth = limit.value == &Limits::array_depth;
  const std::uint64_t most = is_depth ? kDeepestArray : UINT64_MAX;
  if (entry.value.kind == TomlValue::Kind::kInteger) {
    return IntegerIn(entry, 0, is_depth ? most : INT64_MAX, problems);
  }
  const bool in_bytes = limit.unit == "bytes";
  if (entry.value.kind == TomlValue::Kind::kString) {
    if (entry.value.text == kUnlimited && !is_depth) return UINT64_MAX;
    if (const auto size = SizeOf(entry.value.text); size && in_bytes) return *size;
  }
  problems.push_back({entry.value.at,
                      absl::StrCat(entry.key, " must be a number of ", std::string(limit.unit),
                                   in_bytes ? ", a size such as \"64 MiB\"" : "",
                                   is_depth ? absl::StrCat(" from 0 to ", Grouped(most))
                                            : absl::StrCat(" or \"", std::string(kUnlimited), "\""),
                                   ", not ",
                                   entry.value.kind == TomlValue::Kind::kString
                                       ? Shown(entry.value.text)
                                       : std::string(WordFor(entry.value.kind)))});
  return std::nullopt;
}

}  // namespace ggufgate::internal
