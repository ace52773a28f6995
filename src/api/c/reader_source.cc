#include "api/c/reader_source.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "bytes/byte_range.h"
#include "format/loader_limits.h"

namespace ggufgate::api {

ReadOutcome ReaderSource::ReadAt(std::uint64_t offset, MutableBytes out) const {
  if (!ByteRange{.begin = offset, .size = out.size()}.FitsIn(size())) {
    return {.kind = ReadOutcome::Kind::kShrunk};
  }
  if (out.empty()) return {};
  std::ranges::fill(out, std::uint8_t{0});
  const std::scoped_lock lock(mutex_);
  const int error = reader_.read(reader_.context, offset, out.data(), out.size());
  if (error == 0) return {};
  return {.kind = ReadOutcome::Kind::kFailed, .error_number = error > 0 ? error : EIO};
}

bool IsReader(const ggufgate_reader* reader) {
  return reader != nullptr && reader->size == sizeof(ggufgate_reader) && reader->read != nullptr &&
         reader->file_size <= kMaximumSize;
}

}  // namespace ggufgate::api
