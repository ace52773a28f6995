#include "manifest/manifest_text.h"

#include <nlohmann/json.hpp>
#include <sstream>

#include "manifest/difference.h"
#include "tests/support/matchers.h"
#include "tests/support/texts/command_text.h"

namespace ggufgate::testing {
namespace {

using Json = nlohmann::json;

const std::string kA(64, 'a');
const std::string kB(64, 'b');

ModelManifest SampleManifest() {
  ModelManifest manifest{
      .file_bytes = 7,
      .file_sha256 = kA,
      .metadata_keys = 2,
      .metadata_sha256 = kB,
      .data_sha256 = kB,
      .tensors = {{"w", "F32", {4, 2}, 32, kA}, {"b\\x01", "Q4_0", {32}, 18, kB}}};
  manifest.root_sha256 = RootOf(manifest).value();
  return manifest;
}

std::string JsonText(const ModelManifest& manifest = SampleManifest(),
                     const std::string& path = "m.gguf") {
  std::ostringstream out;
  WriteManifestJson(manifest, path, out);
  return out.str();
}

std::string Error(const std::string& text) {
  return std::string(ReadManifest(text).status().message());
}

TEST(ManifestText, IsReadAsItWasWritten) {
  const auto read = ReadManifest(JsonText());
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_FALSE(read->hashes_only);
  EXPECT_TRUE(DifferencesFrom(*read, SampleManifest(), false).empty());
  EXPECT_EQ(read->manifest.tensors, SampleManifest().tensors);
  EXPECT_EQ(read->manifest.file_bytes, 7U);
}

TEST(ManifestText, FitsItsSchema) {
  EXPECT_TRUE(FitsSchema(JsonText(), "manifest-1"));
  EXPECT_TRUE(FitsSchema(JsonText(SampleManifest(), "a\033b"), "manifest-1"));
  EXPECT_THAT(JsonText(SampleManifest(), "a\033b"), HasSubstr("\"path_hex\":\"611b62\""));
  ModelManifest empty = SampleManifest();
  empty.tensors.clear();
  EXPECT_TRUE(FitsSchema(JsonText(empty), "manifest-1"));
}

// Each member of the JSON is once missing and once of another type, and there are values out of
// range.
TEST(ManifestText, TakesNothingThatIsOutOfShape) {
  const Json sound = Json::parse(JsonText());
  ASSERT_TRUE(ReadManifest(sound.dump()).ok());
  for (const char* place : {"/schema", "/byte_order", "/data_sha256", "/root_sha256", "/file",
                            "/file/bytes", "/file/sha256", "/metadata", "/metadata/keys",
                            "/metadata/sha256", "/tensors", "/tensors/0/name", "/tensors/0/type",
                            "/tensors/0/dimensions", "/tensors/0/bytes", "/tensors/0/sha256"}) {
    const Json::json_pointer pointer(place);
    for (const Json& value : {Json(true), Json(-1), Json("x\n"), Json(std::string(64, 'A'))}) {
      Json other = sound;
      other.at(pointer) = value;
      EXPECT_FALSE(ReadManifest(other.dump()).ok()) << place << ' ' << value;
    }
    Json other = sound;
    other.at(pointer.parent_pointer()).erase(pointer.back());
    EXPECT_FALSE(ReadManifest(other.dump()).ok()) << place;
  }
  Json other = sound;
  other["tensors"][0]["dimensions"] = {1, 1, 1, 1, 1, 1};
  EXPECT_FALSE(ReadManifest(other.dump()).ok());
}

TEST(ManifestText, MustNotContradictItself) {
  ModelManifest other = SampleManifest();
  other.tensors.at(0).sha256 = kB;
  EXPECT_THAT(Error(JsonText(other)), HasSubstr("its root hash does not match its entries"));
  other.tensors.at(0).name = other.tensors.at(1).name;
  other.root_sha256 = RootOf(other).value();
  EXPECT_THAT(Error(JsonText(other)), HasSubstr("two tensors have the same name"));
}

// Text that is printed again must not reach a terminal unescaped.
TEST(ManifestText, TakesEscapedTextOnly) {
  ModelManifest other = SampleManifest();
  other.tensors.at(0).name = "w\033[31m";
  other.root_sha256 = RootOf(other).value();
  EXPECT_THAT(Error(JsonText(other)), HasSubstr("tensor 0: name"));
}

TEST(ManifestText, IsBounded) {
  EXPECT_THAT(Error(std::string(kLongestManifestFile + 1, ' ')), HasSubstr("too large"));
  EXPECT_THAT(Error("{\"a\":" + std::string(100'000, '[')), HasSubstr("not its JSON"));
  EXPECT_THAT(Error(R"({"a":1,"A":2})"), HasSubstr("a key occurs twice"));
  EXPECT_THAT(Error(R"({"a":1)"), HasSubstr("not its JSON"));
}

TEST(GgufHash, IsWrittenAsLlamaCppDoes) {
  std::ostringstream out;
  WriteGgufHash(SampleManifest(), "m.gguf", out);
  EXPECT_EQ(out.str(), "sha256    " + kA + "  m.gguf:w\nsha256    " + kB + "  m.gguf:b\\x01\n" +
                           "sha256    " + kB + "  m.gguf\n");
  const auto read = ReadManifest(out.str());
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_TRUE(read->hashes_only);
  EXPECT_TRUE(DifferencesFrom(*read, SampleManifest(), false).empty());
}

TEST(GgufHash, OfOtherKindsIsPassedOver) {
  const std::string all =
      "xxh64     0123  m:w\nsha256    " + kA + "  m:w\r\nsha256    " + kB + "  m\n";
  const auto read = ReadManifest(all);
  ASSERT_TRUE(read.ok());
  ASSERT_EQ(read->manifest.tensors.size(), 1U);
  EXPECT_EQ(read->manifest.tensors.at(0).name, "w");
  EXPECT_EQ(read->manifest.data_sha256, kB);
}

TEST(GgufHash, WithoutLayersKnowsTheWholeAlone) {
  const auto read = ReadManifest("sha256    " + kB + "  m.gguf\n");
  ASSERT_TRUE(read.ok());
  EXPECT_TRUE(DifferencesFrom(*read, SampleManifest(), false).empty());
}

TEST(GgufHash, TakesNothingThatIsOutOfShape) {
  EXPECT_THAT(Error(""), HasSubstr("it is not JSON of ggufgate"));
  EXPECT_THAT(Error("xxh64 0123 m\n"), HasSubstr("it is not JSON"));
  EXPECT_THAT(Error("sha256    " + std::string(63, 'a') + "  m\n"), HasSubstr("has no such hash"));
  EXPECT_THAT(Error("sha256    " + kA + "  other:w\nsha256    " + kB + "  m\n"),
              HasSubstr("names another file"));
  const std::string line = "sha256    " + kA + "  m:w\n";
  EXPECT_THAT(Error(line + line + "sha256    " + kB + "  m\n"), HasSubstr("the same name"));
}

}  // namespace
}  // namespace ggufgate::testing
