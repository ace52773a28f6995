#include "api/c/judging.h"

#include <exception>
#include <utility>

#include "gate/judge_source.h"
#include "gate/threads/thread_team.h"
#include "gate/threads/work_sharer.h"

namespace ggufgate::api {

FileReport UndecidedReport(const Wanted& wanted, absl::Status why) {
  FileReport report;
  report.path = wanted.name;
  report.data = wanted.judge.policy.data;
  report.problem = std::move(why);
  return report;
}

FileReport JudgeTogether(const Wanted& wanted,
                         const std::function<FileReport(const JudgeOptions& options)>& judge) {
  // If only headers are read, additional threads have no work.
  if (wanted.jobs <= 1 || wanted.judge.policy.data == DataScan::kNone) return judge(wanted.judge);
  ThreadTeam team(wanted.jobs);
  WorkSharer sharer(team.size());
  JudgeOptions options = wanted.judge;
  options.sharer = &sharer;
  FileReport report;
  std::exception_ptr failure;
  team.Run([&](std::size_t worker) {
    if (worker == 0) {
      try {
        report = judge(options);
      } catch (...) {
        failure = std::current_exception();
      }
    }
    sharer.Help();
  });
  if (failure) std::rethrow_exception(failure);
  return report;
}

FileReport JudgeTogether(const ByteSource& source, const Wanted& wanted) {
  return JudgeTogether(wanted, [&](const JudgeOptions& options) {
    return JudgeSource(source, wanted.name, options);
  });
}

FileReport JudgeOpened(const Input& input, const ByteSource& source, const Wanted& wanted) {
  FileReport report = JudgeTogether(source, wanted);
  report.identity = input.identity();
  // The bytes read may be a mixture of two files, so no finding counts.
  if (absl::Status unchanged = input.Unchanged(); !unchanged.ok()) {
    report.verdict = Verdict::kUndecided;
    report.problem = std::move(unchanged);
  }
  return report;
}

}  // namespace ggufgate::api
