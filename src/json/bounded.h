#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string_view>

namespace ggufgate {

// JsonBounds limit the size of untrusted JSON.
struct JsonBounds {
  std::size_t bytes = 0;   // of the text
  std::size_t depth = 0;   // nested objects and lists
  std::size_t values = 0;  // numbers, texts, objects, lists and keys together
};

enum class JsonFault : std::uint8_t {
  kNone,
  kLarge,    // more bytes or values than allowed
  kDeep,     // nested deeper than allowed
  kKeys,     // two keys of one object differ only in case, or one is not ASCII
  kNotJson,  // anything else
};

struct BoundedJson {
  nlohmann::json value;  // null if there is a fault
  JsonFault fault = JsonFault::kNone;
};

// ParseBounded parses JSON that other parsers may read differently. Go's parser, for example, takes
// "Layers" for "layers", and the last of two equal keys. So keys that a parser could confuse are a
// fault. It builds nothing beyond the bounds, and nesting takes no stack.
[[nodiscard]] BoundedJson ParseBounded(std::string_view text, const JsonBounds& bounds);

}  // namespace ggufgate
