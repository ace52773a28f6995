// Parse as a whole: prefixes, truncation, the limit of metadata, alignment and the data section.

#include "parse/parse.h"

#include <gtest/gtest.h>

#include "tests/oracles/parse_same.h"
#include "tests/support/parse_helpers.h"

namespace ggufgate::testing {
namespace {

// Faulty makes a file with a fault in its middle and valid records after it.
NamedModel Faulty(std::string name, void (*spoil)(Model&)) {
  Model model = EveryValue(3, ByteOrder::kLittle);
  model.Add("weight", TensorType::kF32, {8});
  model.Add("second", TensorType::kF32, {8});
  spoil(model);
  return {std::move(name), std::move(model)};
}

std::vector<NamedModel> FaultyModels() {
  return {
      Faulty("magic", [](Model& m) { m.magic = "GGUX"; }),
      Faulty("version", [](Model& m) { m.version = 4; }),
      Faulty("tensor count", [](Model& m) { m.claimed_tensor_count = UINT64_MAX; }),
      Faulty("metadata count", [](Model& m) { m.claimed_metadata_count = UINT64_MAX; }),
      Faulty("key length", [](Model& m) { m.metadata.at(3).claimed_key_length = UINT64_MAX; }),
      Faulty("value type", [](Model& m) { m.metadata.at(20).type = 13; }),
      Faulty("element type", [](Model& m) { m.metadata.at(2).payload.at(0) = 13; }),
      Faulty("array count", [](Model& m) { m.metadata.at(2).payload.at(11) = 0x7F; }),
      Faulty("depth", [](Model& m) { m.SetRaw("nested", ValueType::kArray, NestedPayload(9)); }),
      Faulty("name length", [](Model& m) { m.tensors.at(1).claimed_name_length = UINT64_MAX; }),
      Faulty("dimensions", [](Model& m) { m.tensors.at(1).claimed_dimension_count = 6; }),
      Faulty("too many tensors", [](Model& m) { m.claimed_tensor_count = 3; }),
  };
}

std::vector<NamedModel> AllModels() {
  std::vector<NamedModel> models = SoundModels();
  for (NamedModel& faulty : FaultyModels()) models.push_back(std::move(faulty));
  return models;
}

// ExpectSameOrMore parses an exact copy of the first bytes, to detect a read beyond them. It
// compares the document while the copy lives.
void ExpectSameOrMore(const File& file, std::size_t size, const Limits& limits,
                      const ParseResult& whole) {
  const File prefix = PrefixOf(file, size);
  const ParseResult result = Parse(prefix, file.size(), limits);
  if (result.NeedsMore()) {
    ASSERT_GT(result.bytes_needed, size);
    ASSERT_LE(result.bytes_needed, file.size());
    ASSERT_LE(result.bytes_needed, limits.metadata_bytes);
    ASSERT_FALSE(result.document.fault);
  } else {
    ASSERT_EQ(DifferenceOf(result.document, whole.document), "") << "prefix of " << size;
  }
}

TEST(Parse, EveryPrefixAsksForMoreOrSaysTheSameAsTheWholeFile) {
  for (const NamedModel& named : AllModels()) {
    SCOPED_TRACE(named.name);
    const File file = Write(named.model);
    const ParseResult whole = Parse(file, file.size(), {});
    ASSERT_FALSE(whole.NeedsMore());
    for (std::size_t size = 0; size <= file.size(); ++size) {
      ASSERT_NO_FATAL_FAILURE(ExpectSameOrMore(file, size, {}, whole));
    }
  }
}

TEST(Parse, ThePrefixOfADirectoryIsNeverEnough) {
  for (const NamedModel& named : SoundModels()) {
    SCOPED_TRACE(named.name);
    const Parsed parsed = ParseSound(named.model);
    const std::uint64_t end = parsed.document.directory_end;
    for (std::size_t size = 0; size < end; ++size) {
      ASSERT_TRUE(Parse(PrefixOf(parsed.file, size), parsed.file.size(), {}).NeedsMore()) << size;
    }
    EXPECT_FALSE(Parse(PrefixOf(parsed.file, end), parsed.file.size(), {}).NeedsMore());
  }
}

TEST(Parse, GrowingToWhatIsAskedForEndsWithTheResultOfTheWholeFile) {
  for (const NamedModel& named : AllModels()) {
    SCOPED_TRACE(named.name);
    const File file = Write(named.model);
    const ParseResult whole = Parse(file, file.size(), {});
    std::size_t size = 0;
    std::size_t rounds = 0;
    while (true) {
      const File prefix = PrefixOf(file, size);
      const ParseResult result = Parse(prefix, file.size(), {});
      if (!result.NeedsMore()) {
        EXPECT_EQ(DifferenceOf(result.document, whole.document), "");
        break;
      }
      ASSERT_GT(result.bytes_needed, size);
      size = result.bytes_needed;
      ASSERT_LE(++rounds, file.size());
    }
    const Document& document = whole.document;
    const std::uint64_t end = document.fault ? document.fault->where.End() : document.directory_end;
    EXPECT_LE(size, std::max<std::uint64_t>(end, kHeaderBytes))
        << "no more is asked for than the directory, or the field with the fault";
  }
}

// Arrays of strings with several cuts in each. Some strings are long.
Model WithManyStrings() {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < 400; ++i) words.emplace_back(i % 50 == 7 ? 200 : i % 9, 'w');
  Model model = Model::Minimal();
  model.Set("a.words", words);
  model.Set("b.more", std::vector<std::string>(40, std::string(20, 'm')));
  model.Set("c.numbers", std::vector<float>(300, 1.0F));
  model.Set("d.words", words).Set("e.last", std::uint32_t{1});
  model.Add("t", TensorType::kI8, {1});
  return model;
}

TEST(Parse, SkipsRunsOfStringsThatAShorterPrefixHad) {
  const File file = Write(WithManyStrings());
  const ParseResult whole = Parse(file, file.size(), {});
  ASSERT_FALSE(whole.document.fault);
  StringRuns known;
  std::uint64_t read_again = 0;
  for (std::size_t size = 24; size < file.size(); size += 131) {
    const File prefix = PrefixOf(file, size);
    ParseResult part = Parse(prefix, file.size(), {}, known);
    if (!part.NeedsMore()) break;
    ASSERT_LE(part.bytes_again, size);
    read_again = part.bytes_again;
    known = {.runs = std::move(part.runs),
             .wide_lengths = std::move(part.document.wide_lengths),
             .some_lengths = std::move(part.document.some_lengths)};
    const ParseResult all = Parse(file, file.size(), {}, known);
    ASSERT_EQ(DifferenceOf(all.document, whole.document), "") << size;
  }
  EXPECT_EQ(known.runs.size(), 3U);
  EXPECT_LT(read_again, 2'000U) << "nearly all bytes are skipped";
}

// The caller must not change the bytes of a run: no string in it is looked at again.
TEST(Parse, DoesNotReadARunAgain) {
  File file = Write(WithManyStrings());
  const File prefix = PrefixOf(file, file.size() / 2);
  const ParseResult part = Parse(prefix, file.size(), {});
  ASSERT_TRUE(part.NeedsMore());
  ASSERT_FALSE(part.runs.empty());
  const StringRuns known = {.runs = part.runs,
                            .wide_lengths = part.document.wide_lengths,
                            .some_lengths = part.document.some_lengths};
  std::ranges::fill(std::span(file).subspan(part.runs.front().begin, 8), std::uint8_t{0xFF});
  EXPECT_FALSE(Parse(file, file.size(), {}, known).document.fault);
  EXPECT_TRUE(Parse(file, file.size(), {}).document.fault);
}

TEST(Parse, EveryFileCutBeforeTheEndOfItsDirectoryHasAFault) {
  for (const NamedModel& named : SoundModels()) {
    SCOPED_TRACE(named.name);
    const Parsed parsed = ParseSound(named.model);
    const std::uint64_t end = parsed.document.directory_end;
    for (std::size_t size = 0; size <= parsed.file.size(); ++size) {
      const Parsed cut = ParseWhole(PrefixOf(parsed.file, size));
      ASSERT_EQ(cut.document.fault.has_value(), size < end) << size;
      ASSERT_LE(cut.document.directory_end, size);
      if (!cut.document.fault) continue;
      ASSERT_LE(cut.document.fault->where.begin, size);
      ASSERT_FALSE(cut.document.data_begin);
    }
  }
}

TEST(Parse, TheSameBytesGiveTheSameResult) {
  for (const NamedModel& named : AllModels()) {
    const File file = Write(named.model);
    const ParseResult first = Parse(file, file.size(), {});
    const File copy = file;
    EXPECT_EQ(DifferenceOf(first.document, Parse(copy, copy.size(), {}).document), "")
        << named.name;
  }
}

TEST(Parse, TheMetadataLimitIsTheLastByteOfTheDirectory) {
  for (const NamedModel& named : SoundModels()) {
    SCOPED_TRACE(named.name);
    const Parsed parsed = ParseSound(named.model);
    Limits limits;
    limits.metadata_bytes = parsed.document.directory_end;
    EXPECT_EQ(FaultOf(parsed.file, limits), "no fault");
    limits.metadata_bytes = parsed.document.directory_end - 1;
    const Parsed over = ParseWhole(parsed.file, limits);
    ASSERT_TRUE(over.document.fault);
    EXPECT_EQ(over.document.fault->kind, FaultKind::kMetadataBytes);
    EXPECT_EQ(over.document.fault->observed, parsed.document.directory_end);
    EXPECT_EQ(over.document.fault->allowed, parsed.document.directory_end - 1);
    EXPECT_TRUE(over.document.fault->by_limit);
  }
}

TEST(Parse, TheMetadataLimitNamesTheFieldThatCrossesIt) {
  Model model;
  model.Set("first", std::uint8_t{1}).Set("k", "hello");
  Limits limits;
  limits.metadata_bytes = 24 + 18 + 9 + 4 + 8 + 4;  // without the last character
  EXPECT_EQ(FaultOf(model, limits),
            LineOf({.kind = FaultKind::kMetadataBytes,
                    .where = {.begin = 63, .size = 5},
                    .field = "string",
                    .place = {.section = Place::Section::kMetadata, .index = 1, .name = "k"},
                    .observed = 68,
                    .allowed = 67,
                    .by_limit = true}));
}

TEST(Parse, TheMetadataLimitStopsAtTheSameByteHoweverMuchWasRead) {
  Model model = EveryValue(3, ByteOrder::kLittle);
  model.SetRaw("long.strings", ValueType::kU8, {1});
  model.Add("weight", TensorType::kF32, {8});
  const File file = Write(model);
  Limits limits;
  for (limits.metadata_bytes = 0; limits.metadata_bytes < file.size(); limits.metadata_bytes += 7) {
    const ParseResult whole = Parse(file, file.size(), limits);
    ASSERT_FALSE(whole.NeedsMore());
    for (std::size_t size = 0; size <= file.size(); size += 3) {
      ASSERT_NO_FATAL_FAILURE(ExpectSameOrMore(file, size, limits, whole))
          << "limit " << limits.metadata_bytes;
    }
  }
}

TEST(Parse, AFileLargerThanMemoryNeedsOnlyItsDirectory) {
  const File file = Write(Model::Minimal());
  const Parsed parsed = ParseWhole(file);
  const ParseResult huge = Parse(file, std::uint64_t{1} << 62, {});
  EXPECT_FALSE(huge.NeedsMore());
  EXPECT_EQ(DifferenceOf(huge.document, parsed.document), "");
  EXPECT_EQ(huge.document.file_size, std::uint64_t{1} << 62);
}

TEST(Parse, WithoutTheKeyTheAlignmentIs32) {
  const Parsed parsed = ParseSound(Model::Minimal());
  EXPECT_EQ(parsed.document.alignment, 32U);
  ASSERT_TRUE(parsed.document.data_begin);
  EXPECT_EQ(*parsed.document.data_begin % 32, 0U);
  EXPECT_GE(*parsed.document.data_begin, parsed.document.directory_end);
  EXPECT_LT(*parsed.document.data_begin, parsed.document.directory_end + 32);
}

TEST(Parse, TheAlignmentIsThatOfTheKey) {
  for (const std::uint32_t alignment : {1U, 2U, 4U, 8U, 24U, 4096U, 1U << 31, UINT32_MAX}) {
    for (const ByteOrder order : {ByteOrder::kLittle, ByteOrder::kBig}) {
      Model model;
      model.byte_order = order;
      model.Set(kAlignmentKey, alignment);
      model.Add("weight", TensorType::kI8, {1});
      const Parsed parsed = ParseSound(model);
      EXPECT_EQ(parsed.document.alignment, alignment);
      const std::uint64_t end = parsed.document.directory_end;
      EXPECT_EQ(parsed.document.data_begin, (end + alignment - 1) / alignment * alignment);
    }
  }
}

TEST(Parse, AnAlignmentThatIsNoU32OrZeroLeavesTheDataSectionUnknown) {
  const auto expect_unknown = [](Model model) {
    model.Add("weight", TensorType::kI8, {1});
    const Parsed parsed = ParseSound(model);
    EXPECT_EQ(parsed.document.alignment, std::nullopt);
    EXPECT_EQ(parsed.document.data_begin, std::nullopt);
  };
  expect_unknown(Model().Set(kAlignmentKey, std::uint32_t{0}));
  expect_unknown(Model().Set(kAlignmentKey, std::uint64_t{32}));
  expect_unknown(Model().Set(kAlignmentKey, std::int32_t{32}));
  expect_unknown(Model().Set(kAlignmentKey, "32"));
  expect_unknown(Model().Set(kAlignmentKey, std::vector<std::uint32_t>{32}));
}

TEST(Parse, OfTwoAlignmentsTheFirstIsInForce) {
  Model model;
  model.Set(kAlignmentKey, std::uint32_t{64}).Set("other", std::uint32_t{128});
  model.metadata.back().key = kAlignmentKey;
  EXPECT_EQ(ParseSound(model).document.alignment, 64U);
}

TEST(Parse, WithoutTensorsTheDataSectionBeginsWhereTheMetadataEnd) {
  const Parsed parsed = ParseSound(Model().Set("k", std::uint8_t{1}));
  EXPECT_EQ(parsed.document.directory_end, 38U);
  EXPECT_EQ(parsed.document.data_begin, 38U);
}

}  // namespace
}  // namespace ggufgate::testing
