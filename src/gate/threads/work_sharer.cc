#include "gate/threads/work_sharer.h"

#include <algorithm>

namespace ggufgate {

void WorkSharer::Run(const std::function<void()>& work) {
  Task task{.work = work};
  {
    const std::scoped_lock lock(mutex_);
    tasks_.push_back(&task);
  }
  moved_.notify_all();
  std::exception_ptr own;
  try {
    work();
  } catch (...) {
    own = std::current_exception();
  }
  std::unique_lock lock(mutex_);
  tasks_.remove(&task);  // no thread can join after this
  moved_.wait(lock, [&task] { return task.helpers == 0; });
  if (own) std::rethrow_exception(own);
  if (task.failure) std::rethrow_exception(task.failure);
}

void WorkSharer::Help() {
  std::unique_lock lock(mutex_);
  --judging_;
  moved_.notify_all();
  while (true) {
    Task* task = nullptr;
    moved_.wait(lock, [&] {
      task = OpenTask();
      return task != nullptr || judging_ == 0;
    });
    if (task == nullptr) return;
    ++task->helpers;
    lock.unlock();
    std::exception_ptr failure;
    try {
      task->work();
    } catch (...) {
      failure = std::current_exception();
    }
    lock.lock();
    task->open = false;
    if (failure) task->failure = failure;
    --task->helpers;
    moved_.notify_all();
  }
}

WorkSharer::Task* WorkSharer::OpenTask() {
  const auto found = std::ranges::find(tasks_, true, &Task::open);
  return found != tasks_.end() ? *found : nullptr;
}

}  // namespace ggufgate
