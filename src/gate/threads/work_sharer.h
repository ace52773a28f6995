#pragma once

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <list>
#include <mutex>

namespace ggufgate {

// WorkSharer lets threads that judge files help each other: who has no file left takes part in the
// scan of another's, so that one large file keeps all threads busy.
class WorkSharer {
 public:
  // `judging` threads will each call Help() once, when they have no file left.
  explicit WorkSharer(std::size_t judging) : judging_(judging) {}

  // Run does `work` on this thread and on all that are free or become so. Returns when all have
  // left it, and throws what one of them threw. `work` returns when nothing is left to begin.
  void Run(const std::function<void()>& work);

  // Help takes part in what others run, and returns when no thread is judging any more.
  void Help();

 private:
  // Task is a Run() that others may join.
  struct Task {
    const std::function<void()>& work;
    std::size_t helpers = 0;
    bool open = true;  // there may be something left to begin
    std::exception_ptr failure = {};
  };

  [[nodiscard]] Task* OpenTask();

  std::mutex mutex_;
  std::condition_variable moved_;
  std::list<Task*> tasks_;
  std::size_t judging_;
};

// RunnerOf is what CheckHooks::run_together takes: Run() of a sharer, which outlives it; nothing of
// none.
[[nodiscard]] inline std::function<void(const std::function<void()>& work)> RunnerOf(
    WorkSharer* sharer) {
  if (sharer == nullptr) return {};
  return [sharer](const std::function<void()>& work) { sharer->Run(work); };
}

}  // namespace ggufgate
