#include "report/pages/file_line.h"

#include "absl/strings/str_cat.h"
#include "words/escape.h"
#include "words/numbers.h"

namespace ggufgate {
namespace {

std::string SummaryText(const Summary& summary, std::uint64_t bytes) {
  std::string text =
      summary.architecture.empty() ? "no architecture" : EscapeText(summary.architecture);
  if (summary.tensors == 0) {
    absl::StrAppend(&text, ", no tensors");
  } else {
    absl::StrAppend(&text, summary.architecture.empty() ? ", " : " ",
                    HumanCount(summary.parameters));
    absl::StrAppend(&text, ", ", summary.main_type, summary.mixed_types ? " mostly" : "");
    absl::StrAppend(&text, ", ", Grouped(summary.tensors),
                    summary.tensors == 1 ? " tensor" : " tensors");
  }
  return absl::StrCat(text, ", ", HumanBytes(bytes));
}

std::string DataText(const FileReport& report) {
  if (report.came) return absl::StrCat(", by its first ", HumanBytes(*report.came));
  if (report.summary.tensors == 0) return "";
  if (report.data == DataScan::kNone) return ", header only";
  return absl::StrCat(", data: ",
                      std::string(kDataScanWords.at(static_cast<std::size_t>(report.data))));
}

std::string FetchedText(const FileReport& report) {
  if (!report.remote) return "";
  return absl::StrCat(", fetched ", HumanBytes(report.remote->fetched), " in ",
                      Grouped(report.remote->requests),
                      report.remote->requests == 1 ? " request" : " requests");
}

}  // namespace

std::string FileLine(const FileReport& report) {
  return SummaryText(report.summary, report.identity.size) + DataText(report) + FetchedText(report);
}

}  // namespace ggufgate
