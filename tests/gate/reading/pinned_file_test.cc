#include "gate/reading/pinned_file.h"

#include <gtest/gtest.h>

#include <fstream>
#include <string>

namespace ggufgate {
namespace {

// A file of sysfs reports a size that is larger than its contents.
TEST(PinnedFile, ACopyIsNoShorterThanTheFileWas) {
  constexpr const char* kShort = "/sys/kernel/rcu_expedited";
  std::string text;
  std::ifstream(kShort) >> text;
  if (text != "0" && text != "1") GTEST_SKIP() << "there is no such file here";
  EXPECT_EQ(PinnedFile::ByCopy(kShort).status().message(), "it became shorter while it was copied");
}

}  // namespace
}  // namespace ggufgate
