// Values of big-endian and version 1 files: in another encoding, a reader reads the same values.

#include "mutate/file/normalise.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <string>
#include <vector>

#include "mutate/repair/repair.h"
#include "parse/model.h"
#include "tests/mutate/workshop.h"

namespace ggufgate::mutate {
namespace {

using File = std::vector<std::uint8_t>;

// Everything returns a model with a scalar and an array of every type.
Model Everything(ByteOrder order) {
  Model model;
  model.byte_order = order;
  model.Set("u8", std::uint8_t{0xFE}).Set("i8", std::int8_t{-2});
  model.Set("u16", std::uint16_t{0x0102}).Set("i16", std::int16_t{-2});
  model.Set("u32", std::uint32_t{0x0102'0304}).Set("i32", std::int32_t{-2});
  model.Set("u64", std::uint64_t{0x0102'0304'0506'0708}).Set("i64", std::int64_t{-2});
  model.Set("f32", 1.5F).Set("f64", -2.25).Set("bool", true).Set("string", "text");
  model.Set("empty", "").Set("no strings", std::vector<std::string>());
  model.Set("u8s", std::vector<std::uint8_t>{1, 2, 3}).Set("i8s", std::vector<std::int8_t>{-1});
  model.Set("u16s", std::vector<std::uint16_t>{1, 0x0203}).Set("i64s", std::vector<std::int64_t>());
  model.Set("u64s", std::vector<std::uint64_t>{0x0102'0304'0506'0708, 9});
  model.Set("f32s", std::vector<float>{1.0F, -0.0F}).Set("f64s", std::vector<double>{1e300});
  model.Set("strings", std::vector<std::string>{"", "a", std::string(300, 'b')});
  return model;
}

// InVersion1 returns the same file in version 1 of the format: with words of 4 bytes. `file` is
// little-endian and has no nested arrays.
File InVersion1(const Model& model) {
  Encoder file(ByteOrder::kLittle);
  file.PutBytes(AsBytes(kMagic)).Put(std::uint32_t{1});
  file.Put(std::uint32_t{0}).Put(static_cast<std::uint32_t>(model.metadata.size()));
  for (const Model::Entry& entry : model.metadata) {
    file.Put(static_cast<std::uint32_t>(entry.key.size())).PutBytes(AsBytes(entry.key));
    file.Put(entry.type);
    Bytes rest = entry.payload;
    const auto put_word = [&] {
      file.Put(static_cast<std::uint32_t>(Load<std::uint64_t>(rest, ByteOrder::kLittle)));
      rest = rest.subspan(8);
    };
    const auto put = [&](std::size_t size) {
      file.PutBytes(rest.first(size));
      rest = rest.subspan(size);
    };
    bool strings = ValueType{entry.type} == ValueType::kString;
    if (ValueType{entry.type} == ValueType::kArray) {
      strings = ValueType{Load<std::uint32_t>(rest, ByteOrder::kLittle)} == ValueType::kString;
      put(4);
      put_word();
    }
    while (strings && !rest.empty()) {
      const auto length = Load<std::uint64_t>(rest, ByteOrder::kLittle);
      put_word();
      put(length);
    }
    put(rest.size());
  }
  return file.Take();
}

// ExpectEverything normalises a file and compares it with the valid encoding of the same model.
void ExpectEverything(const File& file, Encoding encoding) {
  const Model model = Everything(ByteOrder::kLittle);
  Workshop workshop(1);
  MutationContext& context = workshop.Fresh(file);
  ASSERT_EQ(context.draft.encoding, encoding);
  Normalise(context.draft, context.arena);
  EXPECT_EQ(context.draft.encoding, Encoding{});
  ASSERT_EQ(context.draft.entries.size(), model.metadata.size());
  for (std::size_t i = 0; i < model.metadata.size(); ++i) {
    const Entry& entry = context.draft.entries[i];
    EXPECT_EQ(entry.key, model.metadata[i].key);
    EXPECT_EQ(entry.type, model.metadata[i].type) << entry.key;
    EXPECT_THAT(entry.value, ::testing::ElementsAreArray(model.metadata[i].payload)) << entry.key;
  }
}

TEST(Normalise, TurnsBigEndianValues) {
  ExpectEverything(Write(Everything(ByteOrder::kBig)), {.order = ByteOrder::kBig, .word = 8});
}

TEST(Normalise, WidensWordsOfVersion1) {
  ExpectEverything(InVersion1(Everything(ByteOrder::kLittle)),
                   {.order = ByteOrder::kLittle, .word = 4});
}

TEST(Normalise, LeavesASoundFileAlone) {
  const File file = Write(Everything(ByteOrder::kLittle));
  Workshop workshop(1);
  MutationContext& context = workshop.Fresh(file);
  const std::size_t left = context.arena.Left();
  Normalise(context.draft, context.arena);
  EXPECT_EQ(context.arena.Left(), left);
  for (const Entry& entry : context.draft.entries) {  // the entries view the file
    EXPECT_TRUE(entry.value.data() >= file.data() && &entry.value.back() <= &file.back());
  }
}

// The gate reads the same from a big-endian file as from the repaired one.
TEST(Normalise, ChangesNothingThatAReaderReads) {
  const File big = Write(Everything(ByteOrder::kBig));
  Workshop workshop(1);
  MutationContext& context = workshop.Fresh(big);
  Repair(context);
  ASSERT_TRUE(context.Write());
  const ParseResult before = Parse(big, big.size(), {});
  const ParseResult after = Parse(context.bytes(), context.bytes().size(), {});
  ASSERT_FALSE(before.document.fault || after.document.fault);
  ASSERT_EQ(before.document.byte_order, ByteOrder::kBig);
  ASSERT_EQ(after.document.byte_order, ByteOrder::kLittle);
  ASSERT_EQ(before.document.metadata.size(), after.document.metadata.size());
  for (std::size_t i = 0; i < before.document.metadata.size(); ++i) {
    const MetadataEntry& was = before.document.metadata[i];
    const MetadataEntry& is = after.document.metadata[i];
    EXPECT_EQ(was.key, is.key);
    EXPECT_EQ(was.type, is.type) << was.key;
    EXPECT_EQ(was.element_type, is.element_type) << was.key;
    EXPECT_EQ(was.count, is.count) << was.key;
    EXPECT_EQ(before.document.StringOf(was), after.document.StringOf(is)) << was.key;
    EXPECT_EQ(before.document.UnsignedOf(was), after.document.UnsignedOf(is)) << was.key;
  }
}

TEST(Normalise, DropsWhatHasNoSoundEncoding) {
  Model model;
  model.byte_order = ByteOrder::kBig;
  model.Set("a", std::uint32_t{1});
  model.SetRaw("nested", ValueType::kArray,
               Encoder(ByteOrder::kBig)
                   .Put(std::uint32_t{9})
                   .Put(std::uint64_t{1})
                   .Put(std::uint32_t{0})
                   .Put(std::uint64_t{1})
                   .Put(std::uint8_t{5})
                   .Take());
  model.Set("b", std::uint32_t{2});
  const File file = Write(model);
  Workshop workshop(1);
  MutationContext& context = workshop.Fresh(file);
  ASSERT_EQ(context.draft.entries.size(), 3u);
  context.draft.entries[2].value = context.draft.entries[2].value.first(3);
  RepairMetadata(context);
  ASSERT_EQ(context.draft.entries.size(), 1u);
  EXPECT_EQ(context.draft.entries[0].key, "a");
}

TEST(Normalise, DropsWhatNoMemoryIsLeftFor) {
  const File file = Write(Everything(ByteOrder::kBig));
  Workshop workshop(1);
  MutationContext& context = workshop.Fresh(file);
  ASSERT_FALSE(context.arena.Take(context.arena.Left() - 5).empty());
  Normalise(context.draft, context.arena);
  // A value of one byte takes two during the conversion: there was space for two of them.
  ASSERT_EQ(context.draft.entries.size(), 2u);
  EXPECT_EQ(context.draft.entries[0].key, "u8");
  EXPECT_EQ(context.draft.entries[1].key, "i8");
}

}  // namespace
}  // namespace ggufgate::mutate
