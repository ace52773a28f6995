// ggufgate check: its inputs.

#include <unistd.h>

#include <filesystem>
#include <string>

#include "parse/model.h"
#include "tests/support/command.h"
#include "tests/support/matchers.h"
#include "tests/support/temp_folder.h"
#include "tests/support/texts/command_text.h"

namespace ggufgate::testing {
namespace {

std::vector<std::uint8_t> Sound() { return Write(Model::Minimal()); }

std::vector<std::uint8_t> Broken() { return {'<', 'h', 't', 'm', 'l', '>'}; }

// Expect runs `check` on one path. The process must exit normally.
void Expect(const std::string& path, int exit_code, const std::string& says) {
  const CommandResult result = RunCommand({"check", path});
  EXPECT_FALSE(result.hung) << path;
  EXPECT_EQ(result.exit_code, exit_code) << path << ": " << result.out << result.error;
  EXPECT_THAT(result.out + result.error, HasSubstr(says));
}

TEST(CheckInputs, WhatIsNoFileIsUndecided) {
  const TempFolder folder;
  Expect(folder.MakePipe("pipe"), 2, "this is a pipe; must be a regular file");
  Expect(folder.MakeSocket("socket"), 2, "cannot open");
  Expect("/dev/null", 2, "this is a device; must be a regular file");
  Expect("/dev/zero", 2, "this is a device; must be a regular file");
  Expect(folder.Link("nowhere", "no-such-file"), 2, "No such file or directory");
  Expect(folder.Link("loop", "loop"), 2, "symbolic links");
  Expect(folder.Path("none"), 2, "No such file or directory");
  Expect(folder.Write("file", Sound()) + "/below", 2, "Not a directory");
  Expect(folder.Path(std::string(300, 'a')), 2, "File name too long");
  Expect("", 2, "PATH: must not be empty");
}

TEST(CheckInputs, AFileWithoutReadPermissionIsUndecided) {
  const TempFolder folder;
  const std::string path = folder.Write("a.gguf", Sound());
  std::filesystem::permissions(path, std::filesystem::perms::none);
  const CommandResult result = RunCommand({"check", path}, {.without_privileges = true});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.out, HasSubstr("Permission denied"));
}

TEST(CheckInputs, AFolderThatCannotBeSearchedIsUndecided) {
  const TempFolder folder;
  folder.MakeFolder("closed");
  folder.Write("closed/a.gguf", Broken());
  std::filesystem::permissions(folder.Path("closed"), std::filesystem::perms::none);
  const CommandResult result = RunCommand({"check", folder.path()}, {.without_privileges = true});
  std::filesystem::permissions(folder.Path("closed"), std::filesystem::perms::owner_all);
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.out, HasSubstr("undecided  " + folder.Path("closed") + ": cannot search"));
}

TEST(CheckInputs, OneThatCannotBeJudgedDoesNotStopTheOthers) {
  const TempFolder folder;
  const std::string good = folder.Write("good", Sound());
  const std::string pipe = folder.MakePipe("pipe");
  const CommandResult result = RunCommand({"check", good, pipe, "/dev/stdin", "/dev/null", good});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.error, "5 files: 2 ok, 0 rejected, 3 undecided\n") << result.out;
}

TEST(CheckInputs, AnEmptyFolderIsNotAccepted) {
  const TempFolder folder;
  const CommandResult result = RunCommand({"check", folder.path()});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.error, HasSubstr("nothing was checked: no GGUF file in " + folder.path()));
}

TEST(CheckInputs, AFolderWithoutModelsIsNotAcceptedNorIsAnyNumberOfThem) {
  const TempFolder folder;
  folder.WriteText("README.md", "no model here");
  EXPECT_EQ(RunCommand({"check", folder.path()}).exit_code, 2);
  EXPECT_EQ(RunCommand({"check", "--quiet", folder.path(), folder.path()}).exit_code, 2);
  EXPECT_EQ(RunCommand({"check", "--format", "json", folder.path()}).exit_code, 2);
}

