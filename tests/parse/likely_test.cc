// The estimate of the needed bytes stays within the file and the limits.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "parse/model.h"
#include "parse/parse.h"

namespace ggufgate {
namespace {

std::vector<std::uint8_t> WithList() {
  Model model = Model::Minimal().Set("list", std::vector<std::string>(1000, "twelve bytes"));
  for (int i = 0; i < 100; ++i) model.Add("tensor." + std::to_string(i), TensorType::kF32, {8});
  return Write(model);
}

TEST(BytesLikely, LiesBetweenWhatIsNeededAndWhatThereIs) {
  const std::vector<std::uint8_t> file = WithList();
  Limits limits;
  for (const std::uint64_t limit : {std::uint64_t{10'000}, limits.metadata_bytes}) {
    limits.metadata_bytes = limit;
    for (std::uint64_t held = 0; held < file.size(); held += 7) {
      const ParseResult parsed = Parse(Bytes(file).first(held), file.size(), limits);
      if (!parsed.NeedsMore()) continue;
      EXPECT_GE(parsed.bytes_likely, parsed.bytes_needed) << held;
      EXPECT_LE(parsed.bytes_likely, std::min<std::uint64_t>(file.size(), limit)) << held;
    }
  }
}

TEST(BytesLikely, IsNearTheEndWhereAllElementsAreAlike) {
  const std::vector<std::uint8_t> file = WithList();
  const std::uint64_t end = Parse(file, file.size(), Limits{}).document.directory_end;
  const ParseResult parsed = Parse(Bytes(file).first(2000), file.size(), Limits{});
  ASSERT_TRUE(parsed.NeedsMore());
  EXPECT_LT(parsed.bytes_needed, 2100U);
  EXPECT_GT(parsed.bytes_likely, end - end / 10);
  EXPECT_LT(parsed.bytes_likely, end + end / 5);
}

// A wrong count only raises the estimate within the limit.
TEST(BytesLikely, HugeCountsDoNotWrap) {
  Encoder file(ByteOrder::kLittle);
  file.PutBytes(AsBytes(kMagic)).Put(std::uint32_t{3}).Put(std::uint64_t{60'000});
  file.Put(std::uint64_t{1}).Put(std::uint64_t{1}).PutBytes(AsBytes("k"));
  file.Put(static_cast<std::uint32_t>(ValueType::kArray));
  file.Put(static_cast<std::uint32_t>(ValueType::kString)).Put(std::uint64_t{60'000});
  file.Put(std::uint64_t{60'000}).PutZeros(60'000).Put(std::uint64_t{60'000});
  const std::vector<std::uint8_t> bytes = file.Take();
  const Limits limits;
  const ParseResult parsed = Parse(bytes, std::uint64_t{1} << 62, limits);
  ASSERT_TRUE(parsed.NeedsMore());
  EXPECT_EQ(parsed.bytes_likely, limits.metadata_bytes);
}

}  // namespace
}  // namespace ggufgate
