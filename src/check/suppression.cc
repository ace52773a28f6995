#include "check/suppression.h"

#include <algorithm>

namespace ggufgate {

namespace {

std::string Numbered(std::string_view record, std::uint64_t index) {
  return std::string(record) + "[" + std::to_string(index) + "]";
}

}  // namespace

std::string RecordPath(const Subject& subject) {
  std::string path = subject.name;
  switch (subject.section) {
    case Place::Section::kFile:
      return "";
    case Place::Section::kHeader:
      return "header";
    case Place::Section::kMetadata:
      if (path.empty()) path = Numbered("metadata", subject.index);
      break;
    case Place::Section::kTensor:
      if (path.empty()) path = Numbered("tensor", subject.index);
      break;
  }
  if (subject.name.size() == Subject::kLongestText) path += "…";
  return subject.element == Place::kNoElement ? path : Numbered(path, subject.element);
}

bool PathMatches(std::string_view wanted, std::string_view path) {
  if (!wanted.ends_with('*')) return wanted == path;
  wanted.remove_suffix(1);
  return path.starts_with(wanted);
}

std::vector<const Suppression*> SuppressionsOf(const Policy& policy, RuleId rule) {
  std::vector<const Suppression*> found;
  for (const Suppression& suppression : policy.suppressions) {
    if (suppression.rule == rule && suppression.sha256.empty()) found.push_back(&suppression);
  }
  return found;
}

const Suppression* FirstCovering(const std::vector<const Suppression*>& suppressions,
                                 const Subject& subject) {
  if (suppressions.empty()) return nullptr;
  const std::string path = RecordPath(subject);
  const auto covers = [&](const Suppression* suppression) {
    return suppression->path.empty() || PathMatches(suppression->path, path);
  };
  const auto found = std::ranges::find_if(suppressions, covers);
  return found != suppressions.end() ? *found : nullptr;
}

bool NeedsDigest(const Policy& policy, const Findings& findings) {
  return std::ranges::any_of(policy.suppressions, [&](const Suppression& suppression) {
    const auto index = static_cast<std::size_t>(suppression.rule);
    return !suppression.sha256.empty() && findings.totals.at(index) > findings.suppressed.at(index);
  });
}

bool NamesAnyDigest(const Policy& policy) {
  return std::ranges::any_of(policy.suppressions, [](const Suppression& suppression) {
    return !suppression.sha256.empty();
  });
}

bool NamesDigest(const Policy& policy, std::string_view sha256) {
  return std::ranges::count(policy.suppressions, sha256, &Suppression::sha256) > 0;
}

Policy ForDigest(Policy policy, std::string_view sha256) {
  std::erase_if(policy.suppressions, [&](const Suppression& suppression) {
    return !suppression.sha256.empty() && suppression.sha256 != sha256;
  });
  for (Suppression& suppression : policy.suppressions) suppression.sha256.clear();
  return policy;
}

}  // namespace ggufgate
