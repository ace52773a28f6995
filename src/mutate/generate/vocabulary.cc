// Vocabularies for every kind of tokenizer, as small as possible.

#include <algorithm>
#include <array>

#include "format/tokenizers/tokenizer.h"
#include "mutate/build/compose.h"
#include "mutate/build/known_key.h"
#include "mutate/build/records.h"
#include "mutate/generate/generate.h"

namespace ggufgate::mutate {
namespace {

constexpr std::size_t kLongestToken = 12;                  // also of a merge
constexpr std::size_t kMostTokenBytes = kStringHead + 16;  // a token in an array

constexpr std::array<std::string_view, 24> kWords = {"the",
                                                     " a",
                                                     "\xE2\x96\x81of",
                                                     "\xC4\xA0to",
                                                     "ing",
                                                     "##ed",
                                                     "0",
                                                     "\n",
                                                     "\xC3\xA9",
                                                     "",
                                                     "x",
                                                     "<|im_start|>",
                                                     "e r",
                                                     "\xEF\xBF\xBD",
                                                     "<pad>",
                                                     "[MASK]",
                                                     "\t",
                                                     "<s >",
                                                     "aaaaaaaaaaaa",
                                                     "\x80\xFF",
                                                     "\x01",
                                                     "}",
                                                     "{{",
                                                     "\xE6\x97\xA5"};
constexpr std::array<std::string_view, 6> kMerges = {"a b", "t he",       "i n",
                                                     "",    "\xC4\xA0 t", "no-blank"};
constexpr std::array<std::string_view, 7> kSplitters = {"default", "gpt-2", "llama-bpe", "qwen2",
                                                        "falcon",  "",      "unheard-of"};

// Design has the first tokens of a kind of vocabulary, and its minimum size.
struct Design {
  std::string_view model;
  std::array<std::string_view, 4> first;
  std::uint64_t least;
};
constexpr std::array<Design, 10> kDesigns = {{
    {"llama", {"<unk>", "<s>", "</s>", "<0x00>"}, 3 + 256},
    {"llama", {"<unk>", "<s>", "</s>", "<0x00>"}, 3 + 256},
    {"gpt2", {"!", "\"", "#", "$"}, 12},
    {"bert", {"[PAD]", "[UNK]", "[CLS]", "[SEP]"}, 4},
    {"t5", {"<pad>", "</s>", "<unk>", "<0x41>"}, 3},
    {"rwkv", {"a", "b", "c", "d"}, 1},
    {"none", {"a", "b", "c", "d"}, 0},
    {"plamo2", {"<|plamo:unk|>", "<|plamo:bos|>", "<|plamo:eos|>", "<|plamo:pad|>"}, 4},
    {"no_vocab", {"a", "b", "c", "d"}, 0},
    {"unheard-of", {"a", "", "a", "b"}, 0},
}};

constexpr std::array<std::string_view, 7> kFlags = {"tokenizer.ggml.add_bos_token",
                                                    "tokenizer.ggml.add_eos_token",
                                                    "tokenizer.ggml.add_sep_token",
                                                    "tokenizer.ggml.add_space_prefix",
                                                    "tokenizer.ggml.remove_extra_whitespaces",
                                                    "tokenizer.ggml.normalizer.lowercase",
                                                    "tokenizer.ggml.normalizer.strip_accents"};

// kByteTokens are the tokens of the bytes ("<0x00>" and so on) in the encoding of an array. They
// are most of a vocabulary of bytes.
constexpr std::size_t kByteTokenBytes = kStringHead + 6;
constexpr auto kByteTokens = [] {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::array<std::array<std::uint8_t, kByteTokenBytes>, 256> tokens{};
  for (std::size_t byte = 0; byte < tokens.size(); ++byte) {
    const std::array text = {'<', '0', 'x', kDigits[byte / 16], kDigits[byte % 16], '>'};
    tokens.at(byte).front() = text.size();
    for (std::size_t i = 0; i < text.size(); ++i) {
      tokens.at(byte).at(kStringHead + i) = static_cast<std::uint8_t>(text.at(i));
    }
  }
  return tokens;
}();

// Texts returns the tokens of a vocabulary one after another, without repeats.
class Texts {
 public:
  Texts(const Design& design, std::uint64_t start)
      : design_(design), start_(start), has_bytes_(design.model == "llama") {}

  // StoreNext writes the next token to the front of `out`, which must be large enough, and returns
  // its size.
  std::size_t StoreNext(MutableBytes out) {
    const std::size_t at = i_++;
    if (at < design_.first.size()) return StoreText(design_.first.at(at), out);
    const std::size_t byte = at - design_.first.size() + 1;  // the first ones have byte 0
    if (!has_bytes_ || byte >= kByteTokens.size()) return StoreText(Text(byte - 1), out);
    std::ranges::copy(kByteTokens[byte], out.begin());
    return kByteTokenBytes;
  }

 private:
  std::string_view Text(std::size_t more) {
    if (design_.model == "rwkv") return Letter(more);
    if (design_.model == "plamo2") return Numbered(more);  // ASCII
    return more < kWords.size() ? kWords.at((start_ + more) % kWords.size()) : Numbered(more);
  }
  // One byte each, so that every first byte of a token is also a token.
  std::string_view Letter(std::size_t more) {
    text_.front() = static_cast<char>('!' + more % ('[' - '!'));
    return {text_.data(), 1};
  }
  std::string_view Numbered(std::size_t more) {
    for (std::size_t rest = more, i = text_.size(); i-- > 0; rest /= 10) {
      text_.at(i) = static_cast<char>('0' + rest % 10);
    }
    return {text_.data(), text_.size()};
  }

