// The memory limit of the parser (parse.h): at most 15 bytes of heap per existing byte of metadata,
// for any claims of the file.

#include <gtest/gtest.h>

#include <algorithm>

#include "parse/parse.h"
#include "tests/support/counted_heap/counted_heap.h"
#include "tests/support/parse_helpers.h"

namespace ggufgate {
namespace {

using testing::counted_heap;
using testing::File;
using testing::HeaderOf;

constexpr std::size_t kPromised = 15;   // bytes of heap per byte of metadata
constexpr std::size_t kConstant = 512;  // rounding of small allocations

Limits Generous() {
  Limits limits;
  limits.metadata_keys = UINT64_MAX;
  limits.tensors = UINT64_MAX;
  limits.array_strings = UINT64_MAX;
  return limits;
}

struct Measured {
  std::size_t peak;
  std::size_t keys;
  std::size_t tensors;
  bool fault;
  bool needs_more;
};

// Measure parses a file and returns the peak of the heap.
Measured Measure(Bytes prefix, std::uint64_t file_size, const Limits& limits = Generous()) {
  const std::size_t before = counted_heap.live;
  counted_heap.peak = counted_heap.live;
  const ParseResult result = Parse(prefix, file_size, limits);
  return {.peak = counted_heap.peak - before,
          .keys = result.document.metadata.size(),
          .tensors = result.document.tensors.size(),
          .fault = result.document.fault.has_value(),
          .needs_more = result.NeedsMore()};
}

// Keys returns a file of `count` keys of 13 bytes, or 14 with a key of one byte.
File Keys(std::uint64_t count, std::string_view key) {
  Encoder out = HeaderOf(0, count);
  for (std::uint64_t i = 0; i < count; ++i) out.PutString(key).Put(std::uint32_t{0}).PutZeros(1);
  return out.Take();
}

// Calls the operators directly, because a compiler may remove an unused vector.
TEST(Memory, TheHookSeesWhatIsAllocated) {
  const std::size_t before = counted_heap.live;
  void* const memory = ::operator new(100'000);
  const std::size_t with = counted_heap.live;
  ::operator delete(memory);
  EXPECT_GE(with, before + 100'000);
  EXPECT_EQ(counted_heap.live, before);
}

TEST(Memory, TheSmallestKeysTakeNoMoreThanPromised) {
  for (const std::string_view key : {std::string_view(), std::string_view("k")}) {
    const File file = Keys(120'000, key);
    const Measured measured = Measure(file, file.size());
    EXPECT_FALSE(measured.fault);
    EXPECT_EQ(measured.keys, 120'000U);
    EXPECT_GE(measured.peak, 120'000 * sizeof(MetadataEntry)) << "the hook is in place";
    EXPECT_LE(measured.peak, kPromised * file.size());
  }
}

TEST(Memory, NoNumberOfKeysIsAnException) {
  // A vector uses the most memory for its contents directly after it has grown.
  for (std::uint64_t count = 1; count < 3'000; ++count) {
    const File file = Keys(count, "");
    ASSERT_LE(Measure(file, file.size()).peak, kPromised * file.size() + kConstant) << count;
  }
}

TEST(Memory, TheSmallestTensorsTakeNoMoreThanPromised) {
  constexpr std::uint64_t kCount = 100'000;
  const File file = HeaderOf(kCount, 0).PutZeros(kCount * kMinimumTensorBytes).Take();
  const Measured measured = Measure(file, file.size());
  EXPECT_FALSE(measured.fault);
  EXPECT_EQ(measured.tensors, kCount);
  EXPECT_GE(measured.peak, kCount * sizeof(TensorInfo));
  EXPECT_LE(measured.peak, kPromised * file.size());
}

TEST(Memory, WideStringsTakeNoMoreThanPromised) {
  Model model;
  model.Set("k", std::vector<std::string>(50'000, std::string(128, 'x')));
  const File file = Write(model);
  const Measured measured = Measure(file, file.size());
  EXPECT_GE(measured.peak, 50'000 * sizeof(std::uint64_t)) << "one place for each wide length";
  EXPECT_LE(measured.peak, kPromised * file.size());
}

TEST(Memory, AVocabularyOfShortStringsTakesNextToNothing) {
  Model model;
  model.Set("k", std::vector<std::string>(200'000, "token"));
  const File file = Write(model);
  EXPECT_LE(Measure(file, file.size()).peak, file.size() / 512 + kConstant) << "some places";
}

TEST(Memory, AClaimOf2To63KeysTakesNothing) {
  for (const std::uint64_t claimed : {std::uint64_t{1} << 63, UINT64_MAX, std::uint64_t{1} << 32}) {
    const File file = HeaderOf(0, claimed).PutZeros(1'000).Take();
    const Measured measured = Measure(file, file.size());
    EXPECT_TRUE(measured.fault);
    EXPECT_LE(measured.peak, kConstant);
  }
}

TEST(Memory, AClaimOf2To63TensorsTakesNothing) {
  const File file = HeaderOf(std::uint64_t{1} << 63, 0).PutZeros(1'000).Take();
  EXPECT_TRUE(Measure(file, file.size()).fault);
  EXPECT_LE(Measure(file, file.size()).peak, kConstant);
}

TEST(Memory, AClaimThatAHugeFileCouldHoldIsBelievedOnlyAsFarAsItWasRead) {
  constexpr std::uint64_t kHuge = std::uint64_t{1} << 62;
  const File keys = HeaderOf(0, kHuge / 16).PutZeros(13 * 1'000).Take();
  const Measured of_keys = Measure(keys, kHuge);
  EXPECT_TRUE(of_keys.needs_more);
  EXPECT_EQ(of_keys.keys, 1'000U);
  EXPECT_LE(of_keys.peak, kPromised * keys.size() + kConstant);

  const File tensors = HeaderOf(kHuge / 32, 0).PutZeros(24 * 1'000).Take();
  const Measured of_tensors = Measure(tensors, kHuge);
  EXPECT_TRUE(of_tensors.needs_more);
  EXPECT_EQ(of_tensors.tensors, 1'000U);
  EXPECT_LE(of_tensors.peak, kPromised * tensors.size() + kConstant);
}

TEST(Memory, AClaimedArrayOrStringTakesNothing) {
  constexpr std::uint64_t kHuge = std::uint64_t{1} << 40;
  Limits limits = Generous();
  limits.array_elements = UINT64_MAX;
  limits.string_bytes = UINT64_MAX;
  limits.metadata_bytes = UINT64_MAX;
  Encoder array = HeaderOf(0, 1);
  array.PutString("k").Put(std::uint32_t{9}).Put(std::uint32_t{8}).Put(kHuge / 16).PutZeros(800);
  EXPECT_LE(Measure(array.Take(), kHuge, limits).peak, kConstant);
  Encoder text = HeaderOf(0, 1);
  text.PutString("k").Put(std::uint32_t{8}).Put(kHuge / 2).PutZeros(800);
  EXPECT_LE(Measure(text.Take(), kHuge, limits).peak, kConstant);
}

TEST(Memory, NestingTakesNoHeap) {
  Model model;
  model.SetRaw("k", ValueType::kArray, testing::NestedPayload(100'000));
  const File file = Write(model);
  EXPECT_LE(Measure(file, file.size()).peak, kConstant);
}

}  // namespace
}  // namespace ggufgate
