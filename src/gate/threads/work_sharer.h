#pragma once

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <list>
#include <mutex>

namespace ggufgate {

// WorkSharer lets checking threads help each other. A thread without files takes part in the scan
// of another thread, so that one large file uses all threads.
class WorkSharer {
 public:
  // `judging` threads will each call Help() once, when they have no files left.
  explicit WorkSharer(std::size_t judging) : judging_(judging) {}

  // Run calls `work` in this thread and in all threads that are idle or become idle. It returns
  // when all calls have returned, and rethrows an exception of one of them. `work` returns when
  // there is nothing left to begin.
  void Run(const std::function<void()>& work);

  // Help takes part in the work of other threads. It returns when no thread is checking files.
  void Help();

 private:
  // Task is a call of Run() that other threads may join.
  struct Task {
    const std::function<void()>& work;
    std::size_t helpers = 0;
    bool open = true;  // there may be work left to begin
    std::exception_ptr failure = {};
  };

  [[nodiscard]] Task* OpenTask();

  std::mutex mutex_;
  std::condition_variable moved_;
  std::list<Task*> tasks_;
  std::size_t judging_;
};

// RunnerOf returns a function for CheckHooks::run_together: Run() of a sharer, which must outlive
// it. For a null sharer it returns an empty function.
[[nodiscard]] inline std::function<void(const std::function<void()>& work)> RunnerOf(
    WorkSharer* sharer) {
  if (sharer == nullptr) return {};
  return [sharer](const std::function<void()>& work) { sharer->Run(work); };
}

}  // namespace ggufgate
