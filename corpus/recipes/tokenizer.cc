// Vocabularies and special tokens.

#include <algorithm>

#include "corpus/recipes/tokenizer_parts.h"

namespace ggufgate::corpus {
namespace {

// SentencePiece adds three special tokens, those of `bytes`, and `more`.
void SentencePiece(Model& m, const Strings& bytes, const Strings& more = {"a"}) {
  Strings tokens = {"<unk>", "<s>", "</s>"};
  tokens.insert(tokens.end(), bytes.begin(), bytes.end());
  tokens.insert(tokens.end(), more.begin(), more.end());
  SetTokens(m, "llama", tokens);
}

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
      FromBase("invalid/tokenizer-array-type.gguf", "token types as u16; llama.cpp refuses",
               kReject, {"tokenizer-array-type"}, "twelve letters, their types an array of u16",
               [](Model& m) {
                 BytePairs(m);
                 m.Set(Key("token_type"), std::vector<std::uint16_t>(12, 1));
               }),
      FromBase("valid/tokenizer-array-type.types.warned.gguf",
               "token types as u32, as mlx-lm writes them; llama.cpp refuses", kOnlyGate,
               {"tokenizer-array-type"}, "twelve letters, their types an array of u32",
               [](Model& m) {
                 BytePairs(m);
                 m.Set(Key("token_type"), std::vector<std::uint32_t>(12, 1));
               }),
      FromBase("invalid/tokenizer-array-type.scalar.gguf",
               "the scores are one f32 and no array; llama.cpp refuses", kReject,
               {"tokenizer-array-type"}, "twelve letters, scores f32 1",
               [](Model& m) {
                 BytePairs(m);
                 m.Set(Key("scores"), 1.0F);
               }),
      FromBase("invalid/tokenizer-array-type.merges.gguf", "merges as bytes; llama.cpp refuses",
               kReject, {"tokenizer-array-type"}, "twelve letters, merges an array of one u8",
               [](Model& m) {
                 BytePairs(m);
                 m.Set(Key("merges"), std::vector<std::uint8_t>{1});
               }),
      FromBase("valid/tokenizer-array-type.whole-scores.warned.gguf",
               "scores as i32: so writers store whole scores, and llama.cpp v0.5.0 loads them",
               kOnlySpecRejects, {"tokenizer-array-type"}, "twelve letters, scores an array of i32",
               [](Model& m) {
                 BytePairs(m);
                 m.Set(Key("scores"), std::vector<std::int32_t>(12, -1));
               }),
      FromBase(
          "valid/tokenizer-array-type.near-miss.gguf", "token types as i32, scores as f32", kAccept,
          {}, "twelve letters with scores and types",
          [](Model& m) {
            BytePairs(m);
            m.Set(Key("scores"), std::vector<float>(12, 0)).Set(Key("token_type"), Types(12, 1));
          }),
      FromBase("invalid/tokenizer-array-length.gguf",
               "a score less than there are tokens; llama.cpp refuses", kReject,
               {"tokenizer-array-length"}, "twelve letters, eleven scores",
               [](Model& m) {
                 BytePairs(m);
                 m.Set(Key("scores"), std::vector<float>(11, 0));
               }),
      FromBase("invalid/tokenizer-array-length.longer.gguf",
               "a token type more than there are tokens; llama.cpp loads", kOnlyLlamaCpp,
               {"tokenizer-array-length"}, "twelve letters, thirteen types",
               [](Model& m) {
                 BytePairs(m);
                 m.Set(Key("token_type"), Types(13, 1));
               }),
      FromBase("valid/tokenizer-array-length.near-miss.gguf", "a type for each token", kAccept, {},
               "twelve letters, twelve types",
               [](Model& m) {
                 BytePairs(m);
                 m.Set(Key("token_type"), Types(12, 1));
               }),
  };
}

