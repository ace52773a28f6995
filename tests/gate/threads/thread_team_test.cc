#include "gate/threads/thread_team.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <thread>
#include <vector>

#include "tests/support/command.h"

namespace ggufgate {
namespace {

using testing::kSanitized;

TEST(ThreadTeam, EachWorksOnceOnAThreadOfItsOwn) {
  for (const std::size_t wanted : {1U, 2U, 7U}) {
    ThreadTeam team(wanted);
    ASSERT_EQ(team.size(), wanted);
    std::vector<std::thread::id> threads(wanted);
    team.Run([&](std::size_t worker) { threads.at(worker) = std::this_thread::get_id(); });
    EXPECT_EQ(std::set(threads.begin(), threads.end()).size(), wanted);
    EXPECT_EQ(threads.front(), std::this_thread::get_id());
  }
}

TEST(ThreadTeam, TheyWorkAtTheSameTime) {
  ThreadTeam team(4);
  std::atomic<std::size_t> inside = 0;
  team.Run([&](std::size_t) {  // returns only after all have entered it
    ++inside;
    while (inside < team.size()) std::this_thread::yield();
  });
  EXPECT_EQ(inside, 4U);
}

TEST(ThreadTeam, IsAtLeastTheCaller) {
  ThreadTeam team(0);
  EXPECT_EQ(team.size(), 1U);
  int calls = 0;
  team.Run([&](std::size_t worker) { calls += worker == 0 ? 1 : 100; });
  EXPECT_EQ(calls, 1);
}

TEST(ThreadTeam, MayGoHomeWithoutWork) { const ThreadTeam team(3); }

TEST(ThreadTeam, HasAStackForWhatIsDone) {
  ThreadTeam team(3);
  std::atomic<int> sum = 0;
  team.Run([&](std::size_t) {
    std::array<volatile char, std::size_t{1} << 20> room;
    for (std::size_t i = 0; i < room.size(); i += 1024) room.at(i) = 1;
    sum += room.front();
  });
  EXPECT_EQ(sum, 3);
}

// SizeUnder returns the size of a team of `wanted` in a process with limited address space.
int SizeUnder(std::uint64_t most_memory, std::size_t wanted) {
  const rlimit limit{.rlim_cur = most_memory, .rlim_max = most_memory};
  if (::setrlimit(RLIMIT_AS, &limit) != 0) return -1;
  return static_cast<int>(ThreadTeam(wanted).size());
}

TEST(ThreadTeamDeathTest, IsAsLargeAsThereIsRoomFor) {
  if (kSanitized) GTEST_SKIP() << "sanitizers need the address space themselves";
  using ::testing::ExitedWithCode;
  // The program itself takes some memory, so there is one thread fewer than the quotient.
  EXPECT_EXIT(std::_Exit(SizeUnder(4 * ThreadTeam::kThreadBytes, 1000)), ExitedWithCode(3), "");
  EXPECT_EXIT(std::_Exit(SizeUnder(9 * ThreadTeam::kThreadBytes, 1000)), ExitedWithCode(8), "");
  EXPECT_EXIT(std::_Exit(SizeUnder(9 * ThreadTeam::kThreadBytes, 5)), ExitedWithCode(5), "");
  EXPECT_EXIT(std::_Exit(SizeUnder(ThreadTeam::kThreadBytes, 1000)), ExitedWithCode(1), "");
}

}  // namespace
}  // namespace ggufgate
