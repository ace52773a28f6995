// Searches of folders that contain stores of models.

#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "gate/find_files.h"
#include "tests/support/temp_folder.h"

namespace ggufgate {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr std::string_view kModel = "GGUF and more";

constexpr SearchLimits kNoticing{.stores = true};

TEST(FindFiles, NoticesTheStoresOfOllama) {
  const testing::TempFolder folder;
  for (const char* name : {"models", "models/manifests", "models/blobs", "models/other"}) {
    folder.MakeFolder(name);
  }
  folder.WriteText("models/blobs/sha256-0123", kModel);
  const std::string other = folder.WriteText("models/other/a", kModel);
  const FoundFiles found = FindFiles({folder.path()}, kNoticing);
  ASSERT_THAT(found.stores, SizeIs(1));
  EXPECT_EQ(found.stores.at(0).path, folder.Path("models"));
  EXPECT_EQ(found.stores.at(0).kind, FoundFiles::Store::Kind::kOllama);
  EXPECT_THAT(found.files, ElementsAre(other)) << "what else lies there";
  EXPECT_THAT(FindFiles({folder.path()}).files, SizeIs(2)) << "unless nobody wants to know";
}

// Other programs also use folders with these names.
TEST(FindFiles, TakesNoOtherFoldersForAStore) {
  const testing::TempFolder folder;
  folder.MakeFolder("manifests");
  folder.MakeFolder("blobs");
  const std::string model = folder.WriteText("blobs/a", kModel);
  EXPECT_THAT(FindFiles({folder.path()}, kNoticing).stores, IsEmpty());
  EXPECT_THAT(FindFiles({folder.path()}, kNoticing).files, ElementsAre(model));
  folder.MakeFolder("manifests/registry.ollama.ai");
  EXPECT_THAT(FindFiles({folder.path()}, kNoticing).stores, SizeIs(1));
}

TEST(FindFiles, NoticesTheRepositoriesOfHuggingFace) {
  const testing::TempFolder folder;
  for (const char* name : {"models--a--b", "models--a--b/blobs", "models--a--b/snapshots"}) {
    folder.MakeFolder(name);
  }
  folder.WriteText("models--a--b/blobs/0123", kModel);
  for (const std::string& path : {folder.path(), folder.Path("models--a--b") + "/"}) {
    const FoundFiles found = FindFiles({path}, kNoticing);
    ASSERT_THAT(found.stores, SizeIs(1)) << path;
    EXPECT_EQ(found.stores.at(0).kind, FoundFiles::Store::Kind::kHuggingFace);
    EXPECT_THAT(found.files, IsEmpty());
  }
}

TEST(FindFiles, NoticesRepositoriesOfDataAndSpacesInTheOrderOfTheirPaths) {
  const testing::TempFolder folder;
  const std::vector<std::string> names = {"datasets--a--b", "models--a--b", "spaces--a--b"};
  for (const std::string& name : names) folder.MakeFolder(name + "/snapshots");
  folder.MakeFolder("others--a--b/snapshots");
  std::vector<std::string> stores;
  for (const auto& store : FindFiles({folder.path()}, kNoticing).stores) {
    stores.push_back(store.path.substr(folder.path().size() + 1));
  }
  EXPECT_EQ(stores, names);
}

TEST(FindFiles, SearchesWhatAStoreDoesNotList) {
  const testing::TempFolder folder;
  for (const char* name :
       {"blobs", "blobs/inner", "snapshots", "refs", "manifests", ".no_exist", ".no_exist/abc"}) {
    folder.MakeFolder("models--a--b/" + std::string(name));
  }
  const auto write = [&](const std::string& name, std::string_view text = kModel) {
    return folder.WriteText("models--a--b/" + name, text);
  };
  write("blobs/0123");
  write("snapshots/a.gguf");
  write(".no_exist/abc/absent.gguf", "");
  const std::vector<std::string> expected = {write(".no_exist/abc/not-empty.gguf"), write("beside"),
                                             write("blobs/inner/a"), write("manifests/a"),
                                             write("refs/a")};
  const FoundFiles found = FindFiles({folder.path()}, kNoticing);
  EXPECT_EQ(found.files, expected);
  EXPECT_EQ(found.skipped_count, 1U);
  EXPECT_EQ(FindFiles({folder.path()}).files.size(), expected.size() + 3) << "of no store, all";
}

TEST(FindStore, TakesTheFolderForWhatItWasAskedFor) {
  using Kind = FoundFiles::Store::Kind;
  const testing::TempFolder folder;
  folder.MakeFolder("store/manifests");
  folder.WriteText("store/manifests/a", kModel);
  folder.MakeFolder("repository/snapshots");
  const std::string beside = folder.WriteText("repository/beside", kModel);
  FoundFiles found;
  FindStore({folder.Path("store"), Kind::kOllama}, {}, found);
  FindStore({folder.Path("repository"), Kind::kHuggingFace}, {}, found);
  ASSERT_THAT(found.stores, SizeIs(2));
  EXPECT_EQ(found.stores.at(0).kind, Kind::kOllama);
  EXPECT_EQ(found.stores.at(1).kind, Kind::kHuggingFace);
  EXPECT_THAT(found.files, ElementsAre(beside));
  FoundFiles cache;
  FindStore({folder.path(), Kind::kHuggingFace}, {"repository"}, cache);
  EXPECT_THAT(cache.stores, IsEmpty()) << "neither is named as a repository is";
  EXPECT_EQ(cache.skipped_count, 1U);
}

}  // namespace
}  // namespace ggufgate
