#include "mutate/generate/learned_vocabulary.h"

#include <algorithm>
#include <string>
#include <vector>

#include "bytes/utf8.h"

namespace ggufgate::mutate {
namespace {

constexpr std::array<std::string_view, 12> kWords = {"the", "ab", "hello", "world", "a", "b",
                                                     "c",   "e",  "h",     "l",     "o", "t"};
constexpr std::string_view kBlank = "\xE2\x96\x81";  // U+2581 represents a space

// Tokens is a vocabulary under construction.
class Tokens {
 public:
  explicit Tokens(std::string_view tokenizer) : tokenizer_(tokenizer) {}

  void Add(std::string text, TokenType type = TokenType::kNormal, float score = 0) {
    texts_.push_back(std::move(text));
    types_.push_back(static_cast<std::int32_t>(type));
    scores_.push_back(score);
  }

  // AddWords adds words from the most to the least likely.
  void AddWords(std::string_view before, float& score) {
    for (const std::string_view word : kWords) {
      Add(std::string(before) + std::string(word), TokenType::kNormal, score);
      score -= 1;
    }
  }

  // AddBytes adds <0x00> to <0xFF>: llama.cpp looks them up for text that no token covers.
  void AddBytes() {
    constexpr std::string_view kDigits = "0123456789ABCDEF";
    for (std::size_t byte = 0; byte < 256; ++byte) {
      Add({'<', '0', 'x', kDigits.at(byte / 16), kDigits.at(byte % 16), '>'}, TokenType::kByte);
    }
  }

  std::uint64_t WriteTo(Model& model, bool with_scores) const {
    model.Set("tokenizer.ggml.model", tokenizer_).Set("tokenizer.ggml.tokens", texts_);
    if (with_scores) model.Set("tokenizer.ggml.scores", scores_);
    model.Set("tokenizer.ggml.token_type", types_);
    return texts_.size();
  }

