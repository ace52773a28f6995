// Blind changes of bytes: in leaves of the draft, and in the written file.

#include "mutate/edits/havoc.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "mutate/build/compose.h"
#include "mutate/edits/disorder.h"
#include "mutate/edits/leaf.h"
#include "tests/mutate/sound_file.h"

namespace ggufgate::mutate {
namespace {

constexpr int kHavocs = 2000;

// Engine is a mutator of an engine that inverts every byte and appends '!'.
std::size_t Engine(std::uint8_t* data, std::size_t size, std::size_t most) {
  const MutableBytes bytes(data, most);
  for (std::uint8_t& byte : bytes.first(size)) byte = static_cast<std::uint8_t>(~byte);
  if (size < most) bytes[size] = '!';
  return std::min(size + 1, most);
}
// Liar claims to have written more than its buffer holds.
std::size_t Liar(std::uint8_t*, std::size_t, std::size_t most) { return most + 1000; }

class Leaf : public ::testing::Test {
 protected:
  // Fresh puts the records of the valid file into the context; the donor has none.
  MutationContext& Fresh() {
    MutationContext& context = workshop.Fresh();
    context.donor.Clear();
    PutSoundRecords(context);
    return context;
  }
  MutationContext With(LeafMutator leaf) {
    MutationContext& context = Fresh();
    return {context.draft, context.donor, context.arena,  context.placement,
            context.seen,  context.all(), context.random, leaf};
  }

