#include "parse/document.h"

#include <gtest/gtest.h>

#include <limits>

#include "tests/support/parse_helpers.h"

namespace ggufgate::testing {
namespace {

// UnsignedFrom returns the result of UnsignedOf for a key with this value, in this byte order.
template <typename T>
std::optional<std::uint64_t> UnsignedFrom(const T& value, ByteOrder order) {
  Model model;
  model.byte_order = order;
  model.Set("k", value);
  const Parsed parsed = ParseSound(model);
  return parsed.document.UnsignedOf(parsed.document.metadata.front());
}

TEST(Document, FindGivesTheFirstEntryWithTheKey) {
  Model model;
  model.Set("a", std::uint32_t{1}).Set("b", std::uint32_t{2}).Set("c", std::uint32_t{3});
  model.metadata.back().key = "b";
  const Parsed parsed = ParseSound(model);
  EXPECT_EQ(parsed.document.Find("b"), &parsed.document.metadata.at(1));
}

TEST(Document, FindComparesWholeKeys) {
  Model model;
  model.Set("general.alignment.x", std::uint32_t{1}).Set("general", std::uint32_t{2});
  model.Set(std::string_view("general.alignment\0", 18), std::uint32_t{3});
  const Parsed parsed = ParseSound(model);
  EXPECT_EQ(parsed.document.Find("general.alignment"), nullptr);
  EXPECT_EQ(parsed.document.Find(""), nullptr);
  EXPECT_NE(parsed.document.Find("general"), nullptr);
}

TEST(Document, FindInNothingFindsNothing) { EXPECT_EQ(Document{}.Find("k"), nullptr); }

TEST(Document, StringOfIsTheTextOfAStringAndOfNothingElse) {
  Model model;
  model.Set("text", "hello").Set("empty", "").Set("number", std::uint64_t{5});
  model.Set("array", std::vector<std::string>{"hello"});
  model.Set("bytes", std::string_view("a\0b", 3));
  const Parsed parsed = ParseSound(model);
  const auto text = [&](std::string_view key) {
    return parsed.document.StringOf(*parsed.document.Find(key));
  };
  EXPECT_EQ(text("text"), "hello");
  EXPECT_EQ(text("empty"), "");
  EXPECT_EQ(text("bytes"), std::string_view("a\0b", 3));
  EXPECT_EQ(text("number"), std::nullopt);
  EXPECT_EQ(text("array"), std::nullopt);
}

TEST(Document, UnsignedOfReadsEveryIntegerTypeInBothOrders) {
  for (const ByteOrder order : kOrders) {
    EXPECT_EQ(UnsignedFrom(std::uint8_t{0xA1}, order), 0xA1U);
    EXPECT_EQ(UnsignedFrom(std::uint16_t{0xA1B2}, order), 0xA1B2U);
    EXPECT_EQ(UnsignedFrom(std::uint32_t{0xA1B2'C3D4}, order), 0xA1B2'C3D4U);
    EXPECT_EQ(UnsignedFrom(std::uint64_t{0xA1B2'C3D4'E5F6'0718}, order), 0xA1B2'C3D4'E5F6'0718U);
    EXPECT_EQ(UnsignedFrom(std::int8_t{0x71}, order), 0x71U);
    EXPECT_EQ(UnsignedFrom(std::int16_t{0x71B2}, order), 0x71B2U);
    EXPECT_EQ(UnsignedFrom(std::int32_t{0x71B2'C3D4}, order), 0x71B2'C3D4U);
    EXPECT_EQ(UnsignedFrom(std::int64_t{0x71B2'C3D4'E5F6'0718}, order), 0x71B2'C3D4'E5F6'0718U);
    EXPECT_EQ(UnsignedFrom(true, order), 1U);
    EXPECT_EQ(UnsignedFrom(false, order), 0U);
  }
}

template <typename T>
class SignedIntegers : public ::testing::Test {};

using Signed = ::testing::Types<std::int8_t, std::int16_t, std::int32_t, std::int64_t>;
TYPED_TEST_SUITE(SignedIntegers, Signed);

TYPED_TEST(SignedIntegers, ANegativeNumberIsNoUnsigned) {
  using Range = std::numeric_limits<TypeParam>;
  for (const ByteOrder order : kOrders) {
    EXPECT_EQ(UnsignedFrom(TypeParam{-1}, order), std::nullopt);
    EXPECT_EQ(UnsignedFrom(Range::min(), order), std::nullopt);
    EXPECT_EQ(UnsignedFrom(TypeParam{0}, order), 0U);
    EXPECT_EQ(UnsignedFrom(Range::max(), order), static_cast<std::uint64_t>(Range::max()));
  }
}

TEST(Document, UnsignedOfWhatIsNoIntegerScalarIsNothing) {
  for (const ByteOrder order : kOrders) {
    EXPECT_EQ(UnsignedFrom(1.0F, order), std::nullopt);
    EXPECT_EQ(UnsignedFrom(1.0, order), std::nullopt);
    EXPECT_EQ(UnsignedFrom("1", order), std::nullopt);
    EXPECT_EQ(UnsignedFrom("", order), std::nullopt);
    EXPECT_EQ(UnsignedFrom(std::vector<std::uint32_t>{1}, order), std::nullopt);
    EXPECT_EQ(UnsignedFrom(std::vector<std::uint32_t>{}, order), std::nullopt);
  }
}

TEST(Document, ABoolThatIsNeitherZeroNorOneKeepsItsByte) {
  Model model;
  model.SetRaw("k", ValueType::kBool, {2});
  const Parsed parsed = ParseSound(model);
  EXPECT_EQ(parsed.document.UnsignedOf(parsed.document.metadata.front()), 2U);
}

TEST(Document, NamesAndKeysViewTheFile) {
  const Parsed parsed = ParseSound(Model::Minimal());
  const std::string_view text = AsText(parsed.file);
  const MetadataEntry& entry = parsed.document.metadata.front();
  EXPECT_EQ(entry.key.data(), text.substr(entry.KeyRange().begin).data());
  const TensorInfo& tensor = parsed.document.tensors.front();
  EXPECT_EQ(tensor.name.data(), text.substr(tensor.NameRange().begin).data());
}

}  // namespace
}  // namespace ggufgate::testing
