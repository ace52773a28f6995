// Names, dimensions, types, and the resulting sizes.

#include "corpus/recipes/recipe.h"

namespace ggufgate::corpus {
namespace {

using namespace std::string_view_literals;

constexpr std::uint64_t kTwoTo32 = std::uint64_t{1} << 32;
constexpr std::uint64_t kTwoTo62 = std::uint64_t{1} << 62;
constexpr std::uint64_t kTwoTo63 = std::uint64_t{1} << 63;

// Type returns a file with one tensor of a type number, with the data of a writer of that type.
Recipe Type(std::string variant, std::string shows, std::string cause, std::uint32_t id) {
  Recipe recipe =
      FromBase("invalid/tensor-type" + variant + ".gguf", std::move(shows), kReject,
               {"tensor-type"}, "256 elements of type " + std::to_string(id), [id](Model& m) {
                 m.tensors.front().dims = {256};
                 m.tensors.front().type_id = id;
                 m.tensors.front().data.assign(192, 0x11);
               });
  recipe.cause = std::move(cause);
  return recipe;
}

// OfOllama is a model as Ollama's converter of August 2025 wrote it.
Recipe OfOllama() {
  Recipe recipe =
      FromBase("invalid/tensor-type.ollama.gguf",
               "type 4 in a model of gptoss: Ollama's own MXFP4, accepted in a store of Ollama",
               kReject, {"architecture-unknown", "tensor-type"},
               "architecture gptoss, 256 elements of type 4", [](Model& m) {
                 m.Set("general.architecture", "gptoss");
                 m.tensors.front().dims = {256};
                 m.tensors.front().type_id = 4;
                 m.tensors.front().data.assign(136, 0x11);
                 AddFloats(m, "next", 8);
               });
  recipe.cause = "foreign-type";
  recipe.origin = "llama.cpp#15597, ollama#11796";
  return recipe;
}

// Wrapping returns the shortest row whose elements times block bytes overflow 64 bits.
std::uint64_t Wrapping(std::uint64_t block_elements, std::uint64_t block_bytes) {
  const std::uint64_t product = block_elements * block_bytes;  // does not divide 2^64
  return block_elements * (UINT64_MAX / product + 1);
}

Recipes NameRecipes() {
  return {
      FromBase("valid/tensor-name-length.64.warned.gguf",
               "a name of 64 bytes: the specification's limit, one more than llama.cpp takes",
               kOnlyLlamaCppRejects, {"tensor-name-length"}, "64 times `n`",
               [](Model& m) { m.tensors.front().name.assign(64, 'n'); }),
      FromBase("valid/tensor-name-length.159.warned.gguf",
               "a name of 159 bytes: stable-diffusion.cpp takes it, llama.cpp does not", kOnlyGate,
               {"tensor-name-length"}, "159 times `n`",
               [](Model& m) { m.tensors.front().name.assign(159, 'n'); }),
      FromBase("invalid/tensor-name-length.gguf", "a name of 160 bytes: too long for everybody",
               kReject, {"tensor-name-length"}, "160 times `n`",
               [](Model& m) { m.tensors.front().name.assign(160, 'n'); }),
      FromBase("valid/tensor-name-length.near-miss.gguf", "a name of 63 bytes", kAccept, {},
               "63 times `n`", [](Model& m) { m.tensors.front().name.assign(63, 'n'); }),
      FromBase("valid/tensor-name-empty.warned.gguf", "a tensor without a name; llama.cpp loads",
               kAccept, {"tensor-name-empty"}, "an empty name",
               [](Model& m) { m.tensors.front().name.clear(); }),
      FromBase("valid/tensor-name-empty.near-miss.gguf", "a name of one character", kAccept, {},
               "`w`", [](Model& m) { m.tensors.front().name = "w"; }),
      FromBase("invalid/tensor-name-duplicate.gguf", "two tensors of one name", kReject,
               {"tensor-name-duplicate"}, "`weight` twice",
               [](Model& m) { AddFloats(m, "weight", 8); }),
      FromBase("invalid/tensor-name-duplicate.apart.gguf",
               "two tensors of one name, another between", kReject, {"tensor-name-duplicate"},
               "`weight`, `other`, `weight`",
               [](Model& m) {
                 AddFloats(m, "other", 8);
                 AddFloats(m, "weight", 4);
               }),
      FromBase("valid/tensor-name-duplicate.near-miss.gguf", "names that differ in one letter",
               kAccept, {}, "`weight`, `weighs`", [](Model& m) { AddFloats(m, "weighs", 8); }),
      FromBase("invalid/tensor-name-nul.gguf",
               "a NUL in a name: llama.cpp loads it under what stands before", kReject,
               {"tensor-name-nul"}, "`weight` NUL `x`",
               [](Model& m) { m.tensors.front().name = "weight\0x"sv; }),
      FromBase("invalid/tensor-name-nul.duplicate.gguf",
               "two names that differ behind a NUL: duplicates to llama.cpp, which refuses",
               kReject, {"tensor-name-nul"}, "`weight` NUL `a`, `weight` NUL `b`",
               [](Model& m) {
                 m.tensors.front().name = "weight\0a"sv;
                 AddFloats(m, "weight\0b"sv, 8);
               }),
      FromBase("valid/tensor-name-nul.near-miss.gguf", "the same names with a full stop", kAccept,
               {}, "`weight.a`, `weight.b`",
               [](Model& m) {
                 m.tensors.front().name = "weight.a";
                 AddFloats(m, "weight.b", 8);
               }),
      FromBase("invalid/tensor-name-characters.gguf",
               "a name that clears the screen of whoever lists it; llama.cpp loads",
               kOnlyGateRejects, {"tensor-name-characters"}, "`weight` ESC `[2J`",
               [](Model& m) { m.tensors.front().name = "weight\x1B[2J"; }),
      FromBase("invalid/tensor-name-characters.line-feed.gguf",
               "a line feed in a name; llama.cpp loads", kOnlyGateRejects,
               {"tensor-name-characters"}, "`weight` LF",
               [](Model& m) { m.tensors.front().name = "weight\n"; }),
      FromBase("valid/tensor-name-characters.near-miss.gguf", "a name with a space and UTF-8 text",
               kAccept, {}, "`weight ` C3 A9",
               [](Model& m) { m.tensors.front().name = "weight \xC3\xA9"; }),
  };
}

Recipes DimensionRecipes() {
  return {
      FromBase("invalid/tensor-dimensions.gguf", "six dimensions, each of them there", kReject,
               {"tensor-dimensions"}, "[8, 1, 1, 1, 1, 1]",
               [](Model& m) { m.tensors.front().dims = {8, 1, 1, 1, 1, 1}; }),
      FromBase("valid/tensor-dimensions.warned.gguf",
               "five dimensions, as video models have them; llama.cpp refuses", kOnlyGate,
               {"tensor-dimensions"}, "[2, 2, 1, 1, 2]",
               [](Model& m) { m.tensors.front().dims = {2, 2, 1, 1, 2}; }),
      FromBase("invalid/tensor-overlap.five-dimensions.gguf",
               "five dimensions, of which the fifth takes the data behind the tensor", kReject,
               {"tensor-data-bounds", "tensor-dimensions"}, "[8, 1, 1, 1, 2], data for one of two",
               [](Model& m) { m.tensors.front().dims = {8, 1, 1, 1, 2}; }),
      FromBase("invalid/tensor-dimensions.all-ones.gguf", "2^32-1 dimensions: -1 to a signed count",
               kReject, {"tensor-dimensions"}, "claims 2^32-1 dimensions",
               [](Model& m) { m.tensors.front().claimed_dimension_count = UINT32_MAX; }),
      FromBase("valid/tensor-dimensions.near-miss.gguf", "four dimensions", kAccept, {},
               "[2, 2, 2, 1]", [](Model& m) { m.tensors.front().dims = {2, 2, 2, 1}; }),
      FromBase("invalid/tensor-dimension-negative.gguf", "a dimension of 2^63", kReject,
               {"tensor-dimension-negative"}, "[2^63], no data",
               [](Model& m) { Claim(m, {kTwoTo63}); }),
      FromBase("invalid/tensor-dimension-negative.second.gguf", "a second dimension of 2^64-1",
               kReject, {"tensor-dimension-negative"}, "[8, 2^64-1], no data",
               [](Model& m) { Claim(m, {8, UINT64_MAX}); }),
      FromBase("invalid/tensor-dimension-negative.beside-zero.gguf",
               "a dimension of 2^63 in a tensor without elements: llama.cpp refuses it too",
               kReject, {"tensor-dimension-negative", "tensor-row-empty"}, "[0, 2^63]",
               [](Model& m) { Claim(m, {0, kTwoTo63}); }),
      FromBase("valid/tensor-dimension-negative.near-miss.gguf",
               "2^63-1, in a tensor without elements", kAccept, {"tensor-row-empty"}, "[0, 2^63-1]",
               [](Model& m) { Claim(m, {0, kTwoTo63 - 1}); }),
      FromBase(
          "invalid/tensor-dimension-zero.gguf",
          "a second dimension of 0: llama.cpp loads it since August 2026, earlier releases die "
          "of SIGFPE",
          kOnlyGateRejects, {"tensor-dimension-zero"}, "[8, 0]",
          [](Model& m) { Claim(m, {8, 0}); }),
      FromBase("invalid/tensor-dimension-zero.fourth.gguf", "a fourth dimension of 0",
               kOnlyGateRejects, {"tensor-dimension-zero"}, "[8, 1, 1, 0]",
               [](Model& m) { Claim(m, {8, 1, 1, 0}); }),
      FromBase("valid/tensor-dimension-zero.near-miss.gguf", "dimensions of 1", kAccept, {},
               "[8, 1, 1, 1]", [](Model& m) { m.tensors.front().dims = {8, 1, 1, 1}; }),
      FromBase("valid/tensor-row-empty.warned.gguf",
               "rows without elements; llama.cpp loads, and the next tensor has the same offset",
               kAccept, {"tensor-row-empty"}, "[0], then a tensor with data at the same offset",
               [](Model& m) {
                 Claim(m, {0});
                 AddFloats(m, "next", 8);
               }),
      FromBase("valid/tensor-row-empty.near-miss.gguf", "rows of one element", kAccept, {},
               "[1], then a tensor behind it",
               [](Model& m) {
                 m.tensors.front().dims = {1};
                 m.tensors.front().data = Floats(1);
                 AddFloats(m, "next", 8);
               }),
  };
}

Recipes OverflowRecipes() {
  return {
      FromBase(
          "invalid/tensor-elements-overflow.gguf",
          "2^32 times 2^32 elements are 0 in 64 bits: llama.cpp loads it as a tensor of 0 bytes",
          kReject, {"tensor-elements-overflow"}, "F32 [2^32, 2^32], no data",
          [](Model& m) { Claim(m, {kTwoTo32, kTwoTo32}); }),
      FromBase("invalid/tensor-elements-overflow.on-top.gguf",
               "the same with a second tensor where the first would be: llama.cpp loads both, and "
               "whoever reads the first reads far beyond the file",
               kReject, {"tensor-elements-overflow"}, "F32 [2^32, 2^32], then F32 [8] at offset 0",
               [](Model& m) {
                 Claim(m, {kTwoTo32, kTwoTo32});
                 AddOnTop(m, 0);
               }),
      FromBase(
          "invalid/tensor-elements-overflow.2-63.gguf",
          "2^31 times 2^32 elements are negative in 64 bits; as I8 llama.cpp loads them when it "
          "does not read the data",
          kReject, {"tensor-elements-overflow"}, "I8 [2^31, 2^32], no data",
          [](Model& m) { Claim(m, {kTwoTo32 / 2, kTwoTo32}, TensorType::kI8); }),
      FromBase("invalid/tensor-elements-overflow.four.gguf",
               "each partial product but the last fits: [2^16, 2^16, 2^16, 2^16]", kReject,
               {"tensor-elements-overflow"}, "F32 [2^16, 2^16, 2^16, 2^16], no data",
               [](Model& m) { Claim(m, {1 << 16, 1 << 16, 1 << 16, 1 << 16}); }),
      FromBase("valid/tensor-elements-overflow.near-miss.gguf",
               "[0, 2^32, 2^31]: multiplied from the left it stays 0", kAccept,
               {"tensor-row-empty"}, "F32 [0, 2^32, 2^31]",
               [](Model& m) { Claim(m, {0, kTwoTo32, kTwoTo32 / 2}); }),
      FromBase(
          "invalid/tensor-bytes-overflow.gguf",
          "a Q4_0 row of 32*(2^64/576+1) elements: elements times block bytes wraps before the "
          "division by the block's elements, and llama.cpp loads it as 4 bytes",
          kReject, {"tensor-bytes-overflow"}, "that row, no data",
          [](Model& m) { Claim(m, {Wrapping(32, 18)}, TensorType::kQ4_0); }),
      FromBase("invalid/tensor-bytes-overflow.nvfp4.gguf", "the same as NVFP4, as 20 bytes",
               kReject, {"tensor-bytes-overflow"}, "a row of 64*(2^64/2304+1) elements, no data",
               [](Model& m) { Claim(m, {Wrapping(64, 36)}, TensorType::kNVFP4); }),
      FromBase(
          "invalid/tensor-bytes-overflow.rows.gguf",
          "rows of 2^40 bytes, 2^24 of them: their product leaves 63 bits, the elements do not",
          kReject, {"tensor-bytes-overflow"}, "F64 [2^37, 2^24], no data",
          [](Model& m) {
            Claim(m, {std::uint64_t{1} << 37, std::uint64_t{1} << 24}, TensorType::kF64);
          }),
      FromBase(
          "invalid/tensor-bytes-overflow.on-top.gguf",
          "F32 of 2^62-1 elements: 2^64-4 bytes, rounded up 0, and another tensor lies on top; "
          "llama.cpp loads both",
          kReject, {"tensor-bytes-overflow"}, "F32 [2^62-1], then F32 [8] at offset 0",
          [](Model& m) {
            Claim(m, {kTwoTo62 - 1});
            AddOnTop(m, 0);
          }),
      FromBase("valid/tensor-bytes-overflow.near-miss.gguf",
               "2^63-1 rows of no elements, hence of no bytes", kAccept, {"tensor-row-empty"},
               "Q4_0 [0, 2^63-1]",
               [](Model& m) { Claim(m, {0, kTwoTo63 - 1}, TensorType::kQ4_0); }),
      FromBase("invalid/tensor-padding-overflow.gguf",
               "2^63-1 bytes fit in 63 bits, rounded up to the alignment they do not", kReject,
               {"tensor-data-bounds", "tensor-padding-overflow"}, "I8 [2^63-1], no data",
               [](Model& m) { Claim(m, {kTwoTo63 - 1}, TensorType::kI8); }),
      FromBase("valid/tensor-padding-overflow.near-miss.gguf",
               "33 bytes, rounded up to 64, all of them there", kAccept, {}, "I8 [33]",
               [](Model& m) {
                 Claim(m, {33}, TensorType::kI8);
                 m.tensors.front().data.assign(33, 7);
               }),
      FromBase("invalid/tensor-total-overflow.gguf",
               "two tensors of 2^63-64 bytes, each at the offset where it belongs: llama.cpp loads "
               "them unless it reads the data",
               kReject, {"tensor-data-bounds", "tensor-total-overflow"},
               "I8 [2^63-64] twice, offsets 0 and 2^63-64, no data",
               [](Model& m) {
                 Claim(m, {kTwoTo63 - 64}, TensorType::kI8);
                 m.tensors.push_back(m.tensors.front());
                 m.tensors.back().name = "more";
                 m.tensors.back().offset = kTwoTo63 - 64;
               }),
      FromBase("valid/tensor-total-overflow.near-miss.gguf", "two tensors of 64 bytes", kAccept, {},
               "I8 [64] twice",
               [](Model& m) {
                 Claim(m, {64}, TensorType::kI8);
                 m.tensors.front().data.assign(64, 7);
                 m.Add("more", TensorType::kI8, {64}).data.assign(64, 7);
               }),
  };
}

Recipes TypeRecipes() {
  Recipes recipes = {
      Type("", "a type newer than this reference: not a corrupt file", "unknown-type", 60),
      Type(".removed-4", "Q4_2, removed in 2023; its block size is 0 in the reference",
           "foreign-type", 4),
      Type(".removed-31", "Q4_0_4_4, removed in 2024: files of it are still about", "foreign-type",
           31),
      Type(".fork-36", "I2_S of bitnet.cpp; a number that ggml once had", "foreign-type", 36),
      Type(".fork-46", "a number of two forks", "foreign-type", 46),
      Type(".fork-107", "ROCmFPX: two layouts of one size", "foreign-type", 107),
      Type(".fork-144", "IQ4_KS, a type of the fork ik_llama.cpp", "foreign-type", 144),
      Type(".all-ones", "type 2^32-1: -1 to a signed enum", "unknown-type", UINT32_MAX),
      FromBase("invalid/tensor-type.first-of-two.gguf",
               "a foreign type, and a tensor behind it: where that belongs nobody can tell",
               kReject, {"tensor-type"}, "256 elements of type 144, then F32 [8]",
               [](Model& m) {
                 m.tensors.front().dims = {256};
                 m.tensors.front().type_id = 144;
                 m.tensors.front().data.assign(136, 0x11);
                 AddFloats(m, "next", 8);
               }),
      OfOllama(),
      FromBase("valid/tensor-type.near-miss.gguf", "the last type there is: 42, Q2_0", kAccept, {},
               "Q2_0 [256]",
               [](Model& m) {
                 m.Set("general.quantization_version", std::uint32_t{2});
                 Claim(m, {256}, TensorType::kQ2_0);
                 Dice dice(42);
                 m.tensors.front().data = TensorData(TensorType::kQ2_0, 72, dice);
               }),
      FromBase("invalid/tensor-row-blocks.gguf",
               "a row of 33 elements in blocks of 32, with data for two blocks", kReject,
               {"tensor-row-blocks"}, "Q4_0 [33], 36 bytes of data",
               [](Model& m) {
                 Claim(m, {33}, TensorType::kQ4_0);
                 m.tensors.front().data.assign(36, 0x11);
               }),
      FromBase("invalid/tensor-row-blocks.half-rows.gguf",
               "two rows of half a block: the product is a whole block", kReject,
               {"tensor-row-blocks"}, "Q4_0 [16, 2], 18 bytes of data",
               [](Model& m) {
                 Claim(m, {16, 2}, TensorType::kQ4_0);
                 m.tensors.front().data.assign(18, 0x11);
               }),
      FromBase("invalid/tensor-row-blocks.no-dimensions.gguf",
               "no dimensions: one element, which is no block", kReject, {"tensor-row-blocks"},
               "Q4_0 [], no data", [](Model& m) { Claim(m, {}, TensorType::kQ4_0); }),
      FromBase("valid/tensor-row-blocks.near-miss.gguf", "a row of one block", kAccept, {},
               "Q4_0 [32]",
               [](Model& m) {
                 m.Set("general.quantization_version", std::uint32_t{2});
                 Claim(m, {32}, TensorType::kQ4_0);
                 Dice dice(2);
                 m.tensors.front().data = TensorData(TensorType::kQ4_0, 18, dice);
               }),
  };
  return recipes;
}

}  // namespace

Recipes TensorDirectoryRecipes() {
  Recipes all;
  for (const auto& part : {NameRecipes(), DimensionRecipes(), OverflowRecipes(), TypeRecipes()}) {
    all.insert(all.end(), part.begin(), part.end());
  }
  return all;
}

}  // namespace ggufgate::corpus
