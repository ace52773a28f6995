// ggufgate run: the loader gets the bytes that were checked.
//
// GGUFGATE_RACES=N: the number of races with a writer (20); TMPDIR: the file system.

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>
#include <thread>

#include "gate/reading/descriptor.h"
#include "parse/model.h"
#include "tests/support/command.h"
#include "tests/support/matchers.h"
#include "tests/support/temp_folder.h"

namespace ggufgate::testing {
namespace {

std::string Text(const std::vector<std::uint8_t>& bytes) { return {bytes.begin(), bytes.end()}; }

// A model that is accepted, and one of the same size whose last float is NaN.
class RunCommandTest : public ::testing::Test {
 protected:
  RunCommandTest() {
    Model model = Model::Minimal();
    model.Add("weights", TensorType::kF32, {64});
    model.tensors.back().data.assign(256, 0x3C);
    good_ = Write(model);
    std::fill_n(model.tensors.back().data.end() - 4, 4, std::uint8_t{0xFF});
    bad_ = Write(model);
    path_ = folder_.Write("model", good_);
  }

  // Run runs `command` with the model instead of {}.
  [[nodiscard]] CommandResult Run(std::vector<std::string> command,
                                  std::vector<std::string> options = {},
                                  const CommandOptions& how = {}) const {
    std::vector<std::string> arguments = {"run"};
    std::ranges::move(options, std::back_inserter(arguments));
    arguments.insert(arguments.end(), {path_, "--"});
    std::ranges::move(command, std::back_inserter(arguments));
    return ::ggufgate::testing::RunCommand(arguments, how);
  }

  [[nodiscard]] Descriptor OpenToWrite(int flags = 0) const {
    return Descriptor(::open(path_.c_str(), O_RDWR | O_CLOEXEC | flags));
  }