Recipes IdRecipes() {
  return {
      FromBase("invalid/token-id-range.gguf",
               "the end of a text is a token one past the last; llama.cpp takes its default",
               kOnlyLlamaCpp, {"token-id-range"}, "twelve letters, eos_token_id 12",
               [](Model& m) {
                 BytePairs(m);
                 m.Set(Key("eos_token_id"), std::uint32_t{12});
               }),
      FromBase("invalid/token-id-range.u64.gguf", "an id as u64; llama.cpp refuses", kReject,
               {"token-id-range"}, "twelve letters, eos_token_id u64 3",
               [](Model& m) {
                 BytePairs(m);
                 m.Set(Key("eos_token_id"), std::uint64_t{3});
               }),
      FromBase("valid/token-id-range.i32.warned.gguf", "an id as i32; llama.cpp refuses",
               {.gate = true, .llama_cpp = false, .spec = false}, {"token-id-range"},
               "twelve letters, eos_token_id i32 3",
               [](Model& m) {
                 BytePairs(m);
                 m.Set(Key("eos_token_id"), std::int32_t{3});
               }),
      FromBase("valid/token-id-range.image.warned.gguf",
               "an id no loader reads, one past the vocabulary, as in published models", kAccept,
               {"token-id-range"}, "twelve letters, image_token_id 12",
               [](Model& m) {
                 BytePairs(m);
                 m.Set(Key("image_token_id"), std::uint32_t{12});
               }),
      FromBase("valid/token-id-range.near-miss.gguf", "the last token there is, and none at all",
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
      FromBase("invalid/vocabulary-size.gguf", "a SentencePiece vocabulary without tokens",
               kOnlySpecAccepts, {"vocabulary-size"}, "tokenizer llama, no tokens",
               [](Model& m) { SetTokens(m, "llama", {}); }),
      FromBase(
          "invalid/vocabulary-size.default.gguf",
          "eleven tokens for gpt2, whose default special token is the twelfth; llama.cpp loads",
          kOnlyGateRejects, {"vocabulary-size"}, "eleven letters, no ids",
          [](Model& m) { BytePairs(m, 11); }),
      FromBase(
          "invalid/vocabulary-size.add-bos.gguf",
          "t5 is to begin a text with a token that nobody names: llama.cpp dies of an assertion",
          kOnlySpecAccepts, {"vocabulary-size"}, "six tokens, add_bos_token true",
          [](Model& m) {
            Unigram(m);
            m.Set(Key("add_bos_token"), true);
          }),
      FromBase("valid/vocabulary-size.absent.warned.gguf",
               "a tokenizer is named, its tokens are absent; llama.cpp refuses",
               kOnlyLlamaCppRejects, {"vocabulary-size"}, "tokenizer gpt2, no array of tokens",
               [](Model& m) { m.Set(Key("model"), "gpt2").Set(Key("merges"), Strings{"a b"}); }),
      FromBase("valid/vocabulary-size.near-miss.gguf",
               "no vocabulary, and a tokenizer that says so", kAccept, {},
               "tokenizer no_vocab, an empty array of tokens",
               [](Model& m) { SetTokens(m, "no_vocab", {}); }),
      FromBase(
          "valid/vocabulary-size.named.near-miss.gguf",
          "a small vocabulary that names its special tokens", kAccept, {},
          "three letters, bos_token_id 0, eos_token_id 1, add_bos_token true",
          [](Model& m) {
            BytePairs(m, 3);
            m.Set(Key("bos_token_id"), std::uint32_t{0}).Set(Key("eos_token_id"), std::uint32_t{1});
            m.Set(Key("add_bos_token"), true);
          }),
      FromBase("invalid/vocabulary-byte-tokens.gguf",
               "a SentencePiece vocabulary without byte tokens: llama.cpp loads it and dies at the "
               "first text",
               kOnlySpecAccepts, {"vocabulary-byte-tokens"}, "three special tokens and a letter",
               [](Model& m) { SentencePiece(m, {}); }),
      FromBase("invalid/vocabulary-byte-tokens.lower-case.gguf",
               "byte tokens in lower case, which llama.cpp does not find", kOnlySpecAccepts,
               {"vocabulary-byte-tokens"}, "<0xaa>, <0xab>, <0xac>",
               [](Model& m) { SentencePiece(m, {"<0xaa>", "<0xab>", "<0xac>"}); }),
      FromBase("invalid/vocabulary-byte-tokens.some.gguf",
               "all byte tokens but the last: llama.cpp dies at the first text with that byte",
               kOnlySpecAccepts, {"vocabulary-byte-tokens"}, "<0x00> to <0xFE>",
               [](Model& m) {
                 Strings bytes = ByteTokens();
                 bytes.pop_back();
                 SentencePiece(m, bytes);
               }),
      FromBase("valid/vocabulary-byte-tokens.near-miss.gguf", "all 256 byte tokens", kAccept, {},
               "<0x00> to <0xFF>", [](Model& m) { SentencePiece(m, ByteTokens()); }),
      FromBase(
          "invalid/vocabulary-special-tokens.gguf",
          "a WordPiece vocabulary of six tokens that names none of the three it needs: llama.cpp "
          "dies of an assertion at the first text",
          kOnlySpecAccepts, {"vocabulary-special-tokens"}, "[CLS] and others, no ids", WordPiece),
      FromBase("valid/vocabulary-special-tokens.near-miss.gguf",
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
      FromBase("invalid/byte-token.gguf",
               "a token of type byte that is a letter; llama.cpp refuses", kOnlySpecAccepts,
               {"byte-token"}, "twelve letters, the last of type 6",
               [](Model& m) {
                 BytePairs(m);
                 Types types(12, 1);
                 types.back() = 6;
                 m.Set(Key("token_type"), types);
               }),
      FromBase("invalid/byte-token.word-piece.gguf",
               "a token of type byte in a WordPiece vocabulary: llama.cpp dies at loading",
               kOnlySpecAccepts, {"byte-token"}, "six tokens, the last of type 6",
               [](Model& m) {
                 WordPiece(m);
                 WordPieceIds(m);
                 m.Set(Key("token_type"), Types{3, 2, 3, 3, 1, 6});
               }),
      FromBase("valid/byte-token.near-miss.gguf", "byte tokens, in capitals and not", kAccept, {},
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
      // A token above the default limit makes a file of 64 KiB, so this is in the limits/ folder.
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
      FromBase("valid/token-length.near-miss.gguf", "a long token, far from the limit", kAccept, {},
               "twelve letters and one of 4,096 bytes",
               [](Model& m) {
                 BytePairs(m);
                 Strings tokens = Letters(12);
                 tokens.emplace_back(4096, 'x');
                 m.Set(Key("tokens"), tokens);
               }),
      FromBase("invalid/token-duplicate.gguf", "a token twice: llama.cpp dies of an assertion",
               kOnlySpecAccepts, {"token-duplicate"}, "twelve letters and `c` again",
               [](Model& m) {
                 BytePairs(m);
                 Strings tokens = Letters(12);
                 tokens.emplace_back("c");
                 m.Set(Key("tokens"), tokens);
               }),
      FromBase("invalid/token-duplicate.named-empty.gguf",
               "an empty token, and the name that llama.cpp gives it: dies of an assertion",
               kOnlySpecAccepts, {"token-duplicate"},
               "twelve letters, an empty token, `[EMPTY_12]`",
               [](Model& m) {
                 BytePairs(m);
                 Strings tokens = Letters(12);
                 tokens.insert(tokens.end(), {"", "[EMPTY_12]"});
                 m.Set(Key("tokens"), tokens);
               }),
      FromBase(
          "valid/token-duplicate.gemma4.warned.gguf",
          "a token twice under tokenizer gemma4, whose official files have such: llama.cpp v0.5.0 "
          "dies of an assertion",
          kOnlyLlamaCppRejects, {"token-duplicate"}, "twelve letters and `c` again",
          [](Model& m) {
            BytePairs(m);
            Strings tokens = Letters(12);
            tokens.emplace_back("c");
            m.Set(Key("model"), "gemma4").Set(Key("tokens"), tokens);
            m.Set(Key("bos_token_id"), std::uint32_t{2});
          }),
      FromBase(
          "valid/token-duplicate.near-miss.gguf",
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

}  // namespace

Recipes TokenizerRecipes() {
  Recipes all;
  for (const auto& part : {ArrayRecipes(), IdRecipes(), SizeRecipes(), TokenRecipes()}) {
    all.insert(all.end(), part.begin(), part.end());
  }
  return all;
}

}  // namespace ggufgate::corpus