 private:
  std::string_view tokenizer_;
  std::vector<std::string> texts_;
  std::vector<std::int32_t> types_;
  std::vector<float> scores_;
};

struct Id {
  std::string_view key;
  std::uint32_t id;
};

void SetIds(Model& model, std::initializer_list<Id> ids) {
  for (const Id& one : ids) {
    model.Set(std::string("tokenizer.ggml.").append(one.key), one.id);
  }
}

std::uint64_t AddSentencePiece(Model& model) {
  Tokens tokens("llama");
  tokens.Add("<unk>", TokenType::kUnknown);
  tokens.Add("<s>", TokenType::kControl);
  tokens.Add("</s>", TokenType::kControl);
  tokens.AddBytes();
  float score = -1;
  tokens.AddWords(kBlank, score);
  tokens.AddWords("", score);
  const std::uint64_t count = tokens.WriteTo(model, /*with_scores=*/true);
  SetIds(model, {{"bos_token_id", 1}, {"eos_token_id", 2}, {"unknown_token_id", 0}});
  return count;
}

std::string Utf8(char32_t code) {
  std::string text;
  AppendUtf8(code, text);
  return text;
}

// GPT-2 writes bytes as letters: printable ones as themselves, the others from U+0100 on.
bool CanBeSeen(unsigned byte) {
  return (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174;
}

std::uint64_t AddBytePairs(Model& model) {
  Tokens tokens("gpt2");
  char32_t spare = 0x100;
  for (unsigned byte = 0; byte < 256; ++byte) tokens.Add(Utf8(CanBeSeen(byte) ? byte : spare++));
  const std::string blank = Utf8(0x120);  // the letter of a space
  for (const std::string& merged : {std::string("th"), std::string("the"), std::string("he"),
                                    std::string("ab"), blank + "a", std::string("ll")}) {
    tokens.Add(merged);
  }
  tokens.Add("<|endoftext|>", TokenType::kControl);
  tokens.Add("<|im_start|>", TokenType::kControl);
  const std::uint64_t count = tokens.WriteTo(model, /*with_scores=*/false);
  model.Set("tokenizer.ggml.pre", "gpt-2");
  model.Set("tokenizer.ggml.merges",
            std::vector<std::string>{"t h", "th e", "h e", "a b", blank + " a", "l l"});
  SetIds(model, {{"bos_token_id", 262}, {"eos_token_id", 262}});
  return count;
}

// [UNK], [CLS] and [SEP] have the ids that llama.cpp assumes by default.
std::uint64_t AddWordPieces(Model& model) {
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz0123456789";
  Tokens tokens("bert");
  tokens.Add("[PAD]", TokenType::kControl);
  for (int i = 0; i < 99; ++i) {
    tokens.Add(std::string("[unused").append(std::to_string(i)).append("]"), TokenType::kControl);
  }
  for (const char* name : {"[UNK]", "[CLS]", "[SEP]", "[MASK]"}) {
    tokens.Add(name, TokenType::kControl);
  }
  for (const char letter : kLetters) tokens.Add(std::string(kBlank) + letter);
  for (const char letter : kLetters) tokens.Add({letter});
  for (const char* word : {"the", "hello", "world"}) tokens.Add(std::string(kBlank) + word);
  const std::uint64_t count = tokens.WriteTo(model, /*with_scores=*/false);
  SetIds(model, {{"bos_token_id", 101},
                 {"eos_token_id", 102},
                 {"unknown_token_id", 100},
                 {"seperator_token_id", 102},  // misspelt in the format
                 {"padding_token_id", 0}});
  return count;
}

std::uint64_t AddUnigrams(Model& model) {
  Tokens tokens("t5");
  tokens.Add("<pad>", TokenType::kControl);
  tokens.Add("</s>", TokenType::kControl);
  tokens.Add("<unk>", TokenType::kUnknown);
  float score = -3;
  tokens.Add(std::string(kBlank), TokenType::kNormal, -2);
  tokens.AddWords(kBlank, score);
  tokens.AddWords("", score);
  tokens.AddBytes();
  const std::uint64_t count = tokens.WriteTo(model, /*with_scores=*/true);
  SetIds(
      model,
      {{"bos_token_id", 1}, {"eos_token_id", 1}, {"unknown_token_id", 2}, {"padding_token_id", 0}});
  return count;
}

// RwkvText returns a byte as the vocabulary of RWKV World writes it.
std::string RwkvText(unsigned byte) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  if (byte == '\\') return "\\\\";
  if (byte >= 32 && byte < 127) return {static_cast<char>(byte)};
  return {'\\', 'x', kDigits.at(byte / 16), kDigits.at(byte % 16)};
}

// A byte without a token stops llama.cpp at a text that begins with it.
std::uint64_t AddRwkv(Model& model) {
  Tokens tokens("rwkv");
  tokens.Add("<s>", TokenType::kControl);
  for (unsigned byte = 0; byte < 256; ++byte) tokens.Add(RwkvText(byte));
  for (const char* word : {"the", " the", "hello", " world", "ab"}) tokens.Add(word);
  const std::uint64_t count = tokens.WriteTo(model, /*with_scores=*/false);
  SetIds(model, {{"bos_token_id", 0}, {"eos_token_id", 0}});
  return count;
}

std::uint64_t AddPlamo2(Model& model) {
  Tokens tokens("plamo2");
  tokens.Add("<|plamo:unk|>", TokenType::kUnknown);
  tokens.Add("<|plamo:bos|>", TokenType::kControl);
  tokens.Add("<|plamo:eos|>", TokenType::kControl);
  tokens.AddBytes();
  float score = -2;
  tokens.Add(" ", TokenType::kNormal, -1);
  tokens.AddWords("", score);
  const std::uint64_t count = tokens.WriteTo(model, /*with_scores=*/true);
  SetIds(model, {{"bos_token_id", 1}, {"eos_token_id", 2}, {"unknown_token_id", 0}});
  return count;
}

}  // namespace

std::optional<TokenizerKind> FindVocabulary(std::string_view word) {
  const auto found = std::ranges::find(kVocabularyWords, word, &VocabularyWord::word);
  if (found == kVocabularyWords.end()) return std::nullopt;
  return found->kind;
}

std::uint64_t AddVocabulary(Model& model, TokenizerKind kind) {
  switch (kind) {
    case TokenizerKind::kSentencePiece:
      return AddSentencePiece(model);
    case TokenizerKind::kBytePairs:
      return AddBytePairs(model);
    case TokenizerKind::kWordPiece:
      return AddWordPieces(model);
    case TokenizerKind::kUnigram:
      return AddUnigrams(model);
    case TokenizerKind::kRwkv:
      return AddRwkv(model);
    case TokenizerKind::kPlamo2:
      return AddPlamo2(model);
    case TokenizerKind::kTest:
    case TokenizerKind::kNone:
      return 0;
  }
  return 0;
}

}  // namespace ggufgate::mutate
