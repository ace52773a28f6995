// Requirements of a text for a vocabulary. The code follows the rules and is stricter: a vocabulary
// that it rejects may still be valid.

#include <algorithm>
#include <array>
#include <bitset>
#include <span>

#include "format/limits.h"
#include "format/tokenizers/tokenizer.h"
#include "mutate/build/entry_value.h"
#include "mutate/repair/meaning.h"

namespace ggufgate::mutate {
namespace {

constexpr std::size_t kMostTokens = 4096;
constexpr std::uint64_t kMostSteps = Limits{}.vocabulary_steps;
constexpr std::size_t kShort = 16;
constexpr std::size_t kLongestWordPiece = Limits{}.word_piece_bytes;
using ByteSet = std::bitset<256>;

// Read returns a text up to its first NUL, as readers in C see it.
std::string_view Read(std::string_view text) { return text.substr(0, text.find('\0')); }

std::uint64_t TextHash(std::string_view text) {
  std::uint64_t hash = 0xCBF2'9CE4'8422'2325;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100'0000'01B3;
  return hash;
}

// AreDifferent: all tokens have different hashes, and none equals the name of an empty one. It
// accepts at most `kRoom` tokens; hardened builds initialise all of that room.
template <std::size_t kRoom>
bool AreDifferent(const Entry& tokens) {
  std::array<std::uint64_t, kRoom> hashes;
  std::size_t count = 0;
  for (Strings strings(ElementsOf(tokens)); strings.Next();) {
    const std::string_view text = Read(strings.text());
    if (text.empty()) continue;
    if (count == hashes.size() || text.starts_with("[EMPTY_")) return false;
    hashes.at(count++) = TextHash(text);
  }
  const auto used = std::span(hashes).first(count);
  std::ranges::sort(used);
  return std::ranges::adjacent_find(used) == used.end();
}

int ValueOf(char digit) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  const std::size_t at = kDigits.find(digit);
  return at == std::string_view::npos ? -1 : static_cast<int>(at);
}

bool HasAllBytes(const Entry& tokens) {
  ByteSet bytes;
  for (Strings strings(ElementsOf(tokens)); strings.Next();) {
    const std::string_view text = Read(strings.text());
    if (text.size() == 1) bytes.set(static_cast<unsigned char>(text.front()));
    if (text.size() != 6 || !text.starts_with("<0x") || text.back() != '>') continue;
    const int high = ValueOf(text[3]);
    const int low = ValueOf(text[4]);
    if (high >= 0 && low >= 0) bytes.set(static_cast<std::size_t>(high * 16 + low));
  }
  return bytes.all();
}

// BeginsWithTokens: RWKV tokens have no escapes, and every byte that begins one is also a token.
bool BeginsWithTokens(const Entry& tokens, bool has_unknown) {
  ByteSet first;
  ByteSet whole;
  for (Strings strings(ElementsOf(tokens)); strings.Next();) {
    const std::string_view text = Read(strings.text());
    if (text.empty() || text.find('\\') != std::string_view::npos) return false;
    first.set(static_cast<unsigned char>(text.front()));
    if (text.size() == 1) whole.set(static_cast<unsigned char>(text.front()));
  }
  return (first & ~whole).none() && (has_unknown || whole.all());
}

// IsCheap assumes the most expensive character for every byte.
bool IsCheap(const Entry& tokens, bool cubed) {
  std::uint64_t steps = 0;
  for (Strings strings(ElementsOf(tokens)); strings.Next();) {
    const std::uint64_t size = strings.text().size();
    if (size <= kShort) continue;
    if (size > kMostSteps) return false;
    steps += size * size;
    if (cubed && size > 464) return false;  // its cube would exceed the limit
    if (cubed) steps += size * size * size;
    if (steps > kMostSteps) return false;
  }
  return true;
}

// AreAscii: vocabularies with other characters may also be valid.
bool AreAscii(const Entry& tokens) {
  for (Strings strings(ElementsOf(tokens)); strings.Next();) {
    const std::string_view text = strings.text();
    if (std::ranges::any_of(text, [](char c) { return (c & 0x80) != 0; })) return false;
  }
  return true;
}

bool AreShort(const Entry& tokens) {
  for (Strings strings(ElementsOf(tokens)); strings.Next();) {
    if (strings.text().size() > kLongestWordPiece) return false;
  }
  return true;
}

}  // namespace

bool ServesTexts(const TokenizerInfo& tokenizer, const Entry& tokens, bool has_unknown) {
  constexpr std::size_t kFewTokens = 256;
  const bool few = CountOf(tokens) <= kFewTokens;
  if (!(few ? AreDifferent<kFewTokens>(tokens) : AreDifferent<kMostTokens>(tokens))) return false;
  switch (tokenizer.kind) {
    case TokenizerKind::kSentencePiece:
      return HasAllBytes(tokens);
    case TokenizerKind::kRwkv:
      return BeginsWithTokens(tokens, has_unknown);
    case TokenizerKind::kWordPiece:
      return AreShort(tokens);
    case TokenizerKind::kBytePairs:
      return IsCheap(tokens, /*cubed=*/false);
    case TokenizerKind::kPlamo2:
      return AreAscii(tokens) && IsCheap(tokens, /*cubed=*/true);
    case TokenizerKind::kUnigram:
    case TokenizerKind::kTest:
    case TokenizerKind::kNone:
      break;
  }
  return true;
}

}  // namespace ggufgate::mutate
