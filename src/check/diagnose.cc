// What happened to a bad file. Only what the bytes show is said; a guess would be worse than
// silence.

#include <algorithm>
#include <optional>
#include <tuple>
#include <vector>

#include "bytes/checked.h"
#include "check/foreign_file.h"
#include "check/sink.h"
#include "check/transfer.h"

namespace ggufgate {
namespace {

using Kind = Cause::Kind;

// EndOfNamed is where the last record with a name ends of those that begin before `where`. Zeros up
// to there are honest ones, of an array for one; a hole reads as records without names.
std::uint64_t EndOfNamed(const Document& document, std::uint64_t where) {
  std::uint64_t end = document.version == 0 ? kMagic.size() : kHeaderBytes;
  for (const MetadataEntry& entry : document.metadata) {
    if (!entry.key.empty() && entry.range.begin <= where) end = std::max(end, entry.range.End());
  }
  for (const TensorInfo& tensor : document.tensors) {
    if (!tensor.name.empty() && tensor.begin <= where) end = std::max(end, tensor.Range().End());
  }
  return end;
}

// HoleAt finds a long run of zeros that touches `where`, the place of a finding. Interrupted
// downloads leave whole blocks of the file system.
Cause HoleAt(const Document& document, std::uint64_t where) {
  constexpr std::uint64_t kEnough = 4096;
  const Bytes prefix = document.prefix;
  const std::uint64_t named = EndOfNamed(document, where);
  if (where < named || where > prefix.size()) return {};
  const auto is_zero = [](std::uint8_t byte) { return byte == 0; };
  const Bytes behind = prefix.subspan(where);
  const Bytes ahead = prefix.first(where);
  const auto after =
      static_cast<std::uint64_t>(std::ranges::find_if_not(behind, is_zero) - behind.begin());
  const auto reversed = std::find_if_not(ahead.rbegin(), ahead.rend(), is_zero);
  const auto before = static_cast<std::uint64_t>(reversed - ahead.rbegin());

  const std::uint64_t unnamed = std::max(where - before, named);
  if (where + after - unnamed < kEnough) return {};
  return {.kind = Kind::kHole, .a = after + before, .b = where - before};
}

// Stretch is what the tensors claim of the file.
struct Stretch {
  std::uint64_t end = 0;     // of the data of all tensors
  std::uint64_t beyond = 0;  // tensors that reach past the end of the file
};

// StretchOf gives nothing when the tensors do not follow each other without room and overlap: then
// a wrong number is as likely as a missing byte.
std::optional<Stretch> StretchOf(const Context& context) {
  const Document& document = context.document;
  std::vector<ByteRange> ranges;
  ranges.reserve(document.tensors.size());
  for (std::size_t i = 0; i < document.tensors.size(); ++i) {
    const auto range = DataRange(document, document.tensors.at(i), context.extents.at(i));
    if (!range) return std::nullopt;
    ranges.push_back(*range);
  }
  std::ranges::sort(ranges, {},
                    [](ByteRange range) { return std::tuple(range.begin, range.size); });

  Stretch stretch{.end = document.data_begin.value_or(0)};
  for (const ByteRange range : ranges) {
    if (CheckedAlignUp(stretch.end, document.alignment.value_or(1)) != range.begin) {
      return std::nullopt;
    }
    stretch.end = range.End();
    if (stretch.end > document.file_size) ++stretch.beyond;
  }
  return stretch;
}

// DataCutShort: no single wrong number puts two tensors past the end of the file with all of them
// in a row; that only one is, the last, may be a lie about its size.
Cause DataCutShort(const Context& context) {
  constexpr std::uint64_t kMebibyte = 1 << 20;
  constexpr std::uint64_t kLargestModel = std::uint64_t{1} << 42;  // 4 TiB
  const std::optional<Stretch> stretch = StretchOf(context);
  if (!stretch || stretch->beyond == 0 || stretch->end > kLargestModel) return {};
  const std::uint64_t size = context.document.file_size;
  if (size % kMebibyte == 0) return {.kind = Kind::kCutShortRound, .a = size, .b = stretch->end};
  if (stretch->beyond == 1) return {.kind = Kind::kMaybeCut, .a = size};
  return {.kind = Kind::kCutShort, .a = size, .b = stretch->end};
}

// DirectoryCutShort: a record that has begun with a name is missing its end. Where the file ends
// with a whole record, or zeros follow it, the count of records may be what is wrong.
Cause DirectoryCutShort(const Document& document) {
  constexpr std::uint64_t kLengthBytes = 8;
  const std::uint64_t size = document.file_size;
  const Bytes rest = document.prefix.subspan(document.directory_end);
  const Bytes length = rest.first(std::min(rest.size(), kLengthBytes));
  const bool begun = std::ranges::any_of(length, [](std::uint8_t byte) { return byte != 0; });
  return {.kind = begun ? Kind::kEndsEarly : Kind::kMaybeCut, .a = size};
}

Cause CutShort(const Context& context, const Finding& finding) {
  constexpr std::uint64_t kPlausible = 1 << 24;  // larger claims are lies more often than cuts
  switch (finding.rule) {
    case RuleId::kTensorDataBounds:
      return DataCutShort(context);
    case RuleId::kTruncatedMetadata:
    case RuleId::kTruncatedTensorInfo:
      return DirectoryCutShort(context.document);
    case RuleId::kStringLength:
    case RuleId::kArrayCount:
    case RuleId::kMetadataCount:
    case RuleId::kTensorCount: {
      const auto* claimed = std::get_if<std::uint64_t>(&finding.observed);
      const bool plausible = claimed != nullptr && *claimed <= kPlausible;
      if (!plausible || finding.wording != 0) return {};
      return {.kind = Kind::kMaybeCut, .a = context.document.file_size};
    }
    default:
      return {};
  }
}

// NotUnderstood is the cause of a file without a whole header or with another magic.
Cause NotUnderstood(const Document& document) {
  constexpr std::size_t kHead = 512;
  if (AsText(document.prefix).starts_with(kMagic)) {
    return {.kind = Kind::kEndsEarly, .a = document.file_size};
  }
  return ForeignFile(document.prefix.first(std::min(document.prefix.size(), kHead)),
                     document.file_size);
}

}  // namespace

Cause Diagnose(const Context& context, const Finding& finding) {
  const Document& document = context.document;
  if (finding.rule == RuleId::kMagic || finding.rule == RuleId::kFileTooShort) {
    return NotUnderstood(document);
  }
  if (const Cause cause = ThroughTextDecoder(document)) return cause;
  if (const Cause cause = ThroughTextMode(document, context.policy.limits)) return cause;
  if (const Cause cause = HoleAt(document, finding.where.begin)) return cause;
  return CutShort(context, finding);
}

}  // namespace ggufgate
