// The definition of faults: the reference validator's verdicts on given rows, and its errors.

#include "scan/scalar.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <fstream>
#include <sstream>

#include "tests/scan/scan_cases.h"

namespace ggufgate::testing {
namespace {

struct Row {
  const TensorTypeInfo* type = nullptr;
  bool valid = false;
  BlockBytes bytes;
  std::string label;
};

const TensorTypeInfo* TypeNamed(const std::string& name) {
  for (const TensorTypeInfo& type : AllTensorTypes()) {
    if (type.name == name) return &type;
  }
  return nullptr;
}

std::vector<Row> GoldenRows() {
  std::vector<Row> rows;
  std::ifstream in(GGUFGATE_SOURCE_DIR "/tests/scan/golden_rows.txt");
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with('#')) continue;
    std::istringstream words(line);
    std::string type, verdict, hex;
    Row row;
    words >> type >> verdict >> hex;
    std::getline(words, row.label);
    row.type = TypeNamed(type);
    row.valid = verdict == "valid";
    for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
      row.bytes.push_back(static_cast<std::uint8_t>(std::stoul(hex.substr(i, 2), nullptr, 16)));
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

bool AllFinite(const DataTally& tally) {
  return tally.counts.at(static_cast<std::size_t>(DataFault::kValueNotFinite)) == 0 &&
         tally.counts.at(static_cast<std::size_t>(DataFault::kScaleNotFinite)) == 0 &&
         tally.counts.at(static_cast<std::size_t>(DataFault::kMinimumNotFinite)) == 0;
}

// FloatOverflows: the reference converts doubles to floats before its check, so large ones become
// infinite. This is the only difference.
bool FloatOverflows(const Row& row) {
  if (row.type->type != TensorType::kF64) return false;
  for (std::size_t at = 0; at < row.bytes.size(); at += 8) {
    const double value = Load<double>(Bytes(row.bytes).subspan(at), ByteOrder::kLittle);
    if (std::abs(value) >= 0x1.ffffffp127) return true;
  }
  return false;
}

TEST(ScanScalar, AgreesWithTheReferenceOnGoldenRows) {
  const std::vector<Row> rows = GoldenRows();
  ASSERT_GT(rows.size(), 400U);
  int larger_than_float = 0;
  for (const Row& row : rows) {
    ASSERT_NE(row.type, nullptr);
    const DataTally full = Scalar(row.type->type, row.bytes);
    EXPECT_EQ(DescribeTally(Fast(row.type->type, row.bytes)),
              FieldsOf(row.type->type).empty() ? DescribeTally(DataTally()) : DescribeTally(full));
    if (AllFinite(full) && FloatOverflows(row)) {
      EXPECT_FALSE(row.valid) << row.label;
      ++larger_than_float;
      continue;
    }
    EXPECT_EQ(AllFinite(full), row.valid) << row.type->name << row.label;
    EXPECT_EQ(AllFinite(Scalar(row.type->type, row.bytes, Depth::kScales)), row.valid);
  }
  EXPECT_GT(larger_than_float, 0);
}

TEST(Fields, AreInsideTheirBlockAndInOrder) {
  for (const TensorTypeInfo& type : AllTensorTypes()) {
    const bool integer = type.name.starts_with("I") && !type.name.starts_with("IQ");
    EXPECT_EQ(FieldsOf(type.type).empty(), integer) << type.name;
    std::size_t end = 0;
    for (const BlockField& field : FieldsOf(type.type)) {
      EXPECT_GE(field.offset, end) << type.name;
      end = field.offset + std::size_t{field.count} * FieldBytes(field.kind);
    }
    EXPECT_LE(end, type.block_bytes) << type.name;
  }
}

// Every scale byte of MXFP4 with every code; floats compute the expected overflow.
TEST(ScanScalar, FindsWhatOverflowsInMXFP4) {
  constexpr std::array<float, 8> kMagnitudes = {0, 1, 2, 3, 4, 6, 8, 12};
  for (unsigned exponent = 0; exponent < 255; ++exponent) {
    for (unsigned code = 0; code < 16; ++code) {
      BlockBytes block(17);
      block.front() = static_cast<std::uint8_t>(exponent);
      block.at(5) = static_cast<std::uint8_t>(code << 4);
      const float y = std::ldexp(kMagnitudes.at(code & 7), static_cast<int>(exponent) - 128);
      const DataTally tally = Scalar(TensorType::kMXFP4, block);
      const auto& hits = tally.hits.at(static_cast<std::size_t>(DataFault::kScaleOverflows));
      EXPECT_EQ(hits.size(), std::isinf(y) ? 1U : 0U) << exponent << " " << code;
      if (!hits.empty()) {
        EXPECT_EQ(hits.front().element, 16U + 4);
      }
    }
  }
}

TEST(ScanScalar, FindsWhatOverflowsInQ8K) {
  for (const std::uint32_t bits : {0x7F7FFFFFU, 0x7F000000U, 0x7E7FFFFFU, 0x7C000000U, 0x7BFFFFFFU,
                                   0xFC000000U, 0xFBFFFFFFU, 0x7C000001U}) {
    for (int code = -128; code < 128; ++code) {
      BlockBytes block(292);
      Store(bits, ByteOrder::kLittle, block);
      block.at(4 + 9) = static_cast<std::uint8_t>(code);
      const volatile float scale = std::bit_cast<float>(bits);
      const volatile float product = scale * static_cast<float>(code);
      const DataTally tally = Scalar(TensorType::kQ8_K, block);
      const auto& hits = tally.hits.at(static_cast<std::size_t>(DataFault::kScaleOverflows));
      EXPECT_EQ(hits.size(), std::isinf(product) ? 1U : 0U) << bits << " " << code;
      if (!hits.empty()) {
        EXPECT_EQ(hits.front().element, 9U);
      }
      EXPECT_EQ(DescribeTally(Fast(TensorType::kQ8_K, block)), DescribeTally(tally));
    }
  }
}

TEST(ScanScalar, TellsTheReservedScalesOfNVFP4Apart) {
  for (unsigned byte = 0; byte < 256; ++byte) {
    BlockBytes block(36);
    block.at(2) = static_cast<std::uint8_t>(byte);
    const DataTally tally = Scalar(TensorType::kNVFP4, block);
    const auto count = [&](DataFault fault) {
      return tally.counts.at(static_cast<std::size_t>(fault));
    };
    EXPECT_EQ(count(DataFault::kScaleSigned), byte >= 0x80 ? 1U : 0U);
    EXPECT_EQ(count(DataFault::kScaleNan), byte == 0x7F ? 1U : 0U);
  }
}

}  // namespace
}  // namespace ggufgate::testing
