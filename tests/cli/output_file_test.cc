// ggufgate check --output: the report appears complete or not at all.

#include "cli/output_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>

#include "gate/confine/confine.h"
#include "parse/model.h"
#include "tests/support/command.h"
#include "tests/support/matchers.h"
#include "tests/support/system/failing_calls.h"
#include "tests/support/temp_folder.h"
#include "tests/support/texts/command_text.h"

namespace ggufgate::testing {
namespace {

namespace fs = std::filesystem;

std::string ContentOf(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<std::string> NamesIn(const TempFolder& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder.path())) {
    names.push_back(entry.path().filename().string());
  }
  return names;
}

// If there are none, the output has a temporary name.
bool HasFilesWithoutNames(const TempFolder& folder) {
  const Descriptor file(::open(folder.Path("").c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600));
  return file.valid();
}

std::string WhyNot(const std::string& path, const std::vector<std::string>& inputs = {}) {
  const auto file = OutputFile::Create(path, inputs);
  return file.ok() ? "" : std::string(file.status().message());
}

// --- the file alone ------------------------------------------------------------------------------

TEST(OutputFile, AppearsWhenItIsCommitted) {
  const TempFolder folder;
  const auto file = OutputFile::Create(folder.Path("out"), {});
  ASSERT_TRUE(file.ok());
  (*file)->stream() << "report" << 1 << '\n' << std::flush;
  EXPECT_FALSE(fs::exists(folder.Path("out")));
  EXPECT_TRUE((*file)->Commit().ok());
  EXPECT_THAT(NamesIn(folder), ElementsAre("out"));
  EXPECT_EQ(ContentOf(folder.Path("out")), "report1\n");
}

TEST(OutputFile, LeavesNothingBehindWithoutCommit) {
  const TempFolder folder;
  folder.WriteText("out", "old");
  {
    const auto file = OutputFile::Create(folder.Path("out"), {});
    ASSERT_TRUE(file.ok());
    (*file)->stream() << std::string(1 << 20, 'x') << std::flush;
    EXPECT_EQ(NamesIn(folder).size(), HasFilesWithoutNames(folder) ? 1U : 2U);
  }
  EXPECT_THAT(NamesIn(folder), ElementsAre("out"));
  EXPECT_EQ(ContentOf(folder.Path("out")), "old");
}

TEST(OutputFile, WritesMuchAndLittle) {
  const TempFolder folder;
  const auto file = OutputFile::Create(folder.Path("out"), {});
  ASSERT_TRUE(file.ok());
  std::string expected;
  for (int i = 0; i < 300'000; ++i) {
    (*file)->stream().put(static_cast<char>('a' + i % 26));
    expected += static_cast<char>('a' + i % 26);
  }
  (*file)->stream() << expected;
  EXPECT_TRUE((*file)->Commit().ok());
  EXPECT_EQ(ContentOf(folder.Path("out")), expected + expected);
}

// MadeMode returns the mode of the file `out` after it was written with a umask, or 0 if that
// failed.
mode_t MadeMode(const TempFolder& folder, mode_t mask) {
  const mode_t before = ::umask(mask);
  const auto file = OutputFile::Create(folder.Path("out"), {});
  ::umask(before);
  struct stat made = {};
  const bool is_made = file.ok() && (*file)->Commit().ok();
  return is_made && ::stat(folder.Path("out").c_str(), &made) == 0 ? made.st_mode & 0777U : 0;
}

TEST(OutputFile, ModeIsWhatTheUmaskLeaves) {
  for (const auto& [mask, mode] : {std::pair<mode_t, mode_t>{027, 0640}, {022, 0644}, {0, 0666}}) {
    EXPECT_EQ(MadeMode(TempFolder(), mask), mode);
  }
}

// A private report must not become readable for others.
TEST(OutputFile, ModeOfAFileThatIsReplacedStays) {
  for (const mode_t mode : {0600U, 0640U, 0666U, 0755U}) {
    const TempFolder folder;
    folder.WriteText("out", "old");
    ASSERT_EQ(::chmod(folder.Path("out").c_str(), mode), 0);
    EXPECT_EQ(MadeMode(folder, 022), mode);
    EXPECT_EQ(ContentOf(folder.Path("out")), "");
    const auto file = OutputFile::Create(folder.Link("link", "out"), {});
    ASSERT_TRUE(file.ok() && (*file)->Commit().ok());
    EXPECT_EQ(MadeMode(folder, 077), mode) << "after a link";
  }
}

TEST(OutputFile, ThatCannotHaveTheModeIsNotWritten) {
  const TempFolder folder;
  folder.WriteText("out", "old");
  const std::string why = InChild([&] {
    FailCall({.number = SYS_fchmod, .error = EPERM});
    return WhyNot(folder.Path("out"));
  });
  EXPECT_EQ(why, "Operation not permitted");
  EXPECT_THAT(NamesIn(folder), ElementsAre("out"));
}

TEST(OutputFile, FollowsALinkAndReplacesWhatItLeadsTo) {
  const TempFolder folder;
  folder.MakeFolder("real");
  folder.WriteText("real/out", "old");
  folder.Link("link", "real/out");
  const auto file = OutputFile::Create(folder.Path("link"), {});
  ASSERT_TRUE(file.ok());
  (*file)->stream() << "new";
  ASSERT_TRUE((*file)->Commit().ok());
  EXPECT_TRUE(fs::is_symlink(folder.Path("link")));
  EXPECT_EQ(ContentOf(folder.Path("real/out")), "new");
  EXPECT_THAT(NamesIn(folder), UnorderedElementsAre("link", "real"));
}

TEST(OutputFile, RefusesWhatIsNoPlaceForAFile) {
  const TempFolder folder;
  folder.Link("nowhere", "no-such-file");
  folder.Link("loop", "loop");
  folder.WriteText("file", "x");
  EXPECT_EQ(WhyNot(folder.path()), "it is a folder");
  EXPECT_EQ(WhyNot(folder.Path("nowhere")), "it is a link whose target does not exist");
  EXPECT_EQ(WhyNot(folder.Path("loop")), "Too many levels of symbolic links");
  EXPECT_EQ(WhyNot(""), "this is not a file name");
  EXPECT_EQ(WhyNot(folder.Path("new/")), "this is not a file name");
  EXPECT_EQ(WhyNot(folder.Path("none/out")), "there is no folder " + folder.Path("none"));
  EXPECT_EQ(WhyNot(folder.Path("file/out")), "Not a directory");
  EXPECT_EQ(WhyNot(folder.MakeSocket("socket")), "No such device or address");
  EXPECT_THAT(NamesIn(folder), UnorderedElementsAre("nowhere", "loop", "file", "socket"));
}

TEST(OutputFile, RefusesToReplaceAnInputByWhateverName) {
  const TempFolder folder;
  const std::string input = folder.WriteText("input", "x");
  const std::string link = folder.Link("link", "input");
  fs::create_hard_link(input, folder.Path("same"));
  for (const std::string& path : {input, link, folder.Path("same"), folder.path() + "/./input"}) {
    EXPECT_EQ(WhyNot(path, {"none", input}), "it is one of the files to check") << path;
    EXPECT_EQ(WhyNot(path, {link}), "it is one of the files to check") << path;
  }
  EXPECT_EQ(WhyNot(folder.Path("other"), {input}), "");
}

// If a file cannot be examined, it may be an input.
TEST(OutputFile, RefusesToReplaceWhatMayBeAnInput) {
  const TempFolder folder;
  const std::string out = folder.WriteText("out", "x");
  EXPECT_EQ(WhyNot(out, {folder.Link("loop", "loop")}), "it may be one of the files to check");
  EXPECT_EQ(WhyNot(out, {folder.Path("none")}), "");
  folder.Link("nowhere", "no-such-file");
  const auto why_without = [&](std::uint32_t flags, const std::string& name) {
    return InChild([&] {
      FailCall({.number = SYS_newfstatat, .error = EIO, .argument = 3, .value = flags});
      return WhyNot(folder.Path(name));
    });
  };
  EXPECT_EQ(why_without(0, "out"), "Input/output error");
  EXPECT_EQ(why_without(AT_SYMLINK_NOFOLLOW, "nowhere"), "Input/output error");
  EXPECT_EQ(why_without(AT_SYMLINK_NOFOLLOW, "out"), "");
}

// For file systems where the file needs a name while it is written.
TEST(OutputFile, NoSignalThatCanBeHandledLeavesIt) {
  for (const int signal :
       {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE, SIGALRM, SIGUSR1, SIGUSR2, SIGABRT}) {
    const TempFolder folder;
    const std::string ended = InChild([&] {
      ::signal(signal, SIG_DFL);
      FailCall({.number = SYS_openat,
                .error = EOPNOTSUPP,
                .argument = 2,
                .value = O_TMPFILE | O_WRONLY | O_CLOEXEC});
      const auto file = OutputFile::Create(folder.Path("out"), {});
      if (!file.ok() || NamesIn(folder).size() != 1) return std::string("nothing to leave");
      ::raise(signal);
      return std::string("still there");
    });
    EXPECT_EQ(ended, std::string("SIG") + ::sigabbrev_np(signal));
    EXPECT_THAT(NamesIn(folder), IsEmpty()) << ended;
  }
}

TEST(OutputFile, ADeviceIsWrittenAsItIs) {
  const auto null = OutputFile::Create("/dev/null", {"/dev/null"});
  ASSERT_TRUE(null.ok());
  (*null)->stream() << "x";
  EXPECT_TRUE((*null)->Commit().ok());
  EXPECT_TRUE(fs::is_character_file("/dev/null"));

  const auto full = OutputFile::Create("/dev/full", {});
  ASSERT_TRUE(full.ok());
  (*full)->stream() << "x" << std::flush;
  EXPECT_FALSE((*full)->stream());
  EXPECT_EQ((*full)->Flush().message(), "No space left on device");
  EXPECT_FALSE((*full)->Commit().ok());
}

TEST(OutputFile, AFailedStreamIsNoReport) {
  const TempFolder folder;
  const auto file = OutputFile::Create(folder.Path("out"), {});
  ASSERT_TRUE(file.ok());
  (*file)->stream().setstate(std::ios::failbit);
  EXPECT_FALSE((*file)->Commit().ok());
}

TEST(OutputFile, CannotTakeANameThatBecameAFolder) {
  const TempFolder folder;
  {
    const auto file = OutputFile::Create(folder.Path("out"), {});
    ASSERT_TRUE(file.ok());
    folder.MakeFolder("out");
    EXPECT_EQ((*file)->Commit().message(), "Is a directory");
  }
  EXPECT_THAT(NamesIn(folder), ElementsAre("out"));
}

// --- the command ---------------------------------------------------------------------------------

// ReportedFiles has a valid, a broken and a missing file, and an older report.
struct ReportedFiles {
  TempFolder models;
  TempFolder folder;
  std::string good = models.Write("good.gguf", Write(Model::Minimal()));
  std::string bad = models.Write("bad.gguf", Write(Model::Minimal().Set("", std::uint32_t{1})));
  std::string missing = models.Path("missing.gguf");
  std::string out = folder.WriteText("out", "yesterday");

