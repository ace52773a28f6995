#include "check/rules/file_cache.h"

namespace ggufgate {

Bytes FileCache::View(ByteRange range, MutableBytes scratch) const {
  if (range.FitsIn(document_.prefix.size())) return document_.BytesAt(range);
  if (!io_.complete()) return {};
  const MutableBytes out = scratch.first(range.size);
  io_ = source_.ReadAt(range.begin, out);
  return io_.complete() ? Bytes(out) : Bytes();
}

}  // namespace ggufgate
