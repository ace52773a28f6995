#include "mutate/bench.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "mutate/placement.h"
#include "tests/mutate/workshop.h"

namespace ggufgate::mutate {
namespace {

constexpr std::string_view kText = "0123456789";

std::string TextOn(const Bench& bench) { return std::string(AsText(bench.bytes())); }

// Room has a bench with so much room, and this text as what was written.
struct Room {
  explicit Room(std::size_t room, std::string_view text = kText)
      : workshop(0, room), bench(workshop.Fresh()) {
    bench.Take(AsBytes(text));
  }

  Workshop workshop;
  Bench& bench;
};

TEST(Bench, WritesOnce) {
  Workshop workshop(0, 100);
  Bench& bench = workshop.Fresh();
  EXPECT_FALSE(bench.written());
  EXPECT_TRUE(bench.bytes().empty());
  ASSERT_TRUE(bench.Write());
  EXPECT_TRUE(bench.written());
  EXPECT_EQ(bench.bytes().size(), 24U) << "a header and nothing else";
  bench.draft.version = 7;
  bench.Put(Placement::kVersionAt, 9U);
  EXPECT_TRUE(bench.Write());
  EXPECT_EQ(bench.Get<std::uint32_t>(Placement::kVersionAt), 9U) << "a second time changes nothing";
}

TEST(Bench, WritesWhatFits) {
  for (const std::size_t room : {0U, 23U, 24U, 25U}) {
    Workshop workshop(0, room);
    Bench& bench = workshop.Fresh();
    EXPECT_EQ(bench.room(), room);
    EXPECT_EQ(bench.Write(), room >= 24) << room;
    EXPECT_EQ(bench.written(), room >= 24) << room;
    EXPECT_EQ(bench.bytes().size(), room >= 24 ? 24U : 0U) << room;
    EXPECT_EQ(bench.all().size(), room);
  }
}

TEST(Bench, WritesAsIsWhatIsNotSound) {
  const std::string_view broken("GGUF\3\0\0\0\xFF\xFF not a header", 23);
  Workshop workshop(0, broken.size());
  Bench& bench = workshop.Fresh(AsBytes(broken));
  ASSERT_TRUE(bench.WriteAsIs());
  EXPECT_TRUE(bench.written());
  EXPECT_EQ(TextOn(bench), broken);

  Workshop small(0, broken.size() - 1);
  Bench& cramped = small.Fresh(AsBytes(broken));
  EXPECT_FALSE(cramped.WriteAsIs());
  EXPECT_FALSE(cramped.written());
  EXPECT_TRUE(cramped.bytes().empty());
}

TEST(Bench, TakesAsMuchAsThereIsRoomFor) {
  for (const std::size_t room : {0U, 1U, 9U, 10U, 11U}) {
    const Room there(room);
    EXPECT_EQ(TextOn(there.bench), kText.substr(0, room)) << room;
    EXPECT_TRUE(there.bench.written());
  }
}

TEST(Bench, IsResizedWithinItsRoom) {
  const Room there(12);
  for (const auto& [wanted, size] : std::vector<std::pair<std::size_t, std::size_t>>{
           {0, 0}, {3, 3}, {10, 10}, {12, 12}, {13, 12}, {SIZE_MAX, 12}}) {
    there.bench.Resize(wanted);
    EXPECT_EQ(there.bench.bytes().size(), size) << wanted;
  }
  EXPECT_EQ(TextOn(there.bench).substr(0, 10), kText) << "bytes stay what they were";
}

TEST(Bench, HoldsWhatLiesInTheFile) {
  const Room there(100);  // what counts are the 10 bytes written, not the room
  struct Case {
    std::uint64_t at;
    std::size_t count;
    bool holds;
  };
  for (const Case& one : std::vector<Case>{{0, 0, true},
                                           {0, 10, true},
                                           {0, 11, false},
                                           {9, 1, true},
                                           {9, 2, false},
                                           {10, 0, true},
                                           {10, 1, false},
                                           {11, 0, false},
                                           {UINT64_MAX, 0, false},
                                           {UINT64_MAX, 1, false},
                                           {1, SIZE_MAX, false},
                                           {UINT64_MAX, SIZE_MAX, false}}) {
    EXPECT_EQ(there.bench.Holds(one.at, one.count), one.holds) << one.at << ' ' << one.count;
  }
}

// GetsAndPuts goes over all places in and around a file of 10 bytes.
template <Scalar T>
void GetsAndPuts(ByteOrder order, T value) {
  const Room there(20);
  Bench& bench = there.bench;
  bench.draft.encoding.order = order;
  for (const std::uint64_t at :
       std::vector<std::uint64_t>{0, 1, 2, 3, 6, 7, 8, 9, 10, 11, 20, UINT64_MAX - 3, UINT64_MAX}) {
    bench.Take(AsBytes(kText));
    bench.lie_at.reset();
    const bool inside = at <= 10 && sizeof(T) <= 10 - at;
    if (!inside) {
      EXPECT_EQ(bench.Get<T>(at), T{}) << at;
    }
    bench.Put(at, value);
    if (!inside) {
      EXPECT_EQ(TextOn(bench), kText) << at;
      EXPECT_EQ(bench.lie_at, std::nullopt) << at;
      continue;
    }
    EXPECT_EQ(bench.Get<T>(at), value) << at;
    EXPECT_EQ(bench.lie_at, at);
    EXPECT_EQ(Load<T>(bench.bytes().subspan(at), order), value) << at;
    EXPECT_EQ(TextOn(bench).substr(0, at), kText.substr(0, at)) << "before it";
    EXPECT_EQ(TextOn(bench).substr(at + sizeof(T)), kText.substr(at + sizeof(T))) << "behind it";
  }
}

TEST(Bench, GetsAndPutsNumbersInTheFileOnly) {
  for (const ByteOrder order : {ByteOrder::kLittle, ByteOrder::kBig}) {
    GetsAndPuts(order, std::uint8_t{0xA1});
    GetsAndPuts(order, std::uint16_t{0xA1B2});
    GetsAndPuts(order, std::uint32_t{0xA1B2'C3D4});
    GetsAndPuts(order, std::uint64_t{0xA1B2'C3D4'E5F6'0718});
    GetsAndPuts(order, 1.5F);
  }
}

TEST(Bench, CutsButNeverGrows) {
  for (const std::uint64_t size : {std::uint64_t{10}, std::uint64_t{11}, UINT64_MAX}) {
    const Room there(20);
    EXPECT_FALSE(there.bench.Cut(size)) << size;
    EXPECT_EQ(TextOn(there.bench), kText);
    EXPECT_EQ(there.bench.lie_at, std::nullopt);
  }
  for (const std::uint64_t size : {0U, 1U, 9U}) {
    const Room there(20);
    EXPECT_TRUE(there.bench.Cut(size));
    EXPECT_EQ(TextOn(there.bench), kText.substr(0, size));
    EXPECT_EQ(there.bench.lie_at, size);
  }
}

TEST(Bench, InsertsWhereThereIsRoom) {
  for (const std::uint64_t at : {0U, 1U, 5U, 9U, 10U}) {
    for (const std::size_t count : {0U, 1U, 4U, 10U}) {
      const Room there(20);
      ASSERT_TRUE(there.bench.Insert(at, count)) << at << ' ' << count;
      const std::string text = TextOn(there.bench);
      ASSERT_EQ(text.size(), 10 + count);
      EXPECT_EQ(text.substr(0, at), kText.substr(0, at)) << at << ' ' << count;
      EXPECT_EQ(text.substr(at + count), kText.substr(at)) << at << ' ' << count;
      EXPECT_EQ(there.bench.lie_at, at);
    }
  }
}

TEST(Bench, InsertsNothingElsewhere) {
  struct Case {
    std::uint64_t at;
    std::size_t count;
  };
  for (const Case& one : std::vector<Case>{
           {11, 0}, {11, 1}, {UINT64_MAX, 1}, {0, 11}, {10, 11}, {5, SIZE_MAX}, {0, SIZE_MAX}}) {
    const Room there(20);
    EXPECT_FALSE(there.bench.Insert(one.at, one.count)) << one.at << ' ' << one.count;
    EXPECT_EQ(TextOn(there.bench), kText);
    EXPECT_EQ(there.bench.lie_at, std::nullopt);
  }
}

}  // namespace
}  // namespace ggufgate::mutate