  // ExpectKept expects that a run failed and changed nothing.
  void ExpectKept(const CommandResult& result) const {
    EXPECT_EQ(result.exit_code, 2) << result.error;
    EXPECT_THAT(result.out, IsEmpty());
    EXPECT_EQ(ContentOf(out), "yesterday");
    EXPECT_THAT(NamesIn(folder), ElementsAre("out"));
  }
};

TEST(CheckOutput, HoldsWhatStandardOutputWould) {
  const ReportedFiles files;
#define GGUFGATE_FORMAT(name, word, what)                                                   \
  {                                                                                         \
    const std::vector<std::string> check = {"check", "--format", word,      "--jobs",       \
                                            "2",     files.good, files.bad, files.missing}; \
    const CommandResult shown = RunCommand(check);                                          \
    std::vector<std::string> check_into = check;                                            \
    check_into.insert(check_into.end(), {"--output", files.out});                           \
    const CommandResult written = RunCommand(check_into);                                   \
    EXPECT_EQ(written.exit_code, shown.exit_code) << word;                                  \
    EXPECT_THAT(written.out, IsEmpty());                                                    \
    EXPECT_EQ(WithoutTimes(ContentOf(files.out)), WithoutTimes(shown.out)) << word;         \
  }
#include "report/formats.def"
#undef GGUFGATE_FORMAT
  EXPECT_THAT(NamesIn(files.folder), ElementsAre("out"));
}

TEST(CheckOutput, AppearsWhateverTheVerdicts) {
  const ReportedFiles files;
  const auto exit_of = [&](const std::string& path) {
    fs::remove(files.out);
    const CommandResult result =
        RunCommand({"check", "--format", "sarif", "--output", files.out, path});
    EXPECT_THAT(ContentOf(files.out), StartsWith("{\"version\":")) << path;
    return result.exit_code;
  };
  EXPECT_EQ(exit_of(files.good), 0);
  EXPECT_EQ(exit_of(files.bad), 1);
  EXPECT_EQ(exit_of(files.missing), 2) << "the report says what could not be judged";
  EXPECT_EQ(exit_of(files.folder.MakeFolder("empty")), 2);
}

TEST(CheckOutput, LeavesTheTallyOnTheTerminal) {
  const ReportedFiles files;
  const CommandResult one = RunCommand({"check", "--output", files.out, files.good});
  EXPECT_EQ(one.error, "1 file: 1 ok, 0 rejected, 0 undecided\n");
  const CommandResult three = RunCommand(
      {"check", "--format", "json", "--output", files.out, files.good, files.bad, files.missing});
  EXPECT_EQ(three.error, "3 files: 1 ok, 1 rejected, 1 undecided\n");
}

TEST(CheckOutput, HasNoColour) {
  const ReportedFiles files;
  const CommandResult result =
      RunCommand({"check", "--output", files.out, files.good, files.bad},
                 {.terminal = true, .environment = {"TERM=xterm", "NO_COLOR"}});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(ContentOf(files.out), Not(HasSubstr("\x1b")));
  EXPECT_THAT(ContentOf(files.out), HasSubstr("reject  " + files.bad));
}

TEST(CheckOutput, ADashIsStandardOutput) {
  const ReportedFiles files;
  const CommandResult result =
      RunCommand({"check", "--output", "-", files.good}, {.folder = files.folder.path()});
  EXPECT_THAT(result.out, StartsWith("ok      "));
  EXPECT_THAT(result.error, IsEmpty());
  EXPECT_THAT(NamesIn(files.folder), ElementsAre("out"));
  const CommandResult device = RunCommand({"check", "--output", "/dev/stdout", files.good});
  EXPECT_THAT(device.out, StartsWith("ok      "));
}

TEST(CheckOutput, IsWrittenInTheFolderItIsRunIn) {
  const ReportedFiles files;
  const CommandOptions here{.folder = files.folder.path()};
  EXPECT_EQ(RunCommand({"check", "--output", "new", files.good}, here).exit_code, 0);
  EXPECT_EQ(RunCommand({"check", "--output", "[x]", files.good}, here).exit_code, 0);
  EXPECT_THAT(NamesIn(files.folder), UnorderedElementsAre("out", "new", "[x]"));
}

TEST(CheckOutput, KeepsTheOldOneWhenTheDiskIsFull) {
  const ReportedFiles files;
  const CommandResult full = RunCommand({"check", "--output", "/dev/full", files.good});
  EXPECT_EQ(full.exit_code, 2);
  EXPECT_THAT(full.error, HasSubstr("ggufgate: cannot write /dev/full: No space left on device\n"));
  // The report of 40 kB exceeds a limit on the size of files.
  const CommandResult limited = RunProgram(
      "/bin/sh", {"-c", R"(ulimit -f 16; exec "$0" check --format sarif --output "$1" "$2")",
                  GGUFGATE_COMMAND, files.out, files.good});
  files.ExpectKept(limited);
  EXPECT_THAT(limited.error, HasSubstr("File too large"));
}

TEST(CheckOutput, KeepsTheOldOneInAFolderThatCannotBeWritten) {
  const ReportedFiles files;
  fs::permissions(files.folder.path(), fs::perms::owner_read | fs::perms::owner_exec);
  const CommandResult result =
      RunCommand({"check", "--output", files.out, files.good}, {.without_privileges = true});
  fs::permissions(files.folder.path(), fs::perms::owner_all);
  files.ExpectKept(result);
  EXPECT_EQ(result.error, "ggufgate: cannot write " + files.out + ": Permission denied\n");
}

TEST(CheckOutput, NeverReplacesAModel) {
  const ReportedFiles files;
  for (const std::string& path : {files.good, files.models.path()}) {
    const CommandResult result = RunCommand({"check", "--output", files.good, path});
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.error, HasSubstr("it is one of the files to check"));
  }
  const CommandResult piped =
      RunCommand({"check", "--output", files.good, "-"}, {.input_path = files.good});
  EXPECT_EQ(piped.exit_code, 2);
  EXPECT_EQ(RunCommand({"check", files.good}).exit_code, 0);
  const CommandResult folder = RunCommand({"check", "--output", files.folder.path(), files.good});
  EXPECT_EQ(folder.exit_code, 2);
  EXPECT_THAT(folder.error, HasSubstr("it is a folder"));
}

