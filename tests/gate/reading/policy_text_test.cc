#include "gate/reading/policy_text.h"

#include <gtest/gtest.h>

#include "tests/support/temp_folder.h"

namespace ggufgate {
namespace {

TEST(ReadPolicyFile, ReadsRegularFilesUpToAMebibyte) {
  const testing::TempFolder folder;
  EXPECT_EQ(ReadPolicyFile(folder.WriteText("a", "text")).value(), "text");
  EXPECT_EQ(ReadPolicyFile(folder.WriteText("empty", "")).value(), "");
  EXPECT_EQ(ReadPolicyFile(folder.Link("link", folder.Path("a"))).value(), "text");
  const std::string most(kLongestPolicyFile, 'x');
  EXPECT_EQ(ReadPolicyFile(folder.WriteText("most", most)).value(), most);
  EXPECT_EQ(ReadPolicyFile(folder.WriteText("more", most + "x")).status().message(),
            "file size is 1,048,577 bytes; a policy has at most 1,048,576");
}

TEST(ReadPolicyFile, RefusesWhatIsNoFile) {
  const testing::TempFolder folder;
  EXPECT_FALSE(ReadPolicyFile(folder.Path("missing")).ok());
  EXPECT_FALSE(ReadPolicyFile(folder.path()).ok());
  EXPECT_FALSE(ReadPolicyFile(folder.MakePipe("pipe")).ok());
  EXPECT_FALSE(ReadPolicyFile("/dev/zero").ok());
}

}  // namespace
}  // namespace ggufgate
