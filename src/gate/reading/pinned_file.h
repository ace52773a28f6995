#pragma once

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gate/reading/descriptor.h"

namespace ggufgate {

// PinnedFile is an open file whose bytes cannot change. This holds for this process and for the
// program that replaces it (exec). So the program loads the bytes that were checked.
class PinnedFile {
 public:
  // ByLease takes a read lease (fcntl(2), F_SETLEASE). The system grants it if no process has the
  // file open for writing. A process that later opens it for writing or truncates it has to wait,
  // and the owner of the lease gets a signal. Leases require ownership of the file or CAP_LEASE,
  // and some file systems do not support them. FailedPrecondition means that ByCopy can be used
  // instead.
  [[nodiscard]] static absl::StatusOr<PinnedFile> ByLease(const std::string& path);

  // ByCopy copies the bytes into sealed memory. The copy uses as much memory as the file is long,
  // for the lifetime of this object.
  [[nodiscard]] static absl::StatusOr<PinnedFile> ByCopy(const std::string& path);

  // path returns a name of the file for this process and for the program that replaces it. The name
  // is for reading, and requires the folder /proc.
  [[nodiscard]] const std::string& path() const { return path_; }

  // HandOver keeps the descriptor open for the program that replaces this one. It returns
  // FailedPrecondition if another process has tried to open the file for writing. After that, if
  // another process opens a leased file for writing, the system first kills this process, and so
  // the new program, with SIGKILL.
  [[nodiscard]] absl::Status HandOver() const;

 private:
  enum class By { kLease, kCopy };
  PinnedFile(Descriptor file, By by);

  Descriptor file_;
  By by_;
  std::string path_;
};

}  // namespace ggufgate
