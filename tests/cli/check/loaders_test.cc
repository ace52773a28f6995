// ggufgate check --loader and --loaders: the loaders that must run a file.

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <string>

#include "check/loaders/loader_names.h"
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

// Other has a contract of afmoe and none of llama.
struct Other {
  TempFolder folder;
  std::string file =
      folder.WriteText("other", ContractsFile("own build", BlockText(AllContracts().front())));
};

TEST(CheckLoaders, EachMustRunTheFile) {
  const Other other;
  EXPECT_EQ(RunCommand({"check", "--loader", "llama.cpp", kSound}).exit_code, 0);
  const CommandResult both =
      RunCommand({"check", "--loader", "llama.cpp", "--contracts", other.file, kSound});
  EXPECT_EQ(both.exit_code, 1);
  EXPECT_THAT(both.out, HasSubstr("is not in the contracts of own build"));
}

TEST(CheckLoaders, AFindingNamesItsLoaders) {
  const TempFolder folder;
  const std::string same = folder.WriteText("same", CompiledInText("llama.cpp v9"));
  const CommandResult result = RunCommand(
      {"check", "-f", "json", "--loader", "llama.cpp@v0.5.0", "--contracts", same, kOdd});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_TRUE(FitsSchema(result.out, "report-1"));
  const Json json = Json::parse(result.out);
  EXPECT_EQ(json.at("loaders").size(), 2U);
  EXPECT_FALSE(json.at("loaders").at(0).contains("sha256"));
  const Json file = json.at("files").at(0);
  const Json finding = file.at("findings").at(0);
  EXPECT_EQ(finding.at("rule"), "rope-dimensions");
  EXPECT_EQ(finding.at("loaders"), Json({"llama.cpp v0.5.0", "llama.cpp v9"}));
  EXPECT_THAT(finding.at("message").get<std::string>(), HasSubstr("(llama.cpp v0.5.0/v9 "));
  EXPECT_EQ(file.at("loaders").at(1).at("outcome"), "crashes");
  EXPECT_EQ(file.at("loaders").at(1).at("rule"), "rope-dimensions");
  // Without the option a report is as before.
  const Json plain = Json::parse(RunCommand({"check", "-f", "json", kOdd}).out);
  EXPECT_FALSE(plain.contains("loaders"));
  EXPECT_FALSE(plain.at("files").at(0).contains("loaders"));
  EXPECT_FALSE(plain.at("files").at(0).at("findings").at(0).contains("loaders"));
}

TEST(CheckLoaders, TheTableHasALineForEach) {
  const Other other;
  const CommandResult two = RunCommand(
      {"check", "--loaders", "--loader", "llama.cpp", "--contracts", other.file, kSound, kOdd});
  EXPECT_EQ(two.exit_code, 1);
  EXPECT_THAT(two.out, HasSubstr(kSound + "\n  llama.cpp v0.5.0  runs\n"));
  EXPECT_THAT(two.out, HasSubstr("  own build         unknown  architecture-unknown  "));
  EXPECT_THAT(two.out, HasSubstr("  llama.cpp v0.5.0  crashes  rope-dimensions "));
  EXPECT_THAT(two.out, Not(HasSubstr("v0.5.0/own build")));
  const CommandResult quiet = RunCommand({"check", "-q", "--loaders", kOdd, kSound});
  EXPECT_THAT(quiet.out, Not(HasSubstr(kSound)));

  const CommandResult all = RunCommand({"check", "--loaders", kSound});
  for (const ContractTable& table : ContractTable::Learned()) {
    EXPECT_THAT(all.out, HasSubstr(std::string(table.release())));
  }
}

TEST(CheckLoaders, OtherFormatsKeepTheirForm) {
  const CommandResult result = RunCommand({"check", "--loaders", "-f", "jsonl", kSound});
  EXPECT_EQ(Json::parse(result.out).at("loaders").size(), ContractTable::Learned().size());
}

TEST(CheckLoaders, AnUnknownOneIsAnError) {
  for (const char* name :
       {"llama.cpp@v9", "llama.cpp@", "llama.cp", "", "@v0.5.0", "ollama@1\x1b"}) {
    const CommandResult result = RunCommand({"check", "--loader", name, kSound});
    EXPECT_EQ(result.exit_code, 2) << name;
    EXPECT_THAT(result.error, HasSubstr("there are no contracts of")) << name;
    EXPECT_THAT(result.error, HasSubstr("llama.cpp@v0.5.0")) << name;
    EXPECT_TRUE(IsHarmless(result.error));
  }
}

TEST(CheckLoaders, AReleaseIsNamedOnce) {
  const TempFolder folder;
  const std::string same = folder.WriteText("same", CompiledInText());
  const CommandResult result =
      RunCommand({"check", "--loader", "llama.cpp", "--contracts", same, kSound});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.error, HasSubstr("has contracts of llama.cpp v0.5.0, and so does a loader"));
  EXPECT_EQ(RunCommand({"check", "--loader", "llama.cpp", "--loader", "llama.cpp@v0.5.0", kSound})
                .exit_code,
            0);
}

TEST(CheckLoaders, APolicyNamesThem) {
  const Other other;
  const std::string policy = other.folder.WriteText("policy.toml",
                                                    "schema = \"ggufgate.policy/1\"\n"
                                                    "loaders = [\"llama.cpp\"]\n");
  const CommandResult result = RunCommand({"check", "-f", "json", "--policy", policy, kOdd});
  EXPECT_EQ(Json::parse(result.out).at("loaders").at(0).at("release"), kContractRelease);
  // The command line adds to the policy.
  EXPECT_EQ(RunCommand({"check", "--policy", policy, "--contracts", other.file, kSound}).exit_code,
            1);
}

}  // namespace
}  // namespace ggufgate::testing
