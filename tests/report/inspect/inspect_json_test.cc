#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "parse/model.h"
#include "parse/parse.h"
#include "report/inspect/inspect.h"
#include "tests/support/texts/command_text.h"

namespace ggufgate {
namespace {

using Json = nlohmann::ordered_json;

std::string TextOf(const Model& model, const InspectParts& parts = {},
                   const std::string& path = "model.gguf") {
  const std::vector<std::uint8_t> file = Write(model);
  std::ostringstream out;
  InspectAsJson(Parse(file, file.size(), Limits{}).document, path, parts, out);
  return out.str();
}

Json JsonOf(const Model& model, const InspectParts& parts = {}) {
  return Json::parse(TextOf(model, parts));
}

constexpr InspectParts kAll = {.metadata = true, .tensors = true, .layout = true};

TEST(InspectAsJson, ShowsASmallModel) {
  EXPECT_EQ(JsonOf(Model::Minimal(), kAll), Json::parse(R"({
    "schema": "ggufgate.inspect/1", "path": "model.gguf", "size": 160, "version": 3,
    "byte_order": "little", "metadata_count": 1, "tensor_count": 1, "alignment": 32,
    "data_begin": 128, "complete": true,
    "metadata": [{"key": "general.architecture", "type": "string", "offset": 24, "length": 44,
                  "value": "test"}],
    "tensors": [{"name": "weight", "type": "F32", "type_id": 0, "dimensions": [8], "elements": 8,
                 "bytes": 32, "offset": 0, "file_offset": 128}],
    "layout": [{"kind": "header", "offset": 0, "length": 24},
               {"kind": "metadata", "offset": 24, "length": 44, "name": "general.architecture"},
               {"kind": "tensor info", "offset": 68, "length": 38, "name": "weight"},
               {"kind": "padding", "offset": 106, "length": 22},
               {"kind": "tensor data", "offset": 128, "length": 32, "name": "weight"}]})"));
}

TEST(InspectAsJson, LeavesOutThePartsNotAskedFor) {
  const Json tensors = JsonOf(Model::Minimal(), {.metadata = false, .tensors = true});
  EXPECT_FALSE(tensors.contains("metadata"));
  EXPECT_TRUE(tensors.contains("tensors"));
  EXPECT_FALSE(tensors.contains("layout"));
  const Json metadata = JsonOf(Model::Minimal(), {.metadata = true, .tensors = false});
  EXPECT_TRUE(metadata.contains("metadata"));
  EXPECT_FALSE(metadata.contains("tensors"));
}

TEST(InspectAsJson, ShowsTheFirstElementsOfArraysOrAll) {
  std::vector<std::string> tokens;
  for (int i = 0; i < 100; ++i) tokens.push_back(std::to_string(i));
  const Model model = Model().Set("tokens", tokens);
  const Json first = JsonOf(model).at("metadata").at(0);
  EXPECT_EQ(first.at("type"), "array");
  EXPECT_EQ(first.at("element_type"), "string");
  EXPECT_EQ(first.at("count"), 100);
  EXPECT_EQ(first.at("value").size(), 8U);
  InspectParts parts;
  parts.whole_arrays = true;
  EXPECT_EQ(JsonOf(model, parts).at("metadata").at(0).at("value"), Json(tokens));
}

TEST(InspectAsJson, SaysWhatIsNotKnown) {
  Model model = Model::Minimal();
  model.Set("general.alignment", std::uint32_t{0});
  model.tensors.front().type_id = 99;
  model.Add("huge", TensorType::kF32, {8});
  model.tensors.back().dims = {std::uint64_t{1} << 63, 2};
  const Json json = JsonOf(model);
  EXPECT_EQ(json.at("alignment"), nullptr);
  EXPECT_EQ(json.at("data_begin"), nullptr);
  EXPECT_EQ(json.at("tensors").at(0).at("type"), nullptr);
  EXPECT_EQ(json.at("tensors").at(0).at("type_id"), 99);
  EXPECT_EQ(json.at("tensors").at(0).at("bytes"), nullptr);
  EXPECT_EQ(json.at("tensors").at(1).at("elements"), nullptr);
  EXPECT_EQ(json.at("tensors").at(1).at("file_offset"), nullptr);
}

TEST(InspectAsJson, OfAFaultyFileIsNotComplete) {
  Model model = Model::Minimal();
  model.tensors.front().claimed_dimension_count = 6;
  const Json json = JsonOf(model, kAll);
  EXPECT_EQ(json.at("complete"), false);
  EXPECT_EQ(json.at("alignment"), nullptr) << "the key may stand in what was not read";
  EXPECT_EQ(json.at("tensor_count"), 1) << "as claimed";
  EXPECT_EQ(json.at("tensors"), Json::array());
  EXPECT_EQ(json.at("metadata").size(), 1U);
  EXPECT_EQ(json.at("layout").back().at("kind"), "not read");
}

TEST(InspectAsJson, GivesTheBytesOfANameThatHadToBeEscaped) {
  EXPECT_FALSE(Json::parse(TextOf(Model(), {}, "a")).contains("path_hex"));
  const Json json = Json::parse(TextOf(Model(), {}, "a\x1b\xff"));
  EXPECT_EQ(json.at("path"), "a\\x1b\\xff");
  EXPECT_EQ(json.at("path_hex"), "611bff");
}

TEST(InspectAsJson, IsAsciiAndFreeOfControlCharacters) {
  const std::string hostile = "日本\x1b[31m\n\xff\xc2\x9b\xe2\x80\xae";
  Model model;
  model.Set(hostile, hostile);
  model.Set("list", std::vector<std::string>{hostile});
  model.Add(hostile, TensorType::kF32, {8});
  const std::string text = TextOf(model, kAll, hostile);
  for (const char c : text) ASSERT_TRUE((c >= ' ' && c < 0x7F) || c == '\n') << text;
  EXPECT_EQ(Json::parse(text).at("metadata").at(0).at("key"),
            "日本\\x1b[31m\\x0a\\xff\\u{009b}\\u{202e}");
}

TEST(InspectAsJson, FitsItsSchema) {
  ASSERT_TRUE(testing::CanValidate()) << "python3-jsonschema is missing: run scripts/setup";
  Model model = Model::Minimal();
  model.Set("nan", std::numeric_limits<float>::quiet_NaN());
  model.Set("numbers", std::vector<double>{1.5, -std::numeric_limits<double>::infinity()});
  model.Set("bool", true);
  model.SetRaw("no bool", ValueType::kBool, {7});
  model.Set("minus", std::int64_t{INT64_MIN});
  model.Set("empty", std::vector<std::string>{});
  Encoder nested(ByteOrder::kLittle);
  nested.Put(std::uint32_t{9}).Put(std::uint64_t{1});
  nested.Put(std::uint32_t{8}).Put(std::uint64_t{1}).PutString("x");
  model.SetRaw("nested", ValueType::kArray, nested.Take());
  model.Add("scalar", TensorType::kF32, {});
  model.tensors.front().type_id = 99;
  model.trailing = {1};
  EXPECT_TRUE(testing::FitsSchema(TextOf(model, kAll, "\xff"), "inspect-1"));
  model.metadata.at(2).type = 99;
  EXPECT_TRUE(testing::FitsSchema(TextOf(model, kAll), "inspect-1"));
  model.magic = "NONE";
  EXPECT_TRUE(testing::FitsSchema(TextOf(model, kAll), "inspect-1"));
}

TEST(InspectAsJson, SchemaIsStrict) {
  ASSERT_TRUE(testing::CanValidate()) << "python3-jsonschema is missing: run scripts/setup";
  const Json good = JsonOf(Model::Minimal().Set("a", std::vector<std::int8_t>{1}), kAll);
  ASSERT_TRUE(testing::FitsSchema(good.dump(), "inspect-1"));
  const auto refuses = [&](const char* pointer, const Json& value) {
    Json bad = good;
    bad[Json::json_pointer(pointer)] = value;
    return !testing::FitsSchema(bad.dump(), "inspect-1");
  };
  EXPECT_TRUE(refuses("/surprise", 1));
  EXPECT_TRUE(refuses("/byte_order", "middle"));
  EXPECT_TRUE(refuses("/metadata/0/value", nullptr));
  EXPECT_TRUE(refuses("/metadata/0/count", 1)) << "a string has no count";
  EXPECT_TRUE(refuses("/metadata/1/value", 1)) << "an array is an array";
  EXPECT_TRUE(refuses("/metadata/1/type", "u128"));
  EXPECT_TRUE(refuses("/tensors/0/dimensions", Json::array({1, 1, 1, 1, 1})));
  EXPECT_TRUE(refuses("/layout/0/kind", "somewhere"));
  EXPECT_TRUE(refuses("/layout/0/name", "header")) << "only records have names";
}

}  // namespace
}  // namespace ggufgate
