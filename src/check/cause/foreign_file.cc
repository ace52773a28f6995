#include "check/cause/foreign_file.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "bytes/byte_order.h"
#include "bytes/utf8.h"
#include "format/tensors/layout.h"

namespace ggufgate {
namespace {

using Kind = Cause::Kind;

struct Signature {
  std::string_view bytes;
  Kind kind;
};

using namespace std::string_view_literals;

// First bytes of files that users often save under a model's name.
constexpr std::array kSignatures = {
    Signature{"FUGG"sv, Kind::kReversed}, Signature{"ggml"sv, Kind::kLegacyGgml},
    Signature{"ggmf"sv, Kind::kLegacyGgml}, Signature{"ggjt"sv, Kind::kLegacyGgml},
    // Magics of ggml formats, stored as little-endian numbers. ggml-*.bin of whisper.cpp begins
    // with the first.
    Signature{"lmgg"sv, Kind::kGgmlOrWhisper}, Signature{"fmgg"sv, Kind::kLegacyGgml},
    Signature{"tjgg"sv, Kind::kLegacyGgml},
    // Programs made with Cosmopolitan's apelink, such as a llamafile. Source: ape/ape.S.
    Signature{"MZqFpD='"sv, Kind::kLlamafile}, Signature{"jartsr='"sv, Kind::kLlamafile},
    Signature{"version https://git-lfs"sv, Kind::kLfsPointer},
    Signature{"PK\x03\x04"sv, Kind::kZip}, Signature{"PK\x05\x06"sv, Kind::kZip},
    Signature{"\x1F\x8B\x08"sv, Kind::kGzip},  // 8: the only compression method
    Signature{"\x28\xB5\x2F\xFD"sv, Kind::kZstandard},
    Signature{"\xFD"
              "7zXZ\0"sv,
              Kind::kXz},
    Signature{"7z\xBC\xAF\x27\x1C"sv, Kind::kSevenZip},
    Signature{"\x89PNG\r\n\x1A\n"sv, Kind::kPicture}, Signature{"\xFF\xD8\xFF"sv, Kind::kPicture},
    Signature{"GIF87a"sv, Kind::kPicture}, Signature{"GIF89a"sv, Kind::kPicture},
    Signature{"%PDF-"sv, Kind::kPdf},
    Signature{"\x93NUMPY"sv, Kind::kNumpy},  // numpy/lib/format.py
};

// safetensors: the length of the JSON header as a little-endian u64, then the header.
bool IsSafetensors(Bytes head, std::uint64_t file_size) {
  constexpr std::string_view kNext = "\"} \t\r\n";
  constexpr std::uint64_t kLengthBytes = 8;
  return head.size() > kLengthBytes + 1 && head[kLengthBytes] == '{' &&
         kNext.find(static_cast<char>(head[kLengthBytes + 1])) != std::string_view::npos &&
         Load<std::uint64_t>(head, ByteOrder::kLittle) <= file_size - kLengthBytes;
}

// An importance matrix from before June 2025: the number of entries, then for each entry the length
// of its name, and the name of a tensor. Source: save_imatrix_legacy in tools/imatrix/imatrix.cpp
// of llama.cpp.
bool IsOldImatrix(Bytes head) {
  constexpr std::size_t kNameAt = 8;
  constexpr std::uint32_t kMostEntries = 1 << 20;
  constexpr std::uint32_t kLongestName = 128;
  if (head.size() <= kNameAt) return false;
  const auto entries = Load<std::uint32_t>(head, ByteOrder::kLittle);
  const auto length = Load<std::uint32_t>(head.subspan(4), ByteOrder::kLittle);
  if (entries == 0 || entries > kMostEntries || length == 0 || length > kLongestName) return false;
  return AsText(head).substr(kNameAt, length).ends_with(".weight");
}

std::string_view SkipSpace(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  return text;
}

bool StartsWithIgnoringCase(std::string_view text, std::string_view lower) {
  if (text.size() < lower.size()) return false;
  return std::ranges::equal(text.substr(0, lower.size()), lower, {}, [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
}

// IsPage accepts HTML, and XML, which object stores send as error pages.
bool IsPage(std::string_view text) {
  constexpr std::array kBeginnings = {"<!doctype html"sv, "<html"sv, "<?xml"sv, "<head>"sv};
  return std::ranges::any_of(kBeginnings, [&](std::string_view beginning) {
    return StartsWithIgnoringCase(text, beginning);
  });
}

// IsJson accepts an object, or an array of objects.
bool IsJson(std::string_view text) {
  if (text.starts_with('[')) text = SkipSpace(text.substr(1));
  if (!text.starts_with('{')) return false;
  text = SkipSpace(text.substr(1));
  return text.starts_with('"') || text.starts_with('}');
}

// IsText accepts UTF-8 that has printable characters and no control characters. No GGUF file begins
// so, because its version contains zeros. `head` may end inside a character. A file as short as the
// magic may be a part of the magic, so it is not text.
bool IsText(Bytes head) {
  constexpr std::size_t kMostOfCharacter = 3;  // bytes of an incomplete character
  const auto is_control = [](std::uint8_t byte) {
    return (byte < 0x20 &&
            std::string_view("\t\n\f\r").find(static_cast<char>(byte)) == std::string_view::npos) ||
           byte == 0x7F;
  };
  return head.size() > kMagic.size() && std::ranges::none_of(head, is_control) &&
         head.size() - Utf8PrefixLength(head) <= kMostOfCharacter &&
         !SkipSpace(AsText(head)).empty();
}

}  // namespace

// IsPickle: a pickle of protocol 2 to 5. Each opcode in the list can begin a value.
bool IsPickle(std::string_view text) {
  constexpr std::string_view kOpcodes = "(])}cXUTKMJGNCB\x88\x89\x8A\x8B\x8C\x8F\x95";
  return text.size() > 2 && text[0] == '\x80' && text[1] >= 2 && text[1] <= 5 &&
         kOpcodes.find(text[2]) != std::string_view::npos;
}

Cause ForeignFile(Bytes head, std::uint64_t file_size) {
  if (file_size == 0) return {.kind = Kind::kEmpty};
  std::string_view text = AsText(head);
  for (const Signature& signature : kSignatures) {
    if (text.starts_with(signature.bytes)) return {.kind = signature.kind};
  }
  if (std::ranges::all_of(head, [](std::uint8_t byte) { return byte == 0; })) {
    return {.kind = Kind::kZeros};
  }
  if (IsPickle(text)) return {.kind = Kind::kPickle};
  if (IsOldImatrix(head)) return {.kind = Kind::kOldImatrix};
  if (IsSafetensors(head, file_size)) return {.kind = Kind::kSafetensors};
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);  // a byte order mark
  text = SkipSpace(text);
  if (IsPage(text)) return {.kind = Kind::kHtml};
  if (IsJson(text)) return {.kind = Kind::kJson};
  if (IsText(head)) return {.kind = Kind::kText};
  return {};
}

}  // namespace ggufgate
