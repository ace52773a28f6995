#include "gate/streams/judge_stream.h"

#include <fcntl.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <string>
#include <vector>

#include "bytes/memory_source.h"
#include "check/rule.h"
#include "check/suppression.h"
#include "gate/judge_source.h"
#include "gate/reading/digest.h"
#include "gate/reading/stream_source.h"
#include "gate/threads/thread_team.h"
#include "gate/threads/work_sharer.h"
#include "parse/model.h"
#include "tests/support/sizes.h"
#include "tests/support/system/pipe.h"

namespace ggufgate {
namespace {

using ::testing::HasSubstr;
using testing::kMiB;
using testing::Pipe;

JudgeOptions Full() {
  JudgeOptions options;
  options.policy.data = DataScan::kFull;
  return options;
}

// Told returns all of a report except times.
std::string Told(const FileReport& report) {
  std::string told = std::to_string(static_cast<int>(report.verdict)) + " " +
                     std::string(report.problem.message()) + " " +
                     std::to_string(report.identity.size) + "\n";
  for (const Finding& finding : report.findings.list) {
    told +=
        std::string(RuleOf(finding.rule).slug) + " " + RecordPath(finding.subject) + " " +
        std::to_string(finding.where.begin) + "+" + std::to_string(finding.where.size) + " " +
        std::to_string(static_cast<int>(finding.severity)) +
        (finding.cause ? " cause " + std::to_string(static_cast<int>(finding.cause.kind)) : "") +
        "\n";
  }
  for (const std::uint64_t total : report.findings.totals) told += std::to_string(total) + " ";
  return told;
}

FileReport Stream(const std::vector<std::uint8_t>& file, const JudgeOptions& options,
                  std::size_t piece = SIZE_MAX) {
  const Pipe pipe(std::string(file.begin(), file.end()), piece);
  return JudgeStream(pipe.get(), "-", options);
}

// Same compares the report of a pipe with that of the same bytes in memory.
FileReport Same(const std::vector<std::uint8_t>& file, const JudgeOptions& options) {
  FileReport passing = Stream(file, options);
  EXPECT_EQ(Told(passing), Told(JudgeSource(MemorySource(file), "-", options)));
  return passing;
}

// Large has more metadata than are read at first, and two tensors of 2 MiB after them.
Model Large() {
  Model model = Model::Minimal();
  model.Set("long", std::string(kMiB + 77, 'x'));
  model.Set("general.quantization_version", std::uint32_t{2});
  model.Add("first", TensorType::kF32, {512 * 1024});
  model.Add("second", TensorType::kQ4_0, {32, 120'000});
  for (Model::Tensor& tensor : model.tensors) {
    std::ranges::fill(tensor.data, std::uint8_t{0x11});
  }
  return model;
}

std::vector<std::string> RulesOf(const FileReport& report) {
  std::vector<std::string> slugs;
  for (const Finding& finding : report.findings.list) {
    slugs.emplace_back(RuleOf(finding.rule).slug);
  }
  return slugs;
}

TEST(JudgeStream, AcceptsASoundModelWhateverPiecesItComesIn) {
  const std::vector<std::uint8_t> file = Write(Large());
  for (const std::size_t piece : {std::size_t{4099}, std::size_t{70'000}, SIZE_MAX}) {
    const FileReport report = Stream(file, Full(), piece);
    EXPECT_EQ(report.verdict, Verdict::kAccept) << Told(report);
    EXPECT_EQ(report.identity.size, file.size());
    EXPECT_EQ(report.data, DataScan::kFull);
  }
  Same(file, Full());
  Same(file, {});
}

TEST(JudgeStream, JudgesWhatIsSmallOrNothing) {
  Same({}, Full());
  Same({'G', 'G', 'U', 'F'}, Full());
  Same(Write(Model::Minimal()), Full());
}

TEST(JudgeStream, FindsWhatIsWrongInTheDataOnAnyNumberOfThreads) {
  Model model = Large();
  std::vector<std::uint8_t>& data = model.tensors.back().data;
  for (const std::size_t block : {0U, 7'300U, 119'999U}) {
    data.at(block * 18) = 0xFF;
    data.at(block * 18 + 1) = 0x7F;  // a scale of NaN
  }
  model.Add("nothing", TensorType::kF32, {100'000});
  const std::vector<std::uint8_t> file = Write(model);
  const FileReport report = Same(file, Full());
  EXPECT_THAT(RulesOf(report),
              ::testing::ElementsAre("tensor-value-not-finite", "tensor-value-not-finite",
                                     "tensor-value-not-finite", "tensor-all-zero"));
  JudgeOptions options = Full();
  constexpr std::size_t kThreads = 4;
  WorkSharer sharer(kThreads);
  options.sharer = &sharer;
  ThreadTeam team(kThreads);
  std::string told;
  team.Run([&](std::size_t worker) {
    if (worker == 0) told = Told(Stream(file, options));
    sharer.Help();
  });
  EXPECT_EQ(told, Told(report));
}

// A table of experts by token: keys at the front define its valid values.
TEST(JudgeStream, FindsExpertsThatThereAreNot) {
  Model model = Large();
  model.Set("general.architecture", "deepseek4");
  for (const char* key : {"context_length", "embedding_length", "expert_count", "expert_used_count",
                          "hash_layer_count"}) {
    model.Set(std::string("deepseek4.") + key, std::uint32_t{2});
  }
  model.Set("deepseek4.block_count", std::uint32_t{1});
  std::vector<std::uint8_t>& table =
      model.Add("blk.0.ffn_gate_tid2eid.weight", TensorType::kI32, {2, 500'000}).data;
  EXPECT_EQ(Same(Write(model), Full()).verdict, Verdict::kAccept);
  table.at(3'999'996) = 2;  // the last index
  const FileReport report = Same(Write(model), Full());
  EXPECT_THAT(RulesOf(report), ::testing::ElementsAre("expert-index"));
  EXPECT_EQ(report.verdict, Verdict::kReject);
}

TEST(JudgeStream, LooksAtPaddingGapsAndWhatFollows) {
  Model model = Large();
  model.padding_byte = 5;
  Same(Write(model), Full());
  model.padding_byte = 0;
  model.tensors.back().offset += 3 * kMiB;  // otherwise a gap with this tensor's bytes
  model.trailing.assign(3 * kMiB, 7);
  Same(Write(model), Full());
  model = Large();
  model.trailing.assign(100'000, 0);
  const std::string zip(
      "\x7F"
      "ELF");
  model.trailing.insert(model.trailing.end(), zip.begin(), zip.end());
  Same(Write(model), {});
}

TEST(JudgeStream, SaysWhatBeginsWhereWeightsShouldBe) {
  Model model = Large();
  const std::string elf(
      "\x7F"
      "ELF\x02\x01\x01",
      7);
  std::ranges::copy(elf, model.tensors.front().data.begin());
  Same(Write(model), {});
  Same(Write(model), Full());
}

// Bytes far behind a fault explain it, even if the fault is near the start.
TEST(JudgeStream, ExplainsAsOfAFile) {
  Model model = Large();
  std::vector<std::uint8_t> file = Write(model);
  file.at(24) = 0xEF;
  file.at(25) = 0xBF;
  file.at(26) = 0xBD;
  for (std::size_t at = 300'000; at < 300'030; at += 3) {
    file.at(at) = 0xEF;
    file.at(at + 1) = 0xBF;
    file.at(at + 2) = 0xBD;
  }
  Same(file, Full());
}

// Cut at any offset: the verdict is the same. If a tensor is cut, the stream reports everything
// that a file reports, and more.
TEST(JudgeStream, RejectsWhatIsCutOff) {
  const std::vector<std::uint8_t> whole = Write(Large());
  for (const std::size_t size : {std::size_t{kMiB + 3}, std::size_t{3 * kMiB}, whole.size() - 1}) {
    const std::vector<std::uint8_t> file(whole.begin(),
                                         whole.begin() + static_cast<std::ptrdiff_t>(size));
    const FileReport report = Same(file, Full());
    EXPECT_EQ(report.verdict, Verdict::kReject);
  }
}

TEST(JudgeStream, DigestsWhatPassed) {
  JudgeOptions options = Full();
  options.sha256 = true;
  for (const Model& model : {Large(), Model::Minimal()}) {
    const std::vector<std::uint8_t> file = Write(model);
    EXPECT_EQ(Stream(file, options).sha256, *Sha256Of(MemorySource(file)));
  }
}

// The end of a zip archive in the last bytes; its directory would be among the weights.
TEST(JudgeStream, IsUndecidedWhereABytePassedThatItNeeds) {
  Model model = Large();
  std::vector<std::uint8_t> file = Write(model);
  std::vector<std::uint8_t> end(22);
  const std::string signature("PK\x05\x06");
  std::ranges::copy(signature, end.begin());
  end.at(8) = end.at(10) = 1;  // entries
  end.at(14) = 0x10;           // size of the directory: 0x100010
  end.at(12) = 0x10;
  std::ranges::copy(end, file.end() - 22);
  const FileReport report = Stream(file, {});
  EXPECT_EQ(report.verdict, Verdict::kUndecided) << Told(report);
  EXPECT_THAT(std::string(report.problem.message()), HasSubstr("must be read twice"));
}

std::vector<std::uint8_t> FirstOf(const std::vector<std::uint8_t>& file, std::uint64_t bytes) {
  return {file.begin(), file.begin() + static_cast<std::ptrdiff_t>(bytes)};
}

TEST(JudgeStream, JudgesTheFirstBytesOfAFileWhoseSizeIsSaid) {
  const std::vector<std::uint8_t> file = Write(Large());
  JudgeOptions options;
  options.total_size = file.size();
  const FileReport all = Stream(file, options);
  EXPECT_EQ(Told(all), Told(JudgeSource(MemorySource(file), "-", {})));
  EXPECT_EQ(all.came, std::nullopt);

  const FileReport some = Stream(FirstOf(file, 2 * kMiB), options);
  EXPECT_EQ(some.verdict, Verdict::kAccept) << Told(some);
  EXPECT_EQ(some.came, 2 * kMiB);
  EXPECT_EQ(some.identity.size, file.size());

  options.total_size = file.size() - 1;  // the last tensor ends after it
  EXPECT_THAT(RulesOf(Stream(FirstOf(file, 2 * kMiB), options)),
              ::testing::ElementsAre("tensor-data-bounds"));
}

TEST(JudgeStream, SaysHowManyBytesItNeeds) {
  const std::vector<std::uint8_t> file = Write(Large());
  JudgeOptions options = Full();
  options.total_size = file.size();
  FileReport report = Stream(FirstOf(file, file.size() - 1'000), options);
  EXPECT_EQ(report.verdict, Verdict::kUndecided);
  EXPECT_EQ(report.problem.message(), "1,000 more bytes are needed to check the tensor data");
  report = Stream(FirstOf(file, 20), options);
  EXPECT_EQ(report.verdict, Verdict::kUndecided);
  EXPECT_EQ(report.problem.message(), "4 more bytes are needed, at least, to read its metadata");
}

TEST(JudgeStream, TakesNoMoreBytesThanTheFileHas) {
  const std::vector<std::uint8_t> file = Write(Large());
  JudgeOptions options;
  options.total_size = file.size() - 1;
  const FileReport report = Stream(file, options);
  EXPECT_EQ(report.verdict, Verdict::kUndecided);
  EXPECT_THAT(std::string(report.problem.message()), HasSubstr("more bytes came"));
}

TEST(JudgeStream, IsUndecidedWhereReadingFails) {
  const Descriptor folder(::open("/", O_RDONLY | O_CLOEXEC | O_DIRECTORY));
  const FileReport report = JudgeStream(folder.get(), "-", {});
  EXPECT_EQ(report.verdict, Verdict::kUndecided);
  EXPECT_THAT(std::string(report.problem.message()), HasSubstr("cannot read standard input"));
}

}  // namespace
}  // namespace ggufgate
