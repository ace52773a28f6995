// ggufgate repair: as users run it.

#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "tests/repair/repaired.h"
#include "tests/support/command.h"
#include "tests/support/sizes.h"
#include "tests/support/temp_folder.h"
#include "tests/support/texts/command_text.h"

namespace ggufgate::testing {
namespace {

namespace fs = std::filesystem;

File ContentOf(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// Faulty has a copy of a key, and bytes behind the last tensor.
File Faulty() {
  Model model = Learned("llama");
  model.metadata.push_back(model.metadata.front());
  model.trailing.assign(1'000, 'x');
  return Write(model);
}

class RepairCommand : public ::testing::Test {
 protected:
  const TempFolder folder;
  const std::string in = folder.Write("in.gguf", Faulty());
  const std::string out = folder.Path("out.gguf");

  [[nodiscard]] std::size_t Names() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder.path()), {}));
  }
  // ExpectNothingWritten expects only the file to repair, unchanged.
  void ExpectNothingWritten() const {
    EXPECT_EQ(Names(), 1U);
    EXPECT_EQ(ContentOf(in), Faulty());
  }
};

TEST_F(RepairCommand, WritesAnAcceptedFile) {
  const CommandResult result = RunCommand({"repair", in, out});
  EXPECT_EQ(result.exit_code, 0) << result.error;
  EXPECT_THAT(result.error, IsEmpty());
  EXPECT_THAT(result.out,
              AllOf(HasSubstr("change  duplicate-key  general.architecture: the copy"),
                    HasSubstr("change  trailing-bytes  1,000 bytes from byte "),
                    HasSubstr("\n        why: "), HasSubstr("\naccept  " + out + "   ")));
  EXPECT_EQ(ContentOf(out), RepairOf(Faulty()).file);
  EXPECT_EQ(ContentOf(in), Faulty());
  EXPECT_EQ(RunCommand({"check", out}).exit_code, 0);
  EXPECT_EQ(ManifestOf(ContentOf(out)).tensors, ManifestOf(Faulty()).tensors);
}

TEST_F(RepairCommand, DoesNothingTheSecondTime) {
  ASSERT_EQ(RunCommand({"repair", in, out}).exit_code, 0);
  const std::string again = folder.Path("again.gguf");
  const CommandResult result = RunCommand({"repair", out, again});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, StartsWith("sound   " + out));
  EXPECT_FALSE(fs::exists(again));
}

TEST_F(RepairCommand, ListsChangesWithoutWriting) {
  const CommandResult result = RunCommand({"repair", "--dry-run", in});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, AllOf(HasSubstr("change  duplicate-key  "), HasSubstr("\ndry run ")));
  EXPECT_EQ(RunCommand({"repair", "--dry-run", in, out}).out, result.out);
  ExpectNothingWritten();
}

TEST_F(RepairCommand, ReportsAsJsonLines) {
  const auto report = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"repair", "--format", "jsonl"});
    const std::string text = RunCommand(arguments).out;
    EXPECT_TRUE(FitsSchemaByLine(text, "repair-1", "line")) << text;
    return Lines(text);
  };
  const std::vector<std::string> planned = report({"--dry-run", in});
  ASSERT_EQ(planned.size(), 3U);
  EXPECT_THAT(planned.front(), HasSubstr(R"("event":"change","repair":"duplicate-key",)"));
  EXPECT_THAT(planned.back(), HasSubstr(R"("event":"end","outcome":"planned",)"));
  const std::vector<std::string> written = report({in, out});
  ASSERT_EQ(written.size(), 3U) << "two processes write one report";
  EXPECT_THAT(written.back(), AllOf(HasSubstr(R"("outcome":"written",)"),
                                    HasSubstr(R"("tensors":)"), HasSubstr(R"("same_bytes":)")));
  const std::vector<std::string> sound = report({out, folder.Path("again.gguf")});
  ASSERT_EQ(sound.size(), 1U);
  EXPECT_THAT(sound.back(), HasSubstr(R"("outcome":"sound",)"));
}

TEST_F(RepairCommand, TextOfTheFileIsEscapedInJsonLines) {
  Model model = Learned("llama");
  for (int i = 0; i < 2; ++i) {
    model.metadata.push_back({.key = "\x1b[31m\"red",
                              .type = IdOf(ValueType::kU8),
                              .payload = {static_cast<std::uint8_t>(i)}});
  }
  const std::string path = folder.Write("two\nlines.gguf", Write(model));
  const CommandResult result = RunCommand({"repair", "--format", "jsonl", path, out});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_TRUE(FitsSchemaByLine(result.out, "repair-1", "line")) << result.out;
  EXPECT_TRUE(IsHarmless(result.out));
  EXPECT_THAT(result.out, AllOf(HasSubstr(R"("event":"left","rule":"key-duplicate")"),
                                HasSubstr(R"("outcome":"refused")")));
}

