// Vocabularies: their relation to their keys and their tokenizer, and its limits.

#include "format/tokenizers/tokenizer.h"
#include "mutate/build/known_key.h"
#include "tests/mutate/lies/meaning_lines.h"
#include "tests/support/vocabularies.h"

namespace ggufgate::mutate {
namespace {

constexpr std::string_view kModel = "tokenizer.ggml.model";
constexpr std::string_view kTypes = "tokenizer.ggml.token_type";
constexpr std::string_view kScores = "tokenizer.ggml.scores";
constexpr std::string_view kMap = "tokenizer.ggml.precompiled_charsmap";

class Vocabularies : public MeaningLines {
 protected:
  Entry Tokens(const std::vector<std::string_view>& texts) {
    return Texts("tokenizer.ggml.tokens", texts);
  }
  Entry Tokens(std::size_t count) {  // `t0`, `t1`, …
    return Tokens(ViewsOf(ggufgate::testing::Numbered(count)));
  }
  // Three tokens and those of all bytes except one.
  Entry Bytes(int without = -1) {
    std::vector<std::string> texts = ggufgate::testing::Numbered(3);
    for (const std::string& byte : ggufgate::testing::AllByteTokens()) {
      if (without-- != 0) texts.push_back(byte);
    }
    return Tokens(ViewsOf(texts));
  }
  Entry Unknown() { return Id("tokenizer.ggml.unknown_token_id", 0); }

 private:
  std::vector<std::string_view> ViewsOf(std::vector<std::string> texts) {
    texts_ = std::move(texts);
    return {texts_.begin(), texts_.end()};
  }
  std::vector<std::string> texts_;

