// Format text: writes FileText to a stream.

#include "report/reporter.h"
#include "report/terminal/file_text.h"
#include "words/escape.h"

namespace ggufgate {
namespace {

class TextReporter final : public Reporter {
 public:
  TextReporter(const ReportStyle& style, std::ostream& out)
      : text_(style, [&out](std::string_view text) { out << text; }) {}

  void Add(const FileReport& report) override {
    const absl::string_view why = report.problem.message();
    text_.Add(report, std::string_view(why.data(), why.size()));
  }

 private:
  FileText text_;
};

}  // namespace

std::unique_ptr<Reporter> MakeTextReporter(const Policy& policy, const ReportStyle& style,
                                           std::ostream& out) {
  if (style.verbose && !policy.source.empty()) {
    out << "policy  " << EscapeText(policy.source) << ", profile "
        << kProfileWords.at(static_cast<std::size_t>(policy.profile)) << '\n';
  }
  return std::make_unique<TextReporter>(style, out);
}

}  // namespace ggufgate
