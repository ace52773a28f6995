#include "stores/list_stores.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <string>

#include "stores/ollama_manifest.h"
#include "tests/support/matchers.h"
#include "tests/support/stores/stores.h"
#include "tests/support/temp_folder.h"

namespace ggufgate::testing {
namespace {

namespace fs = std::filesystem;
using Kind = FoundFiles::Store::Kind;

constexpr std::string_view kModel = "GGUF and more";

class ListOllama : public ::testing::Test {
 protected:
  ModelStores List() {
    found = {};
    found.stores.push_back({folder.path(), Kind::kOllama});
    return ListStores(found);
  }
  [[nodiscard]] std::string Layer(std::string_view media, std::string_view content) const {
    return OllamaMaker::Layer(media, maker.PutBlob(content), content.size());
  }

  const TempFolder folder;
  const OllamaMaker maker{folder.path()};
  FoundFiles found;
};

TEST_F(ListOllama, NamesModelsInOrderAndTheirBlobsOnce) {
  maker.PutManifest("registry.ollama.ai/library/b/1", {Layer("model", kModel)});
  maker.PutManifest("registry.ollama.ai/library/a/2", {Layer("model", kModel)});
  maker.PutManifest("registry.ollama.ai/library/a/1",
                    {Layer("model", kModel), Layer("template", "words")});
  const ModelStores stores = List();
  ASSERT_THAT(stores.models, SizeIs(3));
  EXPECT_EQ(stores.models.at(0).name, "registry.ollama.ai/library/a:1");
  EXPECT_EQ(stores.models.at(1).name, "registry.ollama.ai/library/a:2");
  EXPECT_EQ(stores.models.at(2).name, "registry.ollama.ai/library/b:1");
  EXPECT_THAT(found.files, SizeIs(3));  // the model, the template, the configuration
  EXPECT_THAT(stores.gguf, ElementsAre(true, false, false));
  EXPECT_THAT(stores.models.at(0).layers, SizeIs(3));
  EXPECT_THAT(stores.models.at(2).layers.at(0).file, Optional(0U));
  EXPECT_THAT(found.problems, IsEmpty());
}

TEST_F(ListOllama, JudgesAsAModelWhatIsCalledOneOrBeginsAsOne) {
  maker.PutManifest("h/n/m/t", {Layer("projector", "zeros"), Layer("new", kModel),
                                Layer("adapter", ""), Layer("license", "words")});
  EXPECT_THAT(List().gguf, ElementsAre(true, true, true, false, false));
}

TEST_F(ListOllama, PassesOverWhatIsNoName) {
  maker.PutManifest("h/n/m/t", {Layer("model", kModel)});
  WriteFileAt(folder.Path("manifests/h/n/m/.DS_Store"), "");
  WriteFileAt(folder.Path("manifests/h/n/file"), "");
  WriteFileAt(folder.Path("manifests/h/n/m/deep/t"), "");
  fs::create_directory_symlink("m", folder.Path("manifests/h/n/link"));
  EXPECT_THAT(List().models, SizeIs(1));
  EXPECT_EQ(found.skipped_count, 4U);
}

// In the format of releases from 2026 on.
TEST_F(ListOllama, FollowsManifestsThatAreBlobs) {
  maker.PutManifest("h/n/m/t", {Layer("model", kModel)});
  const TempFolder other;
  const std::string text = R"({"schemaVersion":2,"layers":[)" + Layer("model", kModel) + "]}";
  const std::string digest = maker.PutBlob(text);
  fs::create_directories(folder.Path("manifests-v2/h/n/m"));
  fs::create_symlink("../../../../blobs/sha256-" + digest, folder.Path("manifests-v2/h/n/m/t"));
  const ModelStores stores = List();
  ASSERT_THAT(stores.models, SizeIs(2));
  EXPECT_EQ(stores.models.at(0).name, "h/n/m:t");
  EXPECT_EQ(stores.models.at(1).name, "h/n/m:t (manifests)");
  ASSERT_THAT(stores.models.at(0).layers, SizeIs(2));
  EXPECT_EQ(stores.models.at(0).layers.at(0).kind, LayerKind::kManifest);
  EXPECT_EQ(stores.models.at(0).layers.at(0).digest, digest);
  EXPECT_EQ(stores.models.at(0).layers.at(1).kind, LayerKind::kModel);
}

TEST_F(ListOllama, FollowsListsOfManifests) {
  const std::string inner = R"({"schemaVersion":2,"layers":[)" + Layer("model", kModel) + "]}";
  const std::string digest = maker.PutBlob(inner);
  WriteFileAt(folder.Path("manifests/h/n/m/t"),
              R"({"schemaVersion":2,"mediaType":"application/vnd.ollama.manifest.list.v2+json",)"
              R"("manifests":[{"mediaType":"m","digest":"sha256:)" +
                  digest + R"("}]})");
  const ModelStores stores = List();
  ASSERT_THAT(stores.models, SizeIs(1));
  ASSERT_THAT(stores.models.at(0).layers, SizeIs(2));
  EXPECT_EQ(stores.models.at(0).layers.at(1).kind, LayerKind::kModel);
  fs::remove(maker.PathOfBlob(digest));
  const ModelStores missing = List();
  ASSERT_THAT(missing.models.at(0).layers, SizeIs(1));
  EXPECT_EQ(missing.models.at(0).layers.at(0).file, std::nullopt);
}

