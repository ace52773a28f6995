#include "report/message.h"

#include <algorithm>

#include "absl/strings/str_format.h"
#include "report/escape.h"
#include "report/numbers.h"

namespace ggufgate {
namespace {

std::string NumberText(std::uint64_t number, std::string_view format) {
  if (format == "hex") return absl::StrFormat("0x%02x", number);
  if (format == "bytes") return HumanBytes(number);
  return std::to_string(number);
}

std::string TextText(std::string_view text, std::string_view format) {
  if (format == "plain") return EscapeText(text);
  if (format != "hex") return Quoted(text);
  std::string out;
  for (const char c : text) {
    absl::StrAppendFormat(&out, "%s%02x", out.empty() ? "" : " ", static_cast<unsigned char>(c));
  }
  return out;
}

std::string FactText(const Fact& fact, std::string_view format) {
  if (const auto* number = std::get_if<std::uint64_t>(&fact)) return NumberText(*number, format);
  if (const auto* text = std::get_if<std::string>(&fact)) return TextText(*text, format);
  return "";
}

// Excess is observed minus allowed; nothing when there is none.
Fact Excess(const Finding& finding) {
  const auto* observed = std::get_if<std::uint64_t>(&finding.observed);
  const auto* allowed = std::get_if<std::uint64_t>(&finding.allowed);
  if (observed == nullptr || allowed == nullptr || *observed < *allowed) return {};
  return *observed - *allowed;
}

// WordingOf picks one of the messages that '|' separates.
std::string_view WordingOf(std::string_view messages, std::size_t wording) {
  for (; wording > 0; --wording) messages.remove_prefix(messages.find('|') + 1);
  return messages.substr(0, messages.find('|'));
}

}  // namespace

std::string MessageFor(const Finding& finding) {
  const std::string_view pattern = WordingOf(RuleOf(finding.rule).message, finding.wording);
  return FillIn(pattern, [&](std::string_view name, std::string_view format) {
    if (name == "observed") return FactText(finding.observed, format);
    if (name == "allowed") return FactText(finding.allowed, format);
    if (name == "other") return FactText(finding.other, format);
    return FactText(Excess(finding), format);
  });
}

std::string PathFor(const Subject& subject) {
  std::string path;
  switch (subject.section) {
    case Place::Section::kFile:
      return "";
    case Place::Section::kHeader:
      return "header";
    case Place::Section::kMetadata:
      path = subject.name.empty() ? absl::StrFormat("metadata[%u]", subject.index)
                                  : EscapeText(subject.name);
      break;
    case Place::Section::kTensor:
      path = subject.name.empty() ? absl::StrFormat("tensor[%u]", subject.index)
                                  : EscapeText(subject.name);
      break;
  }
  if (subject.name.size() == Subject::kLongestText) path += "…";
  if (subject.element != Place::kNoElement) absl::StrAppendFormat(&path, "[%u]", subject.element);
  return path;
}

std::string CauseText(const Cause& cause) {
  return FillIn(InfoOf(cause.kind).happened, [&](std::string_view name, std::string_view format) {
    if (name == "a") return NumberText(cause.a, format);
    if (name == "b") return NumberText(cause.b, format);
    return std::string(cause.other);
  });
}

std::string_view AdviceFor(const Cause& cause) { return InfoOf(cause.kind).advice; }

std::string SentenceFor(const Finding& finding) {
  std::string text = PathFor(finding.subject);
  if (!text.empty()) text += ": ";
  text += MessageFor(finding);
  absl::StrAppendFormat(&text, " (at byte 0x%x)", finding.where.begin);
  if (finding.cause) {
    absl::StrAppendFormat(&text, ": %s; %s", CauseText(finding.cause), AdviceFor(finding.cause));
  }
  return text;
}

// Policies do not suppress findings yet.
std::optional<std::string> SuppressionOf(const Finding& /*finding*/) { return std::nullopt; }

std::vector<Unlisted> UnlistedIn(const Findings& findings) {
  std::vector<Unlisted> unlisted;
  for (const Rule& rule : AllRules()) {
    const auto kept =
        static_cast<std::uint64_t>(std::ranges::count(findings.list, rule.id, &Finding::rule));
    const auto index = static_cast<std::size_t>(rule.id);
    if (index >= findings.totals.size() || findings.totals.at(index) <= kept) continue;
    unlisted.push_back({.rule = rule.slug, .count = findings.totals.at(index) - kept});
  }
  return unlisted;
}

}  // namespace ggufgate
