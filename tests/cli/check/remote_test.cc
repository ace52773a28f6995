// Files on servers among the files of `check`. tests/remote tests the fetching.

#include "cli/check/remote.h"

#include <gmock/gmock.h>

#include <cstdlib>

#include "tests/support/command.h"
#include "tests/support/matchers.h"

namespace ggufgate::testing {
namespace {

FoundFiles FoundShards(std::vector<std::string> paths) {
  FoundFiles found;
  found.searched.resize(paths.size());
  found.files = std::move(paths);
  FindRemoteShards(found);
  EXPECT_EQ(found.files.size(), found.searched.size());
  return found;
}

TEST(FindRemoteShards, OneBringsItsSetOnce) {
  const FoundFiles found =
      FoundShards({"a-00001-of-00002.gguf", "https://h/x.gguf", "https://h/a-00002-of-00002.gguf?q",
                   "https://h/a-00001-of-00002.gguf?q"});
  EXPECT_THAT(found.files, ElementsAre("a-00001-of-00002.gguf", "https://h/x.gguf",
                                       "https://h/a-00001-of-00002.gguf?q",
                                       "https://h/a-00002-of-00002.gguf?q"));
  EXPECT_THAT(found.searched, ElementsAre(false, false, true, true));
}

TEST(FindRemoteShards, SetsInOtherPlacesAreOthers) {
  const FoundFiles found =
      FoundShards({"hf://o/r/a-00001-of-00002.gguf@v1", "hf://o/r/a-00001-of-00002.gguf@v2"});
  EXPECT_THAT(
      found.files,
      ElementsAre("hf://o/r/a-00001-of-00002.gguf@v1", "hf://o/r/a-00002-of-00002.gguf@v1",
                  "hf://o/r/a-00001-of-00002.gguf@v2", "hf://o/r/a-00002-of-00002.gguf@v2"));
}

TEST(FindRemoteShards, WhatIsNoAddressIsAProblem) {
  const FoundFiles found =
      FoundShards({"https://me@h/x", "hf://o", "https://h/a-00001-of-01001.gguf", "https://h/x"});
  EXPECT_THAT(found.files, ElementsAre("https://h/x"));
  ASSERT_EQ(found.problems.size(), 3U);
  EXPECT_THAT(std::string(found.problems.back().status.message()), HasSubstr("1,000 shards"));
}

TEST(RemoteFiles, TheTokenIsNotLeftForThoseWhoJudge) {
  ::setenv("HF_TOKEN", "hf_a-secret-of-the-user", 1);
  const RemoteFiles none({"model.gguf"}, RemoteOptions(), 1);
  EXPECT_STREQ(std::getenv("HF_TOKEN"), "hf_a-secret-of-the-user");
  const RemoteFiles remote({"hf://o/r/model.gguf"}, RemoteOptions(), 1);
  EXPECT_STREQ(std::getenv("HF_TOKEN"), "");
  ::unsetenv("HF_TOKEN");
}

TEST(RemoteOptions, BoundsAreKept) {
  for (const char* seconds : {"0", "601", "x"}) {
    EXPECT_EQ(RunCommand({"check", "--network-timeout", seconds, "https://h/"}).exit_code, 2);
  }
  const CommandResult result = RunCommand({"check", "--allow-private", "http://127.0.0.1/x"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.out, HasSubstr("undecided  http://127.0.0.1/x: "));
}

}  // namespace
}  // namespace ggufgate::testing
