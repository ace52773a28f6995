// Rule charsmap-walk: the places that a text can reach in the trie of a character map.
//
// The trie is a double array. The number of a node contains, from its lowest bit: the byte that
// leads to it (8 bits), whether it ends a replaced text (1), whether its base is in units of 256
// (1), its base (21), and a bit that marks a value (1). A walk begins at the state that is the base
// of the root. From a state, a text can reach any of the nodes `state ^ byte`, for bytes 1 to 255.
// It continues if that byte equals the node's byte: to the state `node ^ base`. If the node ends a
// replaced text, the value at that state is the offset of the replacement.
//
// So each node can be reached from only one state, `node ^ its byte`. One pass finds all states, in
// time and memory proportional to the trie.
//
// Source: llama.cpp v0.5.0, llm_tokenizer_ugm_session in src/llama-vocab.cpp; Darts-clone by Yata,
// whose units SentencePiece stores. Darts-clone allocates blocks of 256, so no walk leaves its
// tries.

#include <algorithm>
#include <vector>

#include "check/rules/rule_functions.h"
#include "check/rules/tokenizer/vocabulary_view.h"
#include "check/values.h"

namespace ggufgate {
namespace {

constexpr std::uint64_t kNumberBytes = 4;
constexpr std::uint32_t kBlock = 256;
constexpr std::uint32_t kValueBit = std::uint32_t{1} << 31;
constexpr std::uint32_t kNobody = UINT32_MAX;

struct Breach {
  CharsmapWalkWording wording;
  std::uint32_t node;  // the node with the wrong number
  std::uint64_t observed;
  std::uint64_t allowed;
};

std::uint32_t BaseOf(std::uint32_t unit) {
  constexpr std::uint32_t kWide = 1U << 9;
  return (unit >> 10) << ((unit & kWide) >> 6);
}
bool EndsText(std::uint32_t unit) { return (unit >> 8 & 1) != 0; }

// Replacements are texts that each end with a NUL. The caller checks that the last one does.
class Replacements {
 public:
  Replacements(Bytes texts, std::uint64_t limit) : size_(texts.size()), limit_(limit) {
    std::uint64_t begin = 0;
    for (std::uint64_t at = 0; at < texts.size(); ++at) {
      if (texts[at] != 0) continue;
      if (at - begin > limit) long_.push_back({begin, at});
      begin = at + 1;
    }
  }

  [[nodiscard]] std::uint64_t size() const { return size_; }

  // TooLong returns the length of the text at `offset` if it exceeds the limit, otherwise 0.
  [[nodiscard]] std::uint64_t TooLong(std::uint64_t offset) const {
    const auto text = std::ranges::upper_bound(long_, offset, {}, &Text::end);
    if (text == long_.end() || offset < text->begin) return 0;
    return text->end - offset > limit_ ? text->end - offset : 0;
  }

 private:
  struct Text {
    std::uint64_t begin, end;
  };
  std::uint64_t size_;
  std::uint64_t limit_;
  std::vector<Text> long_;  // by offset
};

class Walk {
 public:
  Walk(Bytes trie, const Replacements& replacements, std::uint64_t limit)
      : trie_(trie),
        count_(static_cast<std::uint32_t>(trie.size() / kNumberBytes)),
        replacements_(replacements),
        limit_(limit),
        first_((std::uint64_t{count_} + kBlock - 1) / kBlock * kBlock, kNobody),
        next_(count_, kNobody),
        seen_(first_.size(), false) {
    for (std::uint32_t node = count_; node-- > 0;) {
      const std::uint32_t unit = At(node);
      const std::uint32_t byte = unit & 0xFF;
      if (byte == 0 || (unit & kValueBit) != 0) continue;
      std::uint32_t& first = first_[node ^ byte];
      next_[node] = first;
      first = node;
    }
  }

  [[nodiscard]] std::optional<Breach> Run() {
    if (auto breach = Reach(0, BaseOf(At(0)))) return breach;
    while (!states_.empty()) {
      const std::uint32_t state = states_.back();
      states_.pop_back();
      for (std::uint32_t node = first_[state]; node != kNobody; node = next_[node]) {
        if (auto breach = Follow(node)) return breach;
      }
    }
    return std::nullopt;
  }

 private:
  [[nodiscard]] std::uint32_t At(std::uint32_t node) const {
    return Load<std::uint32_t>(trie_.subspan(node * kNumberBytes), ByteOrder::kLittle);
  }

  // Reach enters a state. All nodes of its block must exist, except the one of byte 0.
  std::optional<Breach> Reach(std::uint32_t node, std::uint32_t state) {
    const std::uint32_t block = state & ~(kBlock - 1);
    std::uint32_t least = std::max(count_, block);  // the first missing node
    if (least == state) ++least;
    if (least < block + kBlock) return Breach{CharsmapWalkWording::kLeaves, node, least, count_};
    if (seen_[state]) return std::nullopt;
    seen_[state] = true;
    states_.push_back(state);
    return std::nullopt;
  }

  std::optional<Breach> Follow(std::uint32_t node) {
    const std::uint32_t unit = At(node);
    const std::uint32_t state = node ^ BaseOf(unit);
    if (EndsText(unit)) {
      if (state >= count_) return Breach{CharsmapWalkWording::kLeaves, node, state, count_};
      const std::uint32_t offset = At(state) & ~kValueBit;
      if (offset >= replacements_.size()) {
        return Breach{CharsmapWalkWording::kBeyond, state, offset, replacements_.size()};
      }
      if (const std::uint64_t size = replacements_.TooLong(offset); size > 0) {
        return Breach{CharsmapWalkWording::kTooLong, state, size, limit_};
      }
    }
    return Reach(node, state);
  }

  Bytes trie_;
  std::uint32_t count_;
  const Replacements& replacements_;
  std::uint64_t limit_;
  std::vector<std::uint32_t> first_;  // by state: a node that it leads to
  std::vector<std::uint32_t> next_;   // by node: another node of the same state
  std::vector<bool> seen_;            // by state
  std::vector<std::uint32_t> states_;
};

std::optional<Breach> FindBreach(Bytes map, std::uint64_t limit) {
  if (map.size() < kNumberBytes) return std::nullopt;
  const std::uint64_t size = Load<std::uint32_t>(map, ByteOrder::kLittle);
  const Bytes rest = map.subspan(kNumberBytes);
  // Rule charsmap reports faults of the map itself. Without a trie there are no walks.
  if (size >= rest.size() || map.back() != 0 || size < kNumberBytes) return std::nullopt;
  const Replacements replacements(rest.subspan(size), limit);
  return Walk(rest.first(size / kNumberBytes * kNumberBytes), replacements, limit).Run();
}

}  // namespace

void CheckCharsmapWalk(const Context& context, Sink& sink) {
  const Vocabulary& vocabulary = VocabularyOf(context);
  const MetadataEntry* entry = vocabulary.keys.charsmap;
  if (entry == nullptr || !HasShape(*entry, KeyShape::kBytes)) return;
  if (!vocabulary.Is(TokenizerKind::kUnigram)) return;  // only this tokenizer reads the map
  const ByteRange elements = entry->ElementsRange();
  const auto breach =
      FindBreach(context.document.BytesAt(elements), context.policy.limits.replacement_bytes);
  if (!breach) return;
  const std::uint64_t at = elements.begin + kNumberBytes * (std::uint64_t{breach->node} + 1);
  sink.Add({.where = {.begin = at, .size = kNumberBytes},
            .subject = MetadataSubject(context.document, *entry),
            .observed = breach->observed,
            .allowed = breach->allowed,
            .wording = breach->wording});
}

}  // namespace ggufgate
