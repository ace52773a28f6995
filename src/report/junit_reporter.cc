// Format junit: JUnit XML, as Jenkins reads it and GitLab shows it. A file is a test case; a
// rejected one is a failure, an undecided one an error. Source: the schema of the Jenkins plug-in,
// jenkins-junit.xsd; scripts/fetch-reference fetches it.

#include <chrono>
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

// LineFor is what format text says of a finding, on one line.
std::string LineFor(const Finding& finding) {
  return absl::StrFormat("%s[%s] %s\n", WordFor(finding.severity), RuleOf(finding.rule).slug,
                         SentenceFor(finding));
}

class JunitReporter final : public Reporter {
 public:
  JunitReporter(const Policy& policy, std::ostream& out) : policy_(policy), out_(out) {}

  void Add(const FileReport& report) override {
    ++tests_;
    elapsed_ += report.elapsed;
    cases_ += absl::StrFormat("    <testcase name=\"%s\" classname=\"ggufgate\" time=\"%s\">\n",
                              XmlText(EscapeText(report.path)), Seconds(report.elapsed));
    if (report.verdict == Verdict::kUndecided) {
      ++errors_;
      Element("error", "undecided", EscapeText(std::string(report.problem.message())), "");
    } else {
      AddFindings(report);
    }
    cases_ += "    </testcase>\n";
  }

  // The numbers stand before the cases, so the cases wait here; what reads JUnit holds all of it in
  // memory as well.
  void Finish() override {
    const std::string numbers =
        absl::StrFormat("tests=\"%u\" failures=\"%u\" errors=\"%u\" time=\"%s\"", tests_, failures_,
                        errors_, Seconds(elapsed_));
    out_ << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
         << "<testsuites name=\"ggufgate\" " << numbers << ">\n"
         << "  <testsuite name=\"ggufgate\" " << numbers << ">\n"
         << "    <properties>\n"
         << "      <property name=\"version\" value=\"" << GGUFGATE_VERSION << "\"/>\n"
         << "      <property name=\"profile\" value=\""
         << kProfileWords.at(static_cast<std::size_t>(policy_.profile)) << "\"/>\n"
         << "    </properties>\n"
         << cases_ << "  </testsuite>\n</testsuites>\n";
  }

 private:
  void AddFindings(const FileReport& report) {
    std::string breaches;  // what rejects
    std::string remarks;   // what does not
    for (const Finding& finding : report.findings.list) {
      const std::optional<std::string> suppressed = SuppressionOf(finding);
      if (Rejects(finding.severity, policy_) && !suppressed) {
        breaches += LineFor(finding);
      } else {
        remarks += suppressed ? "suppressed, " + EscapeText(*suppressed) + ": " : "";
        remarks += LineFor(finding);
      }
    }
    for (const Unlisted& unlisted : UnlistedIn(report.findings)) {
      remarks += absl::StrFormat("and %s more of %s\n", Grouped(unlisted.count), unlisted.rule);
    }
    if (report.verdict == Verdict::kReject) {
      ++failures_;
      Element("failure", "reject", breaches.substr(0, breaches.find('\n')), breaches);
    }
    if (!remarks.empty()) cases_ += "      <system-out>" + XmlText(remarks) + "</system-out>\n";
  }

  void Element(std::string_view name, std::string_view type, std::string_view message,
               std::string_view text) {
    cases_ += absl::StrFormat("      <%s type=\"%s\" message=\"%s\">%s</%s>\n", name, type,
                              XmlText(message), XmlText(text), name);
  }

  Policy policy_;
  std::ostream& out_;
  std::string cases_;
  std::uint64_t tests_ = 0;
  std::uint64_t failures_ = 0;
  std::uint64_t errors_ = 0;
  std::chrono::nanoseconds elapsed_{};
};

}  // namespace

std::unique_ptr<Reporter> MakeJunitReporter(const Policy& policy, const ReportStyle& /*style*/,
                                            std::ostream& out) {
  return std::make_unique<JunitReporter>(policy, out);
}

}  // namespace ggufgate
