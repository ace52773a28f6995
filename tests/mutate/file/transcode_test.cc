#include "mutate/file/transcode.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "format/value_type.h"
#include "mutate/file/writer.h"

namespace ggufgate::mutate {
namespace {

using Value = std::vector<std::uint8_t>;

constexpr std::array kEncodings = {Encoding{.order = ByteOrder::kLittle, .word = 8},
                                   Encoding{.order = ByteOrder::kBig, .word = 8},
                                   Encoding{.order = ByteOrder::kLittle, .word = 4},
                                   Encoding{.order = ByteOrder::kBig, .word = 4}};

std::string NameOf(Encoding encoding) {
  const bool big = encoding.order == ByteOrder::kBig;
  return std::string(big ? "big" : "little") + std::to_string(encoding.word);
}

// Sample is a value that can be written in any encoding.
struct Sample {
  std::string what;
  std::uint32_t type;
  std::function<void(Writer&)> write;

  [[nodiscard]] Value In(Encoding encoding) const {
    Value value(256);
    Writer writer(value, encoding);
    write(writer);
    EXPECT_TRUE(writer.fits());
    value.resize(writer.at());
    return value;
  }
};

// PutScalar writes a number of a type whose bytes are all different.
void PutScalar(Writer& writer, ValueType type) {
  switch (InfoOf(type).scalar_bytes) {
    case 1:
      writer.Put(std::uint8_t{0xA1});
      break;
    case 2:
      writer.Put(std::uint16_t{0xA1B2});
      break;
    case 4:
      writer.Put(0xA1B2'C3D4U);
      break;
    default:
      writer.Put(std::uint64_t{0xA1B2'C3D4'E5F6'0718});
  }
}

Sample ArrayOf(ValueType element, std::uint64_t count) {
  const std::string what = std::to_string(count) + " " + std::string(InfoOf(element).word);
  return {what, IdOf(ValueType::kArray), [element, count](Writer& writer) {
            writer.Put(IdOf(element)).PutWord(count);
            for (std::uint64_t i = 0; i < count; ++i) PutScalar(writer, element);
          }};
}

Sample ArrayOf(const std::vector<std::string>& texts) {
  return {std::to_string(texts.size()) + " strings", IdOf(ValueType::kArray),
          [texts](Writer& writer) {
            writer.Put(IdOf(ValueType::kString)).PutWord(texts.size());
            for (const std::string& text : texts) writer.PutString(text);
          }};
}

std::vector<Sample> Samples() {
  std::vector<Sample> samples;
  for (std::uint32_t id = 0; FindValueType(id) != nullptr; ++id) {
    const ValueType type{id};
    if (InfoOf(type).scalar_bytes == 0) continue;
    samples.push_back(
        {std::string(InfoOf(type).word), id, [type](Writer& writer) { PutScalar(writer, type); }});
    for (const std::uint64_t count : {0U, 1U, 5U}) samples.push_back(ArrayOf(type, count));
  }
  const std::string odd("nul\0, \xC3\xA9, \xFF", 12);
  for (const std::string& text : {std::string(), std::string("llama"), odd}) {
    samples.push_back({"string " + text, IdOf(ValueType::kString),
                       [text](Writer& writer) { writer.PutString(text); }});
  }
  samples.push_back(ArrayOf(std::vector<std::string>{}));
  samples.push_back(ArrayOf(std::vector<std::string>{"", "", ""}));
  samples.push_back(ArrayOf(std::vector<std::string>{"<s>", "", odd, std::string(100, 'x')}));
  return samples;
}

TEST(Transcode, BringsEveryValueFromEachEncodingToEach) {
  const std::vector<Sample> samples = Samples();
  ASSERT_EQ(samples.size(), 11U * 4 + 6);
  Arena arena(4096);
  for (const Sample& sample : samples) {
    for (const Encoding from : kEncodings) {
      const Value before = sample.In(from);
      ASSERT_EQ(SizeOfValue(sample.type, before, from), before.size()) << sample.what;
      for (const Encoding to : kEncodings) {
        arena.Reset();
        const Bytes there = Transcode(sample.type, before, from, to, arena);
        EXPECT_THAT(there, ::testing::ElementsAreArray(sample.In(to)))
            << sample.what << " from " << NameOf(from) << " to " << NameOf(to);
        const Bytes back = Transcode(sample.type, there, to, from, arena);
        EXPECT_THAT(back, ::testing::ElementsAreArray(before)) << sample.what << " and back";
      }
    }
  }
}

TEST(Transcode, SaysNothingWhenScratchIsUsedUp) {
  for (const Sample& sample : Samples()) {
    const Value before = sample.In(kEncodings[3]);
    Arena none(0);
    EXPECT_TRUE(Transcode(sample.type, before, kEncodings[3], {}, none).empty()) << sample.what;
    Arena little(before.size() - 1);  // never enough, for any length
    EXPECT_TRUE(Transcode(sample.type, before, kEncodings[3], {}, little).empty()) << sample.what;
    Arena enough(2 * before.size());
    EXPECT_FALSE(Transcode(sample.type, before, kEncodings[3], {}, enough).empty()) << sample.what;
  }
}

TEST(Transcode, LeavesTheInputAlone) {
  const Sample sample = ArrayOf(ValueType::kI16, 5);
  const Value before = sample.In(kEncodings[1]);
  const Value kept = before;
  Arena arena(100);
  ASSERT_FALSE(Transcode(sample.type, before, kEncodings[1], kEncodings[0], arena).empty());
  EXPECT_EQ(before, kept);
}

TEST(Transcode, SaysNothingOfTypesThatDoNotExist) {
  const Value value(8, 1);
  Arena arena(1000);
  for (const std::uint32_t type : {13U, 14U, 255U, UINT32_MAX}) {
    EXPECT_TRUE(Transcode(type, value, {}, kEncodings[1], arena).empty()) << type;
  }
}

TEST(Transcode, SaysNothingOfArraysOfArrays) {
  for (const Encoding from : kEncodings) {
    for (const std::uint64_t count : {0U, 2U}) {
      Value value(256);
      Writer writer(value, from);
      writer.Put(IdOf(ValueType::kArray)).PutWord(count);
      for (std::uint64_t i = 0; i < count; ++i) {
        writer.Put(IdOf(ValueType::kU8)).PutWord(1).Put(std::uint8_t{1});
      }
      value.resize(writer.at());
      ASSERT_EQ(SizeOfValue(IdOf(ValueType::kArray), value, from), value.size());
      Arena arena(1000);
      EXPECT_TRUE(Transcode(IdOf(ValueType::kArray), value, from, {}, arena).empty())
          << count << " from " << NameOf(from);
    }
  }
}

}  // namespace
}  // namespace ggufgate::mutate
