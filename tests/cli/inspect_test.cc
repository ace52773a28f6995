// ggufgate inspect: what it shows, and that nobody takes a listing for a clean bill of health.

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <string>

#include "parse/model.h"
#include "tests/support/command.h"
#include "tests/support/command_text.h"
#include "tests/support/temp_folder.h"

namespace ggufgate::testing {
namespace {

using Json = nlohmann::ordered_json;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

struct Files {
  TempFolder folder;
  std::string good = folder.Write("good.gguf", Write(Model::Minimal()));
  std::string bad = folder.Write("bad.gguf", Write(Model::Minimal().Set("", "no key")));
  std::string page = folder.WriteText("page.gguf", "<!DOCTYPE html><title>404 Not Found</title>");
};

TEST(Inspect, ShowsAFileAndExitsLikeCheck) {
  const Files files;
  const CommandResult good = RunCommand({"inspect", files.good});
  EXPECT_EQ(good.exit_code, 0);
  EXPECT_THAT(good.out, StartsWith(files.good + "\n\n  size "));
  EXPECT_THAT(good.out, HasSubstr("general.architecture  string  \"test\""));
  EXPECT_THAT(good.out, HasSubstr("weight  F32   [8]"));
  EXPECT_THAT(good.error, IsEmpty());
}

TEST(Inspect, SaysOnTheErrorStreamWhatIsWrong) {
  const Files files;
  for (const char* format : {"text", "json"}) {
    const CommandResult bad = RunCommand({"inspect", "--format", format, files.bad});
    EXPECT_EQ(bad.exit_code, 1);
    EXPECT_THAT(bad.out, HasSubstr("no key")) << "it is shown all the same";
    EXPECT_THAT(bad.error, StartsWith("reject  " + files.bad));
    EXPECT_THAT(bad.error, HasSubstr("error[key-empty]"));
    const CommandResult page = RunCommand({"inspect", "--format", format, files.page});
    EXPECT_EQ(page.exit_code, 1);
    EXPECT_THAT(page.error, HasSubstr("this is a web page"));
  }
}

TEST(Inspect, IsUndecidedAboutWhatCannotBeRead) {
  const Files files;
  for (const std::string& path :
       {files.folder.Path("none"), files.folder.path(), files.folder.MakePipe("pipe"),
        std::string("/dev/zero"), std::string()}) {
    const CommandResult result = RunCommand({"inspect", path});
    EXPECT_FALSE(result.hung) << path;
    EXPECT_EQ(result.exit_code, 2) << path;
    EXPECT_THAT(result.out, IsEmpty());
    EXPECT_THAT(result.error, StartsWith("ggufgate: " + path + ": "));
  }
}

TEST(Inspect, ShowsThePartsAskedFor) {
  const Files files;
  const auto out = [&](std::vector<std::string> options) {
    options.insert(options.begin(), "inspect");
    options.push_back(files.good);
    return RunCommand(options).out;
  };
  EXPECT_THAT(out({}), Not(HasSubstr("\nlayout\n")));
  EXPECT_THAT(out({"--metadata"}), HasSubstr("\nmetadata\n"));
  EXPECT_THAT(out({"--metadata"}), Not(HasSubstr("\ntensors\n")));
  EXPECT_THAT(out({"--tensors"}), HasSubstr("\ntensors\n"));
  EXPECT_THAT(out({"--tensors"}), Not(HasSubstr("\nmetadata\n")));
  EXPECT_THAT(out({"--layout"}), HasSubstr("\nlayout\n"));
  EXPECT_THAT(out({"--layout"}), Not(HasSubstr("\ntensors\n")));
  const std::string all = out({"--layout", "--metadata", "--tensors"});
  for (const char* part : {"\nlayout\n", "\nmetadata\n", "\ntensors\n"}) {
    EXPECT_THAT(all, HasSubstr(part));
  }
}

TEST(Inspect, JsonFitsItsSchema) {
  ASSERT_TRUE(CanValidate()) << "the package python3-jsonschema is missing: run scripts/setup";
  const Files files;
  for (const std::string& path : {files.good, files.bad, files.page}) {
    const CommandResult result =
        RunCommand({"inspect", "--format", "json", "--layout", "--metadata", "--tensors", path});
    EXPECT_TRUE(FitsSchema(result.out, "inspect-1"));
  }
}

TEST(Inspect, WholeArraysAreWhole) {
  const TempFolder folder;
  std::vector<std::string> tokens;
  for (int i = 0; i < 1'000; ++i) tokens.push_back("t" + std::to_string(i));
  const std::string path =
      folder.Write("a", Write(Model::Minimal().Set("tokenizer.ggml.tokens", tokens)));
  const auto value = [&](std::vector<std::string> options) {
    options.insert(options.begin(), {"inspect", "--format", "json", path});
    return Json::parse(RunCommand(options).out).at("metadata").at(1).at("value");
  };
  EXPECT_EQ(value({"--whole-arrays"}), Json(tokens));
  EXPECT_EQ(value({}).size(), 8U);
}

TEST(Inspect, ReadsStandardInput) {
  const std::string sound(AsText(Write(Model::Minimal())));
  const CommandResult result = RunCommand({"inspect", "-"}, {.input = sound});
  EXPECT_EQ(result.exit_code, 0) << result.error;
  EXPECT_THAT(result.out, StartsWith("-\n"));
  EXPECT_EQ(RunCommand({"inspect", "-"}, {.input = sound.substr(0, 50)}).exit_code, 1);
}

TEST(Inspect, TakesOneFile) {
  const Files files;
  EXPECT_EQ(RunCommand({"inspect"}).exit_code, 2);
  EXPECT_EQ(RunCommand({"inspect", files.good, files.good}).exit_code, 2);
}

}  // namespace
}  // namespace ggufgate::testing