  TempFolder folder_;
  std::vector<std::uint8_t> good_;
  std::vector<std::uint8_t> bad_;
  std::string path_;
};

TEST_F(RunCommandTest, GivesTheCommandTheModel) {
  for (const std::vector<std::string>& options : {std::vector<std::string>(), {"--seal"}}) {
    const CommandResult result = Run({"cat", "{}"}, options);
    EXPECT_EQ(result.exit_code, 0) << result.error;
    EXPECT_EQ(result.out, Text(good_));
    EXPECT_THAT(result.error, StartsWith("ok      " + path_));
  }
}

TEST_F(RunCommandTest, PutsTheModelWhereverItsPlaceIs) {
  const CommandResult result = Run({"echo", "--model={}", "{}", "{}{}", "{"}, {"--quiet"});
  EXPECT_THAT(result.out,
              ::testing::MatchesRegex("--model=(/proc/self/fd/[0-9]+) (/proc/self/fd/[0-9]+) "
                                      "(/proc/self/fd/[0-9]+)(/proc/self/fd/[0-9]+) \\{\n"));
  EXPECT_THAT(result.error, IsEmpty());
}

TEST_F(RunCommandTest, TheCommandHasTheStandardStreamsAndTheOptionsBehindTheDashes) {
  const CommandResult result =
      Run({"sh", "-c", "cat; echo \"$1\" >&2", "{}", "--quiet"}, {}, {.input = "a question"});
  EXPECT_EQ(result.out, "a question");
  EXPECT_THAT(result.error, ::testing::EndsWith("--quiet\n"));
}

TEST_F(RunCommandTest, EndsAsTheCommandDoes) {
  EXPECT_EQ(Run({"sh", "-c", "exit 42", "{}"}).exit_code, 42);
  EXPECT_EQ(Run({"sh", "-c", "kill -TERM $$", "{}"}).signal, SIGTERM);
}

// There is no process in between: a signal to the started process reaches the command.
TEST_F(RunCommandTest, TakesThePlaceOfTheGate) {
  const CommandResult result = RunProgram(
      "/bin/sh", {"-c", R"("$0" run --quiet "$1" -- sh -c 'echo $$' {} > "$2" & echo $! && wait)",
                  GGUFGATE_COMMAND, path_, folder_.Path("out")});
  const CommandResult said = RunProgram("/bin/cat", {folder_.Path("out")});
  EXPECT_EQ(result.out, said.out);
  EXPECT_THAT(said.out, ::testing::Not(IsEmpty()));
}

TEST_F(RunCommandTest, RunsNothingThatIsNotAccepted) {
  const std::string mark = folder_.Path("mark");
  const std::vector<std::string> command = {"touch", mark, "{}"};
  folder_.Write("model", bad_);
  const CommandResult bad = Run(command, {"--data", "full"});
  EXPECT_EQ(bad.exit_code, 1);
  EXPECT_THAT(bad.error, HasSubstr("tensor-value-not-finite"));
  EXPECT_THAT(bad.out, IsEmpty());
  EXPECT_EQ(Run(command, {"--seal", "--data", "full"}).exit_code, 1);
  EXPECT_EQ(Run(command, {"--policy", folder_.Path("none")}).exit_code, 2);
  path_ = folder_.Path("none");
  EXPECT_EQ(Run(command).exit_code, 2);
  path_ = folder_.MakePipe("pipe");
  EXPECT_EQ(Run(command).exit_code, 2);
  path_ = folder_.MakeFolder("folder");
  EXPECT_EQ(Run(command).exit_code, 2);
  EXPECT_FALSE(std::filesystem::exists(mark));
}

// A model may contain a shell script.
TEST_F(RunCommandTest, NeverRunsTheModelItself) {
  Model model = Model::Minimal();
  model.Set("general.name", "\ntouch " + folder_.Path("mark") + "; exit 0\n");
  folder_.Write("model", Write(model));
  std::filesystem::permissions(path_, std::filesystem::perms::owner_all);
  for (const char* seal : {"--quiet", "--seal"}) {
    const CommandResult as_command = Run({"{}"}, {seal});
    EXPECT_EQ(as_command.exit_code, 2);
    EXPECT_THAT(as_command.error, HasSubstr("put a command before {}"));
    EXPECT_EQ(::ggufgate::testing::RunCommand({"run", seal, "--", path_, "{}"}).exit_code, 2);
    const CommandResult by_name = Run({path_, "{}"}, {seal});
    EXPECT_EQ(by_name.exit_code, 126);
    EXPECT_THAT(by_name.error, HasSubstr("it is not a program or a script"));
  }
  EXPECT_FALSE(std::filesystem::exists(folder_.Path("mark")));
}

TEST_F(RunCommandTest, RunsScripts) {
  const std::string script = folder_.WriteText("script", "#!/bin/sh\necho \"$#\"\n");
  std::filesystem::permissions(script, std::filesystem::perms::owner_all);
  EXPECT_EQ(Run({script, "{}"}).out, "1\n");
}

TEST_F(RunCommandTest, SaysWhatIsWrongWithTheCommand) {
  const CommandResult no_place = Run({"cat", "model"});
  EXPECT_EQ(no_place.exit_code, 2);
  EXPECT_THAT(no_place.error, HasSubstr("the command has no {}"));
  const CommandResult no_dashes =
      ::ggufgate::testing::RunCommand({"run", path_, "cat", "{}", "--quiet"});
  EXPECT_EQ(no_dashes.exit_code, 2);
  EXPECT_THAT(no_dashes.error, HasSubstr("run needs -- before the command"));
  const std::string form =
      ": ggufgate run [OPTIONS] MODEL -- COMMAND {}\nTry 'ggufgate run --help'.\n";
  const auto complaint = [](const std::vector<std::string>& arguments) {
    const CommandResult result = ::ggufgate::testing::RunCommand(arguments);
    EXPECT_EQ(result.exit_code, 2);
    return result.error;
  };
  EXPECT_EQ(complaint({"run", path_, "--"}), "ggufgate: run: COMMAND is missing after --" + form);
  for (const std::vector<std::string>& none :
       {std::vector<std::string>{"run", "--"}, {"run", "--", "cat"}, {"run", "--", "cat", "{}"}}) {
    EXPECT_EQ(complaint(none), "ggufgate: run: MODEL is missing before --" + form);
  }
  EXPECT_EQ(complaint({"run", path_, "--quiet", "other", "--", "cat", "{}"}),
            "ggufgate: run takes one MODEL before --; \"other\" is surplus" + form);
  EXPECT_EQ(complaint({"run", "--profil", "gate", path_, "--", "cat", "{}"}),
            "ggufgate: run has no option \"--profil\"; did you mean --profile?\n"
            "Try 'ggufgate run --help'.\n");
  EXPECT_THAT(complaint({"run", "-q", "-v", path_, "--", "cat", "{}"}),
              HasSubstr("--quiet and --verbose exclude each other"));
  const CommandResult nowhere = Run({"no-such-program", "{}"});
  EXPECT_EQ(nowhere.exit_code, 127);
  EXPECT_THAT(nowhere.error, HasSubstr("cannot run no-such-program: No such file or directory"));
  EXPECT_EQ(Run({path_, "{}"}).exit_code, 126);
}

TEST_F(RunCommandTest, WritesTheReportWhereItIsWanted) {
  const std::string report = folder_.Path("report");
  const CommandResult result =
      Run({"cat", "{}"}, {"--format", "json", "--sha256", "--output", report});
  EXPECT_EQ(result.exit_code, 0) << result.error;
  EXPECT_EQ(result.out, Text(good_));
  EXPECT_THAT(RunProgram("/bin/cat", {report}).out, HasSubstr(R"("verdict":"accept")"));
}

// --- writers -------------------------------------------------------------------------------------

TEST_F(RunCommandTest, RefusesAFileThatIsOpenForWriting) {
  const Descriptor writer = OpenToWrite();
  const CommandResult result = Run({"cat", "{}"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.error, "undecided  " + path_ +
                              ": another process has it open for writing; use --seal to run a copy "
                              "in memory (it needs as much memory as the file)\n");
  EXPECT_EQ(Run({"cat", "{}"}, {"--seal"}).out, Text(good_));
}

TEST_F(RunCommandTest, RefusesAFileOfSomebodyElse) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give a file away";
  ASSERT_EQ(::chown(path_.c_str(), 1, 1), 0);
  const CommandResult result = Run({"cat", "{}"}, {}, {.without_privileges = true});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.error, HasSubstr("only its owner can lock it against changes"));
  EXPECT_EQ(Run({"cat", "{}"}, {"--seal"}, {.without_privileges = true}).out, Text(good_));
}

TEST_F(RunCommandTest, EndsTheCommandBeforeAWriterGetsAtTheModel) {
  const CommandResult result = RunProgram("/bin/sh", {"-c", R"(
        "$0" run "$1" -- sh -c 'touch "$0.begun"; exec sleep 50' "$1" {} & 
        until [ -e "$1.begun" ]; do sleep 0.01; done
        echo more >> "$1"
        wait $!)",
                                                      GGUFGATE_COMMAND, path_});
  EXPECT_EQ(result.exit_code, 128 + SIGKILL) << result.error;
}

