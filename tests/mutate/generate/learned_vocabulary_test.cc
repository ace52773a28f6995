#include "mutate/generate/learned_vocabulary.h"

#include <gmock/gmock.h>

#include <set>
#include <string>
#include <vector>

#include "parse/arrays.h"
#include "tests/support/judge.h"
#include "tests/support/parse_helpers.h"

namespace ggufgate::mutate {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Optional;

// The texts of the tokens.
std::vector<std::string> TokensOf(const Model& model) {
  const testing::Parsed parsed = testing::ParseSound(model);
  LeafArrays arrays(parsed.document, *parsed.document.Find("tokenizer.ggml.tokens"));
  std::vector<std::string> tokens;
  for (StringArray texts(parsed.document, arrays.Next().value()); texts.Next();) {
    tokens.emplace_back(texts.text());
  }
  return tokens;
}

TEST(LearnedVocabulary, WordsOfKinds) {
  for (const VocabularyWord& one : kVocabularyWords) {
    EXPECT_THAT(FindVocabulary(one.word), Optional(one.kind)) << one.word;
  }
  for (const char* word : {"", "SPM", "none", "spm "}) EXPECT_FALSE(FindVocabulary(word)) << word;
}

TEST(LearnedVocabulary, EachKindIsSound) {
  for (const VocabularyWord& one : kVocabularyWords) {
    SCOPED_TRACE(one.word);
    Model model = Model::Minimal();
    const std::uint64_t count = AddVocabulary(model, one.kind);
    EXPECT_THAT(testing::RulesFired(model), IsEmpty());
    EXPECT_EQ(TokensOf(model).size(), count);
    const std::vector<std::string> tokens = TokensOf(model);
    EXPECT_EQ(std::set(tokens.begin(), tokens.end()).size(), count) << "each token once";
  }
}

TEST(LearnedVocabulary, NoneHasNoKeys) {
  Model model;
  EXPECT_EQ(AddVocabulary(model, TokenizerKind::kNone), 0U);
  EXPECT_THAT(model.metadata, IsEmpty());
}

// The tokens that each kind requires.
TEST(LearnedVocabulary, HasATokenForEachByte) {
  const auto tokens = [](TokenizerKind kind) {
    Model model;
    AddVocabulary(model, kind);
    return TokensOf(model);
  };
  for (const TokenizerKind kind :
       {TokenizerKind::kSentencePiece, TokenizerKind::kUnigram, TokenizerKind::kPlamo2}) {
    for (const char* byte : {"<0x00>", "<0x0A>", "<0x9F>", "<0xFF>"}) {
      EXPECT_THAT(tokens(kind), Contains(byte));
    }
  }
  for (const char* byte : {"\\x00", "\\x0a", " ", "a", "\\\\", "\\x7f", "\\xff"}) {
    EXPECT_THAT(tokens(TokenizerKind::kRwkv), Contains(byte));
  }
  // The letters of GPT-2 for the bytes 0, "!", 127, 173 and 255.
  for (const char* letter : {"\xC4\x80", "!", "\xC4\xA1", "\xC5\x83", "\xC3\xBF"}) {
    EXPECT_THAT(tokens(TokenizerKind::kBytePairs), Contains(letter));
  }
  const std::vector<std::string> pieces = tokens(TokenizerKind::kWordPiece);
  EXPECT_THAT(std::vector(pieces.begin() + 100, pieces.begin() + 103),
              ElementsAre("[UNK]", "[CLS]", "[SEP]"));
}

}  // namespace
}  // namespace ggufgate::mutate
