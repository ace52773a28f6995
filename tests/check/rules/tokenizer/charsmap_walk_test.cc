// Rule charsmap-walk. A builder makes valid maps as Darts-clone does: numbers in blocks of 256.

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

#include "tests/support/judge.h"
#include "tests/support/matchers.h"
#include "tests/support/rule_cases.h"
#include "tests/support/sizes.h"
#include "tests/support/vocabularies.h"

namespace ggufgate::testing {
namespace {

using Trie = std::vector<std::uint32_t>;
using Map = std::vector<std::uint8_t>;

constexpr std::uint32_t kValue = std::uint32_t{1} << 31;
constexpr std::uint32_t kEnds = 1U << 8;

// Builder arranges a trie of texts and offsets as a double array.
class Builder {
 public:
  void Add(const std::string& text, std::uint32_t offset) {
    Node* node = &root_;
    for (const char c : text) node = &node->children[static_cast<unsigned char>(c)];
    node->ends = true;
    node->offset = offset;
  }

  Trie Build() {
    trie_.assign(256, 0);
    used_ = {0};
    Place(root_, 0);
    return trie_;
  }

 private:
  struct Node {
    std::map<std::uint32_t, Node> children = {};
    bool ends = false;
    std::uint32_t offset = 0;
  };

  void Place(const Node& node, std::uint32_t at) {
    std::uint32_t base = 1;
    while (!IsFree(node, base)) ++base;
    if (trie_.size() < (base | 255U) + 1) trie_.resize((base | 255U) + 1, 0);
    // The base of the root is the state itself; that of other nodes is the difference to the node.
    trie_[at] |= (at == 0 ? base : base ^ at) << 10;
    if (node.ends) {
      trie_[at] |= kEnds;
      trie_[base] = kValue | node.offset;
      used_.insert(base);
    }
    for (const auto& [byte, child] : node.children) used_.insert(base ^ byte);
    for (const auto& [byte, child] : node.children) {
      trie_[base ^ byte] = byte;
      Place(child, base ^ byte);
    }
  }

  [[nodiscard]] bool IsFree(const Node& node, std::uint32_t base) const {
    if (used_.contains(base)) return false;
    for (const auto& [byte, child] : node.children) {
      if (used_.contains(base ^ byte)) return false;
    }
    return true;
  }