TEST_F(RunCommandTest, RunsASealedCopyWhateverBecomesOfTheModel) {
  const CommandResult result =
      Run({"sh", "-c", "rm \"$1\"; echo other > \"$1\"; cat \"$0\"", "{}", path_}, {"--seal"});
  EXPECT_EQ(result.out, Text(good_));
}

int Races() {
  const char* wanted = std::getenv("GGUFGATE_RACES");
  return wanted == nullptr ? 20 : std::atoi(wanted);
}

// All bytes read from an accepted model must be those of the good one.
void ExpectTheGoodOne(const CommandResult& result, const std::string& good) {
  if (result.signal == SIGKILL) {
    EXPECT_THAT(good, StartsWith(result.out));
  } else if (result.exit_code == 0) {
    EXPECT_EQ(result.out, good);
  } else {
    EXPECT_TRUE(result.exit_code == 1 || result.exit_code == 2) << result.error;
    EXPECT_THAT(result.out, IsEmpty());
  }
}

TEST_F(RunCommandTest, RacesAWriterThatOpensTheModelAgainAndAgain) {
  std::atomic<bool> done = false;
  std::jthread writer([&] {
    for (int turn = 0; !done; ++turn) {
      const std::vector<std::uint8_t>& bytes = turn % 2 == 0 ? bad_ : good_;
      // The open fails while there is a lease, but a later try may succeed.
      if (const Descriptor file = OpenToWrite(O_NONBLOCK); file.valid()) {
        EXPECT_GT(::pwrite(file.get(), bytes.data(), bytes.size(), 0), 0);
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(turn % 61));
    }
  });
  std::map<int, int> ends;
  for (int race = 0; race < Races(); ++race) {
    const CommandResult result = Run({"cat", "{}"}, {"--data", "full"});
    ExpectTheGoodOne(result, Text(good_));
    ++ends[result.signal != 0 ? 128 + result.signal : result.exit_code];
  }
  done = true;
  for (const auto& [code, times] : ends) RecordProperty("exit " + std::to_string(code), times);
}

TEST_F(RunCommandTest, RacesAWriterWithASharedMapping) {
  const Descriptor file = OpenToWrite();
  void* const mapped =
      ::mmap(nullptr, good_.size(), PROT_READ | PROT_WRITE, MAP_SHARED, file.get(), 0);
  ASSERT_NE(mapped, MAP_FAILED);
  auto* const last = static_cast<std::uint8_t*>(mapped) + (good_.size() - 4);
  std::atomic<bool> done = false;
  std::jthread writer([&] {
    for (bool bad = true; !done; bad = !bad) {
      const std::vector<std::uint8_t>& bytes = bad ? bad_ : good_;
      std::copy(bytes.end() - 4, bytes.end(), last);
      std::this_thread::sleep_for(std::chrono::microseconds(300));
    }
  });
  int run = 0;
  int rejected = 0;
  for (int race = 0; race < Races(); ++race) {
    const CommandResult result = Run({"cat", "{}"}, {"--data", "full", "--seal"});
    // A copy may be made during a write, but the same copy is checked and run.
    EXPECT_EQ(result.signal, 0);
    if (result.exit_code == 0) {
      EXPECT_EQ(result.out.substr(0, good_.size() - 4), Text(good_).substr(0, good_.size() - 4));
      const std::string tail = result.out.substr(good_.size() - 4);
      EXPECT_NE(tail, "\xff\xff\xff\xff");
    }
    run += result.exit_code == 0 ? 1 : 0;
    rejected += result.exit_code == 1 ? 1 : 0;
  }
  done = true;
  writer.join();
  ::munmap(mapped, good_.size());
  RecordProperty("run", run);
  RecordProperty("rejected", rejected);
}

}  // namespace
}  // namespace ggufgate::testing
