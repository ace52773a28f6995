// Lies about metadata records: which field they change, and to what.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <set>

#include "tests/mutate/sound_file.h"

namespace ggufgate::mutate {
namespace {

constexpr int kMetadataLies = 400;

class MetadataLies : public SoundFileTest {
 protected:
  // Fields are those of the entries that `wanted` takes.
  template <typename Wanted, typename Field>
  std::vector<ByteRange> Fields(Wanted wanted, Field field) const {
    std::vector<ByteRange> fields;
    for (const MetadataEntry& entry : document.metadata) {
      if (wanted(entry)) fields.push_back(field(entry));
    }
    return fields;
  }
  static bool IsAny(const MetadataEntry&) { return true; }
  static bool IsString(const MetadataEntry& entry) { return entry.type == ValueType::kString; }
  static bool IsArray(const MetadataEntry& entry) { return entry.type == ValueType::kArray; }

  // ElementSize is of the array whose count stands at `count_at`.
  [[nodiscard]] std::uint64_t ElementSize(std::uint64_t count_at) const {
    const ValueType type{At<std::uint32_t>(sound, count_at - 4)};
    return type == ValueType::kString ? 8 : InfoOf(type).scalar_bytes;
  }

  static ByteRange CountRange(const MetadataEntry& entry) {
    return {entry.ValueRange().begin + 4, 8};
  }
};

TEST_F(MetadataLies, ClaimLengthsPastTheEnd) {
  const auto beyond = [&](std::uint64_t number, ByteRange field) { return number > Behind(field); };
  ExpectLies("metadata-key-beyond",
             Fields(IsAny, [](const MetadataEntry& entry) { return entry.KeyLengthRange(); }),
             beyond);
  ExpectLies(
      "metadata-string-beyond",
      Fields(IsString,
             [](const MetadataEntry& entry) { return ByteRange{entry.ValueRange().begin, 8}; }),
      beyond);
  const std::uint64_t texts = document.Find("user.texts")->ElementsRange().begin;
  const std::vector<ByteRange> lengths = {{texts, 8}, {texts + 11, 8}, {texts + 19, 8}};
  ExpectLies("metadata-array-string-beyond", lengths, beyond);
}

TEST_F(MetadataLies, ClaimElementsPastTheEnd) {
  ExpectLies("metadata-array-count-beyond", Fields(IsArray, CountRange),
             [&](std::uint64_t number, ByteRange field) {
               return number > Behind(field) / ElementSize(field.begin);
             });
}

// The number times the size of an element is the true number of bytes, modulo 2^64: of strings the
// size is what a loader keeps of each.
TEST_F(MetadataLies, ClaimElementsWhoseBytesWrap) {
  const auto wraps = [&](std::uint64_t number, ByteRange field) {
    const std::uint64_t count = At<std::uint64_t>(sound, field.begin);
    const bool strings = document.Find("user.texts")->ValueRange().begin + 4 == field.begin;
    std::vector<std::uint64_t> sizes = {ElementSize(field.begin)};
    if (strings) sizes = {8, 16, 24, 32, 40};
    return number > UINT64_MAX / sizes.back() && number != count &&
           std::ranges::any_of(sizes, [&](std::uint64_t size) {
             return number > UINT64_MAX / size && number * size == count * size;
           });
  };
  ExpectLies("metadata-array-count-wraps",
             Fields(
                 [](const MetadataEntry& entry) {
                   return IsArray(entry) && entry.element_type != ValueType::kBool;
                 },
                 CountRange),
             wraps);
}

TEST_F(MetadataLies, NameTypesThatDoNotExist) {
  const auto unknown = [](std::uint64_t number, ByteRange) { return number > 12; };
  ExpectLies("metadata-value-type-unknown",
             Fields(IsAny, [](const MetadataEntry& entry) { return entry.TypeRange(); }), unknown);
  ExpectLies(
      "metadata-element-type-unknown",
      Fields(IsArray,
             [](const MetadataEntry& entry) { return ByteRange{entry.ValueRange().begin, 4}; }),
      unknown);
}

TEST_F(MetadataLies, SpoilBools) {
  const auto neither = [](std::uint64_t number, ByteRange) { return number > 1; };
  ExpectLies("metadata-bool-value", {document.Find("user.flag")->ValueRange()}, neither);
  const std::uint64_t flags = document.Find("user.flags")->ElementsRange().begin;
  ExpectLies("metadata-bool-element", {{flags, 1}, {flags + 1, 1}, {flags + 2, 1}}, neither);
}

// Added is the one entry of a mutant that the sound file has not; the others are there, in order.
std::size_t Added(const Draft& mutant, const Draft& sound) {
  EXPECT_EQ(mutant.entries.size(), sound.entries.size() + 1);
  std::size_t at = 0;
  const auto same = [](const Entry& a, const Entry& b) {
    return a.key == b.key && a.type == b.type && std::ranges::equal(a.value, b.value);
  };
  while (at < sound.entries.size() && same(mutant.entries[at], sound.entries[at])) ++at;
  for (std::size_t i = at; i < sound.entries.size() && i + 1 < mutant.entries.size(); ++i) {
    EXPECT_TRUE(same(mutant.entries[i + 1], sound.entries[i])) << i;
  }
  return std::min(at, mutant.entries.size() - 1);
}

// AddedBy calls `look` with what each mutant has more.
template <typename Look>
void AddedBy(std::string_view slug, Look look) {
  SCOPED_TRACE(slug);
  const Records sound(SoundFile());
  std::set<std::size_t> places;
  for (const Told& told : ToldOf(slug, 100)) {
    const Records records(told.bytes);
    const std::size_t at = Added(records.draft, sound.draft);
    places.insert(at);
    look(records.draft.entries[at]);
  }
  EXPECT_GE(places.size(), 5U) << "it stands in few places only";
}

TEST_F(MetadataLies, AddArraysOfArrays) {
  constexpr auto kArray = IdOf(ValueType::kArray);
  std::set<std::uint64_t> breadths;
  std::set<std::size_t> sizes;
  AddedBy("metadata-array-nested", [&](const Entry& entry) {
    EXPECT_EQ(entry.type, kArray);
    EXPECT_EQ(ElementTypeOf(entry), ValueType::kArray);
    const std::uint64_t breadth = CountOf(entry);
    breadths.insert(breadth);
    ASSERT_NE(breadth, 0U);
    sizes.insert((entry.value.size() - 12) / breadth);
  });
  EXPECT_EQ(breadths, (std::set<std::uint64_t>{1, 2, 3, 4, 5}));
  EXPECT_EQ(sizes, (std::set<std::size_t>{12 + 2, 24 + 2, 36 + 2}));  // one to three levels more
  AddedBy("metadata-array-nested-empty", [&](const Entry& entry) {
    EXPECT_EQ(ElementTypeOf(entry), ValueType::kArray);
    EXPECT_EQ(CountOf(entry), 0U);
    EXPECT_EQ(entry.value.size(), 12U);
  });
}

TEST_F(MetadataLies, AddKeysOfWrongLengths) {
  AddedBy("metadata-key-empty", [](const Entry& entry) { EXPECT_EQ(entry.key, ""); });
  std::set<std::size_t> sizes;
  AddedBy("metadata-key-too-long", [&](const Entry& entry) { sizes.insert(entry.key.size()); });
  EXPECT_EQ(*sizes.begin(), 65536U);
  EXPECT_LE(*sizes.rbegin(), 65535U + 64);
  EXPECT_GE(sizes.size(), 10U);
}

TEST_F(MetadataLies, SayAKeyTwice) {
  const Records sound_records(sound);
  std::set<std::string_view> doubled;
  bool beside = false, apart = false;
  for (const Told& told : ToldOf("metadata-key-twice", kMetadataLies)) {
    Records records(told.bytes);
    const std::size_t at = Added(records.draft, sound_records.draft);
    const Entry& second = records.draft.entries[at];
    const Entry* const first = records.draft.Find(second.key);
    ASSERT_NE(first, nullptr);
    EXPECT_EQ(first->type, second.type);
    EXPECT_TRUE(std::ranges::equal(first->value, second.value));
    EXPECT_NE(document.Find(second.key), nullptr);
    doubled.insert(document.Find(second.key)->key);
    (&records.draft.entries[at] - first > 1 ? apart : beside) = true;
  }
  EXPECT_EQ(doubled.size(), kSoundEntries);
  EXPECT_TRUE(beside);
  EXPECT_TRUE(apart);
}

TEST_F(MetadataLies, SayAKeyTwiceWithTwoTypes) {
  std::set<std::uint32_t> second_types;
  for (const Told& told : ToldOf("metadata-key-twice-typed", 60)) {
    Records records(told.bytes);
    ASSERT_EQ(records.draft.entries.size(), kSoundEntries + 2);
    std::vector<const Entry*> fresh;
    for (const Entry& entry : records.draft.entries) {
      if (document.Find(entry.key) == nullptr) fresh.push_back(&entry);
    }
    ASSERT_EQ(fresh.size(), 2U);
    EXPECT_EQ(fresh.front()->key, fresh.back()->key);
    EXPECT_TRUE(Is(*fresh.front(), ValueType::kString));
    second_types.insert(fresh.back()->type);
  }
  EXPECT_EQ(second_types, (std::set<std::uint32_t>{10, 11, 12}));  // u64, i64, f64
}

// AlignmentsIn are those that a mutant names, in order.
std::vector<Entry> AlignmentsIn(const Draft& draft) {
  std::vector<Entry> entries;
  for (const Entry& entry : draft.entries) {
    if (entry.key == kAlignmentKey) entries.push_back(entry);
  }
  return entries;
}

TEST_F(MetadataLies, NameTwoAlignments) {
  for (const Told& told : ToldOf("metadata-alignment-twice", 60)) {
    const Records records(told.bytes);
    const std::vector<Entry> both = AlignmentsIn(records.draft);
    ASSERT_EQ(both.size(), 2U);
    EXPECT_EQ(UnsignedOf(both.front()), kSoundAlignment);
    EXPECT_GT(UnsignedOf(both.back()).value_or(0), kSoundAlignment);
    EXPECT_EQ(records.draft.alignment, kSoundAlignment);  // the file is laid out by the first
  }
}

TEST_F(MetadataLies, GiveTheAlignmentAnotherType) {
  std::set<std::uint32_t> types;
  for (const Told& told : ToldOf("metadata-alignment-type", kMetadataLies)) {
    const Records records(told.bytes);
    ASSERT_EQ(AlignmentsIn(records.draft).size(), 1U);
    types.insert(AlignmentsIn(records.draft).front().type);
  }
  EXPECT_EQ(types, (std::set<std::uint32_t>{0, 2, 5, 6, 7, 8, 9, 10, 11}));
}

TEST_F(MetadataLies, GiveTheAlignmentAnotherValue) {
  const ByteRange value = document.Find(kAlignmentKey)->ValueRange();
  ExpectLies("metadata-alignment-zero", {value},
             [](std::uint64_t number, ByteRange) { return number == 0; });
  std::set<std::uint64_t> values;
  ExpectLies("metadata-alignment-disagrees", {value}, [&](std::uint64_t number, ByteRange) {
    values.insert(number);
    return std::has_single_bit(number) && number <= std::uint64_t{1} << 20 &&
           std::ranges::any_of(document.tensors, [number](const TensorInfo& tensor) {
             return tensor.offset % number != 0;
           });
  });
  EXPECT_GE(values.size(), 10U);
}

// Half of the files keep their tensors.
template <typename Promised>
void ExpectAlignments(std::string_view slug, std::size_t at_least, Promised promised) {
  SCOPED_TRACE(slug);
  std::set<std::uint64_t> values;
  std::set<std::size_t> tensors;
  for (const Told& told : ToldOf(slug, kMetadataLies)) {
    const Records records(told.bytes);
    ASSERT_EQ(AlignmentsIn(records.draft).size(), 1U);
    const std::uint64_t value = UnsignedOf(AlignmentsIn(records.draft).front()).value_or(0);
    EXPECT_TRUE(promised(value)) << value;
    values.insert(value);
    tensors.insert(records.draft.tensors.size());
  }
  EXPECT_GE(values.size(), at_least);
  EXPECT_EQ(tensors, (std::set<std::size_t>{0, kSoundTensors}));
}

TEST_F(MetadataLies, NameAlignmentsThatAreTooLarge) {
  ExpectAlignments("metadata-alignment-large", 11, [](std::uint64_t value) {
    return std::has_single_bit(value) && value >= std::uint64_t{2} << 20 &&
           value <= std::uint64_t{1} << 31;
  });
  ExpectAlignments("metadata-alignment-uneven-huge", 6, [](std::uint64_t value) {
    return !std::has_single_bit(value) && value > std::uint64_t{1} << 20;
  });
}

TEST_F(MetadataLies, LayTheFileOutByAnAlignmentThatIsNoPowerOfTwo) {
  std::set<std::uint64_t> values;
  for (const Told& told : ToldOf("metadata-alignment-uneven", kMetadataLies)) {
    const Records records(told.bytes);
    const std::uint64_t value = UnsignedOf(AlignmentsIn(records.draft).front()).value_or(0);
    EXPECT_FALSE(std::has_single_bit(value));
    values.insert(value);
    for (const Tensor& tensor : records.draft.tensors) {
      EXPECT_EQ(tensor.offset % value, 0U);
      const auto fill = static_cast<std::uint8_t>(&tensor - &records.draft.tensors[0] + 1);
      EXPECT_EQ(std::ranges::count(tensor.data, fill),
                static_cast<std::ptrdiff_t>(tensor.data.size()));
    }
  }
  EXPECT_GE(values.size(), 20U);
}

}  // namespace
}  // namespace ggufgate::mutate
