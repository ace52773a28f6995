#include "format/unicode/folding.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "bytes/byte_order.h"
#include "bytes/bytes.h"
#include "bytes/utf8.h"

namespace ggufgate {
namespace {

struct FoldAt {
  std::uint32_t code;
  std::uint32_t at;
};

struct CombiningRun {
  std::uint32_t first;
  std::uint32_t last;
  std::uint32_t number;
};

#include "format/unicode/folding.inc"

constexpr std::size_t kLongest = 1024;

bool IsCapital(char c) { return c >= 'A' && c <= 'Z'; }
bool IsBlank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
char Lower(char c) { return IsCapital(c) ? static_cast<char>(c - 'A' + 'a') : c; }

// NotFolded is not 0 where one of eight bytes is a capital or no ASCII: a sum sets the high bit of
// bytes from 'A' up, another that of those behind 'Z'. (Where a byte has its own, it shows anyway.)
constexpr std::uint64_t NotFolded(std::uint64_t bytes) {
  constexpr std::uint64_t kEach = 0x0101'0101'0101'0101;
  const std::uint64_t from_a = bytes + kEach * (0x80 - 'A');
  const std::uint64_t behind_z = bytes + kEach * (0x80 - 'Z' - 1);
  return ((from_a & ~behind_z) | bytes) & kEach * 0x80;
}

std::string_view Trimmed(std::string_view text) {
  while (!text.empty() && IsBlank(text.front())) text.remove_prefix(1);
  while (!text.empty() && IsBlank(text.back())) text.remove_suffix(1);
  return text;
}

// A syllable is arithmetic (Unicode 14.0, section 3.12).
void AppendSyllable(std::uint32_t index, std::vector<std::uint32_t>& out) {
  constexpr std::uint32_t kTrailing = 28;
  constexpr std::uint32_t kPerLeading = 21 * kTrailing;
  out.push_back(0x1100 + index / kPerLeading);
  out.push_back(0x1161 + index % kPerLeading / kTrailing);
  if (index % kTrailing != 0) out.push_back(0x11A7 + index % kTrailing);
}

void AppendFoldOf(std::uint32_t code, std::vector<std::uint32_t>& out) {
  constexpr std::uint32_t kSyllables = 0xAC00;
  constexpr std::uint32_t kSyllableCount = 11'172;
  if (code < 0x80) return out.push_back(static_cast<unsigned char>(Lower(static_cast<char>(code))));
  if (code - kSyllables < kSyllableCount) return AppendSyllable(code - kSyllables, out);
  const auto found = std::ranges::lower_bound(kFoldAt, code, {}, &FoldAt::code);
  if (found->code != code) return out.push_back(code);
  const std::size_t size = std::next(found)->at - found->at;
  const auto fold = std::span(kFolds).subspan(found->at, size);
  out.insert(out.end(), fold.begin(), fold.end());
}

std::uint32_t CombiningClass(std::uint32_t code) {
  const auto run = std::ranges::lower_bound(kCombining, code, {}, &CombiningRun::last);
  return run != kCombining.end() && code >= run->first ? run->number : 0;
}

// OrderMarks sorts each run of marks by their class, those of one class as they stand: the
// canonical order.
void OrderMarks(std::vector<std::uint32_t>& text) {
  constexpr std::uint32_t kBits = 24;  // of a code point, and of a place in its run
  constexpr std::uint64_t kCode = (std::uint64_t{1} << kBits) - 1;
  std::vector<std::uint64_t> marks;
  for (std::size_t begin = 0; begin < text.size(); ++begin) {
    marks.clear();
    for (const std::uint32_t code : std::span(text).subspan(begin)) {
      const std::uint64_t number = CombiningClass(code);
      if (number == 0) break;
      marks.push_back(((number << kBits | marks.size()) << kBits) | code);
    }
    std::ranges::sort(marks);
    for (const std::uint64_t mark : marks) {
      text.at(begin++) = static_cast<std::uint32_t>(mark & kCode);
    }
  }
}

// The other spaces fold to U+0020.
bool IsSpace(std::uint32_t code) {
  return code == ' ' || (code >= '\t' && code <= '\r') || code == 0x85 || code == 0x1680 ||
         code == 0x2028 || code == 0x2029;
}

void AppendFoldOfUtf8(std::string_view name, std::string& out) {
  constexpr std::uint32_t kIotaBelow = 0x345;  // a mark that folds to a letter, once in its place
  constexpr std::uint32_t kIota = 0x3B9;
  std::vector<std::uint32_t> text;
  text.reserve(2 * name.size());
  while (!name.empty()) AppendFoldOf(TakeCharacter(name).value_or(0), text);
  OrderMarks(text);
  std::ranges::replace(text, kIotaBelow, kIota);
  const auto begin = std::ranges::find_if_not(text, IsSpace);
  const auto end = std::find_if_not(text.rbegin(), text.rend(), IsSpace).base();
  for (auto code = begin; code < end; ++code) AppendUtf8(*code, out);
}

}  // namespace

bool IsFolded(std::string_view name) {
  if (name.empty()) return true;
  if (IsBlank(name.front()) || IsBlank(name.back())) return false;
  constexpr std::size_t kWord = 8;
  if (name.size() < kWord) {
    return std::ranges::none_of(name, [](char c) { return (c & 0x80) != 0 || IsCapital(c); });
  }
  std::uint64_t others = 0;
  Bytes rest = AsBytes(name);
  for (; rest.size() > kWord; rest = rest.subspan(kWord)) {
    others |= NotFolded(Load<std::uint64_t>(rest, ByteOrder::kLittle));
  }
  others |= NotFolded(Load<std::uint64_t>(AsBytes(name).last(kWord), ByteOrder::kLittle));
  return others == 0;
}

void AppendFold(std::string_view name, std::string& out) {
  if (!IsAscii(name) && name.size() <= kLongest && IsUtf8(AsBytes(name))) {
    return AppendFoldOfUtf8(name, out);
  }
  const std::size_t begin = out.size();
  out.append(Trimmed(name));
  for (char& c : std::span(out).subspan(begin)) c = Lower(c);
}

}  // namespace ggufgate
