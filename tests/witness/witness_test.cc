// Compares the witness with the manifest of the corpus, and with faults planted byte by byte.

#include "witness/witness.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <set>
#include <string>

#include "check/rule.h"
#include "parse/model.h"
#include "tests/conformance/corpus.h"
#include "tests/support/golden.h"
#include "tests/support/rules/rule_place.h"

namespace ggufgate::testing {
namespace {

using witness::Reading;

witness::Verdict Ask(const FileBytes& file, Reading reading = Reading::kGate) {
  return witness::Judge(file, reading);
}

// StructuralRules returns the rules of an entry of the manifest that the witness must report, too.
std::vector<std::string> StructuralRules(const CorpusFile& file) {
  const std::vector<std::string> known = witness::Rules();
  std::vector<std::string> rules;
  for (const std::string& rule : file.rules) {
    if (std::ranges::find(known, rule) != known.end()) rules.push_back(rule);
  }
  return rules;
}

std::vector<std::string> Complaints(const witness::Verdict& verdict) {
  std::set<std::string> rules;
  for (const witness::Complaint& complaint : verdict.complaints) rules.insert(complaint.rule);
  return {rules.begin(), rules.end()};
}

static_assert(Family::kContainer < Family::kDataLayout && Family::kMetadata < Family::kDataLayout &&
              Family::kTensorDirectory < Family::kDataLayout &&
              Family::kDataLayout < Family::kTensorData);

bool IsAnErrorAboutTheStructure(const Rule& rule) {
  return rule.family <= Family::kDataLayout &&
         std::ranges::find(rule.severities, Severity::kError) != rule.severities.end();
}

// A new rule may be missing; then the test prints it, and the gate is not compared with the
// witness.
TEST(NaiveTest, KnowsTheListedRules) {
  const std::vector<std::string> known = witness::Rules();
  EXPECT_EQ(std::set(known.begin(), known.end()).size(), known.size()) << "a rule is listed twice";
  ExpectGolden("witness/golden_rules.txt", known);
  for (const std::string& slug : GoldenLines("witness/golden_rules.txt")) {
    const Rule* const rule = FindRule(slug);
    ASSERT_NE(rule, nullptr) << slug << " is not a rule. Remove its line";
    EXPECT_EQ(std::ranges::count(known, slug), 1) << WitnessLineFor(*rule);
  }
  for (const Rule& rule : AllRules()) {
    if (!IsAnErrorAboutTheStructure(rule) || std::ranges::count(known, rule.slug) > 0) continue;
    std::cout << "not compared: " << rule.slug << "\n";
  }
  for (const std::string& slug : known) {
    const Rule* const rule = FindRule(slug);
    EXPECT_TRUE(rule != nullptr && rule->family <= Family::kDataLayout)
        << "src/witness/rules.cc: " << slug
        << " is not a rule about the structure. Remove its line.";
  }
}

class NaiveCorpusTest : public ::testing::TestWithParam<CorpusFile> {};

TEST_P(NaiveCorpusTest, SaysWhatTheManifestSays) {
  const CorpusFile& file = GetParam();
  const FileBytes bytes = ReadBytes(CorpusFolder() / file.path);
  const witness::Verdict verdict = Ask(bytes);
  const std::vector<std::string> structural = StructuralRules(file);
  if (file.AcceptedBy("gate")) {
    EXPECT_TRUE(verdict.Sound()) << ::testing::PrintToString(Complaints(verdict));
  }
  if (file.AcceptedBy("llama.cpp")) {
    EXPECT_TRUE(Ask(bytes, Reading::kLlamaCpp).Sound());
  }
  if (file.AcceptedBy("spec")) {
    EXPECT_TRUE(Ask(bytes, Reading::kSpec).Sound());
  }
  // It does not know the limits of a policy.
  if (file.limits.empty()) {
    for (const std::string& slug : structural) {
      EXPECT_TRUE(verdict.Says(slug)) << file.path << ": " << WitnessCodeFor(*FindRule(slug));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, NaiveCorpusTest, ::testing::ValuesIn(Corpus()), TestNameOf);

TEST(NaiveTest, ReadsWhatWasWritten) {
  Model model = Model::Minimal();
  model.Set("a.number", std::int16_t{-2}).Set("a.flag", true).Set("a.text", "words");
  model.Set("a.list", std::vector<std::string>{"x", "", "yz"});
  model.Add("t", TensorType::kQ8_0, {64, 3});
  const witness::File file = Ask(Write(model)).file;
  ASSERT_TRUE(file.whole);
  const auto entry = [&](const std::string& key) {
    return *std::ranges::find(file.entries, key, &witness::Entry::key);
  };
  EXPECT_FALSE(entry("a.number").has_natural);
  EXPECT_EQ(entry("a.flag").natural, 1U);
  EXPECT_THAT(entry("a.text").texts, ::testing::ElementsAre("words"));
  EXPECT_THAT(entry("a.list").texts, ::testing::ElementsAre("x", "", "yz"));
  EXPECT_EQ(entry("a.list").depth, 1U);
  const witness::Tensor& tensor = file.tensors.back();
  EXPECT_EQ(tensor.name, "t");
  EXPECT_THAT(tensor.dims, ::testing::ElementsAre(64, 3));
  EXPECT_EQ(tensor.bytes, 3U * 2 * 34);
}

TEST(NaiveTest, EveryPrefixOfTheDirectoryIsUnsound) {
  Model model = Model::Minimal();
  model.Set("list", std::vector<std::uint32_t>{1, 2}).Add("t", TensorType::kF32, {8});
  const FileBytes whole = Write(model);
  ASSERT_TRUE(Ask(whole).Sound());
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const FileBytes cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
    EXPECT_FALSE(Ask(cut).Sound()) << size;
  }
}

// Each planted fault, and the most similar valid file.
TEST(NaiveTest, NumbersAreNotWrapped) {
  Model model = Model::Minimal();
  model.Add("t", TensorType::kF32, {8});
  Model::Tensor& tensor = model.tensors.back();
  tensor.dims = {std::uint64_t{1} << 32, std::uint64_t{1} << 31};
  EXPECT_TRUE(Ask(Write(model)).Says("tensor-elements-overflow", /*fatal=*/true));
  tensor.dims = {std::uint64_t{1} << 32, std::uint64_t{1} << 30};
  EXPECT_FALSE(Ask(Write(model)).Says("tensor-elements-overflow"));
  EXPECT_TRUE(Ask(Write(model)).Says("tensor-bytes-overflow", /*fatal=*/true));
}

TEST(NaiveTest, DeepNestingEndsTheReading) {
  // A header with one key "a" of type array, then nested arrays.
  FileBytes file = {'G', 'G', 'U', 'F', 3, 0, 0, 0, 0, 0, 0, 0, 0, 0,   0, 0, 1, 0, 0,
                    0,   0,   0,   0,   0, 1, 0, 0, 0, 0, 0, 0, 0, 'a', 9, 0, 0, 0};
  constexpr std::size_t kLevels = 200'000;
  for (std::size_t i = 0; i < kLevels; ++i) {
    const FileBytes level = {9, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0};
    file.insert(file.end(), level.begin(), level.end());
  }
  EXPECT_TRUE(Ask(file, Reading::kSpec).Says("array-nested", /*fatal=*/true));
}

TEST(NaiveTest, TextIsJudgedByTheShortestForm) {
  const auto says = [](const std::string& text) {
    Model model = Model::Minimal();
    model.Set("text", text);
    return Ask(Write(model)).Says("string-utf8");
  };
  EXPECT_FALSE(says("\x7F \u0080 \u07FF \u0800 \uFFFF \U00010000 \U0010FFFF"));
  for (const char* bad :
       {"\x80", "\xC0\x80", "\xC1\xBF", "\xE0\x9F\xBF", "\xED\xA0\x80", "\xF0\x8F\xBF\xBF",
        "\xF4\x90\x80\x80", "\xF8\x88\x80\x80\x80", "\xE2\x82", "\xFF"}) {
    EXPECT_TRUE(says(bad)) << ::testing::PrintToString(bad);
  }
}

}  // namespace
}  // namespace ggufgate::testing
