// The program that makes the corpus. Builds with sanitizers lack it.

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "tests/conformance/corpus.h"
#include "tests/support/rules/rule_place.h"

namespace ggufgate::testing {
namespace {

namespace fs = std::filesystem;

class MakeCorpusTest : public ::testing::Test {
 protected:
  MakeCorpusTest() {
    folder_ = fs::path(::testing::TempDir()) / ("corpus-" + std::to_string(::getpid()));
    told_ = folder_.string() + ".txt";
    fs::remove_all(folder_);
  }
  ~MakeCorpusTest() override {
    fs::remove_all(folder_);
    fs::remove(told_);
  }

  int Make(const std::string& arguments) {
    const std::string command =
        "\"" GGUFGATE_BUILD_DIR "/make-corpus\" " + arguments + " > \"" + told_.string() + "\"";
    return std::system(command.c_str());  // NOLINT(cert-env33-c): our own words
  }

  // Told returns the output of the last run.
  [[nodiscard]] std::string Told() const {
    std::ifstream in(told_);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  fs::path folder_;
  fs::path told_;
};

TEST_F(MakeCorpusTest, TheCorpusIsWhatItMakes) {
  EXPECT_EQ(Make("--check \"" + CorpusFolder().string() + "\""), 0)
      << "corpus/ and corpus/recipes differ:\n"
      << Told() << MakeCorpus() << "\nThen look at the changed files: git status corpus";
}

TEST_F(MakeCorpusTest, MakesTheSameBytesInAnotherFolder) {
  ASSERT_EQ(Make("\"" + folder_.string() + "\""), 0);
  // Bytes in the message would hide the remedy.
  ASSERT_TRUE(ReadBytes(folder_ / "MANIFEST.json") == ReadBytes(CorpusFolder() / "MANIFEST.json"))
      << "corpus/MANIFEST.json differs. " << MakeCorpus();
  for (const CorpusFile& file : Corpus()) {
    EXPECT_TRUE(ReadBytes(folder_ / file.path) == ReadBytes(CorpusFolder() / file.path))
        << "corpus/" << file.path << " differs. " << MakeCorpus();
  }
  for (const CorpusSet& set : CorpusSets()) {
    for (const std::string& file : set.files) {
      const fs::path path = fs::path(set.folder) / file;
      EXPECT_TRUE(ReadBytes(folder_ / path) == ReadBytes(CorpusFolder() / path))
          << "corpus/" << path.string() << " differs. " << MakeCorpus();
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
