#include "manifest/shown_value.h"

#include <algorithm>
#include <optional>

#include "absl/strings/str_cat.h"
#include "bytes/utf8.h"
#include "parse/arrays.h"
#include "report/values.h"
#include "words/escape.h"
#include "words/numbers.h"

namespace ggufgate {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kWidth = 72;          // bytes of a value in words
constexpr std::uint64_t kMostElements = 8;  // of an array
constexpr std::size_t kLongestText = 1000;  // bytes of a text in JSON
constexpr std::size_t kAlikeShown = 16;     // bytes before the first difference

bool IsFlatArray(const MetadataEntry& entry) {
  return entry.type == ValueType::kArray && entry.element_type != ValueType::kArray;
}

// FirstDifference finds the index of the first byte of texts, or element of arrays, that differs.
class FirstDifference {
 public:
  FirstDifference(const Document& from_document, const MetadataEntry& from,
                  const Document& to_document, const MetadataEntry& to)
      : from_document_(from_document), from_(from), to_document_(to_document), to_(to) {}

  [[nodiscard]] std::optional<std::uint64_t> Find() const {
    const auto from = from_document_.StringOf(from_);
    const auto to = to_document_.StringOf(to_);
    if (from && to) {
      const auto differs = std::ranges::mismatch(*from, *to);
      return static_cast<std::uint64_t>(differs.in1 - from->begin());
    }
    const bool arrays = IsFlatArray(from_) && to_.IsArrayOf(from_.element_type);
    // If the byte orders differ, the bytes of numbers cannot be compared.
    if (!arrays || from_document_.byte_order != to_document_.byte_order) return std::nullopt;
    return from_.element_type == ValueType::kString ? InStrings() : InNumbers();
  }

 private:
  [[nodiscard]] std::optional<std::uint64_t> InStrings() const {
    const auto from_leaf = LeafArrays(from_document_, from_).Next();
    const auto to_leaf = LeafArrays(to_document_, to_).Next();
    if (!from_leaf || !to_leaf) return std::nullopt;
    StringArray from(from_document_, *from_leaf);
    StringArray to(to_document_, *to_leaf);
    for (std::uint64_t i = 0;; ++i) {
      const bool more = from.Next();
      if (!to.Next() || !more || from.text() != to.text()) return i;
    }
  }

  [[nodiscard]] std::optional<std::uint64_t> InNumbers() const {
    const Bytes from = from_document_.BytesAt(from_.ElementsRange());
    const Bytes to = to_document_.BytesAt(to_.ElementsRange());
    const auto differs = std::ranges::mismatch(from, to);
    return static_cast<std::uint64_t>(differs.in1 - from.begin()) /
           InfoOf(from_.element_type).scalar_bytes;
  }

  const Document& from_document_;
  const MetadataEntry& from_;
  const Document& to_document_;
  const MetadataEntry& to_;
};

// Part returns `text` from shortly before `at` on, at most `most` bytes, without splitting a
// character.
std::string Part(std::string_view text, std::size_t at, std::size_t most) {
  std::size_t begin = text.size() <= most || at <= kAlikeShown ? 0 : at - kAlikeShown;
  const auto is_inside = [&](std::size_t i) {
    return i < text.size() && IsContinuation(static_cast<std::uint8_t>(text[i]));
  };
  while (begin > 0 && is_inside(begin)) --begin;
  std::size_t end = std::min(text.size(), begin + most);
  while (end > begin && is_inside(end)) --end;
  return absl::StrCat(begin > 0 ? "…" : "", EscapeText(text.substr(begin, end - begin)),
                      end < text.size() ? "…" : "");
}

Json HeadOf(const MetadataEntry& entry, std::optional<std::uint64_t> differs_at) {
  Json json = {{"type", InfoOf(entry.type).word}};
  if (entry.type == ValueType::kArray) {
    json["element_type"] = InfoOf(entry.element_type).word;
    json["count"] = entry.count;
  }
  if (differs_at) json["differs_at"] = *differs_at;
  return json;
}

// Long texts in arrays are cut at their ends.
Json ShortElements(Json list) {
  for (Json& element : list) {
    if (element.is_string()) element = CutText(element.get<std::string>(), kLongestText);
  }
  return list;
}

ShownValue Shown(const Document& document, const MetadataEntry& entry,
                 std::optional<std::uint64_t> differs_at) {
  const std::uint64_t first = differs_at.value_or(0);
  ShownValue shown{.words = TypeWordOf(entry), .json = HeadOf(entry, differs_at)};
  if (const auto text = document.StringOf(entry)) {
    if (first > kAlikeShown && text->size() > kWidth) {
      absl::StrAppend(&shown.words, " from byte ", Grouped(first));
    }
    absl::StrAppend(&shown.words, " \"", Part(*text, first, kWidth), "\"");
    shown.json["value"] = Part(*text, first, kLongestText);
  } else if (first > 0) {
    const Json elements = ShortElements(JsonOfElements(document, entry, first, kMostElements));
    absl::StrAppend(&shown.words, " from [", first, "] ", CutText(elements.dump(), kWidth));
    shown.json["value"] = elements;
  } else {
    absl::StrAppend(&shown.words, " ", TextOfValue(document, entry, kWidth));
    Json value = JsonOfValue(document, entry, kMostElements);
    shown.json["value"] = value.is_array() ? ShortElements(std::move(value)) : std::move(value);
  }
  return shown;
}

}  // namespace

std::pair<ShownValue, ShownValue> ShownValues(const Document& from_document,
                                              const MetadataEntry* from,
                                              const Document& to_document,
                                              const MetadataEntry* to) {
  std::optional<std::uint64_t> differs_at;
  if (from != nullptr && to != nullptr) {
    differs_at = FirstDifference(from_document, *from, to_document, *to).Find();
  }
  return {from != nullptr ? Shown(from_document, *from, differs_at) : ShownValue(),
          to != nullptr ? Shown(to_document, *to, differs_at) : ShownValue()};
}

}  // namespace ggufgate
