#include "words/numbers.h"

#include <gtest/gtest.h>

namespace ggufgate {
namespace {

using namespace std::chrono_literals;

TEST(Grouped, PutsThousandsApart) {
  EXPECT_EQ(Grouped(0), "0");
  EXPECT_EQ(Grouped(999), "999");
  EXPECT_EQ(Grouped(1'000), "1,000");
  EXPECT_EQ(Grouped(99'999), "99,999");
  EXPECT_EQ(Grouped(100'000), "100,000");
  EXPECT_EQ(Grouped(1'234'567), "1,234,567");
  EXPECT_EQ(Grouped(UINT64_MAX), "18,446,744,073,709,551,615");
}

TEST(Hex, FillsUpToItsDigits) {
  EXPECT_EQ(Hex(0), "0");
  EXPECT_EQ(Hex(0, 2), "00");
  EXPECT_EQ(Hex(0xA, 2), "0a");
  EXPECT_EQ(Hex(0x1234, 2), "1234");
  EXPECT_EQ(Hex(UINT64_MAX), "ffffffffffffffff");
}

TEST(HumanBytes, IsExactBelowTenThousand) {
  EXPECT_EQ(HumanBytes(0), "0 bytes");
  EXPECT_EQ(HumanBytes(1), "1 byte");
  EXPECT_EQ(HumanBytes(2), "2 bytes");
  EXPECT_EQ(HumanBytes(999), "999 bytes");
  EXPECT_EQ(HumanBytes(1'000), "1,000 bytes");
  EXPECT_EQ(HumanBytes(4'112), "4,112 bytes");
  EXPECT_EQ(HumanBytes(9'999), "9,999 bytes");
  EXPECT_EQ(HumanBytes(10'000), "10 kB");
}

TEST(HumanBytes, RoundsToTheUnitThatFits) {
  EXPECT_EQ(HumanBytes(999'499), "999 kB");
  EXPECT_EQ(HumanBytes(999'500), "1.0 MB") << "never 1000 kB";
  EXPECT_EQ(HumanBytes(1'000'000), "1.0 MB");
  EXPECT_EQ(HumanBytes(4'100'000'000), "4.1 GB");
  EXPECT_EQ(HumanBytes(9'949'999), "9.9 MB");
  EXPECT_EQ(HumanBytes(9'950'000), "10 MB") << "never 10.0 MB";
  EXPECT_EQ(HumanBytes(807'694'464), "808 MB");
  EXPECT_EQ(HumanBytes(999'499'999'999), "999 GB");
  EXPECT_EQ(HumanBytes(999'500'000'000), "1.0 TB");
  EXPECT_EQ(HumanBytes(1'000'000'000'000'000), "1.0 PB");
  EXPECT_EQ(HumanBytes(UINT64_MAX), "18 EB");
}

TEST(HumanCount, WritesCountsAsModelsAreNamed) {
  EXPECT_EQ(HumanCount(0), "0");
  EXPECT_EQ(HumanCount(9), "9");
  EXPECT_EQ(HumanCount(97), "97");
  EXPECT_EQ(HumanCount(999), "999");
  EXPECT_EQ(HumanCount(1'000), "1.0K");
  EXPECT_EQ(HumanCount(320'000), "320K");
  EXPECT_EQ(HumanCount(999'499), "999K");
  EXPECT_EQ(HumanCount(999'500), "1.0M");
  EXPECT_EQ(HumanCount(1'235'814'432), "1.2B");
  EXPECT_EQ(HumanCount(70'553'706'496), "71B");
  EXPECT_EQ(HumanCount(1'000'000'000'000), "1.0T");
  EXPECT_EQ(HumanCount(UINT64_MAX), "18446744T") << "there is no unit above";
}

TEST(HumanTime, TurnsToSecondsBeforeItWouldPrintAThousand) {
  EXPECT_EQ(HumanTime(0ns), "0.0 ms");
  EXPECT_EQ(HumanTime(400us), "0.4 ms");
  EXPECT_EQ(HumanTime(9'940us), "9.9 ms");
  EXPECT_EQ(HumanTime(9'950us), "10 ms");
  EXPECT_EQ(HumanTime(12ms), "12 ms");
  EXPECT_EQ(HumanTime(999'400us), "999 ms");
  EXPECT_EQ(HumanTime(999'600us), "1.0 s");
  EXPECT_EQ(HumanTime(1s), "1.0 s");
  EXPECT_EQ(HumanTime(3'140ms), "3.1 s");
  EXPECT_EQ(HumanTime(2h), "7200.0 s");
}

}  // namespace
}  // namespace ggufgate
