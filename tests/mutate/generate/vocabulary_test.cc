// Generated vocabularies: of every kind of tokenizer, most of them kept, all of them valid.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "format/tokenizers/tokenizer.h"
#include "mutate/build/entry_value.h"
#include "mutate/generate/generate.h"
#include "mutate/repair/repair.h"
#include "tests/mutate/seed_files.h"
#include "tests/mutate/workshop.h"

namespace ggufgate::mutate {
namespace {

TEST(GenerateVocabulary, IsAcceptedInEveryRoom) {
  for (const std::size_t room : {24u, 200u, 1000u, 1u << 14}) {
    Workshop workshop(room, room);
    for (std::uint64_t i = 0; i < Rounds(1500); ++i) {
      MutationContext& context = workshop.Fresh();
      GenerateVocabulary(context);
      Repair(context);
      ASSERT_TRUE(context.Write()) << room;
      ASSERT_THAT(ErrorsIn(context.bytes()), ::testing::IsEmpty()) << room;
    }
  }
}

// The number of files made for each tokenizer, and of those that still name it after Repair.
TEST(GenerateVocabulary, ServesItsTokenizerMostOfTheTime) {
  struct Tally {
    int made = 0;
    int kept = 0;
  };
  std::map<std::string, Tally> tallies;
  Workshop workshop(31, std::size_t{1} << 14);
  constexpr int kFiles = 5000;
  for (int i = 0; i < kFiles; ++i) {
    MutationContext& context = workshop.Fresh();
    GenerateVocabulary(context);
    ASSERT_FALSE(context.draft.entries.empty());
    Tally& tally = tallies[std::string(*TextOf(context.draft.entries[0]))];
    ++tally.made;
    Repair(context);
    if (context.draft.Find("tokenizer.ggml.model") != nullptr) ++tally.kept;
  }
  EXPECT_EQ(tallies.size(), 9u);
  for (const auto& [model, tally] : tallies) {
    EXPECT_GT(tally.made, kFiles / 20) << model;
    EXPECT_GT(tally.kept, tally.made / 2) << model;
    const bool judged = FindTokenizer(model) != nullptr;
    if (!judged) {
      EXPECT_EQ(tally.kept, tally.made) << model;
    }
  }
}

// An array with an element per token has exactly that many, and Repair removes none of it.
TEST(GenerateVocabulary, HasAnElementForEachToken) {
  int arrays = 0;
  Workshop workshop(32, std::size_t{1} << 14);
  for (std::uint64_t i = 0; i < Rounds(2000); ++i) {
    MutationContext& context = workshop.Fresh();
    GenerateVocabulary(context);
    const Entry* const tokens = context.draft.Find("tokenizer.ggml.tokens");
    for (const std::string_view key : {"tokenizer.ggml.scores", "tokenizer.ggml.token_type"}) {
      const Entry* const entry = context.draft.Find(key);
      if (entry == nullptr) continue;
      ASSERT_NE(tokens, nullptr);
      EXPECT_EQ(CountOf(*entry), CountOf(*tokens));
      ++arrays;
    }
    const std::size_t before = context.draft.entries.size();
    Repair(context);
    EXPECT_LE(before - context.draft.entries.size(), 3u);
  }
  EXPECT_GT(arrays, static_cast<int>(Rounds(2000) / 4));
}

TEST(GenerateVocabulary, HasTokensThatAreHardToRead) {
  std::map<std::string, int> tokens;
  Workshop workshop(33, std::size_t{1} << 14);
  for (int i = 0; i < 2000; ++i) {
    MutationContext& context = workshop.Fresh();
    GenerateVocabulary(context);
    const Entry* const entry = context.draft.Find("tokenizer.ggml.tokens");
    if (entry == nullptr) continue;
    for (Strings strings(ElementsOf(*entry)); strings.Next();) {
      ++tokens[std::string(strings.text())];
    }
  }
  for (const std::string_view hard : {"", "\n", "\x80\xFF", "\xE2\x96\x81of", "<0x0A>", "{{"}) {
    EXPECT_GT(tokens[std::string(hard)], 0) << hard;
  }
}

}  // namespace
}  // namespace ggufgate::mutate
