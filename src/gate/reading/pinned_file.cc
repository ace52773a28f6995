#include "gate/reading/pinned_file.h"

#include <fcntl.h>
#include <sys/sendfile.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <utility>

#include "absl/strings/str_cat.h"
#include "gate/reading/input.h"
#include "gate/reading/sealed_memory.h"

namespace ggufgate {
namespace {

// LeaseRefused explains the error and its remedy.
absl::Status LeaseRefused(int error) {
  switch (error) {
    case EAGAIN:
      return absl::FailedPreconditionError("another process has it open for writing");
    case EACCES:
    case EPERM:
      return absl::FailedPreconditionError(
          "you do not own this file, and only its owner can lock it against changes");
    case EINVAL:
    case ENOSYS:
    case EOPNOTSUPP:
      return absl::FailedPreconditionError(
          "its file system cannot lock it against changes (read lease)");
    default:
      return absl::ErrnoToStatus(error, "cannot lock it against writing");
  }
}

// SetSignal sets the signal that this process gets when another process opens a leased file for
// writing.
absl::Status SetSignal(const Descriptor& file, int signal) {
  if (::fcntl(file.get(), F_SETSIG, signal) == 0) return absl::OkStatus();
  return absl::ErrnoToStatus(errno, "cannot request notice of writers");
}

// Block blocks or unblocks a signal.
void Block(int signal, bool block) {
  sigset_t set;
  ::sigemptyset(&set);
  ::sigaddset(&set, signal);
  ::sigprocmask(block ? SIG_BLOCK : SIG_UNBLOCK, &set, nullptr);
}

struct OpenFile {
  Descriptor file;
  std::uint64_t size = 0;
};

absl::StatusOr<OpenFile> OpenRegular(const std::string& path) {
  // O_NONBLOCK: opening a pipe without a writer must not block. The flag has no effect on files.
  Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK));
  if (!file.valid()) return CannotOpen(path, errno);
  struct stat status = {};
  if (::fstat(file.get(), &status) != 0) return absl::ErrnoToStatus(errno, "cannot examine it");
  if (!S_ISREG(status.st_mode)) return absl::InvalidArgumentError("not a regular file");
  return OpenFile{std::move(file), static_cast<std::uint64_t>(status.st_size)};
}

}  // namespace

PinnedFile::PinnedFile(Descriptor file, By by)
    : file_(std::move(file)), by_(by), path_(absl::StrCat("/proc/self/fd/", file_.get())) {}

absl::StatusOr<PinnedFile> PinnedFile::ByLease(const std::string& path) {
  absl::StatusOr<OpenFile> open = OpenRegular(path);
  if (!open.ok()) return open.status();
  Block(SIGIO, true);  // HandOver() checks; unblocked, SIGIO would kill this process
  if (::fcntl(open->file.get(), F_SETLEASE, F_RDLCK) != 0) return LeaseRefused(errno);
  return PinnedFile(std::move(open->file), By::kLease);
}

absl::StatusOr<PinnedFile> PinnedFile::ByCopy(const std::string& path) {
  const absl::StatusOr<OpenFile> open = OpenRegular(path);
  if (!open.ok()) return open.status();
  absl::StatusOr<Descriptor> memory = NewMemory();
  if (!memory.ok()) return memory.status();
  constexpr std::uint64_t kStep = std::uint64_t{1} << 30;
  // If the file grows, the copy keeps the original size.
  for (std::uint64_t left = open->size; left > 0;) {
    const ssize_t sent = ::sendfile(memory->get(), open->file.get(), nullptr,
                                    static_cast<std::size_t>(std::min(left, kStep)));
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0) return absl::ErrnoToStatus(errno, "cannot copy it into memory");
    if (sent == 0) return absl::AbortedError("it became shorter while it was copied");
    left -= static_cast<std::uint64_t>(sent);
  }
  if (absl::Status sealed = Seal(*memory); !sealed.ok()) return sealed;
  return PinnedFile(*std::move(memory), By::kCopy);
}

absl::Status PinnedFile::HandOver() const {
  if (by_ == By::kLease) {
    // The order matters: F_GETLEASE reports writers that came before, SIGKILL handles later ones.
    if (absl::Status set = SetSignal(file_, SIGKILL); !set.ok()) return set;
    if (::fcntl(file_.get(), F_GETLEASE) != F_RDLCK) {
      return absl::FailedPreconditionError(
          "another process opened it for writing during the check");
    }
    Block(SIGIO, false);
  }
  if (::fcntl(file_.get(), F_SETFD, 0) == 0) return absl::OkStatus();
  return absl::ErrnoToStatus(errno, "cannot pass it to the command");
}

}  // namespace ggufgate
