// Format html: one page for many files. Each file is written as it comes. The counts, which are
// known only at the end, are written last; the style sheet and script move them to the front.
// Without scripts only the filters are missing.

#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "format/contracts/contract_table.h"
#include "report/loaders/outcomes.h"
#include "report/pages/file_line.h"
#include "report/pages/page.h"
#include "report/pages/rule_counts.h"
#include "report/reporter.h"
#include "words/escape.h"
#include "words/message.h"
#include "words/numbers.h"

namespace ggufgate {
namespace {

std::string FactText(const Fact& fact) {
  if (const auto* number = std::get_if<std::uint64_t>(&fact)) return Grouped(*number);
  if (const auto* text = std::get_if<std::string>(&fact)) return Quoted(*text);
  return "";
}

// Element returns <tag class="…">text</tag>, or nothing without text.
std::string Element(std::string_view tag, std::string_view style, std::string_view text) {
  if (text.empty()) return "";
  return absl::StrFormat("<%s class=\"%s\">%s</%s>", tag, style, HtmlText(text), tag);
}

// CodeMarked converts text of the catalogue, where `backquotes` mark code.
std::string CodeMarked(std::string_view text) {
  std::string out;
  bool code = false;
  while (true) {
    const std::size_t mark = text.find('`');
    out += HtmlText(text.substr(0, mark));
    if (mark == std::string_view::npos) return out + (code ? "</code>" : "");
    out += code ? "</code>" : "<code>";
    code = !code;
    text.remove_prefix(mark + 1);
  }
}

// FirstSentence shortens the description of a rule. `ggufgate explain` has the rest, which would
// hide the list of files.
std::string_view FirstSentence(std::string_view text) {
  const std::size_t end = text.find(". ");
  return end == std::string_view::npos ? text : text.substr(0, end + 1);
}

// Indexed by Verdict.
constexpr std::array<std::string_view, 3> kClasses = {"good", "bad", "doubt"};
static_assert(static_cast<int>(Verdict::kAccept) == 0 && static_cast<int>(Verdict::kReject) == 1);

std::string_view ClassOf(Verdict verdict) { return kClasses.at(static_cast<std::size_t>(verdict)); }

class HtmlReporter final : public Reporter {
 public:
  HtmlReporter(const Policy& policy, const ReportStyle& style, std::ostream& out)
      : policy_(policy), style_(style), out_(out) {
    BeginPage("ggufgate check", kCheckStyle, kCheckScript, out);
    out_ << "<main>\n<header><h1>ggufgate check</h1>\n<p class=\"lead\">" << RunText(policy)
         << "</p></header>\n<section id=\"files\" aria-label=\"Files\">\n";
  }

  void Add(const FileReport& report) override {
    counts_.Add(report);
    const bool plain = report.verdict == Verdict::kAccept && report.findings.list.empty() &&
                       policy_.loaders.empty();
    if (style_.quiet && report.verdict == Verdict::kAccept) return;
    out_ << (plain ? "<div" : "<details open") << " class=\"file\" data-verdict=\""
         << WordFor(report.verdict) << "\">" << (plain ? "<div class=\"line\">" : "<summary>")
         << Element("strong", ClassOf(report.verdict), WordFor(report.verdict)) << ' '
         << Element("code", "path", EscapeText(report.path)) << ' '
         << Element("span", "about", AboutText(report)) << (plain ? "</div>" : "</summary>\n");
    if (!plain) {
      AddOutcomes(report);
      AddFindings(report);
    }
    out_ << (plain ? "</div>\n" : "</details>\n");
  }

  void Finish() override {
    out_ << "</section>\n<section id=\"summary\" aria-label=\"Summary\">\n<ul class=\"tiles\">";
    for (const Verdict verdict : {Verdict::kAccept, Verdict::kReject, Verdict::kUndecided}) {
      out_ << "<li class=\"" << ClassOf(verdict) << "\"><b>" << Grouped(counts_.files(verdict))
           << "</b> " << WordFor(verdict) << "</li>";
    }
    out_ << "</ul>\n";
    AddRules();
    out_ << "</section>\n<footer>ggufgate " << GGUFGATE_VERSION << "</footer>\n</main>\n";
    EndPage(kCheckScript, out_);
  }

 private:
  std::string RunText(const Policy& policy) const {
    std::string text = absl::StrCat(
        "profile ", std::string(kProfileWords.at(static_cast<std::size_t>(policy.profile))));
    if (!policy.source.empty()) absl::StrAppend(&text, ", policy ", EscapeText(policy.source));
    absl::StrAppend(&text, ", tensor data: ",
                    std::string(kDataScanWords.at(static_cast<std::size_t>(policy.data))));
    std::string_view separator = ", loaders: ";
    for (const auto& loader : policy.loaders) {
      absl::StrAppend(&text, std::string(std::exchange(separator, ", ")),
                      EscapeText(loader->release()));
      if (!loader->IsCompiledIn()) absl::StrAppend(&text, " (SHA-256 ", loader->sha256(), ")");
    }
    if (style_.run) absl::StrAppend(&text, ", ", style_.run->time);
    return HtmlText(text);
  }

