#include "gate/reading/looks_like_model.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>

#include "bytes/bytes.h"
#include "bytes/file_source.h"
#include "format/tensors/layout.h"
#include "gate/reading/descriptor.h"

namespace ggufgate {

bool IsNamedGguf(std::string_view name) {
  constexpr std::string_view kExtension = ".gguf";
  if (name.size() <= kExtension.size()) return false;  // ".gguf" has no extension
  return std::ranges::equal(
      name.substr(name.size() - kExtension.size()), kExtension,
      [](char c, char wanted) { return (c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c) == wanted; });
}

bool IsNamedLikeABlob(std::string_view name) {
  return name.starts_with("sha256-") || name.starts_with("sha256:");
}

bool IsNone(int error) { return error == ENOENT || error == ELOOP || error == ENXIO; }

absl::StatusOr<bool> BeginsWithMagic(int folder, const char* name) {
  constexpr const char* kCannot = "cannot find out whether it is a model";
  const Descriptor file(::openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK));
  if (!file.valid() && IsNone(errno)) return false;
  struct stat status = {};
  if (!file.valid() || ::fstat(file.get(), &status) != 0) {
    return absl::ErrnoToStatus(errno, kCannot);
  }
  if (!S_ISREG(status.st_mode)) return false;
  std::array<std::uint8_t, kMagic.size()> head{};
  const FileSource source(file.get(), static_cast<std::uint64_t>(status.st_size));
  const ReadOutcome read = source.ReadAt(0, head);
  if (read.kind == ReadOutcome::Kind::kFailed) {
    return absl::ErrnoToStatus(read.error_number, kCannot);
  }
  if (!read.complete() && source.size() >= head.size()) {
    return absl::AbortedError("it became shorter during the check");
  }
  return read.complete() && AsText(head) == kMagic;
}

}  // namespace ggufgate
