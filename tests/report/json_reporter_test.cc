#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "bytes/memory_source.h"
#include "parse/model.h"
#include "report/json_value.h"
#include "report/reporter.h"
#include "tests/report/file_reports.h"
#include "tests/support/texts/command_text.h"

namespace ggufgate {
namespace {

using testing::JudgedModel;
using Json = nlohmann::ordered_json;
using testing::CanValidate;
using testing::FitsSchema;

std::string JsonReport(const std::vector<FileReport>& files, Profile profile = Profile::kGate) {
  std::ostringstream out;
  const auto reporter = MakeReporter(Format::kJson, PolicyFor(profile), {}, out);
  for (const FileReport& file : files) reporter->Add(file);
  reporter->Finish();
  return out.str();
}

TEST(JsonReporter, WritesOneObject) {
  const std::string text = JsonReport({JudgedModel(Model::Minimal(), "a")});
  EXPECT_TRUE(text.ends_with("\n]}\n"));
  const Json json = Json::parse(text);
  EXPECT_EQ(json.at("schema"), "ggufgate.report/1");
  EXPECT_EQ(json.at("tool").dump(),
            std::string(R"({"name":"ggufgate","version":")") + GGUFGATE_VERSION + "\"}");
  EXPECT_EQ(json.at("profile"), "gate");
  EXPECT_EQ(json.at("files").size(), 1U);
}

TEST(JsonReporter, SaysOfTheRunWhatIsKnown) {
  EXPECT_FALSE(Json::parse(JsonReport({})).contains("time"));
  const ReportStyle style{.run = RunFacts{.time = "2026-11-24T10:00:00Z",
                                          .policy_sha256 = std::string(64, 'a'),
                                          .system_calls_confined = true,
                                          .files_confined = false}};
  std::ostringstream out;
  MakeReporter(Format::kJson, Policy{}, style, out)->Finish();
  const Json json = Json::parse(out.str());
  EXPECT_EQ(json.at("time"), "2026-11-24T10:00:00Z");
  EXPECT_EQ(json.at("policy_sha256"), std::string(64, 'a'));
  EXPECT_EQ(json.at("confinement").dump(), R"({"system_calls":true,"files":false})");
  ASSERT_TRUE(CanValidate()) << "python3-jsonschema is missing: run scripts/setup";
  EXPECT_TRUE(FitsSchema(out.str(), "report-1"));
}

TEST(JsonReporter, NamesTheProfile) {
  EXPECT_EQ(Json::parse(JsonReport({}, Profile::kLlamaCpp)).at("profile"), "llama.cpp");
  EXPECT_EQ(Json::parse(JsonReport({}, Profile::kSpec)).at("profile"), "spec");
}

TEST(JsonReporter, KeepsTheOrderOfTheFilesALineEach) {
  const std::string text =
      JsonReport({JudgedModel(Model::Minimal(), "b"), JudgedModel(Model::Minimal(), "a"),
                  FileReport{{.path = "c"}}});
  const Json json = Json::parse(text);
  ASSERT_EQ(json.at("files").size(), 3U);
  EXPECT_EQ(json.at("files").at(0).at("path"), "b");
  EXPECT_EQ(json.at("files").at(1).at("path"), "a");
  EXPECT_EQ(json.at("files").at(2).at("path"), "c");
  EXPECT_EQ(testing::Lines(text).size(), 5U);
}

TEST(JsonReporter, WritesWhatJsonOfGives) {
  const FileReport report = JudgedModel(Model::Minimal().Set("", std::uint32_t{1}), "a");
  EXPECT_EQ(Json::parse(JsonReport({report})).at("files").at(0), JsonOf(report, Policy{}));
}

TEST(JsonReporter, IsAsciiAndFreeOfControlCharacters) {
  Model model = Model::Minimal();
  model.Set("日本\x1b\n\xff", std::string("日本\xe2\x80\xae"));
  model.Add("tensor\x9b\xc2\x9b", TensorType::kF32, {8, 0});
  const std::string text = JsonReport({JudgedModel(model, "日本\x1b.gguf")});
  for (const char c : text) EXPECT_TRUE((c >= ' ' && c < 0x7F) || c == '\n') << text;
  EXPECT_EQ(Json::parse(text).at("files").at(0).at("path"), "日本\\x1b.gguf");
}

TEST(JsonReporter, FitsItsSchema) {
  ASSERT_TRUE(CanValidate()) << "python3-jsonschema is missing: run scripts/setup";
  FileReport undecided;
  undecided.path = "none\xff";
  undecided.problem = absl::NotFoundError("cannot open");
  Model hostile = Model::Minimal().Set("key\x01", std::string(1'000, '\xff'));
  hostile.tensors.front().type_id = 36;
  const std::vector<std::uint8_t> page(200, '<');
  JudgeOptions options;
  options.sha256 = true;
  EXPECT_TRUE(FitsSchema(JsonReport({}), "report-1"));
  EXPECT_TRUE(FitsSchema(
      JsonReport({JudgedModel(Model::Minimal(), "a"), undecided, JudgedModel(hostile, "\n"),
                  JudgeSource(MemorySource(page), "page", options)}),
      "report-1"));
}

TEST(JsonReporter, SchemaIsStrict) {
  ASSERT_TRUE(CanValidate()) << "python3-jsonschema is missing: run scripts/setup";
  const FileReport rejected = JudgedModel(Model::Minimal().Set("", std::uint32_t{1}), "a");
  const Json good = Json::parse(JsonReport({rejected}));
  ASSERT_TRUE(FitsSchema(good.dump(), "report-1"));
  const auto refuses = [&](const char* pointer, const Json& value) {
    Json bad = good;
    bad[Json::json_pointer(pointer)] = value;
    return !FitsSchema(bad.dump(), "report-1");
  };
  EXPECT_TRUE(refuses("/schema", "ggufgate.report/2"));
  EXPECT_TRUE(refuses("/surprise", 1));
  EXPECT_TRUE(refuses("/files/0/surprise", 1));
  EXPECT_TRUE(refuses("/files/0/verdict", "maybe"));
  EXPECT_TRUE(refuses("/files/0/verdict", "undecided")) << "without a problem";
  EXPECT_TRUE(refuses("/files/0/problem", "why")) << "with a verdict";
  EXPECT_TRUE(refuses("/files/0/sha256", "ABC"));
  EXPECT_TRUE(refuses("/files/0/findings/0/severity", "off"));
  EXPECT_TRUE(refuses("/files/0/findings/0/offset", -1));
  EXPECT_TRUE(refuses("/files/0/findings/0/offset", "0x10"));
  EXPECT_TRUE(refuses("/files/0/findings/0/observed", 1.5));
  EXPECT_TRUE(refuses("/files/0/findings/0/allowed", Json::array()));
  EXPECT_TRUE(refuses("/files/0/findings/0/rule", "Not A Slug"));
  EXPECT_TRUE(refuses("/files/0/identity/size", nullptr));
  EXPECT_TRUE(refuses("/files/0/totals/key-empty", 0));
}

}  // namespace
}  // namespace ggufgate
