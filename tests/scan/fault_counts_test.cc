#include "scan/fault_counts.h"

#include <array>
#include <span>

#include "tests/scan/scan_cases.h"
#include "tests/support/vector_targets.h"

namespace ggufgate::testing {
namespace {

// Bytes on both sides of the borders of faults: exponents of floats, reserved codes, scales whose
// products with some codes overflow.
constexpr std::array<std::uint8_t, 20> kLoud = {0xFF, 0xFE, 0xFD, 0xFC, 0x80, 0x81, 0x7F,
                                                0x7E, 0x7D, 0x7C, 0x7B, 0x7A, 0x79, 0x78,
                                                0x77, 0xF8, 0xC0, 0x70, 0xF0, 0x7F};

void ExpectCountsOfTheScalarScan(const TensorTypeInfo& type, Bytes bytes) {
  for (const Depth depth : {Depth::kScales, Depth::kFull}) {
    for (const ByteOrder order : {ByteOrder::kLittle, ByteOrder::kBig}) {
      const BlockRun run{.type = &type, .order = order, .depth = depth, .first_block = 0};
      const FaultCounts wanted = Scalar(type.type, bytes, depth, order).counts;
      EachTarget([&] {
        EXPECT_EQ(CountFaults(run, bytes), wanted)
            << type.name << ", " << bytes.size() << " bytes, depth " << static_cast<int>(depth)
            << ", order " << static_cast<int>(order);
      });
    }
  }
}

TEST(FaultCounts, AreThoseOfTheScalarScan) {
  std::mt19937_64 random(1);
  FaultCounts all{};
  for (const TensorTypeInfo& type : AllTensorTypes()) {
    for (const std::size_t blocks : {0U, 1U, 2U, 31U, 64U, 700U}) {
      for (const unsigned one_in : {1U, 2U, 50U}) {
        BlockBytes bytes = Quiet(type.type, blocks, random);
        for (std::uint8_t& byte : bytes) {
          if (random() % one_in == 0) byte = kLoud.at(random() % kLoud.size());
        }
        ExpectCountsOfTheScalarScan(type, bytes);
        const FaultCounts counts = Scalar(type.type, bytes).counts;
        for (std::size_t i = 0; i < all.size(); ++i) all.at(i) += counts.at(i);
      }
    }
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i == static_cast<std::size_t>(DataFault::kIndexBeyond)) continue;  // not in blocks
    EXPECT_GT(all.at(i), 100U);                                            // all others occurred
  }
}

// More faults of a kind than a counter of 8 or 16 bits holds.
TEST(FaultCounts, DoNotWrap) {
  for (const TensorTypeInfo& type : AllTensorTypes()) {
    const std::size_t blocks = std::max<std::size_t>(1000, (std::size_t{9} << 20) / 2 / 64);
    for (const std::uint8_t same : {std::uint8_t{0xFF}, std::uint8_t{0x80}, std::uint8_t{0x7F}}) {
      const BlockBytes bytes(blocks * type.block_bytes, same);
      const BlockRun run{.type = &type, .first_block = 0};
      EXPECT_EQ(CountFaults(run, bytes), Scalar(type.type, bytes).counts) << type.name;
    }
  }
}

// Scales around those that may be too large for a code, in blocks with and without such a code.
TEST(FaultCounts, KnowWhichMXFP4BlocksOverflow) {
  const TensorTypeInfo& type = InfoFor(TensorType::kMXFP4);
  std::mt19937_64 random(2);
  for (const std::size_t blocks : {1U, 63U, 64U, 65U, 400U}) {
    for (const unsigned most : {3U, 4U, 5U, 6U}) {  // of nearly all codes
      BlockBytes bytes(blocks * type.block_bytes);
      for (std::size_t i = 0; i < bytes.size(); ++i) {
        const auto code = [&] {
          return random() % 100 == 0 ? random() % 8 : random() % (most + 1);
        };
        const std::uint64_t value = i % type.block_bytes == 0
                                        ? 252 + random() % 4
                                        : code() << 4 | code() | (random() & 0x88);
        bytes[i] = static_cast<std::uint8_t>(value);
      }
      ExpectCountsOfTheScalarScan(type, bytes);
    }
  }
}

// All scales of Q8_K whose product with the greatest code is near the largest float.
TEST(FaultCounts, KnowWhereQ8KOverflows) {
  const TensorTypeInfo& type = InfoFor(TensorType::kQ8_K);
  constexpr std::array<std::uint8_t, 8> kCodes = {0, 1, 2, 64, 127, 128, 129, 255};
  for (const std::uint8_t code : kCodes) {
    for (std::uint32_t exponent = 0xEF; exponent <= 0xFF; ++exponent) {
      for (const std::uint32_t mantissa : {0U, 1U, 0x010203U, 0x010204U, 0x7FFFFEU, 0x7FFFFFU}) {
        BlockBytes bytes(type.block_bytes, 0);
        Store(exponent << 23 | mantissa, ByteOrder::kLittle, MutableBytes(bytes));
        bytes.at(4 + code) = code;
        ExpectCountsOfTheScalarScan(type, bytes);
      }
    }
  }
}

TEST(BlockScanner, KeepsTheFirstOfEachKindBetweenManyOfAnother) {
  const TensorTypeInfo& type = InfoFor(TensorType::kQ8_0);
  BlockBytes bytes(std::size_t{20'000} * type.block_bytes, 0x80);
  for (std::size_t block = 0; block < 20'000; ++block) {
    bytes.at(block * type.block_bytes + 1) = block % 700 == 699 ? 0x7C : 0x10;
  }
  EXPECT_EQ(DescribeTally(Fast(type.type, bytes)), DescribeTally(Scalar(type.type, bytes)));
}

}  // namespace
}  // namespace ggufgate::testing
