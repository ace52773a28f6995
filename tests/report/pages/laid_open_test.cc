// inspect --format html and --at, without the command.

#include "report/laid_open/laid_open.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "absl/strings/escaping.h"
#include "bytes/memory_source.h"
#include "parse/model.h"
#include "parse/parse.h"
#include "report/laid_open/stretches.h"
#include "tests/support/matchers.h"
#include "tests/support/texts/command_text.h"
#include "tests/support/texts/page_tags.h"

namespace ggufgate::testing {
namespace {

using Json = nlohmann::ordered_json;

std::string PageOf(const std::vector<std::uint8_t>& file, const std::string& path = "a.gguf") {
  const MemorySource source(file);
  const ParseResult parsed = Parse(file, file.size(), Limits{});
  std::ostringstream out;
  EXPECT_TRUE(LayOpenAsHtml(parsed.document, source, JudgeSource(source, path, {}), out).ok());
  return out.str();
}

// DataOf returns the data for the page's script.
Json DataOf(const std::string& page) {
  const std::string begin = "<script type=\"application/json\" id=\"file\">";
  const std::size_t at = page.find(begin);
  if (at == std::string::npos) return nullptr;
  return Json::parse(
      page.substr(at + begin.size(), page.find("</script>", at) - at - begin.size()));
}

std::vector<std::uint8_t> BytesIn(const Json& data) {
  std::vector<std::uint8_t> bytes(data.at("size").get<std::size_t>());
  for (const Json& stretch : data.at("stretches")) {
    std::string raw;
    EXPECT_TRUE(absl::Base64Unescape(stretch.at(2).get<std::string>(), &raw));
    EXPECT_EQ(raw.size(), stretch.at(1).get<std::size_t>());
    std::ranges::copy(raw, bytes.begin() + stretch.at(0).get<std::ptrdiff_t>());
  }
  return bytes;
}

TEST(LayOpenAsHtml, HoldsASmallFileWhole) {
  const std::vector<std::uint8_t> file = Write(Model::Minimal());
  const Json data = DataOf(PageOf(file));
  EXPECT_EQ(BytesIn(data), file);
  EXPECT_EQ(data.at("left_out"), "");
  EXPECT_EQ(data.at("regions").size(), 5U);
  EXPECT_EQ(data.at("parts").at("0").at(0),
            Json::parse(R"([0, [[4, "magic", "\"GGUF\""], [4, "version", "3, little-endian"],
                               [8, "tensor count", "1"], [8, "key count", "1"]]])"));
  EXPECT_EQ(data.at("blocks").at("4").at("number"), "f32");
}

TEST(LayOpenAsHtml, OfALargeFileItHoldsPiecesAndSaysSo) {
  Model model = Model::Minimal();
  model.Add("large", TensorType::kI8, {kWholeFileBytes});
  const std::vector<std::uint8_t> file = Write(model);
  const std::string page = PageOf(file);
  const Json data = DataOf(page);
  EXPECT_THAT(data.at("left_out").get<std::string>(), HasSubstr("This page shows"));
  EXPECT_EQ(data.at("stretches").size(), 1U) << "the beginnings of both tensors are in the first";
  EXPECT_LT(page.size(), 200'000U);
}

TEST(LayOpenAsHtml, NothingOfAFileBecomesMarkup) {
  const auto tags = TagsOf(PageOf(Write(Model::Minimal())));
  for (const std::string& hostile : HostileMarkup()) {
    Model model = Model::Minimal().Set(hostile, hostile);
    model.Add(hostile, TensorType::kF32, {8}).offset = 4;
    const std::string page = PageOf(Write(model), hostile);
    EXPECT_EQ(TagsOf(page), tags) << hostile;
    EXPECT_EQ(ScriptsIn(page), 2U) << "the file's data and the viewer";
    if (hostile.find_first_of("<>&") != std::string::npos) {
      EXPECT_EQ(page.find(hostile), std::string::npos) << hostile;
    }
    EXPECT_EQ(DataOf(page).at("size"), Write(model).size()) << "the JSON is whole";
  }
}

TEST(LayOpenAsHtml, TakesFilesThatAreNoModels) {
  for (const std::string& text : {std::string(), std::string("G"), std::string(100, 'x')}) {
    const std::vector<std::uint8_t> file(text.begin(), text.end());
    EXPECT_EQ(BytesIn(DataOf(PageOf(file))), file);
  }
}

TEST(StretchesOf, AreDisjointAndInTheFile) {
  Model model = Model::Minimal();
  model.Add("large", TensorType::kI8, {kWholeFileBytes});
  const std::vector<std::uint8_t> file = Write(model);
  const Document document = Parse(file, file.size(), Limits{}).document;
  std::vector<Finding> findings(3);
  findings.at(0).where = {0, 4};
  findings.at(1).where = {file.size() - 1, 1};
  findings.at(2).where = {UINT64_MAX, 0};
  std::uint64_t end = 0;
  for (const ByteRange& range : StretchesOf(document, Regions(document), findings)) {
    EXPECT_GE(range.begin, end);
    EXPECT_TRUE(range.FitsIn(file.size()));
    end = range.End();
  }
  EXPECT_EQ(end, file.size());
}

std::string AtText(const std::vector<std::uint8_t>& file, std::uint64_t offset) {
  std::ostringstream out;
  EXPECT_TRUE(ShowAtAsText(Parse(file, file.size(), Limits{}).document, MemorySource(file),
                           "a.gguf", offset, out)
                  .ok());
  return out.str();
}

TEST(ShowAt, TellsOfAByte) {
  const std::string text = AtText(Write(Model::Minimal()), 26);
  EXPECT_THAT(text, AllOf(HasSubstr("a.gguf, byte 0x1a (26) of 160"),
                          HasSubstr("metadata general.architecture, 0x18 to 0x43, 44 bytes"),
                          HasSubstr("key length, 0x18 to 0x1f, 8 bytes"),
                          HasSubstr("> 0x10  01 00 00 00 00 00 00 00[14 00 00 00 00 00 00 00]")));
}

TEST(ShowAt, TellsOfEveryByteOfAFile) {
  const std::vector<std::uint8_t> file = Write(Model::Minimal().Set("\x1b", "\x1b"));
  for (std::uint64_t at = 0; at < file.size(); ++at) {
    EXPECT_TRUE(IsHarmless(AtText(file, at)));
    std::ostringstream out;
    ASSERT_TRUE(
        ShowAtAsJson(Parse(file, file.size(), Limits{}).document, MemorySource(file), "a", at, out)
            .ok());
    const Json field = Json::parse(out.str()).at("fields").at(0);
    EXPECT_LE(field.at("offset"), at);
    EXPECT_GT(field.at("offset").get<std::uint64_t>() + field.at("length").get<std::uint64_t>(),
              at);
  }
}

TEST(ShowAt, FitsItsSchema) {
  std::ostringstream out;
  const std::vector<std::uint8_t> file = Write(Model::Minimal());
  ASSERT_TRUE(
      ShowAtAsJson(Parse(file, file.size(), Limits{}).document, MemorySource(file), "a", 26, out)
          .ok());
  EXPECT_TRUE(FitsSchema(out.str(), "at-1"));
}

}  // namespace
}  // namespace ggufgate::testing
