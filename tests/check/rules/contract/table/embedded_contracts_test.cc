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

// CompareFilesOf compares the blocks in all files of a folder with the embedded ones. It returns
// their number, and adds the releases that the files name.
std::size_t CompareFilesOf(const std::filesystem::path& folder, std::set<std::string>& releases) {
  std::size_t blocks = 0;
  for (const auto& file : std::filesystem::directory_iterator(folder)) {
    SCOPED_TRACE(file.path());
    const std::shared_ptr<const ContractTable> parsed = TableOf(TextOf(file.path()));
    if (parsed == nullptr) continue;
    releases.emplace(parsed->release());
    const ContractTable* embedded = ContractTable::FindLearned(parsed->release());
    if (embedded == nullptr) {
      ADD_FAILURE() << "embed_contracts.cmake lists the folders";
      continue;
    }
    for (const Contract& contract : parsed->All()) {
      const Contract* same = embedded->Find(contract.architecture);
      EXPECT_TRUE(same != nullptr && BlockText(*same) == BlockText(contract))
          << contract.architecture;
      ++blocks;
    }
  }
  return blocks;
}

TEST(EmbeddedContracts, AreThoseOfTheFiles) {
  const std::filesystem::path folder =
      std::filesystem::path(GGUFGATE_SOURCE_DIR) / "src/format/contracts/releases";
  std::set<std::string> all;
  for (const auto& release : std::filesystem::directory_iterator(folder)) {
    std::set<std::string> releases;
    const std::size_t blocks = CompareFilesOf(release.path(), releases);
    ASSERT_EQ(releases.size(), 1U) << release.path();
    EXPECT_TRUE(all.insert(*releases.begin()).second);
    EXPECT_EQ(ContractTable::FindLearned(*releases.begin())->All().size(), blocks);
  }
  EXPECT_EQ(all.size(), ContractTable::Learned().size());
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
