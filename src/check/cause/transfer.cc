#include "check/cause/transfer.h"

#include <algorithm>
#include <ranges>
#include <string_view>
#include <vector>

#include "bytes/byte_order.h"
#include "bytes/utf8.h"
#include "parse/arrays.h"
#include "parse/parse.h"

namespace ggufgate {
namespace {

using Kind = Cause::Kind;

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

std::uint64_t CountReplacements(std::string_view text) {
  std::uint64_t count = 0;
  for (std::size_t at = text.find(kReplacement); at != std::string_view::npos;
       at = text.find(kReplacement, at + kReplacement.size())) {
    ++count;
  }
  return count;
}

// Touches returns whether U+FFFD overlaps `range`.
bool Touches(Bytes prefix, ByteRange range) {
  constexpr std::uint64_t kOverhang = kReplacement.size() - 1;
  const std::uint64_t begin = range.begin - std::min(range.begin, kOverhang);
  if (begin >= prefix.size()) return false;
  const std::string_view text = AsText(prefix.subspan(begin));
  return text.substr(0, range.begin - begin + range.size + kOverhang).find(kReplacement) !=
         std::string_view::npos;
}

bool TouchesNumbers(const Document& document, const LeafArray& leaf) {
  if (leaf.element_type != ValueType::kString) return Touches(document.prefix, leaf.elements);
  for (StringArray strings(document, leaf); strings.Next();) {
    if (Touches(document.prefix, {.begin = strings.range().begin - 8, .size = 8})) return true;
  }
  return false;
}

bool TouchesNumbers(const Document& document, const MetadataEntry& entry) {
  const Bytes prefix = document.prefix;
  const ByteRange head =
      ByteRange::Between(entry.TypeRange().begin, entry.ElementsRange().begin);  // type, length
  if (Touches(prefix, entry.KeyLengthRange()) || Touches(prefix, head)) return true;
  if (entry.type == ValueType::kString) return false;
  if (entry.type != ValueType::kArray) return Touches(prefix, entry.ValueRange());
  for (LeafArrays leaves(document, entry); const auto leaf = leaves.Next();) {
    if (TouchesNumbers(document, *leaf)) return true;
  }
  return false;
}

bool TouchesNumbers(const Document& document, const TensorInfo& tensor) {
  const ByteRange numbers =
      ByteRange::Between(tensor.DimensionCountRange().begin, tensor.OffsetRange().End());
  return Touches(document.prefix, tensor.NameLengthRange()) || Touches(document.prefix, numbers);
}

}  // namespace

Cause ThroughTextDecoder(const Document& document, Bytes start) {
  constexpr std::uint64_t kEnough = 4;
  constexpr std::size_t kLongestCharacter = 4;
  const Bytes prefix = document.prefix;
  const std::uint64_t count = CountReplacements(AsText(start));
  // `start` may end inside a character.
  if (count < kEnough || Utf8PrefixLength(start) + kLongestCharacter <= start.size()) return {};

  const auto in_numbers = [&](const auto& record) { return TouchesNumbers(document, record); };
  const bool shown = std::ranges::any_of(document.metadata, in_numbers) ||
                     std::ranges::any_of(document.tensors, in_numbers) ||
                     (document.fault && Touches(prefix, document.fault->where));
  return shown ? Cause{.kind = Kind::kUtf8Replaced, .a = count} : Cause{};
}

namespace {

// CountReturnedFeeds counts line feeds. It returns 0 if a line feed has no carriage return before
// it.
std::uint64_t CountReturnedFeeds(Bytes bytes) {
  std::uint64_t feeds = 0;
  std::uint8_t before = 0;
  for (const std::uint8_t byte : bytes) {
    if (byte == '\n') {
      if (before != '\r') return 0;
      ++feeds;
    }
    before = byte;
  }
  return feeds;
}

std::vector<std::uint8_t> WithoutReturns(Bytes bytes) {
  std::vector<std::uint8_t> undone;
  undone.reserve(bytes.size());
  for (const std::uint8_t byte : bytes) {
    if (byte == '\n') undone.pop_back();
    undone.push_back(byte);
  }
  return undone;
}

bool IsName(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= 0x20 && c <= 0x7E; });
}

// SoundRecords counts the records up to the first without a printable name. If the parser reads at
// wrong offsets, numbers appear as names.
std::uint64_t SoundRecords(const Document& document) {
  const auto unsound = [](const auto& records, auto name) {
    const auto found = std::ranges::find_if_not(records, IsName, name);
    return static_cast<std::uint64_t>(found - records.begin());
  };
  const std::uint64_t keys = unsound(document.metadata, &MetadataEntry::key);
  if (keys < document.metadata.size()) return keys;
  return keys + unsound(document.tensors, &TensorInfo::name);
}

// WantsMoreOfARecord returns whether the prefix ends inside a record, after its name.
bool WantsMoreOfARecord(const ParseResult& result) {
  const Document& document = result.document;
  const Bytes rest = document.prefix.subspan(document.directory_end);
  if (!result.NeedsMore() || rest.size() < sizeof(std::uint64_t)) return false;
  const auto length = Load<std::uint64_t>(rest, document.byte_order);
  const Bytes name = rest.subspan(sizeof(std::uint64_t));
  return length <= name.size() && IsName(AsText(name.first(length)));
}

}  // namespace

Cause ThroughTextMode(const Document& document, const Limits& limits) {
  constexpr std::uint64_t kEnough = 16;
  if (!document.fault) return {};
  const std::uint64_t feeds = CountReturnedFeeds(document.prefix);
  if (feeds < kEnough) return {};

  const std::vector<std::uint8_t> undone = WithoutReturns(document.prefix);
  const ParseResult healed = Parse(undone, document.file_size - feeds, limits);
  const std::uint64_t before = SoundRecords(document);
  const std::uint64_t after = SoundRecords(healed.document);
  const bool reads_on = after > before || (after == before && WantsMoreOfARecord(healed));
  return reads_on ? Cause{.kind = Kind::kCrLf, .a = feeds} : Cause{};
}

}  // namespace ggufgate
