#include "report/sarif_value.h"

#include <nlohmann/json.hpp>

#include "absl/strings/str_format.h"
#include "bytes/memory_source.h"
#include "gate/reading/digest.h"
#include "report/json_value.h"
#include "words/escape.h"
#include "words/message.h"
#include "words/rule_text.h"

namespace ggufgate {
namespace {

using Json = nlohmann::ordered_json;

// LevelFor returns a word of 3.27.10. The severities have the same words, except for "off".
std::string_view LevelFor(Severity severity) {
  return severity == Severity::kOff ? "none" : WordFor(severity);
}

// ProblemFor returns the value by which GitHub sorts alerts (property problem.severity).
std::string_view ProblemFor(Severity severity) {
  return severity >= Severity::kWarning ? WordFor(severity) : "recommendation";
}

// NameOf converts a slug to PascalCase (3.49.7): TensorDataBounds.
std::string NameOf(std::string_view slug) {
  std::string name;
  bool capital = true;
  for (const char c : slug) {
    if (c != '-') name += capital && c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    capital = c == '-';
  }
  return name;
}

// Literal doubles braces, which otherwise enclose the number of an argument (3.11.5).
std::string Literal(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '{' || c == '}') out += c;
    out += c;
  }
  return out;
}

// TagsOf returns two tags: GitHub classifies a rule as a security rule by one, and by its CWE by
// the other. Source: "SARIF support for code scanning" in GitHub's documentation, and the tags of
// github/codeql.
Json TagsOf(const Rule& rule) {
  Json tags = Json::array();
  if (rule.weakness.any()) {
    tags.push_back("security");
    tags.push_back(absl::StrFormat("external/cwe/cwe-%03u", rule.weakness.cwe));
  }
  tags.push_back("gguf");
  tags.push_back(WordFor(rule.family));
  for (const std::string_view report : ReportList(rule)) {
    if (report.starts_with("CVE-") || report.starts_with("GHSA-")) tags.push_back(report);
  }
  return tags;
}

// PrecisionOf returns how often a finding is relevant. An error is a fact about bytes; a warning
// may also occur in valid files.
std::string_view PrecisionOf(Severity severity) {
  return severity == Severity::kError     ? "very-high"
         : severity == Severity::kWarning ? "high"
                                          : "medium";
}

// PropertiesOf returns the properties by which GitHub sorts and filters alerts.
Json PropertiesOf(const Rule& rule, Severity severity) {
  Json properties = {{"tags", TagsOf(rule)},
                     {"precision", PrecisionOf(severity)},
                     {"problem.severity", ProblemFor(severity)}};
  if (rule.weakness.any()) {
    properties["security-severity"] = InfoOf(rule.weakness.consequence).score;
  }
  return properties;
}

Json ArtifactLocation(std::string_view path, std::size_t artifact) {
  return {{"uri", UriOf(path)}, {"index", artifact}};
}

// GitHub shows an alert only if it has a line, but a model has no lines, so the line is 1. Byte and
// line regions are independent (3.30.4), so the line does not contradict the bytes.
Json RegionOf(const Finding& finding) {
  return {
      {"startLine", 1}, {"byteOffset", finding.where.begin}, {"byteLength", finding.where.size}};
}

// FactsOf returns the values of a finding for programs; the message is for people.
Json FactsOf(const Finding& finding) {
  Json facts = {{"observed", JsonOf(finding.observed)}, {"allowed", JsonOf(finding.allowed)}};
  if (finding.cause) facts["cause"] = InfoOf(finding.cause.kind).slug;
  for (const std::string& release : finding.releases) facts["loaders"] += EscapeText(release);
  return facts;
}

}  // namespace

std::string UriOf(std::string_view path) {
  std::string uri = path.starts_with('/') ? "file://" : "";
  for (const char c : path) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       std::string_view("-._~/").find(c) != std::string_view::npos;
    if (plain) {
      uri += c;
    } else {
      absl::StrAppendFormat(&uri, "%%%02X", static_cast<unsigned char>(c));
    }
  }
  return uri;
}

std::string RuleUri(std::string_view slug, std::string_view base) {
  if (base.empty()) return "";
  return absl::StrFormat("%s/docs/rules.md#%s", base, slug);
}

std::string_view ProjectUrl() { return GGUFGATE_PROJECT_URL; }

