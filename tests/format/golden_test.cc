// Compares the tables that the gate and the mutator share with copies that are maintained by hand:
// with a wrong entry, mutants and verdicts would still agree.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "format/architecture.h"
#include "format/key.h"
#include "format/tensors/file_type.h"
#include "tests/support/golden.h"

namespace ggufgate::testing {
namespace {

// The word in golden_keys.txt. There is no default case, so that a new shape needs a word.
std::string WordOf(KeyShape shape) {
  switch (shape) {
    case KeyShape::kString:
      return "string";
    case KeyShape::kBool:
      return "bool";
    case KeyShape::kU16:
      return "u16";
    case KeyShape::kU32:
      return "u32";
    case KeyShape::kI32:
      return "i32";
    case KeyShape::kInteger:
      return "integer";
    case KeyShape::kF32:
      return "f32";
    case KeyShape::kLayerIntegers:
      return "integer(s)-by-layer";
    case KeyShape::kLayerFloats:
      return "f32(s)-by-layer";
    case KeyShape::kLayerBools:
      return "bool(s)-by-layer";
    case KeyShape::kOneOrMoreIntegers:
      return "integer-or-integers";
    case KeyShape::kIntegers:
      return "integers";
    case KeyShape::kI32s:
      return "i32s";
    case KeyShape::kF32s:
      return "f32s";
    case KeyShape::kStrings:
      return "strings";
    case KeyShape::kBytes:
      return "bytes";
  }
  return "";
}

TEST(Golden, KeysHaveTheirShapes) {
  std::vector<std::string> lines;
  for (const KeyInfo& key : AllKeys()) {
    lines.push_back(WordOf(key.shape) + " " + std::string(key.pattern));
  }
  ExpectGolden("format/golden_keys.txt", lines);
}

TEST(Golden, ArchitecturesHaveTheirFlags) {
  std::vector<std::string> lines;
  for (const ArchitectureInfo& info : AllArchitectures()) {
    std::string line(info.name);
    if (info.attention) line += " attends";
    if (info.heads_divide) line += " heads";
    if (info.embeddings) line += " embeds";
    if (info.images) line += " image";
    if (!info.divisors.empty()) line += " / " + std::string(info.divisors);
    lines.push_back(line);
  }
  ExpectGolden("format/golden_architectures.txt", lines);
}

TEST(Golden, FileTypesNameTheirTensorTypes) {
  std::vector<std::string> lines;
  for (std::uint64_t number = 0; number < 0x10000; ++number) {
    const std::optional<TensorType> type = MainTypeOf(number);
    if (!type) continue;
    const std::string_view name = FindTensorType(static_cast<std::uint32_t>(*type))->name;
    lines.push_back(std::to_string(number) + " " + std::string(name));
  }
  ExpectGolden("format/tensors/golden_file_types.txt", lines);
}

}  // namespace
}  // namespace ggufgate::testing