TEST(CheckInputs, AFolderIsSearchedForModelsWhateverTheirName) {
  const TempFolder folder;
  folder.MakeFolder("blobs");
  folder.MakeFolder("broken");
  folder.Write("blobs/sha256-0123", Sound());
  folder.Write("model.bin", Sound());
  folder.Write("broken/page.gguf", Broken());
  folder.WriteText("README.md", "no model here");
  const CommandResult result = RunCommand({"check", folder.path()});
  EXPECT_EQ(result.exit_code, 1);
  const std::vector<std::string> lines = Lines(result.out);
  ASSERT_GE(lines.size(), 4U) << result.out;
  EXPECT_THAT(lines.at(0), StartsWith("ok      " + folder.Path("blobs/sha256-0123")));
  EXPECT_EQ(lines.at(1), "reject  " + folder.Path("broken/page.gguf"));
  EXPECT_THAT(lines.back(), StartsWith("ok      " + folder.Path("model.bin")));
  EXPECT_EQ(result.error,
            "1 file skipped; --verbose lists it\n3 files: 2 ok, 1 rejected, 0 undecided\n");
}

TEST(CheckInputs, WhatIsSkippedIsListedWhenAskedForAndAlwaysWhenItMayBeAModel) {
  const TempFolder folder;
  folder.Write("good.gguf", Sound());
  folder.WriteText("a\nb", "no model here");
  folder.WriteText("sha256-4567", "<html>");
  const std::string blob =
      "skipped  " + folder.Path("sha256-4567") + ": it does not begin with GGUF\n";
  EXPECT_EQ(RunCommand({"check", folder.path()}).error,
            blob + "2 files skipped; --verbose lists them\n");
  EXPECT_EQ(RunCommand({"check", "--verbose", folder.path()}).error,
            blob + "skipped  " + folder.path() + "/a\\x0ab: it does not begin with GGUF\n" +
                "2 files skipped\n");
  EXPECT_EQ(RunCommand({"check", "--quiet", folder.path()}).error, "");
}

TEST(CheckInputs, LinksToFilesAreFollowedAndLoopsOfFoldersEnd) {
  const TempFolder folder;
  folder.MakeFolder("snapshot");
  folder.MakeFolder("blobs");
  folder.Write("blobs/0123", Sound());
  folder.Link("snapshot/model.gguf", "../blobs/0123");
  folder.Link("snapshot/loop", "..");
  folder.Link("snapshot/lost.gguf", "../blobs/4567");
  const CommandResult result = RunCommand({"check", folder.Path("snapshot")});
  EXPECT_FALSE(result.hung);
  EXPECT_EQ(result.exit_code, 2) << "a download that lost its content is not passed over";
  EXPECT_EQ(result.error,
            "1 file skipped; --verbose lists it\n2 files: 1 ok, 0 rejected, 1 undecided\n");
  EXPECT_THAT(result.out, HasSubstr("undecided  " + folder.Path("snapshot/lost.gguf")));
}

TEST(CheckInputs, ReadsAPipeOnStandardInput) {
  const std::string sound(AsText(Sound()));
  const CommandResult good = RunCommand({"check", "-"}, {.input = sound});
  EXPECT_EQ(good.exit_code, 0) << good.out << good.error;
  EXPECT_THAT(good.out, StartsWith("ok      -   test 8"));
  EXPECT_EQ(RunCommand({"check", "-"}, {.input = sound.substr(0, 100)}).exit_code, 1);
  const CommandResult empty = RunCommand({"check", "-"});
  EXPECT_EQ(empty.exit_code, 1);
  EXPECT_THAT(empty.out, HasSubstr("the file is empty"));
}

TEST(CheckInputs, ReadsAPipeThatDeliversMoreThanItHolds) {
  Model model = Model::Minimal();
  model.Add("large", TensorType::kI8, {3 << 20});
  const std::string large(AsText(Write(model)));
  EXPECT_EQ(RunCommand({"check", "-"}, {.input = large}).exit_code, 0);
  EXPECT_EQ(RunCommand({"check", "-"}, {.input = large.substr(0, 2 << 20)}).exit_code, 1);
}

TEST(CheckInputs, APipeTakesNoMoreMemoryThanAFewChunks) {
  const TempFolder folder;
  const std::string path = folder.Path("large");
  {
    // Freed before the program is started, because its process begins as a copy of this one.
    Model model = Model::Minimal();
    model.Add("large", TensorType::kI8, {96 << 20});
    folder.Write("large", Write(model));
  }
  for (const char* data : {"none", "full"}) {
    for (const char* passing : {"--quiet", "--pass-through"}) {
      const CommandResult result =
          RunProgram("/bin/sh", {"-c", R"(cat "$1" | "$0" check "$3" --data "$2" - > /dev/null)",
                                 GGUFGATE_COMMAND, path, data, passing});
      EXPECT_EQ(result.exit_code, 0) << result.error;
      if (!kSanitized) {
        EXPECT_LT(result.peak_bytes, std::uint64_t{64} << 20) << data << passing;
      }
    }
  }
}

