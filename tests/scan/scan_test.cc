// The fast scan finds the same as the scalar one, on every instruction set of this machine.

#include "scan/scan.h"

#include <gtest/gtest.h>

#include <array>

#include "tests/scan/scan_cases.h"
#include "tests/support/vector_targets.h"

namespace ggufgate::testing {
namespace {

constexpr std::array kOrders = {ByteOrder::kLittle, ByteOrder::kBig};
constexpr std::array kDepths = {Depth::kScales, Depth::kFull};

void ExpectSame(const TensorTypeInfo& type, Bytes bytes, Depth depth, ByteOrder order) {
  constexpr std::uint64_t kFirstBlock = 1000;
  if (!BlockScanner(type, order, depth).JudgesAnything()) return;
  EXPECT_EQ(DescribeTally(Fast(type.type, bytes, depth, order, kFirstBlock)),
            DescribeTally(Scalar(type.type, bytes, depth, order, kFirstBlock)))
      << type.name << ", " << bytes.size() << " bytes, depth " << static_cast<int>(depth)
      << ", order " << static_cast<int>(order);
}

void ExpectSameInAllWays(const TensorTypeInfo& type, Bytes bytes) {
  for (const Depth depth : kDepths) {
    for (const ByteOrder order : kOrders) ExpectSame(type, bytes, depth, order);
  }
}

TEST(BlockScanner, FindsWhatTheScalarScanFindsInRandomBytes) {
  EachTarget([] {
    std::mt19937_64 random(1);
    for (const TensorTypeInfo& type : AllTensorTypes()) {
      for (const std::size_t blocks : {0U, 1U, 2U, 3U, 17U, 700U}) {
        BlockBytes bytes(blocks * type.block_bytes);
        for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random());
        ExpectSameInAllWays(type, bytes);
      }
    }
  });
}

// One loud byte among quiet ones, at many positions, to detect a pass that reads the wrong byte or
// skips one.
TEST(BlockScanner, FindsOneLoudByteWhereverItIs) {
  EachTarget([] {
    std::mt19937_64 random(2);
    for (const TensorTypeInfo& type : AllTensorTypes()) {
      const std::size_t blocks = 5 * 1024 / type.block_bytes + 3;
      const std::size_t step = blocks * type.block_bytes / 100;
      BlockBytes bytes = Quiet(type.type, blocks, random);
      EXPECT_TRUE(Scalar(type.type, bytes).Clean()) << type.name;
      for (std::size_t at = 0; at < bytes.size(); at += 1 + random() % step) {
        const std::uint8_t before = bytes.at(at);
        for (const std::uint8_t loud :
             {std::uint8_t{0xFF}, std::uint8_t{0x80}, std::uint8_t{0x7F}}) {
          bytes.at(at) = loud;
          const Depth depth = kDepths.at(random() % 2);
          ExpectSame(type, bytes, depth, kOrders.at(random() % 2));
        }
        bytes.at(at) = before;
      }
    }
  });
}

// The same bytes at every distance from a vector's alignment, and with every length around one.
TEST(BlockScanner, DoesNotMindAlignmentOrLength) {
  EachTarget([] {
    std::mt19937_64 random(3);
    for (const TensorTypeInfo& type : AllTensorTypes()) {
      const BlockBytes quiet = Quiet(type.type, 80, random);
      for (std::size_t shift = 0; shift < 64; shift += 1 + random() % 3) {
        const std::size_t blocks = 1 + random() % 80;
        BlockBytes bytes(shift + blocks * type.block_bytes, 0xFF);
        std::copy_n(quiet.begin(), bytes.size() - shift,
                    bytes.begin() + static_cast<std::ptrdiff_t>(shift));
        const Bytes shifted = Bytes(bytes).subspan(shift);
        ExpectSameInAllWays(type, shifted);
        bytes.back() = 0xFF;  // the last byte of the last block
        ExpectSameInAllWays(type, shifted);
        bytes.at(shift) = 0xFF;
        ExpectSameInAllWays(type, shifted);
      }
    }
  });
}

TEST(BlockScanner, AddsUpOverCutsAnywhere) {
  std::mt19937_64 random(4);
  for (const TensorTypeInfo& type : AllTensorTypes()) {
    BlockBytes bytes = Quiet(type.type, 3000, random);
    for (int i = 0; i < 40; ++i) bytes.at(random() % bytes.size()) = 0xFF;
    const BlockScanner scanner(type, ByteOrder::kLittle, Depth::kFull);
    if (!scanner.JudgesAnything()) continue;
    DataTally pieces;
    for (std::size_t block = 0; block < 3000;) {
      const std::size_t count = std::min<std::size_t>(1 + random() % 500, 3000 - block);
      scanner.Scan(Bytes(bytes).subspan(block * type.block_bytes, count * type.block_bytes), block,
                   pieces);
      block += count;
    }
    EXPECT_EQ(DescribeTally(pieces), DescribeTally(Scalar(type.type, bytes))) << type.name;
  }
}

TEST(BlockScanner, SeesAnyByteThatIsNotZero) {
  for (const TensorTypeInfo& type : AllTensorTypes()) {
    const BlockScanner scanner(type, ByteOrder::kLittle, Depth::kFull);
    if (!scanner.JudgesAnything()) continue;
    BlockBytes bytes(std::size_t{300} * type.block_bytes);
    EXPECT_FALSE(Fast(type.type, bytes).nonzero) << type.name;
    for (const std::size_t at : {std::size_t{0}, bytes.size() / 2, bytes.size() - 1}) {
      bytes.at(at) = 1;
      EXPECT_TRUE(Fast(type.type, bytes).nonzero) << type.name << " at " << at;
      bytes.at(at) = 0;
    }
  }
}

TEST(BlockScanner, HasNothingToSayOfIntegers) {
  for (const TensorTypeInfo& type : AllTensorTypes()) {
    const bool integer = type.name.starts_with("I") && !type.name.starts_with("IQ");
    EXPECT_EQ(BlockScanner(type, ByteOrder::kLittle, Depth::kFull).JudgesAnything(), !integer)
        << type.name;
    // The scales of NVFP4 are finite for all bits.
    EXPECT_EQ(BlockScanner(type, ByteOrder::kLittle, Depth::kScales).JudgesAnything(),
              !integer && type.type != TensorType::kNVFP4)
        << type.name;
  }
}

TEST(BlockScanner, HasAGranuleOfWholeBlocks) {
  for (const TensorTypeInfo& type : AllTensorTypes()) {
    const BlockScanner scanner(type, ByteOrder::kLittle, Depth::kFull);
    EXPECT_GT(scanner.granule(), 0U);
    EXPECT_EQ(scanner.granule() % type.block_bytes, 0U) << type.name;
    EXPECT_LE(scanner.granule(), 128U * 1024) << type.name;
  }
}

}  // namespace
}  // namespace ggufgate::testing
