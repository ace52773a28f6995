// Compares every format of ggufgate check, for the whole corpus and for malicious files, with its
// schema.

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "parse/model.h"
#include "tests/support/command.h"
#include "tests/support/matchers.h"
#include "tests/support/sizes.h"
#include "tests/support/temp_folder.h"
#include "tests/support/texts/command_text.h"
#include "tests/support/texts/hostile_texts.h"

namespace ggufgate::testing {
namespace {

using Json = nlohmann::ordered_json;

// Reports holds the output of the formats for the same files.
struct Reports {
  std::string json, jsonl, sarif, junit, github, codequality;
};

Reports ReportsOf(const std::string& path, const std::vector<std::string>& options = {}) {
  const auto report = [&](const std::string& format) {
    std::vector<std::string> arguments = {"check",    "--sha256", "--verbose",
                                          "--format", format,     path};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const CommandResult result = RunCommand(arguments);
    EXPECT_EQ(result.exit_code, 1) << format << result.error;
    EXPECT_EQ(result.signal, 0);
    EXPECT_TRUE(IsHarmless(result.out)) << format;
    return result.out;
  };
  return {report("json"),  report("jsonl"),  report("sarif"),
          report("junit"), report("github"), report("codequality")};
}

void ExpectTheyFitTheirSchemas(const Reports& reports) {
  EXPECT_TRUE(FitsSchema(reports.json, "report-1"));
  EXPECT_TRUE(FitsSchemaByLine(reports.jsonl, "report-1", "file"));
  EXPECT_TRUE(FitsSchema(reports.codequality, "codequality"));
  if (!HaveSchemas()) return;  // another test reports that
  EXPECT_TRUE(FitsSarif(reports.sarif));
  EXPECT_TRUE(FitsJunit(reports.junit));
}

std::size_t CountOf(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

// ExpectTheyAgree compares files, verdicts and findings.
void ExpectTheyAgree(const Reports& reports) {
  const Json files = Json::parse(reports.json).at("files");
  EXPECT_EQ(Lines(reports.jsonl).size(), files.size());
  EXPECT_EQ(CountOf(reports.junit, "<testcase "), files.size());
  std::vector<std::string> rules;
  std::size_t rejected = 0, undecided = 0;
  for (const Json& file : files) {
    rejected += file.at("verdict") == "reject" ? 1U : 0U;
    undecided += file.at("verdict") == "undecided" ? 1U : 0U;
    for (const Json& finding : file.at("findings")) rules.push_back(finding.at("rule"));
  }
  EXPECT_GT(rejected, 0U);
  EXPECT_EQ(CountOf(reports.junit, "<failure "), rejected);
  EXPECT_EQ(CountOf(reports.junit, "<error "), undecided);

  const Json run = Json::parse(reports.sarif).at("runs").at(0);
  EXPECT_EQ(run.at("artifacts").size(), files.size());
  const Json& invocation = run.at("invocations").at(0);
  EXPECT_EQ(invocation.at("toolExecutionNotifications").size(), undecided);
  std::vector<std::string> in_sarif;
  for (const Json& result : run.at("results")) in_sarif.push_back(result.at("ruleId"));
  EXPECT_EQ(in_sarif, rules);

  std::size_t in_github = 0;
  for (const std::string& line : Lines(reports.github)) {
    const bool counts =
        line.find("::and ") != std::string::npos || line.find(": and ") != std::string::npos;
    in_github += counts ? 0U : 1U;
  }
  EXPECT_EQ(in_github, rules.size() + undecided);

  std::size_t issues = 0;
  std::set<std::string> fingerprints;
  for (const Json& issue : Json::parse(reports.codequality)) {
    issues += issue.at("description").get<std::string>().starts_with("and ") ? 0U : 1U;
    EXPECT_TRUE(fingerprints.insert(issue.at("fingerprint")).second) << issue;
  }
  EXPECT_EQ(issues, rules.size() + undecided);
}

TEST(Formats, PublishedSchemasAreThere) {
  if (!HaveSchemas()) GTEST_SKIP() << kNoSchemas;
  EXPECT_TRUE(CanValidate()) << "python3-jsonschema is missing: run scripts/setup";
  EXPECT_FALSE(FitsSarif("{}"));
  const ::testing::AssertionResult none = FitsJunit("<a/>");
  EXPECT_FALSE(none);
  EXPECT_THAT(none.message(), HasSubstr("fails to validate"))
      << "xmllint is missing: run scripts/setup";
}

TEST(Formats, OfTheCorpusFitTheirSchemasAndAgree) {
  ASSERT_TRUE(CanValidate()) << "python3-jsonschema is missing: run scripts/setup";
  for (const std::string profile : {"gate", "spec"}) {
    if (!kFullLength && profile != "gate") break;
    const Reports reports =
        ReportsOf(std::string(GGUFGATE_SOURCE_DIR) + "/corpus", {"--profile", profile});
    ExpectTheyFitTheirSchemas(reports);
    ExpectTheyAgree(reports);
  }
}

TEST(Formats, OfHostileFilesFitTheirSchemasAndAgree) {
  ASSERT_TRUE(CanValidate()) << "python3-jsonschema is missing: run scripts/setup";
  const TempFolder folder;
  for (const std::string& text : HostileTexts()) {
    Model model = Model::Minimal().Set(text, text);
    model.Add(text, TensorType::kI8, {0});
    model.Add(text, TensorType::kF32, {8});
    folder.Write(text, Write(model));
    folder.Link(text + ".gguf", "nowhere");  // undecided
  }
  const Reports reports = ReportsOf(folder.path());
  ExpectTheyFitTheirSchemas(reports);
  ExpectTheyAgree(reports);
}

std::string FromUri(const std::string& uri) {
  std::string path;
  for (std::size_t i = uri.starts_with("file://") ? 7 : 0; i < uri.size(); ++i) {
    const bool encoded = uri.at(i) == '%';
    path += encoded ? static_cast<char>(std::stoi(uri.substr(i + 1, 2), nullptr, 16)) : uri.at(i);
    i += encoded ? 2 : 0;
  }
  return path;
}

TEST(Formats, ProgramsRecoverTheNameOfAFileFromSarif) {
  const TempFolder folder;
  for (std::size_t i = 0; i < HostileTexts().size(); i += kFullLength ? 1 : 5) {
    const std::string path = folder.Write(HostileTexts().at(i), Write(Model::Minimal()));
    const Json run =
        Json::parse(RunCommand({"check", "--format", "sarif", path}).out).at("runs").at(0);
    EXPECT_EQ(FromUri(run.at("artifacts").at(0).at("location").at("uri")), path);
  }
}

TEST(Formats, SarifHasHashesWhenAskedFor) {
  const TempFolder folder;
  const std::string path = folder.Write("a", Write(Model::Minimal()));
  const auto artifact = [&](const std::vector<std::string>& arguments) {
    return Json::parse(RunCommand(arguments).out).at("runs").at(0).at("artifacts").at(0);
  };
  EXPECT_FALSE(artifact({"check", "--format", "sarif", path}).contains("hashes"));
  EXPECT_EQ(artifact({"check", "--format", "sarif", "--sha256", path}).at("hashes").at("sha-256"),
            RunProgram("/usr/bin/sha256sum", {path}).out.substr(0, 64));
}

TEST(Formats, AreDocumented) {
  std::ifstream in(std::string(GGUFGATE_SOURCE_DIR) + "/docs/formats.md");
  const std::string page{std::istreambuf_iterator<char>(in), {}};
#define GGUFGATE_FORMAT(name, word, what) \
  EXPECT_THAT(page, AllOf(HasSubstr("\n| `" word "` | "), HasSubstr("\n## " word "\n")));
#include "report/formats.def"
#undef GGUFGATE_FORMAT
}

TEST(Formats, StandardInputHasAName) {
  const std::string file(AsText(Write(Model::Minimal().Set("", std::uint32_t{1}))));
  const auto report = [&](const std::string& format) {
    return RunCommand({"check", "--format", format, "-"}, {.input = file}).out;
  };
  EXPECT_THAT(report("sarif"), HasSubstr(R"("location":{"uri":"-","description")"));
  EXPECT_THAT(report("junit"), HasSubstr("<testcase name=\"-\" "));
  EXPECT_THAT(report("github"), HasSubstr("::error file=-,line=1,"));
}

}  // namespace
}  // namespace ggufgate::testing
