#pragma once

// What the rules about vocabularies share. Not for users of the library.

#include <bitset>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "check/repeats/repeats.h"
#include "check/rules/context.h"
#include "format/tokenizers/pretokenizer.h"
#include "format/tokenizers/tokenizer.h"
#include "parse/arrays.h"

namespace ggufgate {

// The keys under `tokenizer.ggml.` that the rules look at; nullptr where the file has none.
struct TokenizerKeys {
  const MetadataEntry* model = nullptr;
  const MetadataEntry* pretokenizer = nullptr;
  const MetadataEntry* tokens = nullptr;
  const MetadataEntry* merges = nullptr;
  const MetadataEntry* scores = nullptr;
  const MetadataEntry* token_type = nullptr;
  const MetadataEntry* charsmap = nullptr;
  const MetadataEntry* add_bos = nullptr;
  const MetadataEntry* add_eos = nullptr;
  const MetadataEntry* bos = nullptr;
  const MetadataEntry* eos = nullptr;
  const MetadataEntry* unknown = nullptr;
  const MetadataEntry* separator = nullptr;
  const MetadataEntry* padding = nullptr;
};

// TokenFacts is what one walk over the tokens finds. Counts only: who reports them walks again.
struct TokenFacts {
  std::uint64_t longest = 0;          // bytes
  std::uint64_t squares = 0;          // of the bytes of tokens of more than kUsualBytes, summed
  std::vector<Repeat> repeats = {};   // of texts that are not empty
  std::bitset<256> byte_tokens = {};  // `<0x00>` to `<0xFF>`, in capitals as llama.cpp wants them
  std::bitset<256> bytes = {};        // tokens of a single byte
  std::uint64_t typed_bytes = 0;      // of type byte
  std::uint64_t wrong_bytes = 0;      // of type byte, but not of the form `<0xHH>`, or beyond all
  // What PLaMo 2 finds a byte by: `<0xHH>` of type byte, in capitals or not, but not token 0.
  std::bitset<256> typed_byte_tokens = {};
  // Of RWKV: bytes that a token begins with, once its escapes are read, and bytes that are one.
  std::bitset<256> first_bytes = {};
  std::bitset<256> whole_bytes = {};
};

// Vocabulary is the tokenizer of a file.
struct Vocabulary {
  TokenizerKeys keys;
  const TokenizerInfo* tokenizer = nullptr;  // nullptr where the file names none or an unknown one
  // Of byte pairs; nullptr for other tokenizers and for an unknown one.
  const PretokenizerInfo* pretokenizer = nullptr;
  bool has_tokens = false;  // keys.tokens is an array of strings
  std::uint64_t token_count = 0;
  TokenFacts facts;

  [[nodiscard]] bool Is(TokenizerKind kind) const {
    return tokenizer != nullptr && tokenizer->kind == kind;
  }
};

// VocabularyOf gives what is known of a file's tokenizer, found out in one walk over the tokens.
[[nodiscard]] const Vocabulary& VocabularyOf(const Context& context);

// Tokens are the tokens of a vocabulary that has some, and TypeOf the type of one; nothing where
// the file gives none of the right kind.
[[nodiscard]] LeafArray TokensOf(const Vocabulary& vocabulary);
[[nodiscard]] Bytes TypesOf(const Document& document, const Vocabulary& vocabulary);
[[nodiscard]] inline std::optional<TokenType> TypeIn(Bytes types, ByteOrder order,
                                                     std::uint64_t index) {
  if (index >= types.size() / sizeof(std::int32_t)) return std::nullopt;
  return TokenType{Load<std::int32_t>(types.subspan(index * sizeof(std::int32_t)), order)};
}
[[nodiscard]] std::optional<TokenType> TypeOf(const Document& document,
                                              const Vocabulary& vocabulary, std::uint64_t index);

// LookForBytes adds what only tokenizers that spell text in bytes are asked for. token_bytes.cc.
void LookForBytes(const Document& document, const Vocabulary& vocabulary, TokenFacts& facts);

// ByteTokenText is `<0xHH>`.
[[nodiscard]] std::string ByteTokenText(std::size_t byte);

// IsByteToken is true for `<0xHH>`, in capitals or not.
[[nodiscard]] bool IsByteToken(std::string_view text);

// HasUnknownToken tells whether text without a token of its own gets one: by its key or by the
// tokenizer's default. check/rules/tokenizer/ids.cc.
[[nodiscard]] bool HasUnknownToken(const Context& context, const Vocabulary& vocabulary);

// LengthRange is where the length of the token stands that `tokens` is at.
[[nodiscard]] ByteRange LengthRange(const StringArray& tokens);

// CountRange is where an array's number of elements stands.
[[nodiscard]] ByteRange CountRange(const MetadataEntry& array);

// UnlessLlamaCpp is what a finding weighs at most that profile llama.cpp takes for an error only
// where `error_there`.
[[nodiscard]] Severity UnlessLlamaCpp(const Context& context, bool error_there);

// WhereRefused is what a finding weighs at most of which llama.cpp refuses the file without harm.
[[nodiscard]] Severity WhereRefused(const Context& context);

}  // namespace ggufgate
