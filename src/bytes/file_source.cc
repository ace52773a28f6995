#include "bytes/file_source.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "bytes/byte_range.h"

namespace ggufgate {

ReadOutcome FileSource::ReadAt(std::uint64_t offset, MutableBytes out) const {
  if (!ByteRange{.begin = offset, .size = out.size()}.FitsIn(size_)) {
    return {.kind = ReadOutcome::Kind::kShrunk};
  }
  // On Linux, one call reads at most 2^31 - 4096 bytes.
  constexpr std::size_t kMostPerCall = std::size_t{1} << 30;
  while (!out.empty()) {
    const std::size_t wanted = std::min(out.size(), kMostPerCall);
    // Offsets are below 2^63: at most size_, which was an off_t.
    const ssize_t got = ::pread(descriptor_, out.data(), wanted, static_cast<off_t>(offset));
    if (got < 0) {
      if (errno == EINTR) continue;
      return {.kind = ReadOutcome::Kind::kFailed, .error_number = errno};
    }
    if (got == 0) return {.kind = ReadOutcome::Kind::kShrunk};
    out = out.subspan(static_cast<std::size_t>(got));
    offset += static_cast<std::uint64_t>(got);
  }
  return {};
}

std::uint64_t FileSource::NextData(std::uint64_t offset) const {
  if (offset >= size_) return size_;
#if !defined(SEEK_DATA)  // WebAssembly
  return offset;
#else
  const off_t before = ::lseek(descriptor_, 0, SEEK_CUR);
  if (before < 0) return offset;
  const off_t next = ::lseek(descriptor_, static_cast<off_t>(offset), SEEK_DATA);
  const bool none = next < 0 && errno == ENXIO;  // only a hole up to the end
  if (::lseek(descriptor_, before, SEEK_SET) != before) return offset;
  if (none) return size_;
  // A file system without holes returns the same offset, or an error.
  return next < 0 ? offset : std::min(static_cast<std::uint64_t>(next), size_);
#endif
}

}  // namespace ggufgate
