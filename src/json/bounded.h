#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string_view>

namespace ggufgate {

// JsonBounds limit what hostile JSON may take.
struct JsonBounds {
  std::size_t bytes = 0;   // of the text
  std::size_t depth = 0;   // objects and lists inside each other
  std::size_t values = 0;  // numbers, texts, objects, lists, keys, all together
};

enum class JsonFault : std::uint8_t {
  kNone,
  kLarge,    // more bytes or values than allowed
  kDeep,     // nested deeper than allowed
  kKeys,     // two keys of one object differ in nothing but case, or one is not ASCII
  kNotJson,  // anything else
};

struct BoundedJson {
  nlohmann::json value;  // null when there is a fault
  JsonFault fault = JsonFault::kNone;
};

// ParseBounded reads JSON that others may read otherwise: Go's reader, for one, takes "Layers" for
// "layers", and the last of two. So keys that some reader could take for each other are a fault.
// What is beyond the bounds is not built; depth costs no stack.
[[nodiscard]] BoundedJson ParseBounded(std::string_view text, const JsonBounds& bounds);

}  // namespace ggufgate
