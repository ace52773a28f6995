#pragma once

#include <pthread.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <latch>
#include <vector>

namespace ggufgate {

// ThreadTeam is the calling thread and additional threads. It starts only as many threads as the
// address space has room for, so that no thread runs out of memory because of the others.
class ThreadTeam {
 public:
  // Address space that is reserved for each thread. The stack takes 2 MiB. The C library's arena
  // for small allocations takes 128 MiB (glibc reserves 128 MiB to get 64 MiB, aligned). The work
  // gets 126 MiB. The metadata of nearly every model fit into that several times; work that needs
  // more must handle a failed allocation.
  static constexpr std::uint64_t kThreadBytes = std::uint64_t{256} << 20;

  static constexpr unsigned kMost = 1024;  // upper limit of threads

  // Makes a team of `wanted` threads, including the caller. The team is smaller if the address
  // space has no room for so many or if the system refuses more threads. The threads wait for
  // Run().
  explicit ThreadTeam(std::size_t wanted);
  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;
  ~ThreadTeam();

  [[nodiscard]] std::size_t size() const { return members_.size() + 1; }

  // Run calls `work(worker)` in every thread: in the caller as worker 0, in the others as 1 to
  // size() - 1. It returns when all have returned. It may be called once. `work` must not throw.
  void Run(const std::function<void(std::size_t worker)>& work) noexcept;

 private:
  // Member is one of the other threads. The thread gets its address.
  struct Member {
    ThreadTeam* team;
    std::size_t worker;
    pthread_t thread = {};
  };

  static void* Live(void* member) noexcept;
  void Start(std::size_t others);
  void Join();

  std::vector<Member> members_;  // never reallocated once the first thread runs
  std::latch begun_{1};
  const std::function<void(std::size_t worker)>* work_ = nullptr;  // null: the threads return
};

}  // namespace ggufgate
