#include "gate/crew.h"

#include <gtest/gtest.h>

#include <atomic>
#include <new>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

namespace ggufgate {
namespace {

TEST(Crew, DoesTheWorkAlone) {
  Crew crew(1);
  int calls = 0;
  crew.Run([&] { ++calls; });
  EXPECT_EQ(calls, 1);
  crew.Help();  // the last: nothing to wait for
}

TEST(Crew, WhoIsFreeHelps) {
  Crew crew(2);
  std::jthread helper([&crew] { crew.Help(); });
  std::atomic<int> inside = 0;
  crew.Run([&] {  // ends only when both are in it
    ++inside;
    while (inside < 2) std::this_thread::yield();
  });
  EXPECT_EQ(inside, 2);
  crew.Help();
}

TEST(Crew, HelpsOneAfterTheOther) {
  Crew crew(4);
  std::atomic<int> left = 10'000;
  const auto work = [&left] {
    while (left-- > 0) {
    }
  };
  std::vector<std::jthread> threads;
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([&] {
      for (int j = 0; j < 50; ++j) crew.Run(work);
      crew.Help();
    });
  }
  crew.Help();
  threads.clear();
  EXPECT_LE(left, 0);
}

TEST(Crew, ThrowsWhatItsWorkThrows) {
  Crew crew(2);
  EXPECT_THROW(crew.Run([] { throw std::bad_alloc(); }), std::bad_alloc);
  std::atomic<bool> thrown = false;
  std::jthread helper([&crew] { crew.Help(); });
  const auto own = std::this_thread::get_id();
  EXPECT_THROW(crew.Run([&] {
    if (std::this_thread::get_id() == own) {
      while (!thrown) std::this_thread::yield();
      return;
    }
    thrown = true;
    throw std::runtime_error("of a helper");
  }),
               std::runtime_error);
  crew.Help();
}

}  // namespace
}  // namespace ggufgate
