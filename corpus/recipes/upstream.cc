// The cases of the reference loader's test of its GGUF reader that no other family has. The facts
// are from llama.cpp tests/test-gguf.cpp (03f94f19); the files were made for this corpus.

#include "corpus/recipes/recipe.h"

namespace ggufgate::corpus {
namespace {

Recipe Upstream(std::string file, std::string test, std::string shows, Verdict verdict,
                std::vector<std::string> rules, std::string recipe,
                std::function<void(Model&)> edit) {
  Recipe made = FromBase(std::move(file), std::move(shows), verdict, std::move(rules),
                         std::move(recipe), std::move(edit));
  made.origin = "llama.cpp tests/test-gguf.cpp, case: " + std::move(test);
  return made;
}

// Many gives a model `count` keys of all kinds and as many tensors of 1 to 4 dimensions.
void Many(Model& m, std::size_t count) {
  Dice dice(256);
  m.tensors.clear();
  for (std::size_t i = 0; i < count; ++i) {
    const std::string key = "my_key_" + std::to_string(i);
    switch (i % 5) {
      case 0:
        m.Set(key, static_cast<std::int16_t>(dice.Below(1000)));
        break;
      case 1:
        m.Set(key, static_cast<double>(dice.Below(1000)));
        break;
      case 2:
        m.Set(key, std::string(dice.Below(8), 'x'));
        break;
      case 3:
        m.Set(key, std::vector<std::uint16_t>(dice.Below(6), 3));
        break;
      default:
        m.Set(key, dice.Below(2) == 1);
    }
  }
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<std::uint64_t> dims = {1 + dice.Below(4)};
    for (std::size_t d = 0; d < i % 4; ++d) dims.push_back(1 + dice.Below(2));
    const auto type = i % 2 == 0 ? TensorType::kI8 : TensorType::kF16;
    Model::Tensor& tensor = m.Add("my_tensor_" + std::to_string(i), type, dims);
    tensor.data = TensorData(type, tensor.data.size(), dice);
  }
}

}  // namespace

Recipes UpstreamRecipes() {
  constexpr std::uint64_t kFourIntMax = 4 * std::uint64_t{INT32_MAX};
  return {
      Upstream("valid/upstream-round-trip.gguf", "round trips",
               "many keys of all kinds and many tensors of 1 to 4 dimensions", kAccept, {},
               "48 keys, 48 tensors of I8 and F16", [](Model& m) { Many(m, 48); }),
      Upstream("valid/upstream-alignment-1.gguf", "alignment 1",
               "keys and tensors aligned to 1: llama.cpp loads; profile spec asks for 8",
               kOnlySpecRejects, {"alignment-small"}, "general.alignment 1, 12 tensors",
               [](Model& m) {
                 m.Set("general.alignment", std::uint32_t{1});
                 m.alignment = 1;
                 Many(m, 12);
                 BeginDataAt(m);
               }),
      Upstream("invalid/upstream-random-values.gguf", "values random",
               "random bytes as bools and strings: llama.cpp's test demands that they load; bool "
               "2 is an error of ours, text that is not UTF-8 a warning",
               kOnlyLlamaCpp, {"bool-value", "string-nul", "string-utf8"},
               "bools 0xA7 and 0x02, a string 9F 00 C1 7F",
               [](Model& m) {
                 m.SetRaw("my_key_0", ValueType::kBool, {0xA7});
                 m.SetRaw("my_key_1", ValueType::kBool, {0x02});
                 m.Set("my_key_2", std::string_view("\x9F\0\xC1\x7F", 4));
               }),
      Upstream("invalid/upstream-shape-all-ones.gguf", "shape: all dimensions -1",
               "four dimensions of 2^64-1", kReject, {"tensor-dimension-negative"},
               "[2^64-1, 2^64-1, 2^64-1, 2^64-1], no data",
               [](Model& m) { Claim(m, {UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX}); }),
      Upstream("invalid/upstream-elements.gguf", "elements (4*INT32_MAX)^2",
               "2^66 elements and some, 2^64 times 4 less 2^36: as F32 llama.cpp refuses, as I8 it "
               "loads them unless it reads the data",
               kReject, {"tensor-elements-overflow"}, "I8 [4*INT32_MAX, 4*INT32_MAX], no data",
               [](Model& m) { Claim(m, {kFourIntMax, kFourIntMax}, TensorType::kI8); }),
      Upstream("invalid/upstream-bytes.gguf", "bytes: I64 with more than SIZE_MAX/8 elements",
               "2^61 elements of 8 bytes are 2^64", kReject, {"tensor-bytes-overflow"},
               "I64 [2^61], no data",
               [](Model& m) { Claim(m, {std::uint64_t{1} << 61}, TensorType::kI64); }),
      Upstream("invalid/upstream-offset-all-ones.gguf", "offset 2^64-1",
               "a tensor at offset 2^64-1", kReject,
               {"tensor-data-bounds", "tensor-offset-alignment", "tensor-order"},
               "offset 2^64-1, no data",
               [](Model& m) {
                 m.tensors.front().offset = UINT64_MAX;
                 m.tensors.front().data.clear();
               }),
      Upstream(
          "invalid/upstream-offsets-padded-to-1.gguf", "offsets padded to 1 while the file says 32",
          "a tensor of 5 bytes and one right behind it at 5", kReject,
          {"tensor-offset-alignment", "tensor-order"}, "I8 [5] at 0, I8 [5] at 5, zeros up to 32",
          [](Model& m) {
            m.tensors.clear();
            m.Add("my_tensor_0", TensorType::kI8, {5}).data = {1, 2, 3, 4, 5};
            m.tensors.push_back(m.tensors.front());
            m.tensors.back().name = "my_tensor_1";
            m.tensors.back().offset = 5;
            std::swap(m.tensors.back().data, m.tensors.front().data);
            m.tensors.front().data = {1, 2, 3, 4, 5, 1, 2, 3, 4, 5};
            m.tensors.back().data.clear();
          }),
  };
}

}  // namespace ggufgate::corpus
