#include "dequantize/npy.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/support/matchers.h"

namespace ggufgate::testing {
namespace {

using ::testing::EndsWith;

std::string HeaderOf(const std::vector<std::uint64_t>& shape) { return NpyHeader(shape); }

// In the format of numpy.save.
TEST(NpyHeader, IsThatOfNumPy) {
  const std::string header = HeaderOf({3, 4});
  EXPECT_EQ(header.size(), 128U);
  EXPECT_EQ(header.substr(0, 8), std::string("\x93NUMPY\x01\x00", 8));
  EXPECT_EQ(header.substr(8, 2), std::string("\x76\x00", 2));
  EXPECT_THAT(header.substr(10),
              StartsWith("{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }   "));
  EXPECT_THAT(header, EndsWith(" \n"));
}

TEST(NpyHeader, WritesTuplesAsPythonDoes) {
  EXPECT_THAT(HeaderOf({}).substr(10), ::testing::HasSubstr("'shape': (), }"));
  EXPECT_THAT(HeaderOf({7}).substr(10), ::testing::HasSubstr("'shape': (7, ), }"));
  EXPECT_THAT(HeaderOf({1, 0, 2, 4}).substr(10), ::testing::HasSubstr("'shape': (1, 0, 2, 4), }"));
}

TEST(NpyHeader, IsAlignedAndSaysItsLength) {
  for (std::uint64_t dimension = 1; dimension < UINT64_MAX / 11; dimension *= 10) {
    for (std::size_t count = 0; count <= 4; ++count) {
      const std::string header = HeaderOf(std::vector<std::uint64_t>(count, dimension));
      EXPECT_EQ(header.size() % 64, 0U);
      const auto low = static_cast<unsigned char>(header.at(8));
      const auto high = static_cast<unsigned char>(header.at(9));
      EXPECT_EQ(low + 256U * high, header.size() - 10);
      EXPECT_EQ(header.back(), '\n');
    }
  }
}

}  // namespace
}  // namespace ggufgate::testing
