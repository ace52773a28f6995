// Vocabularies that load, and the effects of texts on them: bytes, words, character maps, cost.

#include <array>

#include "corpus/recipes/tokenizer_parts.h"

namespace ggufgate::corpus {
namespace {

// Bytes in the notation of RWKV: each is a token; those that are not letters are escaped.
Strings EscapedBytes() {
  constexpr std::string_view kDigits = "0123456789abcdef";
  Strings tokens = {"<s>"};
  for (std::size_t byte = 0; byte < 256; ++byte) {
    const char c = static_cast<char>(byte);
    const bool plain = byte > 0x20 && byte < 0x7F && c != '\\';
    tokens.push_back(plain ? std::string(1, c)
                           : std::string{'\\', 'x', kDigits.at(byte / 16), kDigits.at(byte % 16)});
  }
  return tokens;
}

// Plamo2 adds its four special tokens, all byte tokens, and `more`.
void Plamo2(Model& m, const Strings& more, bool typed = true) {
  Strings tokens = {"<|plamo:unk|>", "<|plamo:bos|>", "<|plamo:eos|>", "<|plamo:pad|>"};
  const Strings bytes = ByteTokens();
  tokens.insert(tokens.end(), bytes.begin(), bytes.end());
  tokens.insert(tokens.end(), more.begin(), more.end());
  SetTokens(m, "plamo2", tokens);
  Types types(tokens.size(), 1);
  std::fill(types.begin() + 4, types.begin() + 4 + (typed ? 256 : 255), 6);
  m.Set(Key("token_type"), types);
}

Recipes WordRecipes() {
  return {
      FromBase("valid/tokenizer-unknown.warned.gguf",
               "a tokenizer that llama.cpp refuses as unknown", kOnlyLlamaCppRejects,
               {"tokenizer-unknown"}, "twelve letters, tokenizer replit",
               [](Model& m) {
                 BytePairs(m);
                 m.Set(Key("model"), "replit");
               }),
      FromBase("valid/tokenizer-unknown.near-miss.gguf", "a tokenizer by its right name", kAccept,
               {}, "twelve letters, tokenizer gpt2", [](Model& m) { BytePairs(m); }),
      FromBase("invalid/pretokenizer.gguf",
               "blanks are left in the text: llama.cpp dies of an assertion at two in a row",
               kOnlySpecAccepts, {"pretokenizer"}, "tokenizer gpt2, pre-tokenizer whitespace",
               [](Model& m) {
                 BytePairs(m);
                 m.Set(Key("pre"), "whitespace");
               }),
      FromBase("valid/pretokenizer.warned.gguf",
               "a pre-tokenizer of a later release; llama.cpp v0.5.0 refuses", kOnlyLlamaCppRejects,
               {"pretokenizer"}, "tokenizer gpt2, pre-tokenizer unheard-of",
               [](Model& m) {
                 BytePairs(m);
                 m.Set(Key("pre"), "unheard-of");
               }),
      FromBase("valid/pretokenizer.absent.warned.gguf",
               "no word for the pre-tokenizer: llama.cpp takes its default", kAccept,
               {"pretokenizer"}, "tokenizer gpt2, no tokenizer.ggml.pre",
               [](Model& m) {
                 BytePairs(m);
                 std::erase_if(m.metadata,
                               [](const Model::Entry& entry) { return entry.key == Key("pre"); });
               }),
      FromBase("valid/pretokenizer.default.warned.gguf",
               "the word for the default of llama.cpp, where the model has its own", kAccept,
               {"pretokenizer"}, "tokenizer gpt2, pre-tokenizer default",
               [](Model& m) {
                 BytePairs(m);
                 m.Set(Key("pre"), "default");
               }),
      FromBase("valid/pretokenizer.near-miss.gguf", "a tokenizer that hands no blanks on", kAccept,
               {}, "tokenizer whitespace, pre-tokenizer whitespace",
               [](Model& m) {
                 BytePairs(m);
                 m.Set(Key("model"), "whitespace").Set(Key("pre"), "whitespace");
               }),
      FromBase("valid/tokenizer-refused.warned.gguf",
               "byte pairs without merges; llama.cpp refuses", kOnlyLlamaCppRejects,
               {"tokenizer-refused"}, "twelve letters, no merges",
               [](Model& m) {
                 SetTokens(m, "gpt2", Letters(12));
                 m.Set(Key("pre"), "gpt-2");
               }),
      FromBase("valid/tokenizer-refused.phi-3.warned.gguf",
               "a model of that name, without the tokens llama.cpp looks for in it",
               kOnlyLlamaCppRejects, {"tokenizer-refused"}, "twelve letters, general.name Phi-3",
               [](Model& m) {
                 BytePairs(m);
                 m.Set("general.name", "Phi-3");
               }),
      FromBase("valid/tokenizer-refused.near-miss.gguf", "the pre-tokenizer that needs no merges",
               kAccept, {}, "twelve letters, pre-tokenizer kimi-k2",
               [](Model& m) {
                 SetTokens(m, "gpt2", Letters(12));
                 m.Set(Key("pre"), "kimi-k2");
               }),
  };
}

Recipes ByteRecipes() {
  return {
      FromBase(
          "invalid/vocabulary-byte-tokens.rwkv.gguf",
          "a byte that begins no token, and no unknown token: llama.cpp dies at detokenising -1",
          kOnlySpecAccepts, {"vocabulary-byte-tokens"}, "all bytes but 0xff",
          [](Model& m) {
            Strings tokens = EscapedBytes();
            tokens.pop_back();
            SetTokens(m, "rwkv", tokens);
          }),
      FromBase("valid/vocabulary-byte-tokens.rwkv.near-miss.gguf", "the same with an unknown token",
               kAccept, {}, "all bytes but 0xff, unknown_token_id 0",
               [](Model& m) {
                 Strings tokens = EscapedBytes();
                 tokens.pop_back();
                 SetTokens(m, "rwkv", tokens);
                 m.Set(Key("unknown_token_id"), std::uint32_t{0});
               }),
      FromBase("valid/vocabulary-byte-tokens.plamo2.warned.gguf",
               "a byte token that is not of type byte; llama.cpp refuses", kOnlyLlamaCppRejects,
               {"vocabulary-byte-tokens"}, "<0xFF> of type 1",
               [](Model& m) { Plamo2(m, {"a"}, /*typed=*/false); }),
      FromBase("invalid/vocabulary-first-bytes.gguf",
               "`a` begins a token and is none: llama.cpp never returns from a text with it",
               kOnlySpecAccepts, {"vocabulary-first-bytes"}, "all bytes but `a`, and `ab`",
               [](Model& m) {
                 Strings tokens = EscapedBytes();
                 tokens.at(1 + 'a') = "ab";
                 SetTokens(m, "rwkv", tokens);
               }),
      FromBase("valid/vocabulary-first-bytes.near-miss.gguf", "the same with `a`, escaped", kAccept,
               {}, "all bytes, `a` as \\x61, and `ab`",
               [](Model& m) {
                 Strings tokens = EscapedBytes();
                 tokens.at(1 + 'a') = "\\x61";
                 tokens.emplace_back("ab");
                 SetTokens(m, "rwkv", tokens);
               }),
  };
}

// WordPieceOf adds 103 tokens, which include the default special ones, and `last`.
void WordPieceOf(Model& m, const std::string& last) {
  Strings tokens;
  for (std::size_t i = 0; i < 103; ++i) tokens.push_back("t" + std::to_string(i));
  tokens.push_back(last);
  SetTokens(m, "bert", tokens);
}

void Claimed(Model& m, std::uint32_t tokens) {
  m.Set("general.architecture", "llama").Set("llama.vocab_size", tokens);
  m.Set(Key("model"), "none");
}

Recipes CostRecipes() {
  return {
      FromBase("invalid/vocabulary-cost.gguf",
               "600 letters as one token of plamo2, which llama.cpp takes a second to load",
               kOnlySpecAccepts, {"vocabulary-cost"}, "one token of 600 bytes",
               [](Model& m) { Plamo2(m, {std::string(600, 'a')}); }),
      FromBase("valid/vocabulary-cost.near-miss.gguf", "a token of 460 letters", kAccept, {},
               "one token of 460 bytes", [](Model& m) { Plamo2(m, {std::string(460, 'a')}); }),
      FromBase(
          "invalid/vocabulary-utf8.gguf",
          "a byte that is no character, and the same token as it is read: llama.cpp reads beyond "
          "the end of a text",
          kOnlySpecAccepts, {"vocabulary-utf8"}, "`a` 0x80, `a` U+FFFD",
          [](Model& m) { Plamo2(m, {"a\x80", "a\xEF\xBF\xBD"}); }),
      FromBase("valid/vocabulary-utf8.near-miss.gguf", "half of a surrogate pair, as it is read",
               kAccept, {}, "`a` U+D800, `a` U+FFFD",
               [](Model& m) { Plamo2(m, {"a\xED\xA0\x80", "a\xEF\xBF\xBD"}); }),
      {.file = "limits/vocabulary-cost.byte-pairs.gguf",
       .shows = "a token of 1,000 blanks, which are letters of no byte: a megabyte in memory",
       .verdict = kOnlySpecAccepts,
       .rules = {"vocabulary-cost"},
       .recipe = "twelve letters and 1,000 blanks, under a limit of 900,000",
       .make = Edit([](Model& m) {
         BytePairs(m);
         Strings tokens = Letters(12);
         tokens.emplace_back(1000, ' ');
         m.Set(Key("tokens"), tokens);
       }),
       .limits = {{"vocabulary_steps", 900'000}}},
      FromBase("invalid/token-length.word-piece.gguf",
               "a token of 1,025 bytes, for which llama.cpp tries as many lengths at each letter",
               kOnlySpecAccepts, {"token-length"}, "104 tokens of tokenizer bert, one of them long",
               [](Model& m) { WordPieceOf(m, std::string(1025, 'x')); }),
      FromBase("valid/token-length.word-piece.near-miss.gguf", "a token of 1,024 bytes", kAccept,
               {}, "104 tokens of tokenizer bert, one of them long",
               [](Model& m) { WordPieceOf(m, std::string(1024, 'x')); }),
      FromBase("invalid/vocabulary-claimed.gguf",
               "2^26 tokens claimed: llama.cpp takes 2.5 GB before it looks at a tensor",
               kOnlySpecAccepts, {"memory-demand", "vocabulary-claimed"},
               "tokenizer none, vocab_size 2^26", [](Model& m) { Claimed(m, 1U << 26); }),
      FromBase("valid/vocabulary-claimed.near-miss.gguf", "as many tokens as the limit", kAccept,
               {}, "tokenizer none, vocab_size 2,000,000", [](Model& m) { Claimed(m, 2'000'000); }),
  };
}

// Charsmap returns the size of a trie, the trie in zeros, and the replacements.
FileBytes Charsmap(std::uint32_t claimed, std::uint64_t trie_bytes, std::string_view replacements) {
  return Encoder(ByteOrder::kLittle)
      .Put(claimed)
      .PutZeros(trie_bytes)
      .PutBytes(AsBytes(replacements))
      .Take();
}

// OneReplaced returns a character map that replaces `a` by the text at `offset`. The root's base is
// 1, so `a` leads to node 0x60, whose base leads to the value, number 2.
FileBytes OneReplaced(std::uint32_t offset, std::string_view replacements) {
  constexpr std::uint32_t kNode = 'a' ^ 1U;
  constexpr std::uint32_t kValue = 2;
  std::array<std::uint32_t, 256> trie{};
  trie.at(0) = 1U << 10;
  trie.at(kNode) = 'a' | 1U << 8 | (kNode ^ kValue) << 10;
  trie.at(kValue) = offset | 1U << 31;
  Encoder map(ByteOrder::kLittle);
  map.Put(std::uint32_t{1024});
  for (const std::uint32_t number : trie) map.Put(number);
  return map.PutBytes(AsBytes(replacements)).Take();
}

Recipe Map(std::string file, std::string shows, Verdict verdict, std::vector<std::string> rules,
           std::string recipe, const FileBytes& map) {
  return FromBase(std::move(file), std::move(shows), verdict, std::move(rules), std::move(recipe),
                  [map](Model& m) {
                    Unigram(m);
                    m.Set(Key("precompiled_charsmap"), map);
                  });
}

Recipes CharsmapRecipes() {
  using namespace std::string_view_literals;
  return {
      Map("invalid/charsmap.gguf",
          "a trie of 16 bytes is claimed where 8 are left; llama.cpp refuses", kOnlySpecAccepts,
          {"charsmap"}, "size 16, 6 bytes of trie, `b` NUL", Charsmap(16, 6, "b\0"sv)),
      Map("invalid/charsmap.short.gguf", "three bytes, too short for the size; llama.cpp refuses",
          kOnlySpecAccepts, {"charsmap"}, "three zero bytes", FileBytes(3)),
      Map("invalid/charsmap.cut-number.gguf",
          "a trie of 1,026 bytes, half a number too long; llama.cpp loads", kOnlyGateRejects,
          {"charsmap"}, "size 1026, 1026 bytes of trie, `b` NUL", Charsmap(1026, 1026, "b\0"sv)),
      Map("invalid/charsmap.no-nul.gguf",
          "the last replacement has no end: a text that is replaced by it runs on",
          kOnlySpecAccepts, {"charsmap"}, "size 8, 8 bytes of trie, `b`", Charsmap(8, 8, "b")),
      Map("invalid/charsmap.no-replacements.gguf", "nothing behind the trie; llama.cpp refuses",
          kOnlySpecAccepts, {"charsmap"}, "size 8, 8 bytes of trie", Charsmap(8, 8, "")),
      Map("valid/charsmap.near-miss.gguf", "a trie of 256 numbers and a replacement", kAccept, {},
          "size 1024, 1024 bytes of trie, `b` NUL", Charsmap(1024, 1024, "b\0"sv)),
      Map("invalid/charsmap-walk.gguf",
          "a trie of two numbers, as large as it says: the first letter leads out of it",
          kOnlySpecAccepts, {"charsmap-walk"}, "size 8, 8 bytes of trie, `b` NUL",
          Charsmap(8, 8, "b\0"sv)),
      Map("invalid/charsmap-walk.replacement.gguf",
          "`a` is replaced by what stands at byte 2 of two", kOnlySpecAccepts, {"charsmap-walk"},
          "one node, `b` NUL", OneReplaced(2, "b\0"sv)),
      Map("invalid/charsmap-walk.long.gguf", "`a` is replaced by 1,025 letters", kOnlySpecAccepts,
          {"charsmap-walk"}, "one node, 1,025 times `b`, NUL",
          OneReplaced(0, std::string(1025, 'b') + '\0')),
      Map("valid/charsmap-walk.near-miss.gguf", "`a` is replaced by 1,024 letters", kAccept, {},
          "one node, 1,024 times `b`, NUL", OneReplaced(0, std::string(1024, 'b') + '\0')),
  };
}

}  // namespace

Recipes TokenizerTextRecipes() {
  Recipes all;
  for (const auto& part : {WordRecipes(), ByteRecipes(), CostRecipes(), CharsmapRecipes()}) {
    all.insert(all.end(), part.begin(), part.end());
  }
  return all;
}

}  // namespace ggufgate::corpus
