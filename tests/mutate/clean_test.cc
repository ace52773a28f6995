#include "mutate/clean.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <vector>

#include "format/block_fields.h"
#include "format/tensor_type.h"
#include "mutate/random.h"
#include "scan/scan.h"

namespace ggufgate::mutate {
namespace {

std::vector<std::uint8_t> BlocksOf(const TensorTypeInfo& type, std::size_t blocks, Random& random) {
  std::vector<std::uint8_t> data(blocks * type.block_bytes);
  for (std::uint8_t& byte : data) {
    byte = static_cast<std::uint8_t>(random.OneIn(2) ? random.Next() : 0xFF);
  }
  return data;
}

// IsFinite is what the gate's own scan says of some data.
bool IsFinite(const TensorTypeInfo& type, Bytes data) {
  DataTally tally;
  ScanScalar({.type = &type}, data, tally);
  return tally.counts.at(static_cast<std::size_t>(DataFault::kValueNotFinite)) == 0 &&
         tally.counts.at(static_cast<std::size_t>(DataFault::kScaleNotFinite)) == 0 &&
         tally.counts.at(static_cast<std::size_t>(DataFault::kMinimumNotFinite)) == 0;
}

TEST(Clean, MakesEveryTypeClean) {
  Random random(1);
  for (const TensorTypeInfo& type : AllTensorTypes()) {
    const auto id = static_cast<std::uint32_t>(type.type);
    bool dirty = false;
    for (std::size_t blocks = 0; blocks < 64; ++blocks) {
      std::vector<std::uint8_t> data = BlocksOf(type, blocks, random);
      dirty = dirty || !IsClean(id, data);
      MakeClean(id, data);
      ASSERT_TRUE(IsClean(id, data)) << type.name;
    }
    EXPECT_EQ(dirty, !FieldsOf(type.type).empty() && type.type != TensorType::kNVFP4) << type.name;
  }
}

TEST(Clean, AgreesWithTheGate) {
  Random random(2);
  for (const TensorTypeInfo& type : AllTensorTypes()) {
    const auto id = static_cast<std::uint32_t>(type.type);
    for (std::size_t i = 0; i < 500; ++i) {
      std::vector<std::uint8_t> data = BlocksOf(type, i % 4, random);
      ASSERT_EQ(IsClean(id, data), IsFinite(type, data)) << type.name;
      MakeClean(id, data);
      ASSERT_TRUE(IsFinite(type, data)) << type.name;
    }
  }
}

// A field that is clean keeps its bytes: made clean twice, nothing changes, and at most one bit of
// a field ever does.
TEST(Clean, ChangesOneBitOfAField) {
  Random random(3);
  for (const TensorTypeInfo& type : AllTensorTypes()) {
    const auto id = static_cast<std::uint32_t>(type.type);
    for (int i = 0; i < 200; ++i) {
      const std::vector<std::uint8_t> before = BlocksOf(type, 1, random);
      std::vector<std::uint8_t> after = before;
      MakeClean(id, after);
      int bits = 0;
      for (std::size_t at = 0; at < before.size(); ++at) {
        bits += std::popcount(static_cast<unsigned>(before[at] ^ after[at]));
      }
      ASSERT_LE(bits, static_cast<int>(FieldsOf(type.type).size())) << type.name;
    }
  }
}

TEST(Clean, ChangesOneBitOfAnInfinity) {
  std::vector<std::uint8_t> data = {0x00, 0x00, 0x80, 0xFF, 0x01, 0x02,
                                    0x03, 0x04, 0xAA, 0xBB, 0xCC, 0x7F};
  MakeClean(static_cast<std::uint32_t>(TensorType::kF32), data);
  EXPECT_THAT(data, testing::ElementsAre(0x00, 0x00, 0x00, 0xFF, 0x01, 0x02, 0x03, 0x04, 0xAA, 0xBB,
                                         0x4C, 0x7F));
}

}  // namespace
}  // namespace ggufgate::mutate
