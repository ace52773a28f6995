// The main property of the draft: any file that is taken apart is put together again unchanged.

#include "mutate/file/draft.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "bytes/byte_order.h"
#include "mutate/file/writer.h"
#include "mutate/memory/random.h"
#include "mutate/mutator.h"
#include "tests/mutate/seed_files.h"

namespace ggufgate::mutate {
namespace {

constexpr std::size_t kDraftRoom = std::size_t{1} << 16;

// Law takes files apart, puts them together, and counts them.
class Law {
 public:
  bool Holds(Bytes input) {
    ++count;
    TakeApart(input, draft);
    if (out.size() < input.size()) out.resize(input.size());
    const auto size = WriteAsItStands(draft, {.first = draft.tail}, out);
    return size == input.size() && std::ranges::equal(std::span(out).first(*size), input);
  }

  Draft draft;
  std::uint64_t count = 0;
  File out = File(kDraftRoom);
};

// Builder makes a file by hand.
class Builder {
 public:
  explicit Builder(Encoding encoding) : writer(bytes, encoding) {}
  File Done() { return {bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(writer.at())}; }

  File bytes = File(4096);
  Writer writer;
};

File TwoRecords(Encoding encoding, std::uint32_t version, std::uint64_t claimed_length) {
  Builder builder(encoding);
  builder.writer.PutBytes(AsBytes("GGUF")).Put(version).PutWord(1).PutWord(2);
  // The caller sets the length of the first key; the correct one is 5.
  builder.writer.PutWord(claimed_length).PutBytes(AsBytes("a.bcd"));
  builder.writer.Put(std::uint32_t{4}).Put(std::uint32_t{7});
  PutEntry(builder.writer, {.key = "second.key", .type = 0, .value = AsBytes("x")});
  PutTensor(builder.writer, {.name = "some.weight", .dimension_count = 2, .dims = {4, 2, 1, 1}});
  builder.writer.Fill(40, 0xAB);
  return builder.Done();
}

TEST(Draft, TakesRecordsApartInEveryEncoding) {
  Law law;
  for (const ByteOrder order : {ByteOrder::kLittle, ByteOrder::kBig}) {
    for (const std::uint32_t version : {1U, 2U, 3U}) {
      const Encoding encoding{.order = order, .word = version == 1 ? 4U : 8U};
      const File file = TwoRecords(encoding, version, 5);
      ASSERT_TRUE(law.Holds(file)) << version;
      EXPECT_EQ(law.draft.version, version);
      EXPECT_TRUE(law.draft.encoding == encoding) << version;
      ASSERT_EQ(law.draft.entries.size(), 2U);
      EXPECT_EQ(law.draft.entries[0].key, "a.bcd");
      EXPECT_EQ(law.draft.entries[1].key, "second.key");
      ASSERT_EQ(law.draft.tensors.size(), 1U);
      EXPECT_EQ(law.draft.tensors[0].name, "some.weight");
      EXPECT_THAT(law.draft.tensors[0].dims, ::testing::ElementsAre(4, 2, 1, 1, 1));
      EXPECT_EQ(law.draft.tail.size(), 40U);
      EXPECT_TRUE(law.draft.opaque.empty());
    }
  }
}

TEST(Draft, FindsTheRecordsBehindALie) {
  Law law;
  for (const std::uint64_t lie : {std::uint64_t{6000}, UINT64_MAX}) {
    const File file = TwoRecords({}, 3, lie);
    ASSERT_TRUE(law.Holds(file));
    ASSERT_EQ(law.draft.entries.size(), 1U) << lie;
    EXPECT_EQ(law.draft.entries[0].key, "second.key");
    ASSERT_EQ(law.draft.tensors.size(), 1U);
    EXPECT_EQ(law.draft.opaque.size(), 1U);
  }
}

TEST(Draft, KeepsEveryBeginningOfEveryCorpusFile) {
  Law law;
  for (const File& file : CorpusFiles(std::size_t{16} << 10)) {
    const std::uint64_t steps = std::max<std::uint64_t>(file.size() / Rounds(file.size() + 1), 1);
    for (std::size_t size = 0; size <= file.size(); size += steps) {
      ASSERT_TRUE(law.Holds(Bytes(file).first(size))) << size;
    }
  }
  RecordProperty("inputs", static_cast<int>(law.count));
}

TEST(Draft, KeepsEveryCorpusFile) {
  Law law;
  for (const File& file : CorpusFiles()) ASSERT_TRUE(law.Holds(file));
}

// Together with the tests above and below, more than 10^7 inputs in a release build.
TEST(Draft, KeepsEightMillionMutants) {
  const std::vector<File> files = CorpusFiles(4096);
  Mutator mutator(kDraftRoom);
  Law law;
  const std::uint64_t rounds = Rounds(8'000'000);
  for (std::uint64_t i = 0; i < rounds; ++i) {
    // Donor and input change at different rates, so that all pairs occur.
    const Mutant mutant = mutator.Make({.input = files[i % files.size()],
                                        .donor = files[i / 7 % files.size()],
                                        .mode = kModes.at(i % kModes.size()),
                                        .seed = i,
                                        .max_size = i % 3 == 0 ? 512U : 4096U});
    ASSERT_TRUE(law.Holds(mutant.bytes)) << i;
  }
  EXPECT_EQ(law.count, rounds);
}

TEST(Draft, KeepsThreeMillionRandomFiles) {
  Random random(3);
  Law law;
  File bytes;
  for (std::uint64_t i = Rounds(3'000'000); i > 0; --i) {
    bytes.resize(random.Below(160));
    for (std::uint8_t& byte : bytes) {
      const std::uint64_t bits = random.Next();  // records consist mostly of small numbers
      byte = static_cast<std::uint8_t>((bits & 0x300) != 0 ? bits & 7 : bits);
    }
    if (bytes.size() >= 24 && random.OneIn(2)) {
      Writer writer(bytes, {});
      writer.PutBytes(AsBytes("GGUF")).Put(static_cast<std::uint32_t>(random.Between(1, 3)));
      if (random.OneIn(2)) writer.Put(random.Below(5)).Put(random.Below(5));
    }
    ASSERT_TRUE(law.Holds(bytes)) << i;
  }
}

TEST(Draft, EmitsNothingWithoutRoom) {
  Draft draft;
  const File file = TwoRecords({}, 3, 5);
  TakeApart(file, draft);
  File out(file.size());
  EXPECT_EQ(WriteAsItStands(draft, {.first = draft.tail}, std::span(out).first(file.size() - 1)),
            std::nullopt);
  EXPECT_EQ(WriteAsItStands(draft, {.first = draft.tail}, out), file.size());
}

TEST(Draft, LeavesWhatNestsTooDeepOpaque) {
  // Nested arrays with one element each: 8 levels are taken apart, 9 are not.
  for (const std::size_t depth : {8U, 9U}) {
    Builder builder({});
    builder.writer.PutBytes(AsBytes("GGUF")).Put(3U).PutWord(0).PutWord(1);
    builder.writer.PutString("nested").Put(9U);
    for (std::size_t i = 0; i < depth; ++i) builder.writer.Put(9U).PutWord(1);
    builder.writer.Put(0U).PutWord(0);
    Law law;
    const File file = builder.Done();
    ASSERT_TRUE(law.Holds(file));
    EXPECT_EQ(law.draft.entries.size(), depth == 8 ? 1U : 0U) << depth;
  }
}

}  // namespace
}  // namespace ggufgate::mutate
