#include "gate/threads/work_sharer.h"

#include <gtest/gtest.h>

#include <atomic>
#include <new>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

namespace ggufgate {
namespace {

TEST(WorkSharer, DoesTheWorkAlone) {
  WorkSharer sharer(1);
  int calls = 0;
  sharer.Run([&] { ++calls; });
  EXPECT_EQ(calls, 1);
  sharer.Help();  // the last one: nothing to wait for
}

TEST(WorkSharer, WhoIsFreeHelps) {
  WorkSharer sharer(2);
  std::jthread helper([&sharer] { sharer.Help(); });
  std::atomic<int> inside = 0;
  sharer.Run([&] {  // returns only after both have entered it
    ++inside;
    while (inside < 2) std::this_thread::yield();
  });
  EXPECT_EQ(inside, 2);
  sharer.Help();
}

TEST(WorkSharer, HelpsOneAfterTheOther) {
  WorkSharer sharer(4);
  std::atomic<int> left = 10'000;
  const auto work = [&left] {
    while (left-- > 0) {
    }
  };
  std::vector<std::jthread> threads;
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([&] {
      for (int j = 0; j < 50; ++j) sharer.Run(work);
      sharer.Help();
    });
  }
  sharer.Help();
  threads.clear();
  EXPECT_LE(left, 0);
}

TEST(WorkSharer, ThrowsWhatItsWorkThrows) {
  WorkSharer sharer(2);
  EXPECT_THROW(sharer.Run([] { throw std::bad_alloc(); }), std::bad_alloc);
  std::atomic<bool> thrown = false;
  std::jthread helper([&sharer] { sharer.Help(); });
  const auto own = std::this_thread::get_id();
  EXPECT_THROW(sharer.Run([&] {
    if (std::this_thread::get_id() == own) {
      while (!thrown) std::this_thread::yield();
      return;
    }
    thrown = true;
    throw std::runtime_error("of a helper");
  }),
               std::runtime_error);
  sharer.Help();
}

}  // namespace
}  // namespace ggufgate
