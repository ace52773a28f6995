// The results for the other files if a process of the check is killed.

#include <string>

#include "gate/confine/confine.h"
#include "parse/model.h"
#include "tests/support/command.h"
#include "tests/support/matchers.h"
#include "tests/support/temp_folder.h"

namespace ggufgate::testing {
namespace {

// Checks $1, standard input and $2, and kills a child of the command, the printer or the worker
// ($3). Those are its first two children; the third, a witness, exits normally. Standard input is a
// pipe that never delivers anything.
constexpr const char* kStopAChild = R"(
exec 3<>"$4"
"$0" check --jobs 3 "$1" - "$2" <"$4" & command=$!
until set -- "$1" "$2" "$3" "$4" $(cat /proc/$command/task/$command/children) && [ $# -ge 6 ]; do
  sleep 0.01
done
if [ "$3" = printer ]; then
  sleep 0.3  # until it has all that will ever come
  kill -"$SIGNAL" "$5"
else
  kill -"$SIGNAL" "$6"
fi
wait $command
)";

struct CheckWorkers : ::testing::Test {
  CheckWorkers() {
    if (ConfinementIsBuiltIn()) {
      good = folder.Write("good", Write(Model::Minimal()));
      bad = folder.WriteText("bad", "GGUF");
    }
  }

  CommandResult Stop(const std::string& child, const std::string& signal = "KILL") const {
    const std::vector<std::string> arguments = {"-c", kStopAChild, GGUFGATE_COMMAND,        good,
                                                bad,  child,       folder.MakePipe("never")};
    return RunProgram("/bin/sh", arguments, {.environment = {"SIGNAL=" + signal}});
  }

  TempFolder folder;
  std::string good;
  std::string bad;
};

TEST_F(CheckWorkers, OneThatIsStoppedTakesNoVerdictWithIt) {
  if (!ConfinementIsBuiltIn()) GTEST_SKIP() << "this build judges in one process";
  const CommandResult result = Stop("worker");
  EXPECT_EQ(result.exit_code, 1) << result.error;
  EXPECT_THAT(result.out, HasSubstr("ok      " + good));
  EXPECT_THAT(result.out, HasSubstr("undecided  -"));
  EXPECT_THAT(result.out, HasSubstr("the confined process was stopped by SIGKILL"));
  EXPECT_THAT(result.out, HasSubstr("reject  " + bad));
  EXPECT_THAT(result.error, HasSubstr("3 files: 1 ok, 1 rejected, 1 undecided\n"));
}

// It is not mistaken for a forbidden system call either.
TEST_F(CheckWorkers, OneThatIsAskedToEndIsToldOfAsSuch) {
  if (!ConfinementIsBuiltIn()) GTEST_SKIP() << "this build judges in one process";
  const CommandResult result = Stop("worker", "TERM");
  EXPECT_EQ(result.exit_code, 1) << result.error;
  EXPECT_THAT(result.out, HasSubstr("the confined process was stopped by SIGTERM\n"));
  EXPECT_THAT(result.error, HasSubstr("3 files: 1 ok, 1 rejected, 1 undecided\n"));
}

TEST_F(CheckWorkers, WithoutAPrinterNothingIsDecided) {
  if (!ConfinementIsBuiltIn()) GTEST_SKIP() << "this build judges in one process";
  const CommandResult result = Stop("printer");
  EXPECT_EQ(result.exit_code, 2) << result.out;
  EXPECT_THAT(result.error, HasSubstr("undecided: the confined process was stopped by SIGKILL"));
}

}  // namespace
}  // namespace ggufgate::testing
