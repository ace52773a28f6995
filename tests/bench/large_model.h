#pragma once

// A model with the vocabulary of Llama 3 and 1,000 tensors: 7.4 MB of metadata.

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "parse/extent.h"
#include "parse/model.h"

namespace ggufgate::bench {

inline constexpr std::size_t kTokens = 128'256;
inline constexpr std::size_t kMerges = 280'147;
inline constexpr std::size_t kBlocks = 111;  // of 9 tensors; with the embedding 1,000

inline std::string Piece(std::mt19937_64& random, std::size_t length) {
  std::string piece;
  if (random() % 2 == 0) piece += "\u0120";  // a space in byte-level vocabularies
  while (piece.size() < length) {
    const std::uint64_t kind = random() % 24;
    if (kind == 0) {
      piece += "\u00e9";
    } else if (kind == 1) {
      piece += "\u4e2d";
    } else {
      piece += static_cast<char>('a' + random() % 26);
    }
  }
  return piece;
}

// Tokens are all different, like those of published vocabularies.
inline std::vector<std::string> Tokens(std::mt19937_64& random) {
  std::vector<std::string> tokens;
  std::unordered_set<std::string> seen;
  tokens.reserve(kTokens);
  while (tokens.size() < kTokens) {
    // One in 4,000 is a run of more than 127 dashes, with a number to make it unique.
    std::string token = random() % 4000 == 0
                            ? std::string(128 + random() % 128, '-') + std::to_string(tokens.size())
                            : Piece(random, 2 + random() % 11);
    if (seen.insert(token).second) tokens.push_back(std::move(token));
  }
  return tokens;
}

inline std::vector<std::string> Merges(std::mt19937_64& random) {
  std::vector<std::string> merges;
  merges.reserve(kMerges);
  while (merges.size() < kMerges) {
    merges.push_back(Piece(random, 1 + random() % 5) + ' ' + Piece(random, 1 + random() % 5));
  }
  return merges;
}

// AddTensor gives a tensor its offset without its data. It returns the offset of the next one.
inline std::uint64_t AddTensor(Model& model, const std::string& name, TensorType type,
                               std::vector<std::uint64_t> dims, std::uint64_t offset) {
  TensorInfo info{.type_id = static_cast<std::uint32_t>(type)};
  std::ranges::copy(dims, info.dims.begin());
  model.tensors.push_back(
      {.name = name, .dims = std::move(dims), .type_id = info.type_id, .offset = offset});
  return offset + ExtentOf(info, kDefaultAlignment).padded.value();
}

inline std::uint64_t AddTensors(Model& model) {
  struct Kind {
    const char* name;
    TensorType type;
    std::vector<std::uint64_t> dims;
  };
  const std::array<Kind, 9> kinds = {{
      {"attn_norm.weight", TensorType::kF32, {4096}},
      {"attn_q.weight", TensorType::kQ4_K, {4096, 4096}},
      {"attn_k.weight", TensorType::kQ4_K, {4096, 1024}},
      {"attn_v.weight", TensorType::kQ6_K, {4096, 1024}},
      {"attn_output.weight", TensorType::kQ4_K, {4096, 4096}},
      {"ffn_norm.weight", TensorType::kF32, {4096}},
      {"ffn_gate.weight", TensorType::kQ4_K, {4096, 14336}},
      {"ffn_up.weight", TensorType::kQ4_K, {4096, 14336}},
      {"ffn_down.weight", TensorType::kQ6_K, {14336, 4096}},
  }};
  std::uint64_t offset =
      AddTensor(model, "token_embd.weight", TensorType::kQ4_K, {4096, kTokens}, 0);
  for (std::size_t block = 0; block < kBlocks; ++block) {
    for (const Kind& kind : kinds) {
      const std::string name = "blk." + std::to_string(block) + "." + kind.name;
      offset = AddTensor(model, name, kind.type, kind.dims, offset);
    }
  }
  return offset;
}

// LargeModel returns a model without the data of its tensors. `data_bytes` is their size.
inline Model LargeModel(std::uint64_t& data_bytes) {
  std::mt19937_64 random(1);
  Model model;
  model.Set(kArchitectureKey, "llama").Set("general.name", "Bench");
  model.Set("llama.block_count", std::uint32_t{kBlocks});
  model.Set("llama.context_length", std::uint32_t{131'072});
  model.Set("llama.embedding_length", std::uint32_t{4096});
  model.Set("llama.feed_forward_length", std::uint32_t{14'336});
  model.Set("llama.attention.head_count", std::uint32_t{32});
  model.Set("llama.attention.head_count_kv", std::uint32_t{8});
  model.Set("llama.attention.layer_norm_rms_epsilon", 1e-5F);
  model.Set("general.quantization_version", std::uint32_t{2});
  model.Set("tokenizer.ggml.model", "gpt2").Set("tokenizer.ggml.pre", "llama-bpe");
  model.Set("tokenizer.ggml.tokens", Tokens(random));
  std::vector<float> scores(kTokens);
  for (std::size_t i = 0; i < kTokens; ++i) scores.at(i) = -static_cast<float>(i);
  model.Set("tokenizer.ggml.scores", scores);
  model.Set("tokenizer.ggml.token_type", std::vector<std::int32_t>(kTokens, 1));
  model.Set("tokenizer.ggml.merges", Merges(random));
  model.Set("tokenizer.ggml.bos_token_id", std::uint32_t{128'000});
  model.Set("tokenizer.ggml.eos_token_id", std::uint32_t{128'001});
  data_bytes = AddTensors(model);
  return model;
}

}  // namespace ggufgate::bench
