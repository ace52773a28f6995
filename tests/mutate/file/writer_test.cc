#include "mutate/file/writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ggufgate::mutate {
namespace {

using Written = std::vector<std::uint8_t>;

constexpr Encoding kLittle = {};
constexpr Encoding kBig = {.order = ByteOrder::kBig, .word = 8};
constexpr Encoding kFirst = {.order = ByteOrder::kLittle, .word = 4};  // version 1
constexpr Encoding kFirstBig = {.order = ByteOrder::kBig, .word = 4};

// With returns the bytes that `write` writes with enough space.
Written With(Encoding encoding, const std::function<void(Writer&)>& write) {
  Written out(256, 0xEE);
  Writer writer(out, encoding);
  write(writer);
  EXPECT_TRUE(writer.fits());
  EXPECT_EQ(out.at(writer.at()), 0xEE) << "written past the end";
  out.resize(writer.at());
  return out;
}

TEST(Writer, PutsNumbersInTheByteOrder) {
  const auto write = [](Writer& writer) {
    writer.Put(std::uint8_t{1}).Put(std::int16_t{-2}).Put(0x0304'0506U).Put(1.0F);
  };
  EXPECT_EQ(With(kLittle, write), (Written{1, 0xFE, 0xFF, 6, 5, 4, 3, 0, 0, 0x80, 0x3F}));
  EXPECT_EQ(With(kBig, write), (Written{1, 0xFF, 0xFE, 3, 4, 5, 6, 0x3F, 0x80, 0, 0}));
  EXPECT_EQ(With(kFirst, write), With(kLittle, write)) << "no number is narrower in version 1";
}

TEST(Writer, PutsWordsOfTheVersion) {
  const auto write = [](Writer& writer) { writer.PutWord(0x0102'0304'0506'0708); };
  EXPECT_EQ(With(kLittle, write), (Written{8, 7, 6, 5, 4, 3, 2, 1}));
  EXPECT_EQ(With(kBig, write), (Written{1, 2, 3, 4, 5, 6, 7, 8}));
  EXPECT_EQ(With(kFirst, write), (Written{8, 7, 6, 5})) << "the lower half";
  EXPECT_EQ(With(kFirstBig, write), (Written{5, 6, 7, 8}));
}

TEST(Writer, PutsStringsBehindTheirLength) {
  EXPECT_EQ(With(kLittle, [](Writer& writer) { writer.PutString("ab"); }),
            (Written{2, 0, 0, 0, 0, 0, 0, 0, 'a', 'b'}));
  EXPECT_EQ(With(kFirstBig, [](Writer& writer) { writer.PutString("ab").PutString(""); }),
            (Written{0, 0, 0, 2, 'a', 'b', 0, 0, 0, 0}));
}

TEST(Writer, FillsAndCopies) {
  EXPECT_EQ(With(kBig, [](Writer& writer) { writer.Fill(3, 7).Fill(0, 8).PutBytes({}); }),
            (Written{7, 7, 7}));
  EXPECT_EQ(With(kBig, [](Writer& writer) { writer.PutBytes(AsBytes("GGUF")); }),
            (Written{'G', 'G', 'U', 'F'}));
}

TEST(Writer, LeavesOutWhatDoesNotFitAndAllBehindIt) {
  struct Case {
    const char* what;
    std::size_t size;  // bytes it takes
    std::function<void(Writer&)> write;
  };
  const std::vector<Case> cases = {
      {"u32", 4, [](Writer& writer) { writer.Put(1U); }},
      {"word", 8, [](Writer& writer) { writer.PutWord(1); }},
      {"bytes", 5, [](Writer& writer) { writer.PutBytes(AsBytes("bytes")); }},
      {"fill", 6, [](Writer& writer) { writer.Fill(6, 1); }},
  };
  for (const Case& one : cases) {
    for (std::size_t room = 0; room <= 9; ++room) {
      Written out(room + 1, 0xEE);  // one more after the space
      Writer writer(MutableBytes(out).first(room), kLittle);
      one.write(writer);
      const bool fits = one.size <= room;
      EXPECT_EQ(writer.fits(), fits) << one.what << ' ' << room;
      EXPECT_EQ(writer.at(), fits ? one.size : 0) << one.what << ' ' << room;
      if (!fits) writer.Put(std::uint8_t{0});
      const Written behind(out.begin() + static_cast<std::ptrdiff_t>(writer.at()), out.end());
      EXPECT_THAT(behind, ::testing::Each(0xEE)) << one.what << ' ' << room;
    }
  }
}

TEST(Writer, FillIsNotFooledByHugeCounts) {
  Written out(16, 0xEE);
  for (const std::uint64_t count : {std::uint64_t{16}, UINT64_MAX, UINT64_MAX - 1}) {
    Writer writer(out, kLittle);
    writer.Put(std::uint8_t{0xEE}).Fill(count, 0);
    EXPECT_FALSE(writer.fits()) << count;
    EXPECT_THAT(out, ::testing::Each(0xEE)) << count;
  }
}

TEST(Writer, StringsMayEndBehindTheirLength) {
  Written out(10, 0);
  Writer writer(out, kLittle);
  writer.PutString("abc");
  EXPECT_FALSE(writer.fits());
  EXPECT_EQ(writer.at(), 8U) << "the length was still written";
}

TEST(PutEntry, WritesKeyTypeAndValueAsTheyStand) {
  const Entry entry{.key = "k", .type = 0xFFFF'FFFF, .value = AsBytes("xyz")};
  EXPECT_EQ(With(kLittle, [&](Writer& writer) { PutEntry(writer, entry); }),
            (Written{1, 0, 0, 0, 0, 0, 0, 0, 'k', 0xFF, 0xFF, 0xFF, 0xFF, 'x', 'y', 'z'}));
  EXPECT_EQ(With(kFirstBig, [](Writer& writer) { PutEntry(writer, {.key = "", .type = 7}); }),
            (Written{0, 0, 0, 0, 0, 0, 0, 7}));
}

TEST(PutTensor, WritesAsManyDimensionsAsItHas) {
  for (const std::uint32_t count : {0U, 1U, 2U, 3U, 4U, 5U, 6U, UINT32_MAX}) {
    const Tensor tensor{
        .name = "t", .dimension_count = count, .dims = {1, 2, 3, 4, 5}, .type = 8, .offset = 0x90};
    Written expected = {0, 0, 0, 1, 't'};
    for (const unsigned shift : {24U, 16U, 8U, 0U}) {
      expected.push_back(static_cast<std::uint8_t>(count >> shift));
    }
    for (std::uint8_t i = 0; i < std::min(count, 5U); ++i) {  // a sixth is never kept
      const Written dimension = {0, 0, 0, static_cast<std::uint8_t>(i + 1)};
      expected.insert(expected.end(), dimension.begin(), dimension.end());
    }
    const Written end = {0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0x90};  // an offset always has 8 bytes
    expected.insert(expected.end(), end.begin(), end.end());
    EXPECT_EQ(With(kFirstBig, [&](Writer& writer) { PutTensor(writer, tensor); }), expected)
        << count;
  }
}

// Records that are unchanged in the input are copied from there, several at once. Changed records
// are never copied: each of these is written as if there were no input.
TEST(WriteRepaired, TakesOnlyRecordsFromTheInputThatAreStillWhatTheyWere) {
  const auto put_input = [](Writer& writer) {
    writer.PutBytes(AsBytes("GGUF")).Put(3U).PutWord(0).PutWord(4);
    for (const std::string_view key : {"general.a", "general.b", "c", ""}) {
      PutEntry(
          writer,
          {.key = key, .type = 8, .value = AsBytes(std::string_view("\2\0\0\0\0\0\0\0xy", 10))});
    }
  };
  const Written input = With(kLittle, put_input);
  Written moved(input);
  const std::vector<std::pair<const char*, std::function<void(Draft&)>>> changes = {
      {"none", [](Draft&) {}},
      {"a type", [](Draft& draft) { draft.entries[1].type = 9; }},
      {"a key's front", [](Draft& draft) { draft.entries[1].key.remove_prefix(1); }},
      {"a key's end", [](Draft& draft) { draft.entries[1].key.remove_suffix(1); }},
      {"a value's front",
       [](Draft& draft) { draft.entries[0].value = draft.entries[0].value.subspan(1); }},
      {"a value's end",
       [](Draft& draft) { draft.entries[2].value = draft.entries[2].value.first(9); }},
      {"another key", [](Draft& draft) { draft.entries[0].key = "general.z"; }},
      {"another's key", [](Draft& draft) { draft.entries[0].key = draft.entries[1].key; }},
      {"another's value", [](Draft& draft) { draft.entries[0].value = draft.entries[1].value; }},
      {"the order", [](Draft& draft) { std::swap(draft.entries[0], draft.entries[2]); }},
      {"one less", [](Draft& draft) { draft.entries.Remove(1); }},
      {"one twice", [](Draft& draft) { draft.entries.Insert(2, draft.entries[1]); }},
      {"another input", [&](Draft& draft) { draft.input = Bytes(moved).first(60); }},
      {"the byte order", [](Draft& draft) { draft.encoding = kBig; }},
  };
  for (const auto& [what, change] : changes) {
    const auto written = [&](bool with_input) {
      Draft draft;
      TakeApart(input, draft);
      EXPECT_EQ(draft.entries.size(), 4U);
      change(draft);
      if (!with_input) draft.input = {};
      Placement placement;
      Written out(256, 0xEE);
      EXPECT_TRUE(WriteRepaired(draft, out, placement)) << what;
      out.resize(placement.size);
      const auto begins = placement.entries.Things();
      return std::pair(out, std::vector<std::uint64_t>(begins.begin(), begins.end()));
    };
    EXPECT_EQ(written(true), written(false)) << what;
  }
}

}  // namespace
}  // namespace ggufgate::mutate
