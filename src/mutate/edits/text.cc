// Edits of text: a gate accepts the result, or gives a warning, but readers may fail on it.

#include <algorithm>
#include <array>

#include "format/limits.h"
#include "format/loader_limits.h"
#include "mutate/build/compose.h"
#include "mutate/build/draw.h"
#include "mutate/build/records.h"
#include "mutate/mutations/mutations.h"

namespace ggufgate::mutate {
namespace {

using namespace std::string_view_literals;

// Invalid UTF-8: lone and missing continuations, overlong forms, surrogates, above U+10FFFF
// (Unicode 15.0, table 3-7). Also valid but rare UTF-8.
constexpr std::array<std::string_view, 16> kEncodings = {
    "\x80"sv,         "\xBF\xBF"sv,         "\xC0\x80"sv,
    "\xC1\xBF"sv,     "\xE0\x80\x80"sv,     "\xED\xA0\x80"sv,
    "\xED\xBF\xBF"sv, "\xF0\x80\x80\x80"sv, "\xF4\x90\x80\x80"sv,
    "\xFE"sv,         "\xFF\xFF"sv,         "\xE2\x82"sv,
    "\xEF\xBB\xBF"sv, "\xEF\xBF\xBF"sv,     "\xF4\x8F\xBF\xBF"sv,
    "\xEF\xBF\xBD"sv};

// Bidirectional controls, invisible and joining characters, tags (Unicode technical report 36).
constexpr std::array<std::string_view, 12> kInvisible = {
    "\u202E"sv, "\u202A"sv, "\u2066"sv, "\u2069"sv, "\u200B"sv,     "\u200D"sv,
    "\u2060"sv, "\uFEFF"sv, "\u00AD"sv, "\u0301"sv, "\U000E0041"sv, "\u2028"sv};

// Terminals execute some of them; the first ends C strings.
constexpr std::array<std::string_view, 9> kControls = {
    "\0"sv, "\n"sv, "\r\n"sv, "\x1B[2J"sv, "\x1B]0;x\x07"sv, "\x7F"sv, "\x08"sv, "\x9B"sv, "\t"sv};

constexpr std::array<std::string_view, 10> kPaths = {"../../../../etc/passwd"sv,
                                                     "/dev/zero"sv,
                                                     "..\\..\\x.dll"sv,
                                                     "C:\\Windows\\win.ini"sv,
                                                     "file:///etc/passwd"sv,
                                                     "~/.ssh/id_rsa"sv,
                                                     "%2e%2e%2f"sv,
                                                     "\\\\host\\share"sv,
                                                     "$(id)"sv,
                                                     "%s%n%x"sv};

std::string_view OddText(Random& random) {
  switch (random.Below(4)) {
    case 0:
      return random.Pick(kInvisible);
    case 1:
      return random.Pick(kControls);
    case 2:
      return random.Pick(kPaths);
    default:
      return random.Pick(kEncodings);
  }
}

// PutIn inserts `part` into an existing or a new string.
bool PutIn(MutationContext& context, std::string_view part) {
  if (Entry* entry = AnyString(context); entry != nullptr) {
    const std::string_view longer = Spliced(context, *TextOf(*entry), part);
    return !longer.empty() && SetValue(*entry, TextValue(context.arena, longer));
  }
  const std::string_view key = DrawKey(context);
  return AddAnywhere(context, TextEntry(context.arena, key, part));
}

}  // namespace

bool EditTextEncoding(MutationContext& context) {
  return PutIn(context, context.random.Pick(kEncodings));
}

bool EditTextInvisible(MutationContext& context) {
  return PutIn(context, context.random.Pick(kInvisible));
}

bool EditTextControl(MutationContext& context) {
  return PutIn(context, context.random.Pick(kControls));
}

bool EditTextPath(MutationContext& context) {
  const std::string_view path = context.random.Pick(kPaths);
  if (context.random.OneIn(2)) return PutIn(context, path);
  Entry* entry = AnyString(context);
  const Bytes value = TextValue(context.arena, path);
  return entry != nullptr && SetValue(*entry, value);
}

bool EditTextLong(MutationContext& context) {
  constexpr std::size_t kKey = Limits{}.key_bytes;
  constexpr std::array<std::size_t, 8> kLengths = {127,  255,   256,  1023,
                                                   4096, 32768, kKey, kKey + 1};
  const std::size_t size = context.random.Pick(kLengths);
  if (size > context.room() / 2) return false;
  const MutableBytes text = context.arena.Take(size);
  if (text.empty()) return false;
  // A transfer in text mode changes line feeds.
  const std::uint64_t letter = context.random.OneIn(4) ? '\n' : context.random.Between('A', 'Z');
  std::ranges::fill(text, static_cast<std::uint8_t>(letter));
  const std::string_view key = DrawKey(context);
  return AddAnywhere(context, TextEntry(context.arena, key, AsText(text)));
}

// Readers have special code for arrays of strings, and fast paths for short strings.
bool EditTextElement(MutationContext& context) {
  constexpr std::array<std::size_t, 6> kBefore = {0, 0, 31, 127, 128, 255};
  Entry* entry = AnyArray(context, [](const ArrayParts& array) {
    return array.element == ValueType::kString && array.count > 0;
  });
  if (entry == nullptr) return false;
  const ArrayParts array = *PartsOf(*entry);
  const std::optional<std::size_t> begin =
      SizeOfStrings(array.elements, context.random.Below(array.count));
  if (!begin || !SizeOfStrings(array.elements.subspan(*begin), 1)) return false;
  const std::size_t before = context.random.Pick(kBefore);
  const std::string_view part = OddText(context.random);

  const Bytes old = array.elements.subspan(*begin);
  const std::uint64_t length = Load<std::uint64_t>(old, ByteOrder::kLittle) + before + part.size();
  const MutableBytes elements = context.arena.Take(array.elements.size() + before + part.size());
  if (elements.empty()) return false;
  Writer(elements, {})
      .PutBytes(array.elements.first(*begin))
      .PutWord(length)
      .Fill(before, 'e')
      .PutBytes(AsBytes(part))
      .PutBytes(old.subspan(kStringHead));
  return SetValue(*entry, ArrayValue(context.arena, ValueType::kString, array.count, elements));
}

bool EditTextTensorName(MutationContext& context) {
  constexpr std::size_t kLongest = kLongestNameOfLlamaCpp;
  Tensor* tensor = AnyOf(context.draft.tensors, context.random);
  if (tensor == nullptr) return false;
  const std::string_view part =
      context.random.OneIn(2) ? context.random.Pick(kInvisible) : context.random.Pick(kPaths);
  const std::string_view front = tensor->name.substr(0, kLongest - part.size());
  const std::string_view name = Joined(context.arena, {front, part});
  if (name.empty()) return false;
  tensor->name = name;
  return true;
}

}  // namespace ggufgate::mutate
