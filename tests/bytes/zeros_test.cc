#include "bytes/zeros.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace ggufgate {
namespace {

TEST(CountZeros, OfAnySizeAndPlace) {
  for (const std::size_t size : {0U, 1U, 63U, 64U, 65U, 16319U, 16320U, 16321U, 40000U}) {
    std::vector<std::uint8_t> bytes(size, 0);
    EXPECT_EQ(CountZeros(bytes), size);
    std::ranges::fill(bytes, 0x80);
    EXPECT_EQ(CountZeros(bytes), 0U);
    for (std::size_t i = 0; i < size; i += 7) bytes[i] = 0;
    EXPECT_EQ(CountZeros(bytes), (size + 6) / 7);
  }
}

TEST(CountZeros, OneAtEachEnd) {
  std::vector<std::uint8_t> bytes(1000, 1);
  bytes.front() = 0;
  EXPECT_EQ(CountZeros(bytes), 1U);
  bytes.back() = 0;
  EXPECT_EQ(CountZeros(bytes), 2U);
}

}  // namespace
}  // namespace ggufgate
