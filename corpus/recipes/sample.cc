// A small model that resembles a real one: two llama blocks, a SentencePiece vocabulary, a chat
// template, tensors of several quantisations.

#include <algorithm>
#include <array>

#include "corpus/recipes/recipe.h"

namespace ggufgate::corpus {
namespace {

constexpr std::uint64_t kEmbedding = 64;
constexpr std::uint64_t kFeedForward = 256;
constexpr std::uint64_t kHeads = 4;
constexpr std::uint64_t kHeadsKv = 2;
constexpr std::uint64_t kBlocks = 2;
constexpr std::uint64_t kKv = kEmbedding / kHeads * kHeadsKv;

// As in llama_token_type.
enum TokenType : std::int32_t { kNormal = 1, kUnknown = 2, kControl = 3, kByte = 6 };

struct Vocabulary {
  std::vector<std::string> tokens;
  std::vector<float> scores;
  std::vector<std::int32_t> types;

  void Add(std::string token, float score, TokenType type) {
    tokens.push_back(std::move(token));
    scores.push_back(score);
    types.push_back(type);
  }
};

// U+2581, which SentencePiece writes for a space, is E2 96 81.
constexpr std::array kPieces = {
    "\xE2\x96\x81t",
    "\xE2\x96\x81"
    "a",
    "in",
    "he",
    "re",
    "on",
    "er",
    "\xE2\x96\x81the",
    "\xE2\x96\x81s",
    "at",
    "or",
    "en",
    "\xE2\x96\x81o",
    "\xE2\x96\x81w",
    "is",
    "it",
    "\xE2\x96\x81of",
    "ing",
    "\xE2\x96\x81"
    "and",
    "\xE2\x96\x81to",
    "\xE2\x96\x81in",
    "ed",
    "es",
    "\xE2\x96\x81is",
    "\xC3\xA9",
};

Vocabulary MakeVocabulary() {
  Vocabulary vocabulary;
  vocabulary.Add("<unk>", 0, kUnknown);
  vocabulary.Add("<s>", 0, kControl);
  vocabulary.Add("</s>", 0, kControl);
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  for (std::size_t byte = 0; byte < 256; ++byte) {
    const std::string digits = {kDigits.at(byte / 16), kDigits.at(byte % 16)};
    vocabulary.Add("<0x" + digits + ">", 0, kByte);
  }
  float score = 0;
  for (const char* piece : kPieces) vocabulary.Add(piece, score--, kNormal);
  vocabulary.Add("\xE2\x96\x81", score--, kNormal);
  for (char letter = 'a'; letter <= 'z'; ++letter) {
    vocabulary.Add(std::string(1, letter), score--, kNormal);
  }
  for (char digit = '0'; digit <= '9'; ++digit) {
    vocabulary.Add(std::string(1, digit), score--, kNormal);
  }
  for (const char* sign : {".", ",", "!", "?", "\xE4\xB8\xAD"}) {
    vocabulary.Add(sign, score--, kNormal);
  }
  return vocabulary;
}

constexpr std::string_view kTemplate =
    "{{ bos_token }}{% for message in messages %}{% if message['role'] == 'user' %}"
    "{{ '[INST] ' + message['content'] + ' [/INST]' }}{% elif message['role'] == 'assistant' %}"
    "{{ ' ' + message['content'] + eos_token }}{% endif %}{% endfor %}";

void SetGeneral(Model& m) {
  m.Set("general.architecture", "llama");
  m.Set("general.type", "model");
  m.Set("general.name", "Sample Llama");
  m.Set("general.author", "the ggufgate corpus");
  m.Set("general.license", "mit");
  m.Set("general.size_label", "150K");
  m.Set("general.file_type", std::uint32_t{2});  // mostly Q4_0
  m.Set("general.quantization_version", std::uint32_t{2});
  m.Set("general.tags", std::vector<std::string>{"text-generation"});
}

void SetHyperparameters(Model& m, std::size_t tokens) {
  m.Set("llama.block_count", std::uint32_t{kBlocks});
  m.Set("llama.context_length", std::uint32_t{128});
  m.Set("llama.embedding_length", std::uint32_t{kEmbedding});
  m.Set("llama.feed_forward_length", std::uint32_t{kFeedForward});
  m.Set("llama.attention.head_count", std::uint32_t{kHeads});
  m.Set("llama.attention.head_count_kv", std::uint32_t{kHeadsKv});
  m.Set("llama.attention.layer_norm_rms_epsilon", 1e-5F);
  m.Set("llama.rope.dimension_count", static_cast<std::uint32_t>(kEmbedding / kHeads));
  m.Set("llama.rope.freq_base", 10000.0F);
  m.Set("llama.vocab_size", static_cast<std::uint32_t>(tokens));
}

void SetTokenizer(Model& m, const Vocabulary& vocabulary) {
  m.Set("tokenizer.ggml.model", "llama");
  m.Set("tokenizer.ggml.pre", "default");
  m.Set("tokenizer.ggml.tokens", vocabulary.tokens);
  m.Set("tokenizer.ggml.scores", vocabulary.scores);
  m.Set("tokenizer.ggml.token_type", vocabulary.types);
  m.Set("tokenizer.ggml.unknown_token_id", std::uint32_t{0});
  m.Set("tokenizer.ggml.bos_token_id", std::uint32_t{1});
  m.Set("tokenizer.ggml.eos_token_id", std::uint32_t{2});
  m.Set("tokenizer.ggml.add_bos_token", true);
  m.Set("tokenizer.ggml.add_eos_token", false);
  m.Set("tokenizer.chat_template", kTemplate);
}

// Quantisations of a block's matrices; rows of 256 allow K-quants.
struct BlockTypes {
  TensorType attn_q, attn_k, attn_v, attn_output, ffn_gate, ffn_up, ffn_down;
};

class TensorMaker {
 public:
  explicit TensorMaker(Model& model) : model_(model) {}

