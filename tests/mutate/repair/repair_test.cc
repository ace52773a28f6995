// Records that exactly fit the space, and records that are removed because they do not.

#include "mutate/repair/repair.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "mutate/build/compose.h"
#include "mutate/build/records.h"
#include "tests/mutate/workshop.h"

namespace ggufgate::mutate {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// RoomFor returns the minimum space with which FitInto leaves this many bytes to the records and
// data. FitInto reserves a sixteenth, at most 1024 bytes, for lies.
std::size_t RoomFor(std::uint64_t bytes) {
  std::size_t room = bytes;
  while (room - std::min<std::size_t>(room / 16, 1024) < bytes) ++room;
  return room;
}

// Fitting holds the result of FitInto for two entries and two tensors, or for more of them.
struct Fitting {
  std::vector<std::string_view> keys;
  std::vector<std::string_view> names;
  std::uint64_t alignment = 0;
};

class FitsInto : public ::testing::Test {
 protected:
  Entry Text(std::string_view key, std::size_t size) {
    return TextEntry(arena_, key, std::string(size, 'x'));
  }
  Tensor Bytes8(std::string_view name, std::uint64_t count) {
    Tensor tensor{.name = name, .dimension_count = 1};
    tensor.type = static_cast<std::uint32_t>(TensorType::kI8);
    tensor.dims[0] = count;
    tensor.data = arena_.Take(count);
    return tensor;
  }
  Fitting Fit(std::size_t room) {
    Workshop workshop(1, room);
    MutationContext& context = workshop.Fresh();
    for (const Entry& entry : entries_) context.draft.entries.Add(entry);
    for (const Tensor& tensor : tensors_) context.draft.tensors.Add(tensor);
    context.draft.alignment = alignment_;
    FitInto(context);
    LayOut(context.draft);
    EXPECT_TRUE(context.Write()) << room;
    Fitting fitting{.keys = {}, .names = {}, .alignment = context.draft.alignment};
    for (const Entry& entry : context.draft.entries) fitting.keys.push_back(entry.key);
    for (const Tensor& tensor : context.draft.tensors) fitting.names.push_back(tensor.name);
    return fitting;
  }

