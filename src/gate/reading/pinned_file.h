#pragma once

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gate/reading/descriptor.h"

namespace ggufgate {

// PinnedFile is an open file whose bytes stay as they are, here and in the program that takes the
// place of this one: what was judged is what is loaded.
class PinnedFile {
 public:
  // ByLease takes a read lease (fcntl(2), F_SETLEASE): the system grants it where nobody has the
  // file open for writing, and makes whoever opens it for that, or cuts it short, wait and be told
  // of. It is for the owner of a file, or for who has CAP_LEASE, and not for every file system:
  // FailedPrecondition says that a copy would do.
  [[nodiscard]] static absl::StatusOr<PinnedFile> ByLease(const std::string& path);

  // ByCopy takes the bytes into sealed memory: as much memory as the file is large, in use for as
  // long as the file is.
  [[nodiscard]] static absl::StatusOr<PinnedFile> ByCopy(const std::string& path);

  // path is a name of the file for this process and for the program that takes its place. It is
  // for reading; the folder /proc must be there.
  [[nodiscard]] const std::string& path() const { return path_; }

  // HandOver leaves the descriptor open for the program that takes the place of this one; an error
  // when somebody has asked to write meanwhile (FailedPrecondition). From then on the system ends
  // this process, and so that program, with SIGKILL before a writer gets at a file under lease.
  [[nodiscard]] absl::Status HandOver() const;

 private:
  enum class By { kLease, kCopy };
  PinnedFile(Descriptor file, By by);

  Descriptor file_;
  By by_;
  std::string path_;
};

}  // namespace ggufgate
