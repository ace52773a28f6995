// ggufgate check --data: what it checks, with how many threads, and what it shows meanwhile.

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "parse/model.h"
#include "tests/support/command.h"
#include "tests/support/matchers.h"
#include "tests/support/temp_folder.h"
#include "tests/support/texts/command_text.h"

namespace ggufgate::testing {
namespace {

// A model with a NaN in a matrix, and with `scale` one in a scale.
std::vector<std::uint8_t> Spoilt(bool scale) {
  Model model;
  model.Set("general.architecture", "test").Set("general.quantization_version", std::uint32_t{2});
  Store(std::uint32_t{0x7FC0'0000}, ByteOrder::kLittle,
        model.Add("matrix", TensorType::kF32, {8, 4}).data);
  Model::Tensor& blocks = model.Add("blocks", TensorType::kQ4_0, {64});
  blocks.data.front() = 1;
  if (scale)
    Store(std::uint16_t{0x7C00}, ByteOrder::kLittle, MutableBytes(blocks.data).subspan(18));
  return Write(model);
}

TEST(CheckData, JudgesAsMuchAsIsAskedFor) {
  const TempFolder folder;
  const std::string matrix = folder.Write("matrix.gguf", Spoilt(false));
  const std::string scale = folder.Write("scale.gguf", Spoilt(true));
  EXPECT_EQ(RunCommand({"check", scale}).exit_code, 0);
  EXPECT_EQ(RunCommand({"check", "--data", "none", scale}).exit_code, 0);
  EXPECT_EQ(RunCommand({"check", "--data", "scales", matrix}).exit_code, 0);
  const CommandResult scales = RunCommand({"check", "--data", "scales", scale});
  EXPECT_EQ(scales.exit_code, 1);
  EXPECT_THAT(scales.out, HasSubstr("error[tensor-value-not-finite] blocks[32]: the scale of block "
                                    "1 is inf (0x7c00)"));
  EXPECT_THAT(scales.out, Not(HasSubstr("matrix[0]")));
  const CommandResult full = RunCommand({"check", "--data", "full", scale});
  EXPECT_THAT(full.out, HasSubstr("matrix[0]: value is nan (0x7fc00000)"));
  EXPECT_THAT(full.out, HasSubstr("blocks[32]"));
  EXPECT_EQ(RunCommand({"check", "--data", "some", scale}).exit_code, 2);
}

TEST(CheckData, ReportsSayWhatWasJudged) {
  const TempFolder folder;
  const std::string file = folder.Write("model.gguf", Write(Model::Minimal()));
  for (const std::string data : {"none", "scales", "full"}) {
    const CommandResult json = RunCommand({"check", "--format", "json", "--data", data, file});
    EXPECT_EQ(nlohmann::json::parse(json.out).at("data"), data);
    const CommandResult text = RunCommand({"check", "--verbose", "--data", data, file});
    EXPECT_THAT(text.out,
                HasSubstr(data == "none" ? ", weights not checked   " : ", data: " + data));
    EXPECT_EQ(RunCommand({"check", "--data", data, file}).out.substr(0, 40),
              text.out.substr(0, 40));
  }
}

TEST(CheckData, AnyNumberOfJobsGivesTheSameReport) {
  const TempFolder folder;
  Model model = Model::Minimal();
  Model::Tensor& large = model.Add("large", TensorType::kF16, {4096, 2500});
  for (std::size_t at = 0; at + 2 <= large.data.size(); at += 70'002) {
    Store(std::uint16_t{0x7E00}, ByteOrder::kLittle, MutableBytes(large.data).subspan(at));
  }
  const std::vector<std::string> files = {folder.Write("large.gguf", Write(model)),
                                          folder.Write("small.gguf", Spoilt(true))};
  const auto check = [&](const std::string& jobs) {
    return WithoutTimes(RunCommand({"check", "--format", "json", "--data", "full", "--jobs", jobs,
                                    files.at(0), files.at(1)})
                            .out);
  };
  const std::string one = check("1");
  EXPECT_THAT(one, HasSubstr("\"tensor-value-not-finite\":293"));
  for (const char* jobs : {"2", "3", "16"}) EXPECT_EQ(check(jobs), one) << jobs;
}

// LargeHole is a file with 512 MiB of zeros that take no space.
std::string LargeHole(const TempFolder& folder) {
  Model model;
  model.Set("general.architecture", "test");
  model.tensors.push_back({.name = "weight",
                           .dims = {4096, 65'536},
                           .type_id = static_cast<std::uint32_t>(TensorType::kF16)});
  const std::string path = folder.Write("hole.gguf", Write(model));
  std::filesystem::resize_file(path, std::filesystem::file_size(path) + (std::uint64_t{512} << 20));
  return path;
}

// WithoutLine removes each progress line, from one erasure to the next. The rest stays on the
// terminal.
std::string WithoutLine(std::string out) {
  constexpr std::string_view kWipe = "\r\x1b[K";
  for (std::size_t at = out.find(kWipe); at != std::string::npos; at = out.find(kWipe)) {
    const std::size_t next = out.find(kWipe, at + kWipe.size());
    EXPECT_NE(next, std::string::npos) << "a line that is never wiped out: " << out.substr(at);
    if (next == std::string::npos) break;
    const std::string line = out.substr(at + kWipe.size(), next - at - kWipe.size());
    EXPECT_THAT(line, HasSubstr(" of 537 MB, "));
    EXPECT_THAT(line, Not(HasSubstr("\n")));
    // The last erasure is for the next round, unless the line ends there.
    const bool drawn_again = out.compare(next + kWipe.size(), 2, "ok") != 0;
    out.erase(at, next - at + (drawn_again ? 0 : kWipe.size()));
  }
  return out;
}

// A fast machine is done before the first line is due, so the assertions hold with and without
// lines. The tests of ProgressLine check that lines are drawn; those of JudgeOptions::on_progress
// check its input.
TEST(CheckData, ShowsItsProgressOnATerminalAlone) {
  const TempFolder folder;
  const std::string path = LargeHole(folder);
  const std::vector<std::string> environment = {"TERM=xterm", "NO_COLOR=1"};
  const CommandOptions terminal{.terminal = true, .error_too = true, .environment = environment};
  const CommandResult shown = RunCommand({"check", "--data", "full", path}, terminal);
  EXPECT_EQ(shown.exit_code, 0);
  // The line is erased before the report is written.
  EXPECT_THAT(WithoutLine(shown.out), ::testing::StartsWith("ok"));

  const std::vector<std::string> full = {"check", "--data", "full", path};
  EXPECT_THAT(RunCommand(full, {.environment = environment}).error, ::testing::IsEmpty());
  EXPECT_THAT(RunCommand({"check", "--quiet", "--data", "full", path}, terminal).out,
              Not(HasSubstr("of 537 MB")));
  CommandOptions dumb = terminal;
  dumb.environment = {"TERM=dumb"};
  EXPECT_THAT(RunCommand(full, dumb).out, Not(HasSubstr("of 537 MB")));
}

}  // namespace
}  // namespace ggufgate::testing
