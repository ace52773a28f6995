// Where parsing continues after an invalid record: an early lie hides no more than necessary, and
// the search for the next record ends.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "mutate/file/draft.h"
#include "mutate/file/writer.h"
#include "mutate/memory/random.h"

namespace ggufgate::mutate {
namespace {

using Content = std::vector<std::uint8_t>;

constexpr std::uint32_t kArray = 9;
constexpr std::uint32_t kNoType = 13;

// Taken is a parsed file. It checks at once that Emit returns the same bytes.
struct Taken {
  Taken(std::uint64_t tensors, std::uint64_t keys, const std::function<void(Writer&)>& write,
        Encoding encoding = {})
      : file(std::size_t{1} << 18) {
    Writer writer(file, encoding);
    writer.PutBytes(AsBytes("GGUF")).Put(encoding.word == 4 ? 1U : 3U);
    writer.PutWord(tensors).PutWord(keys);
    write(writer);
    EXPECT_TRUE(writer.fits());
    file.resize(writer.at());
    TakeApart(file, draft);
    Content out(file.size());
    EXPECT_EQ(WriteAsItStands(draft, {.first = draft.tail}, out), file.size());
    EXPECT_EQ(out, file);
  }

  [[nodiscard]] std::vector<std::string> Keys() const {
    std::vector<std::string> keys;
    for (const Entry& entry : draft.entries) keys.emplace_back(entry.key);
    return keys;
  }
  [[nodiscard]] std::size_t OpaqueBytes() const {
    std::size_t bytes = 0;
    for (const Bytes run : draft.opaque) bytes += run.size();
    return bytes;
  }

