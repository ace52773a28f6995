// The fortified <unistd.h> defines pread, and so does this file.
#undef _FORTIFY_SOURCE

#include "bytes/file_source.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <numeric>
#include <string>
#include <vector>

namespace {

// Kernel simulates a system whose reads are short or interrupted. Both are allowed at every read,
// and neither happens with a small regular file.
struct Kernel {
  std::size_t most_per_call = SIZE_MAX;
  int interruptions = 0;  // this many calls fail with EINTR
  int fail_after = -1;    // after this many calls, EIO; negative: never
  int calls = 0;
};

Kernel kernel;

}  // namespace

// Replaces the C library's function: FileSource reads through it.
extern "C" ssize_t pread(int descriptor, void* out, std::size_t size, off_t offset) {
  ++kernel.calls;
  if (kernel.interruptions > 0) {
    --kernel.interruptions;
    errno = EINTR;
    return -1;
  }
  if (kernel.fail_after >= 0 && kernel.calls > kernel.fail_after) {
    errno = EIO;
    return -1;
  }
  return ::syscall(SYS_pread64, descriptor, out, std::min(size, kernel.most_per_call), offset);
}

namespace ggufgate {
namespace {

using Kind = ReadOutcome::Kind;

class FileSourceTest : public ::testing::Test {
 protected:
  FileSourceTest() {
    kernel = {};
    std::string path = ::testing::TempDir() + "file_source_XXXXXX";
    descriptor_ = ::mkstemp(path.data());
    if (descriptor_ >= 0) ::unlink(path.c_str());
    std::iota(content_.begin(), content_.end(), std::uint8_t{0});
    wrote_ = ::write(descriptor_, content_.data(), content_.size());
  }
  ~FileSourceTest() override { ::close(descriptor_); }
  FileSourceTest(const FileSourceTest&) = delete;
  FileSourceTest& operator=(const FileSourceTest&) = delete;

  void SetUp() override { ASSERT_EQ(wrote_, static_cast<ssize_t>(content_.size())); }

  // Reads `size` bytes from `offset`, and compares them with the content if all came.
  ReadOutcome Read(const FileSource& source, std::uint64_t offset, std::size_t size) {
    std::vector<std::uint8_t> out(size);
    const ReadOutcome outcome = source.ReadAt(offset, out);
    if (outcome.complete()) {
      EXPECT_TRUE(std::ranges::equal(out, Bytes(content_).subspan(offset, size)));
    }
    return outcome;
  }