  Node root_;
  Trie trie_;
  std::set<std::uint32_t> used_;
};

Map MapOf(const Trie& trie, std::string_view texts) {
  Encoder map(ByteOrder::kLittle);
  map.Put(static_cast<std::uint32_t>(4 * trie.size()));
  for (const std::uint32_t number : trie) map.Put(number);
  return map.PutBytes(AsBytes(texts)).Take();
}

Model ModelWithTrie(const Trie& trie, std::string_view texts, const char* tokenizer = "t5") {
  return WithTokens(tokenizer, Numbered(12))
      .Set(TokenizerKey("precompiled_charsmap"), MapOf(trie, texts));
}

constexpr std::string_view kTexts("A\0fi\0 \0", 7);

Trie Sound() {
  Builder builder;
  builder.Add("a", 0);
  builder.Add("ab", 5);
  builder.Add("\xEF\xAC\x81", 2);
  builder.Add("\xE2\x80\xA8", 5);
  return builder.Build();
}

TEST(CharsmapWalk, SoundMapsPass) {
  EXPECT_THAT(RulesFired(ModelWithTrie(Sound(), kTexts)), IsEmpty());
  EXPECT_THAT(RulesFired(ModelWithTrie(Trie(256, 0), kTexts)), IsEmpty());
  EXPECT_THAT(RulesFired(ModelWithTrie({}, kTexts)), IsEmpty());  // no trie, so no walks
}

TEST(CharsmapWalk, ManyTexts) {
  if (!kFullLength) GTEST_SKIP() << "building the trie takes seconds without the optimiser";
  std::mt19937 random(5);
  Builder builder;
  for (int i = 0; i < 2000; ++i) {
    std::string text;
    for (std::size_t left = 1 + random() % 5; left > 0; --left) {
      text += static_cast<char>(1 + random() % 255);
    }
    builder.Add(text, i % 3 == 0 ? 0 : 2);
  }
  const Trie trie = builder.Build();
  EXPECT_GT(trie.size(), 4096U);
  EXPECT_THAT(RulesFired(ModelWithTrie(trie, kTexts)), IsEmpty());
}

TEST(CharsmapWalk, TheFirstLetterLeavesASmallTrie) {
  const Model model = ModelWithTrie(Trie(255, 0), kTexts);
  const Finding finding = SoleFinding(model, RuleId::kCharsmapWalk);
  EXPECT_THAT(finding, Tells({ValueAt(model, 2) + 12 + 4, 4}, Number(255), Number(255)));
  EXPECT_EQ(WordingOf(finding), CharsmapWalkWording::kLeaves);
  EXPECT_EQ(Severities(model, RuleId::kCharsmapWalk), "error error warning");
  // Byte 0 leads nowhere, so the node of the state itself need not exist.
  Trie last(255, 0);
  last.at(0) = 255U << 10;
  EXPECT_THAT(RulesFired(ModelWithTrie(last, kTexts)), IsEmpty());
}

TEST(CharsmapWalk, ANodeLeadsOut) {
  Trie trie(256, 0);
  trie.at('a') = 'a' | 256U << 10;  // the state of the root is 0
  const Model model = ModelWithTrie(trie, kTexts);
  const Finding finding = Judge(model).Only(RuleId::kCharsmapWalk);
  EXPECT_EQ(finding.where.begin, ValueAt(model, 2) + 12 + 4 * (1 + 'a'));
  EXPECT_EQ(finding.observed, Number(256));
  trie.at('a') = 'b' | 256U << 10;  // no text reaches it
  EXPECT_THAT(RulesFired(ModelWithTrie(trie, kTexts)), IsEmpty());
  trie.at('a') = 'a' | 256U << 10 | kValue;  // no walk goes to a value either
  EXPECT_THAT(RulesFired(ModelWithTrie(trie, kTexts)), IsEmpty());
  trie.at('a') = 'a' | 1U << 10 | 1U << 9;  // a base in units of 256
  EXPECT_EQ(Judge(ModelWithTrie(trie, kTexts)).Only(RuleId::kCharsmapWalk).observed, Number(256));
}

TEST(CharsmapWalk, AReplacementIsThere) {
  Trie trie(256, 0);
  trie.at('a') = 'a' | kEnds | ('a' ^ 7U) << 10;
  trie.at(7) = kValue | 6;
  EXPECT_THAT(RulesFired(ModelWithTrie(trie, kTexts)), IsEmpty());
  trie.at(7) = kValue | 7;
  const Model model = ModelWithTrie(trie, kTexts);
  const Finding finding = Judge(model).Only(RuleId::kCharsmapWalk);
  EXPECT_EQ(finding.where.begin, ValueAt(model, 2) + 12 + 4 * (1 + 7));
  EXPECT_EQ(finding.observed, Number(7));
  EXPECT_EQ(finding.allowed, Number(7));
  EXPECT_EQ(WordingOf(finding), CharsmapWalkWording::kBeyond);
}

TEST(CharsmapWalk, AReplacementIsShort) {
  Trie trie(256, 0);
  trie.at('a') = 'a' | kEnds | ('a' ^ 7U) << 10;
  const std::string texts = std::string(2000, 'x') + '\0' + std::string(1024, 'y') + '\0';
  for (const std::uint32_t fine : {2000U - 1024, 2000U, 2001U, 3025U}) {
    trie.at(7) = kValue | fine;
    EXPECT_THAT(RulesFired(ModelWithTrie(trie, texts)), IsEmpty()) << fine;
  }
  trie.at(7) = kValue | (2000U - 1025);
  const Finding finding = Judge(ModelWithTrie(trie, texts)).Only(RuleId::kCharsmapWalk);
  EXPECT_EQ(finding.observed, Number(1025));
  EXPECT_EQ(finding.allowed, Number(1024));
  EXPECT_EQ(WordingOf(finding), CharsmapWalkWording::kTooLong);
}

// All nodes of a block lead to each other: each state is visited once.
TEST(CharsmapWalk, CirclesEnd) {
  Trie trie(1024, 0);
  for (std::uint32_t node = 0; node < trie.size(); ++node) {
    trie[node] = (1 + node * 7 % 255) | (node * 13 % 1024) << 10;
  }
  EXPECT_THAT(RulesFired(ModelWithTrie(trie, kTexts)), IsEmpty());
}

TEST(CharsmapWalk, IsOfUnigramOnly) {
  EXPECT_THAT(RulesFired(ModelWithTrie(Trie(1, 0), kTexts, "t5")), ElementsAre("charsmap-walk"));
  EXPECT_EQ(Severities(ModelWithTrie(Trie(1, 0), kTexts, "gpt2"), RuleId::kCharsmapWalk),
            "off off off");
}

}  // namespace
}  // namespace ggufgate::testing
