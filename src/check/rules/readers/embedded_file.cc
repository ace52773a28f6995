// Detects the beginning of other files inside a GGUF file. It requires more matching bytes than
// foreign_file.cc, because weights can be any bytes.

#include <algorithm>
#include <array>
#include <string_view>

#include "bytes/byte_order.h"
#include "check/cause/foreign_file.h"

namespace ggufgate {
namespace {

using namespace std::string_view_literals;

template <Scalar T>
T At(Bytes bytes, std::size_t at) {
  return Load<T>(bytes.subspan(at), ByteOrder::kLittle);
}

// The local header in a zip archive: APPNOTE.TXT 6.3.10, section 4.3.7.
bool IsZipHeader(Bytes head) {
  constexpr std::size_t kHeaderBytes = 30;
  constexpr std::array<std::uint16_t, 9> kMethods = {0, 8, 9, 12, 14, 93, 95, 98, 99};
  constexpr std::uint16_t kNewestVersion = 63;
  constexpr std::uint16_t kLongestName = 4096;
  if (head.size() <= kHeaderBytes || !AsText(head).starts_with("PK\x03\x04"sv)) return false;
  const auto name_bytes = At<std::uint16_t>(head, 26);
  return (At<std::uint16_t>(head, 4) & 0xFF) <= kNewestVersion &&
         std::ranges::find(kMethods, At<std::uint16_t>(head, 8)) != kMethods.end() &&
         name_bytes > 0 && name_bytes <= kLongestName && head[kHeaderBytes] >= ' ';
}

// The header of an ELF file: System V ABI, chapter 4.
bool IsElf(Bytes head) {
  constexpr std::size_t kHeaderBytes = 52;
  if (head.size() < kHeaderBytes || !AsText(head).starts_with("\x7F"
                                                              "ELF"sv))
    return false;
  const auto one_or_two = [&](std::size_t at) { return head[at] == 1 || head[at] == 2; };
  const ByteOrder order = head[5] == 2 ? ByteOrder::kBig : ByteOrder::kLittle;
  const auto type = Load<std::uint16_t>(head.subspan(16), order);
  return one_or_two(4) && one_or_two(5) && head[6] == 1 && type >= 1 && type <= 4;
}

// The MS-DOS stub, and the signature that it points to: PE format, "MS-DOS stub".
bool IsPe(Bytes head) {
  constexpr std::size_t kPointerAt = 0x3C;
  if (head.size() < kPointerAt + 4 || !AsText(head).starts_with("MZ"sv)) return false;
  const std::size_t pe = At<std::uint32_t>(head, kPointerAt);
  return pe >= 4 && pe < head.size() && AsText(head.subspan(pe)).starts_with("PE\0\0"sv);
}

// TakeWord removes one line from the text; false if it is not a dotted Python name.
bool TakeWord(std::string_view& text) {
  const std::size_t end = text.find('\n');
  if (end == 0 || end == std::string_view::npos) return false;
  const bool is_word = std::ranges::all_of(text.substr(0, end), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.';
  });
  text.remove_prefix(end + 1);
  return is_word;
}

// Certain: a frame that fits into the file, the name of a global, or the number at the start of
// PyTorch's old files. Likely: a container, followed by the opcode to memoize, fill or return it.
// Source: pickletools.py of Python 3.13.
Embedded PickleAt(Bytes head, std::uint64_t left) {
  constexpr std::size_t kFrameBytes = 2 + 9;
  const std::string_view text = AsText(head);
  if (!IsPickle(text)) return {};
  const Embedded sure = {.what = "a Python pickle", .certain = true};
  std::string_view rest = text.substr(3);
  if (text[2] == '\x95') {
    constexpr std::string_view kFirst = "(])}cX\x8C\x8FKMJGNB\x88\x89";
    const bool fits = head.size() > kFrameBytes && left > kFrameBytes &&
                      At<std::uint64_t>(head, 3) <= left - kFrameBytes &&
                      kFirst.find(text[kFrameBytes]) != std::string_view::npos;
    return fits ? sure : Embedded{};
  }
  if (text[2] == 'c') return TakeWord(rest) && TakeWord(rest) ? sure : Embedded{};
  if (text.substr(2).starts_with("\x8A\x0A\x6C\xFC\x9C\x46\xF9\x20\x6A\xA8\x50\x19"sv)) return sure;
  constexpr std::string_view kContainers = "])}(";
  constexpr std::string_view kNext = "qr(.\x94";
  const bool likely = kContainers.find(text[2]) != std::string_view::npos && !rest.empty() &&
                      kNext.find(rest.front()) != std::string_view::npos;
  return likely ? Embedded{.what = "what looks like a Python pickle"} : Embedded{};
}

}  // namespace

Embedded FindEmbedded(Bytes head, std::uint64_t left) {
  if (IsZipHeader(head)) return {.what = "a zip archive", .certain = true};
  if (IsElf(head)) return {.what = "a program or library (ELF)", .certain = true};
  if (IsPe(head)) return {.what = "a program or library (PE)", .certain = true};
  return PickleAt(head, left);
}

// Searches from the end, as unpackers do. Source: APPNOTE.TXT 6.3.10, section 4.3.16.
std::optional<ZipEnd> FindZipEnd(Bytes tail) {
  constexpr std::size_t kRecordBytes = 22;
  constexpr std::uint64_t kEntryBytes = 46;
  for (std::size_t size = kRecordBytes; size <= tail.size(); ++size) {
    const Bytes record = tail.last(size);
    if (record.front() != 'P' || !AsText(record).starts_with("PK\x05\x06"sv)) continue;
    const auto entries = At<std::uint16_t>(record, 10);
    const std::uint64_t directory = At<std::uint32_t>(record, 12);
    const bool one_disk =
        At<std::uint32_t>(record, 4) == 0 && At<std::uint16_t>(record, 8) == entries;
    const bool fits = directory >= entries * kEntryBytes;
    if (one_disk && entries > 0 && fits && At<std::uint16_t>(record, 20) == size - kRecordBytes) {
      return ZipEnd{.from_end = size, .directory_bytes = directory};
    }
  }
  return std::nullopt;
}

bool IsZipDirectory(Bytes head) { return AsText(head).starts_with("PK\x01\x02"sv); }

}  // namespace ggufgate
