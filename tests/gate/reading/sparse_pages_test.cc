#include "gate/reading/sparse_pages.h"

#include <gmock/gmock.h>

#include <vector>

namespace ggufgate {
namespace {

constexpr std::uint64_t kPage = SparsePages::kPageBytes;

std::vector<std::uint8_t> Read(const SparsePages& pages, std::uint64_t offset, std::size_t size) {
  std::vector<std::uint8_t> out(size, 0xEE);
  EXPECT_TRUE(pages.Read(offset, out));
  return out;
}

TEST(SparsePages, GivesBackWhatWasAddedAndZerosBetween) {
  SparsePages pages(4);
  const std::vector<std::uint8_t> bytes = {1, 2, 3, 4};
  pages.Add(kPage - 2, bytes);  // across two pages
  pages.Add(kPage + 5, Bytes(bytes).first(1));
  pages.Add(9 * kPage, bytes);
  EXPECT_THAT(Read(pages, kPage - 3, 9), ::testing::ElementsAre(0, 1, 2, 3, 4, 0, 0, 0, 1));
  EXPECT_THAT(Read(pages, 9 * kPage - 1, 3), ::testing::ElementsAre(0, 1, 2));
  EXPECT_THAT(Read(pages, 5 * kPage, 2), ::testing::ElementsAre(0, 0));
  EXPECT_THAT(Read(pages, 0, 0), ::testing::IsEmpty());
}

TEST(SparsePages, ZerosTakeNoPage) {
  SparsePages pages(1);
  const std::vector<std::uint8_t> zeros(10 * kPage);
  const std::vector<std::uint8_t> one = {1};
  pages.Add(0, zeros);
  pages.Add(zeros.size(), one);
  EXPECT_THAT(Read(pages, zeros.size() - 1, 2), ::testing::ElementsAre(0, 1));
}

TEST(SparsePages, LosesWhatFindsNoRoomAndSaysSo) {
  SparsePages pages(1);
  const std::vector<std::uint8_t> one = {1};
  pages.Add(5, one);
  pages.Add(kPage + 7, one);
  pages.Add(kPage + 8, one);
  std::vector<std::uint8_t> out(kPage + 7);
  EXPECT_TRUE(pages.Read(0, out)) << "all before the lost byte";
  out.resize(kPage + 8);
  EXPECT_FALSE(pages.Read(0, out));
  EXPECT_FALSE(pages.Read(9 * kPage, MutableBytes(out).first(1))) << "all behind it are lost";
}

TEST(SparsePages, NextDataIsNoLaterThanTheNextByteThatMayCount) {
  SparsePages pages(2);
  const std::vector<std::uint8_t> one = {1};
  EXPECT_EQ(pages.NextData(3), UINT64_MAX);
  pages.Add(2 * kPage + 7, one);
  EXPECT_EQ(pages.NextData(3), 2 * kPage);
  EXPECT_EQ(pages.NextData(2 * kPage + 100), 2 * kPage + 100);
  EXPECT_EQ(pages.NextData(3 * kPage), UINT64_MAX);
  pages.Add(5 * kPage, one);
  pages.Add(8 * kPage + 9, one);  // lost
  EXPECT_EQ(pages.NextData(6 * kPage), 8 * kPage + 9);
  EXPECT_EQ(pages.NextData(8 * kPage + 10), 8 * kPage + 10);
}

}  // namespace
}  // namespace ggufgate
