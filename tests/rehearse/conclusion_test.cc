// The outcome for each way in which a driver ends.

#include "rehearse/conclusion.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <cstring>

#include "rehearse/driver_record.h"

namespace ggufgate {
namespace {

using ::testing::HasSubstr;
using Kind = DriverRecord::Kind;

// In the format of waitpid().
int Exited(int code) { return code << 8; }
int Died(int signal) { return signal; }

// Heard returns the records of a driver that reached `stage`.
DriverRecordReader Heard(RehearsalStage stage, std::vector<Kind> then = {}) {
  DriverRecordReader reader({});
  const auto say = [&](Kind kind) {
    DriverRecord record{.kind = static_cast<std::uint8_t>(kind),
                        .stage = static_cast<std::uint8_t>(stage)};
    std::vector<std::uint8_t> bytes(sizeof(record));
    std::memcpy(bytes.data(), &record, sizeof(record));
    reader.Add(bytes);
  };
  say(Kind::kEnters);
  for (const Kind kind : then) say(kind);
  return reader;
}

Rehearsal Of(const DriverEnd& end, const DriverRecordReader& heard, std::string_view text = "") {
  RecentOutput words;
  words.Add(text);
  return Conclude(end, heard, words);
}

TEST(Conclude, RunsTakesEveryRecordAndTheCode) {
  const DriverRecordReader whole = Heard(RehearsalStage::kDone, {Kind::kFinished});
  EXPECT_EQ(Of({.status = Exited(kDriverDone)}, whole).outcome, RehearsalOutcome::kRuns);
  for (const auto stage : {RehearsalStage::kLoad, RehearsalStage::kFree, RehearsalStage::kDone}) {
    EXPECT_EQ(Of({.status = Exited(kDriverDone)}, Heard(stage)).outcome,
              RehearsalOutcome::kCrashes);
  }
  for (const int status : {Exited(1), Exited(kDriverRefused), Exited(127), Died(SIGSEGV)}) {
    EXPECT_EQ(Of({.status = status}, whole).outcome, RehearsalOutcome::kCrashes) << status;
  }
  EXPECT_EQ(Of({.status = Died(SIGKILL)}, whole).outcome, RehearsalOutcome::kNotRehearsed);
  EXPECT_EQ(Of({.status = Exited(kDriverDone), .killed_for = KilledFor::kTime}, whole).outcome,
            RehearsalOutcome::kHangs);
}

TEST(Conclude, ARefusalGivesTheLoadersError) {
  const Rehearsal refusal =
      Of({.status = Exited(kDriverRefused)}, Heard(RehearsalStage::kLoad, {Kind::kRefused}),
         "first\nunknown architecture 'x'\n\n");
  EXPECT_EQ(refusal.outcome, RehearsalOutcome::kRefuses);
  EXPECT_EQ(refusal.stage, RehearsalStage::kLoad);
  EXPECT_EQ(refusal.reason, "unknown architecture 'x'");
  EXPECT_EQ(Of({.status = Exited(kDriverRefused)}, Heard(RehearsalStage::kLoad)).outcome,
            RehearsalOutcome::kCrashes)
      << "a code alone is none";
}

TEST(Conclude, ACrashNamesSignalAndAssertion) {
  const Rehearsal crash = Of({.status = Died(SIGABRT)}, Heard(RehearsalStage::kContext),
                             "x.cpp:1: GGML_ASSERT(a) failed\nnothing more\n");
  EXPECT_EQ(crash.outcome, RehearsalOutcome::kCrashes);
  EXPECT_EQ(crash.signal, SIGABRT);
  EXPECT_EQ(crash.stage, RehearsalStage::kContext);
  EXPECT_EQ(crash.reason, "SIGABRT: x.cpp:1: GGML_ASSERT(a) failed");
}

TEST(Conclude, LimitsAreTimeMemoryAndThreads) {
  const DriverRecordReader heard = Heard(RehearsalStage::kVocabulary);
  const auto outcome = [&](KilledFor why) {
    return Of({.status = Died(SIGKILL), .killed_for = why}, heard).outcome;
  };
  EXPECT_EQ(outcome(KilledFor::kTime), RehearsalOutcome::kHangs);
  EXPECT_EQ(outcome(KilledFor::kMemory), RehearsalOutcome::kExceedsMemory);
  EXPECT_EQ(outcome(KilledFor::kThreads), RehearsalOutcome::kExceedsMemory);
  EXPECT_EQ(Of({.status = Died(SIGXCPU)}, heard).outcome, RehearsalOutcome::kHangs);
  EXPECT_EQ(Of({.status = Died(SIGABRT)}, heard, "what():  std::bad_alloc").outcome,
            RehearsalOutcome::kExceedsMemory);
}

TEST(Conclude, WhatHappensBeforeTheModelSaysNothingOfIt) {
  const Rehearsal early = Of({.status = Died(SIGSEGV)}, Heard(RehearsalStage::kOpen));
  EXPECT_EQ(early.outcome, RehearsalOutcome::kNotRehearsed);
  EXPECT_THAT(early.reason, HasSubstr("before it got the model"));
  const Rehearsal cannot =
      Of({.status = Exited(kDriverCannot)}, Heard(RehearsalStage::kOpen, {Kind::kCannot}));
  EXPECT_EQ(cannot.outcome, RehearsalOutcome::kNotRehearsed);
}

TEST(Conclude, AForgedReportIsNone) {
  const DriverRecordReader forged = Heard(RehearsalStage::kLoad, {Kind::kFinished});
  ASSERT_TRUE(forged.forged());
  for (const int status : {Exited(kDriverDone), Died(SIGABRT)}) {
    EXPECT_EQ(Of({.status = status}, forged).outcome, RehearsalOutcome::kNotRehearsed);
  }
}

TEST(RecentOutput, KeepsTheEndOfWhateverCame) {
  RecentOutput words;
  for (int i = 0; i < 1000; ++i) words.Add(std::string(10'000, 'x'));
  words.Add(std::string(10 * RecentOutput::kMostBytes, 'y') + "end");
  EXPECT_LE(words.text().size(), 2 * RecentOutput::kMostBytes);
  EXPECT_TRUE(words.text().ends_with("yend"));
}

TEST(CauseIn, IsALineOfLimitedLength) {
  EXPECT_EQ(CauseIn(""), "");
  EXPECT_EQ(CauseIn("\n \r\n\n"), "");
  EXPECT_EQ(CauseIn("a\n  b \r\n"), "b");
  EXPECT_EQ(CauseIn("terminate called after throwing\n  what():  bad\nmore"), "what():  bad");
  EXPECT_EQ(CauseIn("f: error loading model: d\ng: failed to load\n"), "f: error loading model: d");
  EXPECT_EQ(CauseIn("/a/llama.cpp/src/b.cpp:1: GGML_ASSERT(c) failed"),
            "src/b.cpp:1: GGML_ASSERT(c) failed");
  EXPECT_EQ(CauseIn(std::string(100'000, 'x')).size(), 400U);
}

}  // namespace
}  // namespace ggufgate
