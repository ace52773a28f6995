// The program that makes the corpus. Builds with sanitizers lack it.

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "tests/conformance/corpus.h"

namespace ggufgate::testing {
namespace {

namespace fs = std::filesystem;

class MakeCorpusTest : public ::testing::Test {
 protected:
  MakeCorpusTest() {
    folder_ = fs::path(::testing::TempDir()) / ("corpus-" + std::to_string(::getpid()));
    fs::remove_all(folder_);
  }
  ~MakeCorpusTest() override { fs::remove_all(folder_); }

  static int Make(const std::string& arguments) {
    const std::string command = "\"" GGUFGATE_BUILD_DIR "/make-corpus\" " + arguments;
    return std::system((command + " > /dev/null").c_str());  // NOLINT(cert-env33-c): our own words
  }

  fs::path folder_;
};

TEST_F(MakeCorpusTest, TheCorpusIsWhatItMakes) {
  EXPECT_EQ(Make("--check \"" + CorpusFolder().string() + "\""), 0)
      << "run make-corpus over the corpus folder and look at what changed";
}

TEST_F(MakeCorpusTest, MakesTheSameBytesInAnotherFolder) {
  ASSERT_EQ(Make("\"" + folder_.string() + "\""), 0);
  EXPECT_EQ(ReadBytes(folder_ / "MANIFEST.json"), ReadBytes(CorpusFolder() / "MANIFEST.json"));
  for (const CorpusFile& file : Corpus()) {
    EXPECT_EQ(ReadBytes(folder_ / file.path), ReadBytes(CorpusFolder() / file.path)) << file.path;
  }
  for (const CorpusSet& set : CorpusSets()) {
    for (const std::string& file : set.files) {
      const fs::path path = fs::path(set.folder) / file;
      EXPECT_EQ(ReadBytes(folder_ / path), ReadBytes(CorpusFolder() / path)) << path;
    }
  }
}

TEST_F(MakeCorpusTest, CheckNamesWhatIsWrong) {
  ASSERT_EQ(Make("\"" + folder_.string() + "\""), 0);
  const std::string check = "--check \"" + folder_.string() + "\"";
  EXPECT_EQ(Make(check), 0);
  std::ofstream(folder_ / "valid/nobody-made-this.gguf") << "GGUF";
  EXPECT_NE(Make(check), 0) << "a surplus file";
  fs::remove(folder_ / "valid/nobody-made-this.gguf");
  std::ofstream(folder_ / "valid/minimal.gguf", std::ios::app) << "x";
  EXPECT_NE(Make(check), 0) << "a changed file";
  fs::remove(folder_ / "valid/minimal.gguf");
  EXPECT_NE(Make(check), 0) << "a missing file";
}

}  // namespace
}  // namespace ggufgate::testing
