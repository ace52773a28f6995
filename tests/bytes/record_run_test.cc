#include "bytes/record_run.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>

#include "tests/support/matchers.h"

namespace ggufgate::testing {
namespace {

constexpr std::uint64_t kNoLimit = UINT64_MAX;

// Records are the bytes of a run, built record by record.
class Records {
 public:
  explicit Records(ByteOrder order = ByteOrder::kLittle) : order_(order) {}

  Records& Length(std::uint64_t length) {
    bytes_.resize(bytes_.size() + 8);
    Store(length, order_, MutableBytes(bytes_).last(8));
    return *this;
  }
  Records& Add(std::string_view text) {
    Length(text.size());
    bytes_.insert(bytes_.end(), text.begin(), text.end());
    return *this;
  }
  Records& Add(std::uint64_t count, std::size_t length, char fill = 'x') {
    for (std::uint64_t i = 0; i < count; ++i) Add(std::string(length, fill));
    return *this;
  }

  [[nodiscard]] const std::vector<std::uint8_t>& bytes() const { return bytes_; }
  [[nodiscard]] std::uint64_t size() const { return bytes_.size(); }
  std::vector<std::uint8_t>& editable() { return bytes_; }

 private:
  ByteOrder order_;
  std::vector<std::uint8_t> bytes_;
};

struct Skipped {
  RecordRun run;
  std::vector<std::uint64_t> wide;
  std::vector<std::uint64_t> some;
};

Skipped Skip(const std::vector<std::uint8_t>& bytes, std::uint64_t most, std::uint64_t longest,
             ByteOrder order = ByteOrder::kLittle, std::uint64_t base = 0) {
  Skipped skipped;
  skipped.run = SkipRecords(bytes, order, most, longest, base, skipped.wide, skipped.some);
  return skipped;
}

// The same in a simple way, one record after the other.
Skipped Naive(Bytes bytes, std::uint64_t most, std::uint64_t longest,
              ByteOrder order = ByteOrder::kLittle, std::uint64_t base = 0) {
  Skipped skipped;
  RecordRun& run = skipped.run;
  while (run.records < most && bytes.size() - run.bytes >= 8) {
    const auto length = Load<std::uint64_t>(bytes.subspan(run.bytes), order);
    if (length > bytes.size() - run.bytes - 8 || length > longest) break;
    if ((length & kWideLength) != 0) skipped.wide.push_back(base + run.bytes);
    run.bytes += 8 + length;
    ++run.records;
  }
  return skipped;
}

void ExpectSameAsNaive(const std::vector<std::uint8_t>& bytes, std::uint64_t most,
                       std::uint64_t longest, ByteOrder order = ByteOrder::kLittle) {
  const Skipped got = Skip(bytes, most, longest, order);
  const Skipped want = Naive(bytes, most, longest, order);
  EXPECT_EQ(got.run.records, want.run.records) << "most " << most << " longest " << longest;
  EXPECT_EQ(got.run.bytes, want.run.bytes);
  EXPECT_EQ(got.wide, want.wide);
}

TEST(RecordRun, NothingIsSkippedInNoBytes) {
  EXPECT_EQ(Skip({}, kNoLimit, kNoLimit).run.records, 0U);
  EXPECT_EQ(Skip({1, 2, 3}, kNoLimit, kNoLimit).run.bytes, 0U);
}

TEST(RecordRun, StopsAtTheRecordThatIsNotWhole) {
  const Records records = Records().Add("a").Add("").Add("bc").Length(3);
  const Skipped skipped = Skip(records.bytes(), kNoLimit, kNoLimit);
  EXPECT_EQ(skipped.run.records, 3U);
  EXPECT_EQ(skipped.run.bytes, records.size() - 8);
}

TEST(RecordRun, StopsAtTheMostRecordsWanted) {
  const Records records = Records().Add(50'000, 11);
  for (const std::uint64_t most : {0U, 1U, 2U, 4'999U, 49'999U, 50'000U, 50'001U}) {
    ExpectSameAsNaive(records.bytes(), most, kNoLimit);
  }
}

TEST(RecordRun, StopsAtARecordLongerThanAllowed) {
  Records records = Records().Add(20'000, 9);
  records.Add(1, 10).Add(20'000, 9);
  EXPECT_EQ(Skip(records.bytes(), kNoLimit, 10).run.records, 40'001U);
  EXPECT_EQ(Skip(records.bytes(), kNoLimit, 9).run.records, 20'000U);
  EXPECT_EQ(Skip(records.bytes(), kNoLimit, 8).run.records, 0U);
}

TEST(RecordRun, NotesWideLengthsInOrderFromTheBase) {
  Records records = Records().Add("short");
  const std::uint64_t first = records.size();
  records.Add(1, 128).Add(1, 127);
  const std::uint64_t second = records.size();
  records.Add(1, 256).Add("end");
  EXPECT_THAT(Skip(records.bytes(), kNoLimit, kNoLimit, ByteOrder::kLittle, 1000).wide,
              ElementsAre(1000 + first, 1000 + second));
}

TEST(RecordRun, WideLengthsAreNotedInLongRunsToo) {
  Records records;
  std::vector<std::uint64_t> places;
  for (int i = 0; i < 40; ++i) {
    records.Add(1'000, 7);
    places.push_back(records.size());
    records.Add(1, 200);
  }
  EXPECT_EQ(Skip(records.bytes(), kNoLimit, kNoLimit).wide, places);
  EXPECT_THAT(Skip(records.bytes(), 1'000, kNoLimit).wide, IsEmpty());
}

TEST(RecordRun, ReadsBothByteOrders) {
  Records records(ByteOrder::kBig);
  records.Add(30'000, 5).Add(1, 300).Add(30'000, 12);
  ExpectSameAsNaive(records.bytes(), kNoLimit, kNoLimit, ByteOrder::kBig);
  EXPECT_EQ(Skip(records.bytes(), kNoLimit, kNoLimit, ByteOrder::kBig).run.records, 60'001U);
}

TEST(RecordRun, NotesSomeLengthsThatAreFarApart) {
  constexpr std::uint64_t kBase = 1000;
  constexpr std::uint64_t kRecord = 8 + 7;
  const Records records = Records().Add(20'000, 7);
  const Skipped skipped = Skip(records.bytes(), kNoLimit, kNoLimit, ByteOrder::kLittle, kBase);
  EXPECT_EQ(skipped.some.size(), records.size() / (24 * 1024 + kRecord - 1));
  std::uint64_t before = kBase;
  for (const std::uint64_t at : skipped.some) {
    EXPECT_GE(at - before, 24U * 1024);
    EXPECT_EQ((at - kBase) % kRecord, 0U);
    before = at;
  }
}

TEST(RecordRun, ZerosAreEmptyRecordsToTheLastWholeOne) {
  const std::vector<std::uint8_t> zeros(300'003);
  const Skipped skipped = Skip(zeros, kNoLimit, kNoLimit);
  EXPECT_EQ(skipped.run.records, 300'003U / 8);
  ExpectSameAsNaive(zeros, 12'345, kNoLimit);
}

TEST(RecordRun, TextThatLooksLikeALengthLeadsNoWalkAstray) {
  // 100 bytes of text: twelve times a length of 5 and then zeros. No guess finds a record.
  std::string text;
  while (text.size() < 96) text.append("\5\0\0\0\0\0\0\0", 8);
  text += "tail";
  for (const ByteOrder order : {ByteOrder::kLittle, ByteOrder::kBig}) {
    Records records(order);
    for (int i = 0; i < 5'000; ++i) records.Add(text).Add("plain");
    ExpectSameAsNaive(records.bytes(), kNoLimit, kNoLimit, order);
    EXPECT_EQ(Skip(records.bytes(), kNoLimit, kNoLimit, order).run.records, 10'000U);
  }
}

TEST(RecordRun, EverySingleWrongLengthStopsItThere) {
  std::mt19937_64 random(7);
  const Records sound = Records().Add(40'000, 6);
  for (int i = 0; i < 300; ++i) {
    std::vector<std::uint8_t> bytes = sound.bytes();
    const std::uint64_t record = random() % 40'000;
    Store(random() >> (random() % 64), ByteOrder::kLittle,
          MutableBytes(bytes).subspan(record * 14));
    ExpectSameAsNaive(bytes, 40'000, std::uint64_t{1} << 30);
  }
}

TEST(RecordRun, AgreesWithTheNaiveWalkOnRandomRuns) {
  std::mt19937_64 random(11);
  for (int i = 0; i < 200; ++i) {
    Records records;
    const std::uint64_t longest_text = std::uint64_t{1} << (random() % 12);
    const std::uint64_t size = random() % 400'000;
    while (records.size() < size) {
      records.Add(std::string(random() % longest_text, static_cast<char>(random() % 3)));
    }
    std::vector<std::uint8_t> bytes = records.bytes();
    bytes.resize(bytes.size() - std::min<std::size_t>(bytes.size(), random() % 40));
    const std::uint64_t most = random() % 2 == 0 ? kNoLimit : random() % 20'000;
    const std::uint64_t longest = random() % 4 == 0 ? longest_text / 2 : kNoLimit;
    ExpectSameAsNaive(bytes, most, longest);
  }
}

TEST(RecordRun, AgreesWithTheNaiveWalkOnNoise) {
  std::mt19937_64 random(13);
  for (int i = 0; i < 100; ++i) {
    std::vector<std::uint8_t> bytes(random() % 300'000);
    const bool sparse = random() % 2 == 0;
    for (std::uint8_t& byte : bytes) {
      byte = sparse && random() % 9 != 0 ? 0 : static_cast<std::uint8_t>(random() % 32);
    }
    ExpectSameAsNaive(bytes, kNoLimit, kNoLimit);
  }
}

}  // namespace
}  // namespace ggufgate::testing
