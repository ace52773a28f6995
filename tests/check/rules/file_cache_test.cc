#include "check/rules/file_cache.h"

#include <gtest/gtest.h>

#include <array>
#include <string>

#include "bytes/memory_source.h"

namespace ggufgate {
namespace {

constexpr std::array<std::uint8_t, 4> kFile = {1, 2, 3, 4};

class FileCacheTest : public ::testing::Test {
 protected:
  FileCacheTest() : source_(kFile), cache_(document_, source_, ContractTable::CompiledIn()) {
    document_.prefix = Bytes(kFile).first(2);
  }

  Document document_;
  MemorySource source_;
  FileCache cache_;
};

struct Name {
  std::string text;
};
struct Other {
  std::string text;
};

TEST_F(FileCacheTest, MakesEachThingOnce) {
  int made = 0;
  const auto name = [&] { return Name{"name" + std::to_string(++made)}; };
  const Name& first = cache_.Get<Name>(name);
  EXPECT_EQ(first.text, "name1");
  EXPECT_EQ(cache_.Get<Other>([] { return Other{"other"}; }).text, "other");
  EXPECT_EQ(&cache_.Get<Name>(name), &first);
  EXPECT_EQ(made, 1);
  FileCache another(document_, source_, ContractTable::CompiledIn());
  EXPECT_EQ(another.Get<Name>(name).text, "name2") << "of another file";
}

TEST_F(FileCacheTest, MakingOneMayAskForOthers) {
  const auto number = [&] { return cache_.Get<Name>([] { return Name{"made within"}; }).text; };
  const Other& other = cache_.Get<Other>([&] { return Other{number() + ", seen"}; });
  EXPECT_EQ(other.text, "made within, seen");
  EXPECT_EQ(number(), "made within");
}

TEST_F(FileCacheTest, ViewsThePrefixAndReadsTheRest) {
  std::array<std::uint8_t, 4> scratch{};
  EXPECT_EQ(cache_.View({.begin = 0, .size = 2}, scratch).data(), document_.prefix.data());
  const Bytes read = cache_.View({.begin = 1, .size = 3}, scratch);
  EXPECT_EQ(read.data(), scratch.data());
  EXPECT_EQ(read.size(), 3U);
  EXPECT_EQ(read.front(), 2);
  EXPECT_TRUE(cache_.io().complete());
}

TEST_F(FileCacheTest, KeepsTheFirstFailedRead) {
  std::array<std::uint8_t, 4> scratch{};
  EXPECT_TRUE(cache_.View({.begin = 3, .size = 2}, scratch).empty()) << "past the end";
  EXPECT_EQ(cache_.io().kind, ReadOutcome::Kind::kShrunk);
  EXPECT_TRUE(cache_.View({.begin = 2, .size = 2}, scratch).empty()) << "no read after that";
  EXPECT_EQ(cache_.View({.begin = 0, .size = 2}, scratch).size(), 2U)
      << "but what is there is seen";
  cache_.Note({.kind = ReadOutcome::Kind::kFailed, .error_number = 5});
  EXPECT_EQ(cache_.io().kind, ReadOutcome::Kind::kShrunk);
}

TEST_F(FileCacheTest, TakesAnOutcomeFromElsewhere) {
  cache_.Note({.kind = ReadOutcome::Kind::kFailed, .error_number = 5});
  EXPECT_EQ(cache_.io().error_number, 5);
  cache_.Note({});
  EXPECT_FALSE(cache_.io().complete());
}

// A fact that depends on lines of a contract is computed again if they differ for another loader.
TEST_F(FileCacheTest, DropsFactsOfLinesThatDifferForAnotherLoader) {
  struct Lines {
    int number;
  };
  struct Derived {
    int number;
  };
  struct Length {
    int number;
  };
  int made = 0;
  const auto count = [&] { return ++made; };
  const auto lines = [&](std::string_view word) {
    return cache_
        .Get<Lines>([&] {
          (void)cache_.FindContract("llama")->Lines(word);
          return Lines{count()};
        })
        .number;
  };
  const auto derived = [&] {
    return cache_.Get<Derived>([&] { return Derived{lines("load") * 0 + count()}; }).number;
  };
  const auto length = [&] { return cache_.Get<Length>([&] { return Length{count()}; }).number; };
  EXPECT_EQ(length(), 1);
  EXPECT_TRUE(cache_.TakeAsked().empty());
  EXPECT_EQ(derived(), 3);
  ContractWords load;
  load.Add("load");
  EXPECT_TRUE(cache_.TakeAsked().Overlaps(load));
  EXPECT_EQ(lines("load"), 2);
  EXPECT_TRUE(cache_.TakeAsked().Overlaps(load)) << "a cached fact";
  // llama.cpp b10361 differs from v0.5.0 in line "load", and v0.4.0 does not.
  cache_.JudgeFor(*ContractTable::FindLearned("llama.cpp v0.4.0"), "llama");
  EXPECT_EQ(derived(), 3);
  cache_.JudgeFor(*ContractTable::FindLearned("llama.cpp b10361"), "llama");
  EXPECT_EQ(length(), 1) << "depends on no loader";
  EXPECT_EQ(derived(), 5);
  EXPECT_EQ(lines("load"), 4);
}

// An architecture that the other loader lacks.
TEST_F(FileCacheTest, DropsFactsOfTheContractIfThereIsNone) {
  struct Present {
    bool there;
  };
  const auto present = [&] {
    return cache_.Get<Present>([&] { return Present{cache_.FindContract("qwen4exp") != nullptr}; })
        .there;
  };
  EXPECT_TRUE(present());
  cache_.JudgeFor(*ContractTable::FindLearned("llama.cpp b10361"), "qwen4exp");
  EXPECT_FALSE(present());
}

}  // namespace
}  // namespace ggufgate
