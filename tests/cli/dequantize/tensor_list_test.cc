// ggufgate dequantize --stats without a tensor: statistics of all tensors.

#include <gmock/gmock.h>

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>

#include "parse/model.h"
#include "tests/support/command.h"
#include "tests/support/matchers.h"
#include "tests/support/temp_folder.h"
#include "tests/support/texts/command_text.h"

namespace ggufgate::testing {
namespace {

using Json = nlohmann::json;

// A tensor of known numbers, one of only NaN, one without elements.
std::vector<std::uint8_t> Made() {
  Model model;
  model.Set("general.architecture", "test");
  Model::Tensor& numbers = model.Add("blk.0.numbers", TensorType::kF32, {4});
  for (std::size_t i = 0; i < 4; ++i) {
    Store(static_cast<float>(i) * 2, ByteOrder::kLittle, MutableBytes(numbers.data).subspan(4 * i));
  }
  Model::Tensor& none = model.Add("none", TensorType::kF32, {2});
  for (std::size_t i = 0; i < 2; ++i) {
    Store(std::uint32_t{0x7FC0'0000}, ByteOrder::kLittle, MutableBytes(none.data).subspan(4 * i));
  }
  return Write(model);
}

TEST(StatisticsOfAll, HasALineForEachTensor) {
  const TempFolder folder;
  const std::string path = folder.Write("a", Made());
  const CommandResult result = RunCommand({"dequantize", "--stats", path});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.out,
            "  tensor         type  shape  min  max  mean  deviation  zeros  NaN  infinite\n"
            "  blk.0.numbers  F32   [4]      0    6     3      2.236      1    0         0\n"
            "  none           F32   [2]      -    -     -          -      0    2         0\n");
  EXPECT_EQ(result.error, "ggufgate: 1 of 2 tensors have values that are NaN or infinite\n");
}

TEST(StatisticsOfAll, IsJsonForPrograms) {
  ASSERT_TRUE(CanValidate()) << "python3-jsonschema is missing: run scripts/setup";
  const TempFolder folder;
  const std::string path = folder.Write("a\x1b", Made());
  const CommandResult result = RunCommand({"dequantize", "--stats", "-f", "json", path});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_TRUE(FitsSchema(result.out, "statistics-1"));
  const Json tensors = Json::parse(result.out).at("tensors");
  ASSERT_EQ(tensors.size(), 2U);
  EXPECT_EQ(tensors.at(0).at("max"), 6);
  EXPECT_TRUE(tensors.at(1).at("max").is_null());
  EXPECT_EQ(tensors.at(1).at("nan"), 2);
  // The same for a named tensor.
  const CommandResult one =
      RunCommand({"dequantize", "--stats", "-f", "json", path, "blk.0.numbers"});
  EXPECT_EQ(Json::parse(one.out).at("tensors"), Json::array({tensors.at(0)}));
}

TEST(StatisticsOfAll, DoesNotDependOnTheNumberOfThreads) {
  const std::string path = std::string(GGUFGATE_SOURCE_DIR) + "/corpus/valid/sample-llama.gguf";
  const std::string one = RunCommand({"dequantize", "--stats", "-j", "1", path}).out;
  EXPECT_EQ(Lines(one).size(), 22U);
  EXPECT_EQ(RunCommand({"dequantize", "--stats", "-j", "5", path}).out, one);
}

TEST(StatisticsOfAll, WantsNothingThatIsForOneTensor) {
  const TempFolder folder;
  const std::string path = folder.Write("a", Made());
  for (const std::vector<std::string>& more : {std::vector<std::string>{},
                                               {"--stats", "--rows", "0:1"},
                                               {"--output", "x.npy"},
                                               {"--stats", "--output", "x.npy"},
                                               {"--stats", "--output", "x.f32"},
                                               {"--output", "x.html"}}) {
    std::vector<std::string> arguments = {"dequantize", path};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const CommandResult result = RunCommand(arguments);
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.out, IsEmpty());
    EXPECT_THAT(result.error, HasSubstr("ggufgate: TENSOR is required"));
    EXPECT_THAT(result.error, HasSubstr("\nTry 'ggufgate dequantize --help'.\n"));
  }
}

std::string ReadText(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string WithoutOutput(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {"dequantize", "--stats"});
  return RunCommand(arguments).out;
}

TEST(StatisticsOfAll, GoIntoTheFileOfOutputInEachFormat) {
  const TempFolder folder;
  const std::string path = folder.Write("a", Made());
  const std::string file = folder.Path("report.x");
  for (const char* format : {"text", "json"}) {
    const CommandResult result =
        RunCommand({"dequantize", "--stats", "--format", format, "--output", file, path});
    EXPECT_EQ(result.exit_code, 0) << format << result.error;
    EXPECT_THAT(result.out, IsEmpty()) << format;
    EXPECT_EQ(ReadText(file), WithoutOutput({"--format", format, path})) << format;
    EXPECT_EQ(RunCommand({"dequantize", "--stats", "-f", format, "-o", "-", path}).out,
              ReadText(file))
        << format;
  }
}

TEST(StatisticsOfAll, OfOneTensorGoIntoAFileUnlessTheyAreText) {
  const TempFolder folder;
  const std::string path = folder.Write("a", Made());
  const std::string file = folder.Path("report.json");
  EXPECT_EQ(RunCommand({"dequantize", "--stats", "-f", "json", "-o", file, path, "blk.0.numbers"})
                .exit_code,
            0);
  EXPECT_EQ(ReadText(file), WithoutOutput({"-f", "json", path, "blk.0.numbers"}));
  const CommandResult misspelt =
      RunCommand({"dequantize", "--stats", "-o", folder.Path("x.npz"), path, "blk.0.numbers"});
  EXPECT_EQ(misspelt.exit_code, 2);
  EXPECT_THAT(misspelt.error, HasSubstr("ends with .npy or .f32"));
}

TEST(StatisticsOfAll, OfAFileThatIsRejectedLeaveTheOldReportAlone) {
  const TempFolder folder;
  const std::string path = folder.Write("bad", Write(Model::Minimal().Set("", "no key")));
  const std::string file = folder.Write("report.json", Made());
  EXPECT_EQ(RunCommand({"dequantize", "--stats", "-f", "json", "-o", file, path}).exit_code, 1);
  EXPECT_EQ(ReadText(file).substr(0, 4), "GGUF");
}

TEST(StatisticsOfAll, AMisspeltTensorIsSuggested) {
  const TempFolder folder;
  const std::string path = folder.Write("a", Made());
  const CommandResult result = RunCommand({"dequantize", "--stats", path, "blk.0.nubmers"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.error,
            "ggufgate: blk.0.nubmers: there is no such tensor; did you mean blk.0.numbers?\n");
  EXPECT_THAT(RunCommand({"dequantize", "--stats", folder.path()}).error,
              HasSubstr(" is a folder; dequantize takes one file: try ggufgate check "));
}

TEST(StatisticsOfAll, OfAFileThatIsRejectedThereAreNone) {
  const TempFolder folder;
  const std::string path = folder.Write("bad", Write(Model::Minimal().Set("", "no key")));
  const CommandResult result = RunCommand({"dequantize", "--stats", path});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.out, IsEmpty());
}

}  // namespace
}  // namespace ggufgate::testing
