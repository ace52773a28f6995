#include "manifest/difference.h"

#include <sstream>

#include "bytes/memory_source.h"
#include "parse/model.h"
#include "parse/parse.h"
#include "tests/support/matchers.h"
#include "tests/support/texts/command_text.h"

namespace ggufgate::testing {
namespace {

// LinesOf returns the lines of a text comparison except the last.
std::string LinesOf(std::vector<Difference> differences) {
  std::ostringstream out;
  WriteDifferencesText({.command = "diff", .differences = std::move(differences)}, out);
  const std::string text = out.str();
  return text.substr(0, text.rfind('\n', text.size() - 2) + 1);
}

std::vector<Difference> Between(const std::vector<std::uint8_t>& a,
                                const std::vector<std::uint8_t>& b, bool data = true) {
  const ParseResult from = Parse(a, a.size(), Limits{});
  const ParseResult to = Parse(b, b.size(), Limits{});
  return DifferencesBetween({from.document, MemorySource(a)}, {to.document, MemorySource(b)}, data)
      .value();
}

Model Sample(ByteOrder order = ByteOrder::kLittle) {
  Model model;
  model.byte_order = order;
  model.Set("general.architecture", "test").Set("number", std::uint32_t{1});
  model.Add("w", TensorType::kF32, {8});
  model.Add("v", TensorType::kF32, {8});
  return model;
}

std::string Diff(const Model& a, const Model& b, bool data = true) {
  return LinesOf(Between(Write(a), Write(b), data));
}

TEST(Diff, OfTheSameModelIsEmpty) {
  EXPECT_EQ(Diff(Sample(), Sample()), "");
  Model other;
  other.Set("number", std::uint32_t{1}).Set("general.architecture", "test");
  other.Add("v", TensorType::kF32, {8});
  other.Add("w", TensorType::kF32, {8});
  EXPECT_EQ(Diff(Sample(), other), "") << "in another order";
}

TEST(Diff, NamesKeys) {
  Model other = Sample();
  other.Set("number", std::uint32_t{2}).Set("new", "text");
  EXPECT_EQ(Diff(Sample(), other),
            "~ key     number  u32 1 → u32 2\n+ key     new  string \"text\"\n");
  EXPECT_EQ(Diff(other, Sample()),
            "~ key     number  u32 2 → u32 1\n- key     new  string \"text\"\n");
  other = Sample();
  other.Set("number", std::int32_t{1});
  EXPECT_EQ(Diff(Sample(), other), "~ key     number  u32 1 → i32 1\n");
}

TEST(Diff, NamesTensors) {
  Model other = Sample();
  other.Add("x", TensorType::kF16, {4, 2});
  EXPECT_EQ(Diff(Sample(), other), "+ tensor  x  F16 [4, 2]\n");
  EXPECT_EQ(Diff(other, Sample()), "- tensor  x  F16 [4, 2]\n");
  Model shaped;
  shaped.Set("general.architecture", "test").Set("number", std::uint32_t{1});
  shaped.Add("w", TensorType::kF16, {8});
  shaped.Add("v", TensorType::kF32, {4, 2});
  EXPECT_EQ(Diff(Sample(), shaped),
            "~ tensor  w  type  F32 → F16\n~ tensor  v  shape  [8] → [4, 2]\n");
}

TEST(Diff, NamesTensorsOfOtherData) {
  std::vector<std::uint8_t> other = Write(Sample());
  other.back() ^= 1;
  const std::vector<Difference> differences = Between(Write(Sample()), other);
  ASSERT_EQ(differences.size(), 1U);
  EXPECT_EQ(differences.at(0).kind, Difference::Kind::kTensorData);
  EXPECT_EQ(differences.at(0).subject, "v");
  EXPECT_NE(differences.at(0).from, differences.at(0).to);
  EXPECT_TRUE(Between(Write(Sample()), other, /*data=*/false).empty());
}

// Two chat templates begin alike.
TEST(Diff, ShowsWhereLongValuesDiffer) {
  Model a = Sample();
  Model b = Sample();
  const std::string alike(500, 'x');
  a.Set("text", alike + "one" + alike);
  b.Set("text", alike + "two" + alike);
  EXPECT_THAT(Diff(a, b), HasSubstr("string from byte 500 \"…xxxxxxxxxxxxxxxxone"));
  EXPECT_THAT(Diff(a, b), HasSubstr("string from byte 500 \"…xxxxxxxxxxxxxxxxtwo"));
  EXPECT_LT(Diff(a, b).size(), 400U);

  std::vector<std::uint32_t> numbers(100);
  std::vector<std::string> words(100, "word");
  a = Sample();
  b = Sample();
  a.Set("numbers", numbers).Set("words", words);
  numbers.at(50) = 7;
  words.at(60) = "other";
  b.Set("numbers", numbers).Set("words", words);
  EXPECT_THAT(Diff(a, b), HasSubstr("u32 × 100 from [50] [0,0,"));
  EXPECT_THAT(Diff(a, b), HasSubstr("u32 × 100 from [50] [7,0,"));
  EXPECT_THAT(Diff(a, b), HasSubstr("string × 100 from [60] [\"other\",\"word\","));
  words.resize(50);
  b.Set("words", words);
  EXPECT_THAT(Diff(a, b), HasSubstr("string × 50 from [50] []"));
}

TEST(Diff, ComparesValuesOfFilesOfTwoByteOrders) {
  Model big = Sample(ByteOrder::kBig);
  EXPECT_EQ(Diff(Sample(), big), "~ file    byte order  little → big\n");
  big.Set("number", std::uint32_t{2});
  EXPECT_THAT(Diff(Sample(), big), HasSubstr("~ key     number  u32 1 → u32 2\n"));
}

TEST(Diff, EscapesNames) {
  Model other = Sample();
  other.Set("key\033", "value\033");
  EXPECT_EQ(Diff(Sample(), other), "+ key     key\\x1b  string \"value\\x1b\"\n");
}

TEST(Differences, AsJsonFitTheirSchema) {
  Model other = Sample();
  other.Set("number", std::uint32_t{2}).Set("new", std::vector<std::string>{"a"});
  other.Add("x", TensorType::kF16, {4, 2});
  std::vector<std::uint8_t> changed = Write(other);
  for (const bool data : {true, false}) {
    std::ostringstream out;
    WriteDifferencesJson({.command = "diff",
                          .from = "a",
                          .to = "b\033",
                          .data = data,
                          .differences = Between(Write(Sample()), changed, data)},
                         out);
    EXPECT_TRUE(FitsSchema(out.str(), "differences-1")) << out.str();
  }
  std::ostringstream out;
  WriteDifferencesJson({.command = "verify"}, out);
  EXPECT_TRUE(FitsSchema(out.str(), "differences-1"));
  EXPECT_THAT(out.str(), HasSubstr("\"same\":true"));
}

// --- from a manifest -----------------------------------------------------------------------------

ModelManifest ManifestOf(const std::vector<std::uint8_t>& file) {
  const ParseResult parsed = Parse(file, file.size(), Limits{});
  return MakeManifest(parsed.document, MemorySource(file)).value();
}

TEST(Verify, SaysWhichTensorsAndWhatElse) {
  const ExpectedModel expected{.manifest = ManifestOf(Write(Sample()))};
  EXPECT_TRUE(DifferencesFrom(expected, expected.manifest, false).empty());
  Model other;
  other.Set("general.architecture", "test").Set("number", std::uint32_t{2});
  other.Add("w", TensorType::kF16, {8});
  other.Add("x", TensorType::kF32, {8});
  const std::string lines = LinesOf(DifferencesFrom(expected, ManifestOf(Write(other)), false));
  for (const char* line :
       {"~ file    metadata  ", "~ tensor  w  type  F32 → F16\n", "~ tensor  w  data  ",
        "- tensor  v  F32 [8]\n", "+ tensor  x  F32 [8]\n", "~ file    SHA-256  "}) {
    EXPECT_THAT(lines, HasSubstr(line));
  }
}

TEST(Verify, OfContentAloneDoesNotMindTheLayout) {
  const ExpectedModel expected{.manifest = ManifestOf(Write(Sample()))};
  Model other;
  other.Set("number", std::uint32_t{1}).Set("general.architecture", "test");
  other.Add("v", TensorType::kF32, {8});
  other.Add("w", TensorType::kF32, {8});
  const ModelManifest found = ManifestOf(Write(other));
  EXPECT_TRUE(DifferencesFrom(expected, found, /*content_only=*/true).empty());
  EXPECT_THAT(LinesOf(DifferencesFrom(expected, found, /*content_only=*/false)),
              StartsWith("~ file    order of tensors  w → v\n~ file    SHA-256  "));
}

// Edited is a manifest with one edited line, and the resulting message.
struct Edited {
  const char* line;  // its beginning
  void (*edit)(ModelManifest&);
  bool of_content = true;  // --content checks it, too
};

constexpr Edited kEdits[] = {
    {"~ file    bytes  1 → ", [](ModelManifest& m) { m.file_bytes = 1; }, false},
    {"~ file    SHA-256  0000", [](ModelManifest& m) { m.file_sha256 = std::string(64, '0'); },
     false},
    {"~ file    order of tensors  v → w",
     [](ModelManifest& m) { std::swap(m.tensors.at(0), m.tensors.at(1)); }, false},
    {"~ file    byte order  big → little", [](ModelManifest& m) { m.big_endian = true; }},
    {"~ file    number of keys  9 → 2", [](ModelManifest& m) { m.metadata_keys = 9; }},
    {"~ file    metadata  0000",
     [](ModelManifest& m) { m.metadata_sha256 = std::string(64, '0'); }},
    {"~ file    data of all tensors  0000",
     [](ModelManifest& m) { m.data_sha256 = std::string(64, '0'); }},
    {"- tensor  x", [](ModelManifest& m) { m.tensors.push_back({.name = "x", .type = "F32"}); }},
    {"+ tensor  v", [](ModelManifest& m) { m.tensors.pop_back(); }},
    {"- tensor  x", [](ModelManifest& m) { m.tensors.at(0).name = "x"; }},
    {"~ tensor  w  type  F16 → F32", [](ModelManifest& m) { m.tensors.at(0).type = "F16"; }},
    {"~ tensor  w  shape  [4, 2] → [8]",
     [](ModelManifest& m) { m.tensors.at(0).dimensions = {4, 2}; }},
    {"~ tensor  w  bytes  1,000 → 32", [](ModelManifest& m) { m.tensors.at(0).bytes = 1000; }},
    {"~ tensor  w  data  0000",
     [](ModelManifest& m) { m.tensors.at(0).sha256 = std::string(64, '0'); }},
};

TEST(Verify, NamesEachStatementThatAloneIsNotSo) {
  const ModelManifest found = ManifestOf(Write(Sample()));
  for (const Edited& edited : kEdits) {
    ExpectedModel expected{.manifest = found};
    edited.edit(expected.manifest);
    EXPECT_THAT(LinesOf(DifferencesFrom(expected, found, /*content_only=*/false)),
                StartsWith(edited.line));
    const std::string of_content = LinesOf(DifferencesFrom(expected, found, /*content_only=*/true));
    EXPECT_EQ(!of_content.empty(), edited.of_content) << of_content;
  }
}

TEST(Verify, WritesNumbersAsJsonThatFitsTheSchema) {
  const ModelManifest found = ManifestOf(Write(Sample()));
  for (const Edited& edited : kEdits) {
    ExpectedModel expected{.manifest = found};
    edited.edit(expected.manifest);
    std::ostringstream out;
    WriteDifferencesJson(
        {.command = "verify", .differences = DifferencesFrom(expected, found, false)}, out);
    EXPECT_TRUE(FitsSchema(out.str(), "differences-1")) << out.str();
  }
}

TEST(Verify, ByHashesAloneKnowsOfDataAlone) {
  ExpectedModel expected{.hashes_only = true};
  const ModelManifest found = ManifestOf(Write(Sample()));
  expected.manifest.data_sha256 = found.data_sha256;
  EXPECT_TRUE(DifferencesFrom(expected, found, false).empty()) << "no layers, no word of them";
  expected.manifest.tensors = {{.name = "w", .sha256 = found.tensors.at(0).sha256}};
  EXPECT_EQ(LinesOf(DifferencesFrom(expected, found, false)), "+ tensor  v  F32 [8]\n");
  expected.manifest.data_sha256 = std::string(64, 'a');
  EXPECT_THAT(LinesOf(DifferencesFrom(expected, found, false)),
              HasSubstr("~ file    data of all tensors  aaaa"));
}

}  // namespace
}  // namespace ggufgate::testing
