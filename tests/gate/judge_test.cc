#include "gate/judge.h"
#include "gate/judge_source.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <string>

#include "bytes/memory_source.h"
#include "check/rule.h"
#include "gate/threads/work_sharer.h"
#include "parse/model.h"
#include "tests/support/sizes.h"
#include "tests/support/temp_folder.h"

namespace ggufgate {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::kMiB;

std::vector<std::string> RulesOf(const FileReport& report) {
  std::vector<std::string> slugs;
  for (const Finding& finding : report.findings.list) {
    slugs.emplace_back(RuleOf(finding.rule).slug);
  }
  return slugs;
}

FileReport JudgeModel(const Model& model, const JudgeOptions& options = {}) {
  const std::vector<std::uint8_t> file = Write(model);
  return JudgeSource(MemorySource(file), "model", options);
}

// WithNote, WithWarning and WithError each have one more finding than a minimal model.
Model WithNote() { return Model::Minimal().Set("Not.Lower_Case", std::uint32_t{1}); }
Model WithWarning() { return Model::Minimal().Set("text", "\xFF"); }
Model WithError() { return Model::Minimal().Set("", std::uint32_t{1}); }

TEST(JudgeSource, AcceptsASoundModel) {
  const FileReport report = JudgeModel(Model::Minimal());
  EXPECT_EQ(report.verdict, Verdict::kAccept);
  EXPECT_TRUE(report.problem.ok());
  EXPECT_THAT(report.findings.list, IsEmpty());
  EXPECT_EQ(report.path, "model");
  EXPECT_EQ(report.summary.architecture, "test");
  EXPECT_EQ(report.identity.size, Write(Model::Minimal()).size());
  EXPECT_GT(report.elapsed.count(), 0);
  EXPECT_FALSE(report.sha256);
}

// The fault is in the first hundred bytes, so only the first 64 KiB were parsed. The evidence of a
// text decoder is after them.
TEST(JudgeSource, LooksBehindThePrefixForWhatHappened) {
  Model model;
  // A length without a byte above 0x7F, because otherwise the file would not be UTF-8.
  model.Set("text", std::string(0x1'2020, 'x'));
  std::vector<std::uint8_t> file = Write(model);
  constexpr std::array<std::uint8_t, 3> kReplacement = {0xEF, 0xBF, 0xBD};
  constexpr std::size_t kFirstKeyLength = 24;
  std::ranges::copy(kReplacement, file.begin() + kFirstKeyLength);
  const auto cause = [&file] {
    return JudgeSource(MemorySource(file), "model", {}).findings.list.front().cause.kind;
  };
  EXPECT_NE(cause(), Cause::Kind::kUtf8Replaced) << "one is not enough";
  for (int i = 0; i < 3; ++i) {
    std::ranges::copy(kReplacement, file.begin() + 70'000 + 3 * i);
  }
  EXPECT_EQ(cause(), Cause::Kind::kUtf8Replaced);
}

TEST(JudgeSource, TellsOfAllBytesOnceWhenDataAreRead) {
  Model model = Model::Minimal();
  model.Add("data", TensorType::kF32, {1 << 18});
  std::ranges::fill(model.tensors.back().data, std::uint8_t{1});
  const std::uint64_t size = Write(model).size();
  const auto told = [&](DataScan data, WorkSharer* sharer) {
    std::atomic<std::uint64_t> bytes = 0;
    JudgeOptions options;
    options.policy.data = data;
    options.sharer = sharer;
    options.on_progress = [&](std::uint64_t more) { bytes += more; };
    EXPECT_EQ(JudgeModel(model, options).verdict, Verdict::kAccept);
    return bytes.load();
  };
  WorkSharer sharer(0);
  EXPECT_EQ(told(DataScan::kFull, nullptr), size);
  EXPECT_EQ(told(DataScan::kFull, &sharer), size);
  EXPECT_EQ(told(DataScan::kNone, nullptr), size);
}

TEST(JudgeSource, RejectsExactlyWhatReachesTheThreshold) {
  const auto verdict = [](const Model& model, Severity fail_on) {
    JudgeOptions options;
    options.policy.fail_on = fail_on;
    return JudgeModel(model, options).verdict;
  };
  using enum Severity;
  EXPECT_EQ(verdict(Model::Minimal(), kNote), Verdict::kAccept);
  EXPECT_EQ(verdict(WithNote(), kNote), Verdict::kReject);
  EXPECT_EQ(verdict(WithNote(), kWarning), Verdict::kAccept);
  EXPECT_EQ(verdict(WithNote(), kError), Verdict::kAccept);
  EXPECT_EQ(verdict(WithWarning(), kNote), Verdict::kReject);
  EXPECT_EQ(verdict(WithWarning(), kWarning), Verdict::kReject);
  EXPECT_EQ(verdict(WithWarning(), kError), Verdict::kAccept);
  EXPECT_EQ(verdict(WithError(), kNote), Verdict::kReject);
  EXPECT_EQ(verdict(WithError(), kWarning), Verdict::kReject);
  EXPECT_EQ(verdict(WithError(), kError), Verdict::kReject);
}

TEST(JudgeSource, NoNumberOfMilderFindingsHidesAnError) {
  // Rule string-utf8 reports notes for tokens and, in profile spec, errors for other texts.
  Model model = Model::Minimal();
  for (int i = 0; i < 100; ++i) model.Set("Note." + std::to_string(i), std::uint32_t{1});
  model.Set("text", "\xFF");
  JudgeOptions options;
  options.policy = PolicyFor(Profile::kSpec);
  for (const std::size_t kept : {0U, 1U, 20U}) {
    options.policy.findings_per_rule = kept;
    const FileReport report = JudgeModel(model, options);
    EXPECT_EQ(report.verdict, Verdict::kReject) << kept;
    EXPECT_EQ(report.findings.Worst(), Severity::kError) << kept;
  }
}

TEST(JudgeSource, ReportsOfARejectedFileSayWhy) {
  Model model = WithError();
  model.tensors.front().offset = 1;
  const FileReport report = JudgeModel(model);
  EXPECT_EQ(report.verdict, Verdict::kReject);
  EXPECT_TRUE(report.problem.ok());
  EXPECT_THAT(RulesOf(report), ::testing::IsSupersetOf({"key-empty", "tensor-offset-alignment"}));
}

TEST(JudgeSource, ReportsOutliveTheFile) {
  FileReport report;
  {
    Model model = Model::Minimal();
    model.Set("key\x01with a control character", std::uint32_t{1});
    report = JudgeModel(model);
  }
  ASSERT_FALSE(report.findings.list.empty());
  EXPECT_EQ(report.findings.list.front().subject.name, "key\x01with a control character");
}

TEST(JudgeSource, AddsTheDigestOnRequest) {
  const std::string_view text = "abc";
  JudgeOptions options;
  options.sha256 = true;
  const FileReport report = JudgeSource(MemorySource(AsBytes(text)), "abc", options);
  EXPECT_EQ(report.verdict, Verdict::kReject) << "a rejected file has a digest, too";
  EXPECT_EQ(report.sha256, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(JudgeSource, FollowsTheProfile) {
  Model model = Model::Minimal();
  model.Add("empty", TensorType::kF32, {8, 0});
  JudgeOptions options;
  EXPECT_EQ(JudgeModel(model, options).verdict, Verdict::kReject);
  options.policy = PolicyFor(Profile::kLlamaCpp);
  EXPECT_EQ(JudgeModel(model, options).verdict, Verdict::kAccept);
}

// DyingSource cannot be read from its second mebibyte on, or only `dead` bytes of it cannot.
class DyingSource final : public ByteSource {
 public:
  explicit DyingSource(Bytes bytes, std::uint64_t dead = UINT64_MAX - kMiB)
      : bytes_(bytes), dead_(dead) {}
  [[nodiscard]] std::uint64_t size() const override { return bytes_.size(); }
  [[nodiscard]] ReadOutcome ReadAt(std::uint64_t offset, MutableBytes out) const override {
    if (offset + out.size() > kMiB && offset < kMiB + dead_) {
      return {.kind = ReadOutcome::Kind::kFailed, .error_number = EIO};
    }
    return MemorySource(bytes_).ReadAt(offset, out);
  }

 private:
  Bytes bytes_;
  std::uint64_t dead_;
};

TEST(JudgeSource, IsUndecidedWhenReadingFailsWhateverWasFound) {
  Model model = WithError();
  model.Add("large", TensorType::kI8, {2 * kMiB + 1});  // its padding is after the failure
  model.Add("last", TensorType::kI8, {32});
  const std::vector<std::uint8_t> file = Write(model);
  ASSERT_EQ(JudgeSource(MemorySource(file), "", {}).verdict, Verdict::kReject);
  const FileReport report = JudgeSource(DyingSource(file), "", {});
  EXPECT_EQ(report.verdict, Verdict::kUndecided);
  EXPECT_EQ(report.problem.message(), "cannot read: Input/output error");
}

TEST(JudgeSource, IsUndecidedWhenMetadataCannotBeRead) {
  Model model = Model::Minimal();
  model.Set("fill", std::vector<std::uint8_t>(2 * kMiB));
  const std::vector<std::uint8_t> file = Write(model);
  const FileReport report = JudgeSource(DyingSource(file), "", {});
  EXPECT_EQ(report.verdict, Verdict::kUndecided);
  EXPECT_THAT(report.findings.list, IsEmpty());
}

TEST(JudgeSource, IsUndecidedWhenTheDigestCannotBeComputed) {
  Model model = Model::Minimal();
  model.Add("last", TensorType::kI8, {2 * kMiB});
  const std::vector<std::uint8_t> file = Write(model);
  JudgeOptions options;
  // The last page is read to find the end of an archive.
  ASSERT_EQ(JudgeSource(DyingSource(file, kMiB / 2), "", options).verdict, Verdict::kAccept);
  options.sha256 = true;
  EXPECT_EQ(JudgeSource(DyingSource(file, kMiB / 2), "", options).verdict, Verdict::kUndecided);
}

TEST(JudgeInput, PinsTheFileItJudged) {
  const testing::TempFolder folder;
  const auto input = Input::Open(folder.Write("a", Write(Model::Minimal())));
  ASSERT_TRUE(input.ok());
  const FileReport report = JudgeInput(*input, "another name", {});
  EXPECT_EQ(report.verdict, Verdict::kAccept);
  EXPECT_EQ(report.identity, input->identity());
  EXPECT_EQ(report.path, "another name");
}

TEST(JudgeInput, IsUndecidedWhenTheFileChanges) {
  const testing::TempFolder folder;
  const auto judged_after = [&](const Model& model, auto change) {
    const std::string path = folder.Write("a", Write(model));
    const auto input = Input::Open(path);
    EXPECT_TRUE(input.ok());
    change(path);
    return JudgeInput(*input, path, {});
  };
  const auto overwrite = [](const std::string& path) {
    const Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
    EXPECT_EQ(::pwrite(file.get(), "GGUF", 4, 0), 4);  // exactly the bytes that were there
  };
  const auto append = [](const std::string& path) {
    const Descriptor file(::open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC));
    EXPECT_EQ(::write(file.get(), "", 1), 1);
  };
  const auto cut = [](const std::string& path) { EXPECT_EQ(::truncate(path.c_str(), 40), 0); };
  for (const FileReport& report :
       {judged_after(Model::Minimal(), overwrite), judged_after(Model::Minimal(), append),
        judged_after(WithError(), overwrite)}) {
    EXPECT_EQ(report.verdict, Verdict::kUndecided);
    EXPECT_THAT(std::string(report.problem.message()), HasSubstr("changed while it was read"));
  }
  const FileReport report = judged_after(Model::Minimal(), cut);
  EXPECT_EQ(report.verdict, Verdict::kUndecided);
  EXPECT_FALSE(report.problem.ok());
}

TEST(JudgePath, JudgesAFile) {
  const testing::TempFolder folder;
  const std::string path = folder.Write("a", Write(Model::Minimal()));
  const FileReport report = JudgePath(path, {});
  EXPECT_EQ(report.verdict, Verdict::kAccept);
  EXPECT_EQ(report.path, path);
  EXPECT_NE(report.identity.inode, 0U);
  EXPECT_GT(report.elapsed.count(), 0);
}

TEST(JudgePath, IsUndecidedAboutWhatCannotBeOpened) {
  const testing::TempFolder folder;
  const FileReport missing = JudgePath(folder.Path("none"), {});
  EXPECT_EQ(missing.verdict, Verdict::kUndecided);
  EXPECT_EQ(missing.problem.message(), "cannot open: No such file or directory");
  EXPECT_EQ(missing.path, folder.Path("none"));
  EXPECT_EQ(JudgePath(folder.path(), {}).verdict, Verdict::kUndecided);
  EXPECT_EQ(JudgePath("", {}).verdict, Verdict::kUndecided);
}

TEST(JudgePath, TakesADashForStandardInput) {
  const std::vector<std::uint8_t> file = Write(Model::Minimal());
  std::array<int, 2> pipe{};
  ASSERT_EQ(::pipe2(pipe.data(), O_CLOEXEC), 0);
  const Descriptor saved(::dup(STDIN_FILENO));
  ASSERT_EQ(::dup2(pipe[0], STDIN_FILENO), STDIN_FILENO);
  ::close(pipe[0]);
  ASSERT_EQ(::write(pipe[1], file.data(), file.size()), static_cast<ssize_t>(file.size()));
  ::close(pipe[1]);

  JudgeOptions options;
  const FileReport report = JudgePath("-", options);
  saved.valid() ? ::dup2(saved.get(), STDIN_FILENO) : ::close(STDIN_FILENO);
  EXPECT_EQ(report.verdict, Verdict::kAccept) << report.problem;
  EXPECT_EQ(report.path, "-");
  EXPECT_EQ(report.identity.size, file.size());
}

TEST(JudgeBlob, SaysSizeAndDigestAndAcceptsAnything) {
  const testing::TempFolder folder;
  const std::string path = folder.WriteText("blob", "words");
  JudgeOptions options;
  const FileReport plain = JudgeBlob(path, options);
  EXPECT_EQ(plain.verdict, Verdict::kAccept);
  EXPECT_EQ(plain.identity.size, 5U);
  EXPECT_EQ(plain.sha256, std::nullopt);
  options.sha256 = true;
  EXPECT_EQ(JudgeBlob(path, options).sha256,
            "dba36bffa5cab0f922d087a3aeb179f9d4e745df40b323e1b1471402848c8a3e");
  EXPECT_EQ(JudgeBlob(folder.path(), options).verdict, Verdict::kUndecided);
  EXPECT_EQ(JudgeBlob(folder.Path("none"), options).verdict, Verdict::kUndecided);
}

}  // namespace
}  // namespace ggufgate
