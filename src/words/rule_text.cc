#include "words/rule_text.h"

namespace ggufgate {
namespace {

bool IsWord(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

// An underscore inside a word is not markup (GitHub Flavored Markdown, 6.4).
bool IsMarkup(std::string_view text, std::size_t i) {
  const char c = text.at(i);
  if (c == '_') {
    return i == 0 || i + 1 == text.size() || !IsWord(text.at(i - 1)) || !IsWord(text.at(i + 1));
  }
  return std::string_view("*<[]\\").find(c) != std::string_view::npos;
}

std::string LinkTo(std::string_view report) {
  const std::string name(report);
  if (report.starts_with("CVE-")) {
    return "[" + name + "](https://www.cve.org/CVERecord?id=" + name + ")";
  }
  if (report.starts_with("GHSA-")) {
    return "[" + name + "](https://github.com/advisories/" + name + ")";
  }
  return MarkdownText(report);
}

struct Paragraph {
  std::string_view title;
  std::string_view text;
};

// The paragraphs of RuleText and RuleMarkdown.
std::vector<Paragraph> Paragraphs(const Rule& rule) {
  std::vector<Paragraph> all = {
      {"Why", rule.why}, {"Repair", rule.repair}, {"Loaders", rule.loaders}};
  std::erase_if(all, [](const Paragraph& paragraph) { return paragraph.text.empty(); });
  return all;
}

constexpr std::string_view kWeakness = "Weakness";
constexpr std::string_view kReports = "Published reports";

// Rating returns ", memory is corrupted: CVSS score 7.8 of 10 (CVSS:3.1/…)".
std::string Rating(const ConsequenceInfo& info) {
  std::string text = ", ";
  text.append(info.what).append(": CVSS score ").append(info.score).append(" of 10 (");
  return text.append(info.vector).append(")");
}

}  // namespace

std::string CweOf(const Rule& rule) {
  return rule.weakness.any() ? "CWE-" + std::to_string(rule.weakness.cwe) : "";
}

std::string WeaknessText(const Rule& rule) {
  return rule.weakness.any() ? CweOf(rule) + Rating(InfoOf(rule.weakness.consequence)) : "";
}

std::vector<std::string_view> ReportList(const Rule& rule) {
  std::vector<std::string_view> list;
  std::string_view reports = rule.reports;
  while (!reports.empty()) {
    const std::size_t comma = reports.find(", ");
    list.push_back(reports.substr(0, comma));
    reports.remove_prefix(comma == std::string_view::npos ? reports.size() : comma + 2);
  }
  return list;
}

std::string RuleText(const Rule& rule) {
  std::string text;
  const auto add = [&](std::string_view title, std::string_view what) {
    text += text.empty() ? "" : "\n\n";
    text.append(title).append(": ").append(what);
  };
  for (const Paragraph& paragraph : Paragraphs(rule)) add(paragraph.title, paragraph.text);
  if (rule.weakness.any()) add(kWeakness, WeaknessText(rule));
  if (!rule.reports.empty()) add(kReports, rule.reports);
  return text;
}

std::string RuleMarkdown(const Rule& rule) {
  std::string text;
  const auto add = [&](std::string_view title, const std::string& what) {
    text += text.empty() ? "**" : "\n\n**";
    text.append(title).append(":** ").append(what);
  };
  for (const Paragraph& paragraph : Paragraphs(rule)) {
    add(paragraph.title, MarkdownText(paragraph.text));
  }
  if (rule.weakness.any()) {
    add(kWeakness, "[" + CweOf(rule) + "](https://cwe.mitre.org/data/definitions/" +
                       std::to_string(rule.weakness.cwe) + ".html)" +
                       Rating(InfoOf(rule.weakness.consequence)));
  }
  std::string links;
  for (const std::string_view report : ReportList(rule)) {
    links += (links.empty() ? "" : ", ") + LinkTo(report);
  }
  if (!links.empty()) add(kReports, links);
  return text;
}

std::string MarkdownText(std::string_view text) {
  std::string out;
  bool code = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.at(i) == '`') code = !code;
    if (!code && IsMarkup(text, i)) out += '\\';
    out += text.at(i);
  }
  return out;
}

}  // namespace ggufgate
