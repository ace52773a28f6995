// Another process writes to a file through a shared mapping while the file is checked. No time
// stamp changes, but the digest must still be that of the bytes that were checked.
//
// GGUFGATE_RACES=N: the number of races with a writer (20); TMPDIR: the file system.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <climits>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "bytes/memory_source.h"
#include "check/suppression.h"
#include "gate/judge.h"
#include "gate/judge_source.h"
#include "gate/reading/descriptor.h"
#include "gate/reading/digest.h"
#include "parse/model.h"
#include "tests/support/sizes.h"
#include "tests/support/temp_folder.h"

namespace ggufgate {
namespace {

using testing::kMiB;

// A file that is accepted, and one of the same size that is rejected: its last float is NaN.
struct Pair {
  std::vector<std::uint8_t> good;
  std::vector<std::uint8_t> bad;
  std::string good_digest;
  std::string bad_digest;
};

Pair MakePair(std::uint64_t floats) {
  Model model = Model::Minimal();
  model.Set("Upper.Case", std::uint32_t{1});  // a note that a policy may suppress
  model.Add("weights", TensorType::kF32, {floats});
  model.tensors.back().data.assign(floats * 4, 0x3C);
  Pair pair;
  pair.good = Write(model);
  for (std::uint64_t i = 0; i < 4; ++i) model.tensors.back().data.at(floats * 4 - 1 - i) = 0xFF;
  pair.bad = Write(model);
  pair.good_digest = Sha256Of(MemorySource(pair.good)).value();
  pair.bad_digest = Sha256Of(MemorySource(pair.bad)).value();
  return pair;
}

JudgeOptions WithDigest() {
  JudgeOptions options;
  options.sha256 = true;
  options.policy.data = DataScan::kFull;
  return options;
}

// A verdict must be about the bytes of its digest; otherwise the file must be undecided.
void ExpectPinned(const FileReport& report, const Pair& pair) {
  switch (report.verdict) {
    case Verdict::kAccept:
      EXPECT_EQ(report.sha256, pair.good_digest);
      return;
    case Verdict::kReject:
      EXPECT_EQ(report.sha256, pair.bad_digest);
      return;
    case Verdict::kUndecided:
      EXPECT_FALSE(report.sha256) << "a digest of nothing";
      EXPECT_EQ(report.problem.message(), "the file changed while it was read");
      return;
  }
}

// TurningSource returns the bytes of one file, and those of another from read number `turn` on.
class TurningSource final : public ByteSource {
 public:
  TurningSource(Bytes before, Bytes after, int turn)
      : before_(before), after_(after), turn_(turn) {}
  [[nodiscard]] std::uint64_t size() const override { return before_.size(); }
  [[nodiscard]] ReadOutcome ReadAt(std::uint64_t offset, MutableBytes out) const override {
    return MemorySource(reads++ < turn_ ? before_ : after_).ReadAt(offset, out);
  }
  mutable int reads = 0;

