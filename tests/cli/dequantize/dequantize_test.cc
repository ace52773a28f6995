// ggufgate dequantize: the documented output, no output for invalid files, and warnings.

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <string>
#include <vector>

#include "dequantize/npy.h"
#include "parse/model.h"
#include "tests/support/command.h"
#include "tests/support/matchers.h"
#include "tests/support/temp_folder.h"

namespace ggufgate::testing {
namespace {

std::string Content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<float> FloatsOf(std::string_view bytes) {
  std::vector<float> floats(bytes.size() / sizeof(float));
  if (!floats.empty()) std::memcpy(floats.data(), bytes.data(), floats.size() * sizeof(float));
  return floats;
}

// Matrix has 3 rows of 4 floats with consecutive values.
Model Matrix() {
  Model model;
  model.Set("general.architecture", "test");
  Model::Tensor& tensor = model.Add("t", TensorType::kF32, {4, 3});
  for (std::size_t i = 0; i < 12; ++i) {
    Store(static_cast<float>(i), model.byte_order, MutableBytes(tensor.data).subspan(4 * i));
  }
  return model;
}

struct MatrixFiles {
  TempFolder folder;
  std::string model = folder.Write("m.gguf", Write(Matrix()));
  std::string f32 = folder.Path("o.f32");
  std::string npy = folder.Path("o.npy");

