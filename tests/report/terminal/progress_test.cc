#include "report/terminal/progress.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <sstream>
#include <thread>

#include "report/table.h"
#include "tests/support/texts/command_text.h"

namespace ggufgate {
namespace {

using namespace std::chrono_literals;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

TEST(ProgressText, SaysDoneRateAndTimeLeft) {
  EXPECT_EQ(ProgressText(1'000'000'000, 4'000'000'000, 2s),
            "1.0 GB of 4.0 GB, 25 %, 500 MB/s, 6 s left");
  EXPECT_EQ(ProgressText(4'000'000'000, 4'000'000'000, 2s),
            "4.0 GB of 4.0 GB, 100 %, 2.0 GB/s, 0 s left");
}

TEST(ProgressText, LeavesOutWhatIsNotKnown) {
  EXPECT_EQ(ProgressText(0, 4'000'000'000, 2s), "0 bytes of 4.0 GB, 0 %");
  EXPECT_EQ(ProgressText(0, 0, 0s), "0 bytes");
  EXPECT_EQ(ProgressText(1, 2, 0s), "1 byte of 2 bytes, 50 %");
  EXPECT_EQ(ProgressText(20'000'000, 0, 1s), "20 MB, 20 MB/s");
  EXPECT_EQ(ProgressText(1, UINT64_MAX, 10s), "1 byte of 18 EB, 0 %, 0 bytes/s");
}

TEST(ProgressText, NeverSaysMoreThanAll) {
  EXPECT_EQ(ProgressText(50'000'000, 40'000'000, 1s), "50 MB of 40 MB, 100 %, 40 MB/s, 0 s left");
}

TEST(FilesText, SaysDoneAndTimeLeft) {
  EXPECT_EQ(FilesText(0, 20'000, 2s), "0 of 20,000 files, 0 %");
  EXPECT_EQ(FilesText(5'000, 20'000, 2s), "5,000 of 20,000 files, 25 %, 6 s left");
  EXPECT_EQ(FilesText(0, 0, 0s), "0 of 0 files");
}

TEST(BarAround, HasBarAndNameWhereThereIsRoom) {
  EXPECT_EQ(BarAround("25 %", 1, 4, "model.gguf", 80), "[#####---------------] 25 %  model.gguf");
  EXPECT_EQ(BarAround("25 %", 1, 4, "model.gguf", 40), "25 %  model.gguf");
  EXPECT_EQ(BarAround("25 %", 1, 4, "model.gguf", 17), "25 %") << "no room for a name";
  EXPECT_EQ(BarAround("25 %", 1, 0, "", 80), "25 %") << "nobody knows of how much";
  EXPECT_EQ(BarAround("done", 9, 4, "", 80), "[####################] done");
}

TEST(BarAround, NeverFillsTheLastColumn) {
  const std::string name = "a/very/long/path/to/a/möðel-😀.gguf";
  for (std::size_t columns = 0; columns < 120; ++columns) {
    const std::string line = BarAround("5 of 9 files, 55 %", 5, 9, name, columns);
    EXPECT_LT(DisplayWidth(line), std::max<std::size_t>(columns, 1)) << columns;
    EXPECT_TRUE(testing::IsHarmless(line)) << line;
  }
  EXPECT_THAT(BarAround("5 %", 5, 9, name, 30), EndsWith("…/path/to/a/möðel-😀.gguf"));
}

TEST(ProgressLine, NamesTheFileThatIsWaitedForEscaped) {
  std::ostringstream out;
  ProgressLine line({.bytes = 0, .files = 4}, 100, out, 0s);
  line.NextFile(1, "a\x1b[31m.gguf");
  EXPECT_THAT(out.str(), IsEmpty()) << "bytes are shown, and none were counted";
  line.CountFiles();
  line.NextFile(2, "b\x1b[31m.gguf");
  EXPECT_THAT(out.str(), HasSubstr("[##########----------] 2 of 4 files, 50 %"));
  EXPECT_THAT(out.str(), EndsWith("  b\\x1b[31m.gguf"));
}

TEST(ProgressLine, IsNotDrawnBeforeItIsTime) {
  std::ostringstream out;
  {
    ProgressLine line({.bytes = 1000, .files = 1}, 80, out, 24h);
    line.Add(10);
    line.Add(10);
  }
  EXPECT_THAT(out.str(), IsEmpty());
}

TEST(ProgressLine, IsDrawnOverWhatItSaidBeforeAndWipedOut) {
  std::ostringstream out;
  ProgressLine line({.bytes = 1'000'000, .files = 1}, 60, out, 0s);
  line.Add(500'000);
  EXPECT_THAT(out.str(), StartsWith("\r\x1b[K500 kB of 1.0 MB, 50 %"));
  line.Add(500'000);
  EXPECT_THAT(out.str(), HasSubstr("\r\x1b[K1.0 MB of 1.0 MB, 100 %"));
  line.Hide();
  EXPECT_THAT(out.str(), EndsWith("\r\x1b[K"));
  const std::string before = out.str();
  line.Hide();  // nothing to erase
  EXPECT_EQ(out.str(), before);
}

// A thread that hides the line writes in its place; other threads continue to count meanwhile.
TEST(ProgressLine, IsNotDrawnWhileItIsHidden) {
  std::ostringstream out;
  ProgressLine line({.bytes = 1000, .files = 1}, 60, out, 0s);
  {
    const std::unique_lock hidden = line.Hide();
    std::thread([&] { line.Add(500); }).join();
    EXPECT_THAT(out.str(), IsEmpty());
  }
  line.Add(0);
  EXPECT_THAT(out.str(), StartsWith("\r\x1b[K500 bytes of 1,000 bytes, 50 %"));
}

}  // namespace
}  // namespace ggufgate
