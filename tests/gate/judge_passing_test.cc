// A stream that is passed on while it is checked: what its reader has received, and when.

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/mman.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "bytes/memory_source.h"
#include "check/rule.h"
#include "gate/reading/descriptor.h"
#include "gate/streams/judge_stream.h"
#include "gate/streams/pass_through.h"
#include "parse/model.h"
#include "parse/parse.h"
#include "tests/support/system/pipe.h"

namespace ggufgate {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::Pipe;

using File = std::vector<std::uint8_t>;

// How far a stream may be ahead of the check when it is stopped: the front that is held, a chunk
// that was read, and the contents of the pipe.
constexpr std::uint64_t kAhead = std::uint64_t{3} << 20;

struct Passed {
  FileReport report;
  File written;
};

Passed PassedOn(const File& file, DataScan data, JudgeOptions options = {}) {
  const Descriptor out(::memfd_create("out", MFD_CLOEXEC));
  options.policy.data = data;
  options.pass_to = out.get();
  const Pipe pipe(std::string(file.begin(), file.end()));
  Passed passed;
  passed.report = JudgeStream(pipe.get(), "-", options);
  passed.written.resize(static_cast<std::size_t>(::lseek(out.get(), 0, SEEK_END)));
  EXPECT_EQ(::pread(out.get(), passed.written.data(), passed.written.size(), 0),
            static_cast<ssize_t>(passed.written.size()));
  return passed;
}

bool IsStrictPrefix(const File& part, const File& file) {
  return part.size() < file.size() && std::equal(part.begin(), part.end(), file.begin());
}

// Two tensors of 4 MiB after the metadata.
Model Large() {
  Model model = Model::Minimal();
  model.Set("long", std::string(1'200'000, 'x'));
  model.Add("first", TensorType::kF32, {1024 * 1024});
  model.Add("second", TensorType::kF32, {1024 * 1024});
  for (Model::Tensor& tensor : model.tensors) {
    std::ranges::fill(tensor.data, std::uint8_t{0x11});
  }
  return model;
}

std::uint64_t DataOf(const File& file, std::size_t tensor) {
  const Document document = Parse(file, file.size(), Limits{}).document;
  return *document.data_begin + document.tensors.at(tensor).offset;
}

File WithFloat(File file, std::uint64_t at, float value) {
  std::memcpy(file.data() + at, &value, sizeof(value));
  return file;
}

std::vector<std::string> RulesOf(const FileReport& report) {
  std::vector<std::string> slugs;
  for (const Finding& finding : report.findings.list) {
    slugs.emplace_back(RuleOf(finding.rule).slug);
  }
  return slugs;
}

TEST(JudgePassing, WritesAllOfWhatIsAccepted) {
  Model longer = Large();
  longer.trailing.assign(300'000, 0);
  for (const File& file : {Write(Model::Minimal()), Write(Large()), Write(longer)}) {
    for (const DataScan data : {DataScan::kNone, DataScan::kScales, DataScan::kFull}) {
      const Passed passed = PassedOn(file, data);
      EXPECT_EQ(passed.report.verdict, Verdict::kAccept) << passed.report.problem;
      EXPECT_EQ(passed.written, file);
      EXPECT_FALSE(passed.report.came);
    }
  }
}

TEST(JudgePassing, WritesNothingOfAFileWhoseHeaderIsRejected) {
  const std::vector<File> rejected = {Write(Large().Set("", std::uint32_t{1})),
                                      [] {
                                        File file = Write(Large());
                                        file.front() = 'X';
                                        return file;
                                      }(),
                                      [] {
                                        Model model = Large();
                                        model.tensors.back().offset =
                                            model.tensors.front().offset;  // overlaps another
                                        return Write(model);
                                      }()};
  for (const File& file : rejected) {
    for (const DataScan data : {DataScan::kNone, DataScan::kFull}) {
      const Passed passed = PassedOn(file, data);
      EXPECT_EQ(passed.report.verdict, Verdict::kReject);
      EXPECT_THAT(passed.report.findings.list, ::testing::Not(IsEmpty()));
      EXPECT_THAT(passed.written, IsEmpty());
      ASSERT_TRUE(passed.report.came);
      EXPECT_LT(*passed.report.came, kAhead) << "it did not wait for the data";
    }
  }
}

TEST(JudgePassing, WritesNoByteBehindTheFirstThatIsWrong) {
  const File sound = Write(Large());
  for (const std::size_t tensor : {std::size_t{1}, std::size_t{2}}) {
    for (const std::uint64_t element : {0U, 700'001U, 1024U * 1024U - 1}) {
      const std::uint64_t at = DataOf(sound, tensor) + 4 * element;
      const File wrong = WithFloat(sound, at, std::numeric_limits<float>::quiet_NaN());
      const Passed passed = PassedOn(wrong, DataScan::kFull);
      EXPECT_EQ(passed.report.verdict, Verdict::kReject);
      EXPECT_THAT(RulesOf(passed.report), ::testing::ElementsAre("tensor-value-not-finite"));
      EXPECT_EQ(passed.report.findings.list.front().where.begin, at);
      EXPECT_LE(passed.written.size(), at);
      EXPECT_GT(passed.written.size(), at - std::min(at, kAhead / 2))
          << "what is sound before it is passed on";
      EXPECT_TRUE(IsStrictPrefix(passed.written, wrong));
      EXPECT_LE(*passed.report.came, at + kAhead);

      const File right = WithFloat(sound, at, std::numeric_limits<float>::max());
      EXPECT_EQ(PassedOn(right, DataScan::kFull).written, right);
      EXPECT_EQ(PassedOn(wrong, DataScan::kNone).written, wrong) << "nobody looks at the data";
    }
  }
}

// If a fault shows only at the end, the end is missing.
TEST(JudgePassing, WhoReadsWhatIsRejectedAtItsEndDoesNotGetTheEnd) {
  const File sound = Write(Large());
  for (const std::size_t missing : {1U, 1000U, 3'000'000U}) {
    File cut = sound;
    cut.resize(cut.size() - missing);
    for (const DataScan data : {DataScan::kNone, DataScan::kFull}) {
      const Passed passed = PassedOn(cut, data);
      EXPECT_EQ(passed.report.verdict, Verdict::kReject) << missing;
      EXPECT_TRUE(IsStrictPrefix(passed.written, cut)) << missing;
      EXPECT_LE(passed.written.size(), cut.size() - PassThrough::kHeldBack);
    }
  }
  JudgeOptions strict;
  strict.policy.fail_on = Severity::kNote;
  Model longer = Large();
  longer.trailing.assign(1000, 1);
  const Passed passed = PassedOn(Write(longer), DataScan::kNone, strict);
  EXPECT_EQ(passed.report.verdict, Verdict::kReject);
  EXPECT_TRUE(IsStrictPrefix(passed.written, Write(longer)));
}

TEST(JudgePassing, WhatAPolicyMayLetPassIsDecidedAtTheEnd) {
  const File sound = Write(Large());
  const File wrong = WithFloat(sound, DataOf(sound, 2), std::numeric_limits<float>::quiet_NaN());
  JudgeOptions lenient;
  lenient.policy.suppressions = {
      {.rule = RuleId::kTensorValueNotFinite, .reason = "seen", .path = "second*"}};
  const Passed let_pass = PassedOn(wrong, DataScan::kFull, lenient);
  EXPECT_EQ(let_pass.report.verdict, Verdict::kAccept);
  EXPECT_EQ(let_pass.written, wrong);
  lenient.policy.suppressions.front().path = "other";
  const Passed rejected = PassedOn(wrong, DataScan::kFull, lenient);
  EXPECT_EQ(rejected.report.verdict, Verdict::kReject);
  EXPECT_TRUE(IsStrictPrefix(rejected.written, wrong));
}

TEST(JudgePassing, ASizeThatIsSaidIsHeldAgainstTheHeader) {
  const File file = Write(Large());
  JudgeOptions options;
  options.total_size = file.size();
  EXPECT_EQ(PassedOn(file, DataScan::kFull, options).written, file);
  --*options.total_size;
  const Passed passed = PassedOn(file, DataScan::kFull, options);
  EXPECT_EQ(passed.report.verdict, Verdict::kReject);
  EXPECT_THAT(RulesOf(passed.report), ::testing::Contains("tensor-data-bounds"));
  EXPECT_THAT(passed.written, IsEmpty());
}

TEST(JudgePassing, AReaderThatIsGoneMakesItUndecided) {
  const auto before = std::signal(SIGPIPE, SIG_IGN);
  for (const File& file : {Write(Model::Minimal()), Write(Large())}) {
    std::array<int, 2> ends{};
    ASSERT_EQ(::pipe2(ends.data(), O_CLOEXEC), 0);
    ::close(ends[0]);
    const Descriptor out(ends[1]);
    JudgeOptions options;
    options.pass_to = out.get();
    const Pipe pipe(std::string(file.begin(), file.end()));
    const FileReport report = JudgeStream(pipe.get(), "-", options);
    EXPECT_EQ(report.verdict, Verdict::kUndecided);
    EXPECT_THAT(std::string(report.problem.message()), HasSubstr("Broken pipe"));
  }
  std::signal(SIGPIPE, before);
}

// A slow reader whose end of the pipe is non-blocking.
TEST(JudgePassing, WaitsForASlowReader) {
  const File file = Write(Large());
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK), 0);
  const Descriptor from(ends[0]);
  File got;
  FileReport report;
  {
    const std::jthread reader([&] {
      std::array<std::uint8_t, 50'000> piece{};
      while (true) {
        const ssize_t size = ::read(from.get(), piece.data(), piece.size());
        if (size == 0) return;
        if (size < 0) {
          std::this_thread::sleep_for(std::chrono::milliseconds(1));
          continue;
        }
        got.insert(got.end(), piece.begin(), piece.begin() + size);
      }
    });
    Descriptor out(ends[1]);
    JudgeOptions options;
    options.pass_to = out.get();
    const Pipe pipe(std::string(file.begin(), file.end()));
    report = JudgeStream(pipe.get(), "-", options);
    out = Descriptor();
  }
  EXPECT_EQ(report.verdict, Verdict::kAccept);
  EXPECT_EQ(got, file);
}

}  // namespace
}  // namespace ggufgate