  const Design& design_;
  std::uint64_t start_;
  bool has_bytes_;
  std::size_t i_ = 0;
  std::array<char, 6> text_{};
};

void AddTokens(MutationContext& context, const Design& design, std::uint64_t count) {
  Texts texts(design, context.random.Below(kWords.size()));
  AddEntry(context.draft,
           EntryOf("tokenizer.ggml.tokens", ValueType::kArray,
                   ArrayValueOf(context.arena, ValueType::kString, count, kMostTokenBytes,
                                [&](MutableBytes out) { return texts.StoreNext(out); })));
}

// AddNeededIds adds ids for required tokens without a default here. Without room for them, Repair
// rejects the vocabulary.
void AddNeededIds(MutationContext& context, const Design& design) {
  const auto set = [&](std::string_view key, std::uint32_t id) {
    return SetNumber(context, key, id);
  };
  if (design.model == "rwkv") (void)set("tokenizer.ggml.unknown_token_id", 0);
  if (design.model != "bert") return;
  (void)(set("tokenizer.ggml.unknown_token_id", 1) && set("tokenizer.ggml.bos_token_id", 2) &&
         set("tokenizer.ggml.seperator_token_id", 3));
}

void AddScores(MutationContext& context, std::uint64_t count) {
  constexpr std::string_view kKey = "tokenizer.ggml.scores";
  if (context.random.OneIn(8)) {  // some writers store integral scores
    AddEntry(context.draft, ArrayEntry<std::int32_t>(context.arena, kKey, count, [&] {
               return -static_cast<std::int32_t>(context.random.Below(1000));
             }));
    return;
  }
  std::uint32_t i = 0;
  AddEntry(context.draft, ArrayEntry<float>(context.arena, kKey, count, [&] {
             return -static_cast<float>(i++);  // integers: the same everywhere
           }));
}

void AddTypes(MutationContext& context, const Design& design, std::uint64_t count) {
  std::size_t i = 0;
  AddEntry(context.draft,
           ArrayEntry<std::int32_t>(context.arena, "tokenizer.ggml.token_type", count, [&] {
             const std::size_t at = i++;
             const bool byte = at == 3 && design.first[3].starts_with("<0x");
             if (byte) return static_cast<std::int32_t>(TokenType::kByte);
             return static_cast<std::int32_t>(context.random.Between(1, 5));
           }));
}

void AddIds(MutationContext& context, std::uint64_t count) {
  Random& random = context.random;
  std::size_t at = random.Below(kTokenIdKeys.size());
  for (std::uint64_t i = random.Below(5); i > 0; --i, at = (at + 1) % kTokenIdKeys.size()) {
    const std::uint32_t id =
        random.OneIn(8) ? kNoToken : static_cast<std::uint32_t>(random.Below(count));
    if (random.OneIn(8)) {
      AddNumber(context, kTokenIdKeys[at], static_cast<std::int32_t>(id));
    } else {
      AddNumber(context, kTokenIdKeys[at], id);
    }
  }
}

void AddFlags(MutationContext& context) {
  Random& random = context.random;
  std::size_t at = random.Below(kFlags.size());
  for (std::uint64_t i = random.Below(3); i > 0; --i, at = (at + 1) % kFlags.size()) {
    AddNumber(context, kFlags[at], random.OneIn(2));
  }
}

// AddMap adds the normalisation rules of a unigram tokenizer: size, trie, texts.
void AddMap(MutationContext& context) {
  const std::uint64_t trie = context.random.OneIn(2) ? 0 : 4 * 256;  // in blocks of 256 numbers
  std::uint64_t at = 0;
  const std::uint64_t size = 4 + trie + context.random.Between(1, 8);
  AddEntry(context.draft,
           ArrayEntry<std::uint8_t>(context.arena, "tokenizer.ggml.precompiled_charsmap", size,
                                    [&]() -> std::uint8_t {
                                      const std::uint64_t i = at++;
                                      if (i < 4) return static_cast<std::uint8_t>(trie >> (8 * i));
                                      if (i < 4 + trie || i + 1 == size) return 0;
                                      return static_cast<std::uint8_t>(context.random.Next());
                                    }));
}

}  // namespace

void GenerateVocabulary(MutationContext& context) {
  Random& random = context.random;
  const Design& design = random.Pick(kDesigns);
  const std::uint64_t count = design.least + random.Below(random.OneIn(8) ? 40 : 5);
  AddText(context, "tokenizer.ggml.model", design.model);
  const bool empty = design.least == 0 && random.OneIn(2);
  if (!empty) AddTokens(context, design, count);
  if (!empty && random.OneIn(2)) AddScores(context, count);
  if (!empty && random.OneIn(2)) AddTypes(context, design, count);
  AddIds(context, count);
  AddNeededIds(context, design);
  AddFlags(context);
  if (design.model == "gpt2" || random.OneIn(8)) {
    AddEntry(context.draft, TextArrayEntry(context.arena, "tokenizer.ggml.merges", random.Below(4),
                                           kLongestToken, [&] { return random.Pick(kMerges); }));
  }
  if (random.OneIn(4)) {
    AddText(context, "tokenizer.ggml.pre", random.Pick(kSplitters));
  }
  if (design.model == "t5" || random.OneIn(16)) AddMap(context);
  if (random.OneIn(16)) {
    AddNumber(context, "tokenizer.ggml.token_type_count", std::uint32_t{2});
    AddEntry(context.draft,
             ArrayEntry<std::int32_t>(context.arena, "tokenizer.ggml.suppress_tokens", 2,
                                      [] { return 1; }));
  }
}

}  // namespace ggufgate::mutate
