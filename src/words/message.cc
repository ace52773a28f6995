#include "words/message.h"

#include <algorithm>

#include "format/contracts/contract.h"
#include "words/escape.h"
#include "words/numbers.h"

namespace ggufgate {
namespace {

constexpr std::string_view kCounted = "in ";

// Counted puts a number before a noun, given in plural: "1 tensor", "2,048 tensors".
std::string Counted(std::uint64_t number, std::string_view noun) {
  if (number == 1) noun.remove_suffix(1);
  return Grouped(number).append(" ").append(noun);
}

std::string NumberText(std::uint64_t number, std::string_view format) {
  if (format == "hex") return "0x" + Hex(number, 2);
  if (format == "bytes") return HumanBytes(number);
  if (format == "index") return std::to_string(number);
  if (format.starts_with(kCounted)) return Counted(number, format.substr(kCounted.size()));
  return Grouped(number);
}

std::string TextText(std::string_view text, std::string_view format) {
  if (format == "plain") return EscapeText(text);
  if (format != "hex") return Quoted(text);
  std::string out;
  for (const char c : text) {
    if (!out.empty()) out += ' ';
    out += Hex(static_cast<unsigned char>(c), 2);
  }
  return out;
}

std::string FactText(const Fact& fact, std::string_view format) {
  if (const auto* number = std::get_if<std::uint64_t>(&fact)) return NumberText(*number, format);
  if (const auto* text = std::get_if<std::string>(&fact)) return TextText(*text, format);
  return "";
}

std::string Indexed(std::string_view record, std::uint64_t index) {
  return std::string(record) + "[" + std::to_string(index) + "]";
}

// ReleaseText names the releases whose contracts the file breaks, as the subject of a sentence:
// "llama.cpp v0.5.0/b10361".
std::string ReleaseText(const Finding& finding) {
  if (finding.releases.empty()) return std::string(kContractRelease);
  std::string text;
  std::string_view loader;  // of the release before
  for (const std::string_view release : finding.releases) {
    const std::string_view name = release.substr(0, release.find(' '));
    const bool shared = !text.empty() && name == loader && name.size() < release.size();
    if (!text.empty()) text += '/';
    text += EscapeText(shared ? release.substr(name.size() + 1) : release);
    loader = name;
  }
  return text;
}

// Excess returns observed minus allowed, or nothing if that is negative or not a number.
Fact Excess(const Finding& finding) {
  const auto* observed = std::get_if<std::uint64_t>(&finding.observed);
  const auto* allowed = std::get_if<std::uint64_t>(&finding.allowed);
  if (observed == nullptr || allowed == nullptr || *observed < *allowed) return {};
  return *observed - *allowed;
}

}  // namespace

std::string MessageFor(const Finding& finding) {
  const std::string_view pattern = RuleOf(finding.rule).messages[finding.wording];
  std::string message = FillIn(pattern, [&](std::string_view name, std::string_view format) {
    if (name == "observed") return FactText(finding.observed, format);
    if (name == "allowed") return FactText(finding.allowed, format);
    if (name == "other") return FactText(finding.other, format);
    if (name == "release") return ReleaseText(finding);
    return FactText(Excess(finding), format);
  });
  const bool named = pattern.find("{release}") != std::string_view::npos;
  if (!named && !finding.releases.empty()) message += " (" + ReleaseText(finding) + ")";
  return message;
}

std::string PathFor(const Subject& subject) {
  std::string path;
  switch (subject.section) {
    case Place::Section::kFile:
      return "";
    case Place::Section::kHeader:
      return "header";
    case Place::Section::kMetadata:
      path = subject.name.empty() ? Indexed("metadata", subject.index) : subject.name;
      break;
    case Place::Section::kTensor:
      path = subject.name.empty() ? Indexed("tensor", subject.index) : subject.name;
      break;
  }
  if (subject.name.size() == Subject::kLongestText) path += "…";
  // Escapes everything together: a name that ends with "##" would begin a command with the "["
  // after it.
  return EscapeText(subject.element == Place::kNoElement ? path : Indexed(path, subject.element));
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
  text += " (at byte 0x" + Hex(finding.where.begin) + ")";
  if (finding.cause) {
    text += ": " + CauseText(finding.cause);
    text.append("; ").append(AdviceFor(finding.cause));
  }
  return text;
}

std::optional<std::string> SuppressionOf(const Finding& finding) { return finding.suppression; }

namespace {

// CountOf returns the number of findings of a rule, suppressed or not.
std::uint64_t CountOf(const Findings& findings, const Rule& rule, bool suppressed) {
  const auto at = [&](const std::vector<std::uint64_t>& counts) {
    const auto index = static_cast<std::size_t>(rule.id);
    return index < counts.size() ? counts.at(index) : 0;
  };
  return suppressed ? at(findings.suppressed) : at(findings.totals) - at(findings.suppressed);
}

}  // namespace

std::vector<Unlisted> UnlistedIn(const Findings& findings) {
  std::vector<Unlisted> unlisted;
  for (const Rule& rule : AllRules()) {
    for (const bool suppressed : {false, true}) {
      const auto kept = static_cast<std::uint64_t>(
          std::ranges::count_if(findings.list, [&](const Finding& finding) {
            return finding.rule == rule.id && finding.suppression.has_value() == suppressed;
          }));
      const std::uint64_t count = CountOf(findings, rule, suppressed);
      if (count <= kept) continue;
      unlisted.push_back({.rule = rule.slug, .count = count - kept, .suppressed = suppressed});
    }
  }
  return unlisted;
}

}  // namespace ggufgate
