#include "gate/reading/descriptor.h"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <utility>

namespace ggufgate {
namespace {

int OpenNull() { return ::open("/dev/null", O_RDONLY | O_CLOEXEC); }

bool IsOpen(int number) { return ::fcntl(number, F_GETFD) >= 0; }

TEST(Descriptor, ClosesWhatItOwns) {
  const int number = OpenNull();
  {
    const Descriptor owner(number);
    EXPECT_TRUE(owner.valid());
    EXPECT_EQ(owner.get(), number);
    EXPECT_TRUE(IsOpen(number));
  }
  EXPECT_FALSE(IsOpen(number));
}

TEST(Descriptor, OwnsNothingByDefault) {
  const Descriptor nothing;
  EXPECT_FALSE(nothing.valid());
  EXPECT_FALSE(Descriptor(-1).valid());
}

TEST(Descriptor, TellsWhatClosingSays) {
  Descriptor owner(OpenNull());
  EXPECT_EQ(owner.Close(), 0);
  EXPECT_FALSE(owner.valid());
  EXPECT_EQ(owner.Close(), 0);  // without a descriptor
  const int number = OpenNull();
  ::close(number);
  Descriptor stale(number);
  EXPECT_EQ(stale.Close(), EBADF);
}

TEST(Descriptor, TakesNumberZeroForAnOpenOne) {
  // If a program is started with standard input closed, the first file that it opens gets number 0.
  Descriptor zero(0);
  EXPECT_TRUE(zero.valid());
  const Descriptor saved(::dup(0));
  zero = Descriptor();
  EXPECT_FALSE(IsOpen(0));
  if (saved.valid()) ::dup2(saved.get(), 0);
}

TEST(Descriptor, HandsOverWhenMoved) {
  const int number = OpenNull();
  Descriptor first(number);
  const Descriptor second(std::move(first));
  EXPECT_EQ(second.get(), number);
  EXPECT_FALSE(first.valid());  // NOLINT(bugprone-use-after-move): that is the question
  EXPECT_TRUE(IsOpen(number));
}

TEST(Descriptor, AssignmentClosesWhatWasThereBefore) {
  const int kept = OpenNull();
  const int dropped = OpenNull();
  Descriptor owner(dropped);
  owner = Descriptor(kept);
  EXPECT_EQ(owner.get(), kept);
  EXPECT_TRUE(IsOpen(kept));
  EXPECT_FALSE(IsOpen(dropped));
}

}  // namespace
}  // namespace ggufgate
