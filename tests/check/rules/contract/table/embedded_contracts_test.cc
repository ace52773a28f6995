// The contracts that are compiled in are those of the files in src/format/contracts/releases.

#include "format/contracts/embedded_contracts.h"

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <string_view>

#include "tests/support/matchers.h"
#include "tests/support/rules/contracts_file.h"

namespace ggufgate::testing {
namespace {

std::string TextOf(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

TEST(EmbeddedContracts, AreThoseOfTheFiles) {
  const std::filesystem::path folder =
      std::filesystem::path(GGUFGATE_SOURCE_DIR) / "src/format/contracts/releases";
  std::set<std::string_view> releases;
  for (const auto& file : std::filesystem::directory_iterator(folder)) {
    SCOPED_TRACE(file.path());
    const std::shared_ptr<const ContractTable> parsed = TableOf(TextOf(file.path()));
    ASSERT_NE(parsed, nullptr);
    const ContractTable* embedded = ContractTable::FindLearned(parsed->release());
    ASSERT_NE(embedded, nullptr) << "embed_contracts.cmake lists the files";
    EXPECT_TRUE(releases.insert(embedded->release()).second);
    ASSERT_EQ(embedded->All().size(), parsed->All().size());
    for (std::size_t i = 0; i < parsed->All().size(); ++i) {
      EXPECT_EQ(BlockText(embedded->All()[i]), BlockText(parsed->All()[i]));
    }
  }
  EXPECT_EQ(releases.size(), ContractTable::Learned().size());
}

TEST(EmbeddedContracts, AreFoundByTheNameOfTheRelease) {
  for (const ContractTable& table : ContractTable::Learned()) {
    EXPECT_EQ(ContractTable::FindLearned(table.release()), &table);
    EXPECT_TRUE(table.IsCompiledIn());
    EXPECT_EQ(table.sha256(), "");
    for (const Contract& contract : table.All()) {
      EXPECT_EQ(table.Find(contract.architecture), &contract);
    }
  }
  for (const char* name : {"", "v0.5.0", "llama.cpp", "llama.cpp v0.5", "llama.cpp v0.5.0 "}) {
    EXPECT_EQ(ContractTable::FindLearned(name), nullptr) << name;
  }
}

TEST(EmbeddedContracts, TheNewestReleaseIsFirst) {
  EXPECT_EQ(ContractTable::Learned().front().release(), kContractRelease);
  EXPECT_EQ(&ContractTable::CompiledIn(), ContractTable::Learned().data());
  EXPECT_EQ(AllContracts().data(), ContractTable::CompiledIn().All().data());
}

// A copy of a table from a file does not need the original.
TEST(EmbeddedContracts, TablesCanBeCopied) {
  std::shared_ptr<const ContractTable> parsed = TableOf(CompiledInText("other"));
  const std::string before = BlockText(parsed->All().front());
  const ContractTable copy = *parsed;
  parsed.reset();
  EXPECT_FALSE(copy.IsCompiledIn());
  EXPECT_EQ(copy.release(), "other");
  EXPECT_EQ(BlockText(copy.All().front()), before);
}

// Each line of the text occurs once: the program would be larger otherwise.
TEST(EmbeddedContracts, ShareTheirLines) {
  std::set<std::string_view> lines;
  std::string_view rest = EmbeddedText();
  while (!rest.empty()) {
    const std::string_view line = TakeField(rest, '\n');
    EXPECT_TRUE(lines.insert(line).second) << line;
  }
  EXPECT_LT(lines.size() * 2, EmbeddedLines().size());
}

}  // namespace
}  // namespace ggufgate::testing
