#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "bytes/file_source.h"
#include "gate/identity.h"
#include "gate/reading/descriptor.h"

namespace ggufgate {

// DescriptorNamedBy returns the descriptor that a path names: "-", "/dev/stdin", "/dev/fd/3",
// "/proc/self/fd/3". It returns nullopt for other paths, and for links to these.
[[nodiscard]] std::optional<int> DescriptorNamedBy(std::string_view path);

// CannotOpen returns an error with the reason why a path could not be opened. If the path looks
// like an address, it says so.
[[nodiscard]] absl::Status CannotOpen(const std::string& path, int error_number);

// IsPipe tells whether an open descriptor can be read only once: a pipe, a socket, a device. It
// returns an error if the system gives no answer.
[[nodiscard]] absl::StatusOr<bool> IsPipe(int descriptor);

// Input is an open file that can be read at any offset: a regular file, or standard input. A pipe
// on standard input is copied first (Spool).
class Input {
 public:
  // Open opens a regular file for reading. It rejects devices, sockets, pipes and folders.
  [[nodiscard]] static absl::StatusOr<Input> Open(const std::string& path);

  // Spool copies the contents of `descriptor` (a pipe), up to `most` bytes, into sealed memory that
  // no process can change. A regular file is used as it is, without a copy.
  [[nodiscard]] static absl::StatusOr<Input> Spool(int descriptor, std::uint64_t most);

  [[nodiscard]] const ByteSource& source() const { return *source_; }
  [[nodiscard]] const Identity& identity() const { return identity_; }
  [[nodiscard]] int descriptor() const { return descriptor_.get(); }

  // Unchanged queries the file again. It returns an error if the file has changed since it was
  // opened.
  [[nodiscard]] absl::Status Unchanged() const;

 private:
  Input(Descriptor descriptor, const Identity& identity);
  static absl::StatusOr<Input> FromRegular(Descriptor descriptor);

  Descriptor descriptor_;
  Identity identity_;
  std::unique_ptr<FileSource> source_;
};

}  // namespace ggufgate
