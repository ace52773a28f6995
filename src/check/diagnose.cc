// What happened to a bad file. Only what the bytes show is said; a guess would be worse than
// silence.

#include <algorithm>
#include <array>

#include "bytes/utf8.h"
#include "check/sink.h"

namespace ggufgate {
namespace {

using Kind = Cause::Kind;

struct Signature {
  std::string_view bytes;
  Kind kind;
};

using namespace std::string_view_literals;

// First bytes of what people save under a model's name.
constexpr std::array kSignatures = {
    Signature{"FUGG"sv, Kind::kReversed},
    Signature{"ggml"sv, Kind::kLegacyGgml},
    Signature{"ggmf"sv, Kind::kLegacyGgml},
    Signature{"ggjt"sv, Kind::kLegacyGgml},
    Signature{"lmgg"sv, Kind::kLegacyGgml},  // the same, as little-endian numbers on disk
    Signature{"fmgg"sv, Kind::kLegacyGgml},
    Signature{"tjgg"sv, Kind::kLegacyGgml},
    Signature{"version https://git-lfs"sv, Kind::kLfsPointer},
    Signature{"PK\x03\x04"sv, Kind::kZip},
    Signature{"PK\x05\x06"sv, Kind::kZip},
    Signature{"\x1F\x8B"sv, Kind::kGzip},
    Signature{"\x28\xB5\x2F\xFD"sv, Kind::kZstandard},
    Signature{"\xFD"
              "7zXZ\0"sv,
              Kind::kXz},
    Signature{"7z\xBC\xAF\x27\x1C"sv, Kind::kSevenZip},
    Signature{"\x80\x02"sv, Kind::kPickle},
    Signature{"\x80\x03"sv, Kind::kPickle},
    Signature{"\x80\x04"sv, Kind::kPickle},
    Signature{"\x80\x05"sv, Kind::kPickle},
};

bool StartsWithIgnoringCase(std::string_view text, std::string_view lower) {
  if (text.size() < lower.size()) return false;
  return std::ranges::equal(text.substr(0, lower.size()), lower, {}, [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
}

// ForeignFile recognises what is no GGUF file at all.
Cause ForeignFile(Bytes head, std::uint64_t file_size) {
  if (file_size == 0) return {.kind = Kind::kEmpty};
  std::string_view text = AsText(head);
  for (const Signature& signature : kSignatures) {
    if (text.starts_with(signature.bytes)) return {.kind = signature.kind};
  }
  if (std::ranges::all_of(head, [](std::uint8_t byte) { return byte == 0; })) {
    return {.kind = Kind::kZeros};
  }
  // safetensors: the length of the JSON header as a little-endian u64, then that header.
  if (head.size() > 9 && head[8] == '{' &&
      Load<std::uint64_t>(head, ByteOrder::kLittle) <= file_size) {
    return {.kind = Kind::kSafetensors};
  }
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);  // a byte order mark
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  if (StartsWithIgnoringCase(text, "<!doctype") || StartsWithIgnoringCase(text, "<html") ||
      StartsWithIgnoringCase(text, "<?xml") || StartsWithIgnoringCase(text, "<head")) {
    return {.kind = Kind::kHtml};
  }
  if (text.starts_with("{\"") || text.starts_with("{\n") || text.starts_with("[{")) {
    return {.kind = Kind::kJson};
  }
  return {};
}

// ThroughTextDecoder: whoever decodes binary data as UTF-8 puts U+FFFD for what is none and makes
// all of it valid. No model is valid UTF-8 by itself: its numbers are not.
Cause ThroughTextDecoder(Bytes prefix) {
  constexpr std::string_view kReplacement = "\xEF\xBF\xBD";
  constexpr std::uint64_t kEnough = 4;
  constexpr std::size_t kLongestCharacter = 4;
  const std::string_view text = AsText(prefix);
  std::uint64_t count = 0;
  for (std::size_t at = text.find(kReplacement); at != std::string_view::npos;
       at = text.find(kReplacement, at + kReplacement.size())) {
    ++count;
  }
  // The prefix may end inside a character.
  if (count < kEnough || Utf8PrefixLength(prefix) + kLongestCharacter <= prefix.size()) return {};
  return {.kind = Kind::kUtf8Replaced, .a = count};
}

// ThroughTextMode: in a binary file of some size line feeds occur without a carriage return before.
Cause ThroughTextMode(Bytes prefix) {
  constexpr std::uint64_t kEnough = 16;
  std::uint64_t feeds = 0;
  std::uint8_t before = 0;
  for (const std::uint8_t byte : prefix) {
    if (byte == '\n') {
      if (before != '\r') return {};
      ++feeds;
    }
    before = byte;
  }
  if (feeds < kEnough) return {};
  return {.kind = Kind::kCrLf, .a = feeds};
}

// HoleAt finds a long run of zeros around the place where reading stopped.
Cause HoleAt(Bytes prefix, std::uint64_t where) {
  constexpr std::uint64_t kEnough = 512;
  if (where >= prefix.size() || prefix[where] != 0) return {};
  const auto is_zero = [](std::uint8_t byte) { return byte == 0; };
  const Bytes behind = prefix.subspan(where);
  const Bytes ahead = prefix.first(where);
  const auto after =
      static_cast<std::uint64_t>(std::ranges::find_if_not(behind, is_zero) - behind.begin());
  const auto reversed = std::find_if_not(ahead.rbegin(), ahead.rend(), is_zero);
  const auto before = static_cast<std::uint64_t>(reversed - ahead.rbegin());
  if (after + before < kEnough) return {};
  return {.kind = Kind::kHole, .a = after + before, .b = where - before};
}

// Needed is the size the file should have by its tensors; 0 when they make no sense together.
std::uint64_t Needed(const Context& context) {
  constexpr std::uint64_t kLargestModel = std::uint64_t{1} << 42;  // 4 TiB
  std::uint64_t needed = 0;
  for (std::size_t i = 0; i < context.document.tensors.size(); ++i) {
    const auto range =
        DataRange(context.document, context.document.tensors.at(i), context.extents.at(i));
    if (!range) return 0;
    needed = std::max(needed, range->End());
  }
  return needed <= kLargestModel ? needed : 0;
}

Cause CutShort(const Context& context, const Finding& finding) {
  constexpr std::uint64_t kMebibyte = 1 << 20;
  constexpr std::uint64_t kPlausible = 1 << 24;  // larger claims are lies more often than cuts
  const std::uint64_t size = context.document.file_size;
  switch (finding.rule) {
    case RuleId::kTensorDataBounds: {
      const std::uint64_t needed = Needed(context);
      if (needed <= size) return {};
      const bool round = size > 0 && size % kMebibyte == 0;
      return {.kind = round ? Kind::kCutShortRound : Kind::kCutShort, .a = size, .b = needed};
    }
    case RuleId::kTruncatedMetadata:
    case RuleId::kTruncatedTensorInfo:
      return {.kind = Kind::kEndsEarly, .a = size};
    case RuleId::kStringLength:
    case RuleId::kArrayCount:
    case RuleId::kMetadataCount:
    case RuleId::kTensorCount: {
      const auto* claimed = std::get_if<std::uint64_t>(&finding.observed);
      const bool plausible = claimed != nullptr && *claimed <= kPlausible;
      return plausible && finding.wording == 0 ? Cause{.kind = Kind::kMaybeCut, .a = size}
                                               : Cause{};
    }
    default:
      return {};
  }
}

}  // namespace

Cause Diagnose(const Context& context, const Finding& finding) {
  const Bytes prefix = context.document.prefix;
  if (finding.rule == RuleId::kMagic || finding.rule == RuleId::kFileTooShort) {
    constexpr std::size_t kHead = 512;
    return ForeignFile(prefix.first(std::min(prefix.size(), kHead)), context.document.file_size);
  }
  if (const Cause cause = ThroughTextDecoder(prefix)) return cause;
  if (const Cause cause = ThroughTextMode(prefix)) return cause;
  if (context.document.fault) {
    if (const Cause cause = HoleAt(prefix, finding.where.begin)) return cause;
  }
  return CutShort(context, finding);
}

}  // namespace ggufgate
