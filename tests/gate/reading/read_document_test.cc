#include "gate/reading/read_document.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <vector>

#include "bytes/memory_source.h"
#include "parse/model.h"
#include "parse/parse.h"
#include "tests/support/sizes.h"

namespace ggufgate {
namespace {

using testing::kMiB;

// WatchedSource counts the bytes read, and fails from some offset on.
class WatchedSource final : public ByteSource {
 public:
  explicit WatchedSource(Bytes bytes, std::uint64_t claimed_size = 0)
      : bytes_(bytes), size_(std::max<std::uint64_t>(bytes.size(), claimed_size)) {}

  [[nodiscard]] std::uint64_t size() const override { return size_; }
  [[nodiscard]] ReadOutcome ReadAt(std::uint64_t offset, MutableBytes out) const override {
    ++reads;
    bytes_read += out.size();
    if (offset + out.size() > fails_from) return failure;
    // After the given bytes there is a hole, as in a sparse file.
    std::ranges::fill(out, std::uint8_t{0});
    if (offset < bytes_.size()) {
      const Bytes there = bytes_.subspan(offset);
      std::ranges::copy(there.first(std::min(there.size(), out.size())), out.begin());
    }
    return {};
  }

  [[nodiscard]] bool far_away() const override { return is_far; }

  mutable std::uint64_t reads = 0;
  mutable std::uint64_t bytes_read = 0;
  bool is_far = false;
  std::uint64_t fails_from = UINT64_MAX;
  ReadOutcome failure = {.kind = ReadOutcome::Kind::kShrunk};

