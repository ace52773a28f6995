// Rule foreign-file-inside: a file of another format in unused bytes, or instead of weights.

#include <algorithm>
#include <array>
#include <vector>

#include "check/cause/foreign_file.h"
#include "check/rules/container/padding.h"
#include "check/rules/rule_functions.h"

namespace ggufgate {
namespace {

constexpr std::string_view kPadding = "padding";
constexpr std::string_view kTrailing = "the bytes behind the model";
constexpr std::string_view kData = "the data of the first tensor";

// LookAt reports another file at an offset.
void LookAt(const Context& context, std::uint64_t at, std::string_view where, Sink& sink) {
  std::array<std::uint8_t, kEmbeddedHead> scratch;
  const std::uint64_t left = context.document.file_size - at;
  const ByteRange range{.begin = at, .size = std::min<std::uint64_t>(left, scratch.size())};
  const Bytes head = context.cache.View(range, scratch);
  const Embedded found = FindEmbedded(head, left);
  if (found.what.empty()) return;
  sink.Add({.where = {.begin = at, .size = std::min<std::uint64_t>(left, 4)},
            .observed = TextFact(found.what),
            .other = TextFact(where),
            .wording = ForeignFileInsideWording::kBegins,
            .at_most = found.certain ? Severity::kError : Severity::kNote});
}

// Another file may begin after padding.
void LookBehind(const Context& context, ByteRange trailing, Sink& sink) {
  std::array<std::uint8_t, kEmbeddedHead> scratch;
  const ByteRange range{.begin = trailing.begin,
                        .size = std::min<std::uint64_t>(trailing.size, scratch.size())};
  const Bytes head = context.cache.View(range, scratch);
  const auto begin = std::ranges::find_if(head, [](std::uint8_t byte) { return byte != 0; });
  if (begin == head.end()) return;
  LookAt(context, range.begin + static_cast<std::uint64_t>(begin - head.begin()), kTrailing, sink);
}

// LookAtEnd searches for the end of a zip archive. It reads one page; if bytes follow the model, it
// reads as far as unpackers do.
void LookAtEnd(const Context& context, std::uint64_t trailing, Sink& sink) {
  const std::uint64_t size = context.document.file_size;
  const std::uint64_t looked = trailing > 0 ? kZipTail : kEmbeddedHead;
  std::vector<std::uint8_t> scratch(std::min(size, looked));
  const ByteRange range{.begin = size - scratch.size(), .size = scratch.size()};
  const std::optional<ZipEnd> end = FindZipEnd(context.cache.View(range, scratch));
  if (!end || end->directory_bytes > size - end->from_end) return;
  const std::uint64_t at = size - end->from_end;
  constexpr std::uint64_t kSignatureBytes = 4;
  const ByteRange directory{.begin = at - end->directory_bytes, .size = kSignatureBytes};
  if (!IsZipDirectory(context.cache.View(directory, scratch))) return;
  sink.Add({.where = {.begin = at, .size = end->from_end},
            .observed = TextFact("a zip archive"),
            .other = TextFact(trailing >= end->from_end ? kTrailing : "the data of the model"),
            .wording = ForeignFileInsideWording::kEnds});
}

// MayBegin: the other formats begin with one of these bytes.
bool MayBegin(std::uint8_t byte) {
  return byte == 'P' || byte == 0x7F || byte == 'M' || byte == 0x80;
}

}  // namespace

void CheckForeignFileInside(const Context& context, Sink& sink) {
  if (!context.document.data_begin) return;  // unknown places of data and padding
  const Region* data = nullptr;
  std::uint64_t trailing = 0;
  for (const Region& region : context.regions) {
    if (region.kind == Region::Kind::kTensorData && data == nullptr) data = &region;
    if (region.kind != Region::Kind::kTrailing) continue;
    trailing = region.range.size;
    LookBehind(context, region.range, sink);
  }
  for (const PaddingMark& mark : PaddingMarksOf(context).list) {
    if (MayBegin(mark.value)) LookAt(context, mark.at, kPadding, sink);
  }
  if (data != nullptr) LookAt(context, data->range.begin, kData, sink);
  LookAtEnd(context, trailing, sink);
}

}  // namespace ggufgate
