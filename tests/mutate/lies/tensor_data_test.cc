// Lies in the data of tensors: which field of which block is no number, in every type that has one.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "mutate/build/data_fields.h"
#include "tests/mutate/sound_file.h"

namespace ggufgate::mutate {
namespace {

constexpr int kTimesEach = 800;

using Wanted = bool (*)(const BlockField& field);

bool IsFloatScale(const BlockField& field) {
  return field.role == FieldRole::kScale && IsFloat(field.kind);
}

// Spoilt is a field of a mutant that is no finite number.
struct Spoilt {
  TensorType type;
  BlockField field;
  std::uint64_t block = 0;
  std::uint64_t blocks = 0;  // that the tensor has
  bool infinite = false;
  bool negative = false;
};

// BitsOf are those of a float in a field; of IQ1_M the upper four of each of four words.
std::uint64_t BitsOf(FieldKind kind, Bytes bytes) {
  switch (kind) {
    case FieldKind::kF64:
      return Load<std::uint64_t>(bytes, ByteOrder::kLittle);
    case FieldKind::kF32:
    case FieldKind::kQ8KScale:
      return Load<std::uint32_t>(bytes, ByteOrder::kLittle);
    case FieldKind::kE8M0:
      return bytes.front();
    case FieldKind::kIQ1MScale: {
      std::uint64_t bits = 0;
      for (std::size_t word = 0; word < 4; ++word) {
        bits |= std::uint64_t{bytes[2 * word + 1]} >> 4 << 4 * word;
      }
      return bits;
    }
    default:
      return Load<std::uint16_t>(bytes, ByteOrder::kLittle);
  }
}

// Exponent and sign of the formats (IEEE 754; bfloat16 is the upper half of a float).
struct Masks {
  std::uint64_t exponent, mantissa, sign;
};
Masks MasksOf(FieldKind kind) {
  switch (kind) {
    case FieldKind::kF64:
      return {0x7FF0'0000'0000'0000, 0x000F'FFFF'FFFF'FFFF, 0x8000'0000'0000'0000};
    case FieldKind::kF32:
    case FieldKind::kQ8KScale:
      return {0x7F80'0000, 0x007F'FFFF, 0x8000'0000};
    case FieldKind::kBF16:
      return {0x7F80, 0x007F, 0x8000};
    case FieldKind::kE8M0:
      return {0xFF, 0, 0};
    default:
      return {0x7C00, 0x03FF, 0x8000};
  }
}

// SpoiltIn lists what is no number in a mutant, among the fields that `wanted` takes.
std::vector<Spoilt> SpoiltIn(const File& mutant, Wanted wanted) {
  const Records records(mutant);
  std::vector<Spoilt> spoilt;
  for (const Tensor& tensor : records.draft.tensors) {
    const TensorTypeInfo& type = *FindTensorType(tensor.type);
    const std::uint64_t blocks = tensor.data.size() / type.block_bytes;
    const BlockField* const field = FindField(type.type, wanted);
    for (std::uint64_t block = 0; field != nullptr && block < blocks; ++block) {
      const Bytes bytes = tensor.data.subspan(block * type.block_bytes + field->offset);
      const std::uint64_t bits = BitsOf(field->kind, bytes);
      const Masks masks = MasksOf(field->kind);
      if ((bits & masks.exponent) != masks.exponent) continue;
      spoilt.push_back({.type = type.type,
                        .field = *field,
                        .block = block,
                        .blocks = blocks,
                        .infinite = (bits & masks.mantissa) == 0,
                        .negative = (bits & masks.sign) != 0});
    }
  }
  return spoilt;
}

// TypesWith are the tensor types with a field that `wanted` takes.
std::set<TensorType> TypesWith(Wanted wanted) {
  std::set<TensorType> types;
  for (const TensorTypeInfo& type : AllTensorTypes()) {
    if (FindField(type.type, wanted) != nullptr) types.insert(type.type);
  }
  return types;
}

template <FieldKind kKind>
bool IsOfKind(const BlockField& field) {
  return field.kind == kKind;
}
template <FieldKind kKind>
bool IsValueOfKind(const BlockField& field) {
  return field.kind == kKind && field.role == FieldRole::kValue;
}
bool IsMinimum(const BlockField& field) { return field.role == FieldRole::kMinimum; }

struct DataLie {
  std::string_view slug;
  Wanted wanted;
};
constexpr std::array<DataLie, 10> kDataLies = {{
    {"data-scale-not-finite", IsFloatScale},
    {"data-minimum-not-finite", IsMinimum},
    {"data-last-scale-not-finite", IsFloatScale},
    {"data-spread-scale-not-finite", IsOfKind<FieldKind::kIQ1MScale>},
    {"data-wide-scale-not-finite", IsOfKind<FieldKind::kQ8KScale>},
    {"data-exponent-nan", IsOfKind<FieldKind::kE8M0>},
    {"data-f32-not-finite", IsValueOfKind<FieldKind::kF32>},
    {"data-f16-not-finite", IsValueOfKind<FieldKind::kF16>},
    {"data-bf16-not-finite", IsValueOfKind<FieldKind::kBF16>},
    {"data-f64-not-finite", IsValueOfKind<FieldKind::kF64>},
}};

TEST(DataLies, SpoilOneFieldInEveryTypeThatHasIt) {
  for (const DataLie& lie : kDataLies) {
    SCOPED_TRACE(lie.slug);
    std::set<TensorType> types;
    std::set<std::pair<bool, bool>> kinds;  // infinite, negative
    for (const Told& told : ToldOf(lie.slug, kTimesEach)) {
      const std::vector<Spoilt> spoilt = SpoiltIn(told.bytes, lie.wanted);
      ASSERT_EQ(spoilt.size(), 1U);
      types.insert(spoilt.front().type);
      kinds.emplace(spoilt.front().infinite, spoilt.front().negative);
    }
    EXPECT_EQ(types, TypesWith(lie.wanted));
    const bool only_nan = lie.slug == "data-exponent-nan";
    EXPECT_EQ(kinds.size(), only_nan ? 1U : 4U) << "NaN and infinity, of both signs";
  }
}

// Of a tensor that was there nothing but the field is another.
TEST(DataLies, LeaveTheRestOfTheDataAlone) {
  const File sound = SoundFile();
  const Records before(sound);
  for (const DataLie& lie : kDataLies) {
    SCOPED_TRACE(lie.slug);
    for (const Told& told : ToldOf(lie.slug, 60)) {
      ASSERT_TRUE(told.lie_at.has_value());
      if (told.bytes.size() != sound.size()) continue;  // in a tensor that was added
      FieldThatLies(sound, told.bytes, {{*told.lie_at, 8}});
    }
  }
}

TEST(DataLies, SpoilTheLastOfSeveralBlocksOnly) {
  for (const Told& told : ToldOf("data-last-scale-not-finite", 100)) {
    const std::vector<Spoilt> spoilt = SpoiltIn(told.bytes, IsFloatScale);
    ASSERT_EQ(spoilt.size(), 1U);
    EXPECT_GE(spoilt.front().blocks, 2U);
    EXPECT_EQ(spoilt.front().block, spoilt.front().blocks - 1);
  }
  std::set<std::uint64_t> blocks;
  for (const Told& told : ToldOf("data-scale-not-finite", 200)) {
    blocks.insert(SpoiltIn(told.bytes, IsFloatScale).front().block);
  }
  EXPECT_THAT(blocks, ::testing::IsSupersetOf({0U, 1U, 2U, 3U}));  // else any of them
}

TEST(DataLies, SpoilAllScalesOfOneTensor) {
  for (const Told& told : ToldOf("data-all-scales-not-finite", 100)) {
    const std::vector<Spoilt> spoilt = SpoiltIn(told.bytes, IsFloatScale);
    ASSERT_GE(spoilt.size(), 2U);
    EXPECT_EQ(spoilt.size(), spoilt.front().blocks);
    for (const Spoilt& one : spoilt) {
      EXPECT_EQ(one.type, spoilt.front().type);
    }
  }
}

// `half` is the one vector of floats that the sound file has: its norm, say.
TEST(DataLies, SpoilAValueOfAVector) {
  const File sound = SoundFile();
  const Document document = DocumentOf(sound);
  const std::uint64_t half = *document.data_begin + document.tensors[2].offset;
  std::set<std::size_t> values;
  for (const Told& told : ToldOf("data-vector-not-finite", 100)) {
    values.insert(
        FieldThatLies(sound, told.bytes,
                      {{half, 2}, {half + 2, 2}, {half + 4, 2}, {half + 6, 2}, {half + 8, 2}}));
    EXPECT_EQ(SpoiltIn(told.bytes, IsValueOfKind<FieldKind::kF16>).size(), 1U);
  }
  EXPECT_EQ(values.size(), 5U);
}

TEST(DataBenign, PutNumbersAtTheEndsOfTheirFormats) {
  const File sound = SoundFile();
  std::set<std::uint64_t> lasts;
  for (const Told& told : ToldOf("data-extreme-value", 400)) {
    if (told.bytes == sound) continue;
    const ByteRange changed = Difference(sound, told.bytes);
    EXPECT_LE(changed.size, 4U);
    EXPECT_TRUE(
        SpoiltIn(told.bytes, [](const BlockField& field) { return IsFloat(field.kind); }).empty());
    lasts.insert(told.bytes[changed.End() - 1]);
  }
  // The sign and exponent of the largest, the smallest and zero, of both signs.
  EXPECT_THAT(lasts, ::testing::IsSupersetOf({0x7FU, 0xFFU, 0x7BU, 0xFBU, 0x80U, 0x00U}));
}

// The tensors of the sound file hold nothing but their numbers: 1, 2, 3, 4.
TEST(DataBenign, ZeroOneTensor) {
  std::set<std::size_t> zeroed;
  for (const Told& told : ToldOf("data-all-zero", 60)) {
    const Records records(told.bytes);
    std::size_t zeros = 0;
    for (std::size_t i = 0; i < kSoundTensors; ++i) {
      const Bytes data = records.draft.tensors[i].data;
      const auto count = static_cast<std::size_t>(std::ranges::count(data, 0));
      EXPECT_TRUE(count == 0 || count == data.size()) << i;
      if (count == 0) continue;
      ++zeros;
      zeroed.insert(i);
    }
    EXPECT_EQ(zeros, 1U);
  }
  EXPECT_EQ(zeroed.size(), kSoundTensors);
}

TEST(DataBenign, PutACodeThatNoEncoderWrites) {
  const File sound = SoundFile();
  const Document document = DocumentOf(sound);
  const std::uint64_t blocks = *document.data_begin + document.tensors[1].offset;
  std::set<std::uint64_t> codes;
  for (const Told& told : ToldOf("data-encoding-reserved", 400)) {
    const ByteRange changed = Difference(sound, told.bytes);
    ASSERT_EQ(changed.size, 1U);
    EXPECT_EQ(told.bytes[changed.begin], 0x80);  // -128 in Q8_0
    ASSERT_GE(changed.begin, blocks);
    const std::uint64_t in_block = (changed.begin - blocks) % 34;
    EXPECT_GE(in_block, 2U) << "that is the scale";
    codes.insert(in_block);
  }
  EXPECT_EQ(codes.size(), 32U);
}

}  // namespace
}  // namespace ggufgate::mutate
