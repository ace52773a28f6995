#include "stores/store_folder.h"

#include <gmock/gmock.h>

#include "tests/support/temp_folder.h"

namespace ggufgate {
namespace {

using ::testing::ElementsAre;
using ::testing::Optional;
using Kind = StoreFolder::Kind;

TEST(BlobOfLink, TakesWhatHuggingFaceWrites) {
  EXPECT_THAT(BlobOfLink("../../blobs/abc", 2), Optional(std::string("abc")));
  EXPECT_THAT(BlobOfLink("../../../blobs/abc", 3), Optional(std::string("abc")));
}

TEST(BlobOfLink, AndNothingElse) {
  for (const char* link :
       {"", "blobs/abc", "../blobs/abc", "../../../blobs/abc", "/../../blobs/abc", "../../blobs/",
        "../../blobs/..", "../../blobs/.", "../../blobs/a/b", "../../blobs/../x", "../.././blobs/a",
        "../../other/abc", "../..//blobs/abc"}) {
    EXPECT_EQ(BlobOfLink(link, 2), std::nullopt) << link;
  }
}

TEST(StoreFolder, FollowsNoLinkButToItself) {
  const testing::TempFolder folder;
  folder.MakeFolder("real");
  folder.WriteText("real/file", "text");
  folder.Link("itself", "real");
  const auto real = StoreFolder::Open(folder.Path("itself/"));
  ASSERT_TRUE(real.ok());
  EXPECT_EQ(real->PathOf("file"), folder.Path("itself") + "/file");
  EXPECT_EQ(real->TextOf("file", 4).value(), "text");
  EXPECT_TRUE(absl::IsOutOfRange(real->TextOf("file", 3).status()));

  const auto top = StoreFolder::Open(folder.path());
  ASSERT_TRUE(top.ok());
  folder.Link("file", "real/file");
  EXPECT_FALSE(top->In("itself").ok());
  EXPECT_FALSE(top->TextOf("file", 100).ok());
  EXPECT_FALSE(top->TextOf("real", 100).ok());
  EXPECT_THAT(top->LinkAt("file"), Optional(std::string("real/file")));
  EXPECT_EQ(top->LinkAt("real"), std::nullopt);
  EXPECT_EQ(top->KindOf("file"), Kind::kLink);
  EXPECT_EQ(top->KindOf("real"), Kind::kFolder);
  EXPECT_EQ(top->KindOf("none"), Kind::kNone);
  EXPECT_EQ(top->In("real")->KindOf("file"), Kind::kFile);
  folder.MakePipe("pipe");  // must not block
  EXPECT_EQ(top->KindOf("pipe"), Kind::kOther);
  EXPECT_FALSE(top->TextOf("pipe", 100).ok());
}

TEST(StoreFolder, ListsSortedAndNotWithoutEnd) {
  const testing::TempFolder folder;
  for (const char* name : {"b", "a", "c"}) folder.WriteText(name, "");
  const auto open = StoreFolder::Open(folder.path());
  EXPECT_THAT(open->Names(3).value(), ElementsAre("a", "b", "c"));
  EXPECT_THAT(open->Names(3).value(), ElementsAre("a", "b", "c")) << "again";
  EXPECT_TRUE(absl::IsResourceExhausted(open->Names(2).status()));
  EXPECT_FALSE(StoreFolder::Open(folder.Path("none")).ok());
}

}  // namespace
}  // namespace ggufgate
