#include "gate/threads/thread_team.h"

#include <sys/mman.h>

#include <algorithm>

namespace ggufgate {
namespace {

// The same size on every system and for every `ulimit -s`. The usual 8 MiB are not needed, and
// musl's 128 KiB are too few. The standard library of Rust uses the same size.
constexpr std::size_t kStackBytes = std::size_t{2} << 20;

// HasRoom tries to map the bytes. Only the system knows how much of the limit is in use, and a
// confined process may not query it.
bool HasRoom(std::uint64_t bytes) {
  void* room =
      ::mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (room == MAP_FAILED) return false;
  ::munmap(room, bytes);
  return true;
}

// ThreadsWithRoom returns the largest number up to `wanted` for which there is room, at least 1.
std::size_t ThreadsWithRoom(std::size_t wanted) {
  std::size_t fit = 1;
  std::size_t most = std::clamp<std::size_t>(wanted, 1, ThreadTeam::kMost);
  while (fit < most) {
    const std::size_t middle = most - (most - fit) / 2;
    if (HasRoom(middle * ThreadTeam::kThreadBytes)) {
      fit = middle;
    } else {
      most = middle - 1;
    }
  }
  return fit;
}

}  // namespace

ThreadTeam::ThreadTeam(std::size_t wanted) {
  const std::size_t others = ThreadsWithRoom(wanted) - 1;
  members_.reserve(others);
  if (others > 0) Start(others);
}

ThreadTeam::~ThreadTeam() {
  if (members_.empty()) return;  // no other threads, or already done
  begun_.count_down();
  Join();
}

void ThreadTeam::Run(const std::function<void(std::size_t worker)>& work) noexcept {
  work_ = &work;
  begun_.count_down();
  work(0);
  Join();
}

void* ThreadTeam::Live(void* member) noexcept {
  const Member& self = *static_cast<Member*>(member);
  self.team->begun_.wait();
  if (self.team->work_ != nullptr) (*self.team->work_)(self.worker);
  return nullptr;
}

// If the system refuses a thread, the existing threads do the work.
void ThreadTeam::Start(std::size_t others) {
  pthread_attr_t attributes;
  if (::pthread_attr_init(&attributes) != 0) return;
  bool more = ::pthread_attr_setstacksize(&attributes, kStackBytes) == 0;
  while (more && members_.size() < others) {
    Member& member = members_.emplace_back(Member{.team = this, .worker = members_.size() + 1});
    more = ::pthread_create(&member.thread, &attributes, &Live, &member) == 0;
    if (!more) members_.pop_back();
  }
  ::pthread_attr_destroy(&attributes);
}

void ThreadTeam::Join() {
  for (const Member& member : members_) ::pthread_join(member.thread, nullptr);
  members_.clear();
}

}  // namespace ggufgate
