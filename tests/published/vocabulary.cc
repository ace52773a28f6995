#include "tests/published/vocabulary.h"

#include <algorithm>
#include <array>
#include <utility>

#include "bytes/byte_order.h"

namespace ggufgate::published {
namespace {

constexpr std::size_t kLetters = 32;
using Alphabet = std::array<std::string_view, kLetters>;

// The last letter represents a blank.
constexpr Alphabet AlphabetWith(std::string_view blank) {
  return {"e", "t", "a", "o", "i", "n", "s", "r", "h", "l", "d", "c", "u", "m", "f", "p",
          "g", "w", "y", "b", "v", "k", "x", "j", "q", "z", "A", "B", "C", "D", "E", blank};
}

// Word is a list of letters, by their indexes in an alphabet.
using Word = std::vector<std::size_t>;

// Words lists all words of `shortest` letters, then those with one more letter, and so on. So every
// part of a word that is long enough came before it.
class Words {
 public:
  explicit Words(std::size_t shortest) : word_(shortest, 0) {}

  [[nodiscard]] const Word& word() const { return word_; }

  void Next() {
    for (auto letter = word_.rbegin(); letter != word_.rend(); ++letter) {
      if (++*letter < kLetters) return;
      *letter = 0;
    }
    word_.push_back(0);
  }

 private:
  Word word_;
};

std::string Spell(const Alphabet& alphabet, const Word& word, std::size_t begin, std::size_t end) {
  std::string text;
  for (std::size_t i = begin; i < end; ++i) text += alphabet.at(word[i]);
  return text;
}

std::string Utf8(std::uint32_t code) {
  if (code < 0x80) return {static_cast<char>(code)};
  return {static_cast<char>(0xC0 | code >> 6), static_cast<char>(0x80 | (code & 0x3F))};
}

// The letters of byte-level BPE, as in GPT-2: printable bytes represent themselves; the others
// become U+0100 and following.
std::vector<std::string> ByteLetters() {
  std::vector<std::string> letters;
  std::uint32_t spare = 0x100;
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    const bool prints = (byte >= '!' && byte <= '~') || (byte >= 0xA1 && byte != 0xAD);
    letters.push_back(Utf8(prints ? byte : spare++));
  }
  return letters;
}

std::string Hex(std::size_t byte, std::string_view digits) {
  return {digits.at(byte / 16), digits.at(byte % 16)};
}

// In the notation of RWKV for bytes: escaped.
std::vector<std::string> EscapedBytes() {
  std::vector<std::string> bytes;
  for (std::size_t byte = 0; byte < 256; ++byte) {
    bytes.push_back("\\x" + Hex(byte, "0123456789abcdef"));
  }
  return bytes;
}

// Maker makes the tokens of one vocabulary, one after the other.
class Maker {
 public:
  explicit Maker(const VocabularyPlan& plan)
      : plan_(plan), alphabet_(AlphabetWith(BlankOf(plan.kind))), words_(ShortestOf(plan.kind)) {
    if (plan.kind == "bpe") letters_ = ByteLetters();
    if (plan.kind == "rwkv") letters_ = EscapedBytes();
  }

  void Run() {
    for (std::uint64_t id = 0; id < plan_.count; ++id) {
      const auto special = plan_.special.find(id);
      if (special != plan_.special.end()) {
        Add(special->second.text, special->second.type, 0);
      } else if (plan_.bytes_at && id >= *plan_.bytes_at && id - *plan_.bytes_at < 256) {
        Add("<0x" + Hex(id - *plan_.bytes_at, "0123456789ABCDEF") + ">", TokenType::kByte, 0);
      } else {
        AddNormal();
      }
    }
  }

  [[nodiscard]] const std::vector<std::string>& tokens() const { return tokens_; }
  [[nodiscard]] const std::vector<std::int32_t>& types() const { return types_; }
  [[nodiscard]] const std::vector<float>& scores() const { return scores_; }
  [[nodiscard]] const std::vector<std::string>& merges() const { return merges_; }

 private:
  static std::string_view BlankOf(std::string_view kind) {
    if (kind == "bpe") return "\u0120";
    if (kind == "wpm") return "F";
    return kind == "rwkv" ? " " : "\u2581";
  }
  static std::size_t ShortestOf(std::string_view kind) {
    return kind == "bpe" || kind == "rwkv" ? 2 : 1;  // their single letters are bytes
  }

  void Add(std::string text, TokenType type, float score) {
    tokens_.push_back(std::move(text));
    types_.push_back(static_cast<std::int32_t>(type));
    scores_.push_back(score);
  }

  void AddNormal() {
    if (letter_ < letters_.size()) return Add(letters_.at(letter_++), TokenType::kNormal, 0);
    const Word& word = words_.word();
    std::string text = Spell(alphabet_, word, 0, word.size());
    for (std::size_t cut = 1; cut < word.size() && merges_.size() < plan_.merges; ++cut) {
      merges_.push_back(Spell(alphabet_, word, 0, cut) + " " +
                        Spell(alphabet_, word, cut, word.size()));
    }
    // WordPiece: each word at the beginning of a word, and within a word.
    const bool within = plan_.kind == "wpm" && std::exchange(begins_, !begins_);
    if (plan_.kind == "wpm" && !within) text.insert(0, "\u2581");
    Add(std::move(text), TokenType::kNormal, -static_cast<float>(++normal_));
    if (plan_.kind != "wpm" || within) words_.Next();
  }

  const VocabularyPlan& plan_;
  const Alphabet alphabet_;
  Words words_;
  std::vector<std::string> letters_;
  std::size_t letter_ = 0;
  bool begins_ = false;
  std::uint64_t normal_ = 0;
  std::vector<std::string> tokens_;
  std::vector<std::int32_t> types_;
  std::vector<float> scores_;
  std::vector<std::string> merges_;
};

}  // namespace

std::string SetVocabulary(const VocabularyPlan& plan, Model& model) {
  Maker maker(plan);
  maker.Run();
  if (maker.merges().size() != plan.merges) {
    return "no more than " + std::to_string(maker.merges().size()) + " merges can be made";
  }
  model.Set("tokenizer.ggml.tokens", maker.tokens());
  if (plan.scores) model.Set("tokenizer.ggml.scores", maker.scores());
  if (plan.types) model.Set("tokenizer.ggml.token_type", maker.types());
  if (plan.merges > 0) model.Set("tokenizer.ggml.merges", maker.merges());
  return {};
}

std::vector<std::uint8_t> SyntheticCharsmap(std::uint64_t size) {
  constexpr std::uint64_t kReplacements = 256;
  const std::uint64_t trie = (size - kReplacements) / 4 * 4 - 4;
  std::vector<std::uint8_t> map(size, 0);  // no entry of the trie matches a letter
  Store(static_cast<std::uint32_t>(trie), ByteOrder::kLittle, map);
  return map;
}

}  // namespace ggufgate::published
