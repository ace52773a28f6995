// Lies about offsets, padding and the end of the file, and the benign mutations there: every place
// at which a file is cut or a tensor put is computed again from what a reader makes of the sound
// file.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "tests/mutate/sound_file.h"

namespace ggufgate::mutate {
namespace {

constexpr int kLayoutLies = 400;

class LayoutLies : public SoundFileTest {
 protected:
  [[nodiscard]] std::uint64_t DataAt(std::size_t i) const {
    return *document.data_begin + document.tensors[i].offset;
  }
  [[nodiscard]] std::uint64_t DataEnd() const { return DataAt(3) + 40; }
  [[nodiscard]] ByteRange OffsetOf(std::size_t i) const {
    return document.tensors[i].OffsetRange();
  }
  [[nodiscard]] std::uint64_t DirectoryEnd() const { return document.directory_end; }

  // SizesOf are the sizes of mutants that begin as the sound file does, and just end earlier.
  std::set<std::uint64_t> SizesOf(std::string_view slug) {
    std::set<std::uint64_t> sizes;
    for (const Told& told : ToldOf(slug, kLayoutLies)) {
      EXPECT_LT(told.bytes.size(), sound.size()) << slug;
      EXPECT_TRUE(std::ranges::equal(told.bytes, Bytes(sound).first(told.bytes.size()))) << slug;
      EXPECT_EQ(told.lie_at, told.bytes.size()) << slug;
      sizes.insert(told.bytes.size());
    }
    return sizes;
  }
};

// From `begin` to `end`, both included.
std::set<std::uint64_t> All(std::uint64_t begin, std::uint64_t end) {
  std::set<std::uint64_t> numbers;
  for (std::uint64_t i = begin; i <= end; ++i) numbers.insert(i);
  return numbers;
}

TEST_F(LayoutLies, CutTheHeaderEverywhere) {
  EXPECT_EQ(SizesOf("layout-cut-header"), All(0, kHeaderBytes - 1));
}

TEST_F(LayoutLies, CutWhereTheTensorsNoLongerFindRoom) {
  const std::set<std::uint64_t> sizes = SizesOf("layout-cut-tensor-count");
  EXPECT_EQ(*sizes.begin(), 24U);
  EXPECT_EQ(*sizes.rbegin(), 24 + 24 * kSoundTensors - 1);
}

TEST_F(LayoutLies, CutWhereTheKeysNoLongerFindRoom) {
  std::set<std::uint64_t> sizes;
  for (const Told& told : ToldOf("layout-cut-metadata-count", 2000)) {
    sizes.insert(told.bytes.size());
    if (told.bytes.size() >= kHeaderBytes) {
      EXPECT_EQ(At<std::uint64_t>(told.bytes, 8), 0U);
    }
  }
  EXPECT_EQ(sizes, All(24, 24 + 13 * kSoundEntries - 1));
}

// Rest is what a cut left of the record that it fell into.
Bytes Rest(const File& mutant) { return Bytes(mutant).subspan(DocumentOf(mutant).directory_end); }
std::uint64_t LengthIn(Bytes record) { return Load<std::uint64_t>(record, ByteOrder::kLittle); }

TEST_F(LayoutLies, CutTheDirectoryOutsideOfNames) {
  std::set<std::uint64_t> in_length, behind_name;
  for (const Told& told : ToldOf("layout-cut-directory", kLayoutLies)) {
    const Bytes rest = Rest(told.bytes);
    EXPECT_EQ(DocumentOf(told.bytes).metadata.size(), kSoundEntries + 1);
    EXPECT_LT(DocumentOf(told.bytes).tensors.size(), kSoundTensors + 1);
    if (rest.size() < 8) {
      in_length.insert(rest.size());
    } else {
      ASSERT_GE(rest.size(), 8 + LengthIn(rest)) << "the cut is in a name";
      behind_name.insert(rest.size() - 8 - LengthIn(rest));
    }
  }
  EXPECT_EQ(in_length, All(0, 7));
  EXPECT_THAT(behind_name, ::testing::IsSupersetOf({0U, 1U, 3U, 4U, 5U, 11U, 12U, 13U}));
}

TEST_F(LayoutLies, CutNamesOfTensors) {
  std::set<std::uint64_t> kept, missing;
  for (const Told& told : ToldOf("layout-cut-name", kLayoutLies)) {
    const Bytes rest = Rest(told.bytes);
    ASSERT_GE(rest.size(), 8U);
    ASSERT_LT(rest.size(), 8 + LengthIn(rest)) << "the name is whole";
    kept.insert(rest.size() - 8);
    missing.insert(8 + LengthIn(rest) - rest.size());
  }
  EXPECT_EQ(*kept.begin(), 0U);
  EXPECT_EQ(*missing.begin(), 1U);
}

// Where a cut of the metadata falls, by the record it falls into.
enum class Where { kNumber, kKey, kString, kArray };

Where WhereCut(Bytes rest) {
  if (rest.size() < 8) return Where::kNumber;
  const std::uint64_t key_end = 8 + LengthIn(rest);
  if (rest.size() < key_end) return Where::kKey;
  if (rest.size() < key_end + 4) return Where::kNumber;
  const auto type = Load<std::uint32_t>(rest.subspan(key_end), ByteOrder::kLittle);
  const Bytes value = rest.subspan(key_end + 4);
  if (type == IdOf(ValueType::kString)) {
    return value.size() < 8 ? Where::kNumber : Where::kString;
  }
  const bool array = type == IdOf(ValueType::kArray);
  return array && value.size() >= 12 ? Where::kArray : Where::kNumber;
}

TEST_F(LayoutLies, CutMetadataInFieldsOfTheKindTheyName) {
  const auto places_of = [&](std::string_view slug) {
    std::set<Where> places;
    for (const Told& told : ToldOf(slug, kLayoutLies)) places.insert(WhereCut(Rest(told.bytes)));
    return places;
  };
  // Inside of an array of strings a number or a text may be what is missing.
  EXPECT_EQ(places_of("layout-cut-metadata"), (std::set<Where>{Where::kNumber, Where::kArray}));
  EXPECT_EQ(places_of("layout-cut-text"),
            (std::set<Where>{Where::kKey, Where::kString, Where::kArray}));
  EXPECT_EQ(places_of("layout-cut-array"), std::set<Where>{Where::kArray});
}

TEST_F(LayoutLies, CutTheDataAtEveryBoundary) {
  const std::set<std::uint64_t> sizes = SizesOf("layout-cut-data");
  EXPECT_GE(*sizes.begin(), DirectoryEnd());
  EXPECT_LT(*sizes.rbegin(), DataEnd());
  for (std::size_t i = 0; i < kSoundTensors; ++i) {
    for (const std::uint64_t at : {DataAt(i) - 1, DataAt(i), DataAt(i) + 1}) {
      EXPECT_TRUE(sizes.contains(at)) << at;
    }
  }
}

TEST_F(LayoutLies, CutOneByte) {
  EXPECT_EQ(SizesOf("layout-cut-last-byte"), std::set<std::uint64_t>{DataEnd() - 1});
}

TEST_F(LayoutLies, LeaveOutTheFirstPadding) {
  ASSERT_LT(DirectoryEnd(), *document.data_begin);
  File expected(sound.begin(), sound.begin() + static_cast<std::ptrdiff_t>(DirectoryEnd()));
  const Bytes data = Bytes(sound).first(DataEnd()).subspan(*document.data_begin);
  expected.insert(expected.end(), data.begin(), data.end());
  for (const Told& told : ToldOf("layout-no-first-padding", 3)) {
    EXPECT_EQ(told.bytes, expected);
    EXPECT_EQ(told.lie_at, DirectoryEnd());
  }
}

TEST_F(LayoutLies, PutTheLastTensorPastTheEnd) {
  const std::uint64_t section = sound.size() - *document.data_begin;
  std::uint64_t least = UINT64_MAX;
  ExpectLies("layout-offset-beyond", {OffsetOf(3)}, [&](std::uint64_t number, ByteRange) {
    least = std::min(least, number);
    return number >= section && number % kSoundAlignment == 0;
  });
  EXPECT_LE(least, section + kSoundAlignment);
}

TEST_F(LayoutLies, PutTheLastTensorInFrontOfTheData) {
  std::set<std::uint64_t> places;
  ExpectLies("layout-offset-negative", {OffsetOf(3)}, [&](std::uint64_t number, ByteRange) {
    const std::uint64_t place = *document.data_begin + number;  // wraps
    places.insert(place);
    return place < *document.data_begin && number % kSoundAlignment == 0;
  });
  EXPECT_EQ(*places.begin(), 0U);
  EXPECT_EQ(*places.rbegin(), *document.data_begin - kSoundAlignment);
}

TEST_F(LayoutLies, PutTheLastTensorBetweenTwoMultiples) {
  std::set<std::uint64_t> moved;
  for (const Told& told : ToldOf("layout-offset-uneven", kLayoutLies)) {
    ASSERT_EQ(told.bytes.size(), sound.size() + kSoundAlignment);
    const File front(told.bytes.begin(), told.bytes.begin() + std::ssize(sound));
    FieldThatLies(sound, front, {OffsetOf(3)});
    moved.insert(NumberAt(front, OffsetOf(3)) - document.tensors[3].offset);
    EXPECT_EQ(std::count(told.bytes.begin() + std::ssize(sound), told.bytes.end(), 0),
              std::ptrdiff_t{kSoundAlignment});
  }
  EXPECT_EQ(moved, All(1, kSoundAlignment - 1));
}

TEST_F(LayoutLies, PutTwoTensorsInOnePlace) {
  ExpectLies("layout-alias", {OffsetOf(1), OffsetOf(2), OffsetOf(3)},
             [&](std::uint64_t number, ByteRange field) {
               std::size_t i = 1;
               while (OffsetOf(i) != field) ++i;
               return number == document.tensors[i - 1].offset;
             });
}

// `first` has 48 bytes, `blocks` 136 and `last` 40: behind the last there is none, one is added.
TEST_F(LayoutLies, PutATensorInsideAnother) {
  std::set<std::pair<std::size_t, std::uint64_t>> seen;  // whose offset, how far inside
  for (const Told& told : ToldOf("layout-overlap", kLayoutLies)) {
    const Records records(told.bytes);
    const FixedVector<Tensor>& tensors = records.draft.tensors;
    for (std::size_t i = 1; i < tensors.size(); ++i) {
      const bool in_place = i < kSoundTensors && tensors[i].offset == document.tensors[i].offset;
      if (in_place) continue;
      const std::uint64_t inside = tensors[i].offset - tensors[i - 1].offset;
      seen.emplace(i, inside);
    }
  }
  const std::set<std::pair<std::size_t, std::uint64_t>> expected = {{1, 32}, {2, 32},  {2, 64},
                                                                    {2, 96}, {2, 128}, {4, 32}};
  EXPECT_EQ(seen, expected);
}

// Take the gap out and put the offsets back: the sound file is there again.
TEST_F(LayoutLies, LeaveAGapThatTheDataKeepTo) {
  std::set<std::pair<std::size_t, std::size_t>> seen;  // before which tensor, of how many units
  for (const Told& told : ToldOf("layout-gap", kLayoutLies)) {
    const std::size_t gap = told.bytes.size() - sound.size();
    ASSERT_EQ(gap % kSoundAlignment, 0U);
    File mended = told.bytes;
    std::size_t from = kSoundTensors;
    for (std::size_t i = kSoundTensors; i > 0; --i) {
      const std::uint64_t offset = NumberAt(told.bytes, OffsetOf(i - 1));
      if (offset == document.tensors[i - 1].offset) continue;
      EXPECT_EQ(offset, document.tensors[i - 1].offset + gap);
      from = i - 1;
      Store(document.tensors[i - 1].offset, ByteOrder::kLittle,
            MutableBytes(mended).subspan(OffsetOf(i - 1).begin));
    }
    ASSERT_LT(from, kSoundTensors);
    const auto begin = mended.begin() + static_cast<std::ptrdiff_t>(DataAt(from));
    mended.erase(begin, begin + static_cast<std::ptrdiff_t>(gap));
    EXPECT_EQ(mended, sound);
    seen.emplace(from, gap / kSoundAlignment);
  }
  EXPECT_EQ(seen.size(), 16U);  // four places, one to four units
}

TEST_F(LayoutLies, SwapTwoRecordsAndLeaveTheirData) {
  std::set<std::vector<std::string_view>> orders;
  for (const Told& told : ToldOf("layout-swapped", 100)) {
    const Records records(told.bytes);
    EXPECT_TRUE(Within(Difference(sound, told.bytes),
                       ByteRange::Between(document.tensors[0].begin, DirectoryEnd())));
    std::vector<std::string_view> order;
    for (const Tensor& tensor : records.draft.tensors) {
      const auto same = std::ranges::find(document.tensors, tensor.name, &TensorInfo::name);
      ASSERT_NE(same, document.tensors.end());
      EXPECT_EQ(tensor.offset, same->offset);
      EXPECT_EQ(tensor.dims, same->dims);
      order.push_back(same->name);
    }
    orders.insert(order);
  }
  EXPECT_EQ(orders, (std::set<std::vector<std::string_view>>{{"blocks", "first", "half", "last"},
                                                             {"first", "half", "blocks", "last"},
                                                             {"first", "blocks", "last", "half"}}));
}

TEST_F(LayoutLies, ClaimMoreAndLayTheRestOutForIt) {
  std::set<std::size_t> liars;
  for (const Told& told : ToldOf("layout-claims-more", kLayoutLies)) {
    const Records records(told.bytes);
    std::uint64_t moved = 0;
    for (std::size_t i = 0; i < kSoundTensors; ++i) {
      const Tensor& tensor = records.draft.tensors[i];
      EXPECT_EQ(tensor.offset, document.tensors[i].offset + moved);
      if (tensor.dims == document.tensors[i].dims) continue;
      EXPECT_EQ(moved, 0U) << "a second one lies";
      liars.insert(i);
      const std::uint64_t end = i == 3 ? DataEnd() : DataAt(i + 1);
      const std::uint64_t size = SizeOfTensor(tensor).value_or(0);
      EXPECT_GT(DataAt(i) + size, end);
      const std::uint64_t padded = (size + kSoundAlignment - 1) / kSoundAlignment * kSoundAlignment;
      moved = i == 3 ? 1 : padded - (end - DataAt(i));
    }
    EXPECT_GT(moved, 0U);
  }
  EXPECT_EQ(liars, (std::set<std::size_t>{0, 1, 2, 3}));
}

TEST_F(LayoutLies, OddlyAddBytesBehindTheEnd) {
  std::set<std::size_t> more;
  for (const Told& told : ToldOf("layout-trailing-bytes", kLayoutLies)) {
    ASSERT_GT(told.bytes.size(), sound.size());
    EXPECT_TRUE(std::ranges::equal(Bytes(told.bytes).first(sound.size()), sound));
    more.insert(told.bytes.size() - sound.size());
  }
  EXPECT_EQ(more.size(), 64U);
  EXPECT_EQ(*more.rbegin(), 64U);
}

TEST_F(LayoutLies, OddlyFillPadding) {
  const std::vector<ByteRange> paddings = {
      ByteRange::Between(DirectoryEnd(), DataAt(0)), ByteRange::Between(DataAt(0) + 48, DataAt(1)),
      ByteRange::Between(DataAt(1) + 136, DataAt(2)), ByteRange::Between(DataAt(2) + 10, DataAt(3)),
      ByteRange::Between(DataEnd(), sound.size())};
  std::set<std::size_t> filled;
  for (const Told& told : ToldOf("layout-padding-not-zero", 100)) {
    filled.insert(FieldThatLies(sound, told.bytes, paddings));
  }
  EXPECT_EQ(filled.size(), paddings.size());
}

TEST_F(LayoutLies, OddlyLeaveOutTheLastPadding) {
  const std::set<std::uint64_t> sizes = SizesOf("layout-no-last-padding");
  EXPECT_EQ(sizes, All(DataEnd(), sound.size() - 1));
}

}  // namespace
}  // namespace ggufgate::mutate
