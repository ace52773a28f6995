// Compares the offsets of a written draft with those that the parser finds.

#include "mutate/file/placement.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "format/limits.h"
#include "mutate/build/compose.h"
#include "mutate/file/writer.h"
#include "parse/parse.h"

namespace ggufgate::mutate {
namespace {

using Written = std::vector<std::uint8_t>;

constexpr std::size_t kPlacementRoom = std::size_t{1} << 19;

// PlacedDraft is a draft of three metadata records of different shapes and any number of tensors,
// with all its data. The bytes of tensors are never zero, those of padding always.
struct PlacedDraft {
  PlacedDraft(std::uint32_t alignment_in, std::vector<std::size_t> data_sizes, ByteOrder order)
      : alignment_value(4), array(12 + 3 * 2), data(70'000) {
    Store(alignment_in, order, alignment_value);
    Writer(array, {.order = order, .word = 8})
        .Put(IdOf(ValueType::kU16))
        .PutWord(3)
        .Put(std::uint16_t{1})
        .Put(std::uint16_t{2})
        .Put(std::uint16_t{3});
    draft.encoding.order = order;
    draft.alignment = alignment_in;
    draft.entries.Add(EntryOf("k", ValueType::kU8, AsBytes("x")));
    draft.entries.Add(EntryOf(kAlignmentKey, ValueType::kU32, alignment_value));
    draft.entries.Add(EntryOf("an.array", ValueType::kArray, array));
    std::uint8_t next = 0;
    for (std::uint8_t& byte : data) byte = ++next == 0 ? ++next : next;
    names.reserve(data_sizes.size());  // the views of the tensors stay valid
    for (const std::size_t size : data_sizes) {
      const auto i = static_cast<std::uint32_t>(draft.tensors.size());
      names.push_back("blk." + std::to_string(i) + std::string(i, '.'));
      draft.tensors.Add({.name = names.back(),
                         .dimension_count = i % 4 + 1,
                         .dims = {size, 1, 1, 1},
                         .type = 24,  // I8
                         .data = Bytes(data).subspan(i, size)});
    }
  }

