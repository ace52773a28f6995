// Format junit: JUnit XML for Jenkins and GitLab. A file is a test case. A rejected file is a
// failure, an undecided one an error. Source: the schema of the Jenkins plug-in, jenkins-junit.xsd;
// scripts/fetch-reference fetches it.

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "absl/strings/str_format.h"
#include "check/verdict.h"
#include "report/reporter.h"
#include "report/xml_text.h"
#include "words/escape.h"
#include "words/message.h"
#include "words/numbers.h"

namespace ggufgate {
namespace {

std::string Seconds(std::chrono::nanoseconds time) {
  return absl::StrFormat("%.6f", std::chrono::duration<double>(time).count());
}

// LineFor returns a finding in the text format, on one line.
std::string LineFor(const Finding& finding) {
  return absl::StrFormat("%s[%s] %s\n", WordFor(finding.severity), RuleOf(finding.rule).slug,
                         SentenceFor(finding));
}

// Every file is a separate suite of one case, because a suite begins with its counts, and the total
// counts are known only at the end. So each file can be written before the next is checked.
class JunitReporter final : public Reporter {
 public:
  JunitReporter(const Policy& policy, std::ostream& out) : policy_(policy), out_(out) {
    out_ << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"ggufgate\">\n";
  }

  void Add(const FileReport& report) override {
    const bool rejected = report.verdict == Verdict::kReject;
    const bool undecided = report.verdict == Verdict::kUndecided;
    const std::string name = XmlText(EscapeText(report.path));
    const std::string time = Seconds(report.elapsed);
    out_ << absl::StrFormat(
        "  <testsuite name=\"%s\" tests=\"1\" failures=\"%d\" errors=\"%d\" time=\"%s\">\n", name,
        rejected ? 1 : 0, undecided ? 1 : 0, time);
    out_ << "    <properties>\n"
         << "      <property name=\"version\" value=\"" << GGUFGATE_VERSION << "\"/>\n"
         << "      <property name=\"profile\" value=\""
         << kProfileWords.at(static_cast<std::size_t>(policy_.profile)) << "\"/>\n"
         << "    </properties>\n";
    out_ << absl::StrFormat("    <testcase name=\"%s\" classname=\"ggufgate\" time=\"%s\">\n", name,
                            time);
    if (undecided) {
      Begin("error", "undecided", EscapeText(std::string(report.problem.message())));
      out_ << "</error>\n";
    } else {
      if (rejected) AddBreaches(report.findings);
      AddRemarks(report.findings);
    }
    out_ << "    </testcase>\n  </testsuite>\n" << std::flush;
  }

  void Finish() override { out_ << "</testsuites>\n"; }

 private:
  [[nodiscard]] bool IsBreach(const Finding& finding) const {
    return Rejects(finding.severity, policy_) && !SuppressionOf(finding);
  }

  void Begin(std::string_view name, std::string_view type, std::string_view message) {
    out_ << absl::StrFormat("      <%s type=\"%s\" message=\"%s\">", name, type, XmlText(message));
  }

  // AddBreaches writes the findings that reject. The first one is also the message.
  void AddBreaches(const Findings& findings) {
    const auto is_breach = [this](const Finding& finding) { return IsBreach(finding); };
    const auto first = std::ranges::find_if(findings.list, is_breach);
    std::string message = first != findings.list.end() ? LineFor(*first) : "";
    if (!message.empty()) message.pop_back();  // the line feed
    Begin("failure", "reject", message);
    for (const Finding& finding : findings.list) {
      if (IsBreach(finding)) out_ << XmlText(LineFor(finding));
    }
    out_ << "</failure>\n";
  }

  // AddRemarks writes the findings that do not reject.
  void AddRemarks(const Findings& findings) {
    bool any = false;
    const auto add = [&](const std::string& line) {
      if (!any) out_ << "      <system-out>";
      any = true;
      out_ << XmlText(line);
    };
    for (const Finding& finding : findings.list) {
      if (IsBreach(finding)) continue;
      const std::optional<std::string> suppressed = SuppressionOf(finding);
      add((suppressed ? "suppressed, " + EscapeText(*suppressed) + ": " : "") + LineFor(finding));
    }
    for (const Unlisted& unlisted : UnlistedIn(findings)) {
      add(absl::StrFormat("and %s more of %s\n", Grouped(unlisted.count), unlisted.rule));
    }
    if (any) out_ << "</system-out>\n";
  }

  Policy policy_;
  std::ostream& out_;
};

}  // namespace

std::unique_ptr<Reporter> MakeJunitReporter(const Policy& policy, const ReportStyle& /*style*/,
                                            std::ostream& out) {
  return std::make_unique<JunitReporter>(policy, out);
}

}  // namespace ggufgate
