#include "manifest/model_manifest.h"

#include <gmock/gmock.h>

#include "bytes/memory_source.h"
#include "parse/model.h"
#include "parse/parse.h"
#include "tests/support/stores/stores.h"

namespace ggufgate::testing {
namespace {

// Computed with sha256sum.
constexpr std::string_view kOf32Zeros =
    "66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925";
constexpr std::string_view kOfNothing =
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

Model Two() {
  Model model;
  model.Set("general.architecture", "test").Set("a", std::uint32_t{1});
  model.Add("w", TensorType::kF32, {4, 2});
  model.Add("b", TensorType::kF32, {8});
  return model;
}

ModelManifest Of(const std::vector<std::uint8_t>& file) {
  const ParseResult parsed = Parse(file, file.size(), Limits{});
  EXPECT_FALSE(parsed.document.fault.has_value());
  return MakeManifest(parsed.document, MemorySource(file)).value();
}

TEST(ModelManifest, HashesEachTensorAndAllOfThem) {
  const std::vector<std::uint8_t> file = Write(Two());
  const ModelManifest manifest = Of(file);
  ASSERT_EQ(manifest.tensors.size(), 2U);
  EXPECT_EQ(manifest.tensors.at(0).name, "w");
  EXPECT_EQ(manifest.tensors.at(0).type, "F32");
  EXPECT_EQ(manifest.tensors.at(0).dimensions, (std::vector<std::uint64_t>{4, 2}));
  EXPECT_EQ(manifest.tensors.at(0).bytes, 32U);
  EXPECT_EQ(manifest.tensors.at(0).sha256, kOf32Zeros);
  EXPECT_EQ(manifest.tensors.at(1).sha256, kOf32Zeros);
  EXPECT_EQ(manifest.data_sha256, Sha256OfBytes(std::vector<std::uint8_t>(64)));
  EXPECT_EQ(manifest.file_sha256, Sha256OfBytes(file));
  EXPECT_EQ(manifest.file_bytes, file.size());
  EXPECT_EQ(manifest.metadata_keys, 2U);
  EXPECT_FALSE(manifest.big_endian);
}

// According to docs/schema/manifest-1.schema.json.
TEST(ModelManifest, HasARootThatOthersCanMake) {
  const ModelManifest manifest = Of(Write(Two()));
  const std::string text = "ggufgate.manifest/1\nmetadata " + manifest.metadata_sha256 +
                           "\ntensor " + std::string(kOf32Zeros) + " 32 F32 8 b\ntensor " +
                           std::string(kOf32Zeros) + " 32 F32 4,2 w\n";
  EXPECT_EQ(manifest.root_sha256, Sha256OfBytes(AsBytes(text)));
}

TEST(ModelManifest, HashesTheRecordsOfMetadataSortedByKey) {
  std::string records;
  const auto put = [&](std::uint64_t number, int bytes) {
    for (int i = 0; i < bytes; ++i) records += static_cast<char>(number >> (8 * i) & 0xff);
  };
  put(1, 8);
  records += "a";
  put(4, 4);  // u32
  put(1, 4);
  put(20, 8);
  records += "general.architecture";
  put(8, 4);  // string
  put(4, 8);
  records += "test";
  EXPECT_EQ(Of(Write(Two())).metadata_sha256, Sha256OfBytes(AsBytes(records)));
}

TEST(ModelManifest, TheRootStaysWhereTheFileIsLaidOutOtherwise) {
  Model other;
  other.Set("a", std::uint32_t{1}).Set("general.architecture", "test");
  other.Add("b", TensorType::kF32, {8});
  other.Add("w", TensorType::kF32, {4, 2});
  const ModelManifest a = Of(Write(Two()));
  const ModelManifest b = Of(Write(other));
  EXPECT_NE(a.file_sha256, b.file_sha256);
  EXPECT_EQ(a.root_sha256, b.root_sha256);
  other.Set("a", std::uint32_t{2});
  EXPECT_NE(Of(Write(other)).root_sha256, a.root_sha256);
}

TEST(ModelManifest, OfAModelWithoutTensors) {
  const ModelManifest manifest = Of(Write(Model().Set("general.architecture", "test")));
  EXPECT_TRUE(manifest.tensors.empty());
  EXPECT_EQ(manifest.data_sha256, kOfNothing);
}

TEST(ModelManifest, IsAnErrorWhereDataAreMissing) {
  const std::vector<std::uint8_t> file = Write(Two());
  const ParseResult parsed = Parse(file, file.size(), Limits{});
  const Bytes cut = Bytes(file).first(file.size() - 1);
  EXPECT_FALSE(MakeManifest(parsed.document, MemorySource(cut)).ok());
  EXPECT_FALSE(DataSha256(parsed.document, MemorySource(cut), parsed.document.tensors.back()).ok());
  EXPECT_TRUE(DataSha256(parsed.document, MemorySource(cut), parsed.document.tensors.front()).ok());
}

}  // namespace
}  // namespace ggufgate::testing
