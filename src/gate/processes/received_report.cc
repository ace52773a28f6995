#include "gate/processes/received_report.h"

#include <utility>

#include "gate/processes/report_wire.h"
#include "gate/processes/second_opinion.h"

namespace ggufgate {

FileReport UndecidedFile(const std::string& path, absl::Status why) {
  FileReport report;
  report.path = path;
  report.problem = std::move(why);
  return report;
}

FileReport ReceiveReport(const std::string& path, const Frame& frame, const Policy& policy) {
  if (frame.kind == FrameKind::kLoss) {
    return UndecidedFile(path, absl::AbortedError(std::string(AsText(frame.bytes))));
  }
  std::optional<FileReport> report = ReadReport(frame.bytes, policy);
  if (!report) {
    return UndecidedFile(
        path, absl::InternalError(
                  "the worker process sent an invalid report: a bug of ggufgate or an attack"));
  }
  report->path = path;
  return *std::move(report);
}

FileReport WithOpinion(FileReport report, const std::optional<Frame>& frame, const Policy& policy) {
  if (report.verdict != Verdict::kAccept) return report;
  const std::string lost = "there is no result of the second reader: ";
  if (!frame) return UndecidedFile(report.path, absl::AbortedError(lost + "no message arrived"));
  if (frame->kind == FrameKind::kLoss) {
    return UndecidedFile(report.path, absl::AbortedError(lost + std::string(AsText(frame->bytes))));
  }
  const std::optional<Opinion> opinion = ReadOpinion(frame->bytes);
  if (!opinion)
    return UndecidedFile(report.path, absl::InternalError(lost + "the message is invalid"));
  absl::Status contradiction = Contradiction(report, *opinion, policy);
  return contradiction.ok() ? std::move(report)
                            : UndecidedFile(report.path, std::move(contradiction));
}

}  // namespace ggufgate
