#include "stores/ollama_manifest.h"

#include <gmock/gmock.h>

#include <string>

namespace ggufgate {
namespace {

using enum StoreManifestWording;
using ::testing::Eq;
using ::testing::Optional;

const std::string kHex(64, 'a');
const std::string kMedia = R"("mediaType":"application/vnd.ollama.image.)";

std::string LayerText(const std::string& media = "model", const std::string& hex = kHex) {
  return "{" + kMedia + media + R"(","digest":"sha256:)" + hex + R"(","size":7})";
}

std::string ManifestText(const std::string& layers, const std::string& more = "") {
  return R"({"schemaVersion":2,"layers":[)" + layers + "]" + more + "}";
}

OllamaManifest Parse(const std::string& text) { return ParseOllamaManifest(text, false); }

TEST(OllamaManifest, ListsItsLayersAndTheConfiguration) {
  const OllamaManifest manifest = Parse(
      ManifestText(LayerText() + "," + LayerText("tensor; name=w", std::string(64, 'b')) + "," +
                       LayerText("news"),
                   R"(,"config":{"digest":"sha256:)" + std::string(64, 'c') + R"(","size":2})"));
  ASSERT_EQ(manifest.fault, std::nullopt);
  ASSERT_EQ(manifest.layers.size(), 4U);
  EXPECT_EQ(manifest.layers.at(0).kind, LayerKind::kModel);
  EXPECT_EQ(manifest.layers.at(0).digest, kHex);
  EXPECT_THAT(manifest.layers.at(0).size, Optional(7U));
  EXPECT_EQ(manifest.layers.at(1).kind, LayerKind::kTensor);
  EXPECT_EQ(manifest.layers.at(2).kind, LayerKind::kOther);
  EXPECT_EQ(manifest.layers.at(3).kind, LayerKind::kConfig);
}

TEST(OllamaManifest, MayHaveNoConfiguration) {
  for (const char* config :
       {"", R"(,"config":{})", R"(,"config":{"digest":"","size":0})", R"(,"config":null)"}) {
    EXPECT_EQ(Parse(ManifestText(LayerText(), config)).layers.size(), 1U) << config;
  }
}

TEST(OllamaManifest, SaysWhatIsWrong) {
  const auto fault = [](const std::string& text) { return Parse(text).fault; };
  EXPECT_THAT(fault(""), Optional(kNotJson));
  EXPECT_THAT(fault("[]"), Optional(kNotJson));
  EXPECT_THAT(fault("{}"), Optional(kVersion));
  EXPECT_THAT(fault(R"({"schemaVersion":1,"layers":[]})"), Optional(kVersion));
  EXPECT_THAT(fault(R"({"schemaVersion":"2","layers":[]})"), Optional(kVersion));
  EXPECT_THAT(fault(R"({"schemaVersion":2})"), Optional(kLayers));
  EXPECT_THAT(fault(R"({"schemaVersion":2,"layers":{}})"), Optional(kLayers));
  EXPECT_THAT(fault(ManifestText("1")), Optional(kLayers));
  EXPECT_THAT(fault(ManifestText(LayerText(), R"(,"config":1)")), Optional(kLayers));
  EXPECT_THAT(fault(ManifestText(LayerText())), Eq(std::nullopt));
  EXPECT_THAT(fault(ManifestText(std::string(15, '[') + std::string(15, ']'))), Optional(kLarge));
  EXPECT_THAT(
      fault(ManifestText(LayerText(), ",\"a\":\"" + std::string(kLongestManifest, 'a') + "\"")),
      Optional(kLarge));
}

// A digest is used as part of a path.
TEST(OllamaManifest, TakesOneFormOfDigest) {
  for (const std::string& digest :
       {std::string(), "sha256:" + std::string(63, 'a'), "sha256:" + std::string(65, 'a'),
        "sha256:" + std::string(64, 'A'), "sha256-" + kHex, "sha512:" + kHex, kHex,
        std::string("sha256:../../../../../../../../../../../../../../../../../../etc/passwd")}) {
    const OllamaManifest manifest =
        Parse(ManifestText(LayerText() + R"(,{"digest":")" + digest + R"(","size":1})"));
    EXPECT_THAT(manifest.fault, Optional(kDigest)) << digest;
    EXPECT_EQ(manifest.fault_layer, 1U);
    EXPECT_TRUE(manifest.layers.empty());
  }
  EXPECT_THAT(Parse(ManifestText(R"({"digest":1,"size":1})")).fault, Optional(kDigest));
}

TEST(OllamaManifest, WantsSizes) {
  for (const char* size : {R"("7")", "-1", "1.5", "null", "9223372036854775808", "1e3"}) {
    const std::string layer = R"({"digest":"sha256:)" + kHex + R"(","size":)" + size + "}";
    EXPECT_THAT(Parse(ManifestText(layer)).fault, Optional(kSize)) << size;
  }
  EXPECT_THAT(Parse(ManifestText(R"({"digest":"sha256:)" + kHex + "\"}")).fault, Optional(kSize));
  const std::string most = R"({"digest":"sha256:)" + kHex + R"(","size":9223372036854775807})";
  EXPECT_THAT(Parse(ManifestText(most)).fault, Eq(std::nullopt));
}