  Content file;
  Draft draft;
};

void PutKey(Writer& writer, std::string_view key) {
  PutEntry(writer, {.key = key, .type = 0, .value = AsBytes("v")});
}

void PutWeight(Writer& writer, std::string_view name) {
  PutTensor(writer, {.name = name, .dimension_count = 1, .dims = {32, 1, 1, 1}});
}

struct Lie {
  const char* what;
  std::function<void(Writer&)> write;  // instead of a record
};

std::vector<Lie> Lies() {
  return {
      {"key length",
       [](Writer& writer) {
         writer.PutWord(0x7FFF'FFFF).PutBytes(AsBytes("lie.key")).Put(0U).Put(std::uint8_t{1});
       }},
      {"type", [](Writer& writer) { writer.PutString("lie.key").Put(kNoType).Put(1U); }},
      {"array count",
       [](Writer& writer) {
         writer.PutString("lie.key").Put(kArray).Put(4U).PutWord(0x4000'0000).Put(1U);
       }},
      {"element type",
       [](Writer& writer) {
         writer.PutString("lie.key").Put(kArray).Put(kNoType).PutWord(1).Put(1U);
       }},
      {"string length",
       [](Writer& writer) {
         writer.PutString("lie.key").Put(8U).PutWord(0x7FFF'FFFF).PutBytes(AsBytes("text"));
       }},
      {"string in an array",
       [](Writer& writer) {
         writer.PutString("lie.key").Put(kArray).Put(8U).PutWord(2).PutString("text");
         writer.PutWord(0x7FFF'FFFF).PutBytes(AsBytes("text"));
       }},
  };
}

TEST(DraftResync, AnEarlyLieDoesNotHideTheDirectory) {
  for (const ByteOrder order : {ByteOrder::kLittle, ByteOrder::kBig}) {
    for (const std::size_t word : {4U, 8U}) {
      for (const Lie& lie : Lies()) {
        const Taken taken(2, 4,
                          [&](Writer& writer) {
                            PutKey(writer, "first.key");
                            lie.write(writer);
                            PutKey(writer, "third.key");
                            PutKey(writer, "fourth.key");
                            PutWeight(writer, "blk.0.weight");
                            PutWeight(writer, "blk.1.weight");
                            writer.Fill(64, 0xDD);
                          },
                          {.order = order, .word = word});
        EXPECT_THAT(taken.Keys(), ::testing::ElementsAre("first.key", "third.key", "fourth.key"))
            << lie.what << ' ' << word;
        ASSERT_EQ(taken.draft.tensors.size(), 2U) << lie.what << ' ' << word;
        EXPECT_EQ(taken.draft.tensors[0].name, "blk.0.weight");
        EXPECT_EQ(taken.draft.opaque.size(), 1U) << lie.what;
        EXPECT_EQ(taken.draft.tail.size(), 64U) << lie.what;
      }
    }
  }
}

TEST(DraftResync, ALieInTheDirectoryHidesOneTensor) {
  const Taken taken(3, 0, [](Writer& writer) {
    PutWeight(writer, "blk.0.weight");
    writer.PutString("blk.1.weight").Put(6U).Fill(6 * 8 + 12, 0xAA);  // six dimensions
    PutWeight(writer, "blk.2.weight");
  });
  ASSERT_EQ(taken.draft.tensors.size(), 2U);
  EXPECT_EQ(taken.draft.tensors[1].name, "blk.2.weight");
  EXPECT_THAT(taken.draft.pieces.Things(), ::testing::SizeIs(3));
  EXPECT_EQ(taken.draft.pieces[1].kind, Piece::Kind::kOpaque);
}

TEST(DraftResync, GoesOnAtWhatLooksLikeAName) {
  struct Case {
    std::string name;
    bool found;
  };
  const std::vector<Case> cases = {
      {"a.b", true},
      {"general.name", true},
      {"A-Z_09.x", true},
      {"..", true},
      {".", false},
      {"nodot", false},
      {"with space.x", false},
      {std::string("nul\0.x", 6), false},
      {"\xC3\xA9.x", false},
      {std::string(61, 'x') + ".y", true},
      {std::string(62, 'x') + ".y", false},
  };
  for (const Case& one : cases) {
    const Taken taken(0, 2, [&](Writer& writer) {
      writer.PutString("lie.key").Put(kNoType);
      PutKey(writer, one.name);
    });
    EXPECT_EQ(taken.Keys().size(), one.found ? 1U : 0U) << one.name;
  }
}

#ifdef NDEBUG
constexpr int kRounds = 2'000;
#else  // ten times slower or more
constexpr int kRounds = 100;
#endif

// None of these can be part of a name, and a number with one of them may be an invalid length.
constexpr std::array<std::uint8_t, 8> kJunk = {0, 0, 0, 1, 9, 0x40, 0x80, 0xFF};

TEST(DraftResync, GoesOnBehindAnyBytes) {
  for (const Encoding encoding :
       {Encoding{}, Encoding{.order = ByteOrder::kBig}, Encoding{.word = 4},
        Encoding{.order = ByteOrder::kBig, .word = 4}}) {
    Random random(1);
    for (int round = 0; round < kRounds; ++round) {
      Content junk(random.Below(20));
      for (std::uint8_t& byte : junk) byte = random.Pick(kJunk);
      const Taken taken(
          0, 2,
          [&](Writer& writer) {
            writer.PutWord(UINT64_MAX).PutBytes(junk);
            PutKey(writer, "true.key");
          },
          encoding);
      ASSERT_THAT(taken.Keys(), ::testing::ElementsAre("true.key"))
          << ::testing::PrintToString(junk) << ' ' << encoding.word;
      ASSERT_EQ(taken.OpaqueBytes(), encoding.word + junk.size());
    }
  }
}

TEST(DraftResync, LooksThrough64KiB) {
  constexpr std::size_t kSearched = std::size_t{64} << 10;
  constexpr std::size_t kLie = 8;  // an impossible length
  for (const std::size_t junk : {std::size_t{0}, kSearched - kLie - 1, kSearched - kLie}) {
    const Taken taken(0, 2, [&](Writer& writer) {
      writer.PutWord(UINT64_MAX).Fill(junk, 0xFF);
      PutKey(writer, "second.key");
    });
    const bool found = junk + kLie < kSearched;
    EXPECT_EQ(taken.Keys().size(), found ? 1U : 0U) << junk;
    EXPECT_EQ(taken.OpaqueBytes(), found ? junk + kLie : 0) << junk;
    EXPECT_EQ(taken.draft.tail.empty(), found) << junk;
  }
}

TEST(DraftResync, TriesSixteenPlaces) {
  // Each of these looks like a record and is invalid.
  for (const std::size_t fakes : {1U, 15U, 16U, 17U, 100U}) {
    const Taken taken(0, 2, [&](Writer& writer) {
      for (std::size_t i = 0; i < fakes; ++i) writer.PutString("fake.key").Put(kNoType);
      PutKey(writer, "true.key");
    });
    // The first of them is at the expected offset, so it does not count as a try.
    EXPECT_EQ(taken.Keys().size(), fakes - 1 < 16 ? 1U : 0U) << fakes;
  }
}

TEST(DraftResync, KeepsSomeRunsAndTheRestAsTail) {
  constexpr std::size_t kKeys = 3 * Draft::kMostOpaque;
  const Taken taken(0, 2 * kKeys, [](Writer& writer) {
    for (std::size_t i = 0; i < kKeys; ++i) {
      PutKey(writer, "true.key");
      writer.PutString("lie.key").Put(kNoType);
    }
  });
  EXPECT_EQ(taken.draft.opaque.size(), Draft::kMostOpaque);
  EXPECT_EQ(taken.draft.entries.size(), Draft::kMostOpaque + 1);
  EXPECT_FALSE(taken.draft.tail.empty());
}

TEST(DraftResync, TakesAsManyRecordsAsTheTablesHold) {
  const Taken taken(Draft::kMostTensors + 9, Draft::kMostEntries + 9, [](Writer& writer) {
    for (std::size_t i = 0; i < Draft::kMostEntries; ++i) PutKey(writer, "some.key");
    for (std::size_t i = 0; i < Draft::kMostTensors + 9; ++i) PutWeight(writer, "blk.weight");
  });
  EXPECT_EQ(taken.draft.entries.size(), Draft::kMostEntries);
  EXPECT_EQ(taken.draft.tensors.size(), Draft::kMostTensors);
  EXPECT_EQ(taken.draft.tail.size(), 9U * (8 + 10 + 4 + 8 + 4 + 8))
      << "what the table does not hold";
}

TEST(DraftResync, EndsWhateverIsClaimed) {
  for (const std::uint64_t claimed : {std::uint64_t{100}, UINT64_MAX}) {
    const Taken taken(claimed, claimed, [](Writer& writer) {
      PutKey(writer, "only.key");
      PutWeight(writer, "blk.weight");
    });
    EXPECT_THAT(taken.Keys(), ::testing::Contains("only.key"));
    EXPECT_EQ(taken.draft.tensor_count, claimed) << "the claim itself is kept";
  }
}

}  // namespace
}  // namespace ggufgate::mutate
