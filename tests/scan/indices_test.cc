// Indices out of range, at any position in a stretch.

#include "scan/indices.h"

#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <vector>

#include "tests/scan/scan_cases.h"

namespace ggufgate::testing {
namespace {

constexpr auto kFault = static_cast<std::size_t>(DataFault::kIndexBeyond);

BlockBytes BytesOf(const std::vector<std::uint32_t>& numbers, ByteOrder order) {
  BlockBytes bytes(numbers.size() * 4);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    Store(numbers[i], order, MutableBytes(bytes).subspan(4 * i));
  }
  return bytes;
}

// Plain returns the expected result of a scan, number by number.
DataTally Plain(const std::vector<std::uint32_t>& numbers, std::uint32_t count, std::uint64_t first,
                std::size_t most) {
  DataTally tally{.most = most};
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const auto number = static_cast<std::int32_t>(numbers[i]);
    if (number >= 0 && numbers[i] < count) continue;
    ++tally.counts.at(kFault);
    if (tally.hits.at(kFault).size() == most) continue;
    tally.hits.at(kFault).push_back({.fault = DataFault::kIndexBeyond,
                                     .size = 4,
                                     .element = first + i,
                                     .block = first + i,
                                     .at = 4 * (first + i),
                                     .raw = numbers[i]});
  }
  return tally;
}

TEST(ScanIndices, FindsWhatALookAtEachFinds) {
  std::mt19937_64 random(5);
  constexpr std::uint32_t kMost = std::uint32_t{1} << 31;
  constexpr std::uint32_t kAll = std::numeric_limits<std::uint32_t>::max();
  std::uint64_t found = 0;
  for (const std::size_t size : {0U, 1U, 3U, 1023U, 1024U, 1025U, 5000U}) {
    for (const unsigned one_in : {1U, 40U, 3000U}) {
      for (const std::uint32_t count : {1U, 2U, 256U, kMost}) {
        const std::array<std::uint32_t, 6> wrong = {count, count + 1, kAll,
                                                    kMost, kMost + 1, count | kMost};
        std::vector<std::uint32_t> numbers(size);
        for (std::uint32_t& number : numbers) {
          number = static_cast<std::uint32_t>(random() % count);
          if (random() % one_in == 0) number = wrong.at(random() % wrong.size());
        }
        for (const ByteOrder order : {ByteOrder::kLittle, ByteOrder::kBig}) {
          const std::uint64_t first = random() % 100'000;
          DataTally tally{.most = 20};
          ScanIndices({.order = order, .count = count, .first = first}, BytesOf(numbers, order),
                      tally);
          EXPECT_EQ(DescribeTally(tally), DescribeTally(Plain(numbers, count, first, 20)))
              << size << " numbers, one in " << one_in << ", below " << count;
          found += tally.counts.at(kFault);
        }
      }
    }
  }
  EXPECT_GT(found, 1000U);
}

TEST(ScanIndices, GoesOnWhereAnotherStretchEnded) {
  DataTally tally{.most = 2};
  const BlockBytes bytes = BytesOf({0, 5, 0, 6}, ByteOrder::kLittle);
  ScanIndices({.count = 5, .first = 0}, Bytes(bytes).first(8), tally);
  ScanIndices({.count = 5, .first = 2}, Bytes(bytes).subspan(8), tally);
  ScanIndices({.count = 5, .first = 4}, bytes, tally);
  EXPECT_EQ(DescribeTally(tally), "zero; fault 8 x4 1/1/4+4=5 3/3/12+4=6");
}

}  // namespace
}  // namespace ggufgate::testing
