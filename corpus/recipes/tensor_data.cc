// Values of tensors.

#include "corpus/recipes/recipe.h"

namespace ggufgate::corpus {
namespace {

using enum TensorType;

// Blocks returns a model with one tensor of `elements` elements in random valid blocks.
Model Blocks(TensorType type, std::uint64_t elements, const char* name = "weight") {
  Model model = Base();
  model.Set("general.quantization_version", std::uint32_t{2});
  model.tensors.clear();
  Model::Tensor& tensor = model.Add(name, type, {elements});
  Dice dice(static_cast<std::uint64_t>(type) + 1);
  tensor.data = TensorData(type, tensor.data.size(), dice);
  return model;
}

// Patch replaces the bytes of the tensor from `at` on.
struct Patch {
  std::size_t at;
  std::vector<std::uint8_t> bytes;
};

Recipe Patched(std::string file, std::string shows, std::vector<std::string> rules, TensorType type,
               std::uint64_t elements, const std::vector<Patch>& patches, std::string recipe,
               std::string data = "full") {
  const Verdict verdict = file.starts_with("invalid/") ? kOnlyGateRejects : kAccept;
  return {.file = std::move(file),
          .shows = std::move(shows),
          .verdict = verdict,
          .rules = std::move(rules),
          .recipe = std::move(recipe),
          .make =
              [=] {
                Model model = Blocks(type, elements);
                FileBytes& bytes = model.tensors.front().data;
                for (const Patch& patch : patches) {
                  std::copy(patch.bytes.begin(), patch.bytes.end(),
                            bytes.begin() + static_cast<std::ptrdiff_t>(patch.at));
                }
                return Write(model);
              },
          .data = std::move(data)};
}

const std::vector<std::string> kNotFinite = {"tensor-value-not-finite"};
const std::vector<std::string> kReserved = {"tensor-encoding-reserved"};

Recipes NotFinite() {
  return {
      Patched("invalid/tensor-value-not-finite.gguf", "a NaN among the values; llama.cpp loads it",
              kNotFinite, kF32, 8, {{12, {0x00, 0x00, 0xC0, 0x7F}}}, "F32, value 3 is 7fc00000",
              "scales"),
      Patched("valid/tensor-value-not-finite.near-miss.gguf", "the largest float there is", {},
              kF32, 8, {{12, {0xFF, 0xFF, 0x7F, 0x7F}}}, "F32, value 3 is 7f7fffff"),
      Patched("invalid/tensor-value-not-finite.f16.gguf", "minus infinity", kNotFinite, kF16, 8,
              {{14, {0x00, 0xFC}}}, "F16, value 7 is fc00"),
      Patched("valid/tensor-value-not-finite.f64.near-miss.gguf",
              "a double above the range of a float: finite, though ggml_validate_row_data says not",
              {}, kF64, 4, {{8, {0, 0, 0, 0, 0, 0, 0xF0, 0x47}}},
              "F64, value 1 is 47f0000000000000, 2^128"),
      Patched("invalid/tensor-value-not-finite.scale.gguf", "a block whose scale is NaN",
              kNotFinite, kQ4_0, 64, {{18, {0x00, 0x7E}}}, "Q4_0, the scale of block 1 is 7e00",
              "scales"),
      Patched("valid/tensor-value-not-finite.scale.near-miss.gguf", "the largest scale there is",
              {}, kQ4_0, 64, {{18, {0xFF, 0x7B}}}, "Q4_0, the scale of block 1 is 7bff", "scales"),
      Patched("invalid/tensor-value-not-finite.minimum.gguf", "a block whose minimum is infinite",
              kNotFinite, kQ4_K, 256, {{2, {0x00, 0x7C}}}, "Q4_K, the minimum is 7c00", "scales"),
      Patched("invalid/tensor-value-not-finite.spread.gguf",
              "a scale that is spread over four words and infinite", kNotFinite, kIQ1_M, 256,
              {{52, {0x00, 0xC0, 0x00, 0x70}}}, "IQ1_M, words 2 and 3 begin with c and 7",
              "scales"),
      Patched("invalid/tensor-value-not-finite.exponent.gguf",
              "exponent 255, which is NaN; ggml decodes it as 2^127", kNotFinite, kMXFP4, 64,
              {{17, {0xFF}}}, "MXFP4, the exponent of block 1 is ff", "scales"),
  };
}

Recipes Reserved() {
  const std::vector<std::uint8_t> small(16, 0x33);  // codes 3: three times the scale, halved
  std::vector<std::uint8_t> large = small;
  large.back() = 0x37;  // code 7: twelve times
  const auto with = [](std::uint8_t exponent, std::vector<std::uint8_t> codes) {
    codes.insert(codes.begin(), exponent);
    return codes;
  };
  return {
      Patched("valid/tensor-encoding-reserved.warned.gguf", "exponent 253 with a code of 12",
              kReserved, kMXFP4, 64, {{17, with(253, large)}},
              "MXFP4, block 1: exponent fd, one code 7"),
      Patched("valid/tensor-encoding-reserved.near-miss.gguf",
              "exponent 254 with codes of 3: large, and finite", {}, kMXFP4, 64,
              {{17, with(254, small)}}, "MXFP4, block 1: exponent fe, all codes 3"),
      Patched("valid/tensor-encoding-reserved.signed.warned.gguf", "a scale with a sign", kReserved,
              kNVFP4, 64, {{1, {0x80}}}, "NVFP4, scale 1 is 80"),
      Patched("valid/tensor-encoding-reserved.nan.warned.gguf", "a scale that is NaN, read as 0",
              kReserved, kNVFP4, 64, {{3, {0x7F}}}, "NVFP4, scale 3 is 7f"),
      Patched("valid/tensor-encoding-reserved.nan.near-miss.gguf", "the largest scale there is", {},
              kNVFP4, 64, {{3, {0x7E}}}, "NVFP4, scale 3 is 7e"),
      Patched("valid/tensor-encoding-reserved.q8-k.warned.gguf",
              "a scale of the largest float, times codes of 2 and more", kReserved, kQ8_K, 256,
              {{0, {0xFF, 0xFF, 0x7F, 0x7F, 0x02}}}, "Q8_K, scale 7f7fffff, the first code 2"),
      Patched("valid/tensor-encoding-reserved.ternary.warned.gguf", "a code of 3 in a ternary type",
              kReserved, kTQ2_0, 256, {{33, {0x30}}}, "TQ2_0, byte 33 is 30"),
      Patched("valid/tensor-encoding-reserved.minimum.warned.gguf", "a code of -128", kReserved,
              kQ8_0, 64, {{34 + 2 + 5, {0x80}}}, "Q8_0, code 5 of block 1 is 80"),
      Patched("valid/tensor-encoding-reserved.minimum.near-miss.gguf", "a code of -127", {}, kQ8_0,
              64, {{34 + 2 + 5, {0x81}}}, "Q8_0, code 5 of block 1 is 81"),
  };
}

// With so many floats before them, the zeros of Tail are 40 % of the file, or 15 %.
constexpr std::size_t kOnesOfUnfinished = 64;
constexpr std::size_t kOnesOfMost = 320;

// Tail returns three tensors: `ones` floats that are 1, and twice 32 floats of zeros. The last byte
// of each tensor is `last`.
Recipe Tail(std::string file, std::string shows, std::vector<std::string> rules, std::size_t ones,
            std::uint8_t last = 0) {
  std::string recipe = std::to_string(4 * ones) + " bytes of ones, 256 of zero";
  if (last != 0) recipe += ", except the last of each tensor";
  const Verdict verdict = file.starts_with("invalid/") ? kOnlyGateRejects : kAccept;
  Recipe made = FromModel(Model(), std::move(file), std::move(shows), verdict, std::move(rules),
                          std::move(recipe), [=](Model& m) {
                            m.Add("a", TensorType::kF32, {ones}).data.assign(4 * ones, 1);
                            for (const char* name : {"b", "c"}) {
                              FileBytes& data = m.Add(name, TensorType::kF32, {32}).data;
                              data.assign(128, 0);
                              data.back() = last;
                            }
                            m.LayOut();
                          });
  made.data = "full";
  return made;
}

Recipes Zeros() {
  return {
      Tail("invalid/tensor-all-zero.tail.gguf",
           "the last two tensors of three are zeros: an unfinished download", {"tensor-all-zero"},
           kOnesOfUnfinished),
      Tail("valid/tensor-all-zero.tail.warned.gguf",
           "zeros at the end: less than a quarter of the file", {"tensor-all-zero"}, kOnesOfMost),
      Tail("valid/tensor-all-zero.tail.near-miss.gguf", "the last byte of each tensor is not zero",
           {}, kOnesOfUnfinished, 1),
      Patched("valid/tensor-all-zero.warned.gguf", "a hole where the blocks should be: a note", {},
              kQ4_0, 256, {{0, FileBytes(144)}}, "Q4_0, 144 bytes of zero"),
      Patched("valid/tensor-all-zero.near-miss.gguf", "zeros but for the last bit of the last byte",
              {}, kQ4_0, 256, {{0, FileBytes(143)}, {143, {1}}},
              "Q4_0, 143 bytes of zero, one of 1"),
  };
}

// Table returns a file whose first layer looks up two of four experts for each of three tokens.
Recipe Table(std::string file, std::string shows, Verdict verdict, std::vector<std::string> rules,
             std::string recipe, const std::vector<std::int32_t>& experts) {
  Recipe made = FromModel(TwoLayers("deepseek4"), std::move(file), std::move(shows), verdict,
                          std::move(rules), std::move(recipe), [experts](Model& m) {
                            m.Set("deepseek4.expert_count", std::uint32_t{4});
                            m.Set("deepseek4.expert_used_count", std::uint32_t{2});
                            m.Set("deepseek4.hash_layer_count", std::uint32_t{1});
                            AddFloats(m, "blk.1.attn_norm.weight", 8);
                            Model::Tensor& table =
                                m.Add("blk.0.ffn_gate_tid2eid.weight", kI32, {2, 3});
                            for (std::size_t i = 0; i < experts.size(); ++i) {
                              Put(table.data, i * sizeof(std::int32_t), experts[i]);
                            }
                            m.LayOut();
                          });
  made.data = "full";
  made.origin = "seen on llama.cpp v0.5.0";
  return made;
}

Recipes Tables() {
  return {
      Table("invalid/expert-index.gguf", "a table of experts by token names one beyond the last",
            kReject, {"expert-index"}, "I32, 0 3 1 2 3 4 of 4 experts", {0, 3, 1, 2, 3, 4}),
      Table("valid/expert-index.near-miss.gguf", "one that names the last", kAccept, {},
            "I32, 0 3 1 2 3 3 of 4 experts", {0, 3, 1, 2, 3, 3}),
      Table("invalid/expert-index.negative.gguf", "one that names an expert before the first",
            kReject, {"expert-index"}, "I32, 0 -1 1 2 3 3 of 4 experts", {0, -1, 1, 2, 3, 3}),
  };
}

}  // namespace

Recipes TensorDataRecipes() {
  Recipes recipes;
  for (const Recipes& more : {NotFinite(), Reserved(), Zeros(), Tables()}) {
    recipes.insert(recipes.end(), more.begin(), more.end());
  }
  return recipes;
}

}  // namespace ggufgate::corpus
