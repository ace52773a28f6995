#pragma once

#include <pthread.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <latch>
#include <vector>

namespace ggufgate {

// ThreadTeam is the calling thread and others beside it. It is only as large as the address space
// has room for, so that many threads never get in the way of what each of them has to do.
class ThreadTeam {
 public:
  // Address space set aside for each thread: its stack (2 MiB), the arena that the C library makes
  // for its small allocations (glibc asks for 128 MiB to keep 64 MiB of them, aligned), and 126 MiB
  // for the work. The metadata of nearly every model fit in there several times; what needs more
  // must be ready to go without.
  static constexpr std::uint64_t kThreadBytes = std::uint64_t{256} << 20;

  static constexpr unsigned kMost = 1024;  // threads, whatever is wanted

  // Makes a team of `wanted`, or of fewer when the address space has no room for so many or the
  // system gives no more threads; at least of one, the caller. All wait for Run().
  explicit ThreadTeam(std::size_t wanted);
  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;
  ~ThreadTeam();

  [[nodiscard]] std::size_t size() const { return members_.size() + 1; }

  // Run lets every thread do `work(worker)`, the caller as worker 0 and the others as 1 to
  // size() - 1, and returns when all have done it. To be called once. `work` must not throw.
  void Run(const std::function<void(std::size_t worker)>& work) noexcept;

 private:
  // Member is one of the other threads. Its address is what the thread is given.
  struct Member {
    ThreadTeam* team;
    std::size_t worker;
    pthread_t thread = {};
  };

  static void* Live(void* member) noexcept;
  void Start(std::size_t others);
  void Join();

  std::vector<Member> members_;  // never moved once the first thread runs
  std::latch begun_{1};
  const std::function<void(std::size_t worker)>* work_ = nullptr;  // none: go home
};

}  // namespace ggufgate
