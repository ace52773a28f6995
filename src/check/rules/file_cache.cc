#include "check/rules/file_cache.h"

#include <vector>

namespace ggufgate {

void FileCache::JudgeFor(const ContractTable& contracts) {
  std::erase_if(things_, [](const Thing& thing) { return thing.of_loader; });
  contracts_ = &contracts;
}

Bytes FileCache::View(ByteRange range, MutableBytes scratch) const {
  if (range.FitsIn(document_.prefix.size())) return document_.BytesAt(range);
  if (!io_.complete()) return {};
  const MutableBytes out = scratch.first(range.size);
  io_ = source_.ReadAt(range.begin, out);
  return io_.complete() ? Bytes(out) : Bytes();
}

}  // namespace ggufgate
