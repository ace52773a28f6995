#include "gate/processes/second_opinion.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "gate/judge.h"
#include "parse/model.h"
#include "tests/conformance/corpus.h"
#include "tests/support/temp_folder.h"

namespace ggufgate {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Kind = Opinion::Kind;

Opinion Ask(const Model& model, SecondOpinion wanted = SecondOpinion::kSmall,
            const Policy& policy = {}) {
  const testing::TempFolder folder;
  return AskWitness(folder.Write("a.gguf", Write(model)), wanted, policy);
}

Model WithTwice(std::string_view key) {
  Model model = Model::Minimal();
  model.Set("one", std::uint8_t{1}).Set("two", std::uint8_t{1});
  model.metadata.back().key = model.metadata.at(model.metadata.size() - 2).key = std::string(key);
  return model;
}

TEST(AskWitness, CountsAndJudges) {
  const Opinion sound = Ask(Model::Minimal());
  EXPECT_EQ(sound.kind, Kind::kGiven);
  EXPECT_EQ(sound.version, 3U);
  EXPECT_EQ(sound.metadata_keys, Model::Minimal().metadata.size());
  EXPECT_EQ(sound.tensors, Model::Minimal().tensors.size());
  EXPECT_THAT(sound.broken, IsEmpty());
  EXPECT_THAT(Ask(WithTwice("twice")).broken, ElementsAre(RuleId::kKeyDuplicate));
}

TEST(AskWitness, JudgesByTheProfile) {
  Model model = Model::Minimal();
  model.Set("bad\x01key", std::uint8_t{1});
  EXPECT_THAT(Ask(model).broken, Contains(RuleId::kKeyCharacters));
  EXPECT_THAT(Ask(model, SecondOpinion::kSmall, PolicyFor(Profile::kLlamaCpp)).broken, IsEmpty());
}

TEST(AskWitness, OfLongMetadataOnlyWhenAlwaysAsked) {
  Model model = Model::Minimal();
  model.Set("fill", std::vector<std::uint8_t>(kSmallFront));
  EXPECT_EQ(Ask(model).kind, Kind::kNone);
  const Opinion opinion = Ask(model, SecondOpinion::kAlways);
  EXPECT_EQ(opinion.kind, Kind::kGiven);
  EXPECT_EQ(opinion.metadata_keys, model.metadata.size());
  Policy short_metadata;
  short_metadata.limits.metadata_bytes = kSmallFront / 2;
  EXPECT_EQ(Ask(model, SecondOpinion::kAlways, short_metadata).kind, Kind::kNone);
}

TEST(AskWitness, SmallMetadataOfALargeFile) {
  Model model = Model::Minimal();
  model.Add("large", TensorType::kI8, {2 * kSmallFront});
  EXPECT_EQ(Ask(model).kind, Kind::kGiven);
  model.tensors.back().data.resize(kSmallFront);  // truncated: the file ends inside
  EXPECT_THAT(Ask(model).broken, ElementsAre(RuleId::kTensorDataBounds));
}

TEST(AskWitness, NobodyOrNothing) {
  EXPECT_EQ(Ask(Model::Minimal(), SecondOpinion::kNever).kind, Kind::kNone);
  EXPECT_EQ(AskWitness("-", SecondOpinion::kAlways, {}).kind, Kind::kNone);
  EXPECT_EQ(AskWitness("/no/such/file", SecondOpinion::kSmall, {}).kind, Kind::kFailed);
}

FileReport Accepted() {
  FileReport report;
  report.verdict = Verdict::kAccept;
  report.summary = {.version = 3, .metadata_keys = 5, .tensors = 7};
  return report;
}

Opinion Agreeing() {
  return {.kind = Kind::kGiven, .version = 3, .metadata_keys = 5, .tensors = 7};
}

std::string Said(const Opinion& opinion, const Policy& policy = {},
                 const FileReport& report = Accepted()) {
  return std::string(Contradiction(report, opinion, policy).message());
}

TEST(Contradiction, IsAnythingThatIsNotTheSame) {
  EXPECT_EQ(Said(Agreeing()), "");
  EXPECT_EQ(Said({}), "") << "nobody was asked";
  EXPECT_THAT(Said({.kind = Kind::kFailed}), HasSubstr("cannot be read"));
  Opinion opinion = Agreeing();
  opinion.version = 2;
  EXPECT_THAT(Said(opinion), HasSubstr("other records"));
  opinion = Agreeing();
  ++opinion.metadata_keys;
  EXPECT_THAT(Said(opinion), HasSubstr("other records"));
  opinion = Agreeing();
  --opinion.tensors;
  EXPECT_THAT(Said(opinion), HasSubstr("other records"));
  opinion = Agreeing();
  opinion.broken = {RuleId::kTensorOverlap};
  EXPECT_THAT(Said(opinion), HasSubstr("it finds a breach of tensor-overlap;"));
  FileReport rejected = Accepted();
  rejected.verdict = Verdict::kReject;
  EXPECT_EQ(Said(opinion, {}, rejected), "") << "rejected it is anyway";
}

TEST(Contradiction, IsNotWhatThePolicyAllows) {
  const auto said = [](RuleId rule, const Policy& policy) {
    Opinion opinion = Agreeing();
    opinion.broken = {rule};
    return Said(opinion, policy);
  };
  Policy policy;
  policy.severities = {{.rule = RuleId::kKeyDuplicate, .severity = Severity::kWarning}};
  EXPECT_EQ(said(RuleId::kKeyDuplicate, policy), "");
  EXPECT_NE(said(RuleId::kKeyNul, policy), "");

  policy = {};
  policy.suppressions.push_back({.rule = RuleId::kKeyNul, .reason = "test"});
  EXPECT_EQ(said(RuleId::kKeyNul, policy), "");
  EXPECT_NE(said(RuleId::kKeyDuplicate, policy), "");

  policy = {};
  policy.target = TargetOrder::kAny;
  EXPECT_EQ(said(RuleId::kByteOrder, policy), "");
  EXPECT_NE(said(RuleId::kByteOrder, {}), "");

  policy = {};
  ++policy.limits.key_bytes;
  EXPECT_EQ(said(RuleId::kKeyLength, policy), "");
  EXPECT_NE(said(RuleId::kAlignmentLarge, policy), "");
}

// A file that any profile accepts has no contradiction, and rejected files have opinions that could
// contradict. So if one of the parsers is exploited, the other one still rejects the file.
TEST(SecondOpinion, AgreesOnTheWholeCorpus) {
  int structural = 0;
  for (std::size_t i = 0; i < kProfileCount; ++i) {
    JudgeOptions options;
    options.policy = PolicyFor(static_cast<Profile>(i));
    for (const testing::CorpusFile& file : testing::Corpus()) {
      const std::string path = (testing::CorpusFolder() / file.path).string();
      const FileReport report = JudgePath(path, options);
      const Opinion opinion = AskWitness(path, SecondOpinion::kAlways, options.policy);
      EXPECT_EQ(Said(opinion, options.policy, report), "") << path;
      FileReport taken_over = report;
      taken_over.verdict = Verdict::kAccept;
      structural += Said(opinion, options.policy, taken_over).empty() ? 0 : 1;
    }
  }
  EXPECT_GT(structural, 300) << "rejects that a second opinion would have kept";
}

TEST(OpinionAsBytes, ComesBack) {
  Opinion opinion = Agreeing();
  opinion.broken = {RuleId::kKeyNul, RuleId::kTensorOrder};
  const std::vector<std::uint8_t> bytes = WriteOpinion(opinion);
  const std::optional<Opinion> back = ReadOpinion(bytes);
  ASSERT_TRUE(back);
  EXPECT_EQ(back->kind, Kind::kGiven);
  EXPECT_EQ(back->version, 3U);
  EXPECT_EQ(back->metadata_keys, 5U);
  EXPECT_EQ(back->tensors, 7U);
  EXPECT_EQ(back->broken, opinion.broken);
}

TEST(OpinionAsBytes, NothingComesOfOtherBytes) {
  const std::vector<std::uint8_t> good = WriteOpinion(Agreeing());
  for (std::size_t size = 0; size < good.size(); ++size) {
    EXPECT_FALSE(ReadOpinion(Bytes(good).first(size))) << size;
  }
  std::vector<std::uint8_t> kind = good;
  kind.at(0) = 3;
  EXPECT_FALSE(ReadOpinion(kind));
  std::vector<std::uint8_t> version = good;
  version.at(12) = 1;
  EXPECT_FALSE(ReadOpinion(version));
  std::vector<std::uint8_t> rule = good;
  rule.resize(good.size() + 8, 0xFF);
  EXPECT_FALSE(ReadOpinion(rule));
  EXPECT_FALSE(ReadOpinion(std::vector<std::uint8_t>(1 << 20, 0))) << "more than there are rules";
}

}  // namespace
}  // namespace ggufgate