  Arena arena_{1 << 20};
  std::vector<Entry> entries_;
  std::vector<Tensor> tensors_;
  std::uint64_t alignment_ = kDefaultAlignment;
};

TEST_F(FitsInto, TheRoomToTheByte) {
  entries_ = {Text("a", 10), Text("b", 20)};
  const std::uint64_t one = 24 + SizeOf(entries_[0]);
  const std::uint64_t both = one + SizeOf(entries_[1]);
  EXPECT_THAT(Fit(RoomFor(both)).keys, ElementsAre("a", "b"));
  EXPECT_THAT(Fit(RoomFor(both) - 1).keys, ElementsAre("a"));
  EXPECT_THAT(Fit(RoomFor(one)).keys, ElementsAre("a"));
  EXPECT_THAT(Fit(RoomFor(one) - 1).keys, IsEmpty());
  EXPECT_THAT(Fit(RoomFor(24)).keys, IsEmpty());
}

TEST_F(FitsInto, ALargeRoomLessOneKibibyte) {
  entries_ = {Text("a", 40'000)};
  const std::uint64_t size = 24 + SizeOf(entries_[0]);
  ASSERT_EQ(RoomFor(size), size + 1024);
  EXPECT_THAT(Fit(size + 1024).keys, ElementsAre("a"));
  EXPECT_THAT(Fit(size + 1023).keys, IsEmpty());
}

TEST_F(FitsInto, TensorsGoBeforeEntriesAndTheLastGoesFirst) {
  entries_ = {Text("a", 10), Text("b", 20)};
  tensors_ = {Bytes8("s", 33), Bytes8("t", 32)};
  const std::uint64_t entries = 24 + SizeOf(entries_[0]) + SizeOf(entries_[1]);
  // 33 bytes take two alignment units, and the padding before the data takes one.
  const std::uint64_t first = entries + SizeOf(tensors_[0]) + 32 + 64;
  const std::uint64_t both = first + SizeOf(tensors_[1]) + 32;
  EXPECT_THAT(Fit(RoomFor(both)).names, ElementsAre("s", "t"));
  EXPECT_THAT(Fit(RoomFor(both) - 1).names, ElementsAre("s"));
  EXPECT_THAT(Fit(RoomFor(first)).names, ElementsAre("s"));
  EXPECT_THAT(Fit(RoomFor(first) - 1).names, IsEmpty());
  EXPECT_THAT(Fit(RoomFor(first) - 1).keys, ElementsAre("a", "b"));
  EXPECT_THAT(Fit(RoomFor(entries)).keys, ElementsAre("a", "b"));
  EXPECT_THAT(Fit(RoomFor(entries) - 1).keys, ElementsAre("a"));
}

TEST_F(FitsInto, AnAlignmentThatGoesIsInForceNoLonger) {
  entries_ = {Text("a", 10), NumberEntry(arena_, kAlignmentKey, std::uint32_t{64})};
  alignment_ = 64;
  const std::uint64_t both = 24 + SizeOf(entries_[0]) + SizeOf(entries_[1]);
  EXPECT_EQ(Fit(RoomFor(both)).alignment, 64u);
  EXPECT_THAT(Fit(RoomFor(both)).keys, ElementsAre("a", kAlignmentKey));
  EXPECT_EQ(Fit(RoomFor(both) - 1).alignment, kDefaultAlignment);
  EXPECT_THAT(Fit(RoomFor(both) - 1).keys, ElementsAre("a"));
}

TEST_F(FitsInto, ALargeAlignmentTakesRoomToo) {
  entries_ = {NumberEntry(arena_, kAlignmentKey, std::uint32_t{1} << 12)};
  tensors_ = {Bytes8("t", 1)};
  alignment_ = 1 << 12;
  const std::uint64_t size = 24 + SizeOf(entries_[0]) + SizeOf(tensors_[0]) + 2 * alignment_;
  EXPECT_THAT(Fit(RoomFor(size)).names, ElementsAre("t"));
  EXPECT_THAT(Fit(RoomFor(size) - 1).names, IsEmpty());
  EXPECT_EQ(Fit(RoomFor(size) - 1).alignment, 1u << 12);
}

TEST_F(FitsInto, AnyRoomThatHoldsAHeader) {
  for (const std::string_view name : {"a", "b", "c", "d", "e", "f", "g", "h"}) {
    entries_.push_back(Text(name, 9));
    tensors_.push_back(Bytes8(name, 9));
  }
  std::size_t before = 0;
  for (std::size_t room = RoomFor(24); room < 1500; ++room) {
    const Fitting fitting = Fit(room);
    const std::size_t records = fitting.keys.size() + fitting.names.size();
    EXPECT_GE(records, before) << room;  // more space never means fewer records
    EXPECT_TRUE(fitting.names.empty() || fitting.keys.size() == 8) << room;
    before = records;
  }
  EXPECT_EQ(before, 16u);
}

// After a complete Repair, the tensors have the required offsets and the header is correct.
TEST(Repair, LaysTensorsOutAnew) {
  Workshop workshop(1);
  MutationContext& context = workshop.Fresh();
  AddNumber(context, kAlignmentKey, std::uint32_t{16});
  for (const std::string_view name : {"a", "b", "a", "c"}) {
    Tensor tensor{.name = name, .dimension_count = 1, .offset = 12345};
    tensor.dims[0] = 5;
    AddNoiseTensor(context, tensor);
  }
  Repair(context);
  std::vector<std::uint64_t> offsets;
  for (const Tensor& tensor : context.draft.tensors) offsets.push_back(tensor.offset);
  EXPECT_THAT(offsets, ElementsAre(0, 32, 64));  // 20 bytes each, padded to 16s
  ASSERT_TRUE(context.Write());
  EXPECT_THAT(ErrorsIn(context.bytes()), IsEmpty());
}

}  // namespace
}  // namespace ggufgate::mutate
