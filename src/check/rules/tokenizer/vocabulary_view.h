#pragma once

// Facts for the rules about vocabularies. Not for users of the library.

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

// The keys under `tokenizer.ggml.` that the rules use; nullptr for absent ones.
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

// TokenFacts has the results of one walk over the tokens. They are counts: to report tokens, a rule
// walks again.
struct TokenFacts {
  std::uint64_t longest = 0;          // bytes
  std::uint64_t squares = 0;          // sum of squared sizes of tokens above kUsualBytes
  std::vector<Repeat> repeats = {};   // repeated texts, without empty ones
  std::bitset<256> byte_tokens = {};  // `<0x00>` to `<0xFF>`, in capitals, as llama.cpp requires
  std::bitset<256> bytes = {};        // tokens of a single byte
  std::uint64_t typed_bytes = 0;      // tokens of type byte
  std::uint64_t wrong_bytes = 0;      // those not of the form `<0xHH>`, or beyond the tokens
  // For PLaMo 2: `<0xHH>` of type byte, in any case, except token 0.
  std::bitset<256> typed_byte_tokens = {};
  // For RWKV, after escapes are replaced: first bytes of tokens, and tokens of one byte.
  std::bitset<256> first_bytes = {};
  std::bitset<256> whole_bytes = {};
};

// Vocabulary is the tokenizer of a file.
struct Vocabulary {
  TokenizerKeys keys;
  const TokenizerInfo* tokenizer = nullptr;  // nullptr if absent or unknown
  // For byte pairs; nullptr for other tokenizers, and if unknown.
  const PretokenizerInfo* pretokenizer = nullptr;
  bool has_tokens = false;  // keys.tokens is an array of strings
  std::uint64_t token_count = 0;
  TokenFacts facts;

  [[nodiscard]] bool Is(TokenizerKind kind) const {
    return tokenizer != nullptr && tokenizer->kind == kind;
  }
};

// VocabularyOf returns the facts about a file's tokenizer, from one walk over the tokens.
[[nodiscard]] const Vocabulary& VocabularyOf(const Context& context);

// TokensOf returns the tokens of a vocabulary that has some. TypeOf returns the type of a token;
// nullopt if the file has no valid types.
[[nodiscard]] LeafArray TokensOf(const Vocabulary& vocabulary);
[[nodiscard]] Bytes TypesOf(const Document& document, const Vocabulary& vocabulary);
[[nodiscard]] inline std::optional<TokenType> TypeIn(Bytes types, ByteOrder order,
                                                     std::uint64_t index) {
  if (index >= types.size() / sizeof(std::int32_t)) return std::nullopt;
  return TokenType{Load<std::int32_t>(types.subspan(index * sizeof(std::int32_t)), order)};
}
[[nodiscard]] std::optional<TokenType> TypeOf(const Document& document,
                                              const Vocabulary& vocabulary, std::uint64_t index);

// LookForBytes adds facts for tokenizers that spell text in bytes. Defined in token_bytes.cc.
void LookForBytes(const Document& document, const Vocabulary& vocabulary, TokenFacts& facts);

// ByteTokenText returns `<0xHH>`.
[[nodiscard]] std::string ByteTokenText(std::size_t byte);

// IsByteToken is true for `<0xHH>`, in any case.
[[nodiscard]] bool IsByteToken(std::string_view text);

// HasUnknownToken returns whether text without a matching token gets the unknown token: by its key
// or by the tokenizer's default. Defined in check/rules/tokenizer/ids.cc.
[[nodiscard]] bool HasUnknownToken(const Context& context, const Vocabulary& vocabulary);

// LengthRange returns the place of the length of the current token of `tokens`.
[[nodiscard]] ByteRange LengthRange(const StringArray& tokens);

// CountRange returns the place of an array's number of elements.
[[nodiscard]] ByteRange CountRange(const MetadataEntry& array);

// UnlessLlamaCpp returns the highest severity of a finding that is an error in profile llama.cpp
// only if `error_there`.
[[nodiscard]] Severity UnlessLlamaCpp(const Context& context, bool error_there);

// WhereRefused returns the highest severity of a finding about a file that llama.cpp refuses
// without harm.
[[nodiscard]] Severity WhereRefused(const Context& context);

}  // namespace ggufgate
