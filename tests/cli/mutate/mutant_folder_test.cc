#include "cli/mutate/mutant_folder.h"

#include <gtest/gtest.h>
#include <sys/syscall.h>

#include <cerrno>
#include <filesystem>
#include <string>

#include "tests/support/system/failing_calls.h"
#include "tests/support/temp_folder.h"

namespace ggufgate::testing {
namespace {

// Made makes two files, and returns the result if closing one of them gives this errno.
std::string Made(const std::string& path, int error_of_close) {
  return InChild([&]() -> std::string {
    const auto folder = MutantFolder::Open(path, false, {});
    if (!folder.ok() || !(*folder)->OpenFiles(0, 2, 2).ok()) return "not made";
    if (error_of_close != 0) FailCall({.number = SYS_close, .error = error_of_close});
    return (*folder)->Commit().ok() ? "all there" : "failed";
  });
}

// Network file systems may report write errors only then.
TEST(MutantFolder, HearsWhatClosingSays) {
  const TempFolder folder;
  EXPECT_EQ(Made(folder.Path("kept"), 0), "all there");
  EXPECT_EQ(Made(folder.Path("lost"), ENOSPC), "failed");
  EXPECT_TRUE(std::filesystem::exists(folder.Path("kept/000001.gguf")));
  EXPECT_FALSE(std::filesystem::exists(folder.Path("lost")));
}

}  // namespace
}  // namespace ggufgate::testing
