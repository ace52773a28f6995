#include "gate/reading/input.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <filesystem>
#include <string>
#include <thread>

#include "tests/support/system/pipe.h"
#include "tests/support/temp_folder.h"

namespace ggufgate {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::Pipe;

constexpr std::uint64_t kPlenty = std::uint64_t{1} << 20;

std::string Message(const absl::StatusOr<Input>& input) {
  return input.ok() ? "" : std::string(input.status().message());
}

std::string ContentOf(const Input& input) {
  std::string content(input.source().size(), '?');
  const MutableBytes out(reinterpret_cast<std::uint8_t*>(content.data()), content.size());
  EXPECT_TRUE(input.source().ReadAt(0, out).complete());
  return content;
}

TEST(DescriptorNamedBy, KnowsThePathsThatStandForOne) {
  EXPECT_EQ(DescriptorNamedBy("-"), 0);
  EXPECT_EQ(DescriptorNamedBy("/dev/stdin"), 0);
  EXPECT_EQ(DescriptorNamedBy("/dev/fd/63"), 63);
  EXPECT_EQ(DescriptorNamedBy("/proc/self/fd/7"), 7);
  for (const char* path : {"", "--", "a", "/dev/fd/", "/dev/fd/x", "/dev/fd/-1", "/dev/fd/3/a",
                           "/dev/fd/99999999999", "/proc/1/fd/7"}) {
    EXPECT_EQ(DescriptorNamedBy(path), std::nullopt) << path;
  }
}

TEST(IsPipe, TellsWhatCanBeReadOnceOnly) {
  const Pipe pipe("");
  EXPECT_TRUE(IsPipe(pipe.get()).value());
  const testing::TempFolder folder;
  const Descriptor file(::open(folder.WriteText("file", "").c_str(), O_RDONLY | O_CLOEXEC));
  EXPECT_FALSE(IsPipe(file.get()).value());
  const Descriptor itself(::open(folder.path().c_str(), O_RDONLY | O_CLOEXEC));
  EXPECT_FALSE(IsPipe(itself.get()).value());
  const Descriptor device(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  EXPECT_TRUE(IsPipe(device.get()).value());
  EXPECT_FALSE(IsPipe(-1).ok());
}

TEST(InputOpen, ReadsARegularFile) {
  const testing::TempFolder folder;
  const auto input = Input::Open(folder.WriteText("a", "content"));
  ASSERT_TRUE(input.ok()) << input.status();
  EXPECT_EQ(ContentOf(*input), "content");
  EXPECT_EQ(input->identity().size, 7U);
}

TEST(InputOpen, ReadsAnEmptyFile) {
  const testing::TempFolder folder;
  const auto input = Input::Open(folder.WriteText("a", ""));
  ASSERT_TRUE(input.ok()) << input.status();
  EXPECT_EQ(input->source().size(), 0U);
}

TEST(InputOpen, PinsWhatTheSystemSaysOfTheFile) {
  const testing::TempFolder folder;
  const std::string path = folder.WriteText("a", "content");
  struct stat status = {};
  ASSERT_EQ(::stat(path.c_str(), &status), 0);
  const auto input = Input::Open(path);
  ASSERT_TRUE(input.ok());
  EXPECT_EQ(input->identity().device, status.st_dev);
  EXPECT_EQ(input->identity().inode, status.st_ino);
  EXPECT_EQ(input->identity().modified_ns,
            status.st_mtim.tv_sec * std::int64_t{1'000'000'000} + status.st_mtim.tv_nsec);
  EXPECT_EQ(input->identity().changed_ns,
            status.st_ctim.tv_sec * std::int64_t{1'000'000'000} + status.st_ctim.tv_nsec);
}

TEST(InputOpen, DoesNotLeakTheDescriptorToPrograms) {
  const testing::TempFolder folder;
  const auto input = Input::Open(folder.WriteText("a", ""));
  ASSERT_TRUE(input.ok());
  EXPECT_EQ(::fcntl(input->descriptor(), F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
  EXPECT_EQ(::fcntl(input->descriptor(), F_GETFL) & O_ACCMODE, O_RDONLY);
}

TEST(InputOpen, FollowsALinkToAFile) {
  const testing::TempFolder folder;
  folder.WriteText("a", "content");
  const auto input = Input::Open(folder.Link("link", "a"));
  ASSERT_TRUE(input.ok()) << input.status();
  EXPECT_EQ(ContentOf(*input), "content");
}

TEST(InputOpen, SaysWhyAFileCannotBeOpened) {
  const testing::TempFolder folder;
  EXPECT_EQ(Message(Input::Open(folder.Path("none"))), "cannot open: No such file or directory");
  for (const char* address : {"ftp://example.org/x", "S3://bucket/x", "file:///etc/passwd"}) {
    EXPECT_THAT(Message(Input::Open(address)), HasSubstr("addresses must begin with")) << address;
  }
  EXPECT_THAT(Message(Input::Open("https://example.org/x")), HasSubstr("only 'ggufgate check'"));
  for (const char* path : {"://x", "9p://x", "a b://x", "ftp:/x", "ftp"}) {
    EXPECT_EQ(Message(Input::Open(path)), "cannot open: No such file or directory") << path;
  }
  EXPECT_THAT(Message(Input::Open(folder.Link("loop", "loop"))), HasSubstr("symbolic links"));
}

TEST(InputOpen, RefusesWhatIsNoRegularFileAndSaysWhatItIs) {
  const testing::TempFolder folder;
  EXPECT_EQ(Message(Input::Open(folder.path())), "this is a folder; must be a regular file");
  EXPECT_EQ(Message(Input::Open("/dev/zero")), "this is a device; must be a regular file");
  // The pipe has no writer: opening it must not block.
  EXPECT_EQ(Message(Input::Open(folder.MakePipe("pipe"))),
            "this is a pipe; must be a regular file");
  EXPECT_THAT(Message(Input::Open(folder.MakeSocket("socket"))), HasSubstr("cannot open"));
}

TEST(InputUnchanged, HoldsWhileNobodyTouchesTheFile) {
  const testing::TempFolder folder;
  const std::string path = folder.WriteText("a", "content");
  const auto input = Input::Open(path);
  ASSERT_TRUE(input.ok());
  EXPECT_EQ(ContentOf(*input), "content");
  EXPECT_TRUE(input->Unchanged().ok());
}

TEST(InputUnchanged, NoticesEveryKindOfChange) {
  const testing::TempFolder folder;
  const auto changed_by = [&](auto change) {
    const std::string path = folder.WriteText("a", "content");
    const auto input = Input::Open(path);
    EXPECT_TRUE(input.ok());
    change(path);
    return input->Unchanged().code() == absl::StatusCode::kAborted;
  };
  const auto write_at = [](const std::string& path, off_t at) {
    const Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
    EXPECT_EQ(::pwrite(file.get(), "X", 1, at), 1);
  };
  EXPECT_TRUE(changed_by([&](const std::string& path) { write_at(path, 3); })) << "modified";
  EXPECT_TRUE(changed_by([&](const std::string& path) { write_at(path, 7); })) << "appended";
  EXPECT_TRUE(changed_by([](const std::string& path) {
    EXPECT_EQ(::truncate(path.c_str(), 3), 0);
  })) << "cut";
  EXPECT_TRUE(changed_by([](const std::string& path) {
    EXPECT_EQ(::chmod(path.c_str(), S_IRUSR), 0);
  })) << "mode";
}

TEST(InputUnchanged, NoticesAChangeWhoseTimeWasSetBack) {
  // Any user may set the modification time back, but nobody can set the time of the inode's change.
  const testing::TempFolder folder;
  const std::string path = folder.WriteText("a", "content");
  const auto input = Input::Open(path);
  ASSERT_TRUE(input.ok());
  const auto before = std::filesystem::last_write_time(path);
  folder.WriteText("a", "CONTENT");
  std::filesystem::last_write_time(path, before);
  EXPECT_FALSE(input->Unchanged().ok());
}

TEST(InputUnchanged, KeepsToTheOpenFileWhenItsNameIsGivenToAnother) {
  const testing::TempFolder folder;
  const std::string path = folder.WriteText("a", "content");
  const auto input = Input::Open(path);
  ASSERT_TRUE(input.ok());
  std::filesystem::rename(folder.WriteText("b", "another"), path);
  EXPECT_EQ(ContentOf(*input), "content");
  // The open file lost its name, which changes its inode. This false alarm is acceptable.
  EXPECT_FALSE(input->Unchanged().ok());
}

TEST(InputSpool, TakesAllThatAPipeDelivers) {
  std::string text(300'000, '\0');  // more than a pipe holds
  for (std::size_t i = 0; i < text.size(); ++i) text[i] = static_cast<char>(i % 251);
  const Pipe pipe(text);
  const auto input = Input::Spool(pipe.get(), kPlenty);
  ASSERT_TRUE(input.ok()) << input.status();
  EXPECT_EQ(ContentOf(*input), text);
  EXPECT_EQ(input->identity().size, text.size());
  EXPECT_TRUE(input->Unchanged().ok());
}

TEST(InputSpool, TakesAnEmptyPipe) {
  const Pipe pipe("");
  const auto input = Input::Spool(pipe.get(), kPlenty);
  ASSERT_TRUE(input.ok()) << input.status();
  EXPECT_EQ(input->source().size(), 0U);
}

TEST(InputSpool, TakesAsMuchAsAllowedAndNotAByteMore) {
  const Pipe enough(std::string(1000, 'a'));
  EXPECT_TRUE(Input::Spool(enough.get(), 1000).ok());

  const Pipe too_much(std::string(1001, 'a'));
  const auto input = Input::Spool(too_much.get(), 1000);
  EXPECT_EQ(input.status().code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(Message(input), HasSubstr("more than 1,000 bytes"));
}

TEST(InputSpool, SealsTheCopy) {
  const Pipe pipe("content");
  const auto input = Input::Spool(pipe.get(), kPlenty);
  ASSERT_TRUE(input.ok());
  EXPECT_EQ(::pwrite(input->descriptor(), "X", 1, 0), -1);
  EXPECT_EQ(errno, EPERM);
  EXPECT_EQ(::ftruncate(input->descriptor(), 3), -1);
  EXPECT_EQ(::ftruncate(input->descriptor(), 30), -1);
  EXPECT_EQ(::mmap(nullptr, 7, PROT_READ | PROT_WRITE, MAP_SHARED, input->descriptor(), 0),
            MAP_FAILED);
  EXPECT_EQ(::fcntl(input->descriptor(), F_ADD_SEALS, F_SEAL_GROW), -1) << "no seal can be added";
  EXPECT_EQ(ContentOf(*input), "content");
}

TEST(InputSpool, TakesARegularFileAsItIs) {
  const testing::TempFolder folder;
  const std::string path = folder.WriteText("a", "content");
  Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat status = {};
  ASSERT_EQ(::fstat(file.get(), &status), 0);
  // Nothing is copied, so the limit does not apply.
  const auto input = Input::Spool(file.get(), /*most=*/3);
  ASSERT_TRUE(input.ok()) << input.status();
  EXPECT_EQ(input->identity().inode, status.st_ino);
  EXPECT_NE(input->descriptor(), file.get()) << "the caller's is not ours to close";
  file = Descriptor();
  EXPECT_EQ(ContentOf(*input), "content");
}

// It would check only the remaining bytes, although the whole file is meant.
TEST(InputSpool, RefusesAFileThatWasReadInPart) {
  const testing::TempFolder folder;
  const Descriptor file(::open(folder.WriteText("a", "content").c_str(), O_RDONLY | O_CLOEXEC));
  ASSERT_EQ(::lseek(file.get(), 4, SEEK_SET), 4);
  EXPECT_THAT(Message(Input::Spool(file.get(), kPlenty)), HasSubstr("read up to byte 4;"));
  ASSERT_EQ(::lseek(file.get(), 0, SEEK_SET), 0);
  EXPECT_EQ(Message(Input::Spool(file.get(), kPlenty)), "");
}

TEST(InputSpool, FailsOnWhatCannotBeRead) {
  EXPECT_THAT(Message(Input::Spool(-1, kPlenty)), HasSubstr("cannot read standard input"));
  const testing::TempFolder folder;
  const Descriptor directory(::open(folder.path().c_str(), O_RDONLY | O_CLOEXEC));
  EXPECT_THAT(Message(Input::Spool(directory.get(), kPlenty)), HasSubstr("Is a directory"));
}

}  // namespace
}  // namespace ggufgate
