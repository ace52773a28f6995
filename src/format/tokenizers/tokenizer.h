#pragma once

#include <cstdint>
#include <string_view>

namespace ggufgate {

// TokenizerKind is the way a tokenizer reads its vocabulary.
enum class TokenizerKind : std::uint8_t {
  kNone,  // the model takes token numbers, not text
  kSentencePiece,
  kWordPiece,
  kBytePairs,
  kUnigram,
  kRwkv,
  kPlamo2,
  kTest,  // llama.cpp's own tests: numbers made of a text's bytes
};

// kNoToken in place of a token's id means that there is none; writers put it into the keys too.
inline constexpr std::uint32_t kNoToken = 0xFFFF'FFFF;

// TokenType is what an element of `tokenizer.ggml.token_type` says of its token. Source: GGUF
// specification, "GGML" under "Tokenizer".
enum class TokenType : std::int32_t {
  kNormal = 1,
  kUnknown = 2,
  kControl = 3,
  kUserDefined = 4,
  kUnused = 5,
  kByte = 6,
};

// TokenizerInfo is one line of tokenizers.def.
struct TokenizerInfo {
  std::string_view word;
  TokenizerKind kind;
  // Ids that stand in where the file has no key for them; kNoToken for none.
  std::uint32_t bos, eos, unknown, separator, padding;
  bool adds_bos, adds_eos;  // where the file does not say
  bool heeds_adding;        // `add_bos_token` and `add_eos_token` mean something to it
};

// FindTokenizer looks up a value of `tokenizer.ggml.model`; nullptr when nothing is known of it.
[[nodiscard]] const TokenizerInfo* FindTokenizer(std::string_view word);

}  // namespace ggufgate
