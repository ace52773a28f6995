#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

#include "format/key.h"

namespace ggufgate::mutate {

// KnownKey is one line of keys.def. Its number, a KeyId of the format, is its index in kKnownKeys.
struct KnownKey {
  std::string_view name;  // without "{arch}."
  KeyShape shape;
  bool of_architecture;  // in the file, the architecture and a dot precede the name
};

namespace internal {

constexpr KnownKey Known(std::string_view pattern, KeyShape shape) {
  constexpr std::string_view kArchitecture = "{arch}.";
  const bool of_architecture = pattern.starts_with(kArchitecture);
  if (of_architecture) pattern.remove_prefix(kArchitecture.size());
  return {.name = pattern, .shape = shape, .of_architecture = of_architecture};
}

}  // namespace internal

inline constexpr auto kKnownKeys = std::to_array<KnownKey>({
#define GGUFGATE_KEY(pattern, shape, what) internal::Known(pattern, KeyShape::shape),
#include "format/keys.def"
#undef GGUFGATE_KEY
});

// IdOf returns the number of a pattern such as "{arch}.block_count". For a pattern that keys.def
// lacks, it does not compile.
consteval KeyId IdOf(std::string_view pattern) {
  const KnownKey wanted = internal::Known(pattern, KeyShape::kString);
  for (std::size_t i = 0; i < kKnownKeys.size(); ++i) {
    const KnownKey& key = kKnownKeys.at(i);
    if (key.name == wanted.name && key.of_architecture == wanted.of_architecture) {
      return static_cast<KeyId>(i);
    }
  }
  return static_cast<KeyId>(kKnownKeys.at(kKnownKeys.size()).name.size());  // does not compile
}

// Keys of the ids of special tokens.
inline constexpr std::array<std::string_view, 18> kTokenIdKeys = {
    "tokenizer.ggml.bos_token_id",     "tokenizer.ggml.eos_token_id",
    "tokenizer.ggml.eot_token_id",     "tokenizer.ggml.eom_token_id",
    "tokenizer.ggml.unknown_token_id", "tokenizer.ggml.seperator_token_id",
    "tokenizer.ggml.padding_token_id", "tokenizer.ggml.cls_token_id",
    "tokenizer.ggml.mask_token_id",    "tokenizer.ggml.prefix_token_id",
    "tokenizer.ggml.suffix_token_id",  "tokenizer.ggml.middle_token_id",
    "tokenizer.ggml.fim_pre_token_id", "tokenizer.ggml.fim_suf_token_id",
    "tokenizer.ggml.fim_mid_token_id", "tokenizer.ggml.fim_pad_token_id",
    "tokenizer.ggml.fim_rep_token_id", "tokenizer.ggml.fim_sep_token_id"};

}  // namespace ggufgate::mutate
