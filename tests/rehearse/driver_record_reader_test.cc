// Records of the driver, and forged records.

#include "rehearse/driver_record_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string_view>

namespace ggufgate {
namespace {

using Kind = DriverRecord::Kind;
constexpr std::array<std::uint8_t, 16> kNonce = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

std::vector<std::uint8_t> Record(Kind kind, RehearsalStage stage, std::string_view text = "") {
  DriverRecord record{.nonce = kNonce,
                      .kind = static_cast<std::uint8_t>(kind),
                      .stage = static_cast<std::uint8_t>(stage)};
  std::ranges::copy(text, record.text.begin());
  std::vector<std::uint8_t> bytes(sizeof(record));
  std::memcpy(bytes.data(), &record, sizeof(record));
  return bytes;
}

// A run through all stages.
std::vector<std::uint8_t> Whole() {
  std::vector<std::uint8_t> all;
  for (std::size_t stage = 0; stage < kRehearsalStages; ++stage) {
    const auto record = Record(Kind::kEnters, static_cast<RehearsalStage>(stage));
    all.insert(all.end(), record.begin(), record.end());
  }
  const auto last = Record(Kind::kFinished, RehearsalStage::kDone);
  all.insert(all.end(), last.begin(), last.end());
  return all;
}

TEST(DriverRecordReader, UnderstandsAWholeRunInPiecesOfAnySize) {
  for (const std::size_t piece : {1U, 7U, 255U, 256U, 257U, 100'000U}) {
    DriverRecordReader reader(kNonce);
    const std::vector<std::uint8_t> all = Whole();
    Bytes rest = all;
    while (!rest.empty()) {
      const std::size_t size = std::min(piece, rest.size());
      reader.Add(rest.first(size));
      rest = rest.subspan(size);
    }
    EXPECT_TRUE(reader.finished()) << piece;
    EXPECT_FALSE(reader.forged()) << piece;
    EXPECT_EQ(reader.stage(), RehearsalStage::kDone);
  }
}

TEST(DriverRecordReader, TextsEndAtTheirRecord) {
  DriverRecordReader reader(kNonce);
  const std::string longest(DriverRecord{}.text.size(), 'x');
  reader.Add(Record(Kind::kVersion, RehearsalStage::kOpen, longest));
  reader.Add(Record(Kind::kNote, RehearsalStage::kOpen, "a note"));
  reader.Add(Record(Kind::kCannot, RehearsalStage::kOpen, "no"));
  EXPECT_FALSE(reader.forged());
  EXPECT_EQ(reader.version(), longest);
  EXPECT_THAT(reader.notes(), ::testing::ElementsAre("a note"));
  EXPECT_EQ(reader.cannot(), "no");
}

TEST(DriverRecordReader, KeepsFewNotes) {
  DriverRecordReader reader(kNonce);
  for (int i = 0; i < 1000; ++i) reader.Add(Record(Kind::kNote, RehearsalStage::kOpen, "again"));
  EXPECT_EQ(reader.notes().size(), 16U);
}

// Each has one record that cannot come from the driver.
TEST(DriverRecordReader, KnowsForgeries) {
  const auto with = [](std::size_t at, std::uint8_t byte) {
    auto record = Record(Kind::kEnters, RehearsalStage::kLoad);
    record.at(at) = byte;
    return record;
  };
  EXPECT_EQ(Record(Kind::kEnters, RehearsalStage::kLoad), with(17, 2)) << "the unchanged one";
  const std::vector<std::pair<std::string, std::vector<std::uint8_t>>> forged = {
      {"first byte of the nonce", with(0, 0)},
      {"last byte of the nonce", with(15, 1)},
      {"unknown kind", with(16, 6)},
      {"unknown stage", with(17, kRehearsalStages)},
      {"end before the last stage", Record(Kind::kFinished, RehearsalStage::kOpen)},
      {"end of a stage that was not entered", Record(Kind::kFinished, RehearsalStage::kDone)},
      {"refusal in another stage", Record(Kind::kRefused, RehearsalStage::kLoad)}};
  for (const auto& [what, bytes] : forged) {
    DriverRecordReader reader(kNonce);
    reader.Add(bytes);
    EXPECT_TRUE(reader.forged()) << what;
    reader.Add(Whole());
    EXPECT_FALSE(reader.finished()) << what << ": nothing is heard behind a forgery";
  }
}

TEST(DriverRecordReader, NothingComesBackOrBehindAnEnd) {
  DriverRecordReader back(kNonce);
  back.Add(Record(Kind::kEnters, RehearsalStage::kDecode));
  back.Add(Record(Kind::kEnters, RehearsalStage::kContext));
  EXPECT_TRUE(back.forged());
  for (const Kind end : {Kind::kRefused, Kind::kCannot}) {
    DriverRecordReader reader(kNonce);
    reader.Add(Record(end, RehearsalStage::kOpen));
    EXPECT_FALSE(reader.forged());
    reader.Add(Record(Kind::kEnters, RehearsalStage::kLoad));
    EXPECT_TRUE(reader.forged());
  }
}

}  // namespace
}  // namespace ggufgate
