#pragma once

// Recipes of published models: a text file describes a model's GGUF without its weights.
//
//   # a comment
//   llama.block_count             u32    32
//   llama.rope.dimension_sections [i32]  24 20 20 0          8*0 means eight zeros
//   general.tags                  [str]  chat, text-generation
//   tokenizer.chat_template       str    {{ messages }}      \n is a new line
//   tokenizer.ggml.precompiled_charsmap charsmap 237539      bytes that change no text
//   !vocabulary bpe 128256 merges=280147 bytes-at=3 scores=yes types=no
//   !token 128000 control <|begin_of_text|>
//   !tokens 128011..128255 control <|reserved_special_token_*|>   * counts from 0, # is the id
//   !warns context-unshiftable: why this remains
//   !tensors
//   blk.{0..31}.attn_q.weight Q4_K [4096, 4096]
//
// `!mix`, `!optional` and `!also` are for write_tensors.py.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "parse/model.h"

namespace ggufgate::published {

struct Recipe {
  Model model;                               // its tensors without data, laid out
  std::uint64_t data_bytes = 0;              // of all tensors, each padded
  std::map<std::string, std::string> warns;  // rule and reason
  std::string problem;                       // why it cannot be read, with the line; else empty
};

[[nodiscard]] Recipe ReadRecipe(std::string_view text);

// LayOutWithoutData gives the tensors of a model the offsets of a valid file, and returns the
// number of data bytes. An invalid type, or a row that is not a whole number of blocks, counts as 0
// bytes.
std::uint64_t LayOutWithoutData(Model& model);

}  // namespace ggufgate::published
