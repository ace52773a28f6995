// Files that are malicious by their size or depth: too large for the corpus, generated here.

#include <string>

#include "tests/conformance/corpus.h"
#include "tests/oracles/verdict.h"
#include "tests/support/matchers.h"

namespace ggufgate::testing {
namespace {

// Keys returns a model of `count` u8 keys with different names.
Model Keys(std::size_t count) {
  Model model = Model::Minimal();
  model.metadata.reserve(count);
  while (model.metadata.size() < count) {
    model.metadata.push_back(
        {.key = "k" + std::to_string(model.metadata.size()), .type = 0, .payload = {1}});
  }
  return model;
}

// NestedArrays returns `depth` nested arrays of 12 bytes each.
FileBytes NestedArrays(std::size_t depth) {
  Encoder payload(ByteOrder::kLittle);
  for (std::size_t i = 1; i < depth; ++i) payload.Put(std::uint32_t{9}).Put(std::uint64_t{1});
  payload.Put(std::uint32_t{0}).Put(std::uint64_t{0});
  return payload.Take();
}

TEST(HostileTest, AHundredAndTwentyThousandKeys) {
  EXPECT_THAT(RulesFired(Keys(120'000)), ElementsAre("metadata-count"));
}

TEST(HostileTest, AsManyKeysAsTheLimitAllows) {
  EXPECT_THAT(RulesFired(Keys(65'536)), IsEmpty());
  EXPECT_THAT(RulesFired(Keys(65'537)), ElementsAre("metadata-count"));
}

// Profile spec has no limit of keys, so the work itself must stay proportional.
TEST(HostileTest, DuplicatesAmongAHundredAndTwentyThousandKeys) {
  Model model = Keys(120'000);
  EXPECT_TRUE(Judge(model, PolicyFor(Profile::kSpec)).Accepted());
  model.metadata.back().key = model.metadata.at(1).key;
  EXPECT_THAT(RulesFired(model, PolicyFor(Profile::kSpec)), ElementsAre("key-duplicate"));
}

TEST(HostileTest, DuplicatesAmongAHundredThousandTensors) {
  Model model = Model::Minimal();
  model.tensors.clear();
  for (std::size_t i = 0; i < 100'000; ++i) {
    model.tensors.push_back({.name = "t" + std::to_string(i), .dims = {8}, .data = FileBytes(32)});
  }
  model.LayOut();
  EXPECT_THAT(RulesFired(model), IsEmpty());
  model.tensors.back().name = "t7";
  EXPECT_THAT(RulesFired(model), ElementsAre("tensor-name-duplicate"));
}

TEST(HostileTest, TwoToThe63Keys) {
  Model model = Model::Minimal();
  model.claimed_metadata_count = std::uint64_t{1} << 63;
  EXPECT_THAT(RulesFired(model), ElementsAre("metadata-count"));
  EXPECT_THAT(RulesFired(model, PolicyFor(Profile::kLlamaCpp)), ElementsAre("metadata-count"));
}

TEST(HostileTest, AStringOfTwoToThe64LessOne) {
  for (const std::uint64_t length : {UINT64_MAX, UINT64_MAX - 7, std::uint64_t{1} << 63}) {
    Model model = Model::Minimal();
    model.metadata.front().claimed_key_length = length;
    EXPECT_THAT(RulesFired(model), ElementsAre("string-length")) << length;
    model.metadata.front().claimed_key_length.reset();
    model.tensors.front().claimed_name_length = length;
    EXPECT_THAT(RulesFired(model), ElementsAre("string-length")) << length;
  }
}

TEST(HostileTest, TwoToThe32SquaredElements) {
  for (const std::uint32_t type : {0U, 2U, 24U}) {
    Model model = Model::Minimal();
    model.tensors.front().dims = {std::uint64_t{1} << 32, std::uint64_t{1} << 32};
    model.tensors.front().type_id = type;
    model.tensors.front().data.clear();
    for (const Profile profile : kAllProfiles) {
      EXPECT_THAT(RulesFired(model, PolicyFor(profile)), Contains("tensor-elements-overflow"));
    }
  }
}

TEST(HostileTest, AHundredThousandNestedArrays) {
  Model model = Model::Minimal();
  model.SetRaw("test.values", ValueType::kArray, NestedArrays(100'000));
  for (const Profile profile : kAllProfiles) {
    EXPECT_THAT(RulesFired(model, PolicyFor(profile)), ElementsAre("array-nested"));
  }
}

// Each array is small and valid; only their number is not.
TEST(HostileTest, AMillionEmptyArraysInOne) {
  constexpr std::uint64_t kArrays = 1'000'000;
  Encoder payload(ByteOrder::kLittle);
  payload.Put(std::uint32_t{9}).Put(kArrays);
  for (std::uint64_t i = 0; i < kArrays; ++i) payload.Put(std::uint32_t{8}).Put(std::uint64_t{0});
  Model model = Model::Minimal();
  model.SetRaw("test.values", ValueType::kArray, payload.Take());
  EXPECT_THAT(RulesFired(model), ElementsAre("array-nested"));
  EXPECT_TRUE(Judge(model, PolicyFor(Profile::kSpec)).Accepted());
}

TEST(HostileTest, TenMillionAndOneStrings) {
  Model model = Model::Minimal();
  model.SetRaw("test.names", ValueType::kArray,
               Encoder(ByteOrder::kLittle)
                   .Put(std::uint32_t{8})
                   .Put(std::uint64_t{10'000'001})
                   .PutZeros(10'000'001 * 8)
                   .Take());
  EXPECT_THAT(RulesFired(model), ElementsAre("limit-exceeded"));
}

// A file above the limit of metadata is rejected early: no bytes beyond the limit are requested.
TEST(HostileTest, MetadataOverTheLimitOfBytes) {
  const FileBytes file = Write(Model::Minimal());
  FileBytes prefix(file.begin(), file.begin() + 68);
  Policy policy;
  policy.limits.metadata_bytes = prefix.size();
  const ParseResult parsed = Parse(prefix, file.size(), policy.limits);
  ASSERT_FALSE(parsed.NeedsMore());
  ASSERT_TRUE(parsed.document.fault);
  EXPECT_EQ(parsed.document.fault->kind, FaultKind::kMetadataBytes);
}

}  // namespace
}  // namespace ggufgate::testing
