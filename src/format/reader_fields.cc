#include "format/reader_fields.h"

#include <algorithm>
#include <array>

namespace ggufgate {

using namespace std::string_view_literals;

std::optional<Segment> FindPrototypeSegment(std::string_view key) {
  constexpr std::array kNames = {"__proto__"sv, "constructor"sv, "prototype"sv};
  for (std::size_t begin = 0;;) {
    const std::size_t dot = key.find('.', begin);
    const std::string_view text = key.substr(begin, dot - begin);
    if (std::ranges::find(kNames, text) != kNames.end()) {
      return Segment{.position = begin, .text = text};
    }
    if (dot == std::string_view::npos) return std::nullopt;
    begin = dot + 1;
  }
}

bool IsReaderField(std::string_view key) {
  constexpr std::array kFields = {"version"sv, "tensor_count"sv, "kv_count"sv, "tensorCount"sv};
  return key.starts_with("GGUF.") || std::ranges::find(kFields, key) != kFields.end();
}

}  // namespace ggufgate
