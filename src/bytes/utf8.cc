#include "bytes/utf8.h"

#include <algorithm>
#include <cstdint>

#include "bytes/byte_order.h"
#include "bytes/zeros.h"

#if GGUFGATE_WITH_HIGHWAY
#include "bytes/utf8_simd.h"
#endif

namespace ggufgate {
namespace {

// Lead describes a first byte: the length of its character, and the range of the second byte.
// Source: The Unicode Standard, table 3-7 (well-formed UTF-8 byte sequences).
struct Lead {
  std::size_t length;  // 0: not a first byte
  std::uint8_t second_low;
  std::uint8_t second_high;
};

Lead LeadOf(std::uint8_t byte, Surrogates surrogates) {
  if (byte < 0x80) return {1, 0, 0};
  if (byte < 0xC2) return {0, 0, 0};  // continuation, or overlong
  if (byte < 0xE0) return {2, 0x80, 0xBF};
  if (byte == 0xE0) return {3, 0xA0, 0xBF};  // below: overlong
  if (byte == 0xED && surrogates == Surrogates::kRefused) return {3, 0x80, 0x9F};
  if (byte < 0xF0) return {3, 0x80, 0xBF};
  if (byte == 0xF0) return {4, 0x90, 0xBF};  // below: overlong
  if (byte < 0xF4) return {4, 0x80, 0xBF};
  if (byte == 0xF4) return {4, 0x80, 0x8F};  // above: beyond U+10FFFF
  return {0, 0, 0};
}

// CharacterLength returns the length of the well-formed character at the front of `rest`, or 0.
std::size_t CharacterLength(Bytes rest, Surrogates surrogates) {
  const Lead lead = LeadOf(rest.front(), surrogates);
  if (lead.length == 0 || lead.length > rest.size()) return 0;
  if (lead.length == 1) return 1;
  if (rest[1] < lead.second_low || rest[1] > lead.second_high) return 0;
  for (std::size_t i = 2; i < lead.length; ++i) {
    if (!IsContinuation(rest[i])) return 0;
  }
  return lead.length;
}

}  // namespace

std::size_t Utf8PrefixLength(Bytes bytes) {
  std::size_t good = 0;
  while (good < bytes.size()) {
    const std::size_t length = CharacterLength(bytes.subspan(good), Surrogates::kRefused);
    if (length == 0) break;
    good += length;
  }
  return good;
}

bool IsUtf8ByStretches(Bytes bytes) {
  constexpr std::size_t kStretch = 64;
  while (bytes.size() >= kStretch) {
    std::uint8_t bits = 0;
    for (const std::uint8_t byte : bytes.first<kStretch>()) bits |= byte;
    std::size_t good = bits < 0x80 ? kStretch : 0;
    while (good < kStretch) {  // the last character may end after the stretch
      const std::size_t length = CharacterLength(bytes.subspan(good), Surrogates::kRefused);
      if (length == 0) return false;
      good += length;
    }
    bytes = bytes.subspan(good);
  }
  return Utf8PrefixLength(bytes) == bytes.size();
}

std::optional<char32_t> TakeCharacter(std::string_view& text, Surrogates surrogates) {
  const Bytes rest = AsBytes(text);
  const std::size_t length = CharacterLength(rest, surrogates);
  text.remove_prefix(std::max<std::size_t>(length, 1));
  if (length < 2) return length == 0 ? std::nullopt : std::optional<char32_t>(rest.front());
  char32_t code = rest.front() & (0xFFU >> (length + 1));
  for (const std::uint8_t byte : rest.subspan(1, length - 1)) code = code << 6 | (byte & 0x3FU);
  return code;
}

void AppendUtf8(char32_t code, std::string& out) {
  const auto put = [&](char32_t byte) { out.push_back(static_cast<char>(byte)); };
  const auto put_rest = [&](unsigned shift) { put(0x80 | (code >> shift & 0x3F)); };
  if (code < 0x80) return put(code);
  if (code < 0x800) {
    put(0xC0 | code >> 6);
  } else if (code < 0x10000) {
    put(0xE0 | code >> 12);
    put_rest(6);
  } else {
    put(0xF0 | code >> 18);
    put_rest(12);
    put_rest(6);
  }
  put_rest(0);
}

bool IsUtf8(Bytes bytes) {
  // Names are short and ASCII. For them, choosing a kernel costs more than the check.
  constexpr std::size_t kShort = 64;
  if (bytes.size() <= kShort) {
    std::uint8_t bits = 0;
    for (const std::uint8_t byte : bytes) bits |= byte;
    if (bits < 0x80) return true;
  }
#if GGUFGATE_WITH_HIGHWAY
  return simd::IsUtf8(bytes);
#else
  return IsUtf8ByStretches(bytes);
#endif
}

TextFacts FactsOf(Bytes bytes) {
#if GGUFGATE_WITH_HIGHWAY
  return simd::FactsOf(bytes);
#else
  return {.is_utf8 = IsUtf8ByStretches(bytes),
          .zeros = CountZeros(bytes),
          .has_ef = std::ranges::find(bytes, std::uint8_t{0xEF}) != bytes.end()};
#endif
}

bool IsAscii(std::string_view text) {
  constexpr std::size_t kWord = 8;
  constexpr std::uint64_t kHighBits = 0x8080'8080'8080'8080;
  if (text.size() < kWord) {
    return std::ranges::none_of(text, [](char c) { return (c & 0x80) != 0; });
  }
  std::uint64_t bits = 0;
  Bytes rest = AsBytes(text);
  for (; rest.size() > kWord; rest = rest.subspan(kWord)) {
    bits |= Load<std::uint64_t>(rest, ByteOrder::kLittle);
  }
  bits |= Load<std::uint64_t>(AsBytes(text).last(kWord), ByteOrder::kLittle);
  return (bits & kHighBits) == 0;
}

}  // namespace ggufgate
