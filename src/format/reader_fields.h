#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace ggufgate {

// Segment is a part of a key between its dots.
struct Segment {
  std::size_t position = 0;
  std::string_view text;
};

// FindPrototypeSegment gives the first segment of a key that is a name of JavaScript's object
// model: `__proto__`, `constructor`, `prototype`. A reader that makes objects of segments assigns
// to the prototype of all objects there.
[[nodiscard]] std::optional<Segment> FindPrototypeSegment(std::string_view key);

// IsReaderField tells whether a reader keeps a field of its own under this key, beside those of the
// file: `version`, `tensor_count` and the like, and all that begins with `GGUF.` (gguf-py).
[[nodiscard]] bool IsReaderField(std::string_view key);

}  // namespace ggufgate
