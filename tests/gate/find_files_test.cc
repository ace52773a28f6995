#include "gate/find_files.h"

#include <gmock/gmock.h>

#include <string>

#include "parse/model.h"
#include "tests/support/temp_folder.h"

namespace ggufgate {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::string_view kModel = "GGUF and more";

TEST(FindFiles, KeepsFilesAndTheDashAsTheyAre) {
  const testing::TempFolder folder;
  const std::string text = folder.WriteText("notes.txt", "no model");
  const FoundFiles found = FindFiles({text, "-", "/no/such/file", text});
  EXPECT_THAT(found.files, ElementsAre(text, "-", "/no/such/file", text));
  EXPECT_THAT(found.problems, IsEmpty());
}

TEST(FindFiles, FindsModelsByTheirFirstBytesWhateverTheirName) {
  const testing::TempFolder folder;
  const std::string blob = folder.WriteText("sha256-0123", kModel);
  folder.WriteText("notes.txt", "no model");
  folder.WriteText("short", "GGU");
  folder.WriteText("empty", "");
  folder.WriteText("lower", "gguf");
  folder.WriteText("late", " GGUF");
  EXPECT_THAT(FindFiles({folder.path()}).files, ElementsAre(blob));
}

TEST(FindFiles, FindsBrokenFilesByTheirName) {
  const testing::TempFolder folder;
  const std::string page = folder.WriteText("a.gguf", "<html>");
  const std::string empty = folder.WriteText("b.GGUF", "");
  folder.WriteText("c.gguf.part", "<html>");
  folder.WriteText("gguf", "<html>");
  EXPECT_THAT(FindFiles({folder.path()}).files, ElementsAre(page, empty));
}

TEST(FindFiles, FindsWhatIsNamedLikeAModelAndCannotBeOpened) {
  const testing::TempFolder folder;
  const std::string nowhere = folder.Link("a.gguf", "no-such-file");
  const std::string loop = folder.Link("b.gguf", "b.gguf");
  const std::string pipe = folder.MakePipe("c.gguf");
  const std::string socket = folder.MakeSocket("d.gguf");
  folder.MakePipe("pipe");  // must not hang the search, either
  folder.Link("link", "no-such-file");
  EXPECT_THAT(FindFiles({folder.path()}).files, ElementsAre(nowhere, loop, pipe, socket));
}

TEST(FindFiles, SearchesAllTheWayDownAndSortsByPath) {
  const testing::TempFolder folder;
  folder.MakeFolder("b/deep/deeper");
  folder.MakeFolder("a.gguf");  // a folder, for all its name
  const std::string last = folder.WriteText("c", kModel);
  const std::string deep = folder.WriteText("b/deep/deeper/x", kModel);
  const std::string inside = folder.WriteText("a.gguf/y", kModel);
  const FoundFiles found = FindFiles({folder.path()});
  EXPECT_THAT(found.files, ElementsAre(inside, deep, last));
  EXPECT_THAT(found.problems, IsEmpty());
}

TEST(FindFiles, KeepsTheOrderOfTheFoldersGiven) {
  const testing::TempFolder folder;
  folder.MakeFolder("a");
  folder.MakeFolder("b");
  const std::string in_a = folder.WriteText("a/x", kModel);
  const std::string in_b = folder.WriteText("b/x", kModel);
  EXPECT_THAT(FindFiles({folder.Path("b"), in_a, folder.Path("a")}).files,
              ElementsAre(in_b, in_a, in_a));
}

TEST(FindFiles, FollowsLinksToFiles) {
  const testing::TempFolder folder;
  folder.MakeFolder("blobs");
  folder.MakeFolder("snapshot");
  folder.WriteText("blobs/0123", kModel);
  const std::string link = folder.Link("snapshot/model.gguf", "../blobs/0123");
  const std::string other = folder.Link("snapshot/other", "../blobs/0123");
  EXPECT_THAT(FindFiles({folder.Path("snapshot")}).files, ElementsAre(link, other));
}

TEST(FindFiles, DoesNotFollowLinksToFoldersSoThatItEnds) {
  const testing::TempFolder folder;
  folder.MakeFolder("a");
  const std::string model = folder.WriteText("a/x", kModel);
  folder.Link("a/up", "..");
  folder.Link("a/self.gguf", ".");
  EXPECT_THAT(FindFiles({folder.path()}).files, ElementsAre(model));
}

TEST(FindFiles, SearchesAFolderGivenAsALink) {
  const testing::TempFolder folder;
  folder.MakeFolder("a");
  folder.WriteText("a/x", kModel);
  const std::string link = folder.Link("link", "a");
  EXPECT_THAT(FindFiles({link}).files, ElementsAre(link + "/x"));
}

TEST(FindFiles, GivesNamesAsTheyAre) {
  const testing::TempFolder folder;
  const std::string path = folder.WriteText("\x1b[31m\n\xff\\.gguf", kModel);
  EXPECT_THAT(FindFiles({folder.path()}).files, ElementsAre(path));
}

TEST(FindFiles, FindsNothingInAnEmptyFolder) {
  const testing::TempFolder folder;
  const FoundFiles found = FindFiles({folder.path()});
  EXPECT_THAT(found.files, IsEmpty());
  EXPECT_THAT(found.problems, IsEmpty());
}

}  // namespace
}  // namespace ggufgate
