#include "format/contracts/contract_words.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>

#include "format/contracts/contract_table.h"

namespace ggufgate {
namespace {

ContractWords Of(std::string_view word) {
  ContractWords words;
  words.Add(word);
  return words;
}

const Contract& In(std::string_view release, std::string_view architecture) {
  return *ContractTable::FindLearned(release)->Find(architecture);
}

std::string TextOf(const ContractLines& lines) {
  std::string text;
  for (const ContractLine& line : lines) {
    for (const std::string_view part : {line.word, line.name, line.fields}) {
      text += std::string(part) + "|";
    }
  }
  return text;
}

TEST(ContractWordsTest, AreSets) {
  ContractWords words;
  EXPECT_TRUE(words.empty());
  EXPECT_FALSE(words.Overlaps(ContractWords::All()));
  words.Add(Of("key"));
  words.Add("next");
  EXPECT_TRUE(words.Overlaps(Of("key")));
  EXPECT_TRUE(words.Overlaps(Of("next")));
  EXPECT_FALSE(words.Overlaps(Of("shape")));
}

TEST(ContractWordsTest, PresenceBelongsToNoWord) {
  ContractWords presence;
  presence.AddPresence();
  EXPECT_TRUE(presence.Overlaps(ContractWords::All()));
  for (const std::string_view word : kContractWords) EXPECT_FALSE(presence.Overlaps(Of(word)));
}

TEST(ContractWordsTest, AWordThatNoContractHasIsAll) {
  EXPECT_TRUE(Of("keys").Overlaps(Of("key")));
  EXPECT_TRUE(Of("").Overlaps(Of("next")));
}

TEST(ContractWordsTest, EachLineOfTheTablesHasOne) {
  for (const ContractTable& table : ContractTable::Learned()) {
    for (const Contract& contract : table.All()) {
      for (const ContractLine& line : ContractLines(contract)) {
        EXPECT_EQ(std::ranges::count(kContractWords, line.word), 1) << line.word;
      }
    }
  }
}

TEST(IndexedContractTest, FindsTheWordsWithOtherLines) {
  const IndexedContract now(In("llama.cpp v0.5.0", "llama"));
  EXPECT_TRUE(now.DifferingFrom(&now).empty());
  // b10361 divides by the dimensions of tensors (rule tensor-dimension), and has the same shapes.
  const IndexedContract before(In("llama.cpp b10361", "llama"));
  EXPECT_TRUE(now.DifferingFrom(&before).Overlaps(Of("load")));
  EXPECT_FALSE(now.DifferingFrom(&before).Overlaps(Of("shape")));
}

TEST(IndexedContractTest, AllWordsDifferFromAnotherText) {
  const IndexedContract now(In("llama.cpp v0.5.0", "llama"));
  const std::string text(now.contract().text);
  Contract copy = now.contract();
  copy.text = text;
  Contract other_vocabulary = now.contract();
  other_vocabulary.vocabulary = "rwkv";
  const IndexedContract of_copy(copy);
  const IndexedContract of_other(other_vocabulary);
  ContractWords presence;
  presence.AddPresence();
  for (const IndexedContract* other :
       {static_cast<const IndexedContract*>(nullptr), &of_copy, &of_other}) {
    EXPECT_TRUE(now.DifferingFrom(other).Overlaps(presence));
    EXPECT_TRUE(now.DifferingFrom(other).Overlaps(Of("key")));
  }
}

TEST(IndexedContractTest, FindsTheSameLinesAsASearch) {
  for (const Contract& contract : AllContracts()) {
    const IndexedContract indexed(contract);
    for (const std::string_view word : kContractWords) {
      EXPECT_EQ(TextOf(indexed.Lines(word)), TextOf(ContractLines(contract, word)))
          << contract.architecture << " " << word;
    }
    EXPECT_EQ(TextOf(indexed.Lines("tens")), "");
  }
}

TEST(IndexedContractTest, FindsLinesOfAWordThatIsNotInTheList) {
  const std::string text = "key a u32 1 d\nodd b\n";
  constexpr std::array<std::uint32_t, 2> kLines = {0, 14};
  const Contract contract{.architecture = "x", .vocabulary = "spm", .text = text, .lines = kLines};
  EXPECT_EQ(TextOf(IndexedContract(contract).Lines("odd")), "odd||b|");
}

TEST(LinesOfTest, AreConsecutiveLinesOfOneWord) {
  const Contract& llama = In("llama.cpp v0.5.0", "llama");
  std::size_t lines = 0;
  for (const std::string_view word : kContractWords) {
    for (const std::uint32_t offset : LinesOf(llama, word)) {
      EXPECT_TRUE(LineAt(llama.text, offset).starts_with(std::string(word) + " "));
    }
    lines += LinesOf(llama, word).size();
  }
  EXPECT_EQ(lines, llama.lines.size());
  EXPECT_TRUE(LinesOf(llama, "tens").empty());
}

}  // namespace
}  // namespace ggufgate
