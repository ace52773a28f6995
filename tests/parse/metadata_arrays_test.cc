// Arrays without inner arrays: counts, strings, and the limits of both.

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/parse_helpers.h"

namespace ggufgate::testing {
namespace {

using Section = Place::Section;

// The key "k" has 24 + 8 + 1 + 4 = 37 bytes before its value; the count of an array follows its
// element type, and the elements follow at 49.
constexpr std::uint64_t kTypeAt = 37;
constexpr std::uint64_t kCountAt = 41;
constexpr std::uint64_t kElementsAt = 49;

Encoder ArrayOf(std::uint32_t element_type, std::uint64_t count, ByteOrder order) {
  return HeaderOf(0, 1, order)
      .PutString("k")
      .Put(IdOf(ValueType::kArray))
      .Put(element_type)
      .Put(count);
}

Fault FaultInK(FaultKind kind, ByteRange where, const char* field, std::uint64_t observed,
               std::uint64_t allowed) {
  return {.kind = kind,
          .where = where,
          .field = field,
          .place = {.section = Section::kMetadata, .name = "k"},
          .observed = observed,
          .allowed = allowed};
}

TEST(MetadataArrays, AnArrayOfEveryScalarTypeIsReadWhereItStands) {
  for (const ByteOrder order : kOrders) {
    for (std::uint32_t id = 0; id <= 12; ++id) {
      const std::uint64_t bytes = FindValueType(id)->scalar_bytes;
      if (bytes == 0) continue;
      for (const std::uint64_t count : {0U, 1U, 3U, 1'000U}) {
        const Parsed parsed = ParseWhole(ArrayOf(id, count, order).PutZeros(count * bytes).Take());
        ASSERT_FALSE(parsed.document.fault);
        const MetadataEntry& entry = parsed.document.metadata.front();
        EXPECT_EQ(entry.type, ValueType::kArray);
        EXPECT_TRUE(entry.IsArrayOf(FindValueType(id)->type));
        EXPECT_FALSE(entry.IsArrayOf(ValueType::kString));
        EXPECT_EQ(entry.count, count);
        EXPECT_EQ(entry.depth, 1U);
        EXPECT_EQ(entry.ValueRange().begin, kTypeAt);
        EXPECT_EQ(entry.ElementsRange(), (ByteRange{.begin = kElementsAt, .size = count * bytes}));
        EXPECT_EQ(entry.range.End(), parsed.file.size());
      }
    }
  }
}

TEST(MetadataArrays, AnArrayOfStringsIsReadToItsLastCharacter) {
  for (const ByteOrder order : kOrders) {
    Encoder file = ArrayOf(8, 3, order).PutString("one").PutString("").PutString("three");
    const Parsed parsed = ParseWhole(file.Take());
    ASSERT_FALSE(parsed.document.fault);
    const MetadataEntry& entry = parsed.document.metadata.front();
    EXPECT_TRUE(entry.IsArrayOf(ValueType::kString));
    EXPECT_EQ(entry.count, 3U);
    EXPECT_EQ(entry.ElementsRange(), (ByteRange{.begin = kElementsAt, .size = 8 + 3 + 8 + 8 + 5}));
    EXPECT_EQ(entry.range.End(), parsed.file.size());
  }
}

TEST(MetadataArrays, AnUnknownElementTypeIsAFaultEvenOfAnEmptyArray) {
  for (const ByteOrder order : kOrders) {
    for (const std::uint32_t id : {13U, 255U, UINT32_MAX}) {
      for (const std::uint64_t count : {0U, 1U}) {
        EXPECT_EQ(FaultOf(ArrayOf(id, count, order).PutZeros(8).Take()),
                  LineOf(FaultInK(FaultKind::kArrayElementType, {.begin = kTypeAt, .size = 4},
                                  "array element type", id, 12)));
      }
    }
  }
}

TEST(MetadataArrays, ACountMayClaimAllBytesLeftButNotOneElementMore) {
  for (const ByteOrder order : kOrders) {
    for (std::uint32_t id = 0; id <= 12; ++id) {
      const std::uint64_t least = MinimumBytes(FindValueType(id)->type);
      const File room(5 * least + least - 1);  // space for five, and almost six
      EXPECT_EQ(FaultOf(ArrayOf(id, 5, order).PutBytes(room).Take()), "no fault") << id;
      const std::uint64_t wraps = UINT64_MAX / std::max<std::uint64_t>(least, 2) + 1;
      for (const std::uint64_t claimed :
           {std::uint64_t{6}, UINT64_MAX / least, wraps, UINT64_MAX}) {
        EXPECT_EQ(FaultOf(ArrayOf(id, claimed, order).PutBytes(room).Take()),
                  LineOf(FaultInK(FaultKind::kArrayCount, {.begin = kCountAt, .size = 8},
                                  "array count", claimed, room.size() / least)));
      }
    }
  }
}

TEST(MetadataArrays, TheElementLimitBoundsTheCount) {
  Limits limits;
  limits.array_elements = 5;
  EXPECT_EQ(FaultOf(ArrayOf(0, 5, ByteOrder::kLittle).PutZeros(9).Take(), limits), "no fault");
  Fault fault =
      FaultInK(FaultKind::kArrayCount, {.begin = kCountAt, .size = 8}, "array count", 6, 5);
  fault.by_limit = true;
  EXPECT_EQ(FaultOf(ArrayOf(0, 6, ByteOrder::kLittle).PutZeros(9).Take(), limits), LineOf(fault));
}

TEST(MetadataArrays, AHeadThatIsCutIsTruncatedMetadata) {
  EXPECT_EQ(FaultOf(HeaderOf(0, 1).PutString("k").Put(std::uint32_t{9}).PutZeros(3).Take()),
            LineOf(FaultInK(FaultKind::kTruncatedMetadata, {.begin = kTypeAt, .size = 4},
                            "array element type", 4, 3)));
  EXPECT_EQ(FaultOf(HeaderOf(0, 1).PutString("k").Put(std::uint32_t{9}).PutZeros(11).Take()),
            LineOf(FaultInK(FaultKind::kTruncatedMetadata, {.begin = kCountAt, .size = 8},
                            "array count", 8, 7)));
}

// ManyStrings returns an array of four strings. The third claims `length`; 8 bytes follow the
// length.
File ManyStrings(std::uint64_t length, ByteOrder order) {
  return ArrayOf(8, 4, order).PutString("ab").PutString("cd").Put(length).PutZeros(8).Take();
}

TEST(MetadataArrays, AStringOfAnArrayMayClaimTheBytesLeftButNotOneMore) {
  const std::uint64_t third_at = kElementsAt + 20;
  for (const ByteOrder order : kOrders) {
    EXPECT_EQ(FaultOf(ManyStrings(0, order)), "no fault");
    for (const std::uint64_t claimed : {std::uint64_t{9}, std::uint64_t{1} << 63, UINT64_MAX}) {
      Fault fault = FaultInK(FaultKind::kStringLength, {.begin = third_at, .size = 8},
                             "string length", claimed, 8);
      fault.place.element = 2;
      EXPECT_EQ(FaultOf(ManyStrings(claimed, order)), LineOf(fault));
    }
    Fault next = FaultInK(FaultKind::kTruncatedMetadata, {.begin = third_at + 16, .size = 8},
                          "string length", 8, 0);
    next.place.element = 3;
    EXPECT_EQ(FaultOf(ManyStrings(8, order)), LineOf(next)) << "the third took the fourth's room";
  }
}

TEST(MetadataArrays, TheStringLimitBoundsStringsOfArrays) {
  Limits limits;
  limits.string_bytes = 2;
  Model model;
  model.Set("k", std::vector<std::string>{"ab", "cd"});
  EXPECT_EQ(FaultOf(model, limits), "no fault");
  model.Set("k", std::vector<std::string>{"ab", "cde"});
  Fault fault = FaultInK(FaultKind::kStringLength, {.begin = kElementsAt + 10, .size = 8},
                         "string length", 3, 2);
  fault.by_limit = true;
  fault.place.element = 1;
  EXPECT_EQ(FaultOf(model, limits), LineOf(fault));
}

TEST(MetadataArrays, TheLimitOnStringsCountsAllArraysTogether) {
  Limits limits;
  limits.array_strings = 5;
  Model model;
  model.Set("k", std::vector<std::string>(2)).Set("l", std::vector<std::string>(3));
  model.Set("numbers", std::vector<std::uint32_t>(100));
  EXPECT_EQ(FaultOf(model, limits), "no fault");

  limits.array_strings = 4;
  const std::uint64_t second_at = kElementsAt + 2 * 8;
  EXPECT_EQ(FaultOf(model, limits),
            LineOf({.kind = FaultKind::kArrayStrings,
                    .where = {.begin = second_at + 8 + 1 + 4 + 4, .size = 8},
                    .field = "array count",
                    .place = {.section = Section::kMetadata, .index = 1, .name = "l"},
                    .observed = 5,
                    .allowed = 4,
                    .by_limit = true}));
}

// Large returns a vocabulary of 60,000 short strings that contain their positions.
std::vector<std::string> Large() {
  std::vector<std::string> texts;
  for (int i = 0; i < 60'000; ++i) texts.push_back("t" + std::to_string(i));
  return texts;
}

TEST(MetadataArrays, InALargeVocabularyTheStringThatIsWrongIsNamed) {
  const std::vector<std::string> texts = Large();
  for (const ByteOrder order : kOrders) {
    Model model;
    model.byte_order = order;
    model.Set("k", texts);
    const File sound = Write(model);
    EXPECT_EQ(FaultOf(sound), "no fault");
    std::uint64_t at = kElementsAt;
    for (std::size_t i = 0; i < texts.size(); ++i) {
      if (i % 7'919 == 0 || i + 1 == texts.size()) {
        File file = sound;
        const std::uint64_t room = file.size() - at - 8;
        Store(room + 1, order, MutableBytes(file).subspan(at));
        Fault fault = FaultInK(FaultKind::kStringLength, {.begin = at, .size = 8}, "string length",
                               room + 1, room);
        fault.place.element = i;
        ASSERT_EQ(FaultOf(file), LineOf(fault));
      }
      at += 8 + texts.at(i).size();
    }
  }
}

TEST(MetadataArrays, ALargeVocabularyAsksForMoreAtEveryCut) {
  Model model;
  model.Set("k", Large());
  const File file = Write(model);
  for (std::size_t size = 0; size < file.size(); size += 4'001) {
    const ParseResult result = Parse(PrefixOf(file, size), file.size(), {});
    ASSERT_TRUE(result.NeedsMore());
    ASSERT_GT(result.bytes_needed, size);
    ASSERT_LE(result.bytes_needed, size + 32) << "the field that was cut, and no more";
  }
}

// Lengths with a byte of 0x80 or more are not ASCII; all others are.
TEST(MetadataArrays, WideLengthsAreThoseOf128AndMore) {
  struct Case {
    std::size_t length;
    bool wide;
  };
  constexpr Case kCases[] = {{0, false},     {1, false},     {127, false},    {128, true},
                             {255, true},    {256, true},    {0x17F, true},   {0x180, true},
                             {0x7F7F, true}, {0x8000, true}, {0x10000, true}, {0x1'8000, true}};
  for (const ByteOrder order : kOrders) {
    Model model;
    model.byte_order = order;
    model.Set("plain", std::string(200, 'x'));  // not an array: its length is checked separately
    model.Set("numbers", std::vector<std::uint8_t>(200));
    std::vector<std::string> texts;
    for (const Case& one : kCases) texts.emplace_back(one.length, 'x');
    model.Set("texts", texts);
    const Parsed parsed = ParseSound(model);

    std::vector<std::uint64_t> expected;
    std::uint64_t at = parsed.document.metadata.back().ElementsRange().begin;
    for (const Case& one : kCases) {
      if (one.wide) expected.push_back(at);
      at += 8 + one.length;
    }
    EXPECT_EQ(parsed.document.wide_lengths, expected);
  }
}

TEST(MetadataArrays, WideLengthsOfInnerArraysAreSeenToo) {
  Model model;
  Encoder payload(ByteOrder::kLittle);
  payload.Put(IdOf(ValueType::kArray)).Put(std::uint64_t{1});
  payload.Put(IdOf(ValueType::kString)).Put(std::uint64_t{1}).PutString(std::string(130, 'x'));
  model.SetRaw("k", ValueType::kArray, payload.Take());
  EXPECT_EQ(ParseSound(model).document.wide_lengths, std::vector<std::uint64_t>{kElementsAt + 12});
}

}  // namespace
}  // namespace ggufgate::testing