 private:
  Bytes before_;
  Bytes after_;
  int turn_;
};

TEST(Pinned, WhicheverReadSeesOtherBytes) {
  const Pair pair = MakePair(kMiB / 4);
  const TurningSource still(pair.good, pair.bad, INT_MAX);
  EXPECT_EQ(JudgeSource(still, "", WithDigest()).verdict, Verdict::kAccept);
  int undecided = 0;
  for (int turn = 0; turn <= still.reads; ++turn) {
    for (const bool backwards : {false, true}) {
      const TurningSource source(backwards ? pair.bad : pair.good, backwards ? pair.good : pair.bad,
                                 turn);
      const FileReport report = JudgeSource(source, "", WithDigest());
      ExpectPinned(report, pair);
      undecided += report.verdict == Verdict::kUndecided ? 1 : 0;
    }
  }
  EXPECT_GT(undecided, 0) << "nothing was put to the test";
}

// For a suppression with a digest, the file is checked again. The bytes of that check must be the
// same, too.
TEST(Pinned, WhicheverReadOfAFileThatThePolicyNames) {
  const Pair pair = MakePair(64);
  JudgeOptions options = WithDigest();
  options.policy.suppressions.push_back(
      {.rule = RuleId::kTensorValueNotFinite, .reason = "test", .sha256 = pair.bad_digest});
  const TurningSource still(pair.bad, pair.good, INT_MAX);
  ASSERT_EQ(JudgeSource(still, "", options).verdict, Verdict::kAccept);
  for (int turn = 1; turn < still.reads; ++turn) {
    const TurningSource source(pair.bad, pair.good, turn);
    const FileReport report = JudgeSource(source, "", options);
    if (report.verdict == Verdict::kUndecided) continue;
    EXPECT_EQ(report.verdict, Verdict::kAccept);
    EXPECT_TRUE(report.sha256 == pair.good_digest || report.sha256 == pair.bad_digest);
  }
}

// Bytes that were not checked (no data are read) are also part of the digest that the policy names.
TEST(Pinned, WhatOnlyTheDigestReads) {
  const Pair pair = MakePair(kMiB);
  JudgeOptions options = WithDigest();
  options.policy.data = DataScan::kNone;
  options.policy.suppressions.push_back(
      {.rule = RuleId::kKeyStyle, .reason = "test", .sha256 = pair.good_digest});
  std::vector<std::uint8_t> other = pair.good;
  other.at(other.size() / 2) ^= 1;
  const TurningSource still(pair.good, other, INT_MAX);
  const FileReport report = JudgeSource(still, "", options);
  ASSERT_EQ(report.findings.suppressed.at(static_cast<std::size_t>(RuleId::kKeyStyle)), 1U);
  EXPECT_EQ(report.sha256, pair.good_digest);
  const int digest_reads = static_cast<int>((pair.good.size() + kMiB - 1) / kMiB);
  const TurningSource at_the_second_digest(pair.good, other, still.reads - digest_reads);
  EXPECT_EQ(JudgeSource(at_the_second_digest, "", options).verdict, Verdict::kUndecided);
  const TurningSource behind_it(pair.good, other, still.reads);
  EXPECT_EQ(JudgeSource(behind_it, "", options).verdict, Verdict::kAccept);
}

int Races() {
  const char* wanted = std::getenv("GGUFGATE_RACES");
  return wanted == nullptr ? 20 : std::atoi(wanted);
}

TEST(Pinned, AWriterWithASharedMapping) {
  const Pair pair = MakePair(kMiB);
  const testing::TempFolder folder;
  const std::string path = folder.Write("a.gguf", pair.good);
  const std::uint64_t size = pair.good.size();
  const Descriptor file(::open(path.c_str(), O_RDWR | O_CLOEXEC));
  void* const mapped = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, file.get(), 0);
  ASSERT_NE(mapped, MAP_FAILED);
  auto* const last = static_cast<std::uint8_t*>(mapped) + (size - 4);
  std::atomic<bool> done = false;
  std::jthread writer([&] {
    for (bool bad = true; !done; bad = !bad) {
      const std::vector<std::uint8_t>& bytes = bad ? pair.bad : pair.good;
      std::copy(bytes.end() - 4, bytes.end(), last);
      std::this_thread::sleep_for(std::chrono::microseconds(300));
    }
  });
  int decided = 0;
  for (int race = 0; race < Races(); ++race) {
    const FileReport report = JudgePath(path, WithDigest());
    // The last write may be incomplete.
    if (report.verdict == Verdict::kAccept) {
      EXPECT_EQ(report.sha256, pair.good_digest);
    } else if (report.verdict == Verdict::kReject) {
      EXPECT_NE(report.sha256, pair.good_digest);
    }
    decided += report.verdict != Verdict::kUndecided ? 1 : 0;
  }
  done = true;
  writer.join();
  RecordProperty("decided", decided);
  ::munmap(mapped, size);
}

}  // namespace
}  // namespace ggufgate
