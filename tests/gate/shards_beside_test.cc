#include "gate/shards_beside.h"

#include <gmock/gmock.h>

#include <string>

#include "tests/support/temp_folder.h"

namespace ggufgate {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

std::string Name(int number, int count = 3) {
  return "m-0000" + std::to_string(number) + "-of-0000" + std::to_string(count) + ".gguf";
}

class ShardsBeside : public ::testing::Test {
 protected:
  ShardsBeside() {
    for (int number = 1; number <= 3; ++number) {
      paths.push_back(folder.WriteText(Name(number), "GGUF"));
    }
    folder.WriteText(Name(2, 2), "GGUF");
    folder.WriteText("other.gguf", "GGUF");
  }

  static FoundFiles Find(const std::vector<std::string>& given,
                         const std::vector<std::string>& excluded = {}) {
    FoundFiles found = FindFiles(given, {}, excluded);
    FindShardsBeside(excluded, found);
    EXPECT_EQ(found.files.size(), found.searched.size());
    return found;
  }

  const testing::TempFolder folder;
  std::vector<std::string> paths;
};

TEST_F(ShardsBeside, AreThoseOfAFirstShardThatIsNamed) {
  const FoundFiles found = Find({"x", paths[0], "y"});
  EXPECT_THAT(found.files, ElementsAre("x", paths[0], paths[1], paths[2], "y"));
  EXPECT_THAT(found.searched, ElementsAre(false, true, true, true, false));
  EXPECT_THAT(Find({paths[1]}).files, ElementsAre(paths[1])) << "no loader takes the second";
  EXPECT_THAT(Find({paths[1]}).searched, ElementsAre(false));
}

TEST_F(ShardsBeside, AreEachThereOnce) {
  EXPECT_THAT(Find({paths[2], paths[0], paths[0]}).files,
              ElementsAre(paths[2], paths[0], paths[1], paths[0]));
  const std::string spelt = folder.path() + "/./" + Name(2);
  EXPECT_THAT(Find({paths[0], spelt}).files, ElementsAre(paths[0], paths[2], spelt));
  EXPECT_THAT(Find({paths[0], folder.path()}).files, SizeIs(1 + 5));
}

TEST_F(ShardsBeside, MayBeMissingLinksOrExcluded) {
  EXPECT_THAT(Find({folder.WriteText("n-00001-of-00002.gguf", "GGUF")}).files, SizeIs(1));
  EXPECT_THAT(Find({folder.WriteText("n-00001-of-00002.gguf", "GGUF")}).searched, ElementsAre(true))
      << "so that the second is missing";
  folder.Link("n-00002-of-00002.gguf", "nowhere");
  EXPECT_THAT(Find({folder.Path("n-00001-of-00002.gguf")}).files, SizeIs(2));
  const FoundFiles found = Find({paths[0]}, {"*-00002-*"});
  EXPECT_THAT(found.files, ElementsAre(paths[0], paths[2]));
  EXPECT_EQ(found.skipped_count, 1U);
}

TEST_F(ShardsBeside, AreOfNoOtherFiles) {
  for (const std::string& path :
       {std::string("-"), folder.Path("other.gguf"), folder.WriteText("n-00001-of-00001.gguf", ""),
        "https://example.org/" + Name(1)}) {
    EXPECT_THAT(Find({path}).files, ElementsAre(path));
    EXPECT_THAT(Find({path}).searched, ElementsAre(false));
  }
}

// Names that announce 65,535 shards take that many queries each.
TEST_F(ShardsBeside, AreNotLookedForWithoutEnd) {
  std::vector<std::string> first;
  for (int i = 0; i < 17; ++i) first.push_back(std::to_string(i) + "-00001-of-65535.gguf");
  const FoundFiles found = Find(first);
  EXPECT_EQ(found.files, first);
  EXPECT_THAT(found.problems, SizeIs(2));
  EXPECT_EQ(found.problems.at(0).path, first.at(15));
}

}  // namespace
}  // namespace ggufgate
