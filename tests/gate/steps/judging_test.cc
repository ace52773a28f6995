// A check in steps gives the verdict and the findings of a file that is read.

#include "gate/steps/judging.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "bytes/memory_source.h"
#include "gate/judge_source.h"
#include "tests/conformance/corpus.h"
#include "tests/support/judge.h"

namespace ggufgate::testing {
namespace {

using File = std::vector<std::uint8_t>;

// Fed supplies bytes of a file until no more are requested.
Judging::State Fed(Judging& judging, const File& file) {
  Judging::State state = judging.Step();
  while (state == Judging::State::kWants) {
    const ByteRange wanted = judging.wanted();
    if (wanted.size == 0 || !wanted.FitsIn(file.size())) {
      ADD_FAILURE() << "wants " << wanted.size << " bytes at " << wanted.begin;
      return Judging::State::kUndecided;
    }
    EXPECT_EQ(judging.room().size(), wanted.size);
    std::ranges::copy(Bytes(file).subspan(wanted.begin, wanted.size), judging.room().begin());
    state = judging.Step();
  }
  return state;
}

void ExpectSame(const Findings& found, const Findings& expected) {
  EXPECT_EQ(found.totals, expected.totals);
  EXPECT_EQ(found.suppressed, expected.suppressed);
  ASSERT_EQ(found.list.size(), expected.list.size());
  for (std::size_t i = 0; i < expected.list.size(); ++i) {
    const Finding& one = found.list.at(i);
    const Finding& other = expected.list.at(i);
    EXPECT_EQ(one.rule, other.rule);
    EXPECT_EQ(one.wording, other.wording);
    EXPECT_EQ(one.where, other.where);
    EXPECT_EQ(one.observed, other.observed);
    EXPECT_EQ(one.cause.kind, other.cause.kind);
  }
}

class CorpusInSteps : public ::testing::TestWithParam<CorpusFile> {};

TEST_P(CorpusInSteps, IsJudgedAsWhatIsRead) {
  const File file = ReadBytes(CorpusFolder() / GetParam().path);
  for (const Profile profile :
       {Profile::kGate, Profile::kLlamaCpp, Profile::kSpec, Profile::kDiffusion}) {
    for (const DataScan data : {DataScan::kNone, DataScan::kScales, DataScan::kFull}) {
      JudgeOptions options{.policy = GetParam().PolicyIn(profile)};
      options.policy.data = data;
      const FileReport read = JudgeSource(MemorySource(file), "f", options);
      Judging judging(file.size(), options.policy);
      ASSERT_EQ(Fed(judging, file), Judging::State::kDone);
      EXPECT_EQ(judging.verdict().verdict, read.verdict);
      ExpectSame(judging.verdict().findings, read.findings);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, CorpusInSteps, ::testing::ValuesIn(Corpus()), TestNameOf);

TEST(JudgingSteps, AFileThatFallsShortIsUndecidedForGood) {
  Model model = Model::Minimal();
  model.Add("t", TensorType::kI8, {64});
  const File file = Write(model);
  Policy policy;
  policy.data = DataScan::kFull;
  for (int given = 0; given < 2; ++given) {  // the front is too short, or the data are
    Judging judging(file.size(), policy);
    ASSERT_EQ(judging.Step(), Judging::State::kWants);
    for (int i = 0; i < given; ++i) {
      std::ranges::copy(file, judging.room().begin());
      ASSERT_EQ(judging.Step(), Judging::State::kWants);
    }
    EXPECT_EQ(judging.FellShort(), Judging::State::kUndecided);
    EXPECT_EQ(judging.Step(), Judging::State::kUndecided);
    EXPECT_EQ(judging.verdict().verdict, Verdict::kUndecided);
    EXPECT_EQ(judging.problem(), "the file became shorter while it was read");
  }
}

TEST(JudgingSteps, WhatIsTakenBackStaysUndecided) {
  const File file = Write(Model::Minimal());
  Judging judging(file.size(), {});
  ASSERT_EQ(Fed(judging, file), Judging::State::kDone);
  ASSERT_EQ(judging.verdict().verdict, Verdict::kAccept);
  judging.TakeBack("it changed");
  EXPECT_EQ(judging.Step(), Judging::State::kUndecided);
  EXPECT_EQ(judging.verdict().verdict, Verdict::kUndecided);
}

TEST(JudgingSteps, AnEmptyFileWantsNothing) {
  Judging judging(0, {});
  EXPECT_EQ(judging.Step(), Judging::State::kDone);
  EXPECT_EQ(judging.verdict().verdict, Verdict::kReject);
}

}  // namespace
}  // namespace ggufgate::testing