TEST(CheckInputs, JudgesTheFirstBytesOfAFileWhoseSizeIsSaid) {
  Model model = Model::Minimal();
  model.Add("large", TensorType::kI8, {3 << 20});
  const std::string large(AsText(Write(model)));
  const std::string size = std::to_string(large.size());
  const CommandResult some =
      RunCommand({"check", "-", "--total-size", size}, {.input = large.substr(0, 2'000'000)});
  EXPECT_EQ(some.exit_code, 0) << some.out;
  EXPECT_THAT(some.out, HasSubstr("3.1 MB, by its first 2.0 MB"));
  const TempFolder folder;
  EXPECT_EQ(RunCommand({"check", "-", "--total-size", size, "-f", "json"},
                       {.input_path = folder.WriteText("part", large.substr(0, 2'000'000))})
                .exit_code,
            0);
  const CommandResult few =
      RunCommand({"check", "-", "--total-size", size}, {.input = large.substr(0, 30)});
  EXPECT_EQ(few.exit_code, 2);
  EXPECT_THAT(few.out, HasSubstr("more bytes are needed, at least, to read its metadata"));
  EXPECT_EQ(RunCommand({"check", "-", "--total-size", "1000000"}, {.input = large.substr(0, 9000)})
                .exit_code,
            1)
      << "its data would end behind it";
  EXPECT_EQ(RunCommand({"check", "-", "--total-size", "9000"}, {.input = large}).exit_code, 2)
      << "it has more bytes";
}

TEST(CheckInputs, TheSizeOfAFileIsSaidOfStandardInputAlone) {
  for (const std::vector<std::string>& paths :
       {std::vector<std::string>{"model.gguf"}, {"-", "-"}, {}}) {
    std::vector<std::string> arguments = {"check", "--total-size", "99"};
    arguments.insert(arguments.end(), paths.begin(), paths.end());
    EXPECT_EQ(RunCommand(arguments).exit_code, 2);
  }
  EXPECT_THAT(RunCommand({"check", "--total-size", "99", "a"}).error,
              HasSubstr("--total-size needs standard input (-) as the only file"));
}

TEST(CheckInputs, StandardInputIsJudgedOnce) {
  const std::string sound(AsText(Sound()));
  const CommandResult twice = RunCommand({"check", "-", "-"}, {.input = sound});
  EXPECT_EQ(twice.exit_code, 2);
  EXPECT_THAT(twice.out, ::testing::IsEmpty());
  EXPECT_THAT(twice.error, HasSubstr("standard input (-) is given more than once"));
  EXPECT_EQ(RunCommand({"check", "-"}, {.input = sound}).exit_code, 0);
}

TEST(CheckInputs, PassesOnWhatItAcceptsAndReportsBeside) {
  const TempFolder folder;
  const std::string sound(AsText(Sound()));
  const CommandResult accepted = RunCommand({"check", "--pass-through", "-"}, {.input = sound});
  EXPECT_EQ(accepted.exit_code, 0);
  EXPECT_EQ(accepted.out, sound);
  EXPECT_THAT(accepted.error, StartsWith("ok      -   "));
  EXPECT_EQ(
      RunCommand({"check", "--pass-through", "-"}, {.input_path = folder.Write("a", Sound())}).out,
      sound);

  const CommandResult rejected =
      RunCommand({"check", "--pass-through", "-", "-f", "json"}, {.input = sound.substr(0, 40)});
  EXPECT_EQ(rejected.exit_code, 1);
  EXPECT_EQ(rejected.out, "");
  EXPECT_THAT(rejected.error, StartsWith("{\"schema\":"));

  const std::string report = folder.Path("report");
  const CommandResult into_file =
      RunCommand({"check", "--pass-through", "-", "-o", report}, {.input = sound});
  EXPECT_EQ(into_file.exit_code, 0);
  EXPECT_EQ(into_file.out, sound);
  EXPECT_THAT(into_file.error, ::testing::Not(HasSubstr("ok      -")));

  for (const std::vector<std::string>& paths : {std::vector<std::string>{"a"}, {"-", "-"}, {}}) {
    std::vector<std::string> arguments = {"check", "--pass-through"};
    arguments.insert(arguments.end(), paths.begin(), paths.end());
    const CommandResult refused = RunCommand(arguments, {.input = sound});
    EXPECT_EQ(refused.exit_code, 2);
    EXPECT_EQ(refused.out, "");
  }
}