  std::vector<std::uint8_t> alignment_value, array, data;
  std::vector<std::string> names;
  Draft draft;
};

// ExpectAsParsed compares every offset with those of the parsed file.
void ExpectAsParsed(const Draft& draft, const Placement& placement, const Document& document) {
  ASSERT_FALSE(document.fault.has_value());
  ASSERT_EQ(document.metadata.size(), placement.entries.size());
  for (std::size_t i = 0; i < document.metadata.size(); ++i) {
    const MetadataEntry& parsed = document.metadata[i];
    const std::uint64_t begin = placement.entries[i];
    EXPECT_EQ(begin, parsed.range.begin) << i;
    EXPECT_EQ(Placement::TypeAt(begin, draft.entries[i]), parsed.TypeRange().begin) << i;
    EXPECT_EQ(Placement::ValueAt(begin, draft.entries[i]), parsed.ValueRange().begin) << i;
  }
  EXPECT_EQ(placement.metadata_end, document.metadata.back().range.End());
  EXPECT_EQ(placement.directory_end, document.directory_end);
  ASSERT_EQ(document.tensors.size(), placement.tensors.size());
  ASSERT_EQ(document.tensors.size(), placement.data.size());
  for (std::size_t i = 0; i < document.tensors.size(); ++i) {
    const TensorInfo& parsed = document.tensors[i];
    const Tensor& tensor = draft.tensors[i];
    const std::uint64_t begin = placement.tensors[i];
    EXPECT_EQ(begin, parsed.begin) << i;
    EXPECT_EQ(Placement::DimensionCountAt(begin, tensor), parsed.DimensionCountRange().begin) << i;
    for (std::size_t j = 0; j < tensor.dimension_count; ++j) {
      EXPECT_EQ(Placement::DimensionAt(begin, tensor, j), parsed.DimensionRange(j).begin) << j;
    }
    EXPECT_EQ(Placement::TypeAt(begin, tensor), parsed.TypeRange().begin) << i;
    EXPECT_EQ(Placement::OffsetAt(begin, tensor), parsed.OffsetRange().begin) << i;
    EXPECT_EQ(placement.data[i], document.data_begin.value_or(0) + parsed.offset) << i;
  }
}

// ExpectData expects the data of each tensor, and zeros everywhere else after the directory.
void ExpectData(const Draft& draft, const Placement& placement, Written bytes) {
  for (std::size_t i = 0; i < draft.tensors.size(); ++i) {
    const auto stands =
        MutableBytes(bytes).subspan(placement.data[i], draft.tensors[i].data.size());
    EXPECT_TRUE(std::ranges::equal(stands, draft.tensors[i].data)) << i;
    std::ranges::fill(stands, std::uint8_t{0});
  }
  const Bytes rest = Bytes(bytes).subspan(placement.directory_end);
  EXPECT_EQ(std::ranges::count(rest, 0), std::ssize(rest)) << "padding is zeros";
}

TEST(Placement, IsWhereTheParserFindsEverything) {
  Written out(kPlacementRoom);
  Placement placement;
  for (const ByteOrder order : {ByteOrder::kLittle, ByteOrder::kBig}) {
    for (const std::uint32_t alignment : {1U, 2U, 8U, 24U, 32U, 64U, 4096U, 65536U}) {
      PlacedDraft subject(alignment, {1, 32, 33, 0, 5, 64}, order);
      LayOut(subject.draft);
      ASSERT_TRUE(WriteRepaired(subject.draft, out, placement)) << alignment;
      ASSERT_LE(placement.size, out.size());
      const Written file(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(placement.size));
      const ParseResult parsed = Parse(file, file.size(), Limits());
      ExpectAsParsed(subject.draft, placement, parsed.document);
      EXPECT_EQ(parsed.document.byte_order, order);
      EXPECT_EQ(placement.data_begin, parsed.document.data_begin) << alignment;
      EXPECT_EQ(placement.data_begin % alignment, 0U) << alignment;
      EXPECT_EQ(placement.data_end, placement.data[5] + 64) << alignment;
      EXPECT_EQ(placement.size % alignment, 0U) << "the last is padded as well";
      EXPECT_LT(placement.size - placement.data_end, alignment);
      ExpectData(subject.draft, placement, file);
    }
  }
}

TEST(Placement, HasTheHeaderWhereTheFormatHasIt) {
  PlacedDraft subject(32, {1, 2}, ByteOrder::kLittle);
  Written out(kPlacementRoom);
  Placement placement;
  ASSERT_TRUE(WriteRepaired(subject.draft, out, placement));
  EXPECT_EQ(Load<std::uint32_t>(Bytes(out).subspan(Placement::kVersionAt), ByteOrder::kLittle), 3U);
  EXPECT_EQ(Load<std::uint64_t>(Bytes(out).subspan(Placement::kTensorCountAt), ByteOrder::kLittle),
            2U);
  EXPECT_EQ(
      Load<std::uint64_t>(Bytes(out).subspan(Placement::kMetadataCountAt), ByteOrder::kLittle), 3U);
  EXPECT_EQ(placement.entries[0], kHeaderBytes);
}

TEST(Placement, EndsWithTheDirectoryWithoutTensors) {
  for (const std::uint32_t alignment : {1U, 32U, 65536U}) {
    PlacedDraft subject(alignment, {}, ByteOrder::kLittle);
    Written out(kPlacementRoom);
    Placement placement;
    ASSERT_TRUE(WriteRepaired(subject.draft, out, placement));
    EXPECT_EQ(placement.directory_end, placement.metadata_end);
    EXPECT_EQ(placement.data_begin, placement.directory_end);
    EXPECT_EQ(placement.data_end, placement.directory_end);
    EXPECT_EQ(placement.size, placement.directory_end) << "nothing to pad";
    const ParseResult parsed = Parse(Bytes(out).first(placement.size), placement.size, Limits());
    ExpectAsParsed(subject.draft, placement, parsed.document);
  }
}

TEST(Placement, ForgetsTheFileBefore) {
  PlacedDraft many(32, {1, 2, 3}, ByteOrder::kLittle);
  PlacedDraft none(32, {}, ByteOrder::kLittle);
  Written out(kPlacementRoom);
  Placement placement;
  ASSERT_TRUE(WriteRepaired(many.draft, out, placement));
  ASSERT_TRUE(WriteRepaired(none.draft, out, placement));
  EXPECT_TRUE(placement.tensors.empty());
  EXPECT_TRUE(placement.data.empty());
  EXPECT_EQ(placement.entries.size(), 3U);
}

TEST(Placement, NeedsRoomForTheLastByte) {
  PlacedDraft subject(32, {40, 3}, ByteOrder::kLittle);
  LayOut(subject.draft);
  Written out(kPlacementRoom);
  Placement placement;
  ASSERT_TRUE(WriteRepaired(subject.draft, out, placement));
  const std::size_t size = placement.size;
  for (std::size_t room = 0; room <= size; ++room) {
    Written exact(room);  // a separate allocation, to detect a write after it
    EXPECT_EQ(WriteRepaired(subject.draft, exact, placement), room == size) << room;
  }
}

TEST(LayOut, PutsTensorsOneBehindTheOther) {
  struct Case {
    std::uint32_t alignment;
    std::array<std::uint64_t, 4> offsets;  // of tensors of 1, 32, 33 and 0 bytes
  };
  constexpr std::array kCases = {
      Case{.alignment = 0, .offsets = {0, 1, 33, 66}},  // not repaired: no padding
      Case{.alignment = 1, .offsets = {0, 1, 33, 66}},
      Case{.alignment = 8, .offsets = {0, 8, 40, 80}},
      Case{.alignment = 24, .offsets = {0, 24, 72, 120}},
      Case{.alignment = 32, .offsets = {0, 32, 64, 128}},
      Case{.alignment = 65536, .offsets = {0, 65536, 131072, 196608}},
  };
  for (const Case& one : kCases) {
    PlacedDraft subject(one.alignment, {1, 32, 33, 0}, ByteOrder::kLittle);
    for (Tensor& tensor : subject.draft.tensors) tensor.offset = UINT64_MAX;
    LayOut(subject.draft);
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_EQ(subject.draft.tensors[i].offset, one.offsets.at(i)) << one.alignment << ' ' << i;
    }
  }
}

}  // namespace
}  // namespace ggufgate::mutate