  [[nodiscard]] bool NothingWasLeft() const {
    return std::ranges::distance(std::filesystem::directory_iterator(folder.path())) == 1;
  }
};

TEST(DequantizeCommand, WritesPlainFloats) {
  const MatrixFiles files;
  const CommandResult result = RunCommand({"dequantize", files.model, "t", "--output", files.f32});
  EXPECT_EQ(result.exit_code, 0) << result.error;
  EXPECT_THAT(result.out, IsEmpty());
  EXPECT_THAT(result.error, IsEmpty());
  EXPECT_THAT(FloatsOf(Content(files.f32)), ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11));
}

TEST(DequantizeCommand, WritesForNumPy) {
  const MatrixFiles files;
  ASSERT_EQ(RunCommand({"dequantize", files.model, "t", "--output", files.npy}).exit_code, 0);
  const std::string content = Content(files.npy);
  const std::string header = NpyHeader(std::vector<std::uint64_t>{3, 4});
  EXPECT_THAT(content, StartsWith(header));
  EXPECT_EQ(FloatsOf(content.substr(header.size())).back(), 11);
  EXPECT_EQ(content.size(), header.size() + 48);
}

TEST(DequantizeCommand, WritesSomeRows) {
  const MatrixFiles files;
  const auto rows = [&](const char* words) {
    const CommandResult result =
        RunCommand({"dequantize", files.model, "t", "--rows", words, "--output", files.f32});
    EXPECT_EQ(result.exit_code, 0) << result.error;
    return FloatsOf(Content(files.f32));
  };
  EXPECT_THAT(rows("1:2"), ElementsAre(4, 5, 6, 7));
  EXPECT_THAT(rows("2:"), ElementsAre(8, 9, 10, 11));
  EXPECT_THAT(rows(":1"), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(rows("3:3"), IsEmpty());
  EXPECT_EQ(rows(":").size(), 12U);
  ASSERT_EQ(RunCommand({"dequantize", files.model, "t", "--rows", "1:3", "--output", files.npy})
                .exit_code,
            0);
  EXPECT_THAT(Content(files.npy), StartsWith(NpyHeader(std::vector<std::uint64_t>{2, 4})));
}

TEST(DequantizeCommand, RefusesRowsThatAreNotThere) {
  for (const char* words : {"0:4", "4:4", "2:1", "1", "a:b", "-1:2", "1:2:3", "1: 2",
                            "0:99999999999999999999", "+1:2"}) {
    const MatrixFiles files;
    const CommandResult result = RunCommand(
        {"dequantize", files.model, "t", "--rows=" + std::string(words), "--output", files.f32});
    EXPECT_EQ(result.exit_code, 2) << words;
    EXPECT_THAT(result.error, HasSubstr("--rows")) << words;
    EXPECT_TRUE(files.NothingWasLeft()) << words;
  }
}

TEST(DequantizeCommand, SaysWhatIsWrongWithRows) {
  const MatrixFiles files;
  const auto complaint = [&](const std::string& words) {
    return RunCommand({"dequantize", files.model, "t", "--rows", words, "--output", files.f32})
        .error;
  };
  EXPECT_THAT(complaint("2:1"), HasSubstr("--rows 2:1: begins at row 2 and ends before row 1"));
  EXPECT_THAT(complaint("9:3"), HasSubstr("--rows 9:3: the tensor has rows 0:3"));
  EXPECT_THAT(complaint("1"), HasSubstr("--rows 1: must be A:B, the first row"));
}

TEST(DequantizeCommand, TellsAboutATensor) {
  const MatrixFiles files;
  const CommandResult result = RunCommand({"dequantize", files.model, "t", "--stats"});
  EXPECT_EQ(result.exit_code, 0) << result.error;
  EXPECT_THAT(result.out, StartsWith("t  F32\n"));
  EXPECT_THAT(result.out, HasSubstr("max        11\n"));
  EXPECT_THAT(result.out, HasSubstr("mean       5.5\n"));
  EXPECT_THAT(result.out, HasSubstr("zeros      1 (8.33 %)\n"));
  EXPECT_THAT(result.out, HasSubstr("####"));
  EXPECT_TRUE(files.NothingWasLeft());
}

TEST(DequantizeCommand, AnyNumberOfJobsGivesTheSame) {
  Model model;
  model.Set("general.architecture", "test");
  Model::Tensor& tensor = model.Add("t", TensorType::kQ6_K, {1024, 2000});
  for (std::size_t i = 0; i < tensor.data.size(); ++i) {
    tensor.data[i] = static_cast<std::uint8_t>(i * 2654435761U >> 13 & 0x3F);
  }
  const MatrixFiles files;
  const std::string path = files.folder.Write("large.gguf", Write(model));
  std::string first, said;
  for (const char* jobs : {"1", "2", "7"}) {
    const CommandResult result =
        RunCommand({"dequantize", path, "t", "--stats", "--jobs", jobs, "--output", files.f32});
    ASSERT_EQ(result.exit_code, 0) << result.error;
    if (first.empty()) first = Content(files.f32);
    if (said.empty()) said = result.out;
    EXPECT_EQ(first.size(), std::size_t{4} * 1024 * 2000);
    EXPECT_TRUE(Content(files.f32) == first) << jobs;
    EXPECT_EQ(result.out, said) << jobs;
  }
}

TEST(DequantizeCommand, ReportsWhatIsNotFinite) {
  Model model = Matrix();
  Store(std::numeric_limits<float>::quiet_NaN(), model.byte_order, model.tensors.front().data);
  Store(-std::numeric_limits<float>::infinity(), model.byte_order,
        MutableBytes(model.tensors.front().data).subspan(8));
  const MatrixFiles files;
  const std::string path = files.folder.Write("m.gguf", Write(model));
  const CommandResult result =
      RunCommand({"dequantize", path, "t", "--despite-findings", "--output", files.f32});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.error, HasSubstr("t: of 12 values 1 are NaN and 1 infinite"));
  const CommandResult stats =
      RunCommand({"dequantize", path, "t", "--despite-findings", "--stats"});
  EXPECT_THAT(stats.out, HasSubstr("NaN        1 (8.33 %)"));
}

TEST(DequantizeCommand, DecodesNothingWhereTheDataMayLieElsewhere) {
  Model model = Matrix();
  model.tensors.front().offset = 32;
  const MatrixFiles files;
  const std::string path = files.folder.Write("m.gguf", Write(model));
  for (const bool despite : {false, true}) {
    std::vector<std::string> arguments = {"dequantize", path, "t", "--output", files.f32};
    if (despite) arguments.emplace_back("--despite-findings");
    const CommandResult result = RunCommand(arguments);
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_THAT(result.error, StartsWith("reject  " + path));
    EXPECT_THAT(result.error, HasSubstr("the tensor was not decoded\n"));
    EXPECT_TRUE(files.NothingWasLeft());
  }
}

TEST(DequantizeCommand, OtherErrorsNeedALook) {
  Model model = Matrix();
  model.Set("", "no key");
  const MatrixFiles files;
  const std::string path = files.folder.Write("m.gguf", Write(model));
  const CommandResult refused = RunCommand({"dequantize", path, "t", "--output", files.f32});
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_THAT(refused.error, HasSubstr("error[key-empty]"));
  EXPECT_THAT(refused.error, HasSubstr("--despite-findings ignores this"));
  EXPECT_TRUE(files.NothingWasLeft());
  const CommandResult all_the_same =
      RunCommand({"dequantize", path, "t", "--despite-findings", "--output", files.f32});
  EXPECT_EQ(all_the_same.exit_code, 0);
  EXPECT_THAT(all_the_same.error, HasSubstr("error[key-empty]"));
  EXPECT_EQ(Content(files.f32).size(), 48U);
}

TEST(DequantizeCommand, ReadsBigEndianFiles) {
  Model model;
  model.byte_order = ByteOrder::kBig;
  model.Set("general.architecture", "test");
  model.Add("t", TensorType::kF32, {1}).data = {0x3F, 0x80, 0, 0};
  const MatrixFiles files;
  const std::string path = files.folder.Write("m.gguf", Write(model));
  const CommandResult result = RunCommand({"dequantize", path, "t", "--output", files.f32});
  EXPECT_EQ(result.exit_code, 0) << result.error;
  EXPECT_THAT(FloatsOf(Content(files.f32)), ElementsAre(1));
}

TEST(DequantizeCommand, ReadsStandardInput) {
  const MatrixFiles files;
  const std::string content = Content(files.model);
  const CommandResult result = RunCommand({"dequantize", "-", "t", "--stats"}, {.input = content});
  EXPECT_EQ(result.exit_code, 0) << result.error;
  EXPECT_THAT(result.out, HasSubstr("values     12"));
}

TEST(DequantizeCommand, WantsSomethingToDo) {
  const MatrixFiles files;
  for (const std::vector<std::string>& more :
       {std::vector<std::string>{}, {"--output", files.folder.Path("o.bin")}, {"--jobs", "0"}}) {
    std::vector<std::string> arguments = {"dequantize", files.model, "t"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    EXPECT_EQ(RunCommand(arguments).exit_code, 2);
  }
  EXPECT_TRUE(files.NothingWasLeft());
}

TEST(DequantizeCommand, SaysWhatItCannotFind) {
  const MatrixFiles files;
  const CommandResult tensor = RunCommand({"dequantize", files.model, "x\x1b[m", "--stats"});
  EXPECT_EQ(tensor.exit_code, 2);
  EXPECT_THAT(tensor.error, HasSubstr("there is no such tensor"));
  EXPECT_THAT(tensor.error, Not(HasSubstr("\x1b")));
  EXPECT_EQ(RunCommand({"dequantize", files.folder.Path("none"), "t", "--stats"}).exit_code, 2);
  const std::string nowhere = files.folder.Path("none/o.f32");
  const CommandResult folder = RunCommand({"dequantize", files.model, "t", "--output", nowhere});
  EXPECT_EQ(folder.exit_code, 2);
  EXPECT_THAT(folder.error, HasSubstr("none/o.f32"));
}

TEST(DequantizeCommand, NeverWritesOverItsInput) {
  const TempFolder folder;
  const std::string path = folder.Write("m.f32", Write(Matrix()));
  const std::string before = Content(path);
  EXPECT_EQ(RunCommand({"dequantize", path, "t", "--output", path}).exit_code, 2);
  EXPECT_EQ(Content(path), before);
}

TEST(DequantizeCommand, LeavesAnOldFileWhereTheNewOneFails) {
  const MatrixFiles files;
  files.folder.WriteText("o.f32", "as it was");
  EXPECT_EQ(RunCommand({"dequantize", files.model, "nothing", "--output", files.f32}).exit_code, 2);
  EXPECT_EQ(Content(files.f32), "as it was");
  EXPECT_EQ(RunCommand({"dequantize", files.model, "t", "--output", files.f32}).exit_code, 0);
  EXPECT_EQ(Content(files.f32).size(), 48U);
}

// A tensor of 256 MiB of floats in a hole of the file.
TEST(DequantizeCommand, MemoryDoesNotGrowWithTheTensor) {
  if (kSanitized) GTEST_SKIP() << "sanitizers need the memory themselves";
  Model model;
  model.Set("general.architecture", "test");
  model.Add("t", TensorType::kQ1_0, {128, 32});
  model.tensors.front().data.clear();
  model.tensors.front().dims = {std::uint64_t{1} << 20, 64};
  model.pad_last_tensor = false;
  const std::vector<std::uint8_t> head = Write(model);
  const MatrixFiles files;
  const std::string path =
      files.folder.MakeSparse("large.gguf", head, head.size() + (std::uint64_t{18} << 19));
  const CommandResult result = RunCommand({"dequantize", path, "t", "--stats", "--jobs", "2"});
  EXPECT_EQ(result.exit_code, 0) << result.error;
  EXPECT_THAT(result.out, HasSubstr("values     67,108,864"));
  EXPECT_LT(result.peak_bytes, std::uint64_t{64} << 20);
}

}  // namespace
}  // namespace ggufgate::testing