TEST_F(RepairCommand, RefusesWhatHasNoCertainAnswer) {
  Model model = Learned("llama");
  model.Set("llama.rope.freq_base", 10'000.0F);
  model.metadata.push_back(
      {.key = "llama.rope.freq_base", .type = IdOf(ValueType::kF32), .payload = {0, 0, 0, 0}});
  const std::string path = folder.Write("differ.gguf", Write(model));
  const CommandResult result = RunCommand({"repair", path, out});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.out, AllOf(HasSubstr("left    key-duplicate  llama.rope.freq_base: "),
                                HasSubstr("refused " + path)));
  EXPECT_FALSE(fs::exists(out));
}

TEST_F(RepairCommand, ReplacesAFileOnlyWhenItIsDone) {
  folder.WriteText("out.gguf", "old");
  Model hopeless = Learned("llama");
  hopeless.metadata.push_back(hopeless.metadata.front());
  hopeless.Set("llama.block_count", std::uint32_t{0});
  const std::string path = folder.Write("hopeless.gguf", Write(hopeless));
  EXPECT_EQ(RunCommand({"repair", path, out}).exit_code, 1);
  EXPECT_EQ(ContentOf(out), (File{'o', 'l', 'd'}));
  EXPECT_EQ(RunCommand({"repair", in, out}).exit_code, 0);
  EXPECT_EQ(ContentOf(out), RepairOf(Faulty()).file);
}

TEST_F(RepairCommand, NeverWritesToTheFileItReads) {
  const std::string link = folder.Link("link.gguf", "in.gguf");
  for (const std::string& other : {in, link, folder.path() + "/./in.gguf"}) {
    const CommandResult result = RunCommand({"repair", in, other});
    EXPECT_EQ(result.exit_code, 2) << other;
    EXPECT_THAT(result.error, HasSubstr("cannot write"));
  }
  EXPECT_EQ(ContentOf(in), Faulty());
}

TEST_F(RepairCommand, WritesOnlyToRegularFiles) {
  for (const char* other : {"/dev/null", "/dev/stdout"}) {
    EXPECT_EQ(RunCommand({"repair", in, other}).exit_code, 2) << other;
  }
  EXPECT_EQ(RunCommand({"repair", in, folder.path()}).exit_code, 2);
  EXPECT_EQ(RunCommand({"repair", in, folder.Path("no/such/out")}).exit_code, 2);
  ExpectNothingWritten();
}

TEST_F(RepairCommand, NeedsTwoNames) {
  for (const auto& arguments :
       std::vector<std::vector<std::string>>{{"repair", in},
                                             {"repair"},
                                             {"repair", "-", out},
                                             {"repair", in, "-"},
                                             {"repair", in, ""},
                                             {"repair", folder.path(), out},
                                             {"repair", folder.Path("none.gguf"), out}}) {
    EXPECT_EQ(RunCommand(arguments).exit_code, 2) << ::testing::PrintToString(arguments);
  }
  ExpectNothingWritten();
}

TEST_F(RepairCommand, LeavesNothingIfTheFileCannotGrow) {
  const CommandResult result = RunProgram(
      "/bin/sh", {"-c", "ulimit -f 8; exec \"$@\"", "sh", GGUFGATE_COMMAND, "repair", in, out});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.error, HasSubstr("cannot write " + out));
  ExpectNothingWritten();
}

TEST_F(RepairCommand, EscapesTheTextOfTheFile) {
  Model model = Learned("llama");
  for (int i = 0; i < 2; ++i) {
    model.metadata.push_back({.key = "evil\x1b[2J",
                              .type = IdOf(ValueType::kU8),
                              .payload = {static_cast<std::uint8_t>(i)}});
  }
  const std::string path = folder.Write("evil\n::x.gguf", Write(model));
  const CommandResult result = RunCommand({"repair", path, out});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_TRUE(IsHarmless(result.out)) << result.out;
}

// The data are a hole of 256 MiB in the old file.
TEST_F(RepairCommand, NeedsNoMoreMemoryForMoreData) {
  constexpr std::uint64_t kDataBytes = std::uint64_t{1} << 28;
  Model model = Model::Minimal();
  model.tensors.clear();
  model.tensors.push_back(
      {.name = "w", .dims = {kDataBytes / 4}, .type_id = IdOf(TensorType::kF32)});
  File head = Write(model);
  head.resize((head.size() + 31) / 32 * 32);
  const std::string path = folder.MakeSparse("large.gguf", head, head.size() + kDataBytes + 5);
  const CommandResult result = RunCommand({"repair", path, out});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.error;
  EXPECT_EQ(fs::file_size(out), head.size() + kDataBytes);
  if (!kSanitized) EXPECT_LE(result.peak_bytes, RunCommand({"--version"}).peak_bytes + 16 * kMiB);
}

}  // namespace
}  // namespace ggufgate::testing
