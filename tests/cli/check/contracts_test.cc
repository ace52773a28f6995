// ggufgate check --contracts: the contracts of another release of llama.cpp.

#include <gmock/gmock.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "parse/model.h"
#include "tests/support/command.h"
#include "tests/support/matchers.h"
#include "tests/support/rules/contracts_file.h"
#include "tests/support/temp_folder.h"
#include "tests/support/texts/command_text.h"

namespace ggufgate::testing {
namespace {

using Json = nlohmann::json;

const std::string kOdd = std::string(GGUFGATE_SOURCE_DIR) + "/corpus/invalid/rope-dimensions.gguf";
const std::string kSound = std::string(GGUFGATE_SOURCE_DIR) + "/corpus/valid/sample-llama.gguf";

struct Contracts {
  TempFolder folder;
  std::string file = folder.WriteText("contracts", CompiledInText("llama.cpp v0.4.9"));
};

TEST(CheckContracts, NamesTheReleaseInTheReport) {
  const Contracts contracts;
  const CommandResult text = RunCommand({"check", "--contracts", contracts.file, kOdd});
  EXPECT_EQ(text.exit_code, 1);
  EXPECT_THAT(text.out, AllOf(HasSubstr("rope-dimensions"), HasSubstr("llama.cpp v0.4.9")));
  EXPECT_THAT(text.out, Not(HasSubstr("v0.5.0")));
  EXPECT_THAT(text.error, HasSubstr("contracts of llama.cpp v0.4.9, SHA-256 "));
  EXPECT_THAT(RunCommand({"check", "-q", "--contracts", contracts.file, kOdd}).error,
              Not(HasSubstr("contracts of")));

  const CommandResult result =
      RunCommand({"check", "-f", "json", "--contracts", contracts.file, kOdd});
  EXPECT_EQ(result.error, "");
  const Json json = Json::parse(result.out);
  const Json loader = json.at("loaders").at(0);
  EXPECT_EQ(loader.at("release"), "llama.cpp v0.4.9");
  EXPECT_EQ(loader.at("sha256").get<std::string>().size(), 64U);
  EXPECT_THAT(text.error, HasSubstr(loader.at("sha256").get<std::string>()));
  ASSERT_TRUE(CanValidate()) << "python3-jsonschema is missing: run scripts/setup";
  EXPECT_TRUE(FitsSchema(result.out, "report-1"));

  const std::string sarif =
      RunCommand({"check", "-f", "sarif", "--contracts", contracts.file, kOdd}).out;
  EXPECT_EQ(
      Json::parse(sarif).at("runs").at(0).at("invocations").at(0).at("properties").at("loaders"),
      json.at("loaders"));
  EXPECT_THAT(RunCommand({"check", "-f", "html", "--contracts", contracts.file, kOdd}).out,
              HasSubstr("loaders: llama.cpp v0.4.9 (SHA-256 "));
}

// WithoutLoaders removes what a report says about named loaders, and its times. Some messages name
// the loader only then.
Json WithoutLoaders(Json json) {
  json.erase("loaders");
  json.erase("time");
  json.erase("policy_sha256");
  for (Json& file : json.at("files")) {
    file.erase("loaders");
    file.erase("elapsed_ms");
    for (Json& finding : file.at("findings")) {
      finding.erase("loaders");
      finding.erase("message");
    }
  }
  return json;
}

TEST(CheckContracts, GivesTheSameReportAsTheContractsThatAreCompiledIn) {
  const TempFolder folder;
  const std::string file = folder.WriteText("contracts", CompiledInText());
  const std::string shards = std::string(GGUFGATE_SOURCE_DIR) + "/corpus/sets/joined-used";
  for (const std::string& path : {kOdd, kSound, shards}) {
    const auto report = [&](std::vector<std::string> options) {
      options.insert(options.begin(),
                     {"check", "-f", "json", "-v", "--profile", "llama.cpp", path});
      return WithoutLoaders(Json::parse(RunCommand(options).out));
    };
    EXPECT_EQ(report({"--contracts", file}), report({})) << path;
  }
}

TEST(CheckContracts, JudgesEveryKindOfInput) {
  const Contracts contracts;
  // No architecture but afmoe is in this file.
  const std::string other = contracts.folder.WriteText(
      "other", ContractsFile("llama.cpp v9", BlockText(AllContracts().front())));
  const auto reject = [&](std::vector<std::string> words, const CommandOptions& how = {}) {
    words.insert(words.begin(), {"check", "--contracts", other});
    const CommandResult result = RunCommand(words, how);
    EXPECT_EQ(result.exit_code, 1) << result.error;
    EXPECT_THAT(result.out, HasSubstr("is not in the contracts of llama.cpp v9"));
  };
  reject({kSound});
  reject({"--data", "full", kSound});
  reject({"-"}, {.input_path = kSound});
  reject({"--jobs", "1", "--second-opinion", "always", kSound});
  EXPECT_EQ(RunCommand({"check", "--profile", "llama.cpp", "--contracts", contracts.file, kSound})
                .exit_code,
            0);
  const CommandResult run =
      RunCommand({"run", "--contracts", other, "--seal", kSound, "--", "true", "{}"});
  EXPECT_EQ(run.exit_code, 1);
}

TEST(CheckContracts, StopsAtAnInvalidFile) {
  const Contracts contracts;
  const std::string text = CompiledInText();
  const std::string bad =
      contracts.folder.WriteText("bad\x1b", Replaced(text, "condition ", "condition \x1b[2J,"));
  const CommandResult result = RunCommand({"check", "--contracts", bad, kSound});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.out, "");
  EXPECT_THAT(result.error, HasSubstr("bad\\x1b:"));
  EXPECT_THAT(result.error, HasSubstr(": expected printable ASCII characters"));
  EXPECT_TRUE(IsHarmless(result.error));

  const std::string unknown =
      contracts.folder.WriteText("unknown", Replaced(text, "condition ", "condition no-such,"));
  EXPECT_THAT(RunCommand({"check", "--contracts", unknown, kSound}).error,
              HasSubstr("unknown condition \"no-such\""));
  EXPECT_EQ(RunCommand({"check", "--contracts", unknown, kSound}).exit_code, 2);

  const std::string large =
      contracts.folder.WriteText("large", std::string(kLongestContractsFile + 1, '\n'));
  const CommandResult too_large = RunCommand({"check", "--contracts", large, kSound});
  EXPECT_EQ(too_large.exit_code, 2);
  EXPECT_THAT(too_large.error, HasSubstr("a file of contracts has at most 4,194,304"));

  const std::string absent = contracts.folder.Path("absent");
  EXPECT_EQ(RunCommand({"check", "--contracts", absent, kSound}).exit_code, 2);
  EXPECT_EQ(RunCommand({"check", "--contracts", "", kSound}).exit_code, 2);
  EXPECT_EQ(RunCommand({"check", "--contracts", contracts.folder.path(), kSound}).exit_code, 2);
}

TEST(CheckContracts, IsNotReplacedByTheReport) {
  const Contracts contracts;
  const CommandResult result =
      RunCommand({"check", "--contracts", contracts.file, "--output", contracts.file, kSound});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_NE(std::filesystem::file_size(contracts.file), 0U);
}

}  // namespace
}  // namespace ggufgate::testing