  static std::string AboutText(const FileReport& report) {
    if (report.verdict == Verdict::kUndecided) {
      return EscapeText(std::string(report.problem.message()));
    }
    std::string text = FileLine(report);
    if (report.sha256) absl::StrAppend(&text, ", SHA-256 ", *report.sha256);
    return text;
  }

  void AddOutcomes(const FileReport& report) {
    if (report.verdict == Verdict::kUndecided || policy_.loaders.empty()) return;
    out_ << "<ul class=\"loaders\">\n";
    for (const OutcomeInLoader& one : OutcomesIn(report.findings, report.verdict, policy_)) {
      const bool runs = one.outcome == LoaderOutcome::kRuns;
      out_ << "<li>" << HtmlText(EscapeText(one.release)) << ' '
           << Element("strong", runs ? "good" : "bad", WordFor(one.outcome));
      if (one.reason != nullptr) {
        out_ << ' ' << Element("code", "rule", RuleOf(one.reason->rule).slug) << ' '
             << Element("span", "message", OutcomeReason(one));
      }
      out_ << "</li>\n";
    }
    out_ << "</ul>\n";
  }

  void AddFindings(const FileReport& report) {
    if (report.verdict == Verdict::kUndecided || report.findings.list.empty()) return;
    out_ << "<ol class=\"findings\">\n";
    for (const Finding& finding : report.findings.list) AddFinding(finding);
    for (const Unlisted& unlisted : UnlistedIn(report.findings)) {
      out_ << "<li class=\"more\">… and " << Grouped(unlisted.count) << " more of "
           << HtmlText(unlisted.rule) << (unlisted.suppressed ? ", suppressed" : "") << "</li>\n";
    }
    out_ << "</ol>\n";
  }

  void AddFinding(const Finding& finding) {
    const std::string_view severity = WordFor(finding.severity);
    const std::string_view rule = RuleOf(finding.rule).slug;
    out_ << "<li class=\"finding s-" << severity << (finding.suppression ? " suppressed" : "")
         << "\" data-severity=\"" << severity << "\" data-rule=\"" << rule << "\"><p>"
         << Element("code", "offset", absl::StrFormat("0x%x", finding.where.begin)) << " <b>"
         << severity << "</b> " << Element("code", "rule", rule) << ' '
         << Element("code", "subject", PathFor(finding.subject)) << ' '
         << Element("span", "message", MessageFor(finding)) << "</p>";
    AddFacts(finding);
    if (finding.cause) {
      out_ << Element("p", "cause",
                      CauseText(finding.cause) + "; " + std::string(AdviceFor(finding.cause)));
    }
    if (const auto reason = SuppressionOf(finding)) {
      out_ << Element("p", "reason", "suppressed: " + EscapeText(*reason));
    }
    out_ << "</li>\n";
  }

  void AddFacts(const Finding& finding) {
    const std::string found = FactText(finding.observed);
    const std::string allowed = FactText(finding.allowed);
    if (found.empty() && allowed.empty()) return;
    out_ << "<p class=\"facts\">";
    if (!found.empty()) out_ << "found " << HtmlText(found);
    if (!allowed.empty()) out_ << (found.empty() ? "" : ", ") << "allowed " << HtmlText(allowed);
    out_ << "</p>";
  }

  void AddRules() {
    const std::vector<RuleCounts::Row> rows = counts_.Rows();
    if (rows.empty()) return;
    out_ << "<table><caption>Findings by rule</caption><thead><tr><th scope=\"col\">rule</th>"
            "<th scope=\"col\">severity</th><th scope=\"col\">findings</th><th "
            "scope=\"col\">files</th><th scope=\"col\">meaning</th></tr></thead><tbody>\n";
    for (const RuleCounts::Row& row : rows) {
      const Rule& rule = RuleOf(row.rule);
      out_ << "<tr data-rule=\"" << rule.slug << "\"><th scope=\"row\">"
           << Element("code", "rule", rule.slug) << "</th><td>"
           << (row.findings > 0 ? WordFor(row.severity) : "suppressed") << "</td><td>"
           << Grouped(row.findings);
      if (row.suppressed > 0) out_ << " (and " << Grouped(row.suppressed) << " suppressed)";
      out_ << "</td><td>" << Grouped(row.files) << "</td><td>"
           << CodeMarked(FirstSentence(rule.what)) << "</td></tr>\n";
    }
    out_ << "</tbody></table>\n";
  }

  Policy policy_;
  ReportStyle style_;
  std::ostream& out_;
  RuleCounts counts_;
};

}  // namespace

std::unique_ptr<Reporter> MakeHtmlReporter(const Policy& policy, const ReportStyle& style,
                                           std::ostream& out) {
  return std::make_unique<HtmlReporter>(policy, style, out);
}

}  // namespace ggufgate
