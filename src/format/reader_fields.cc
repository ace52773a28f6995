#include "format/reader_fields.h"

#include <algorithm>
#include <array>

namespace ggufgate {

using namespace std::string_view_literals;

std::optional<Segment> FindPrototypeSegment(std::string_view key) {
  constexpr std::array kNames = {"__proto__"sv, "constructor"sv, "prototype"sv};
  constexpr std::size_t kShortest = 9;
  static_assert(std::ranges::min(kNames, {}, &std::string_view::size).size() == kShortest);
  for (std::size_t begin = 0; key.size() - begin >= kShortest;) {
    const std::size_t dot = key.find('.', begin);
    const std::string_view text = key.substr(begin, dot - begin);
    if (text.size() >= kShortest && std::ranges::find(kNames, text) != kNames.end()) {
      return Segment{.position = begin, .text = text};
    }
    if (dot == std::string_view::npos) return std::nullopt;
    begin = dot + 1;
  }
  return std::nullopt;
}

bool IsReaderField(std::string_view key) {
  constexpr std::array kFields = {"version"sv, "tensor_count"sv, "kv_count"sv, "tensorCount"sv};
  return key.starts_with("GGUF.") || std::ranges::find(kFields, key) != kFields.end();
}

}  // namespace ggufgate
