#pragma once

// Three files for each repair that it answers.

#include <functional>

#include "tests/repair/repaired.h"

namespace ggufgate::testing {

struct Cause {
  const char* name;
  const char* slug;
  File file;
};

inline void PrintTo(const Cause& cause, std::ostream* out) { *out << cause.name; }

// --- the files -----------------------------------------------------------------------------------

inline File With(Model model, const std::function<void(Model&)>& damage) {
  damage(model);
  return Write(model);
}

inline File Longer(File file, std::size_t bytes, std::uint8_t byte) {
  file.insert(file.end(), bytes, byte);
  return file;
}

// Uneven is a model whose last tensor needs padding.
inline Model Uneven(TensorType type, std::uint64_t elements) {
  Model model = Model::Minimal();
  model.Add("uneven", type, {elements});
  return model;
}

inline File Unpadded(Model model) {
  model.pad_last_tensor = false;
  return Write(model);
}

inline void Copy(Model& model, std::string_view key) {
  model.metadata.push_back(*std::ranges::find(model.metadata, key, &Model::Entry::key));
}

// Announced has one more layer than the file, which predicts further tokens.
inline File Announced(const char* architecture, std::uint32_t next) {
  Model model = Learned(architecture);
  const File sound = Write(model);
  const std::string prefix = std::string(architecture) + ".";
  const Document document = DocumentOf(sound);
  const MetadataEntry* layers = document.Find(prefix + "block_count");
  EXPECT_NE(layers, nullptr);
  const std::uint64_t count = document.UnsignedOf(*layers).value();
  model.Set(prefix + "block_count", static_cast<std::uint32_t>(count) + next);
  model.Set(prefix + "nextn_predict_layers", next);
  return Write(model);
}

// WithTypes has the token types of a sound model as elements of another type.
template <typename T>
File WithTypes(const char* architecture) {
  Model model = Learned(architecture);
  const File sound = Write(model);
  const Document document = DocumentOf(sound);
  const MetadataEntry* types = document.Find("tokenizer.ggml.token_type");
  EXPECT_NE(types, nullptr);
  std::vector<T> values;
  for (std::uint64_t i = 0; i < types->count; ++i) {
    const ByteRange at{.begin = types->ElementsRange().begin + 4 * i, .size = 4};
    values.push_back(static_cast<T>(Load<std::int32_t>(document.BytesAt(at), ByteOrder::kLittle)));
  }
  model.Set("tokenizer.ggml.token_type", values);
  return Write(model);
}

template <typename T>
void SetSplit(Model& model, T number, T count, std::size_t tensors) {
  model.Set("split.no", number);
  model.Set("split.count", count);
  model.Set("split.tensors.count", static_cast<std::int32_t>(tensors));
}

// Aligned keeps the offsets of the model, which fit the alignment too.
inline File Aligned(Model model, std::uint32_t alignment) {
  model.Set("general.alignment", alignment);
  model.alignment = alignment;
  return Write(model);
}

inline std::vector<Cause> Copies() {
  const char* const slug = "duplicate-key";
  return {{"copy_of_text", slug,
           With(Learned("llama"), [](Model& m) { Copy(m, "general.architecture"); })},
          {"copy_of_array", slug,
           With(Learned("qwen3"), [](Model& m) { Copy(m, "tokenizer.ggml.tokens"); })},
          {"copies_of_numbers", slug, With(Learned("gemma3"), [](Model& m) {
             for (int i = 0; i < 3; ++i) Copy(m, "gemma3.block_count");
             Copy(m, "gemma3.context_length");
           })}};
}

inline std::vector<Cause> Alignments() {
  const char* const slug = "useless-alignment";
  Model large = Model::Minimal();
  large.Set("more", std::string_view("text"));
  return {{"alignment_4096", slug, Aligned(large, 4096)},
          {"alignment_16", slug, Aligned(Learned("llama"), 16)},
          {"alignment_u64", slug, With(Learned("llama"), [](Model& m) {
             m.Set("general.alignment", std::uint64_t{32});
           })}};
}

inline std::vector<Cause> TokenTypes() {
  const char* const slug = "token-types";
  return {{"types_u32", slug, WithTypes<std::uint32_t>("llama")},
          {"types_i64", slug, WithTypes<std::int64_t>("gemma2")},
          {"types_u8", slug, WithTypes<std::uint8_t>("glm4")}};
}

inline std::vector<Cause> NextLayers() {
  const char* const slug = "next-layers";
  return {{"next_of_glm4", slug, Announced("glm4", 1)},
          {"two_next_of_exaone4", slug, Announced("exaone4", 2)},
          {"next_of_bailingmoe2", slug, Announced("bailingmoe2", 1)}};
}

inline std::vector<Cause> Shards() {
  const char* const slug = "split-keys";
  return {
      {"shard_5_of_1", slug,
       With(Learned("llama"),
            [](Model& m) { SetSplit(m, std::uint16_t{5}, std::uint16_t{1}, m.tensors.size()); })},
      {"merged_with_wrong_types", slug,
       With(Learned("qwen3"),
            [](Model& m) {
              SetSplit(m, std::uint32_t{0}, std::uint32_t{1}, m.tensors.size() + 7);
            })},
      {"merged_without_siblings", slug, With(Learned("gemma3"), [](Model& m) {
         SetSplit(m, std::uint16_t{0}, std::uint16_t{3}, m.tensors.size());
       })}};
}

inline std::vector<Cause> Tails() {
  const char* const slug = "trailing-bytes";
  return {{"one_zero", slug, Longer(Write(Model::Minimal()), 1, 0)},
          {"a_text", slug, Longer(Write(Learned("llama")), 1000, 'x')},
          {"much", slug, Longer(Write(Learned("mamba")), std::size_t{1} << 16, 0xFF)}};
}

inline std::vector<Cause> Paddings() {
  const char* const slug = "final-padding";
  return {{"one_float", slug, Unpadded(Uneven(TensorType::kF32, 1))},
          {"half_a_padding", slug, Longer(Unpadded(Uneven(TensorType::kI8, 7)), 9, 0)},
          {"blocks", slug, Unpadded(Uneven(TensorType::kQ8_0, 96))}};
}

inline std::vector<Cause> Causes() {
  std::vector<Cause> all;
  for (const auto& causes :
       {Copies(), Alignments(), TokenTypes(), NextLayers(), Shards(), Tails(), Paddings()}) {
    EXPECT_EQ(causes.size(), 3U);
    all.insert(all.end(), causes.begin(), causes.end());
  }
  return all;
}

}  // namespace ggufgate::testing
