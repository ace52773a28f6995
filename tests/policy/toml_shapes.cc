// toml_shapes reads texts, each after its size in 4 bytes, little-endian. It prints a line for
// each: the position and the message of its problem, or its values as JSON. For
// toml_differential.py.

#include <cstdint>
#include <cstdio>
#include <string>

#include "bytes/byte_order.h"
#include "policy/toml.h"

namespace {

using namespace ggufgate;
using Kind = TomlValue::Kind;

// In hexadecimal, to avoid differences in escaping.
void Add(const std::string& text, std::string& out) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  out += '"';
  for (const char c : text) {
    out += kDigits[static_cast<std::uint8_t>(c) >> 4];
    out += kDigits[static_cast<std::uint8_t>(c) & 15];
  }
  out += '"';
}

void Add(const TomlValue& value, int depth, std::string& out) {
  const bool deep = depth == kDeepestToml;
  switch (value.kind) {
    case Kind::kString:
      return Add(value.text, out);
    case Kind::kInteger:
      out += std::to_string(value.integer);
      return;
    case Kind::kFloat:
      out += "\"float\"";
      return;
    case Kind::kBoolean:
      out += "\"boolean\"";
      return;
    case Kind::kDate:
      out += "\"date\"";
      return;
    case Kind::kArray:
      out += deep ? "\"deep\"" : "[";
      for (const TomlValue& element : value.elements) {
        if (&element != value.elements.data()) out += ',';
        Add(element, depth + 1, out);
      }
      out += deep ? "" : "]";
      return;
    case Kind::kTable:
      out += deep ? "\"deep\"" : "{";
      for (const TomlEntry& entry : value.entries) {
        if (&entry != value.entries.data()) out += ',';
        Add(entry.key, out);
        out += ':';
        Add(entry.value, depth + 1, out);
      }
      out += deep ? "" : "}";
      return;
  }
}

bool ReadSize(std::uint32_t& size) {
  std::uint8_t bytes[4] = {};
  if (std::fread(bytes, 1, sizeof(bytes), stdin) != sizeof(bytes)) return false;
  size = Load<std::uint32_t>(bytes, ByteOrder::kLittle);
  return true;
}

}  // namespace

int main() {
  for (std::uint32_t size = 0; ReadSize(size);) {
    std::string text(size, '\0');
    if (std::fread(text.data(), 1, size, stdin) != size) return 1;
    const TomlDocument document = ParseToml(text);
    std::string line;
    if (document.problems.empty()) {
      Add(document.root, 0, line);
    } else {
      const TextProblem& problem = document.problems.front();
      line = "problem " + std::to_string(problem.at.line) + ":" + std::to_string(problem.at.column);
      Add(problem.what, line);
    }
    std::puts(line.c_str());
  }
}
