#include "parse/parse.h"

#include <algorithm>

#include "bytes/checked.h"
#include "parse/reader.h"

namespace ggufgate {
namespace internal {
namespace {

// Low estimate for a tensor record: a name of 16 bytes and two dimensions.
constexpr std::uint64_t kLikelyTensorBytes = kMinimumTensorBytes + 16 + 16;

}  // namespace

// The cursor sees only the part of the prefix within the limit on metadata. So a file over the
// limit stops at the same byte for every size of the prefix, and no byte after the limit is read.
Reader::Reader(Bytes prefix, std::uint64_t file_size, const Limits& limits, const StringRuns& known,
               ParseResult& result)
    : document_(result.document),
      result_(result),
      limits_(limits),
      cursor_(prefix.first(std::min<std::uint64_t>(prefix.size(), limits.metadata_bytes)),
              file_size),
      known_(known),
      next_known_(known.runs.begin()) {
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
  result_.bytes_likely = wanted.End();
  result_.bytes_again = cursor_.offset() - skipped_bytes_;
  return false;
}

void Reader::Expect(std::uint64_t list_begin, std::uint64_t done, std::uint64_t all) {
  if (!result_.NeedsMore() || done == 0) return;
  const std::uint64_t most = std::min(document_.file_size, limits_.metadata_bytes);
  const std::uint64_t here = cursor_.offset();
  // At least 1: part of what was read is an element. An incomplete last element does not matter for
  // an estimate.
  const auto rest = CheckedMul((here - list_begin) / done + 1, all - done);
  const auto tensors =
      CheckedMul(document_.tensor_count - document_.tensors.size(), kLikelyTensorBytes);
  const bool in_tensors = place_.section == Place::Section::kTensor;
  const auto end = rest ? CheckedAdd(here, *rest) : std::nullopt;
  const auto with_tensors =
      in_tensors ? end : (end && tensors ? CheckedAdd(*end, *tensors) : std::nullopt);
  result_.bytes_likely =
      std::max(result_.bytes_needed, std::min(most, with_tensors.value_or(most)));
}

namespace {

// AlignmentOf returns `general.alignment` if it is a u32 other than 0, which is enough to compute
// with. Rules check whether it is allowed (a power of two, a multiple of 8).
std::optional<std::uint64_t> AlignmentOf(const Document& document) {
  const MetadataEntry* entry = document.Find(kAlignmentKey);
  if (entry == nullptr) return kDefaultAlignment;
  if (entry->type != ValueType::kU32) return std::nullopt;
  const std::optional<std::uint64_t> value = document.UnsignedOf(*entry);
  return *value != 0 ? value : std::nullopt;
}

}  // namespace
}  // namespace internal

ParseResult Parse(Bytes prefix, std::uint64_t file_size, const Limits& limits,
                  const StringRuns& known) {
  ParseResult result;
  internal::Reader reader(prefix, file_size, limits, known, result);
  if (!reader.ReadHeader() || !reader.ReadMetadata()) return result;

  Document& document = result.document;
  document.alignment = internal::AlignmentOf(document);
  if (!reader.ReadTensors()) return result;
  if (document.alignment) {
    // Without tensors there is no data section, so the file may end here without padding.
    document.data_begin = document.tensors.empty()
                              ? document.directory_end
                              : CheckedAlignUp(document.directory_end, *document.alignment);
  }
  return result;
}

}  // namespace ggufgate
