#include "cli/output_file.h"

#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "words/escape.h"

namespace ggufgate {
namespace {

// --- cleaning up after a signal ------------------------------------------------------------------

constexpr std::array kEndingSignals = {SIGHUP,  SIGINT,  SIGQUIT, SIGTERM, SIGPIPE,
                                       SIGALRM, SIGUSR1, SIGUSR2, SIGABRT};

struct Pending {
  volatile std::sig_atomic_t folder = -1;
  std::array<char, 64> name{};  // ends with a NUL
};
Pending pending;

void RemovePendingAndDie(int signal) {
  if (pending.folder >= 0) ::unlinkat(pending.folder, pending.name.data(), 0);
  ::raise(signal);  // SA_RESETHAND has removed the handler
}

// RemoveOnSignal skips signals that are ignored (nohup).
void RemoveOnSignal(int folder, const std::string& name) {
  pending.name.fill('\0');
  std::ranges::copy(name.substr(0, pending.name.size() - 1), pending.name.begin());
  pending.folder = folder;
  for (const int signal : kEndingSignals) {
    struct sigaction action = {};
    if (::sigaction(signal, nullptr, &action) != 0 || action.sa_handler != SIG_DFL) continue;
    action.sa_handler = RemovePendingAndDie;
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    ::sigfillset(
        // Otherwise a second signal could end the process before the file is removed.
        &action.sa_mask);
    ::sigaction(signal, &action, nullptr);
  }
}

void ForgetPending() { pending.folder = -1; }

// --- where to write ------------------------------------------------------------------------------

absl::Status CannotWrite(std::string_view why) {
  return absl::FailedPreconditionError(std::string(why));
}

absl::Status CannotWrite(int error_number) {
  return CannotWrite(std::generic_category().message(error_number));
}

// StatOf returns the status of the target of `path`; "-" is standard input. It returns nullopt if
// there is no such file.
absl::StatusOr<std::optional<struct stat>> StatOf(const std::string& path) {
  struct stat found = {};
  const int failed = path == "-" ? ::fstat(STDIN_FILENO, &found) : ::stat(path.c_str(), &found);
  if (failed == 0) return std::optional(found);
  if (errno == ENOENT || errno == ENOTDIR || errno == EBADF) return std::nullopt;
  return CannotWrite(errno);
}

bool IsSame(const struct stat& a, const struct stat& b) {
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

// NotAmong returns an error if the file is, or may be, one of the inputs.
absl::Status NotAmong(const struct stat& file, const std::vector<std::string>& inputs) {
  for (const std::string& input : inputs) {
    const absl::StatusOr<std::optional<struct stat>> other = StatOf(input);
    if (!other.ok()) return CannotWrite("it may be one of the files to check");
    if (*other && IsSame(file, **other)) return CannotWrite("it is one of the files to check");
  }
  return absl::OkStatus();
}

// OpenAsItIs opens files that cannot be replaced: a device, a pipe, and a file that already is
// standard output or standard error (/dev/stdout), to which other processes may continue to write.
// For all other files it returns an invalid descriptor.
absl::StatusOr<Descriptor> OpenAsItIs(const std::string& path, const struct stat& there) {
  for (const int standard : {STDOUT_FILENO, STDERR_FILENO}) {
    struct stat open = {};
    if (::fstat(standard, &open) != 0 || !IsSame(there, open)) continue;
    Descriptor same(::fcntl(standard, F_DUPFD_CLOEXEC, 0));
    if (!same.valid()) return CannotWrite(errno);
    return same;
  }
  if (S_ISREG(there.st_mode)) return Descriptor();
  Descriptor device(::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY));
  if (!device.valid()) return CannotWrite(errno);
  return device;
}

// RealPath resolves all links in a path, also at its end. The file need not exist.
absl::StatusOr<std::filesystem::path> RealPath(const std::string& path) {
  std::error_code error;
  std::filesystem::path real = std::filesystem::canonical(path, error);
  if (!error) return real;
  if (error != std::errc::no_such_file_or_directory) return CannotWrite(error.value());
  struct stat link = {};
  if (::lstat(path.c_str(), &link) == 0)
    return CannotWrite("it is a link whose target does not exist");
  if (errno != ENOENT) return CannotWrite(errno);
  return std::filesystem::path(path);
}

// NewName returns a name that cannot be guessed.
std::string NewName() {
  std::uint64_t random = 0;
  if (::getrandom(&random, sizeof(random), 0) != sizeof(random)) {
    random = static_cast<std::uint64_t>(::getpid());
  }
  // Not StrFormat() in this file, because it aborts the program if memory runs out.
  return absl::StrCat(".ggufgate-", absl::Hex(random, absl::kZeroPad16), ".tmp");
}

std::string NameInProc(const Descriptor& file) {
  return absl::StrCat("/proc/self/fd/", file.get());
}

bool CanBeNamed(const Descriptor& file) {
  struct stat by_name = {};
  struct stat itself = {};
  return ::stat(NameInProc(file).c_str(), &by_name) == 0 && ::fstat(file.get(), &itself) == 0 &&
         IsSame(by_name, itself);
}

// KeepMode gives a file the mode of the file that it will replace. It was created with at most
// these rights.
absl::Status KeepMode(const Descriptor& file, std::optional<mode_t> mode) {
  if (!mode || ::fchmod(file.get(), *mode) == 0) return absl::OkStatus();
  return CannotWrite(errno);
}

}  // namespace

absl::Status NoFolderFor(const std::filesystem::path& path) {
  return CannotWrite(absl::StrCat("there is no folder ", path.parent_path().string()));
}

// --- writing -------------------------------------------------------------------------------------

OutputFile::OutputFile(Descriptor file, Descriptor folder, std::string temporary, std::string name)
    : file_(std::move(file)),
      folder_(std::move(folder)),
      temporary_(std::move(temporary)),
      name_(std::move(name)),
      buffer_(file_.get()),
      stream_(&buffer_) {
  // A file that reaches the size limit is an error like a full disk, and must not kill the process.
  ::signal(SIGXFSZ, SIG_IGN);
}

OutputFile::~OutputFile() {
  ForgetPending();
  if (!temporary_.empty()) ::unlinkat(folder_.get(), temporary_.c_str(), 0);
}

absl::StatusOr<std::unique_ptr<OutputFile>> OutputFile::Create(
    const std::string& path, const std::vector<std::string>& inputs) {
  const auto made = [](Descriptor file, Descriptor folder, std::string temporary,
                       std::string name) {
    return std::unique_ptr<OutputFile>(
        new OutputFile(std::move(file), std::move(folder), std::move(temporary), std::move(name)));
  };
  if (path.empty()) return CannotWrite("this is not a file name");
  const absl::StatusOr<std::optional<struct stat>> found = StatOf(path == "-" ? "./-" : path);
  if (!found.ok()) return found.status();
  const std::optional<struct stat>& there = *found;
  if (there && S_ISDIR(there->st_mode)) return CannotWrite("it is a folder");
  if (there) {
    if (S_ISREG(there->st_mode)) {
      if (absl::Status other = NotAmong(*there, inputs); !other.ok()) return other;
    }
    absl::StatusOr<Descriptor> file = OpenAsItIs(path, *there);
    if (!file.ok()) return file.status();
    if (file->valid()) return made(*std::move(file), Descriptor(), "", "");
  }

  const absl::StatusOr<std::filesystem::path> real = RealPath(path);
  if (!real.ok()) return real.status();
  if (!real->has_filename()) return CannotWrite("this is not a file name");
  const std::filesystem::path parent = real->has_parent_path() ? real->parent_path() : ".";
  Descriptor folder(::open(parent.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!folder.valid()) return errno == ENOENT ? NoFolderFor(*real) : CannotWrite(errno);
  constexpr mode_t kPermissions = 0777;
  constexpr mode_t kNewMode = 0666;
  const std::optional<mode_t> kept =
      there ? std::optional(there->st_mode & kPermissions) : std::nullopt;
  const mode_t mode = kept.value_or(kNewMode);  // minus the umask
  Descriptor unnamed(::openat(folder.get(), ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, mode));
  if (unnamed.valid() && CanBeNamed(unnamed)) {
    if (absl::Status same = KeepMode(unnamed, kept); !same.ok()) return same;
    return made(std::move(unnamed), std::move(folder), "", real->filename().string());
  }
  std::string temporary = NewName();
  // First, because a signal may come as soon as the file exists.
  RemoveOnSignal(folder.get(), temporary);
  Descriptor file(::openat(folder.get(), temporary.c_str(),
                           O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode));
  if (!file.valid()) {
    const int error = errno;
    ForgetPending();
    return CannotWrite(error);
  }
  absl::Status same = KeepMode(file, kept);
  std::unique_ptr<OutputFile> output =
      made(std::move(file), std::move(folder), std::move(temporary), real->filename().string());
  if (!same.ok()) return same;  // `output` removes the named file
  return output;
}

absl::StatusOr<Descriptor> OutputFile::OpenToRead() const {
  constexpr int kFlags = O_RDONLY | O_CLOEXEC | O_NOCTTY;
  Descriptor again(temporary_.empty()
                       ? ::open(NameInProc(file_).c_str(), kFlags)
                       : ::openat(folder_.get(), temporary_.c_str(), kFlags | O_NOFOLLOW));
  struct stat written = {};
  struct stat opened = {};
  if (!again.valid() || ::fstat(file_.get(), &written) != 0 || ::fstat(again.get(), &opened) != 0) {
    return CannotWrite(errno);
  }
  if (!IsSame(written, opened)) return CannotWrite("another process has replaced it");
  return again;
}

absl::Status OutputFile::Flush() {
  stream_.flush();
  if (buffer_.error_number() != 0) return CannotWrite(buffer_.error_number());
  return stream_ ? absl::OkStatus() : CannotWrite("the report failed");
}

absl::Status OutputFile::Commit() {
  if (absl::Status flushed = Flush(); !flushed.ok()) return flushed;
  if (name_.empty()) return absl::OkStatus();
  if (::fsync(file_.get()) != 0) return CannotWrite(errno);
  return TakeName();
}

// Link gives an unnamed file a name that no file has. It returns 0 or an errno.
int OutputFile::Link(const std::string& name) const {
  const std::string self = NameInProc(file_);
  return ::linkat(AT_FDCWD, self.c_str(), folder_.get(), name.c_str(), AT_SYMLINK_FOLLOW) == 0
             ? 0
             : errno;
}

absl::Status OutputFile::TakeName() {
  if (temporary_.empty()) {
    const int error = Link(name_);
    if (error == 0) return absl::OkStatus();
    if (error != EEXIST) return CannotWrite(error);
    // linkat() cannot replace an existing file, so the file needs a temporary name.
    std::string temporary = NewName();
    RemoveOnSignal(folder_.get(), temporary);
    if (const int linked = Link(temporary); linked != 0) return CannotWrite(linked);
    temporary_ = std::move(temporary);
  }
  if (::renameat(folder_.get(), temporary_.c_str(), folder_.get(), name_.c_str()) != 0) {
    return CannotWrite(errno);
  }
  temporary_.clear();
  ForgetPending();
  return absl::OkStatus();
}

}  // namespace ggufgate
