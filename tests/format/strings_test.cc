#include "format/strings.h"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

namespace ggufgate {
namespace {

const std::array<std::string, 4> kTexts = {"<s>", "", "a b", std::string(40, 'x')};

// Written returns the texts, each after its length.
template <typename Length>
std::vector<std::uint8_t> Written(ByteOrder order) {
  std::vector<std::uint8_t> bytes;
  for (const std::string& text : kTexts) {
    const std::size_t at = bytes.size();
    bytes.resize(at + sizeof(Length));
    Store(static_cast<Length>(text.size()), order, MutableBytes(bytes).subspan(at));
    bytes.insert(bytes.end(), text.begin(), text.end());
  }
  return bytes;
}

void ExpectTexts(Strings strings) {
  for (const std::string& text : kTexts) {
    ASSERT_TRUE(strings.Next()) << text;
    EXPECT_EQ(strings.text(), text);
    EXPECT_EQ(AsText(strings.bytes()), text);
  }
  EXPECT_FALSE(strings.Next());
  EXPECT_TRUE(strings.rest().empty());
}

TEST(Strings, AreWalkedToTheEndInEveryEncoding) {
  for (const ByteOrder order : {ByteOrder::kLittle, ByteOrder::kBig}) {
    ExpectTexts(Strings(Written<std::uint64_t>(order), order));
    ExpectTexts(Strings(Written<std::uint32_t>(order), order, 4));
  }
  EXPECT_FALSE(Strings({}).Next());
}

TEST(Strings, EndBeforeOneThatIsNotWhole) {
  const std::vector<std::uint8_t> bytes = Written<std::uint64_t>(ByteOrder::kLittle);
  std::vector<std::size_t> ends = {0};
  for (const std::string& text : kTexts) ends.push_back(ends.back() + 8 + text.size());
  for (std::size_t size = 0; size <= bytes.size(); ++size) {
    std::size_t whole = 0;
    for (Strings strings(Bytes(bytes).first(size)); strings.Next();) ++whole;
    EXPECT_TRUE(ends.at(whole) <= size && (whole == 4 || size < ends.at(whole + 1))) << size;
  }
  const std::vector<std::uint8_t> endless(9, 0xFF);
  EXPECT_FALSE(Strings(endless).Next());
}

TEST(SizeOfStrings, IsThatOfTheFirstOnes) {
  const std::vector<std::uint8_t> bytes = Written<std::uint64_t>(ByteOrder::kBig);
  EXPECT_EQ(SizeOfStrings(bytes, 0, ByteOrder::kBig), 0U);
  EXPECT_EQ(SizeOfStrings(bytes, 2, ByteOrder::kBig), 8U + 3 + 8);
  EXPECT_EQ(SizeOfStrings(bytes, 4, ByteOrder::kBig), bytes.size());
  EXPECT_EQ(SizeOfStrings(bytes, 5, ByteOrder::kBig), std::nullopt);
  EXPECT_EQ(SizeOfStrings(bytes, UINT64_MAX, ByteOrder::kBig), std::nullopt);
}

}  // namespace
}  // namespace ggufgate
