// The comparison of the gate with the witness can fail: a planted error in either of them aborts
// the process with the message that describes it.

#include "tests/oracles/differential.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "check/rule.h"
#include "parse/model.h"

namespace ggufgate::fuzz {
namespace {

using Change = std::function<void(Judgement&, witness::Verdict&)>;

// A file with a part of every kind, and three faults: a key with a NUL, overlapping tensors, and a
// byte after the end.
std::vector<std::uint8_t> SoundFile() {
  Model model = Model::Minimal();
  model.Set("number", std::int64_t{7}).Set("text", "words");
  model.Set("list", std::vector<std::string>{"a", "b"});
  model.Add("more", TensorType::kQ4_0, {64, 2});
  return Write(model);
}

std::vector<std::uint8_t> UnsoundFile() {
  Model model = Model::Minimal();
  model.Set(std::string_view("nul\0", 4), std::uint8_t{1});
  model.Add("more", TensorType::kQ4_0, {64, 2}).offset = 0;
  model.trailing = {1};
  return Write(model);
}

// Agree compares the two results for a file after a change.
void Agree(const std::vector<std::uint8_t>& file, const Change& change) {
  Judgement judged = Judge(file);
  witness::Verdict verdict = witness::Judge(file);
  change(judged, verdict);
  RequireAgreement(judged, verdict);
}

void DropFindings(Judgement& judged, std::string_view rule) {
  std::erase_if(judged.checked.findings.list, [&](const Finding& finding) {
    return rule.empty() || RuleOf(finding.rule).slug == rule;
  });
}

void DropComplaints(witness::Verdict& verdict, const std::string& rule) {
  std::erase_if(verdict.complaints,
                [&](const witness::Complaint& complaint) { return complaint.rule == rule; });
}

TEST(DifferentialTest, TheTwoAgree) {
  Agree(SoundFile(), [](Judgement&, witness::Verdict&) {});
  Agree(UnsoundFile(), [](Judgement&, witness::Verdict&) {});
}

struct Planted {
  const char* name;
  bool sound;  // whether the changed file is the sound one
  Change change;
  const char* sentence;
};

class DifferentialDeathTest : public ::testing::TestWithParam<Planted> {};

TEST_P(DifferentialDeathTest, FindsWhatIsPlanted) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto file = GetParam().sound ? SoundFile() : UnsoundFile();
  EXPECT_DEATH(Agree(file, GetParam().change), GetParam().sentence);
}

INSTANTIATE_TEST_SUITE_P(
    All, DifferentialDeathTest,
    ::testing::Values(
        Planted{"GateFindsNothing", false,
                [](Judgement& judged, witness::Verdict&) { DropFindings(judged, ""); },
                "what is accepted is sound to the witness"},
        Planted{"GateMissesAnError", false,
                [](Judgement& judged, witness::Verdict&) { DropFindings(judged, "key-nul"); },
                "what the witness complains of is found"},
        Planted{
            "GateMissesAWarning", false,
            [](Judgement& judged, witness::Verdict&) { DropFindings(judged, "trailing-bytes"); },
            "what the witness complains of is found"},
        Planted{"GateFindsTooMuch", false,
                [](Judgement&, witness::Verdict& verdict) {
                  DropComplaints(verdict, "tensor-overlap");
                },
                "a breach of the structure is one to the witness"},
        Planted{"AnotherRecordIsBlamed", false,
                [](Judgement&, witness::Verdict& verdict) {
                  for (witness::Complaint& complaint : verdict.complaints) ++complaint.record;
                },
                "of the same record"},
        Planted{"AWarningRejects", false,
                [](Judgement&, witness::Verdict& verdict) {
                  for (witness::Complaint& complaint : verdict.complaints) complaint.fatal = false;
                },
                "a rejected structure is unsound"},
        Planted{"AKeyIsMissing", true,
                [](Judgement& judged, witness::Verdict&) { judged.document.metadata.pop_back(); },
                "reads as many records"},
        Planted{"AnotherType", true,
                [](Judgement& judged, witness::Verdict&) {
                  judged.document.metadata.at(1).type = ValueType::kU64;
                },
                "the same type and count"},
        Planted{"AnotherPlace", true,
                [](Judgement& judged, witness::Verdict&) {
                  ++judged.document.metadata.at(1).range.begin;
                },
                "the same key and place"},
        Planted{"AnotherNumber", true,
                [](Judgement&, witness::Verdict& verdict) { ++verdict.file.entries.at(1).natural; },
                "a number has the same value"},
        Planted{"OtherCharacters", true,
                [](Judgement&, witness::Verdict& verdict) {
                  verdict.file.entries.at(2).texts.front() = "other";
                },
                "a string has the same characters"},
        Planted{
            "AnotherOffset", true,
            [](Judgement& judged, witness::Verdict&) { judged.document.tensors.back().offset = 0; },
            "the same dimensions, type and offset"},
        Planted{"AnotherSize", true,
                [](Judgement&, witness::Verdict& verdict) { ++verdict.file.tensors.back().bytes; },
                "a tensor has the same size"},
        Planted{"AnotherCount", true,
                [](Judgement& judged, witness::Verdict&) { ++judged.document.tensor_count; },
                "the header says the same"},
        Planted{"DataBeginElsewhere", true,
                [](Judgement& judged, witness::Verdict&) { *judged.document.data_begin += 32; },
                "the data section begins at the same byte"}),
    [](const auto& planted) { return std::string(planted.param.name); });

}  // namespace
}  // namespace ggufgate::fuzz
