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

// Facts that depend on contracts are computed again for another loader, others are kept.
TEST_F(FileCacheTest, FactsOfALoaderEndWithIt) {
  struct Release {
    std::string name;
  };
  struct Length {
    std::size_t bytes;
  };
  int made = 0;
  const auto release = [&] {
    return cache_.Get<Release>([&] { return Release{std::string(cache_.Contracts().release())}; })
        .name;
  };
  const auto length = [&] {
    return cache_.Get<Length>([&] { return Length{static_cast<std::size_t>(++made)}; }).bytes;
  };
  EXPECT_EQ(length(), 1U);
  EXPECT_FALSE(cache_.TakeAsked());
  EXPECT_EQ(release(), kContractRelease);
  EXPECT_TRUE(cache_.TakeAsked());
  EXPECT_EQ(release(), kContractRelease);
  EXPECT_TRUE(cache_.TakeAsked()) << "a cached fact of contracts";
  cache_.JudgeFor(*ContractTable::FindLearned("llama.cpp v0.4.0"));
  EXPECT_EQ(release(), "llama.cpp v0.4.0");
  EXPECT_EQ(length(), 1U);
}

}  // namespace
}  // namespace ggufgate
