#include "dequantize/npy.h"

namespace ggufgate {

std::string NpyHeader(std::span<const std::uint64_t> shape) {
  std::string text = "{'descr': '<f4', 'fortran_order': False, 'shape': (";
  for (const std::uint64_t dimension : shape) text += std::to_string(dimension) + ", ";
  if (shape.size() > 1) text.resize(text.size() - 2);  // only a tuple of one keeps its comma
  text += "), }";

  constexpr std::size_t kPrefix = 10;  // magic, version, length
  constexpr std::size_t kAlignment = 64;
  const std::size_t bare = kPrefix + text.size() + 1;
  text.append((kAlignment - bare % kAlignment) % kAlignment, ' ');
  text += '\n';

  std::string header = "\x93NUMPY";
  header += '\x01';
  header += '\x00';
  header += static_cast<char>(text.size() & 0xFF);
  header += static_cast<char>(text.size() >> 8);
  return header + text;
}

}  // namespace ggufgate
