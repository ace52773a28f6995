// Diagnosis of bad files. It reports only causes that the bytes prove; a guess would be worse than
// no cause.

#include "check/cause/diagnose.h"

#include <algorithm>
#include <string_view>
#include <tuple>
#include <vector>

#include "bytes/checked.h"
#include "check/cause/foreign_file.h"
#include "check/cause/transfer.h"
#include "check/rules/context.h"

namespace ggufgate {
namespace {

using Kind = Cause::Kind;

// EndOfNamed returns the end of the last named record that begins before `where`. Zeros up to there
// can be valid, such as zeros in an array. In a hole, records have no names, or names of zeros.
std::uint64_t EndOfNamed(const Document& document, std::uint64_t where) {
  const auto is_name = [](std::string_view text) {
    return !text.empty() && text.find('\0') == std::string_view::npos;
  };
  std::uint64_t end = document.version == 0 ? kMagic.size() : kHeaderBytes;
  for (const MetadataEntry& entry : document.metadata) {
    if (is_name(entry.key) && entry.range.begin <= where) end = std::max(end, entry.range.End());
  }
  for (const TensorInfo& tensor : document.tensors) {
    if (is_name(tensor.name) && tensor.begin <= where) end = std::max(end, tensor.Range().End());
  }
  return end;
}

// ZerosAround returns the run of zeros that contains or touches `where`.
ByteRange ZerosAround(Bytes prefix, std::uint64_t where) {
  const auto is_zero = [](std::uint8_t byte) { return byte == 0; };
  const Bytes ahead = prefix.first(where);
  const Bytes behind = prefix.subspan(where);
  const auto first = std::find_if_not(ahead.rbegin(), ahead.rend(), is_zero);
  const auto last = std::ranges::find_if_not(behind, is_zero);
  return ByteRange::Between(where - static_cast<std::uint64_t>(first - ahead.rbegin()),
                            where + static_cast<std::uint64_t>(last - behind.begin()));
}

// HoleAt finds a long run of zeros at `where`, the file offset of a finding.
Cause HoleAt(const Document& document, std::uint64_t where) {
  constexpr std::uint64_t kEnough = 512;
  constexpr std::uint64_t kTensorTail = 7 + 4 + 8;  // zeros at the end of a valid tensor record
  const std::uint64_t named = EndOfNamed(document, where);
  if (where < named || where > document.prefix.size()) return {};
  const ByteRange zeros = ZerosAround(document.prefix, where);
  if (zeros.End() - std::max(zeros.begin, named) < kEnough) return {};
  // If the zeros begin at the end of a whole record, they may be padding or data: a wrong count
  // reads those as records.
  if (zeros.begin <= named && zeros.begin + kTensorTail >= named) return {};
  return {.kind = Kind::kHole, .a = zeros.size, .b = zeros.begin};
}

// DataInRow returns the data ranges of all tensors, sorted by file offset. It returns an empty list
// if the tensors overlap or have gaps: then a wrong number is as likely as missing bytes.
std::vector<ByteRange> DataInRow(const Context& context) {
  const Document& document = context.document;
  std::vector<ByteRange> ranges;
  ranges.reserve(document.tensors.size());
  for (std::size_t i = 0; i < document.tensors.size(); ++i) {
    const auto range = DataRange(document, document.tensors.at(i), context.extents.at(i));
    if (!range) return {};
    ranges.push_back(*range);
  }
  std::ranges::sort(ranges, {},
                    [](ByteRange range) { return std::tuple(range.begin, range.size); });

  std::uint64_t end = document.data_begin.value_or(0);
  for (const ByteRange range : ranges) {
    if (CheckedAlignUp(end, document.alignment.value_or(1)) != range.begin) return {};
    end = range.End();
  }
  return ranges;
}

// DataCutShort detects a truncated file. If the data of all tensors are contiguous, no single wrong
// number can put two tensors past the end of the file. If only the last tensor ends past it, its
// size may be wrong instead. Then two facts must show a truncation: no padded file can end there,
// and most of that tensor is present.
Cause DataCutShort(const Context& context) {
  constexpr std::uint64_t kMebibyte = 1 << 20;
  constexpr std::uint64_t kLargestModel = std::uint64_t{1} << 42;  // 4 TiB
  const std::vector<ByteRange> ranges = DataInRow(context);
  const std::uint64_t size = context.document.file_size;
  if (ranges.empty() || ranges.back().End() > kLargestModel) return {};
  const ByteRange last = ranges.back();
  if (size % kMebibyte == 0) return {.kind = Kind::kCutShortRound, .a = size, .b = last.End()};

  const bool others = std::ranges::any_of(
      ranges, [&](ByteRange range) { return range.End() > size && range.begin < last.begin; });
  const bool ends_in_last =
      size % kSpecifiedAlignment != 0 && size > last.begin && size - last.begin > last.size / 2;
  if (!others && !ends_in_last) return {.kind = Kind::kMaybeCut, .a = size};
  return {.kind = Kind::kCutShort, .a = size, .b = last.End()};
}

Cause CutShort(const Context& context, const Finding& finding) {
  constexpr std::uint64_t kPlausible = 1 << 24;  // larger claims are mostly false numbers
  switch (finding.rule) {
    case RuleId::kTensorDataBounds:
      return DataCutShort(context);
    case RuleId::kTruncatedMetadata:
    case RuleId::kTruncatedTensorInfo:
      return {.kind = Kind::kEndsEarly, .a = context.document.file_size};
    case RuleId::kStringLength:
    case RuleId::kArrayCount:
    case RuleId::kMetadataCount:
    case RuleId::kTensorCount: {
      const auto* claimed = std::get_if<std::uint64_t>(&finding.observed);
      const bool plausible = claimed != nullptr && *claimed <= kPlausible;
      const bool by_limit = context.document.fault && context.document.fault->by_limit;
      if (!plausible || by_limit) return {};
      return {.kind = Kind::kMaybeCut, .a = context.document.file_size};
    }
    default:
      return {};
  }
}

// ThroughTextDecoder reads more than the prefix, which is short if the fault is near the start.
Cause ThroughTextDecoder(const Context& context) {
  constexpr std::uint64_t kLooked = std::uint64_t{1} << 20;
  const ByteRange start = {.begin = 0, .size = std::min(context.document.file_size, kLooked)};
  if (start.size <= context.document.prefix.size()) {
    return ThroughTextDecoder(context.document, context.document.prefix);
  }
  std::vector<std::uint8_t> scratch(start.size);
  return ThroughTextDecoder(context.document, context.cache.View(start, scratch));
}

// NotUnderstood returns the cause of a file with an incomplete header or another magic.
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
  if (const Cause cause = ThroughTextDecoder(context)) return cause;
  if (const Cause cause = ThroughTextMode(document, context.policy.limits)) return cause;
  if (const Cause cause = HoleAt(document, finding.where.begin)) return cause;
  return CutShort(context, finding);
}

}  // namespace ggufgate
