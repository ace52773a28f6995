#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace ggufgate {

// Segment is a part of a key between dots.
struct Segment {
  std::size_t position = 0;
  std::string_view text;
};

// FindPrototypeSegment returns the first segment of a key that is a name of JavaScript's object
// model: `__proto__`, `constructor`, `prototype`. A reader that turns segments into nested objects
// would assign to the prototype of all objects.
[[nodiscard]] std::optional<Segment> FindPrototypeSegment(std::string_view key);

// IsReaderField returns whether a reader stores a field of its API under this key, together with
// those of the file: `version`, `tensor_count` and similar keys, and all that begin with `GGUF.`
// (gguf-py).
[[nodiscard]] bool IsReaderField(std::string_view key);

}  // namespace ggufgate
