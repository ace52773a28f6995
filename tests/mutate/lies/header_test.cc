// Lies about magic, version, byte order and counts: which bytes they change, and to what.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <set>
#include <string>

#include "tests/mutate/sound_file.h"

namespace ggufgate::mutate {
namespace {

constexpr int kHeaderLies = 200;

constexpr ByteRange kMagicRange = {0, 4};
constexpr ByteRange kVersionRange = {4, 4};
constexpr ByteRange kTensorCountRange = {8, 8};
constexpr ByteRange kMetadataCountRange = {16, 8};

// FieldLie is a lie that changes one number of the header.
struct FieldLie {
  std::string_view slug;
  ByteRange field;
  bool (*promised)(std::uint64_t value, std::uint64_t rest);  // of `rest` bytes behind the header
  std::size_t at_least;                                       // so many different values
};

constexpr std::array<FieldLie, 7> kFieldLies = {{
    {"header-magic", kMagicRange,
     [](std::uint64_t value, std::uint64_t) {
       const auto magic = Load<std::uint32_t>(AsBytes(kMagic), ByteOrder::kLittle);
       return std::popcount(value ^ magic) == 1;
     },
     32},
    {"header-magic-swapped", kMagicRange,
     [](std::uint64_t value, std::uint64_t) { return value == 0x4747'5546; }, 1},
    {"header-version-unknown", kVersionRange,
     [](std::uint64_t value, std::uint64_t) {
       const std::set<std::uint64_t> known = {1, 2, 3, 0x0200'0000, 0x0300'0000};
       return !known.contains(value);
     },
     20},
    {"header-version-one", kVersionRange,
     [](std::uint64_t value, std::uint64_t) { return value == 1; }, 1},
    {"header-version-swapped", kVersionRange,
     [](std::uint64_t value, std::uint64_t) { return value == 0x0200'0000; }, 1},
    {"header-tensor-count-huge", kTensorCountRange,
     [](std::uint64_t value, std::uint64_t rest) { return value > rest / 24; }, 20},
    {"header-metadata-count-huge", kMetadataCountRange,
     [](std::uint64_t value, std::uint64_t rest) { return value > rest / 13; }, 20},
}};

TEST(HeaderLies, ChangeOneFieldAndNothingElse) {
  const File sound = SoundFile();
  for (const FieldLie& lie : kFieldLies) {
    SCOPED_TRACE(lie.slug);
    std::set<std::uint64_t> values;
    for (const Told& told : ToldOf(lie.slug, 4 * kHeaderLies)) {
      FieldThatLies(sound, told.bytes, {lie.field});
      const std::uint64_t value = NumberAt(told.bytes, lie.field);
      EXPECT_TRUE(lie.promised(value, sound.size() - kHeaderBytes)) << value;
      EXPECT_EQ(told.lie_at, lie.field.begin);
      values.insert(value);
    }
    EXPECT_GE(values.size(), lie.at_least);
  }
}

TEST(HeaderLies, SwapTheVersionAlone) {
  const File sound = SoundFile();
  for (const Told& told : ToldOf("header-byte-order-partial", 5)) {
    FieldThatLies(sound, told.bytes, {kVersionRange});
    EXPECT_EQ(NumberAt(told.bytes, kVersionRange), 0x0300'0000U);
  }
}

// The smallest number that is too large is tried as well: an off-by-one shows at no other.
TEST(HeaderLies, ClaimOneMoreThanThereIsRoomFor) {
  const std::uint64_t rest = SoundFile().size() - kHeaderBytes;
  std::set<std::uint64_t> tensors, keys;
  for (const Told& told : ToldOf("header-tensor-count-huge", 2000)) {
    tensors.insert(NumberAt(told.bytes, kTensorCountRange));
  }
  for (const Told& told : ToldOf("header-metadata-count-huge", 2000)) {
    keys.insert(NumberAt(told.bytes, kMetadataCountRange));
  }
  EXPECT_EQ(*tensors.begin(), rest / 24 + 1);
  EXPECT_EQ(*keys.begin(), rest / 13 + 1);
  EXPECT_GE(*tensors.rbegin(), std::uint64_t{1} << 63);
  EXPECT_GE(*keys.rbegin(), std::uint64_t{1} << 63);
}

TEST(HeaderLies, BeginAsFilesOfOtherFormatsDo) {
  constexpr std::size_t kLongest = 23;  // of the beginnings
  const File sound = SoundFile();
  std::set<std::string> beginnings;
  for (const Told& told : ToldOf("header-magic-foreign", 1000)) {
    const ByteRange changed = Difference(sound, told.bytes);
    EXPECT_TRUE(Within(changed, {0, kLongest}));
    EXPECT_NE(AsText(Bytes(told.bytes).first(4)), kMagic);
    EXPECT_EQ(told.lie_at, 0U);
    beginnings.emplace(AsText(Bytes(told.bytes).first(changed.End())));
  }
  EXPECT_EQ(beginnings.size(), 24U);
  EXPECT_THAT(beginnings, ::testing::IsSupersetOf({"ggjt", "PK\3\4", "version https://git-lfs",
                                                   "<html>", "\nGGUF", "\x93NUMPY"}));
}

TEST(HeaderLies, LeaveZerosOfAnyLength) {
  const File sound = SoundFile();
  std::set<std::size_t> lengths;
  for (const Told& told : ToldOf("header-magic-zeros", kHeaderLies)) {
    ASSERT_EQ(told.bytes.size(), sound.size());
    const auto [zeros_end, same] = std::ranges::mismatch(
        told.bytes, File(sound.size(), 0));  // NOLINT: only the first is looked at
    const auto count = static_cast<std::size_t>(zeros_end - told.bytes.begin());
    EXPECT_GE(count, kMagic.size());
    EXPECT_TRUE(std::ranges::equal(Bytes(told.bytes).subspan(count), Bytes(sound).subspan(count)));
    lengths.insert(count);
  }
  EXPECT_GE(lengths.size(), 20U);
  EXPECT_LE(*lengths.begin(), 7U);  // the version's first byte is 3
  EXPECT_GT(*lengths.rbegin(), kHeaderBytes);
}

// The records are those of the sound file, in the other encoding.
void ExpectSameRecords(const Draft& draft, const Draft& sound) {
  ASSERT_EQ(draft.entries.size(), sound.entries.size());
  for (std::size_t i = 0; i < sound.entries.size(); ++i) {
    EXPECT_EQ(draft.entries[i].key, sound.entries[i].key);
    EXPECT_EQ(draft.entries[i].type, sound.entries[i].type);
  }
  ASSERT_EQ(draft.tensors.size(), sound.tensors.size());
  for (std::size_t i = 0; i < sound.tensors.size(); ++i) {
    EXPECT_EQ(draft.tensors[i].name, sound.tensors[i].name);
    EXPECT_EQ(draft.tensors[i].dims, sound.tensors[i].dims);
    EXPECT_EQ(draft.tensors[i].offset, sound.tensors[i].offset);
  }
}

TEST(HeaderLies, WriteAWholeFileOfVersionOne) {
  const Records sound(SoundFile());
  for (const Told& told : ToldOf("header-version-one-whole", 3)) {
    EXPECT_EQ(At<std::uint32_t>(told.bytes, 4), 1U);
    EXPECT_EQ(At<std::uint32_t>(told.bytes, 8), kSoundTensors);
    EXPECT_EQ(At<std::uint32_t>(told.bytes, 12), kSoundEntries);
    EXPECT_EQ(told.lie_at, Placement::kVersionAt);
    const Records records(told.bytes);
    EXPECT_EQ(records.draft.encoding, (Encoding{.order = ByteOrder::kLittle, .word = 4}));
    ExpectSameRecords(records.draft, sound.draft);
    for (std::size_t i = 0; i < kSoundTensors; ++i) {
      EXPECT_TRUE(std::ranges::equal(records.draft.tensors[i].data, sound.draft.tensors[i].data));
    }
  }
}

TEST(HeaderLies, WriteAWholeFileInTheOtherByteOrder) {
  const Records sound(SoundFile());
  for (const Told& told : ToldOf("header-byte-order-whole", 3)) {
    EXPECT_EQ(At<std::uint32_t>(told.bytes, 4), 0x0300'0000U);
    const Records records(told.bytes);
    EXPECT_EQ(records.draft.encoding, (Encoding{.order = ByteOrder::kBig, .word = 8}));
    ExpectSameRecords(records.draft, sound.draft);
    for (const Tensor& tensor : records.draft.tensors) {
      EXPECT_FALSE(tensor.data.empty());
      EXPECT_TRUE(std::ranges::all_of(tensor.data, [](std::uint8_t byte) { return byte == 0; }));
    }
  }
}

TEST(HeaderLies, ClaimTensorsThatAFileWithoutAnyHasRoomFor) {
  std::set<std::uint64_t> counts;
  for (const Told& told : ToldOf("header-tensor-count-more", kHeaderLies)) {
    const std::uint64_t count = NumberAt(told.bytes, kTensorCountRange);
    EXPECT_GE(count, 1U);
    EXPECT_LE(count, (told.bytes.size() - kHeaderBytes) / 24);
    EXPECT_EQ(NumberAt(told.bytes, kMetadataCountRange), kSoundEntries + 1);
    EXPECT_EQ(DocumentOf(told.bytes).metadata.size(), kSoundEntries + 1);  // and then it ends
    counts.insert(count);
  }
  EXPECT_EQ(*counts.begin(), 1U);
  EXPECT_GE(counts.size(), 5U);
}

TEST(HeaderLies, ClaimKeysBehindWhichTheFileEnds) {
  std::set<std::uint64_t> counts;
  for (const Told& told : ToldOf("header-metadata-count-more", kHeaderLies)) {
    const std::uint64_t count = NumberAt(told.bytes, kMetadataCountRange);
    EXPECT_GE(count, kSoundEntries + 2);  // one was added for the bytes
    EXPECT_LE(count, (told.bytes.size() - kHeaderBytes) / 13);
    EXPECT_EQ(NumberAt(told.bytes, kTensorCountRange), 0U);
    EXPECT_EQ(DocumentOf(told.bytes).metadata.size(), kSoundEntries + 1);
    counts.insert(count);
  }
  EXPECT_EQ(*counts.begin(), kSoundEntries + 2);
  EXPECT_GE(counts.size(), 5U);
}

TEST(HeaderLies, LeaveTheLastKeyToTheTensors) {
  for (const Told& told : ToldOf("header-metadata-count-less", 50)) {
    EXPECT_EQ(NumberAt(told.bytes, kMetadataCountRange), kSoundEntries);
    const Document read = DocumentOf(told.bytes);
    EXPECT_EQ(read.metadata.size(), kSoundEntries);
    EXPECT_TRUE(read.tensors.empty());
    File honest = told.bytes;
    Store<std::uint64_t>(kSoundEntries + 1, ByteOrder::kLittle, MutableBytes(honest).subspan(16));
    EXPECT_EQ(ErrorsIn(honest), std::set<std::string>{});  // the count is all that lies
  }
}

TEST(HeaderBenign, ClaimNoTensor) {
  const File sound = SoundFile();
  for (const Told& told : ToldOf("header-tensor-count-zero", 3)) {
    FieldThatLies(sound, told.bytes, {kTensorCountRange});
    EXPECT_EQ(NumberAt(told.bytes, kTensorCountRange), 0U);
  }
}

// Everything above rests on it.
TEST(SoundFile, IsSoundAndLeftAloneByRepair) {
  const File sound = SoundFile();
  EXPECT_EQ(ErrorsIn(sound), std::set<std::string>{});
  Workshop workshop(1, std::size_t{64} << 10);
  MutationContext& context = workshop.Fresh(sound);
  Repair(context);
  ASSERT_TRUE(context.Write());
  EXPECT_EQ(Copied(context), sound);
  EXPECT_EQ(DocumentOf(sound).metadata.size(), kSoundEntries);
  EXPECT_EQ(DocumentOf(sound).tensors.size(), kSoundTensors);
}

}  // namespace
}  // namespace ggufgate::mutate