 protected:
  Entry Id(std::string_view name, std::uint32_t id) { return U32(name, id); }
};

TEST_F(Vocabularies, HaveAnElementForEachToken) {
  const Entry tokens = Tokens(3);
  for (const std::size_t count : {2U, 4U}) {
    ExpectDropped({tokens}, Numbers(kScores, std::vector<float>(count, 1)));
    ExpectDropped({tokens}, Numbers(kScores, std::vector<std::int32_t>(count, 1)));
    ExpectDropped({tokens}, Numbers(kTypes, std::vector<std::int32_t>(count, 1)));
  }
  ExpectKept({tokens}, Numbers(kScores, std::vector<float>(3, 1)));
  ExpectKept({tokens}, Numbers(kScores, std::vector<std::int32_t>(3, 1)));
  ExpectKept({tokens}, Numbers(kTypes, std::vector<std::int32_t>(3, 1)));
  ExpectKept({}, Numbers(kTypes, std::vector<std::int32_t>(3, 1)));  // not of a known tokenizer
}

TEST_F(Vocabularies, HaveTheTokensThatIdsName) {
  int ids = 0;
  for (const KnownKey& key : kKnownKeys) {
    if (!key.name.ends_with("_token_id")) continue;
    ++ids;
    const Entry tokens = Tokens(3);
    ExpectKept({tokens}, Id(key.name, 2));
    ExpectDropped({tokens}, Id(key.name, 3));
    ExpectKept({tokens}, Id(key.name, kNoToken));
    ExpectDropped({tokens}, Id(key.name, kNoToken - 1));
    ExpectKept({tokens}, Number<std::int32_t>(key.name, -1));
    ExpectDropped({tokens}, Number<std::int32_t>(key.name, -2));
    ExpectKept({tokens}, Number<std::int32_t>(key.name, 2));
    ExpectDropped({tokens}, Number<std::int32_t>(key.name, 3));
    ExpectKept({}, Id(key.name, 3));
  }
  EXPECT_GE(ids, 18);
}

TEST_F(Vocabularies, HaveNoTokenThatIsTooLong) {
  const std::string longest(65'536, 'x');
  const std::string longer = longest + 'x';
  ExpectKept({}, Tokens({"a", longest, "b"}));
  ExpectDropped({}, Tokens({"a", longer, "b"}));
  ExpectDropped({}, Tokens({longest, longer}));
  // After the tokens are removed, their other arrays are no longer compared with them.
  MutationContext& context = Repaired({U32("tokenizer.ggml.eot_token_id", 9)}, Tokens({longer}));
  EXPECT_NE(context.draft.Find("tokenizer.ggml.eot_token_id"), nullptr);
}

TEST_F(Vocabularies, WriteBytesAsBytes) {
  const auto types = [&](std::int32_t second) {
    return Numbers<std::int32_t>(kTypes, {1, second, 1});
  };
  constexpr auto kByte = static_cast<std::int32_t>(TokenType::kByte);
  for (const std::string_view sound : {"<0x00>", "<0xFF>", "<0x0a>", "<0xaF>"}) {
    ExpectKept({Tokens({"a", sound, "b"})}, types(kByte));
  }
  for (const std::string_view unsound :
       {"", "a", "<0x0>", "<0x000>", "<0x0G>", "<0xg0>", "<0X00>", "<0x00)", "(0x00>"}) {
    ExpectDropped({Text(kModel, "t5"), Tokens({"p", unsound, "q"})}, types(kByte));
    ExpectKept({Tokens({"a", unsound, "b"})}, types(kByte - 1));
  }
  // A tokenizer of word pieces needs no byte tokens.
  const Entries pieces = {Text(kModel, "bert"), Tokens({"a", "<0x00>", "b"}), Unknown(),
                          Id("tokenizer.ggml.bos_token_id", 0),
                          Id("tokenizer.ggml.seperator_token_id", 0)};
  ExpectDropped(pieces, types(kByte));
  ExpectKept(pieces, types(1));
}

TEST_F(Vocabularies, HaveMapsThatEndWhereTheySay) {
  const auto map = [&](const std::vector<std::uint8_t>& bytes) { return Numbers(kMap, bytes); };
  const Entries t5 = {Text(kModel, "t5"), Tokens(3)};
  ExpectKept(t5, map({0, 0, 0, 0, 0}));
  ExpectDropped(t5, map({0, 0, 0, 0}));
  ExpectDropped(t5, map({}));
  ExpectDropped(t5, map({0, 0, 0, 0, 'x'}));
  ExpectDropped(t5, map({4, 0, 0, 0, 0, 0, 0, 0, 0}));  // a letter leads out of it
  std::vector<std::uint8_t> block(4 + 1024 + 1, 0);
  block[1] = 4;
  ExpectKept(t5, map(block));
  block[4 + 2] = 4;  // the root's base is 256
  ExpectDropped(t5, map(block));
  ExpectDropped(t5, map({3, 0, 0, 0, 9, 9, 9, 9, 0}));
  ExpectDropped(t5, map({8, 0, 0, 0, 9, 9, 9, 9, 0}));
  ExpectDropped(t5, map({4, 0, 0, 0, 9, 9, 9, 0}));
  ExpectDropped(t5, map({0xFC, 0xFF, 0xFF, 0xFF, 9, 9, 9, 9, 0}));
}

TEST_F(Vocabularies, AreAsLargeAsTheTokenizerTakesForGranted) {
  struct Size {
    std::string_view model;
    std::size_t least;
  };
  for (const Size& size : {Size{"bert", 103}, Size{"gpt2", 12}, Size{"hybriddna", 12},
                           Size{"whitespace", 12}, Size{"t5", 3}, Size{"plamo2", 4},
                           Size{"none", 0}, Size{"no_vocab", 0}, Size{"unheard-of", 0}}) {
    ExpectKept({Tokens(size.least)}, Text(kModel, size.model));
    if (size.least > 0) ExpectDropped({Tokens(size.least - 1)}, Text(kModel, size.model));
    ExpectKept({}, Text(kModel, size.model));  // loaders only refuse a file without a vocabulary
  }
}

TEST_F(Vocabularies, MayNameTheTokensThemselves) {
  const Entry bos = Id("tokenizer.ggml.bos_token_id", 0);
  const Entry eos = Id("tokenizer.ggml.eos_token_id", 0);
  const Entry unknown = Id("tokenizer.ggml.unknown_token_id", 0);
  const Entry padding = Id("tokenizer.ggml.padding_token_id", 0);
  ExpectKept({bos, eos, Tokens(1)}, Text(kModel, "gpt2"));
  ExpectDropped({bos, Tokens(1)}, Text(kModel, "gpt2"));
  ExpectDropped({eos, Tokens(1)}, Text(kModel, "gpt2"));
  ExpectKept({eos, unknown, Tokens(1)}, Text(kModel, "t5"));
  ExpectDropped({eos, padding, Tokens(1)}, Text(kModel, "t5"));
  ExpectKept({bos, eos, padding, Tokens(1)}, Text(kModel, "plamo2"));
  ExpectDropped({bos, eos, unknown, Tokens(1)}, Text(kModel, "plamo2"));
}

TEST_F(Vocabularies, HaveAllBytesForSentencePiece) {
  const Entry llama = Text(kModel, "llama");
  ExpectKept({Bytes()}, llama);
  for (const int byte : {0, 0x61, 0xFF}) ExpectDropped({Bytes(byte)}, llama);
  ExpectDropped({Tokens({"a", "b", "<0x0A>"})}, llama);
}

TEST_F(Vocabularies, HaveTheFirstBytesOfRwkv) {
  const Entry rwkv = Text(kModel, "rwkv");
  ExpectKept({Tokens({"a", "b", "ab"}), Unknown()}, rwkv);
  ExpectDropped({Tokens({"a", "ba"}), Unknown()}, rwkv);
  ExpectDropped({Tokens({"a", "b", "ab"})}, rwkv);
}

TEST_F(Vocabularies, HaveNoTokenTwice) {
  const Entry t5 = Text(kModel, "t5");
  ExpectKept({Tokens({"a", "b", "", ""})}, t5);
  ExpectDropped({Tokens({"a", "b", "a"})}, t5);
  ExpectDropped({Tokens({"a", "", "[EMPTY_1]"})}, t5);
  ExpectKept({Tokens({"a", "b", "a"})}, Text(kModel, "unheard-of"));
}

TEST_F(Vocabularies, CostWhatTheyMay) {
  const std::string long_one(460, 'x');
  const std::string too_long(465, 'x');
  const Entry plamo2 = Text(kModel, "plamo2");
  ExpectKept({Tokens({"a", "b", "c", long_one})}, plamo2);
  ExpectDropped({Tokens({"a", "b", "c", too_long})}, plamo2);
  ExpectDropped({Tokens({"a", "b", "c", "\x80"})}, plamo2);
  const std::string longest_piece(1024, 'x');
  const Entries ids = {Unknown(), Id("tokenizer.ggml.bos_token_id", 0),
                       Id("tokenizer.ggml.seperator_token_id", 0)};
  Entries pieces = ids;
  pieces.push_back(Tokens({"a", longest_piece}));
  ExpectKept(pieces, Text(kModel, "bert"));
}

TEST_F(Vocabularies, SuitTheirPretokenizer) {
  const auto pre = [&](std::string_view word) { return Text("tokenizer.ggml.pre", word); };
  const Entries gpt2 = {Text(kModel, "gpt2"), Tokens(12)};
  for (const std::string_view kept : {"", "gpt-2", "llama-bpe", "unheard-of"}) {
    ExpectKept(gpt2, pre(kept));
  }
  ExpectDropped(gpt2, pre("whitespace"));
  ExpectDroppedToBeSure(gpt2, pre("glm4"));
  ExpectDroppedToBeSure(gpt2, pre("gemma4"));
  ExpectKept({Text(kModel, "t5"), Tokens(3)}, pre("whitespace"));
}

// Repair stays far below the limit: its result takes little memory, for any tokenizer.
TEST_F(Vocabularies, ClaimNoMoreThanTheyMay) {
  const Entry most = U32("llama.vocab_size", 1U << 18);
  ExpectKept({Architecture("llama"), most}, Text(kModel, "none"));
  ExpectKept({Architecture("llama"), most}, Text(kModel, "t5"));
  ExpectDroppedToBeSure({Architecture("llama"), Text(kModel, "none")},
                        U32("llama.vocab_size", (1U << 18) + 1));
}

TEST_F(Vocabularies, HaveTheTokensThatAreAdded) {
  const Entry gemma = Text(kModel, "gemma4");  // adds a begin token, and has none
  const Entry bos = Id("tokenizer.ggml.bos_token_id", 0);
  const Entry add_bos = Number("tokenizer.ggml.add_bos_token", true);
  const Entry add_eos = Number("tokenizer.ggml.add_eos_token", true);
  ExpectKept({bos, Tokens(1)}, gemma);
  ExpectDropped({Tokens(1)}, gemma);
  ExpectDropped({Id("tokenizer.ggml.bos_token_id", kNoToken), Tokens(1)}, gemma);
  ExpectDropped({Number("tokenizer.ggml.add_bos_token", false), Tokens(1)}, gemma);  // nevertheless
  ExpectKept({bos, add_eos, Id("tokenizer.ggml.eos_token_id", 0), Tokens(1)}, gemma);
  ExpectDropped({bos, add_eos, Tokens(1)}, gemma);

  const Entry t5 = Text(kModel, "t5");  // adds an end token, which it has
  ExpectKept({Tokens(3)}, t5);
  ExpectDropped({add_bos, Tokens(3)}, t5);
  ExpectKept({add_bos, bos, Tokens(3)}, t5);
  // A tokenizer that ignores the keys.
  ExpectKept({add_bos, add_eos, Unknown(), Tokens({"a"})}, Text(kModel, "rwkv"));
}

using Templates = MeaningLines;

TEST_F(Templates, AreKeptWhereTheyAreVouchedFor) {
  for (const std::string_view key :
       {"tokenizer.chat_template", "tokenizer.chat_template.tool_use"}) {
    ExpectKept({}, Text(key, "{% for message in messages %}{{ message.content }}{% endfor %}"));
    ExpectDroppedToBeSure({}, Text(key, "{% for a in messages %}{{ a.content }}{% endfor %}"));
  }
}

TEST_F(Templates, AreAtMostSixtyFour) {
  std::vector<std::string> keys;
  for (int i = 0; i < 65; ++i) keys.push_back("tokenizer.chat_template.t" + std::to_string(i));
  Entries entries;
  for (const std::string& key : keys) entries.push_back(Text(key, "a"));
  const Entry last = entries.back();
  entries.pop_back();
  const Entry before = entries.back();
  ExpectDroppedToBeSure(entries, last);
  entries.pop_back();
  ExpectKept(entries, before);
}

}  // namespace
}  // namespace ggufgate::mutate
