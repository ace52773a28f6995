// Vocabularies and special tokens.

#include <algorithm>

#include "corpus/recipes/recipe.h"

namespace ggufgate::corpus {
namespace {

using Strings = std::vector<std::string>;
using Types = std::vector<std::int32_t>;

constexpr std::string_view kGgml = "tokenizer.ggml.";

std::string Key(std::string_view name) { return std::string(kGgml) + std::string(name); }

Recipe Case(std::string file, std::string shows, Verdict verdict, std::vector<std::string> rules,
            std::string recipe, std::function<void(Model&)> edit) {
  return {.file = std::move(file),
          .shows = std::move(shows),
          .verdict = verdict,
          .rules = std::move(rules),
          .recipe = std::move(recipe),
          .make = Edit(std::move(edit))};
}

// Errors of profile gate that the specification says nothing of.
constexpr Verdict kOnlySpecAccepts = kOnlySpec;
// Warned of, and refused or died of by llama.cpp.
constexpr Verdict kOnlyLlamaCppRejects{.gate = true, .llama_cpp = false, .spec = true};

// Texts are the tokens of a byte-pair vocabulary: letters, from `a` on.
Strings Letters(std::size_t count) {
  Strings tokens;
  for (std::size_t i = 0; i < count; ++i) tokens.emplace_back(1, static_cast<char>('a' + i));
  return tokens;
}

void SetTokens(Model& m, std::string_view tokenizer, const Strings& tokens) {
  m.Set(Key("model"), tokenizer).Set(Key("tokens"), tokens);
}

// BytePairs has no byte tokens and no special ones of its own: twelve letters, so that its default
// id, 11, is there.
void BytePairs(Model& m, std::size_t count = 12) {
  SetTokens(m, "gpt2", Letters(count));
  m.Set(Key("merges"), Strings{"a b"});
}

Strings ByteTokens() {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  Strings tokens;
  for (std::size_t byte = 0; byte < 256; ++byte) {
    tokens.push_back({'<', '0', 'x', kDigits.at(byte / 16), kDigits.at(byte % 16), '>'});
  }
  return tokens;
}

// SentencePiece has three special tokens, those of `bytes`, and `more`.
void SentencePiece(Model& m, const Strings& bytes, const Strings& more = {"a"}) {
  Strings tokens = {"<unk>", "<s>", "</s>"};
  tokens.insert(tokens.end(), bytes.begin(), bytes.end());
  tokens.insert(tokens.end(), more.begin(), more.end());
  SetTokens(m, "llama", tokens);
}

void Unigram(Model& m) { SetTokens(m, "t5", {"<pad>", "</s>", "<unk>", "\xE2\x96\x81", "a", "b"}); }

void WordPiece(Model& m) {
  SetTokens(m, "bert",
            {"[PAD]", "[UNK]", "[CLS]", "[SEP]",
             "\xE2\x96\x81"
             "a",
             "b"});
}

void WordPieceIds(Model& m) {
  m.Set(Key("unknown_token_id"), std::uint32_t{1});
  m.Set(Key("bos_token_id"), std::uint32_t{2});
  m.Set(Key("seperator_token_id"), std::uint32_t{3});
}

Recipes ArrayRecipes() {
  return {
      Case("invalid/tokenizer-array-type.gguf", "token types as u32; llama.cpp refuses", kReject,
           {"tokenizer-array-type"}, "twelve letters, their types an array of u32",
           [](Model& m) {
             BytePairs(m);
             m.Set(Key("token_type"), std::vector<std::uint32_t>(12, 1));
           }),
      Case("invalid/tokenizer-array-type.scalar.gguf",
           "the scores are one f32 and no array; llama.cpp refuses", kReject,
           {"tokenizer-array-type"}, "twelve letters, scores f32 1",
           [](Model& m) {
             BytePairs(m);
             m.Set(Key("scores"), 1.0F);
           }),
      Case("invalid/tokenizer-array-type.merges.gguf", "merges as bytes; llama.cpp refuses",
           kReject, {"tokenizer-array-type"}, "twelve letters, merges an array of one u8",
           [](Model& m) {
             BytePairs(m);
             m.Set(Key("merges"), std::vector<std::uint8_t>{1});
           }),
      Case("valid/tokenizer-array-type.whole-scores.warned.gguf",
           "scores as i32: so writers store whole scores, and llama.cpp v0.5.0 loads them",
           kOnlySpecRejects, {"tokenizer-array-type"}, "twelve letters, scores an array of i32",
           [](Model& m) {
             BytePairs(m);
             m.Set(Key("scores"), std::vector<std::int32_t>(12, -1));
           }),
      Case("valid/tokenizer-array-type.near-miss.gguf", "token types as i32, scores as f32",
           kAccept, {}, "twelve letters with scores and types",
           [](Model& m) {
             BytePairs(m);
             m.Set(Key("scores"), std::vector<float>(12, 0)).Set(Key("token_type"), Types(12, 1));
           }),
      Case("invalid/tokenizer-array-length.gguf",
           "a score less than there are tokens; llama.cpp refuses", kReject,
           {"tokenizer-array-length"}, "twelve letters, eleven scores",
           [](Model& m) {
             BytePairs(m);
             m.Set(Key("scores"), std::vector<float>(11, 0));
           }),
      Case("invalid/tokenizer-array-length.longer.gguf",
           "a token type more than there are tokens; llama.cpp loads", kOnlyLlamaCpp,
           {"tokenizer-array-length"}, "twelve letters, thirteen types",
           [](Model& m) {
             BytePairs(m);
             m.Set(Key("token_type"), Types(13, 1));
           }),
      Case("valid/tokenizer-array-length.near-miss.gguf", "a type for each token", kAccept, {},
           "twelve letters, twelve types",
           [](Model& m) {
             BytePairs(m);
             m.Set(Key("token_type"), Types(12, 1));
           }),
  };
}

Recipes IdRecipes() {
  return {
      Case("invalid/token-id-range.gguf",
           "the end of a text is a token one past the last; llama.cpp takes its default",
           kOnlyLlamaCpp, {"token-id-range"}, "twelve letters, eos_token_id 12",
           [](Model& m) {
             BytePairs(m);
             m.Set(Key("eos_token_id"), std::uint32_t{12});
           }),
      Case("invalid/token-id-range.u64.gguf", "an id as u64; llama.cpp refuses", kReject,
           {"token-id-range"}, "twelve letters, eos_token_id u64 3",
           [](Model& m) {
             BytePairs(m);
             m.Set(Key("eos_token_id"), std::uint64_t{3});
           }),
      Case("valid/token-id-range.i32.warned.gguf", "an id as i32; llama.cpp refuses",
           {.gate = true, .llama_cpp = false, .spec = false}, {"token-id-range"},
           "twelve letters, eos_token_id i32 3",
           [](Model& m) {
             BytePairs(m);
             m.Set(Key("eos_token_id"), std::int32_t{3});
           }),
      Case("valid/token-id-range.image.warned.gguf",
           "an id no loader reads, one past the vocabulary, as in published models", kAccept,
           {"token-id-range"}, "twelve letters, image_token_id 12",
           [](Model& m) {
             BytePairs(m);
             m.Set(Key("image_token_id"), std::uint32_t{12});
           }),
      Case("valid/token-id-range.near-miss.gguf", "the last token there is, and none at all",
           kAccept, {}, "twelve letters, eos_token_id 11, padding_token_id 2^32-1",
           [](Model& m) {
             BytePairs(m);
             m.Set(Key("eos_token_id"), std::uint32_t{11});
             m.Set(Key("padding_token_id"), UINT32_MAX);
           }),
  };
}

Recipes SizeRecipes() {
  return {
      Case("invalid/vocabulary-size.gguf", "a SentencePiece vocabulary without tokens",
           kOnlySpecAccepts, {"vocabulary-size"}, "tokenizer llama, no tokens",
           [](Model& m) { SetTokens(m, "llama", {}); }),
      Case("invalid/vocabulary-size.default.gguf",
           "eleven tokens for gpt2, whose default special token is the twelfth; llama.cpp loads",
           kOnlyGateRejects, {"vocabulary-size"}, "eleven letters, no ids",
           [](Model& m) { BytePairs(m, 11); }),
      Case("invalid/vocabulary-size.add-bos.gguf",
           "t5 is to begin a text with a token that nobody names: llama.cpp dies of an assertion",
           kOnlySpecAccepts, {"vocabulary-size"}, "six tokens, add_bos_token true",
           [](Model& m) {
             Unigram(m);
             m.Set(Key("add_bos_token"), true);
           }),
      Case("valid/vocabulary-size.absent.warned.gguf",
           "a tokenizer is named, its tokens are absent; llama.cpp refuses", kOnlyLlamaCppRejects,
           {"vocabulary-size"}, "tokenizer gpt2, no array of tokens",
           [](Model& m) { m.Set(Key("model"), "gpt2"); }),
      Case("valid/vocabulary-size.near-miss.gguf", "no vocabulary, and a tokenizer that says so",
           kAccept, {}, "tokenizer no_vocab, an empty array of tokens",
           [](Model& m) { SetTokens(m, "no_vocab", {}); }),
      Case(
          "valid/vocabulary-size.named.near-miss.gguf",
          "a small vocabulary that names its special tokens", kAccept, {},
          "three letters, bos_token_id 0, eos_token_id 1, add_bos_token true",
          [](Model& m) {
            BytePairs(m, 3);
            m.Set(Key("bos_token_id"), std::uint32_t{0}).Set(Key("eos_token_id"), std::uint32_t{1});
            m.Set(Key("add_bos_token"), true);
          }),
      Case("invalid/vocabulary-byte-tokens.gguf",
           "a SentencePiece vocabulary without byte tokens: llama.cpp loads it and dies at the "
           "first text",
           kOnlySpecAccepts, {"vocabulary-byte-tokens"}, "three special tokens and a letter",
           [](Model& m) { SentencePiece(m, {}); }),
      Case("invalid/vocabulary-byte-tokens.lower-case.gguf",
           "byte tokens in lower case, which llama.cpp does not find", kOnlySpecAccepts,
           {"vocabulary-byte-tokens"}, "<0xaa>, <0xab>, <0xac>",
           [](Model& m) { SentencePiece(m, {"<0xaa>", "<0xab>", "<0xac>"}); }),
      Case("valid/vocabulary-byte-tokens.some.warned.gguf", "all byte tokens but the last", kAccept,
           {"vocabulary-byte-tokens"}, "<0x00> to <0xFE>",
           [](Model& m) {
             Strings bytes = ByteTokens();
             bytes.pop_back();
             SentencePiece(m, bytes);
           }),
      Case("valid/vocabulary-byte-tokens.near-miss.gguf", "all 256 byte tokens", kAccept, {},
           "<0x00> to <0xFF>", [](Model& m) { SentencePiece(m, ByteTokens()); }),
      Case("valid/vocabulary-special-tokens.warned.gguf",
           "a WordPiece vocabulary of six tokens that names none of the three it needs: llama.cpp "
           "dies of an assertion at the first text",
           kOnlyLlamaCppRejects, {"vocabulary-special-tokens"}, "[CLS] and others, no ids",
           WordPiece),
      Case("valid/vocabulary-special-tokens.near-miss.gguf",
           "the same with the ids of [CLS], [SEP] and [UNK]", kAccept, {},
           "bos_token_id, seperator_token_id, unknown_token_id",
           [](Model& m) {
             WordPiece(m);
             WordPieceIds(m);
           }),
  };
}

Recipes TokenRecipes() {
  return {
      Case("invalid/byte-token.gguf", "a token of type byte that is a letter; llama.cpp refuses",
           kOnlySpecAccepts, {"byte-token"}, "twelve letters, the last of type 6",
           [](Model& m) {
             BytePairs(m);
             Types types(12, 1);
             types.back() = 6;
             m.Set(Key("token_type"), types);
           }),
      Case("invalid/byte-token.word-piece.gguf",
           "a token of type byte in a WordPiece vocabulary: llama.cpp dies at loading",
           kOnlySpecAccepts, {"byte-token"}, "six tokens, the last of type 6",
           [](Model& m) {
             WordPiece(m);
             WordPieceIds(m);
             m.Set(Key("token_type"), Types{3, 2, 3, 3, 1, 6});
           }),
      Case("valid/byte-token.near-miss.gguf", "byte tokens, in capitals and not", kAccept, {},
           "<0x41> and <0xfe> of type 6",
           [](Model& m) {
             BytePairs(m);
             Strings tokens = Letters(12);
             tokens.insert(tokens.end(), {"<0x41>", "<0xfe>"});
             m.Set(Key("tokens"), tokens);
             Types types(14, 1);
             std::fill(types.end() - 2, types.end(), 6);
             m.Set(Key("token_type"), types);
           }),
      // A token over the default limit makes a file of 64 KiB, so this is for the limits/ folder.
      {.file = "limits/token-length.gguf",
       .shows = "a token longer than the limit; llama.cpp loads",
       .verdict = {.gate = false, .llama_cpp = true, .spec = true},
       .rules = {"token-length"},
       .recipe = "twelve letters and one of 100 bytes, under a limit of 64",
       .make = Edit([](Model& m) {
         BytePairs(m);
         Strings tokens = Letters(12);
         tokens.emplace_back(100, 'x');
         m.Set(Key("tokens"), tokens);
       }),
       .limits = {{"token_bytes", 64}}},
      Case("valid/token-length.near-miss.gguf", "a long token, far from the limit", kAccept, {},
           "twelve letters and one of 4,096 bytes",
           [](Model& m) {
             BytePairs(m);
             Strings tokens = Letters(12);
             tokens.emplace_back(4096, 'x');
             m.Set(Key("tokens"), tokens);
           }),
      Case("valid/token-duplicate.warned.gguf",
           "a token twice: llama.cpp dies of an assertion, yet official models have such",
           kOnlyLlamaCppRejects, {"token-duplicate"}, "twelve letters and `c` again",
           [](Model& m) {
             BytePairs(m);
             Strings tokens = Letters(12);
             tokens.emplace_back("c");
             m.Set(Key("tokens"), tokens);
           }),
      Case("valid/token-duplicate.near-miss.gguf",
           "tokens that differ in case or in a blank, and two without text, which llama.cpp names "
           "itself",
           kAccept, {}, "twelve letters, `C`, `c `, two empty ones",
           [](Model& m) {
             BytePairs(m);
             Strings tokens = Letters(12);
             tokens.insert(tokens.end(), {"C", "c ", "", ""});
             m.Set(Key("tokens"), tokens);
           }),
  };
}

// Charsmap is the size of a trie, the trie in zeros, and the replacements.
FileBytes Charsmap(std::uint32_t claimed, std::uint64_t trie_bytes, std::string_view replacements) {
  return Encoder(ByteOrder::kLittle)
      .Put(claimed)
      .PutZeros(trie_bytes)
      .PutBytes(AsBytes(replacements))
      .Take();
}

Recipe Map(std::string file, std::string shows, Verdict verdict, std::vector<std::string> rules,
           std::string recipe, const FileBytes& map) {
  return Case(std::move(file), std::move(shows), verdict, std::move(rules), std::move(recipe),
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
          "a trie of 6 bytes, one and a half numbers; llama.cpp loads", kOnlyGateRejects,
          {"charsmap"}, "size 6, 6 bytes of trie, `b` NUL", Charsmap(6, 6, "b\0"sv)),
      Map("invalid/charsmap.no-nul.gguf",
          "the last replacement has no end: a text that is replaced by it runs on",
          kOnlySpecAccepts, {"charsmap"}, "size 8, 8 bytes of trie, `b`", Charsmap(8, 8, "b")),
      Map("invalid/charsmap.no-replacements.gguf", "nothing behind the trie; llama.cpp refuses",
          kOnlySpecAccepts, {"charsmap"}, "size 8, 8 bytes of trie", Charsmap(8, 8, "")),
      Map("valid/charsmap.near-miss.gguf", "a trie of two numbers and a replacement", kAccept, {},
          "size 8, 8 bytes of trie, `b` NUL", Charsmap(8, 8, "b\0"sv)),
  };
}

}  // namespace

Recipes TokenizerRecipes() {
  Recipes all;
  for (const auto& part :
       {ArrayRecipes(), IdRecipes(), SizeRecipes(), TokenRecipes(), CharsmapRecipes()}) {
    all.insert(all.end(), part.begin(), part.end());
  }
  return all;
}

}  // namespace ggufgate::corpus
