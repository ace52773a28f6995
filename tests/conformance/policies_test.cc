// The policies of docs/policies: each is valid, does not change when printed, and works as
// docs/policy.md describes.

#include <filesystem>
#include <sstream>
#include <string>

#include "gate/judge.h"
#include "gate/reading/policy_text.h"
#include "policy/policy_file.h"
#include "policy/policy_text.h"
#include "tests/conformance/corpus.h"
#include "tests/support/matchers.h"

namespace ggufgate::testing {
namespace {

std::filesystem::path Docs() { return std::filesystem::path(GGUFGATE_SOURCE_DIR) / "docs"; }

Policy Example(const std::string& name) {
  const auto text = ReadPolicyFile(Docs() / "policies" / (name + ".toml"));
  EXPECT_TRUE(text.ok()) << name;
  ParsedPolicy parsed = ParsePolicy(text.value_or(""));
  for (const TextProblem& problem : parsed.problems) {
    ADD_FAILURE() << name << ':' << problem.at.line << ": " << problem.what;
  }
  return parsed.policy;
}

const std::vector<std::string>& Examples() {
  static const auto* const names = new std::vector<std::string>{"strict", "laptop", "hub"};
  return *names;
}

TEST(Policies, AreAllNamedHere) {
  std::vector<std::string> files;
  for (const auto& file : std::filesystem::directory_iterator(Docs() / "policies")) {
    files.push_back(file.path().stem());
  }
  EXPECT_THAT(files, ::testing::UnorderedElementsAreArray(Examples()));
}

TEST(Policies, ReadBackAsPrinted) {
  for (const std::string& name : Examples()) {
    const Policy policy = Example(name);
    EXPECT_NE(policy, Policy()) << name;
    std::ostringstream text;
    PrintPolicy(policy, text);
    const ParsedPolicy again = ParsePolicy(text.str());
    EXPECT_THAT(again.problems, IsEmpty()) << name;
    EXPECT_EQ(again.policy, policy) << name;
  }
}

// CellsOf splits a row of a table, `| a | b |`.
std::vector<std::string> CellsOf(const std::string& row) {
  std::vector<std::string> cells;
  std::istringstream in(row);
  for (std::string cell; std::getline(in, cell, '|');) {
    const std::size_t begin = std::min(cell.find_first_not_of(' '), cell.size());
    const std::size_t end = cell.find_last_not_of(' ') + 1;
    if (begin < end) cells.push_back(cell.substr(begin, end - begin));
  }
  return cells;
}

TEST(Policies, DoWhatTheDocumentSays) {
  std::vector<Policy> policies = {Policy()};
  for (const std::string& name : Examples()) policies.push_back(Example(name));
  std::ifstream document(Docs() / "policy.md");
  int rows = 0;
  for (std::string line; std::getline(document, line);) {
    if (!line.starts_with("| `valid/") && !line.starts_with("| `invalid/")) continue;
    ++rows;
    const std::vector<std::string> cells = CellsOf(line);
    ASSERT_EQ(cells.size(), policies.size() + 2) << line;
    const std::string file = cells.front().substr(1, cells.front().size() - 2);
    for (std::size_t i = 0; i < policies.size(); ++i) {
      JudgeOptions options;
      options.policy = policies.at(i);
      const FileReport report = JudgePath(CorpusFolder() / file, options);
      EXPECT_EQ(WordFor(report.verdict), cells.at(i + 1)) << file << ", column " << i + 1;
    }
  }
  EXPECT_EQ(rows, 12);
}

}  // namespace
}  // namespace ggufgate::testing
