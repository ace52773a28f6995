#pragma once

// The size of a value in a template, as far as constants give it. Internal to this module.

#include <algorithm>
#include <cstdint>

namespace ggufgate {

struct TemplateSizes {
  static constexpr std::uint64_t kCopies = 16;

  std::uint64_t bytes = 0;     // when rendered
  std::uint32_t elements = 0;  // of a container
  std::uint32_t inner = 0;     // elements of the largest container in it
  std::int64_t most = 0;       // the largest number
  // Like `most`, if every number that is not followed is as large as possible.
  std::int64_t supposed = 0;
  std::uint16_t depth = 0;  // nested containers
  // Repetitions in a text, which llama.cpp keeps separately and copies one by one. In units of 16,
  // rounded up, so that the size of a value does not change.
  std::uint16_t copies = 0;

  void SetCopies(std::uint64_t units) {
    copies = static_cast<std::uint16_t>(std::min<std::uint64_t>(units, UINT16_MAX));
  }
  // Join makes each size at least that of `more`. Narrow makes each at most that of `more`.
  void Join(const TemplateSizes& more) {
    Pick(more, [](auto mine, auto other) { return std::max(mine, other); });
  }
  void Narrow(const TemplateSizes& limit) {
    Pick(limit, [](auto mine, auto other) { return std::min(mine, other); });
  }

 private:
  void Pick(const TemplateSizes& other, auto of) {
    bytes = of(bytes, other.bytes);
    elements = of(elements, other.elements);
    inner = of(inner, other.inner);
    depth = of(depth, other.depth);
    copies = of(copies, other.copies);
    most = of(most, other.most);
    supposed = of(supposed, other.supposed);
  }
};

}  // namespace ggufgate
