// Published texts about GGUF that contradict the reference. For each error there is a file that the
// wrong reading accepts and the right one rejects, or the reverse.

#include "corpus/recipes/recipe.h"

namespace ggufgate::corpus {
namespace {

Recipe Claimed(std::string file, std::string claim, std::string shows, Verdict verdict,
               std::vector<std::string> rules, std::string recipe,
               std::function<FileBytes()> make) {
  return {.file = std::move(file),
          .shows = std::move(shows),
          .verdict = verdict,
          .rules = std::move(rules),
          .recipe = std::move(recipe),
          .make = std::move(make),
          .origin = "an error in circulation: \"" + std::move(claim) + "\""};
}

// WrongBlock is a block size that a page about the format gives.
struct WrongBlock {
  const char* file;
  TensorType type;
  std::uint64_t wrong_bytes;
  std::uint64_t blocks;  // enough to show in spite of the padding
};

constexpr WrongBlock kWrongBlocks[] = {
    {"q4_0", TensorType::kQ4_0, 20, 10}, {"q4_1", TensorType::kQ4_1, 24, 10},
    {"q5_0", TensorType::kQ5_0, 24, 20}, {"q5_1", TensorType::kQ5_1, 28, 10},
    {"q8_0", TensorType::kQ8_0, 36, 20}, {"q8_1", TensorType::kQ8_1, 40, 10},
    {"q2_k", TensorType::kQ2_K, 82, 20}, {"q6_k", TensorType::kQ6_K, 208, 20},
    {"q8_k", TensorType::kQ8_K, 256, 2}, {"iq4_xs", TensorType::kIQ4_XS, 144, 6},
};

// BlockFile is the output of a writer with the wrong size: its offsets and, if the true size is
// smaller, zeros after the blocks.
FileBytes BlockFile(const WrongBlock& block) {
  const TensorTypeInfo& info = *FindTensorType(static_cast<std::uint32_t>(block.type));
  Model m = Base();
  m.Set("general.quantization_version", std::uint32_t{2});
  m.tensors.clear();
  Model::Tensor& tensor = m.Add("weight", block.type, {block.blocks * info.block_elements});
  Dice dice(block.wrong_bytes);
  tensor.data = TensorData(block.type, tensor.data.size(), dice);
  tensor.data.resize(block.blocks * block.wrong_bytes);
  AddFloats(m, "next", 128);
  return Write(m);
}

Recipe BlockRecipe(const WrongBlock& block) {
  const TensorTypeInfo& info = *FindTensorType(static_cast<std::uint32_t>(block.type));
  const bool overlap = block.wrong_bytes < info.block_bytes;
  const std::string name(info.name);
  const std::string wrong = std::to_string(block.wrong_bytes);
  const std::string right = std::to_string(info.block_bytes);
  std::vector<std::string> rules = {"tensor-order"};
  if (overlap) rules.emplace_back("tensor-overlap");
  if (block.type == TensorType::kQ8_1) rules.emplace_back("tensor-type-disputed");
  return Claimed(
      std::string("invalid/circulation-block-bytes-") + block.file + ".gguf",
      name + " blocks have " + wrong + " bytes",
      name + " blocks have " + right + " bytes; the offset of the next tensor was reckoned with " +
          wrong + (overlap ? ", so that it lies on the end of this one" : ", which leaves a gap"),
      overlap ? kReject : kOnlySpec, std::move(rules),
      std::to_string(block.blocks) + " blocks, then an F32 tensor",
      [&block] { return BlockFile(block); });
}

Recipes NumberRecipes() {
  const std::string types = "value type 4 is FLOAT16, UINT32 is 5, ... FLOAT64 is 13";
  return {
      Claimed("invalid/circulation-magic-as-number.gguf", "the magic is 0x47475546 little-endian",
              "the magic 0x47475546 stored as a little-endian number: 46 55 47 47, the rest sound",
              kReject, {"magic"}, "magic FUGG", Edit([](Model& m) { m.magic = "FUGG"; })),
      Claimed("invalid/circulation-value-types-f64.gguf", types,
              "an f64 under number 13, as a writer with that table leaves it", kReject,
              {"value-type"}, "type 13, 8 bytes", Edit([](Model& m) {
                m.SetRaw("test.value", static_cast<ValueType>(13),
                         Encoder(ByteOrder::kLittle).Put(1.0).Take());
              })),
      Claimed("invalid/circulation-value-types-u32.gguf", types,
              "general.alignment under number 5: a u32 by that table, an i32 in truth", kReject,
              {"alignment-type"}, "type 5, 4 bytes",
              Edit([](Model& m) { m.Set("general.alignment", std::int32_t{32}); })),
      Claimed(
          "invalid/circulation-value-types-string.gguf", types,
          "a string under number 9, which is an array: its length is read as element type 4 and "
          "its letters as a count",
          kReject, {"array-count"}, "type 9, a string of 4 characters", Edit([](Model& m) {
            m.SetRaw("general.name", ValueType::kArray,
                     Encoder(ByteOrder::kLittle).PutString("text").PutZeros(4).Take());
          })),
      Claimed("valid/circulation-value-types.gguf", types,
              "a u32 under 4 and an f64 under 12: a reader with that table reads a half and is out "
              "of step",
              kAccept, {}, "types 4, 12 and 7 in their true meaning", Edit([](Model& m) {
                m.Set("test.size", std::uint32_t{7}).Set("test.ratio", 0.5).Set("test.flag", true);
              })),
      Claimed("valid/circulation-iq4_nl-row-32.gguf",
              "IQ4_NL has blocks of 256 elements, 144 bytes",
              "an IQ4_NL row of 32 elements in 18 bytes: no block by that page, one in truth",
              kAccept, {}, "IQ4_NL [32, 3]", Edit([](Model& m) {
                m.Set("general.quantization_version", std::uint32_t{2});
                m.tensors.clear();
                Dice dice(32);
                m.Add("weight", TensorType::kIQ4_NL, {32, 3}).data =
                    TensorData(TensorType::kIQ4_NL, 54, dice);
              })),
      Claimed("valid/circulation-bf16-as-25.gguf", "BF16 is type 25",
              "BF16 values under number 25, which is I16 and as long: a sound file that holds "
              "something else than its writer meant, which no check of the container can see",
              kAccept, {}, "type 25, 8 BF16 values", Edit([](Model& m) {
                Claim(m, {8}, TensorType::kI16);
                Dice dice(25);
                m.tensors.front().data = TensorData(TensorType::kBF16, 16, dice);
              })),
      Claimed("invalid/circulation-iq1_m-as-24.gguf", "IQ1_M is type 24",
              "an IQ1_M block of 56 bytes under number 24, which is I8: 200 bytes are missing",
              kReject, {"tensor-data-bounds"}, "type 24 [256], 56 bytes", Edit([](Model& m) {
                Claim(m, {256}, TensorType::kI8);
                Dice dice(24);
                m.tensors.front().data = TensorData(TensorType::kIQ1_M, 56, dice);
              })),
      Claimed("invalid/circulation-iq4_ks-as-26.gguf", "IQ4_KS is type 26",
              "two rows of a fork's IQ4_KS, 136 bytes each, under number 26, which is I32: 1,776 "
              "bytes are missing",
              kReject, {"tensor-data-bounds"}, "type 26 [256, 2], 272 bytes", Edit([](Model& m) {
                Claim(m, {256, 2}, TensorType::kI32);
                m.tensors.front().data.assign(272, 0x11);
              })),
  };
}

FileBytes WithoutPadding() {
  Model m = Base();
  m.alignment = 1;
  return Write(m);
}

Recipes LayoutRecipes() {
  return {
      Claimed(
          "invalid/circulation-offset-from-file-start.gguf",
          "tensor offsets count from the start of the file",
          "the offset of the only tensor is 128, where its data stand in the file; counted from "
          "the start of the data section that is past the end",
          kReject, {"tensor-data-bounds", "tensor-order"}, "offset 128",
          Edit([](Model& m) { m.tensors.front().offset = 128; })),
      Claimed("valid/circulation-alignment-64.gguf", "the alignment is always 32",
              "laid out for the 64 of its general.alignment: a reader that knows only 32 looks for "
              "the data 32 bytes early",
              kAccept, {}, "general.alignment 64, two tensors of 32 bytes", Edit([](Model& m) {
                m.Set("general.alignment", std::uint32_t{64});
                m.alignment = 64;
                AddFloats(m, "next", 8);
              })),
      Claimed("invalid/circulation-alignment-32.gguf", "the alignment is always 32",
              "general.alignment says 64, the second tensor lies at 32: right for a reader that "
              "knows only 32",
              kReject, {"tensor-offset-alignment", "tensor-order"},
              "general.alignment 64, offsets 0 and 32; a directory of 192 bytes, which both "
              "alignments take as it is",
              Edit([](Model& m) {
                m.Set("general.alignment", std::uint32_t{64});
                m.tensors.front().name = "first.of.these";
                AddFloats(m, "second", 8);
              })),
      Claimed("invalid/circulation-no-padding.gguf",
              "the data section is not padded; padding is to the end of the header",
              "the data follow the directory at byte 106: read from the next multiple of 32 they "
              "are short, and what is padding to the right reader is not zero",
              kReject, {"padding-not-zero", "tensor-data-bounds"}, "no padding at all",
              WithoutPadding),
      Claimed(
          "invalid/circulation-rounded-up.gguf", "size = ceil(elements / block) * block bytes",
          "48 elements of Q4_0 in two blocks of 18 bytes, the second half empty: rows are whole "
          "blocks, nothing is rounded up",
          kReject, {"tensor-row-blocks"}, "Q4_0 [48], 36 bytes, then F32 [8]", Edit([](Model& m) {
            m.Set("general.quantization_version", std::uint32_t{2});
            m.tensors.front().dims = {48};
            m.tensors.front().type_id = static_cast<std::uint32_t>(TensorType::kQ4_0);
            Dice dice(48);
            m.tensors.front().data = TensorData(TensorType::kQ4_0, 36, dice);
            AddFloats(m, "next", 8);
          })),
      Claimed("invalid/circulation-offset-only.gguf",
              "checking that the offset is less than the data size is enough",
              "the second tensor begins inside the data section and ends 32 bytes behind it",
              kReject, {"tensor-data-bounds"}, "F32 [8], then F32 [16] with half its data",
              Edit([](Model& m) { AddFloats(m, "next", 16).data.resize(32); })),
      Claimed("invalid/circulation-end-wraps.gguf",
              "checking that offset + size is at most the data size is enough",
              "offset 2^64-64 plus 128 bytes is 64 in 64 bits, which is inside: the sum must not "
              "wrap",
              kReject, {"tensor-data-bounds", "tensor-order"},
              "F32 [8], then F32 [32] at 2^64-64, whose data are taken out", Edit([](Model& m) {
                AddFloats(m, "next", 32).offset = UINT64_MAX - 63;
                m.tensors.back().data.clear();
              })),
  };
}

Recipes ReaderRecipes() {
  return {
      Claimed("invalid/circulation-bool-255.gguf", "bool: any non-zero byte is true",
              "a bool of 255: by the specification 0 and 1 are its values; llama.cpp reads true",
              kOnlyLlamaCpp, {"bool-value"}, "a bool byte 255",
              Edit([](Model& m) { m.SetRaw("test.flag", ValueType::kBool, {255}); })),
      Claimed("invalid/circulation-v2-u32-lengths.gguf", "version 2 used u32 lengths",
              "version 2 over the 32-bit counts and lengths of version 1: the two counts read as "
              "one of 2^32+1 tensors",
              kReject, {"tensor-count"}, "written as version 1, the version then set to 2",
              [] {
                Model m = Base();
                m.version = 1;
                FileBytes file = Write(m);
                Put(file, 4, std::uint32_t{2});
                return file;
              }),
      Claimed("valid/circulation-v2-padded.gguf", "version 2 added alignment padding, or had none",
              "version 2 with 64-bit lengths and padding, as version 1 had it and version 3 has it",
              kAccept, {}, "version 2, a tensor of 5 values, then one of 8", Edit([](Model& m) {
                m.version = 2;
                m.tensors.clear();
                AddFloats(m, "five", 5);
                AddFloats(m, "next", 8);
              })),
      Claimed("invalid/circulation-zeros-past-end.gguf",
              "a reader may return 0 past the end and go on",
              "cut behind the name of its last tensor: zeros for the rest make it an F32 scalar at "
              "offset 0, a shorter, wrong, accepted model",
              kReject, {"truncated-tensor-info"},
              "the first 82 bytes: the directory up to the tensor's name",
              FirstBytes(Edit([](Model&) {}), 82)),
      Claimed("invalid/circulation-recursion.gguf", "arrays may be skipped by recursion",
              "500 arrays one in another, 12 bytes a level: a reader that recurses lets the file "
              "choose the depth of its stack",
              kReject, {"array-nested"}, "500 levels, the innermost empty", Edit([](Model& m) {
                Encoder array(ByteOrder::kLittle);
                for (int i = 1; i < 500; ++i) array.Put(std::uint32_t{9}).Put(std::uint64_t{1});
                array.Put(std::uint32_t{0}).Put(std::uint64_t{0});
                m.SetRaw("test.values", ValueType::kArray, array.Take());
              })),
  };
}

}  // namespace

Recipes CirculationRecipes() {
  Recipes all;
  for (const auto& part : {NumberRecipes(), LayoutRecipes(), ReaderRecipes()}) {
    all.insert(all.end(), part.begin(), part.end());
  }
  for (const WrongBlock& block : kWrongBlocks) all.push_back(BlockRecipe(block));
  return all;
}

}  // namespace ggufgate::corpus
