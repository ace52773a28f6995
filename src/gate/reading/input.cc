#include "gate/reading/input.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <span>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_format.h"
#include "bytes/grouped.h"
#include "gate/reading/sealed_memory.h"
#include "remote/address.h"

namespace ggufgate {
namespace {

Identity IdentityOf(const struct stat& status) {
  constexpr std::int64_t kNanoseconds = 1'000'000'000;
  const auto since_epoch = [](const timespec& time) {
    return std::int64_t{time.tv_sec} * kNanoseconds + time.tv_nsec;
  };
  return {.size = static_cast<std::uint64_t>(status.st_size),
          .device = status.st_dev,
          .inode = status.st_ino,
          .modified_ns = since_epoch(status.st_mtim),
          .changed_ns = since_epoch(status.st_ctim)};
}

// Uses the system call itself: the C library's fstat() calls newfstatat() with an empty path, and a
// process that may make that call can query any file.
bool StatusOfFile(int descriptor, struct stat& status) {
#ifdef SYS_fstat
  return ::syscall(SYS_fstat, descriptor, &status) == 0;
#else
  return ::fstat(descriptor, &status) == 0;
#endif
}

absl::Status SystemError(const char* what) { return absl::ErrnoToStatus(errno, what); }

absl::Status NotAFile(const struct stat& status) {
  const char* kind = S_ISDIR(status.st_mode)    ? "a folder"
                     : S_ISFIFO(status.st_mode) ? "a pipe"
                     : S_ISSOCK(status.st_mode) ? "a socket"
                                                : "a device";
  return absl::InvalidArgumentError(absl::StrFormat("this is %s; must be a regular file", kind));
}

// WriteAll appends all of `bytes` to `descriptor`.
bool WriteAll(int descriptor, std::span<const std::uint8_t> bytes) {
  while (!bytes.empty()) {
    const ssize_t put = ::write(descriptor, bytes.data(), bytes.size());
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(put));
  }
  return true;
}

// Copy copies the contents of `from` to `to`, at most `most` bytes.
absl::Status Copy(int from, int to, std::uint64_t most) {
  std::array<std::uint8_t, 256 * 1024> chunk;
  std::uint64_t copied = 0;
  while (true) {
    const ssize_t got = ::read(from, chunk.data(), chunk.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return SystemError("cannot read standard input");
    if (got == 0) return absl::OkStatus();
    copied += static_cast<std::uint64_t>(got);
    if (copied > most) {
      return absl::ResourceExhaustedError(absl::StrFormat(
          "standard input is a pipe of more than %s bytes; give the file's name, or redirect it "
          "with <",
          Grouped(most)));
    }
    if (!WriteAll(to, std::span(chunk).first(static_cast<std::size_t>(got)))) {
      return SystemError("cannot copy standard input into memory");
    }
  }
}

}  // namespace

Input::Input(Descriptor descriptor, const Identity& identity)
    : descriptor_(std::move(descriptor)),
      identity_(identity),
      source_(std::make_unique<FileSource>(descriptor_.get(), identity.size)) {}

std::optional<int> DescriptorNamedBy(std::string_view path) {
  if (path == "-" || path == "/dev/stdin") return STDIN_FILENO;
  for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
    if (!path.starts_with(folder)) continue;
    int number = -1;
    if (absl::SimpleAtoi(std::string(path.substr(folder.size())), &number) && number >= 0) {
      return number;
    }
  }
  return std::nullopt;
}

absl::Status CannotOpen(const std::string& path, int error_number) {
  if (error_number != ENOENT || !LooksLikeAddress(path)) {
    return absl::ErrnoToStatus(error_number, "cannot open");
  }
  return absl::NotFoundError(
      IsRemote(path)
          ? "cannot open: there is no such file, and only 'ggufgate check' reads addresses"
          : "cannot open: there is no such file; addresses must begin with https://, http:// or "
            "hf://");
}

absl::StatusOr<bool> IsPipe(int descriptor) {
  struct stat status = {};
  if (!StatusOfFile(descriptor, status)) return SystemError("cannot read standard input");
  return S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode) || S_ISCHR(status.st_mode);
}

absl::StatusOr<Input> Input::FromRegular(Descriptor descriptor) {
  struct stat status = {};
  if (!StatusOfFile(descriptor.get(), status)) return SystemError("cannot determine its size");
  if (!S_ISREG(status.st_mode)) return NotAFile(status);
  return Input(std::move(descriptor), IdentityOf(status));
}

absl::StatusOr<Input> Input::Open(const std::string& path) {
  // O_NONBLOCK: opening a pipe without a writer must not block. The flag has no effect on files.
  Descriptor descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK));
  if (!descriptor.valid()) return CannotOpen(path, errno);
  return FromRegular(std::move(descriptor));
}

absl::StatusOr<Input> Input::Spool(int descriptor, std::uint64_t most) {
  struct stat status = {};
  if (!StatusOfFile(descriptor, status)) return SystemError("cannot read standard input");
  if (S_ISREG(status.st_mode)) {
    // A process that has read the beginning (`{ head -c 9; ggufgate check -; } < file`) probably
    // means the rest.
    if (const off_t begun = ::lseek(descriptor, 0, SEEK_CUR); begun != 0) {
      return absl::InvalidArgumentError(
          absl::StrFormat("standard input is a file that was already read up to byte %s; give the "
                          "file's name, or pipe the rest of it",
                          GroupedSigned(begun)));
    }
    Descriptor copy(::fcntl(descriptor, F_DUPFD_CLOEXEC, 0));
    if (!copy.valid()) return SystemError("cannot read standard input");
    return FromRegular(std::move(copy));
  }
  absl::StatusOr<Descriptor> spool = NewMemory();
  if (!spool.ok()) return spool.status();
  if (absl::Status copied = Copy(descriptor, spool->get(), most); !copied.ok()) return copied;
  if (absl::Status sealed = Seal(*spool); !sealed.ok()) return sealed;
  return FromRegular(*std::move(spool));
}

absl::Status Input::Unchanged() const {
  struct stat status = {};
  if (!StatusOfFile(descriptor_.get(), status))
    return SystemError("cannot determine its size again");
  if (IdentityOf(status) == identity_) return absl::OkStatus();
  return absl::AbortedError("the file changed while it was read");
}

}  // namespace ggufgate