TEST(CheckOutput, OfManyAtOnceIsThatOfOne) {
  const ReportedFiles files;
  const CommandResult result =
      RunProgram("/bin/sh", {"-c",
                             R"(for i in 1 2 3 4 5 6 7 8; do
                       "$0" check --format json --output "$1" "$2" "$3" 2> /dev/null &
                     done; wait)",
                             GGUFGATE_COMMAND, files.out, files.good, files.bad});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(nlohmann::json::parse(ContentOf(files.out)).at("files").size(), 2U);
  EXPECT_THAT(NamesIn(files.folder), ElementsAre("out"));
}

// Interrupted starts a check that waits for its standard input, interrupts it with `how` (a shell
// script, where $parent is the command), and exits like the command.
CommandResult Interrupted(const ReportedFiles& files, const std::string& how) {
  const std::string script = R"(
    mkfifo "$2"
    "$0" check --output "$1" - < "$2" & parent=$!
    exec 3> "$2"
    until ls -l "/proc/$parent/fd" | grep -q "${1%/*}/"; do sleep 0.01; done
    )" + how + R"(
    wait $parent)";
  return RunProgram("/bin/sh",
                    {"-c", script, GGUFGATE_COMMAND, files.out, files.models.Path("pipe")});
}

TEST(CheckOutput, KeepsTheOldOneWhenTheChildIsKilled) {
  if (!ConfinementIsBuiltIn()) GTEST_SKIP() << "there is no child in this build";
  const ReportedFiles files;
  const CommandResult result = Interrupted(files, R"(
    until [ "$child" ]; do read child < /proc/$parent/task/$parent/children; done
    kill -KILL $child)");
  files.ExpectKept(result);
  EXPECT_THAT(result.error, HasSubstr("stopped by SIGKILL"));
}

TEST(CheckOutput, KeepsTheOldOneWhenTheCommandIsInterrupted) {
  // Not INT, because a shell makes background processes ignore it.
  std::vector<std::string> signals = {"TERM", "HUP"};
  // Signals that cannot be handled leave nothing behind either, if the file has no name.
  if (HasFilesWithoutNames(TempFolder())) {
    signals.insert(signals.end(), {"KILL", "ABRT", "USR1", "ALRM"});
  }
  for (const std::string& signal : signals) {
    const ReportedFiles files;
    const CommandResult result = Interrupted(files, "kill -" + signal + " $parent");
    EXPECT_GT(result.exit_code, 128) << signal;
    EXPECT_EQ(ContentOf(files.out), "yesterday");
    EXPECT_THAT(NamesIn(files.folder), ElementsAre("out")) << signal;
  }
}

}  // namespace
}  // namespace ggufgate::testing
