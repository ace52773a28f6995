#include "mutate/repair/clean.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <vector>

#include "format/tensors/block_fields.h"
#include "format/tensors/tensor_type.h"
#include "mutate/memory/random.h"
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

// IsFinite returns the result of the gate's scan for some data.
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

// A clean field keeps its bytes: a second cleaning changes nothing, and at most one bit of a field
// ever changes.
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
  EXPECT_THAT(data, ::testing::ElementsAre(0x00, 0x00, 0x00, 0xFF, 0x01, 0x02, 0x03, 0x04, 0xAA,
                                           0xBB, 0x4C, 0x7F));
}

// Change is the effect of MakeClean on a field.
struct Change {
  std::uint64_t before, after;
};

// SpreadF16 returns an f16 in the layout of IQ1_M: in the top four bits of four words, lowest
// first.
std::uint64_t SpreadF16(std::uint64_t f16) {
  std::uint64_t spread = 0x0111'0111'0111'0111;  // the other bits of the words
  for (unsigned i = 0; i < 4; ++i) spread |= (f16 >> (4 * i) & 0xF) << (16 * i + 12);
  return spread;
}

// ChangesOf returns zeros, the smallest and the largest numbers, which stay, and infinities and
// NaN, which lose the lowest bit of their exponent.
std::vector<Change> ChangesOf(FieldKind kind) {
  const std::vector<Change> f16 = {{0x0000, 0x0000}, {0x8000, 0x8000}, {0x0001, 0x0001},
                                   {0x83FF, 0x83FF}, {0x0400, 0x0400}, {0x7BFF, 0x7BFF},
                                   {0xFBFF, 0xFBFF}, {0x7C00, 0x7800}, {0xFC00, 0xF800},
                                   {0x7C01, 0x7801}, {0x7E00, 0x7A00}, {0xFFFF, 0xFBFF}};
  switch (kind) {
    case FieldKind::kF16:
      return f16;
    case FieldKind::kIQ1MScale: {
      std::vector<Change> spread;
      for (const Change& change : f16) {
        spread.push_back({SpreadF16(change.before), SpreadF16(change.after)});
      }
      return spread;
    }
    case FieldKind::kBF16:
      return {{0x0000, 0x0000}, {0x8000, 0x8000}, {0x0001, 0x0001}, {0x807F, 0x807F},
              {0x7F7F, 0x7F7F}, {0xFF7F, 0xFF7F}, {0x7F80, 0x7F00}, {0xFF80, 0xFF00},
              {0x7F81, 0x7F01}, {0x7FC0, 0x7F40}, {0xFFFF, 0xFF7F}};
    case FieldKind::kF32:
    case FieldKind::kQ8KScale:
      return {{0x0000'0000, 0x0000'0000}, {0x8000'0000, 0x8000'0000}, {0x0000'0001, 0x0000'0001},
              {0x807F'FFFF, 0x807F'FFFF}, {0x7F7F'FFFF, 0x7F7F'FFFF}, {0x7F80'0000, 0x7F00'0000},
              {0xFF80'0000, 0xFF00'0000}, {0x7F80'0001, 0x7F00'0001}, {0xFFC0'0000, 0xFF40'0000}};
    case FieldKind::kF64:
      return {{0, 0},
              {0x8000'0000'0000'0000, 0x8000'0000'0000'0000},
              {0x000F'FFFF'FFFF'FFFF, 0x000F'FFFF'FFFF'FFFF},
              {0x7FEF'FFFF'FFFF'FFFF, 0x7FEF'FFFF'FFFF'FFFF},
              {0x7FF0'0000'0000'0000, 0x7FE0'0000'0000'0000},
              {0xFFF0'0000'0000'0001, 0xFFE0'0000'0000'0001},
              {0x7FF8'0000'0000'0000, 0x7FE8'0000'0000'0000}};
    case FieldKind::kE8M0:
      return {{0x00, 0x00}, {0x7F, 0x7F}, {0xFE, 0xFE}, {0xFF, 0x7F}};
    default:  // every bit pattern is finite
      return {{0x00, 0x00}, {0x7F, 0x7F}, {0x80, 0x80}, {0xFF, 0xFF}};
  }
}

void PutField(MutableBytes field, std::uint64_t value) {
  for (std::uint8_t& byte : field) {
    byte = static_cast<std::uint8_t>(value);
    value >>= 8;
  }
}

// For every field of every type, in each of three blocks: only one bit of the field changes.
TEST(Clean, ChangesTheOffendingBitOfEveryFieldAndNothingElse) {
  for (const TensorTypeInfo& type : AllTensorTypes()) {
    const auto id = static_cast<std::uint32_t>(type.type);
    for (const BlockField& field : FieldsOf(type.type)) {
      const std::size_t size = FieldBytes(field.kind);
      for (std::size_t i = 0; i < std::size_t{3} * field.count; ++i) {
        const std::size_t at =
            i / field.count * type.block_bytes + field.offset + i % field.count * size;
        for (const Change& change : ChangesOf(field.kind)) {
          // A byte of 0x11 is never part of a NaN.
          std::vector<std::uint8_t> data(std::size_t{3} * type.block_bytes, 0x11);
          std::vector<std::uint8_t> expected = data;
          PutField(MutableBytes(data).subspan(at, size), change.before);
          PutField(MutableBytes(expected).subspan(at, size), change.after);
          EXPECT_EQ(IsClean(id, data), data == expected) << type.name << std::hex << change.before;
          MakeClean(id, data);
          EXPECT_EQ(data, expected) << type.name << " at " << at << std::hex << change.before;
        }
      }
    }
  }
}

TEST(Clean, LeavesTypesWithoutFloatsAlone) {
  for (const TensorTypeInfo& type : AllTensorTypes()) {
    if (!FieldsOf(type.type).empty()) continue;
    const std::vector<std::uint8_t> before(type.block_bytes, 0xFF);
    std::vector<std::uint8_t> after = before;
    const auto id = static_cast<std::uint32_t>(type.type);
    EXPECT_TRUE(IsClean(id, before)) << type.name;
    MakeClean(id, after);
    EXPECT_EQ(before, after) << type.name;
  }
}

}  // namespace
}  // namespace ggufgate::mutate
