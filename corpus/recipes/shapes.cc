// Valid files of unusual shape, which a strict reader must accept.

#include "corpus/recipes/recipe.h"

namespace ggufgate::corpus {
namespace {

Recipe Shape(std::string name, std::string shows, std::string recipe,
             std::function<void(Model&)> edit, std::vector<std::string> rules = {}) {
  return {.file = "valid/" + std::move(name) + ".gguf",
          .shows = std::move(shows),
          .verdict = kAccept,
          .rules = std::move(rules),
          .recipe = std::move(recipe),
          .make = Edit(std::move(edit))};
}

Recipe Aligned(std::uint32_t alignment) {
  const std::string number = std::to_string(alignment);
  return Shape("alignment-" + number, "three tensors aligned to " + number + " bytes",
               "general.alignment u32 " + number + ", tensors of 5, 1 and 9 values",
               [alignment](Model& m) {
                 m.Set("general.alignment", alignment);
                 m.alignment = alignment;
                 m.tensors.clear();
                 AddFloats(m, "five", 5);
                 AddFloats(m, "one", 1);
                 AddFloats(m, "nine", 9);
                 if (alignment < 32) BeginDataAt(m);
               });
}

}  // namespace

Recipes ShapeRecipes() {
  return {
      Shape("minimal", "one key, one tensor", "as it is", [](Model&) {}),
      Shape("no-tensors", "keys alone, as a vocabulary file: no padding behind them",
            "a key more, no tensors",
            [](Model& m) {
              m.tensors.clear();
              m.Set("general.name", "nothing but metadata");
            }),
      Shape(
          "no-tensors-padded",
          "keys alone, with zeros up to the alignment as some writers leave them: llama.cpp loads",
          "no tensors, 28 zero bytes behind the metadata",
          [](Model& m) {
            m.tensors.clear();
            m.trailing.assign(28, 0);
          }),
      Shape("no-keys", "a tensor, and no keys at all; llama.cpp's GGUF reader loads it",
            "no metadata", [](Model& m) { m.metadata.clear(); }),
      Shape("scalar-tensor", "a tensor without dimensions: one element", "F32 []",
            [](Model& m) {
              m.tensors.front().dims = {};
              m.tensors.front().data = Floats(1);
            }),
      Shape("four-dimensions", "a tensor of four dimensions", "F32 [2, 3, 2, 2]",
            [](Model& m) {
              m.tensors.front().dims = {2, 3, 2, 2};
              m.tensors.front().data = Floats(24);
            }),
      Shape("version-2", "a version 2 file with keys, arrays and two tensors",
            "version 2, a string array, a second tensor",
            [](Model& m) {
              m.version = 2;
              m.Set("test.names", std::vector<std::string>{"one", "two"});
              AddFloats(m, "more", 3);
            }),
      Shape("unpadded-last-tensor", "the file ends with the last byte of an I8 tensor of 1 byte",
            "I8 [1] behind the first tensor, not padded",
            [](Model& m) {
              m.Add("byte", TensorType::kI8, {1}).data = {42};
              m.pad_last_tensor = false;
            }),
      Shape("empty-tensors-between",
            "tensors without elements before, between and behind others take no room",
            "[0], [8], [0], [8], [0]",
            [](Model& m) {
              Claim(m, {0});
              AddFloats(m, "first", 8);
              m.Add("empty.between", TensorType::kF32, {0});
              AddFloats(m, "second", 8);
              m.Add("empty.last", TensorType::kF32, {0});
            },
            {"tensor-row-empty"}),
      Shape("alignment-key-last",
            "general.alignment behind all other keys, where it counts as well",
            "u32 64 behind ten keys",
            [](Model& m) {
              for (char key = 'a'; key < 'k'; ++key) m.Set(std::string(1, key), std::uint8_t{1});
              m.Set("general.alignment", std::uint32_t{64});
              m.alignment = 64;
              AddFloats(m, "more", 5);
            }),
      Shape("every-field",
            "one of each field a reader goes by: string, arrays of strings, numbers and bools, the "
            "alignment, tensors of 0 to 4 dimensions",
            "general.alignment 64; F32 [], I8 [7], Q4_0 [32, 2], F16 [2, 2, 1, 3]",
            [](Model& m) {
              m.Set("general.alignment", std::uint32_t{64});
              m.Set("general.quantization_version", std::uint32_t{2});
              m.Set("general.tags", std::vector<std::string>{"one", "", "three"});
              m.Set("test.sizes", std::vector<std::uint16_t>{1, 2, 3});
              m.Set("test.flag", true);
              m.alignment = 64;
              m.tensors.front().dims = {};
              m.tensors.front().data = Floats(1);
              Dice dice(4);
              m.Add("b", TensorType::kI8, {7}).data = TensorData(TensorType::kI8, 7, dice);
              m.Add("c", TensorType::kQ4_0, {32, 2}).data = TensorData(TensorType::kQ4_0, 36, dice);
              m.Add("d", TensorType::kF16, {2, 2, 1, 3}).data =
                  TensorData(TensorType::kF16, 24, dice);
            }),
      Aligned(8),
      Aligned(64),
      Aligned(4096),
  };
}

}  // namespace ggufgate::corpus
