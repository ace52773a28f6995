// Keys and scalar values. Arrays are in metadata_arrays_test.cc and metadata_nested_test.cc.

#include <gtest/gtest.h>

#include "tests/support/parse_helpers.h"

namespace ggufgate::testing {
namespace {

using Section = Place::Section;

TEST(Metadata, AScalarOfEveryTypeIsReadWhereItStands) {
  for (const ByteOrder order : kOrders) {
    for (std::uint32_t id = 0; id <= 12; ++id) {
      const std::uint64_t bytes = FindValueType(id)->scalar_bytes;
      if (bytes == 0) continue;
      Model model;
      model.byte_order = order;
      model.SetRaw("a.key", FindValueType(id)->type, File(bytes, 0x5A));
      model.Set("next", std::uint8_t{1});
      const Parsed parsed = ParseSound(model);

      ASSERT_EQ(parsed.document.metadata.size(), 2U);
      const MetadataEntry& entry = parsed.document.metadata.front();
      EXPECT_EQ(entry.key, "a.key");
      EXPECT_EQ(IdOf(entry.type), id);
      EXPECT_EQ(entry.range, (ByteRange{.begin = 24, .size = 8 + 5 + 4 + bytes}));
      EXPECT_EQ(entry.KeyLengthRange(), (ByteRange{.begin = 24, .size = 8}));
      EXPECT_EQ(entry.KeyRange(), (ByteRange{.begin = 32, .size = 5}));
      EXPECT_EQ(entry.TypeRange(), (ByteRange{.begin = 37, .size = 4}));
      EXPECT_EQ(entry.ValueRange(), (ByteRange{.begin = 41, .size = bytes}));
      EXPECT_EQ(entry.ElementsRange(), entry.ValueRange());
      EXPECT_EQ(entry.depth, 0U);
      EXPECT_EQ(parsed.document.metadata.back().range.begin, entry.range.End());
    }
  }
}

TEST(Metadata, AStringIsItsLengthAndItsCharacters) {
  Model model;
  model.Set("k", "hello");
  const Parsed parsed = ParseSound(model);
  const MetadataEntry& entry = parsed.document.metadata.front();
  EXPECT_EQ(entry.ValueRange(), (ByteRange{.begin = 24 + 8 + 1 + 4, .size = 8 + 5}));
  EXPECT_EQ(entry.ElementsRange(), (ByteRange{.begin = 45, .size = 5}));
  EXPECT_EQ(AsText(parsed.document.BytesAt(entry.ElementsRange())), "hello");
}

TEST(Metadata, WhatTheRulesJudgeIsNoFault) {
  Model model;
  model.Set("", std::uint8_t{1});
  model.Set("twice", std::uint8_t{1});
  model.metadata.push_back(model.metadata.back());
  model.Set(std::string_view("nul\0here", 8), std::uint8_t{1});
  model.SetRaw("bool", ValueType::kBool, {2});
  model.Set("utf8", "\xFF\xFE");
  EXPECT_EQ(ParseSound(model).document.metadata.size(), 6U);
}

TEST(Metadata, AnUnknownValueTypeIsAFault) {
  for (const ByteOrder order : kOrders) {
    for (const std::uint32_t id : {13U, 14U, 256U, UINT32_MAX}) {
      Model model;
      model.byte_order = order;
      model.Set("fine", std::uint8_t{1});  // 8 + 4 + 4 + 1 bytes from 24
      model.Set("abc", std::uint64_t{0});
      model.metadata.back().type = id;
      EXPECT_EQ(FaultOf(model),
                LineOf({.kind = FaultKind::kValueType,
                        .where = {.begin = 41 + 8 + 3, .size = 4},
                        .field = "value type",
                        .place = {.section = Section::kMetadata, .index = 1, .name = "abc"},
                        .observed = id,
                        .allowed = 12}));
      model.metadata.back().type = 12;
      EXPECT_EQ(FaultOf(model), "no fault");
    }
  }
}

// OneKey returns a file whose first key claims `length` bytes, with `rest` zeros after the length.
File OneKey(std::uint64_t length, std::uint64_t rest, ByteOrder order) {
  return HeaderOf(0, 1, order).Put(length).PutZeros(rest).Take();
}

TEST(Metadata, AKeyMayClaimAllBytesLeftButNotOneMore) {
  const Place first = {.section = Section::kMetadata};
  for (const ByteOrder order : kOrders) {
    Place read = first;
    read.name = std::string_view("\0\0\0\0\0\0\0\0\0\0", 10);
    EXPECT_EQ(FaultOf(OneKey(10, 10, order)), LineOf({.kind = FaultKind::kTruncatedMetadata,
                                                      .where = {.begin = 42, .size = 4},
                                                      .field = "value type",
                                                      .place = read,
                                                      .observed = 4,
                                                      .allowed = 0}));
    for (const std::uint64_t claimed :
         {std::uint64_t{11}, std::uint64_t{1} << 63, UINT64_MAX - 31, UINT64_MAX}) {
      EXPECT_EQ(FaultOf(OneKey(claimed, 10, order)), LineOf({.kind = FaultKind::kStringLength,
                                                             .where = {.begin = 24, .size = 8},
                                                             .field = "key length",
                                                             .place = first,
                                                             .observed = claimed,
                                                             .allowed = 10}));
    }
  }
}

// OneString returns a file with the key "k" whose string claims `length` of `rest` bytes.
File OneString(std::uint64_t length, std::uint64_t rest, ByteOrder order) {
  return HeaderOf(0, 1, order)
      .PutString("k")
      .Put(IdOf(ValueType::kString))
      .Put(length)
      .PutZeros(rest)
      .Take();
}

TEST(Metadata, AStringMayClaimAllBytesLeftButNotOneMore) {
  for (const ByteOrder order : kOrders) {
    EXPECT_EQ(FaultOf(OneString(10, 10, order)), "no fault");
    EXPECT_EQ(FaultOf(OneString(0, 0, order)), "no fault");
    for (const std::uint64_t claimed : {std::uint64_t{11}, std::uint64_t{1} << 63, UINT64_MAX}) {
      EXPECT_EQ(FaultOf(OneString(claimed, 10, order)),
                LineOf({.kind = FaultKind::kStringLength,
                        .where = {.begin = 37, .size = 8},
                        .field = "string length",
                        .place = {.section = Section::kMetadata, .name = "k"},
                        .observed = claimed,
                        .allowed = 10}));
    }
  }
}

TEST(Metadata, TheStringLimitBoundsKeysAndStrings) {
  Limits limits;
  limits.string_bytes = 6;
  Model model;
  model.Set("sixsix", "sixsix");
  EXPECT_EQ(FaultOf(model, limits), "no fault");

  limits.string_bytes = 5;
  EXPECT_EQ(FaultOf(model, limits), LineOf({.kind = FaultKind::kStringLength,
                                            .where = {.begin = 24, .size = 8},
                                            .field = "key length",
                                            .place = {.section = Section::kMetadata},
                                            .observed = 6,
                                            .allowed = 5,
                                            .by_limit = true}));
  model.metadata.front().key = "five5";
  EXPECT_EQ(FaultOf(model, limits),
            LineOf({.kind = FaultKind::kStringLength,
                    .where = {.begin = 24 + 8 + 5 + 4, .size = 8},
                    .field = "string length",
                    .place = {.section = Section::kMetadata, .name = "five5"},
                    .observed = 6,
                    .allowed = 5,
                    .by_limit = true}));
}

TEST(Metadata, ALengthThatBreaksFileAndLimitIsAFactAboutTheFile) {
  Limits limits;
  limits.string_bytes = 5;
  EXPECT_NE(FaultOf(OneString(11, 10, ByteOrder::kLittle), limits).find("at most 10 by the file"),
            std::string::npos);
}

TEST(Metadata, AScalarNeedsItsLastByte) {
  for (std::uint32_t id = 0; id <= 12; ++id) {
    const std::uint64_t bytes = FindValueType(id)->scalar_bytes;
    if (bytes == 0) continue;
    Encoder whole = HeaderOf(0, 1).PutString("longer").Put(id).PutZeros(bytes - 1);
    EXPECT_EQ(FaultOf(whole.Take()),
              LineOf({.kind = FaultKind::kTruncatedMetadata,
                      .where = {.begin = 24 + 8 + 6 + 4, .size = bytes},
                      .field = "value",
                      .place = {.section = Section::kMetadata, .name = "longer"},
                      .observed = bytes,
                      .allowed = bytes - 1}));
    EXPECT_EQ(FaultOf(HeaderOf(0, 1).PutString("longer").Put(id).PutZeros(bytes).Take()),
              "no fault");
  }
}

TEST(Metadata, WhatWasReadBeforeAFaultStaysInTheDocument) {
  Model model;
  model.Set("first", std::uint32_t{1}).Set("second", "text").Set("third", std::uint8_t{0});
  model.metadata.back().type = 13;
  model.Add("weight", TensorType::kF32, {4});
  const Parsed parsed = ParseWhole(model);
  ASSERT_TRUE(parsed.document.fault);
  ASSERT_EQ(parsed.document.metadata.size(), 2U);
  EXPECT_EQ(parsed.document.metadata.back().key, "second");
  EXPECT_EQ(parsed.document.directory_end, parsed.document.metadata.back().range.End());
  EXPECT_EQ(parsed.document.metadata_count, 3U);
  EXPECT_TRUE(parsed.document.tensors.empty());
  EXPECT_FALSE(parsed.document.data_begin);
}

TEST(Metadata, KeysBeyondTheCountAreNotRead) {
  Model model;
  model.Set("first", std::uint32_t{1}).Set("second", std::uint32_t{2});
  model.claimed_metadata_count = 1;
  const Parsed parsed = ParseSound(model);
  EXPECT_EQ(parsed.document.metadata.size(), 1U);
  EXPECT_LT(parsed.document.directory_end, parsed.document.file_size);
}

}  // namespace
}  // namespace ggufgate::testing
