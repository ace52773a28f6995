#include "gate/judge_all.h"

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <utility>

#include "absl/status/status.h"
#include "gate/judge.h"
#include "gate/threads/thread_team.h"
#include "gate/threads/work_sharer.h"

namespace ggufgate {
namespace {

// ReorderBuffer is a queue of fixed length. Workers fill its places in any order; the front is
// delivered in order.
class ReorderBuffer {
 public:
  ReorderBuffer(const std::vector<std::string>& paths, const FileJudge& judge,
                const JudgeOptions& options, std::size_t length,
                const std::function<void(FileReport)>& take)
      : paths_(paths), judge_(judge), options_(options), places_(length), take_(take) {}

  // Work checks files until none is left, or until one worker has failed, because the report of
  // that worker would never come.
  void Work() {
    try {
      while (const std::optional<std::size_t> index = Claim()) {
        FileReport report = Judge(*index);
        Deliver(*index, std::move(report));
      }
    } catch (...) {
      const std::scoped_lock lock(mutex_);
      failure_ = std::current_exception();
      next_ = paths_.size();
      moved_.notify_all();
    }
  }

  // RethrowFailure rethrows the exception of a worker. It is called after all workers have ended.
  void RethrowFailure() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  // Judge gives the same verdict as a single thread. If a file runs out of memory while others are
  // checked, it is checked again alone. This is impossible for a pipe, because its bytes have been
  // read.
  FileReport Judge(std::size_t index) {
    {
      const std::shared_lock beside_others(alone_);
      FileReport report = judge_(index, options_);
      if (!absl::IsResourceExhausted(report.problem) || paths_.at(index) == "-") return report;
    }
    const std::scoped_lock alone(alone_);
    JudgeOptions options = options_;
    options.sharer = nullptr;
    options.on_progress = nullptr;  // already reported
    return judge_(index, options);
  }

  // Claim returns the next file, once there is a place for its report.
  std::optional<std::size_t> Claim() {
    std::unique_lock lock(mutex_);
    moved_.wait(lock,
                [&] { return next_ == paths_.size() || next_ < handed_over_ + places_.size(); });
    if (next_ == paths_.size()) return std::nullopt;
    return next_++;
  }

  void Deliver(std::size_t index, FileReport report) {
    const std::scoped_lock lock(mutex_);
    places_.at(index % places_.size()) = std::move(report);
    while (std::optional<FileReport>& front = places_.at(handed_over_ % places_.size())) {
      FileReport next = *std::move(front);
      front.reset();
      ++handed_over_;
      take_(std::move(next));
    }
    moved_.notify_all();
  }

  const std::vector<std::string>& paths_;
  const FileJudge& judge_;
  const JudgeOptions& options_;
  std::shared_mutex alone_;
  std::mutex mutex_;  // guards the members below
  std::condition_variable moved_;
  std::vector<std::optional<FileReport>> places_;
  std::size_t next_ = 0;
  std::size_t handed_over_ = 0;
  const std::function<void(FileReport)>& take_;
  std::exception_ptr failure_;
};

}  // namespace

void JudgeAll(const std::vector<std::string>& paths, const JudgeOptions& options, unsigned jobs,
              const std::function<void(FileReport)>& take) {
  const FileJudge judge = [&paths](std::size_t index, const JudgeOptions& by) {
    return JudgePath(paths.at(index), by);
  };
  JudgeAll(paths, judge, options, jobs, take);
}

void JudgeAll(const std::vector<std::string>& paths, const FileJudge& judge,
              const JudgeOptions& options, unsigned jobs,
              const std::function<void(FileReport)>& take) {
  // If only headers are read, threads beyond the number of files have no work.
  const bool shared = options.policy.data != DataScan::kNone;
  const std::size_t most = shared ? jobs : std::min<std::size_t>(jobs, paths.size());
  ThreadTeam team(most);
  WorkSharer sharer(team.size());
  JudgeOptions with_sharer = options;
  with_sharer.sharer = shared ? &sharer : nullptr;
  ReorderBuffer buffer(paths, judge, with_sharer, 2 * team.size(), take);
  team.Run([&](std::size_t /*worker*/) {
    buffer.Work();
    if (shared) sharer.Help();
  });
  buffer.RethrowFailure();
}

}  // namespace ggufgate
