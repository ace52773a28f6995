#include "parse/parse.h"

#include <algorithm>

#include "bytes/checked.h"
#include "parse/reader.h"

namespace ggufgate {
namespace internal {

// The cursor sees no more of the prefix than the metadata limit allows. So a file over the limit
// stops at the same byte however much of it was read, and nothing past the limit is ever asked for.
Reader::Reader(Bytes prefix, std::uint64_t file_size, const Limits& limits, ParseResult& result)
    : document_(result.document),
      result_(result),
      limits_(limits),
      cursor_(prefix.first(std::min<std::uint64_t>(prefix.size(), limits.metadata_bytes)),
              file_size) {
  document_.prefix = prefix;
  document_.file_size = file_size;
}

bool Reader::Fail(FaultKind kind, ByteRange where, const char* field, std::uint64_t observed,
                  std::uint64_t allowed, bool by_limit) {
  document_.fault = Fault{.kind = kind,
                          .where = where,
                          .field = field,
                          .place = place_,
                          .observed = observed,
                          .allowed = allowed,
                          .by_limit = by_limit};
  return false;
}

bool Reader::StopAtShortfall() {
  const Shortfall& shortfall = cursor_.shortfall();
  const ByteRange wanted = shortfall.wanted;
  if (shortfall.kind == Shortfall::Kind::kEndOfFile) {
    const FaultKind kind = place_.section == Place::Section::kTensor
                               ? FaultKind::kTruncatedTensorInfo
                               : FaultKind::kTruncatedMetadata;
    return Fail(kind, wanted, shortfall.field, wanted.size, document_.file_size - wanted.begin);
  }
  if (!wanted.FitsIn(limits_.metadata_bytes)) {
    return Fail(FaultKind::kMetadataBytes, wanted, shortfall.field, wanted.End(),
                limits_.metadata_bytes, /*by_limit=*/true);
  }
  result_.bytes_needed = wanted.End();
  return false;
}

namespace {

// AlignmentOf reads `general.alignment`: a u32 that is not 0 can be reckoned with. Whether it is
// allowed (a power of two, a multiple of 8) is for the rules to say.
std::optional<std::uint64_t> AlignmentOf(const Document& document) {
  const MetadataEntry* entry = document.Find(kAlignmentKey);
  if (entry == nullptr) return kDefaultAlignment;
  if (entry->type != ValueType::kU32) return std::nullopt;
  const std::optional<std::uint64_t> value = document.UnsignedOf(*entry);
  return *value != 0 ? value : std::nullopt;
}

}  // namespace
}  // namespace internal

ParseResult Parse(Bytes prefix, std::uint64_t file_size, const Limits& limits) {
  ParseResult result;
  internal::Reader reader(prefix, file_size, limits, result);
  if (!reader.ReadHeader() || !reader.ReadMetadata()) return result;

  Document& document = result.document;
  document.alignment = internal::AlignmentOf(document);
  if (!reader.ReadTensors()) return result;
  if (document.alignment) {
    // Without tensors there is no data section to pad for, and the file may end here.
    document.data_begin = document.tensors.empty()
                              ? document.directory_end
                              : CheckedAlignUp(document.directory_end, *document.alignment);
  }
  return result;
}

}  // namespace ggufgate