TEST_F(ListOllama, SaysWhatCannotBeJudged) {
  const std::string layer = Layer("model", kModel);
  maker.PutManifest("h/n/m/t", {layer});
  const std::string path = maker.PathOfBlob(Sha256OfBytes(AsBytes(kModel)));
  fs::remove(path);
  fs::create_symlink("sha256-other", path);
  EXPECT_EQ(List().models.at(0).layers.at(0).obstacle, "links are not followed");
  fs::remove(path);
  fs::create_directories(path);
  EXPECT_EQ(List().models.at(0).layers.at(0).obstacle, "it is not a regular file");
  fs::remove(path);
  EXPECT_EQ(List().models.at(0).layers.at(0).file, std::nullopt);
  EXPECT_EQ(List().models.at(0).layers.at(0).obstacle, "");
}

TEST_F(ListOllama, FindsBlobsUnderTheirOlderNames) {
  maker.PutManifest("h/n/m/t", {Layer("model", kModel)});
  const std::string path = maker.PathOfBlob(Sha256OfBytes(AsBytes(kModel)));
  std::string older = path;
  older.at(older.rfind("sha256-") + 6) = ':';
  fs::rename(path, older);
  List();
  EXPECT_EQ(found.files.at(0), older);
}

TEST_F(ListOllama, TellsOfBlobsThatNothingNames) {
  maker.PutManifest("h/n/m/t", {Layer("model", kModel)});
  const std::string lone = maker.PathOfBlob(maker.PutBlob("GGUF alone"));
  maker.PutBlob("words alone");
  WriteFileAt(folder.Path("blobs/sha256-0123-partial"), "GGUF");
  const ModelStores stores = List();
  ASSERT_THAT(stores.models, SizeIs(2));
  EXPECT_EQ(stores.models.at(1).name, lone);
  EXPECT_EQ(stores.models.at(1).layers.at(0).digest, Sha256OfBytes(AsBytes("GGUF alone")));
  ASSERT_EQ(found.skipped_count, 2U);
  EXPECT_EQ(found.skipped.at(0).why, "an incomplete download");
}

TEST_F(ListOllama, AManifestThatIsTooLongIsAFault) {
  maker.PutManifest("h/n/m/t", {Layer("model", kModel)});
  fs::resize_file(folder.Path("manifests/h/n/m/t"), kLongestManifest + 1);
  EXPECT_THAT(List().models.at(0).fault, Optional(StoreManifestWording::kLarge));
  fs::resize_file(folder.Path("manifests/h/n/m/t"), kLongestManifest);
  EXPECT_THAT(List().models.at(0).fault, Optional(StoreManifestWording::kNotJson))
      << "NUL behind it";
}

TEST_F(ListOllama, AFolderThatIsALinkIsNotFollowed) {
  const TempFolder other;
  fs::create_directories(folder.Path("manifests"));
  fs::create_directory_symlink(other.path(), folder.Path("blobs"));
  List();
  EXPECT_THAT(found.problems, SizeIs(1));
}

TEST(ListHuggingFace, WithoutLinksTheSnapshotsHoldTheFiles) {
  const TempFolder folder;
  const std::string root = folder.Path("models--gpt2");
  WriteFileAt(root + "/snapshots/abc/a.gguf", "");
  WriteFileAt(root + "/snapshots/abc/b", kModel);
  WriteFileAt(root + "/snapshots/abc/c", "words");
  FoundFiles found;
  FindRepositories(folder.path(), found);
  const ModelStores stores = ListStores(found);
  ASSERT_THAT(stores.models, SizeIs(2));
  EXPECT_EQ(stores.models.at(0).name, "gpt2@abc/a.gguf");
  EXPECT_EQ(stores.models.at(1).name, "gpt2@abc/b");
  EXPECT_EQ(stores.models.at(1).layers.at(0).digest, "");
  EXPECT_THAT(found.files, ElementsAre(root + "/snapshots/abc/a.gguf", root + "/snapshots/abc/b"));
  EXPECT_EQ(found.skipped_count, 1U);
}

TEST(ListStores, KeepsPlainFilesInFront) {
  const TempFolder folder;
  const HuggingFaceMaker maker(folder.path(), "models--owner--name");
  maker.Put("abc", "a.gguf", AsBytes(kModel));
  FoundFiles found = FindFiles({"x.gguf", folder.path()}, {.stores = true});
  const ModelStores stores = ListStores(found);
  EXPECT_EQ(stores.first_file, 1U);
  EXPECT_FALSE(stores.HasFile(0));
  EXPECT_TRUE(stores.HasFile(1));
  EXPECT_FALSE(stores.HasFile(2));
  EXPECT_FALSE(stores.IsPlainBlob(1));
}

}  // namespace
}  // namespace ggufgate::testing