  int descriptor_ = -1;
  std::array<std::uint8_t, 200> content_{};
  ssize_t wrote_ = 0;
};

TEST_F(FileSourceTest, ServesAnyStretchOfTheFile) {
  const FileSource source(descriptor_, 200);
  EXPECT_EQ(source.size(), 200U);
  EXPECT_TRUE(Read(source, 0, 200).complete());
  EXPECT_TRUE(Read(source, 0, 1).complete());
  EXPECT_TRUE(Read(source, 199, 1).complete());
  EXPECT_TRUE(Read(source, 70, 60).complete());
  EXPECT_EQ(kernel.calls, 4) << "one call each when the system gives all at once";
}

TEST_F(FileSourceTest, AskingPastTheSizeIsShrunkWithoutASystemCall) {
  const FileSource source(descriptor_, 200);
  EXPECT_EQ(Read(source, 199, 2).kind, Kind::kShrunk);
  EXPECT_EQ(Read(source, 200, 1).kind, Kind::kShrunk);
  EXPECT_EQ(Read(source, UINT64_MAX, 2).kind, Kind::kShrunk);
  EXPECT_EQ(Read(source, std::uint64_t{1} << 63, 1).kind, Kind::kShrunk);
  EXPECT_EQ(kernel.calls, 0);
}

TEST_F(FileSourceTest, ReadingNothingNeedsNoSystemCall) {
  const FileSource source(descriptor_, 200);
  EXPECT_TRUE(Read(source, 200, 0).complete());
  EXPECT_EQ(Read(source, 201, 0).kind, Kind::kShrunk);
  EXPECT_EQ(kernel.calls, 0);
}

TEST_F(FileSourceTest, ShortReadsArePutTogether) {
  const FileSource source(descriptor_, 200);
  kernel.most_per_call = 7;
  EXPECT_TRUE(Read(source, 3, 190).complete());
  EXPECT_EQ(kernel.calls, 28);  // 27 * 7 + 1
}

TEST_F(FileSourceTest, AnInterruptedReadIsRepeated) {
  const FileSource source(descriptor_, 200);
  kernel.interruptions = 3;
  EXPECT_TRUE(Read(source, 0, 200).complete());
  EXPECT_EQ(kernel.calls, 4);
}

TEST_F(FileSourceTest, AFileTruncatedAfterOpeningIsShrunk) {
  const FileSource source(descriptor_, 200);
  ASSERT_EQ(::ftruncate(descriptor_, 150), 0);
  EXPECT_EQ(Read(source, 100, 100).kind, Kind::kShrunk) << "half of it is still there";
  EXPECT_EQ(Read(source, 150, 50).kind, Kind::kShrunk) << "nothing of it is there";
  EXPECT_TRUE(Read(source, 100, 50).complete());
}

TEST_F(FileSourceTest, AFileThatGrewStillHasTheSizeItWasOpenedWith) {
  const FileSource source(descriptor_, 100);
  EXPECT_EQ(source.size(), 100U);
  EXPECT_TRUE(Read(source, 0, 100).complete());
  EXPECT_EQ(Read(source, 100, 1).kind, Kind::kShrunk);
}

TEST_F(FileSourceTest, ABadDescriptorFailsWithItsErrno) {
  const ReadOutcome outcome = Read(FileSource(-1, 200), 0, 1);
  EXPECT_EQ(outcome.kind, Kind::kFailed);
  EXPECT_EQ(outcome.error_number, EBADF);
}

TEST_F(FileSourceTest, APipeFailsBecauseItHasNoOffsets) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe(ends.data()), 0);
  const ReadOutcome outcome = Read(FileSource(ends.front(), 200), 0, 1);
  EXPECT_EQ(outcome.kind, Kind::kFailed);
  EXPECT_EQ(outcome.error_number, ESPIPE);
  ::close(ends.front());
  ::close(ends.back());
}

TEST_F(FileSourceTest, AnErrorHalfWayIsAFailureNotAShortFile) {
  const FileSource source(descriptor_, 200);
  kernel.most_per_call = 64;
  kernel.fail_after = 2;
  const ReadOutcome outcome = Read(source, 0, 200);
  EXPECT_EQ(outcome.kind, Kind::kFailed);
  EXPECT_EQ(outcome.error_number, EIO);
}

// 1 MiB of zeros, a byte, and zeros again.
TEST_F(FileSourceTest, PassesOverHoles) {
  constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;
  ASSERT_EQ(::ftruncate(descriptor_, 0), 0);
  ASSERT_EQ(::ftruncate(descriptor_, 3 * kMiB), 0);
  ASSERT_EQ(::pwrite(descriptor_, "x", 1, kMiB), 1);
  ASSERT_EQ(::lseek(descriptor_, 7, SEEK_SET), 7);
  const FileSource source(descriptor_, 3 * kMiB);
  EXPECT_EQ(source.NextData(0), kMiB);
  EXPECT_EQ(source.NextData(kMiB), kMiB);
  EXPECT_EQ(source.NextData(2 * kMiB), 3 * kMiB);
  EXPECT_EQ(source.NextData(3 * kMiB), 3 * kMiB);
  EXPECT_EQ(source.NextData(UINT64_MAX), 3 * kMiB);
  EXPECT_EQ(::lseek(descriptor_, 0, SEEK_CUR), 7) << "others may share the offset";
}

TEST_F(FileSourceTest, AFileWithoutHolesIsDataEverywhere) {
  const FileSource source(descriptor_, 200);
  EXPECT_EQ(source.NextData(0), 0U);
  EXPECT_EQ(source.NextData(199), 199U);
  const FileSource closed(-1, 200);
  EXPECT_EQ(closed.NextData(13), 13U) << "what is not known is data";
}

}  // namespace
}  // namespace ggufgate
