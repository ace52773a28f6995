#include "words/part_text.h"

#include <gmock/gmock.h>

#include "tests/support/matchers.h"
#include "tests/support/parse_helpers.h"
#include "tests/support/texts/hostile_texts.h"
#include "words/escape.h"

namespace ggufgate::testing {
namespace {

// LinesOf describes the parts of the region at byte `offset`.
std::vector<std::string> LinesOf(const Parsed& parsed, std::uint64_t offset) {
  std::vector<std::string> lines;
  const std::vector<Region> regions = Regions(parsed.document);
  const Region* const region = RegionAt(regions, offset);
  if (region == nullptr) return lines;
  for (const Part& part : PartsOf(parsed.document, *region, region->range.begin, 100).parts) {
    const PartText text = TextOf(parsed.document, *region, part);
    lines.push_back(text.name + ": " + text.meaning);
  }
  return lines;
}

TEST(PartText, SaysWhatAHeaderSays) {
  Model model = Model::Minimal();
  EXPECT_THAT(LinesOf(ParseSound(model), 0),
              ElementsAre("magic: \"GGUF\"", "version: 3, little-endian", "tensor count: 1",
                          "key count: 1"));
  model.byte_order = ByteOrder::kBig;
  model.metadata.clear();
  EXPECT_THAT(
      LinesOf(ParseSound(model), 0),
      ElementsAre("magic: \"GGUF\"", "version: 3, big-endian", "tensor count: 1", "key count: 0"));
}

TEST(PartText, SaysWhatAKeySays) {
  EXPECT_THAT(
      LinesOf(ParseSound(Model().Set("key", std::int32_t{-1234})), 24),
      ElementsAre("key length: 3 bytes", "key: \"key\"", "value type: 5: i32", "value: -1,234"));
  EXPECT_THAT(
      LinesOf(ParseSound(Model().Set("key", std::vector<float>{1e-5F, 2})), 24),
      ElementsAre("key length: 3 bytes", "key: \"key\"", "value type: 9: array",
                  "element type: 6: f32", "element count: 2", "element 0: 1e-05", "element 1: 2"));
  EXPECT_THAT(
      LinesOf(ParseSound(Model().Set("key", std::vector<std::string>{"", "b\n"})), 24),
      ElementsAre("key length: 3 bytes", "key: \"key\"", "value type: 9: array",
                  "element type: 8: string", "element count: 2", "length of element 0: 0 bytes",
                  "length of element 1: 2 bytes", "element 1: \"b\\x0a\""));
}

TEST(PartText, SaysWhatATensorSays) {
  Model model;
  model.Add("w", TensorType::kQ4_0, {64, 2});
  const Parsed parsed = ParseSound(model);
  EXPECT_THAT(LinesOf(parsed, 24),
              ElementsAre("name length: 1 byte", "name: \"w\"", "dimension count: 2",
                          "dimension 0: 64, the row length", "dimension 1: 2",
                          "tensor type: 2: Q4_0, blocks of 32 values in 18 bytes",
                          "offset: 0 bytes into the tensor data: byte 0x60"));
  EXPECT_THAT(LinesOf(parsed, *parsed.document.data_begin),
              ElementsAre("block 0: Q4_0: values 0 to 31, row 0 from column 0",
                          "block 1: Q4_0: values 32 to 63, row 0 from column 32",
                          "block 2: Q4_0: values 64 to 95, row 1 from column 0",
                          "block 3: Q4_0: values 96 to 127, row 1 from column 32"));
}

TEST(PartText, SaysWhereReadingStopped) {
  Model model = Model().Set("key", std::uint32_t{1});
  model.metadata.front().type = 99;
  EXPECT_THAT(LinesOf(ParseWhole(model), 24),
              ElementsAre("key length: 3 bytes", "key: \"key\"",
                          "value type: 99: no type; reading stopped here",
                          "not read: has no meaning: reading stopped before"));
}

TEST(PartText, TextOfTheFileIsEscaped) {
  for (const std::string& hostile : HostileTexts()) {
    Model model = Model().Set(hostile, hostile);
    const Parsed parsed = ParseSound(model);
    for (const std::string& line : LinesOf(parsed, 24)) {
      for (const char c : line) EXPECT_GE(static_cast<unsigned char>(c), 0x20U) << line;
    }
    const std::vector<Region> regions = Regions(parsed.document);
    EXPECT_THAT(NameOf(parsed.document, regions.at(1)), HasSubstr(EscapeText(hostile)));
    EXPECT_EQ(SubjectOf(parsed.document, regions.at(1)), hostile);
  }
}

}  // namespace
}  // namespace ggufgate::testing