  Workshop workshop{31, std::size_t{1} << 17};
};

TEST_F(Leaf, ChangesOneToFourBytesAndAtTimesTheLength) {
  const File leaf(40, 'x');
  std::set<std::size_t> counts, sizes;
  for (int i = 0; i < kHavocs; ++i) {
    MutationContext& context = Fresh();
    const Bytes changed = ChangeLeaf(context, leaf, 45);
    ASSERT_LE(changed.size(), 45U);
    sizes.insert(changed.size());
    if (changed.size() != leaf.size()) continue;
    counts.insert(
        static_cast<std::size_t>(std::ranges::count_if(changed, [](auto b) { return b != 'x'; })));
    EXPECT_NE(changed.data(), leaf.data());
  }
  EXPECT_THAT(counts, ::testing::IsSupersetOf({1U, 2U, 3U, 4U}));
  EXPECT_EQ(*counts.rbegin(), 4U);
  EXPECT_EQ(*sizes.begin(), 24U);  // sixteen less
  EXPECT_EQ(*sizes.rbegin(), 45U);
  EXPECT_EQ(leaf, File(40, 'x')) << "the input was written to";
}

TEST_F(Leaf, MakesSomethingOfNothingWhereThereIsRoom) {
  std::set<std::size_t> sizes;
  for (int i = 0; i < 300; ++i) sizes.insert(ChangeLeaf(Fresh(), {}, 20).size());
  EXPECT_EQ(*sizes.begin(), 1U);
  EXPECT_EQ(*sizes.rbegin(), 16U);
  EXPECT_TRUE(ChangeLeaf(Fresh(), {}, 0).empty());
  MutationContext& poor = Fresh();
  (void)poor.arena.Take(poor.arena.Left());
  EXPECT_TRUE(ChangeLeaf(poor, File(3, 1), 3).empty());
}

TEST_F(Leaf, IsTheEnginesWhereThereIsOne) {
  MutationContext context = With(Engine);
  const File leaf = {1, 2, 3};
  EXPECT_THAT(ChangeLeaf(context, leaf, 10), ::testing::ElementsAre(0xFE, 0xFD, 0xFC, '!'));
  EXPECT_THAT(ChangeLeaf(context, leaf, 2), ::testing::ElementsAre(0xFE, 0xFD));
  MutationContext lied_to = With(Liar);
  EXPECT_EQ(ChangeLeaf(lied_to, leaf, 10).size(), 10U);
}

class HavocTest : public Leaf {};

TEST_F(HavocTest, ChangesGrowsShrinksAndCopies) {
  File before(200);
  for (std::size_t i = 0; i < before.size(); ++i) before[i] = static_cast<std::uint8_t>(i);
  std::set<std::ptrdiff_t> grown;
  int same = 0;
  std::set<std::size_t> places;
  for (int i = 0; i < kHavocs; ++i) {
    MutationContext& context = workshop.Fresh();
    context.Take(before);
    Havoc(context);
    const File after = Copied(context);
    same += after == before;
    grown.insert(std::ssize(after) - std::ssize(before));
    places.insert(
        static_cast<std::size_t>(std::ranges::mismatch(after, before).in1 - after.begin()));
  }
  EXPECT_LT(same, kHavocs / 20);
  EXPECT_LT(*grown.begin(), -16) << "it never shrinks twice";
  EXPECT_GT(*grown.rbegin(), 16) << "it never grows twice";
  EXPECT_GE(*grown.begin(), -64);
  EXPECT_LE(*grown.rbegin(), 64);
  EXPECT_GE(places.size(), 190U) << "some places are never changed";
}

TEST_F(HavocTest, MakesSomethingOfAnEmptyFileAndKeepsToTheRoom) {
  Workshop narrow(5, 32);
  for (int i = 0; i < 500; ++i) {
    MutationContext& empty = narrow.Fresh();
    empty.Take({});
    Havoc(empty);
    EXPECT_LE(empty.bytes().size(), 32U);
    MutationContext& full = narrow.Fresh();
    full.Take(File(32, 7));
    Havoc(full);
    EXPECT_LE(full.bytes().size(), 32U);
  }
}

TEST_F(HavocTest, IsTheEnginesWhereThereIsOne) {
  MutationContext context = With(Engine);
  context.Take(File{0, 0xFF});
  Havoc(context);
  EXPECT_EQ(Copied(context), (File{0xFF, 0, '!'}));
  MutationContext lied_to = With(Liar);
  lied_to.Take(File{1});
  Havoc(lied_to);
  EXPECT_EQ(lied_to.bytes().size(), lied_to.room());
}

// Every field of the header and of the records is once the only one that changes; the file is also
// truncated, and bytes are inserted.
TEST(DisorderTest, ReachesEveryFieldAndBoundary) {
  const File sound = SoundFile();
  const Document document = DocumentOf(sound);
  Workshop workshop(9, std::size_t{8} << 10);
  std::set<std::uint64_t> begins, sizes;
  for (int i = 0; i < 20000; ++i) {
    MutationContext& context = workshop.Fresh(sound);
    ASSERT_TRUE(context.Write());
    if (!Disorder(context)) continue;
    sizes.insert(context.bytes().size());
    if (context.bytes().size() == sound.size() && context.lie_at) begins.insert(*context.lie_at);
  }
  std::set<std::uint64_t> expected = {8, 16};
  for (const MetadataEntry& entry : document.metadata) {
    expected.insert({entry.KeyLengthRange().begin, entry.TypeRange().begin});
  }
  for (const TensorInfo& tensor : document.tensors) {
    expected.insert({tensor.begin, tensor.DimensionCountRange().begin, tensor.TypeRange().begin,
                     tensor.OffsetRange().begin, tensor.DimensionRange(0).begin});
  }
  EXPECT_THAT(begins, ::testing::IsSupersetOf(expected));
  for (const std::uint64_t boundary : {std::uint64_t{24}, document.tensors[1].begin,
                                       document.directory_end, *document.data_begin}) {
    EXPECT_TRUE(sizes.contains(boundary - 1) && sizes.contains(boundary + 1)) << boundary;
  }
  EXPECT_EQ(*sizes.rbegin(), sound.size() + 33);
}

// As after a text-mode transfer (RFC 959, type A).
TEST(DisorderTest, PutsACarriageReturnBeforeEachLineFeed) {
  const std::vector<std::uint8_t> file = SoundFile();
  std::vector<std::uint8_t> returned;
  for (const std::uint8_t byte : file) {
    if (byte == '\n') returned.push_back('\r');
    returned.push_back(byte);
  }
  ASSERT_GT(returned.size(), file.size());
  Workshop workshop(5);
  int seen = 0;
  for (int i = 0; i < 300; ++i) {
    MutationContext& context = workshop.Fresh(file);
    if (!context.Write() || !Disorder(context)) continue;
    if (std::ranges::equal(context.bytes(), returned)) ++seen;
  }
  EXPECT_GT(seen, 10);
}

TEST(DisorderTest, ClaimsCountsBesideTheTruth) {
  Workshop workshop(9, 4096);
  std::set<std::uint64_t> tensors;
  for (int i = 0; i < 1000; ++i) {
    MutationContext& context = workshop.Fresh(SoundFile());
    ClaimCounts(context);
    EXPECT_TRUE(context.draft.tensor_count == kSoundTensors ||
                context.draft.metadata_count == kSoundEntries);
    tensors.insert(context.draft.tensor_count);
  }
  EXPECT_THAT(tensors, ::testing::IsSupersetOf({2U, 3U, 4U, 5U, 6U}));
}

// An added record is written too, before the first tensor or after the last.
TEST(DisorderTest, AdoptsWhatWasAdded) {
  Workshop workshop(9, 4096);
  const File sound = SoundFile();
  MutationContext& context = workshop.Fresh(sound);
  context.draft.entries.Add(NumberEntry(context.arena, "user.more", std::uint32_t{5}));
  AdoptNew(context.draft);
  EXPECT_EQ(context.draft.metadata_count, kSoundEntries + 1);
  ASSERT_TRUE(context.WriteAsIs());
  const File after = Copied(context);
  const Document document = DocumentOf(after);
  EXPECT_NE(document.Find("user.more"), nullptr);
  EXPECT_EQ(document.tensors.size(), kSoundTensors);
  EXPECT_EQ(after.size(), sound.size() + 8 + 9 + 4 + 4);
}

TEST(DisorderTest, TurnsTheEncodingOfEveryValue) {
  std::set<std::pair<bool, std::size_t>> encodings;
  Workshop workshop(9, 4096);
  const File sound = SoundFile();
  for (int i = 0; i < 100; ++i) {
    MutationContext& context = workshop.Fresh(sound);
    TurnEncoding(context);
    const Encoding encoding = context.draft.encoding;
    EXPECT_NE(encoding, Encoding{});
    encodings.emplace(encoding.order == ByteOrder::kBig, encoding.word);
    for (const Entry& entry : context.draft.entries) {
      EXPECT_EQ(SizeOfValue(entry.type, entry.value, encoding), entry.value.size()) << entry.key;
    }
  }
  EXPECT_EQ(encodings.size(), 3U);
}

}  // namespace
}  // namespace ggufgate::mutate
