#include "check/repeats/record_hashes.h"

#include <gmock/gmock.h>

#include <array>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "check/values.h"
#include "parse/model.h"
#include "tests/support/parse_helpers.h"

namespace ggufgate::testing {
namespace {

constexpr std::array kOrders = {ByteOrder::kLittle, ByteOrder::kBig};

struct Hashed {
  RecordLengths lengths;
  std::vector<std::uint64_t> same;  // strings that equal another
  std::size_t noted = 0;            // places at which walks can begin
};

Hashed Hash(const std::vector<std::string>& texts, ByteOrder order) {
  Model model;
  model.byte_order = order;
  model.Set("before", std::vector<std::string>(5000, "text of another array"));
  model.Set("texts", texts);
  model.Set("behind", std::vector<std::string>(5000, "text of another array"));
  const Parsed parsed = ParseSound(model);
  const MetadataEntry& entry = parsed.document.metadata.at(1);
  const LeafArray strings{
      .element_type = ValueType::kString, .count = entry.count, .elements = entry.ElementsRange()};
  RepeatFilter filter(texts.size());
  Hashed hashed{.lengths = HashRecords(parsed.document, strings, filter)};
  EXPECT_FALSE(filter.gave_up());
  hashed.same = filter.MayBeSame();
  for (const std::uint64_t at : parsed.document.some_lengths) {
    const ByteRange& inside = strings.elements;
    hashed.noted += at >= inside.begin && at < inside.End() ? 1U : 0U;
  }
  return hashed;
}

// Different texts of at most `longest` bytes; one in `wide` has 100 more.
std::vector<std::string> Texts(std::size_t count, std::size_t longest, std::size_t wide,
                               std::mt19937_64& random) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < count; ++i) {
    texts.push_back(std::to_string(i) + std::string(random() % longest, 'x'));
    if (random() % wide == 0) texts.back() += std::string(100 + random() % 100, 'y');
  }
  return texts;
}

TEST(RecordHashes, AreAddedInTheOrderOfTheStrings) {
  std::mt19937_64 random(1);
  for (const std::size_t count : {1U, 255U, 256U, 257U, 20'000U, 50'000U}) {
    for (const std::size_t longest : {1U, 10U, 300U}) {
      std::vector<std::string> texts = Texts(count, longest, 500, random);
      std::vector<std::uint64_t> same;
      if (count > 100) {
        texts[count / 3] = texts.back();  // usually alone in its stretch
        texts[count / 3 + 1] = texts[count / 2];
        same = {count / 3, count / 3 + 1, count / 2, count - 1};
      }
      for (const ByteOrder order : kOrders) {
        EXPECT_EQ(Hash(texts, order).same, same) << count << " of up to " << longest;
      }
    }
  }
}

TEST(RecordHashes, GoWithTheLengths) {
  std::mt19937_64 random(2);
  std::vector<std::string> texts = Texts(30'000, 12, 700, random);
  std::uint64_t longest = 0;
  std::uint64_t squares = 0;
  for (const std::string& text : texts) {
    longest = std::max<std::uint64_t>(longest, text.size());
    if (text.size() > kUsualBytes) squares += text.size() * text.size();
  }
  for (const ByteOrder order : kOrders) {
    Hashed hashed = Hash(texts, order);
    EXPECT_GT(hashed.noted, 8U) << "nothing was walked side by side";
    EXPECT_EQ(hashed.lengths.longest(), longest);
    EXPECT_EQ(hashed.lengths.squares, squares);
    EXPECT_FALSE(hashed.lengths.any_empty());
    for (const std::size_t at : {std::size_t{0}, std::size_t{777}, texts.size() - 1}) {
      const std::string before = std::exchange(texts[at], "");
      EXPECT_TRUE(Hash(texts, order).lengths.any_empty()) << at;
      texts[at] = before;
    }
  }
}

}  // namespace
}  // namespace ggufgate::testing
