#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "parse/model.h"
#include "report/json_value.h"
#include "report/reporter.h"
#include "tests/report/file_reports.h"
#include "tests/support/texts/command_text.h"

namespace ggufgate {
namespace {

using testing::JudgedModel;
using Json = nlohmann::ordered_json;
using testing::FitsSchemaByLine;
using ::testing::IsEmpty;
using testing::Lines;

std::string JsonlReport(const std::vector<FileReport>& files) {
  std::ostringstream out;
  const auto reporter = MakeReporter(Format::kJsonl, Policy{}, {}, out);
  for (const FileReport& file : files) reporter->Add(file);
  reporter->Finish();
  return out.str();
}

TEST(JsonlReporter, WritesALineAFile) {
  const FileReport good = JudgedModel(Model::Minimal(), "b");
  const FileReport bad = JudgedModel(Model::Minimal().Set("", std::uint32_t{1}), "a\nb");
  const std::vector<std::string> lines = Lines(JsonlReport({good, bad}));
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(Json::parse(lines.at(0)), JsonOf(good, Policy{}));
  EXPECT_EQ(Json::parse(lines.at(1)), JsonOf(bad, Policy{}));
}

TEST(JsonlReporter, OfNothingIsNothing) { EXPECT_THAT(JsonlReport({}), IsEmpty()); }

TEST(JsonlReporter, HandsEachLineOverAtOnce) {
  std::ostringstream out;
  const auto reporter = MakeReporter(Format::kJsonl, Policy{}, {}, out);
  reporter->Add(FileReport{{.path = "a"}});
  EXPECT_TRUE(out.str().ends_with("}\n"));
}

TEST(JsonlReporter, LinesFitTheSchemaOfAFile) {
  ASSERT_TRUE(testing::CanValidate()) << "python3-jsonschema is missing: run scripts/setup";
  FileReport undecided;
  undecided.path = "none\xff";
  undecided.problem = absl::NotFoundError("cannot open");
  const std::string text = JsonlReport({JudgedModel(Model::Minimal(), "a"), undecided,
                                        JudgedModel(Model::Minimal().Set("\x1b", "\xff"), "b")});
  EXPECT_TRUE(FitsSchemaByLine(text, "report-1", "file"));
  EXPECT_FALSE(FitsSchemaByLine("{}\n" + text, "report-1", "file"));
  EXPECT_FALSE(FitsSchemaByLine(text + text.substr(0, 10), "report-1", "file"));
}

}  // namespace
}  // namespace ggufgate
