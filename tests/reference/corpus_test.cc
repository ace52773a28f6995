// Checks every file of the corpus with the library, and with both profiles that protect it.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "tests/support/judge.h"
#include "tests/support/matchers.h"
#include "tests/support/reference/library.h"
#include "tests/support/reference/stricter.h"
#include "tests/support/rules/rule_place.h"

namespace ggufgate::testing {
namespace {

namespace fs = std::filesystem;

struct CorpusFile {
  std::string name;  // path in corpus/
  std::vector<std::uint8_t> bytes;
};

// Corpus reads all files in corpus/ except those that describe and generate it.
std::vector<CorpusFile> Corpus() {
  const fs::path top = fs::path(GGUFGATE_SOURCE_DIR) / "corpus";
  static const std::set<std::string> kAbout = {".json", ".jsonl", ".md", ".txt",
                                               ".cc",   ".h",     ".py", ".def"};
  std::vector<CorpusFile> files;
  if (!fs::is_directory(top)) return files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(top)) {
    if (!entry.is_regular_file() || kAbout.contains(entry.path().extension())) continue;
    std::ifstream in(entry.path(), std::ios::binary);
    files.push_back({.name = entry.path().lexically_relative(top),
                     .bytes = {std::istreambuf_iterator<char>(in), {}}});
  }
  std::ranges::sort(files, {}, &CorpusFile::name);
  return files;
}

// IsStructural: gguf_init_from_file checks only these families. llama_model_load interprets keys
// and values, long after it.
bool IsStructural(Family family) {
  switch (family) {
    case Family::kContainer:
    case Family::kMetadata:
    case Family::kTensorDirectory:
    case Family::kDataLayout:
    case Family::kResources:
      return true;
    default:
      return false;
  }
}

bool Lists(std::span<const Stricter> list, std::string_view rule) {
  return std::ranges::find(list, rule, &Stricter::rule) != list.end();
}

bool MayBeStricter(const std::string& slug, Profile profile) {
  const Rule* rule = FindRule(slug);
  return !IsStructural(rule->family) || Lists(StricterThanReference(), slug) ||
         (profile == Profile::kGate && IsStricterInGate(*rule));
}

class CorpusTest : public ReferenceTest {
 protected:
  static void SetUpTestSuite() {
    if (Reference::Get() == nullptr) return;
    files_ = new std::vector<CorpusFile>(Corpus());
    std::vector<std::vector<std::uint8_t>> bytes;
    for (const CorpusFile& file : *files_) bytes.push_back(file.bytes);
    metadata_ = new std::vector<Answer>(Reference::Get()->AskAll(bytes, Mode::kMetadata));
    context_ = new std::vector<Answer>(Reference::Get()->AskAll(bytes, Mode::kContext));
  }

  // CompareRefusals handles files that a profile rejects and the library loads.
  static void CompareRefusals(Profile profile, std::string_view name) {
    ASSERT_THAT(*files_, Not(IsEmpty())) << "no corpus";
    for (std::size_t i = 0; i < files_->size(); ++i) {
      if (metadata_->at(i) != Answer::kLoads) continue;
      const CorpusFile& file = files_->at(i);
      const auto errors = Judge(file.bytes, PolicyFor(profile)).Rules(Severity::kError);
      if (errors.empty()) continue;
      const auto reason = std::ranges::find_if(
          errors, [&](const std::string& rule) { return MayBeStricter(rule, profile); });
      ASSERT_NE(reason, errors.end())
          << file.name << " loads, and profile " << name << " refuses it by "
          << ::testing::PrintToString(errors) << ". If the rule is right, and stricter than the "
          << "library, add this line to kStricter in tests/support/reference/stricter.cc:\n"
          << "    Stricter{\"" << errors.front() << "\", \"reason\"},";
      std::cout << "stricter in " << name << ": " << *reason << "  " << file.name << '\n';
    }
  }

  static inline std::vector<CorpusFile>* files_ = nullptr;
  static inline std::vector<Answer>* metadata_ = nullptr;
  static inline std::vector<Answer>* context_ = nullptr;
};

TEST_F(CorpusTest, WhatProfileLlamaCppAcceptsLoads) {
  ASSERT_THAT(*files_, Not(IsEmpty())) << "no corpus";
  for (std::size_t i = 0; i < files_->size(); ++i) {
    const CorpusFile& file = files_->at(i);
    if (!Judge(file.bytes, PolicyFor(Profile::kLlamaCpp)).Accepted()) continue;
    EXPECT_EQ(metadata_->at(i), Answer::kLoads) << file.name;
    EXPECT_EQ(context_->at(i), Answer::kLoads) << file.name;
  }
}

TEST_F(CorpusTest, OnlyStricterRulesOfProfileLlamaCppRefuseWhatLoads) {
  CompareRefusals(Profile::kLlamaCpp, "llama.cpp");
}

TEST_F(CorpusTest, OnlyStricterRulesOfProfileGateRefuseWhatLoads) {
  CompareRefusals(Profile::kGate, "gate");
}

// `ggufgate explain` says for a stricter rule that the loader accepts such files.
TEST(StricterRules, SayThatTheLoaderLoads) {
  for (const Stricter& stricter : StricterThanReference()) {
    const Rule* rule = FindRule(stricter.rule);
    ASSERT_NE(rule, nullptr) << stricter.rule;
    EXPECT_THAT(std::string(rule->loaders), HasSubstr("loads")) << stricter.rule;
    EXPECT_EQ(rule->SeverityIn(Profile::kGate), Severity::kError) << stricter.rule;
    EXPECT_EQ(rule->SeverityIn(Profile::kLlamaCpp), Severity::kError) << stricter.rule;
    EXPECT_FALSE(stricter.reason.empty()) << stricter.rule;
  }
  for (const Rule& rule : AllRules()) {
    const bool rejects = rule.SeverityIn(Profile::kGate) == Severity::kError;
    if (!rejects || !IsStructural(rule.family) || !IsStricterInGate(rule)) continue;
    EXPECT_THAT(std::string(rule.loaders), HasSubstr("loads"))
        << RuleTable(rule) << ": profile llama.cpp accepts such files. End the block with "
        << "\"llama.cpp v0.5.0 loads.\" and your measurement, or make it an error there.";
  }
}

}  // namespace
}  // namespace ggufgate::testing
