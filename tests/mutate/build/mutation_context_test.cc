#include "mutate/build/mutation_context.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "mutate/file/placement.h"
#include "tests/mutate/workshop.h"

namespace ggufgate::mutate {
namespace {

constexpr std::string_view kText = "0123456789";

std::string TextOn(const MutationContext& context) { return std::string(AsText(context.bytes())); }

// Room has a context with this much space, and this text as the written bytes.
struct Room {
  explicit Room(std::size_t room, std::string_view text = kText)
      : workshop(0, room), context(workshop.Fresh()) {
    context.Take(AsBytes(text));
  }

  Workshop workshop;
  MutationContext& context;
};

TEST(MutationContext, WritesOnce) {
  Workshop workshop(0, 100);
  MutationContext& context = workshop.Fresh();
  EXPECT_FALSE(context.written());
  EXPECT_TRUE(context.bytes().empty());
  ASSERT_TRUE(context.Write());
  EXPECT_TRUE(context.written());
  EXPECT_EQ(context.bytes().size(), 24U) << "a header and nothing else";
  context.draft.version = 7;
  context.Put(Placement::kVersionAt, 9U);
  EXPECT_TRUE(context.Write());
  EXPECT_EQ(context.Get<std::uint32_t>(Placement::kVersionAt), 9U)
      << "a second time changes nothing";
}

TEST(MutationContext, WritesWhatFits) {
  for (const std::size_t room : {0U, 23U, 24U, 25U}) {
    Workshop workshop(0, room);
    MutationContext& context = workshop.Fresh();
    EXPECT_EQ(context.room(), room);
    EXPECT_EQ(context.Write(), room >= 24) << room;
    EXPECT_EQ(context.written(), room >= 24) << room;
    EXPECT_EQ(context.bytes().size(), room >= 24 ? 24U : 0U) << room;
    EXPECT_EQ(context.all().size(), room);
  }
}

TEST(MutationContext, WritesAsIsWhatIsNotSound) {
  const std::string_view broken("GGUF\3\0\0\0\xFF\xFF not a header", 23);
  Workshop workshop(0, broken.size());
  MutationContext& context = workshop.Fresh(AsBytes(broken));
  ASSERT_TRUE(context.WriteAsIs());
  EXPECT_TRUE(context.written());
  EXPECT_EQ(TextOn(context), broken);

  Workshop small(0, broken.size() - 1);
  MutationContext& cramped = small.Fresh(AsBytes(broken));
  EXPECT_FALSE(cramped.WriteAsIs());
  EXPECT_FALSE(cramped.written());
  EXPECT_TRUE(cramped.bytes().empty());
}

TEST(MutationContext, TakesAsMuchAsThereIsRoomFor) {
  for (const std::size_t room : {0U, 1U, 9U, 10U, 11U}) {
    const Room there(room);
    EXPECT_EQ(TextOn(there.context), kText.substr(0, room)) << room;
    EXPECT_TRUE(there.context.written());
  }
}

TEST(MutationContext, IsResizedWithinItsRoom) {
  const Room there(12);
  for (const auto& [wanted, size] : std::vector<std::pair<std::size_t, std::size_t>>{
           {0, 0}, {3, 3}, {10, 10}, {12, 12}, {13, 12}, {SIZE_MAX, 12}}) {
    there.context.Resize(wanted);
    EXPECT_EQ(there.context.bytes().size(), size) << wanted;
  }
  EXPECT_EQ(TextOn(there.context).substr(0, 10), kText) << "bytes stay what they were";
}

TEST(MutationContext, HoldsWhatLiesInTheFile) {
  const Room there(100);  // the 10 bytes written count, not the space
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
    EXPECT_EQ(there.context.Holds(one.at, one.count), one.holds) << one.at << ' ' << one.count;
  }
}

// GetsAndPuts uses all offsets in and around a file of 10 bytes.
template <Scalar T>
void GetsAndPuts(ByteOrder order, T value) {
  const Room there(20);
  MutationContext& context = there.context;
  context.draft.encoding.order = order;
  for (const std::uint64_t at :
       std::vector<std::uint64_t>{0, 1, 2, 3, 6, 7, 8, 9, 10, 11, 20, UINT64_MAX - 3, UINT64_MAX}) {
    context.Take(AsBytes(kText));
    context.lie_at.reset();
    const bool inside = at <= 10 && sizeof(T) <= 10 - at;
    if (!inside) {
      EXPECT_EQ(context.Get<T>(at), T{}) << at;
    }
    context.Put(at, value);
    if (!inside) {
      EXPECT_EQ(TextOn(context), kText) << at;
      EXPECT_EQ(context.lie_at, std::nullopt) << at;
      continue;
    }
    EXPECT_EQ(context.Get<T>(at), value) << at;
    EXPECT_EQ(context.lie_at, at);
    EXPECT_EQ(Load<T>(context.bytes().subspan(at), order), value) << at;
    EXPECT_EQ(TextOn(context).substr(0, at), kText.substr(0, at)) << "before it";
    EXPECT_EQ(TextOn(context).substr(at + sizeof(T)), kText.substr(at + sizeof(T))) << "behind it";
  }
}

TEST(MutationContext, GetsAndPutsNumbersInTheFileOnly) {
  for (const ByteOrder order : {ByteOrder::kLittle, ByteOrder::kBig}) {
    GetsAndPuts(order, std::uint8_t{0xA1});
    GetsAndPuts(order, std::uint16_t{0xA1B2});
    GetsAndPuts(order, std::uint32_t{0xA1B2'C3D4});
    GetsAndPuts(order, std::uint64_t{0xA1B2'C3D4'E5F6'0718});
    GetsAndPuts(order, 1.5F);
  }
}

TEST(MutationContext, CutsButNeverGrows) {
  for (const std::uint64_t size : {std::uint64_t{10}, std::uint64_t{11}, UINT64_MAX}) {
    const Room there(20);
    EXPECT_FALSE(there.context.Cut(size)) << size;
    EXPECT_EQ(TextOn(there.context), kText);
    EXPECT_EQ(there.context.lie_at, std::nullopt);
  }
  for (const std::uint64_t size : {0U, 1U, 9U}) {
    const Room there(20);
    EXPECT_TRUE(there.context.Cut(size));
    EXPECT_EQ(TextOn(there.context), kText.substr(0, size));
    EXPECT_EQ(there.context.lie_at, size);
  }
}

TEST(MutationContext, InsertsWhereThereIsRoom) {
  for (const std::uint64_t at : {0U, 1U, 5U, 9U, 10U}) {
    for (const std::size_t count : {0U, 1U, 4U, 10U}) {
      const Room there(20);
      ASSERT_TRUE(there.context.Insert(at, count)) << at << ' ' << count;
      const std::string text = TextOn(there.context);
      ASSERT_EQ(text.size(), 10 + count);
      EXPECT_EQ(text.substr(0, at), kText.substr(0, at)) << at << ' ' << count;
      EXPECT_EQ(text.substr(at + count), kText.substr(at)) << at << ' ' << count;
      EXPECT_EQ(there.context.lie_at, at);
    }
  }
}

TEST(MutationContext, InsertsNothingElsewhere) {
  struct Case {
    std::uint64_t at;
    std::size_t count;
  };
  for (const Case& one : std::vector<Case>{
           {11, 0}, {11, 1}, {UINT64_MAX, 1}, {0, 11}, {10, 11}, {5, SIZE_MAX}, {0, SIZE_MAX}}) {
    const Room there(20);
    EXPECT_FALSE(there.context.Insert(one.at, one.count)) << one.at << ' ' << one.count;
    EXPECT_EQ(TextOn(there.context), kText);
    EXPECT_EQ(there.context.lie_at, std::nullopt);
  }
}

}  // namespace
}  // namespace ggufgate::mutate
