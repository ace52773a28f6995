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

// DescriptorNamedBy is the descriptor that a path stands for: "-", "/dev/stdin", "/dev/fd/3",
// "/proc/self/fd/3". nullopt for other paths, and for links to these.
[[nodiscard]] std::optional<int> DescriptorNamedBy(std::string_view path);

// CannotOpen says why a path could not be opened: that it looks like an address, where it does.
[[nodiscard]] absl::Status CannotOpen(const std::string& path, int error_number);

// IsPipe tells of an open descriptor whether it can be read once only: a pipe, a socket, a device.
// An error when the system does not say.
[[nodiscard]] absl::StatusOr<bool> IsPipe(int descriptor);

// Input is an open file that can be read at any place: a regular file, or standard input, spooled
// when it is a pipe.
class Input {
 public:
  // Open opens a regular file for reading. Devices, sockets, pipes and folders are refused.
  [[nodiscard]] static absl::StatusOr<Input> Open(const std::string& path);

  // Spool takes what `descriptor` (a pipe) delivers, up to `most` bytes, into sealed memory that
  // nobody can change any more. A regular file is taken as it is, without a copy.
  [[nodiscard]] static absl::StatusOr<Input> Spool(int descriptor, std::uint64_t most);

  [[nodiscard]] const ByteSource& source() const { return *source_; }
  [[nodiscard]] const Identity& identity() const { return identity_; }
  [[nodiscard]] int descriptor() const { return descriptor_.get(); }

  // Unchanged asks the system again; an error says that the file is another than at opening.
  [[nodiscard]] absl::Status Unchanged() const;

 private:
  Input(Descriptor descriptor, const Identity& identity);
  static absl::StatusOr<Input> FromRegular(Descriptor descriptor);

  Descriptor descriptor_;
  Identity identity_;
  std::unique_ptr<FileSource> source_;
};

}  // namespace ggufgate