  void Weight(const std::string& name, TensorType type, std::uint64_t in, std::uint64_t out) {
    Model::Tensor& tensor = model_.Add(name + ".weight", type, {in, out});
    tensor.data = TensorData(type, tensor.data.size(), dice_);
  }

  void Norm(const std::string& name) {
    Encoder ones(ByteOrder::kLittle);
    for (std::uint64_t i = 0; i < kEmbedding; ++i) ones.Put(1.0F);
    model_.Add(name + ".weight", TensorType::kF32, {kEmbedding}).data = ones.Take();
  }

  void Block(const std::string& block, const BlockTypes& types) {
    Norm(block + "attn_norm");
    Weight(block + "attn_q", types.attn_q, kEmbedding, kEmbedding);
    Weight(block + "attn_k", types.attn_k, kEmbedding, kKv);
    Weight(block + "attn_v", types.attn_v, kEmbedding, kKv);
    Weight(block + "attn_output", types.attn_output, kEmbedding, kEmbedding);
    Norm(block + "ffn_norm");
    Weight(block + "ffn_gate", types.ffn_gate, kEmbedding, kFeedForward);
    Weight(block + "ffn_up", types.ffn_up, kEmbedding, kFeedForward);
    Weight(block + "ffn_down", types.ffn_down, kFeedForward, kEmbedding);
  }

 private:
  Model& model_;
  Dice dice_{0x5A3B1E};
};

FileBytes Sample() {
  using enum TensorType;
  Model m;
  const Vocabulary vocabulary = MakeVocabulary();
  SetGeneral(m);
  SetHyperparameters(m, vocabulary.tokens.size());
  SetTokenizer(m, vocabulary);
  TensorMaker maker(m);
  maker.Weight("token_embd", kQ4_0, kEmbedding, vocabulary.tokens.size());
  maker.Block("blk.0.", {kQ4_0, kQ4_0, kQ8_0, kQ4_0, kQ4_0, kQ5_0, kQ4_K});
  maker.Block("blk.1.", {kQ4_1, kF16, kQ8_0, kBF16, kQ5_1, kIQ4_NL, kQ6_K});
  maker.Norm("output_norm");
  maker.Weight("output", kQ8_0, kEmbedding, vocabulary.tokens.size());
  return Write(m);
}

}  // namespace

Recipes SampleRecipes() {
  return {{.file = "valid/sample-llama.gguf",
           .shows = "a small but whole model as one meets them: llama, 2 blocks, a SentencePiece "
                    "vocabulary of 326 tokens, a chat template, ten tensor types",
           .verdict = kAccept,
           .recipe = "random codes with small finite scales, norms of 1; over 64 KiB because it is "
                     "whole",
           .make = Sample}};
}

}  // namespace ggufgate::corpus
