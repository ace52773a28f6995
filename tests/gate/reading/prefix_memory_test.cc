#include "gate/reading/prefix_memory.h"
#include "tests/support/sizes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <new>
#include <utility>

namespace ggufgate {
namespace {

using testing::kMiB;

TEST(PrefixMemory, HasTheSizeAskedForAndCanBeFilled) {
  for (const std::uint64_t size : {std::uint64_t{1}, std::uint64_t{63}, std::uint64_t{65},
                                   2 * kMiB - 1, 2 * kMiB, 2 * kMiB + 1}) {
    const PrefixMemory memory(size);
    EXPECT_EQ(memory.size(), size);
    ASSERT_EQ(memory.bytes().size(), size);
    std::ranges::fill(memory.bytes(), std::uint8_t{0xA5});
    EXPECT_EQ(std::ranges::count(memory.bytes(), std::uint8_t{0xA5}),
              static_cast<std::int64_t>(size));
  }
}

TEST(PrefixMemory, OfNoSizePointsSomewhereAllTheSame) {
  EXPECT_EQ(PrefixMemory().size(), 0U);
  EXPECT_TRUE(PrefixMemory().bytes().empty());
  EXPECT_NE(PrefixMemory().bytes().data(), nullptr);
}

TEST(PrefixMemory, OfSizeBeginsAtAHugePage) {
  const PrefixMemory memory(2 * kMiB);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory.bytes().data()) % (2 * kMiB), 0U);
}

TEST(PrefixMemory, KeepsItsBytesWhenMoved) {
  PrefixMemory first(3);
  std::ranges::fill(first.bytes(), std::uint8_t{7});
  const std::uint8_t* const where = first.bytes().data();
  const PrefixMemory second = std::move(first);
  EXPECT_EQ(second.bytes().data(), where);
  EXPECT_EQ(second.bytes()[2], 7);
}

TEST(PrefixMemory, KeepsItsBytesWhenItIsFilledSoon) {
  for (const std::uint64_t size : {std::uint64_t{1}, kMiB / 16, kMiB / 4 + 1, 2 * kMiB}) {
    const PrefixMemory memory(size);
    std::ranges::fill(memory.bytes(), std::uint8_t{0x5A});
    for (const std::uint64_t part : {std::uint64_t{0}, size / 2, size, UINT64_MAX}) {
      memory.FillSoon(part);
      EXPECT_EQ(std::ranges::count(memory.bytes(), std::uint8_t{0x5A}),
                static_cast<std::int64_t>(size));
    }
  }
}

TEST(PrefixMemory, ThatCannotBeHadThrows) {
  // This size cannot be allocated, and rounding it up would overflow.
  EXPECT_THROW(PrefixMemory{UINT64_MAX}, std::bad_alloc);
}

}  // namespace
}  // namespace ggufgate