// The pipe is longer than the part that is held back, so its length is unknown when it is rejected.
TEST(CheckInputs, PassesNothingOnAfterAFaultInALongPipe) {
  const auto large = [](ValueType block_count) {
    Model model = Model::Minimal();
    model.SetRaw("general.alignment", block_count, {32, 0, 0, 0});
    model.Add("large", TensorType::kF32, {std::uint64_t{1} << 20});
    model.LayOut();
    return model;
  };
  const TempFolder folder;
  const auto check = [&](const Model& model, const char* data) {
    const std::string path = folder.Write("a", Write(model));
    return RunProgram("/bin/sh", {"-c", R"(cat "$1" | "$0" check --pass-through --data "$2" -)",
                                  GGUFGATE_COMMAND, path, data});
  };
  const CommandResult header = check(large(ValueType::kI32), "none");
  EXPECT_EQ(header.exit_code, 1);
  EXPECT_EQ(header.out, "");
  EXPECT_THAT(header.error, HasSubstr("error[alignment-type]"));

  Model model = large(ValueType::kU32);
  model.tensors.back().data.back() = 0x7F;  // a NaN at the end
  model.tensors.back().data.end()[-2] = 0xC0;
  const CommandResult data = check(model, "full");
  EXPECT_EQ(data.exit_code, 1);
  EXPECT_LT(data.out.size(), Write(model).size());
  EXPECT_THAT(data.error, HasSubstr("error[tensor-value-not-finite]"));
}

TEST(CheckInputs, ReadsAFileOnStandardInput) {
  const TempFolder folder;
  const CommandOptions from{.input_path = folder.Write("a", Sound())};
  const CommandResult result = RunCommand({"check", "-"}, from);
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, StartsWith("ok      -   "));
  EXPECT_EQ(RunCommand({"check", "/dev/stdin"}, from).exit_code, 0);
}

TEST(CheckInputs, AFileThatWasReadFromIsNotJudgedFromItsBeginning) {
  const TempFolder folder;
  const CommandResult result = RunProgram(
      "/bin/sh", {"-c", R"(dd bs=9 count=1 of=/dev/null 2>&1; "$0" check -)", GGUFGATE_COMMAND},
      {.input_path = folder.Write("a", Sound())});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.out,
              HasSubstr("standard input is a file that was already read up to byte 9;"));
}

TEST(CheckInputs, StandardInputThatCannotBeReadIsUndecided) {
  const TempFolder folder;
  const CommandResult closed = RunCommand({"check", "-"}, {.closed = {STDIN_FILENO}});
  EXPECT_EQ(closed.exit_code, 2);
  EXPECT_THAT(closed.out, HasSubstr("cannot read standard input"));
  const CommandResult on_folder = RunCommand({"check", "-"}, {.input_path = folder.path()});
  EXPECT_EQ(on_folder.exit_code, 2);
  EXPECT_THAT(on_folder.out, HasSubstr("Is a directory"));
}

TEST(CheckInputs, NoModelPassesForAStandardInputThatIsClosed) {
  // The first file opened would get the free number 0, and be checked again as "-".
  const TempFolder folder;
  const std::string good = folder.Write("good", Sound());
  std::vector<std::string> arguments(19, good);
  arguments.at(9) = "-";
  arguments.insert(arguments.begin(), {"check", "--jobs", "8"});
  for (int i = 0; i < 50; ++i) {
    const CommandResult result = RunCommand(arguments, {.closed = {STDIN_FILENO}});
    EXPECT_EQ(result.error, "19 files: 18 ok, 0 rejected, 1 undecided\n");
  }
}

TEST(CheckInputs, AFileNamedLikeADashIsReachedByItsPath) {
  const TempFolder folder;
  folder.Write("-", Broken());
  EXPECT_EQ(RunCommand({"check", "./-"}, {.folder = folder.path()}).exit_code, 1);
}

}  // namespace
}  // namespace ggufgate::testing