// Texts that Ollama accepts and another parser does not.
TEST(OllamaManifest, RefusesOtherSpellings) {
  EXPECT_THAT(Parse(ManifestText("", R"(,"Layers":[])")).fault, Optional(kKeys));
  EXPECT_THAT(Parse(ManifestText("", R"(,"CONFIG":{})")).fault, Optional(kKeys));
  EXPECT_THAT(Parse(ManifestText("", R"(,"layers":[])")).fault, Optional(kKeys));
  EXPECT_THAT(
      Parse(ManifestText(R"({"MediaType":"x","digest":"sha256:)" + kHex + R"(","size":1})")).fault,
      Optional(kKeys));
  EXPECT_THAT(Parse(ManifestText("", R"(,"runner":"ollama")")).fault, Eq(std::nullopt));
}

std::string ListText(const std::string& children) {
  return R"({"schemaVersion":2,"mediaType":"application/vnd.ollama.manifest.list.v2+json",)"
         R"("manifests":[)" +
         children + "]}";
}

TEST(OllamaManifest, OfAListHasTheLayersOfAll) {
  const std::string reference = R"({"mediaType":"m","digest":"sha256:)" + kHex + "\"}";
  const OllamaManifest manifest =
      Parse(ListText(R"({"layers":[)" + LayerText() + "]}," + reference));
  ASSERT_EQ(manifest.fault, std::nullopt);
  ASSERT_EQ(manifest.layers.size(), 2U);
  EXPECT_EQ(manifest.layers.at(0).kind, LayerKind::kModel);
  EXPECT_EQ(manifest.layers.at(1).kind, LayerKind::kManifest);
  EXPECT_EQ(manifest.layers.at(1).size, std::nullopt);
  EXPECT_THAT(ParseOllamaManifest(ListText(reference), true).fault, Optional(kNested));
  EXPECT_THAT(Parse(ListText(ListText(reference))).fault, Optional(kNested));
  EXPECT_THAT(Parse(ListText("7")).fault, Optional(kLayers));
  EXPECT_THAT(Parse(ListText(R"({"Layers":[]})")).fault, Optional(kKeys));
}

TEST(OllamaManifest, EachKindOfLayerHasAWord) {
  for (std::uint64_t kind = 0; kind < kLayerKinds; ++kind) {
    EXPECT_FALSE(WordFor(static_cast<LayerKind>(kind)).empty());
  }
  EXPECT_EQ(WordFor(LayerKind::kTemplate), "template");
  EXPECT_EQ(WordFor(LayerKind::kConfig), "configuration");
  EXPECT_EQ(WordFor(LayerKind::kOther), "layer of an unknown kind");
}

// --- as bytes ------------------------------------------------------------------------------------

std::vector<OllamaManifest> Two() {
  return {Parse(ManifestText(LayerText() + "," + LayerText("template"))), Parse("")};
}

TEST(ManifestWire, ComesAsItWasSent) {
  const auto read = ReadOllamaManifests(WriteOllamaManifests(Two()), 2);
  ASSERT_TRUE(read.has_value());
  ASSERT_EQ(read->at(0).layers.size(), 2U);
  EXPECT_EQ(read->at(0).layers.at(1).kind, LayerKind::kTemplate);
  EXPECT_EQ(read->at(0).layers.at(1).digest, kHex);
  EXPECT_THAT(read->at(0).layers.at(1).size, Optional(7U));
  EXPECT_THAT(read->at(1).fault, Optional(kNotJson));
}

TEST(ManifestWire, BelievesNothing) {
  const std::vector<std::uint8_t> sound = WriteOllamaManifests(Two());
  for (std::size_t size = 0; size < sound.size(); ++size) {
    EXPECT_FALSE(ReadOllamaManifests(Bytes(sound).first(size), 2).has_value()) << size;
  }
  EXPECT_FALSE(ReadOllamaManifests(sound, 1).has_value());
  EXPECT_FALSE(ReadOllamaManifests(sound, 3).has_value());
  const auto with = [&](std::size_t at, std::uint8_t byte) {
    std::vector<std::uint8_t> bytes = sound;
    bytes.at(at) = byte;
    return ReadOllamaManifests(bytes, 2).has_value();
  };
  EXPECT_FALSE(with(0, 1)) << "no such fault";
  EXPECT_FALSE(with(23, 1)) << "more layers than there are bytes";
  EXPECT_FALSE(with(24, 200)) << "no such kind";
  EXPECT_FALSE(with(40, '/')) << "no digest";
  EXPECT_TRUE(with(40, 'b'));
}

}  // namespace
}  // namespace ggufgate
