// The suppressions of a policy file.

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "bytes/character_kind.h"
#include "bytes/grouped.h"
#include "bytes/utf8.h"
#include "policy/policy_values.h"

namespace ggufgate::internal {
namespace {

using Kind = TomlValue::Kind;

constexpr std::size_t kMostSuppressions = 10'000;
constexpr std::size_t kLongestReason = 1'000;  // bytes
constexpr std::size_t kDigestDigits = 64;

// The fields of a suppression. Each function returns false after a problem.

bool ReadRule(const TomlEntry& entry, Suppression& suppression, Problems& problems) {
  const std::string* slug = TextIn(entry, problems);
  const Rule* rule = slug != nullptr ? RuleNamed(*slug, entry.value.at, problems) : nullptr;
  if (rule == nullptr) return false;
  suppression.rule = rule->id;
  if (!OnlyAFault(*rule)) return true;
  problems.push_back(
      {entry.value.at, absl::StrCat(*slug,
                                    " cannot be suppressed: bytes after such a fault cannot be "
                                    "read, so they were not checked")});
  return false;
}

// IsBlankText tells whether a text has no visible word. No-break and zero-width spaces are not
// visible.
bool IsBlankText(std::string_view text) {
  while (!text.empty()) {
    const std::optional<char32_t> c = TakeCharacter(text);
    if (!c || !IsBlank(*c)) return false;
  }
  return true;
}

bool ReadReason(const TomlEntry& entry, Suppression& suppression, Problems& problems) {
  const std::string* reason = TextIn(entry, problems);
  if (reason == nullptr) return false;
  suppression.reason = *reason;
  if (IsBlankText(*reason)) {
    problems.push_back(
        {entry.value.at, "the reason is empty; write one for the readers of the report"});
  } else if (reason->size() > kLongestReason) {
    problems.push_back(
        {entry.value.at, absl::StrCat("reason length is ", Grouped(reason->size()),
                                      " bytes; must be at most ", Grouped(kLongestReason))});
  } else {
    return true;
  }
  return false;
}

bool ReadSha256(const TomlEntry& entry, Suppression& suppression, Problems& problems) {
  const std::string* digest = TextIn(entry, problems);
  if (digest == nullptr) return false;
  for (const char c : *digest) {
    const bool upper = c >= 'A' && c <= 'F';
    suppression.sha256 += upper ? static_cast<char>(c - 'A' + 'a') : c;
  }
  if (suppression.sha256.size() == kDigestDigits &&
      suppression.sha256.find_first_not_of("0123456789abcdef") == std::string::npos) {
    return true;
  }
  problems.push_back(
      {entry.value.at, absl::StrCat("sha256 must be 64 hexadecimal digits, not ", Shown(*digest))});
  return false;
}

bool ReadPath(const TomlEntry& entry, Suppression& suppression, Problems& problems) {
  const std::string* path = TextIn(entry, problems);
  if (path == nullptr) return false;
  suppression.path = *path;
  if (!path->empty()) return true;
  problems.push_back(
      {entry.value.at, "the path is empty; omit it to suppress the rule in all files"});
  return false;
}

struct Field {
  std::string_view key;
  bool required;
  bool (*read)(const TomlEntry&, Suppression&, Problems&);
};
constexpr std::array kFields = {Field{"rule", true, &ReadRule}, Field{"reason", true, &ReadReason},
                                Field{"sha256", false, &ReadSha256},
                                Field{"path", false, &ReadPath}};

void ReadSuppression(const TomlValue& table, Policy& policy, Problems& problems) {
  std::array<std::string_view, kFields.size()> keys;
  std::ranges::transform(kFields, keys.begin(), &Field::key);
  Suppression suppression;
  bool whole = true;
  for (const TomlEntry& entry : table.entries) {
    if (IsFull(problems)) return;
    const auto field = std::ranges::find(kFields, entry.key, &Field::key);
    if (field == kFields.end()) {
      problems.push_back(UnknownKey(entry, keys));
    } else {
      whole &= field->read(entry, suppression, problems);
    }
  }
  for (const Field& field : kFields) {
    if (!field.required || FindEntry(table, field.key) != nullptr) continue;
    problems.push_back(
        {table.at, absl::StrCat("a suppression must have a ", std::string(field.key))});
    whole = false;
  }
  if (whole) policy.suppressions.push_back(std::move(suppression));
}

}  // namespace

void ReadSuppressions(const TomlEntry& entry, Policy& policy, Problems& problems) {
  if (entry.value.kind == Kind::kTable) {
    problems.push_back(
        {entry.value.at, "suppress is a list: write [[suppress]], with two brackets"});
    return;
  }
  if (!HasKind(entry, Kind::kArray, problems)) return;
  if (entry.value.elements.size() > kMostSuppressions) {
    problems.push_back({entry.value.at, absl::StrCat("there are more than ",
                                                     Grouped(kMostSuppressions), " suppressions")});
    return;
  }
  for (const TomlValue& table : entry.value.elements) {
    if (IsFull(problems)) return;
    if (table.kind == Kind::kTable) {
      ReadSuppression(table, policy, problems);
    } else {
      problems.push_back({table.at, absl::StrCat("suppress must list tables, not ",
                                                 std::string(WordFor(table.kind)))});
    }
  }
}

}  // namespace ggufgate::internal