Json SarifRule(const Rule& rule, Profile profile, std::string_view base) {
  const Severity severity = rule.SeverityIn(profile);
  const std::string full = std::string(rule.what) + " " + std::string(rule.why);
  const std::string more = absl::StrFormat("ggufgate explain %s", rule.slug);
  Json json = {{"id", rule.slug},
               {"name", NameOf(rule.slug)},
               {"shortDescription", SarifMessage(rule.what)},
               {"fullDescription", SarifMessage(full)},
               {"help",
                {{"text", SarifMessage(RuleText(rule) + "\n\nMore: " + more).at("text")},
                 {"markdown", Literal(RuleMarkdown(rule)) + "\n\n**More:** `" + more + "`"}}},
               {"defaultConfiguration",
                {{"enabled", severity != Severity::kOff}, {"level", LevelFor(severity)}}},
               {"properties", PropertiesOf(rule, severity)}};
  if (std::string uri = RuleUri(rule.slug, base); !uri.empty()) json["helpUri"] = std::move(uri);
  return json;
}

Json SarifMessage(std::string_view text) {
  std::string out = Literal(text);
  for (std::size_t at = out.find("]("); at != std::string::npos; at = out.find("](", at)) {
    out.insert(at + 1, 1, ' ');
  }
  return {{"text", out}};
}

Json SarifArtifact(const FileReport& report) {
  Json location = {{"uri", UriOf(report.path)}};
  if (report.path == "-") location["description"] = {{"text", "standard input"}};
  Json properties = {{"verdict", WordFor(report.verdict)}};
  for (const Unlisted& unlisted : UnlistedIn(report.findings)) {
    properties[unlisted.suppressed ? "unlistedSuppressed" : "unlisted"]
              [std::string(unlisted.rule)] = unlisted.count;
  }
  Json artifact = {{"location", std::move(location)}, {"roles", Json::array({"analysisTarget"})}};
  if (report.verdict != Verdict::kUndecided) artifact["length"] = report.identity.size;
  if (report.sha256) artifact["hashes"] = {{"sha-256", *report.sha256}};
  artifact["properties"] = std::move(properties);
  return artifact;
}

Json SarifLocation(std::string_view path, std::size_t artifact) {
  return {{"physicalLocation", {{"artifactLocation", ArtifactLocation(path, artifact)}}}};
}

std::string Fingerprint(std::string_view key, std::uint64_t ordinal) {
  const std::string all = absl::StrFormat("%s\n%u", key, ordinal);
  return Sha256Of(MemorySource(AsBytes(all))).value();
}

std::string RecordKey(const Finding& finding) {
  const Subject& subject = finding.subject;
  const std::string record =
      subject.name.empty() ? absl::StrFormat("#%u", subject.index) : subject.name;
  return absl::StrFormat("%s\n%u\n%s\n%u", RuleOf(finding.rule).slug,
                         static_cast<unsigned>(subject.section), record, subject.element);
}

Json SarifResult(const Finding& finding, std::string_view path, std::size_t artifact,
                 std::uint64_t ordinal) {
  Json location = SarifLocation(path, artifact);
  location.at("physicalLocation")["region"] = RegionOf(finding);
  if (const std::string record = PathFor(finding.subject); !record.empty()) {
    location["logicalLocations"] = Json::array({{{"fullyQualifiedName", record}}});
  }
  Json result = {{"ruleId", RuleOf(finding.rule).slug},
                 {"ruleIndex", static_cast<std::size_t>(finding.rule)},
                 {"level", LevelFor(finding.severity)},
                 {"message", SarifMessage(SentenceFor(finding))},
                 {"locations", Json::array({std::move(location)})}};
  // GitHub identifies alerts by the second name. Without it, GitHub would hash the first line of
  // the file, and treat all findings of a rule in a file as one.
  const std::string fingerprint = Fingerprint(RecordKey(finding), ordinal);
  result["partialFingerprints"] = {{"ggufgateRecord/v1", fingerprint},
                                   {"primaryLocationLineHash", fingerprint}};
  if (const std::optional<std::string> reason = SuppressionOf(finding)) {
    result["suppressions"] = Json::array(
        {{{"kind", "external"}, {"status", "accepted"}, {"justification", EscapeText(*reason)}}});
  }
  result["properties"] = FactsOf(finding);
  return result;
}

}  // namespace ggufgate
