#include "gate/find_files.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <string>
#include <vector>

#include "parse/model.h"
#include "tests/support/system/failing_calls.h"
#include "tests/support/temp_folder.h"

namespace ggufgate {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

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

TEST(FindFiles, PassesOverWhatIsExcluded) {
  const testing::TempFolder folder;
  const std::string kept = folder.WriteText("kept.gguf", kModel);
  const std::string drafted = folder.WriteText("draft.gguf", kModel);
  folder.MakeFolder("old");
  const std::string old = folder.WriteText("old/a.gguf", kModel);
  const auto found = [&](const std::vector<std::string>& patterns) {
    return FindFiles({folder.path()}, {}, patterns).files;
  };
  EXPECT_THAT(found({}), ElementsAre(drafted, kept, old));
  EXPECT_THAT(found({"draft*"}), ElementsAre(kept, old));
  EXPECT_THAT(found({"draft*", "old"}), ElementsAre(kept));
  EXPECT_THAT(found({"*/old/*"}), ElementsAre(drafted, kept)) << "a slash: the whole path";
  EXPECT_THAT(found({"old/*"}), ElementsAre(drafted, kept, old));
  EXPECT_THAT(found({"raft.gguf", "[", ""}), ElementsAre(drafted, kept, old));
  EXPECT_THAT(found({"*"}), IsEmpty());
}

TEST(FindFiles, CountsWhatIsExcluded) {
  const testing::TempFolder folder;
  const std::string named = folder.WriteText("named.gguf", kModel);
  folder.MakeFolder("old");
  folder.WriteText("old/sha256-0", kModel);
  const FoundFiles found = FindFiles({named, folder.path() + "/old/"}, {}, {"named*", "sha256*"});
  EXPECT_THAT(found.files, IsEmpty());
  EXPECT_EQ(found.skipped_count, 2U);
  ASSERT_THAT(found.skipped, SizeIs(2));
  EXPECT_EQ(found.skipped.front().why, "it is excluded");
  EXPECT_FALSE(found.skipped.back().suspicious) << "it was asked for";
}

TEST(IsExcluded, LooksAtTheLastNameOrTheWholePath) {
  EXPECT_TRUE(IsExcluded("a/b/", {"b"}));
  EXPECT_TRUE(IsExcluded("/", {"/"}));
  EXPECT_TRUE(IsExcluded("./a", {"./a"}));
  EXPECT_FALSE(IsExcluded("a", {"./a"}));
  EXPECT_TRUE(IsExcluded("a/\xff\n", {"\xff?"}));
  EXPECT_FALSE(IsExcluded("a", {}));
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
  folder.MakePipe("pipe");  // the search must not block on it
  folder.Link("link", "no-such-file");
  EXPECT_THAT(FindFiles({folder.path()}).files, ElementsAre(nowhere, loop, pipe, socket));
}

TEST(FindFiles, SearchesAllTheWayDownAndSortsByPath) {
  const testing::TempFolder folder;
  folder.MakeFolder("b/deep/deeper");
  folder.MakeFolder("a.gguf");  // a folder with the name of a file
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

// FoundWithout returns the result of a search in which a system call fails: "file NAME" and
// "problem NAME: WHY".
std::string FoundWithout(const testing::TempFolder& folder, const testing::FailingCall& call) {
  return testing::InChild([&] {
    testing::FailCall(call);
    const FoundFiles found = FindFiles({folder.path()});
    std::string text;
    const auto name = [&](const std::string& path) {
      return path.substr(folder.path().size() + 1);
    };
    for (const std::string& path : found.files) text += "file " + name(path) + "\n";
    for (const auto& [path, why] : found.problems) {
      text += "problem " + name(path) + ": " + std::string(why.message()) + "\n";
    }
    return text;
  });
}

// It could be a folder full of models. A name *.gguf gets a separate verdict.
TEST(FindFiles, DoesNotPassOverWhatItCannotLookAt) {
  const testing::TempFolder folder;
  folder.MakeFolder("inside");
  folder.WriteText("model.gguf", kModel);
  testing::FailingCall ask{
      .number = SYS_newfstatat, .error = EIO, .argument = 3, .value = AT_SYMLINK_NOFOLLOW};
  const std::string found = FoundWithout(folder, ask);
  EXPECT_THAT(found, HasSubstr("file model.gguf\n"));
  EXPECT_THAT(found, HasSubstr("problem inside: cannot examine it"));
  ask.error = ENOENT;  // removed: not a problem
  EXPECT_EQ(FoundWithout(folder, ask), "file model.gguf\n");
}

TEST(FindFiles, DoesNotPassOverWhatItCannotOpenOrRead) {
  const testing::TempFolder folder;
  folder.WriteText("sha256-0123", kModel);
  testing::FailingCall open{.number = SYS_openat,
                            .error = EMFILE,
                            .argument = 2,
                            .value = O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK};
  constexpr const char* kProblem = "problem sha256-0123: cannot find out whether it is a model";
  EXPECT_THAT(FoundWithout(folder, open), HasSubstr(kProblem));
  EXPECT_THAT(FoundWithout(folder, {.number = SYS_pread64, .error = EIO}), HasSubstr(kProblem));
  open.error = ENXIO;  // a socket
  EXPECT_EQ(FoundWithout(folder, open), "");
}

// Files of sysfs report a size that is larger than their contents.
TEST(FindFiles, DoesNotPassOverWhatIsShorterThanItWas) {
  constexpr const char* kShort = "/sys/kernel/rcu_expedited";
  std::string text;
  std::ifstream(kShort) >> text;
  if (text != "0" && text != "1") GTEST_SKIP() << "there is no such file here";
  const testing::TempFolder folder;
  folder.Link("link", kShort);
  const FoundFiles found = FindFiles({folder.path()});
  ASSERT_THAT(found.problems, SizeIs(1));
  EXPECT_THAT(std::string(found.problems[0].status.message()), HasSubstr("became shorter"));
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

TEST(FindFiles, SaysWhatItPassesOver) {
  const testing::TempFolder folder;
  folder.MakeFolder("a");
  folder.WriteText("a/model", kModel);
  folder.WriteText("notes.txt", "no model");
  folder.WriteText("sha256-0123", "a template");
  folder.MakePipe("pipe");
  folder.Link("up", "..");
  const FoundFiles found = FindFiles({folder.path()});
  EXPECT_EQ(found.skipped_count, 4U);
  ASSERT_THAT(found.skipped, SizeIs(4));
  EXPECT_EQ(found.skipped.front().path, folder.Path("sha256-0123")) << "this may be a broken model";
  EXPECT_TRUE(found.skipped.front().suspicious);
  std::vector<std::string> others;
  for (const FoundFiles::Skipped& skipped : found.skipped) {
    if (skipped.suspicious) continue;
    others.push_back(skipped.path.substr(folder.path().size()) + ": " + std::string(skipped.why));
  }
  EXPECT_THAT(others, UnorderedElementsAre("/notes.txt: it does not begin with GGUF",
                                           "/pipe: it does not begin with GGUF",
                                           "/up: a link to a folder"));
  EXPECT_EQ(FindFiles({folder.Path("notes.txt")}).skipped_count, 0U) << "it was named";
}

TEST(FindFiles, ListsNoMoreThanItMayAndCountsAll) {
  const testing::TempFolder folder;
  for (std::size_t i = 0; i < FoundFiles::kMostSkippedListed + 5; ++i) {
    folder.WriteText("a" + std::to_string(i), "");
  }
  folder.WriteText("sha256-0123", "");
  const FoundFiles found = FindFiles({folder.path()});
  EXPECT_EQ(found.skipped_count, FoundFiles::kMostSkippedListed + 6);
  EXPECT_THAT(found.skipped, SizeIs(FoundFiles::kMostSkippedListed));
  EXPECT_TRUE(found.skipped.front().suspicious) << "it is listed wherever it came";
}

TEST(FindFiles, GoesNoDeeperThanItMay) {
  const testing::TempFolder folder;
  folder.MakeFolder("a/b/c");
  folder.MakeFolder("z");
  const std::string high = folder.WriteText("a/b/x", kModel);
  folder.WriteText("a/b/c/x", kModel);
  const std::string beside = folder.WriteText("z/x", kModel);
  const FoundFiles found = FindFiles({folder.path()}, {.depth = 3});
  EXPECT_THAT(found.files, ElementsAre(high, beside));
  ASSERT_THAT(found.problems, SizeIs(1));
  EXPECT_EQ(found.problems.front().path, folder.Path("a/b/c"));
  EXPECT_EQ(found.problems.front().status.message(),
            "it is not searched: folders are nested more than 3 deep");
  EXPECT_THAT(FindFiles({folder.path()}, {.depth = 4}).problems, IsEmpty());
}

TEST(FindFiles, TakesNoMoreNamesThanItMay) {
  const testing::TempFolder folder;
  for (int i = 0; i < 10; ++i) folder.WriteText(std::to_string(i), kModel);
  EXPECT_THAT(FindFiles({folder.path()}, {.names = 10}).problems, IsEmpty());
  const FoundFiles found = FindFiles({folder.path()}, {.names = 9});
  EXPECT_THAT(found.files, SizeIs(9));
  ASSERT_THAT(found.problems, SizeIs(1));
  EXPECT_THAT(std::string(found.problems.front().status.message()),
              HasSubstr("stopped at 9 names"));
}

// Each folder is inside the one before. The path of the innermost is longer than a mebibyte.
TEST(FindFiles, ThousandsOfFoldersInsideEachOtherCostNothing) {
  const testing::TempFolder folder;
  const std::string name(200, 'd');
  int at = ::open(folder.path().c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
  constexpr int kFolders = 6000;
  for (int i = 0; i < kFolders; ++i) {
    ASSERT_EQ(::mkdirat(at, name.c_str(), 0700), 0);
    const int next = ::openat(at, name.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
    ::close(at);
    at = next;
  }
  const FoundFiles found = FindFiles({folder.path()});
  EXPECT_THAT(found.files, IsEmpty());
  ASSERT_THAT(found.problems, SizeIs(1));
  EXPECT_EQ(found.problems.front().path.size(), folder.path().size() + 64 * 201);
  for (int i = 0; i < kFolders; ++i) {  // by hand, because no tool reaches the bottom
    const int up = ::openat(at, "..", O_PATH | O_DIRECTORY | O_CLOEXEC);
    EXPECT_EQ(::unlinkat(up, name.c_str(), AT_REMOVEDIR), 0);
    ::close(at);
    at = up;
  }
  ::close(at);
}

}  // namespace
}  // namespace ggufgate
