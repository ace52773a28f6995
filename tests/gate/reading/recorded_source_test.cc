#include "gate/reading/recorded_source.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <numeric>
#include <thread>
#include <vector>

#include "bytes/memory_source.h"
#include "gate/reading/digest.h"

namespace ggufgate {
namespace {

constexpr std::uint64_t kSize = 3 * kDigestChunkBytes + 12345;

std::vector<std::uint8_t> Content() {
  std::vector<std::uint8_t> content(kSize);
  std::iota(content.begin(), content.end(), std::uint8_t{0});
  return content;
}

std::unique_ptr<RecordedSource> Recording(const ByteSource& source) {
  auto recording = RecordedSource::Begin(source);
  EXPECT_TRUE(recording.ok()) << recording.status();
  return *std::move(recording);
}

void Read(const ByteSource& source, std::uint64_t offset, std::size_t size) {
  std::vector<std::uint8_t> out(size);
  EXPECT_TRUE(source.ReadAt(offset, out).complete());
}

TEST(RecordedSource, GivesTheBytesAndTheDigestOfItsSource) {
  const std::vector<std::uint8_t> content = Content();
  const MemorySource source(content);
  const auto recording = Recording(source);
  EXPECT_EQ(recording->size(), kSize);
  EXPECT_EQ(recording->NextData(7), source.NextData(7));
  std::vector<std::uint8_t> out(100);
  ASSERT_TRUE(recording->ReadAt(1000, out).complete());
  EXPECT_TRUE(std::ranges::equal(out, Bytes(content).subspan(1000, 100)));
  EXPECT_EQ(recording->Sha256().value(), Sha256Of(source).value());
  EXPECT_EQ(recording->Sha256().value(), Sha256Of(source).value()) << "as often as one likes";
}

TEST(RecordedSource, ComparesReadsOfAnyOrderSizeAndThread) {
  std::vector<std::uint8_t> content = Content();
  const MemorySource source(content);
  const auto recording = Recording(source);
  Read(*recording, kSize - 1, 1);
  Read(*recording, 0, 0);
  Read(*recording, 0, kSize);  // overlaps all others, and all chunks of the digest
  Read(*recording, kDigestChunkBytes - 1, 2);
  Read(*recording, kDigestChunkBytes - 1, 2);  // the same twice
  {
    const std::jthread first([&] {
      for (std::uint64_t at = 0; at < 2000; at += 3) Read(*recording, at, 100);
    });
    const std::jthread second([&] {
      for (std::uint64_t at = 0; at < 2000; at += 2) Read(*recording, at, 100);
    });
  }
  EXPECT_EQ(recording->Sha256().value(), Sha256Of(source).value());
}

// For every byte that changes after it was read, even if only a small part of the file was read.
TEST(RecordedSource, SaysWhenWhatWasReadIsAnotherNow) {
  struct Case {
    std::uint64_t offset;
    std::size_t size;
    std::uint64_t changed;
    bool noticed;
  };
  constexpr std::uint64_t kChunk = kDigestChunkBytes;
  for (const Case& c : {
           Case{.offset = 0, .size = 1, .changed = 0, .noticed = true},
           Case{.offset = 0, .size = 1, .changed = 1, .noticed = false},
           Case{.offset = 5, .size = 10, .changed = 4, .noticed = false},
           Case{.offset = 5, .size = 10, .changed = 14, .noticed = true},
           Case{.offset = 5, .size = 10, .changed = 15, .noticed = false},
           Case{.offset = kChunk - 1, .size = 2, .changed = kChunk, .noticed = true},
           Case{.offset = kChunk - 1, .size = 2, .changed = kChunk + 1, .noticed = false},
           Case{.offset = 1, .size = kSize - 1, .changed = kSize - 1, .noticed = true},
           Case{.offset = 1, .size = kSize - 1, .changed = 2 * kChunk, .noticed = true},
       }) {
    std::vector<std::uint8_t> content = Content();
    const MemorySource source(content);
    const auto recording = Recording(source);
    Read(*recording, c.offset, c.size);
    content.at(c.changed) ^= 1;
    const auto digest = recording->Sha256();
    EXPECT_EQ(digest.ok(), !c.noticed) << c.offset << ' ' << c.size << ' ' << c.changed;
    if (c.noticed) {
      EXPECT_EQ(digest.status().message(), "the file changed while it was read");
    } else {
      EXPECT_EQ(*digest, Sha256Of(source).value()) << "of the bytes as they are now";
    }
  }
}

class DyingSource final : public ByteSource {
 public:
  [[nodiscard]] std::uint64_t size() const override { return 2 * kDigestChunkBytes; }
  [[nodiscard]] ReadOutcome ReadAt(std::uint64_t offset, MutableBytes /*out*/) const override {
    if (offset == 0) return {};
    return {.kind = ReadOutcome::Kind::kFailed, .error_number = EIO};
  }
};

TEST(RecordedSource, FailsWhenItsSourceDoes) {
  const DyingSource source;
  const auto recording = Recording(source);
  std::vector<std::uint8_t> out(1);
  EXPECT_EQ(recording->ReadAt(1, out).error_number, EIO);
  EXPECT_EQ(recording->Sha256().status().message(), "cannot read: Input/output error");
}

}  // namespace
}  // namespace ggufgate