 private:
  Bytes bytes_;
  std::uint64_t size_;
};

// FileWithMetadata returns a valid file. Its metadata, including the directory, take exactly
// `metadata_bytes`, and its only tensor takes `data_bytes`.
std::vector<std::uint8_t> FileWithMetadata(std::uint64_t metadata_bytes, std::uint64_t data_bytes) {
  Model model;
  model.Add("t", TensorType::kI8, {data_bytes});
  const auto with_fill = [&](std::uint64_t fill) {
    Encoder array(ByteOrder::kLittle);
    array.Put(static_cast<std::uint32_t>(ValueType::kU8)).Put(fill).PutZeros(fill);
    model.SetRaw("fill", ValueType::kArray, array.Take());
    return Write(model);
  };
  const auto end_of = [](const std::vector<std::uint8_t>& file) {
    return Parse(file, file.size(), Limits{}).document.directory_end;
  };
  const std::uint64_t least = end_of(with_fill(0));
  EXPECT_LE(least, metadata_bytes);
  std::vector<std::uint8_t> file = with_fill(metadata_bytes - least);
  EXPECT_EQ(end_of(file), metadata_bytes);
  return file;
}

TEST(ReadDocument, UnderstandsMetadataOfEverySize) {
  for (const std::uint64_t size : {std::uint64_t{200}, kMiB / 16 - 1, kMiB / 16, kMiB / 16 + 1,
                                   kMiB, 8 * kMiB - 1, 8 * kMiB, 8 * kMiB + 1, 20 * kMiB}) {
    const std::vector<std::uint8_t> file = FileWithMetadata(size, 64);
    const auto read = ReadDocument::Read(MemorySource(file), Limits{});
    ASSERT_TRUE(read.ok()) << size << ": " << read.status();
    EXPECT_FALSE(read->document().fault) << size;
    EXPECT_EQ(read->document().directory_end, size);
    EXPECT_EQ(read->document().tensors.size(), 1U);
    EXPECT_EQ(read->document().tensors.at(0).name, "t");
  }
}

// The documented bounds: 8 MiB or 16 times the metadata, and one read for metadata of 64 KiB.
constexpr std::uint64_t kLeastBound = 8 * kMiB;
constexpr std::uint64_t kMostGrowth = 16;
constexpr std::uint64_t kFirstRead = std::uint64_t{64} << 10;

TEST(ReadDocument, ReadsAStatedMultipleOfTheMetadataAtMost) {
  for (const std::uint64_t metadata : {std::uint64_t{200}, kMiB, kMiB + 1, 5 * kMiB, 9 * kMiB}) {
    const std::vector<std::uint8_t> file = FileWithMetadata(metadata, 64);
    const WatchedSource source(file, /*claimed_size=*/std::uint64_t{1} << 40);
    ASSERT_TRUE(ReadDocument::Read(source, Limits{}).ok());
    EXPECT_LE(source.bytes_read, std::max(kLeastBound, kMostGrowth * metadata)) << metadata;
  }
}

TEST(ReadDocument, TakesLittleMoreThanTheMetadataFromFarAway) {
  for (const std::uint64_t metadata : {std::uint64_t{200}, kMiB, kMiB + 1, 5 * kMiB, 20 * kMiB}) {
    const std::vector<std::uint8_t> file = FileWithMetadata(metadata, 64);
    WatchedSource source(file, /*claimed_size=*/std::uint64_t{1} << 40);
    source.is_far = true;
    const auto read = ReadDocument::Read(source, Limits{});
    ASSERT_TRUE(read.ok());
    EXPECT_EQ(read->document().directory_end, metadata);
    EXPECT_LE(source.bytes_read, metadata + std::max(kFirstRead, metadata / 12)) << metadata;
    EXPECT_LE(source.reads, 3U) << "how long an array of bytes is stands at its beginning";
  }
}

// Short elements before long ones, and the reverse, make the estimates wrong.
TEST(ReadDocument, AWrongGuessCostsReadsOrBytesButNotTheBounds) {
  for (const bool short_first : {true, false}) {
    std::vector<std::string> texts(100'000, "x");
    for (std::size_t i = 0; i < texts.size(); ++i) {
      if ((i < 20'000) != short_first) texts[i] = std::string(100, 'y');
    }
    Model model = Model::Minimal();
    const std::vector<std::uint8_t> file = Write(model.Set("list", texts));
    const std::uint64_t metadata = file.size() - 32;
    WatchedSource source(file, /*claimed_size=*/std::uint64_t{1} << 40);
    source.is_far = true;
    const auto read = ReadDocument::Read(source, Limits{});
    ASSERT_TRUE(read.ok());
    EXPECT_FALSE(read->document().fault);
    EXPECT_LE(source.bytes_read, std::max(kLeastBound, kMostGrowth * metadata));
    EXPECT_LE(source.reads, 40U);
  }
}

TEST(ReadDocument, ReadsNoByteTwice) {
  for (const std::uint64_t metadata : {std::uint64_t{200}, kMiB + 1, 9 * kMiB}) {
    const std::vector<std::uint8_t> file = FileWithMetadata(metadata, 3 * kMiB);
    const WatchedSource source(file);
    ASSERT_TRUE(ReadDocument::Read(source, Limits{}).ok());
    EXPECT_LE(source.bytes_read, file.size()) << metadata;
  }
}

TEST(ReadDocument, ReadsOnceWhatIsSmall) {
  for (const std::uint64_t metadata : {std::uint64_t{200}, kFirstRead}) {
    const std::vector<std::uint8_t> file = FileWithMetadata(metadata, 64);
    const WatchedSource source(file, std::uint64_t{1} << 40);
    ASSERT_TRUE(ReadDocument::Read(source, Limits{}).ok());
    EXPECT_EQ(source.reads, 1U) << metadata;
    EXPECT_EQ(source.bytes_read, kFirstRead) << metadata;
  }
}

TEST(ReadDocument, GrowsGeometricallySoThatTheWorkIsLinear) {
  const std::vector<std::uint8_t> file = FileWithMetadata(20 * kMiB, 64);
  const WatchedSource source(file);
  ASSERT_TRUE(ReadDocument::Read(source, Limits{}).ok());
  EXPECT_LE(source.reads, 3U);  // 64 KiB, 8 MiB, all
}

TEST(ReadDocument, TheClaimsOfAHugeFileSizeNoRead) {
  // The size is a terabyte, and a key claims nearly all of it.
  Encoder file(ByteOrder::kLittle);
  file.PutBytes(AsBytes(kMagic)).Put(std::uint32_t{3}).Put(std::uint64_t{0}).Put(std::uint64_t{1});
  file.Put(std::uint64_t{1} << 39);
  const std::vector<std::uint8_t> bytes = file.Take();
  const WatchedSource source(bytes, std::uint64_t{1} << 40);
  const auto read = ReadDocument::Read(source, Limits{});
  ASSERT_TRUE(read.ok()) << read.status();
  ASSERT_TRUE(read->document().fault);
  EXPECT_EQ(read->document().fault->kind, FaultKind::kStringLength);
  EXPECT_EQ(source.bytes_read, kFirstRead);
}

TEST(ReadDocument, StopsAtTheLimitOnMetadata) {
  Limits limits;
  limits.metadata_bytes = 2 * kMiB;
  const std::vector<std::uint8_t> file = FileWithMetadata(2 * kMiB + 1, 64);
  const WatchedSource source(file, 100 * kMiB);
  const auto read = ReadDocument::Read(source, limits);
  ASSERT_TRUE(read.ok());
  ASSERT_TRUE(read->document().fault);
  EXPECT_EQ(read->document().fault->kind, FaultKind::kMetadataBytes);
  EXPECT_EQ(source.bytes_read, limits.metadata_bytes) << "what is over the limit is not read";

  const std::vector<std::uint8_t> fits = FileWithMetadata(2 * kMiB, 64);
  const auto whole = ReadDocument::Read(MemorySource(fits), limits);
  ASSERT_TRUE(whole.ok());
  EXPECT_FALSE(whole->document().fault);
}

TEST(ReadDocument, TakesAnEmptyFileForAFaultyOne) {
  const auto read = ReadDocument::Read(MemorySource(Bytes{}), Limits{});
  ASSERT_TRUE(read.ok());
  ASSERT_TRUE(read->document().fault);
  EXPECT_EQ(read->document().fault->kind, FaultKind::kFileTooShort);
}

TEST(ReadDocument, SurvivesBeingMoved) {
  const std::vector<std::uint8_t> file = Write(Model::Minimal());
  auto read = ReadDocument::Read(MemorySource(file), Limits{});
  ASSERT_TRUE(read.ok());
  const ReadDocument moved = *std::move(read);
  EXPECT_EQ(moved.document().metadata.at(0).key, kArchitectureKey);
  EXPECT_EQ(moved.document().tensors.at(0).name, "weight");
}

TEST(ReadDocument, FailsWhenTheFirstReadDoes) {
  const std::vector<std::uint8_t> file = Write(Model::Minimal());
  WatchedSource source(file);
  source.fails_from = file.size() - 1;
  EXPECT_EQ(ReadDocument::Read(source, Limits{}).status().code(), absl::StatusCode::kAborted);
}

TEST(ReadDocument, FailsWhenALaterReadDoes) {
  const std::vector<std::uint8_t> file = FileWithMetadata(2 * kMiB, 64);
  WatchedSource source(file);
  source.fails_from = kFirstRead;
  source.failure = {.kind = ReadOutcome::Kind::kFailed, .error_number = EIO};
  const auto read = ReadDocument::Read(source, Limits{});
  EXPECT_EQ(read.status().message(), "cannot read: Input/output error");
  EXPECT_EQ(source.reads, 2U);
}

TEST(StatusOf, NamesEachOutcome) {
  EXPECT_TRUE(StatusOf(ReadOutcome{}).ok());
  EXPECT_EQ(StatusOf({.kind = ReadOutcome::Kind::kShrunk}).message(),
            "the file became shorter while it was read");
  EXPECT_EQ(StatusOf({.kind = ReadOutcome::Kind::kFailed, .error_number = EACCES}).message(),
            "cannot read: Permission denied");
}

}  // namespace
}  // namespace ggufgate
