#pragma once

#include <cstdint>
#include <string_view>

namespace ggufgate {

// TokenizerKind is the algorithm of a tokenizer.
enum class TokenizerKind : std::uint8_t {
  kNone,  // the model takes token ids, not text
  kSentencePiece,
  kWordPiece,
  kBytePairs,
  kUnigram,
  kRwkv,
  kPlamo2,
  kTest,  // llama.cpp's tests: ids made from the bytes of a text
};

// kNoToken instead of an id means that there is no such token. Writers also store it under keys.
inline constexpr std::uint32_t kNoToken = 0xFFFF'FFFF;

// TokenType is an element of `tokenizer.ggml.token_type`. Source: GGUF specification, "GGML" under
// "Tokenizer".
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
  // Default ids, for files without the key; kNoToken for none.
  std::uint32_t bos, eos, unknown, separator, padding;
  bool adds_bos, adds_eos;  // by default
  bool heeds_adding;        // `add_bos_token` and `add_eos_token` have an effect
};

// FindTokenizer finds a value of `tokenizer.ggml.model`; nullptr if it is unknown.
[[nodiscard]] const TokenizerInfo* FindTokenizer(std::string_view word);

}  // namespace ggufgate
