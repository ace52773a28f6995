// A loader that tries forbidden acts (hostile_loader.c), run by the command.

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstddef>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "format/shard_name.h"
#include "gate/reading/descriptor.h"
#include "parse/model.h"
#include "tests/oracles/plain_files.h"
#include "tests/support/command.h"
#include "tests/support/matchers.h"
#include "tests/support/sizes.h"
#include "tests/support/temp_folder.h"
#include "tests/support/texts/command_text.h"

namespace ggufgate::testing {
namespace {

using Json = nlohmann::json;

struct Told {
  int exit_code = -1;
  Json file;
  std::string out;
  std::string error;
  std::uint64_t peak_bytes = 0;  // of the command itself
};

class HostileLoaderTest : public ::testing::Test {
 protected:
  // Try makes the loader act when it gets a model.
  Told Try(const std::string& act, std::vector<std::string> options = {}) {
    Model model = Model::Minimal();
    model.Set("general.description", "act:" + act + ";");
    return TryOn(folder_.Write("model.gguf", Write(model)), std::move(options));
  }

  Told TryOn(const std::string& path, std::vector<std::string> options = {}) {
    std::vector<std::string> arguments = {
        "rehearse", "--format", "json", "--loader", GGUFGATE_HOSTILE_LOADER, path};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const CommandResult result = RunCommand(arguments);
    Told told{.exit_code = result.exit_code,
              .out = result.out,
              .error = result.error,
              .peak_bytes = result.peak_bytes};
    const Json report = Json::parse(result.out, nullptr, false);
    EXPECT_FALSE(report.is_discarded()) << result.out << result.error;
    if (!report.is_discarded()) told.file = report.at("files").at(0);
    return told;
  }

  // ExpectFailed: the act had no effect, and the loader continued as if it had not tried.
  void ExpectFailed(const std::string& act) {
    const Told told = Try(act);
    EXPECT_EQ(told.exit_code, 0) << told.out << told.error;
    EXPECT_EQ(told.file.at("outcome"), "runs") << act << ": " << told.file.at("reason");
  }

  TempFolder folder_;
};

TEST_F(HostileLoaderTest, RunsWhenItDoesNothing) {
  const Told told = Try("nothing");
  EXPECT_EQ(told.exit_code, 0) << told.out << told.error;
  EXPECT_EQ(told.file.at("outcome"), "runs");
  EXPECT_EQ(told.file.at("stage"), "done");
}

// Each shard has a descriptor of its own, behind those of the driver.
TEST_F(HostileLoaderTest, GetsAllShardsOfASet) {
  constexpr std::uint16_t kCount = 20;
  std::string first;
  for (std::uint16_t number = kCount; number > 0; --number) {
    Model shard = number == 1 ? Model::Minimal() : Model();
    if (number > 1) shard.Add("w." + std::to_string(number), TensorType::kF32, {8});
    shard.Set("split.no", static_cast<std::uint16_t>(number - 1)).Set("split.count", kCount);
    shard.Set("split.tensors.count", std::int32_t{kCount});
    first = folder_.Write(FileNameOf({.stem = "model", .number = number, .count = kCount}),
                          Write(shard));
  }
  const Told told = TryOn(first);
  EXPECT_EQ(told.exit_code, 0) << told.out << told.error;
  EXPECT_EQ(told.file.at("outcome"), "runs");
  EXPECT_EQ(told.file.at("shards"), kCount);
}

// The loader does report a successful act: it may read its own libraries.
TEST_F(HostileLoaderTest, TellsOfWhatSucceeds) {
  const Told told = Try(std::string("read ") + GGUFGATE_HOSTILE_LOADER);
  EXPECT_EQ(told.exit_code, 1);
  EXPECT_EQ(told.file.at("outcome"), "refuses");
  EXPECT_THAT(told.file.at("reason"), HasSubstr("the act read succeeded"));
  EXPECT_EQ(Try(std::string("read ") + GGUFGATE_HOSTILE_LOADER, {"--accept-refusal"}).exit_code, 0);
}

TEST_F(HostileLoaderTest, ReadsNoOtherFile) {
  const std::string secret = folder_.WriteText("secret", "a secret");
  for (const std::string& path :
       {secret, std::string("/etc/passwd"), std::string("/etc/hostname"),
        std::string(GGUFGATE_SOURCE_DIR) + "/README.md", folder_.Path("model.gguf"),
        std::string("/proc/meminfo"), std::string("/proc/1/status")}) {
    ExpectFailed("read " + path);
  }
  for (const char* const folder : {"/", "/etc", "/proc", "/tmp", GGUFGATE_SOURCE_DIR}) {
    ExpectFailed(std::string("list ") + folder);
  }
}

TEST_F(HostileLoaderTest, WritesNoFile) {
  const std::string file = folder_.WriteText("kept", "as it was");
  ExpectFailed("write " + file);
  ExpectFailed("write " + folder_.Path("new"));
  ExpectFailed("write /dev/null");
  ExpectFailed("write /dev/shm/ggufgate-hostile");
  EXPECT_FALSE(std::filesystem::exists(folder_.Path("new")));
  EXPECT_EQ(std::filesystem::file_size(file), 9U);
}

TEST_F(HostileLoaderTest, DoesNotEscapeThroughProc) { ExpectFailed("proc"); }
TEST_F(HostileLoaderTest, DoesNotChangeTheStandIn) { ExpectFailed("stand-in"); }
TEST_F(HostileLoaderTest, HasNoNetwork) { ExpectFailed("connect"); }
TEST_F(HostileLoaderTest, SignalsNobody) { ExpectFailed("signal"); }
TEST_F(HostileLoaderTest, TracesNobody) { ExpectFailed("trace"); }
TEST_F(HostileLoaderTest, StartsNoProcess) { ExpectFailed("fork"); }
TEST_F(HostileLoaderTest, BecomesNoOtherProgram) {
  ExpectFailed("exec /bin/true");
  ExpectFailed("exec /proc/self/exe");
}
TEST_F(HostileLoaderTest, SharesNoMemoryThatIsNotCounted) { ExpectFailed("share"); }
TEST_F(HostileLoaderTest, AsksTheSystemForNothingMore) { ExpectFailed("more"); }

TEST_F(HostileLoaderTest, ReachesNoAbstractSocket) {
  const std::string name = "ggufgate-hostile-" + std::to_string(::getpid());
  sockaddr_un address{.sun_family = AF_UNIX};
  std::memcpy(address.sun_path + 1, name.data(), name.size());
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
  const Descriptor listening(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  ASSERT_EQ(::bind(listening.get(), reinterpret_cast<sockaddr*>(&address), size), 0);
  ASSERT_EQ(::listen(listening.get(), 1), 0);
  ExpectFailed("abstract " + name);
  EXPECT_LT(::accept(listening.get(), nullptr, nullptr), 0);
}

TEST_F(HostileLoaderTest, TakesNoMoreMemoryThanItMay) {
  const Told told = Try("memory", {"--memory", "256"});
  EXPECT_EQ(told.exit_code, 1);
  EXPECT_EQ(told.file.at("outcome"), "exceeds-memory");
  EXPECT_LT(told.file.at("peak_bytes"), std::uint64_t{4} << 30);
}

// Pages of the stand-in count, although they are in no mapping.
TEST_F(HostileLoaderTest, HidesNoMemoryInTheStandIn) {
  Model model = Model::Minimal();
  model.Set("general.description", "act:hidden-memory;");
  model.Add("weights", TensorType::kF32, {std::uint64_t{32} << 20});
  const std::vector<std::uint8_t> whole = Write(model);
  const std::uint64_t weights = std::uint64_t{128} << 20;
  const Bytes front = Bytes(whole).first(whole.size() - weights);
  const Told told =
      TryOn(folder_.MakeSparse("large.gguf", front, whole.size()), {"--memory", "64"});
  EXPECT_EQ(told.file.at("outcome"), "exceeds-memory") << told.file;
}

// WithWeights returns a model whose last mebibyte is weights other than zeros.
std::vector<std::uint8_t> WithWeights(const std::string& act) {
  Model model = Model::Minimal();
  model.Set("general.description", "act:" + act + ";");
  model.Add("weights", TensorType::kF32, {std::uint64_t{256} << 10});
  std::vector<std::uint8_t> file = Write(model);
  std::fill(file.end() - (1 << 20), file.end(), std::uint8_t{0x3F});
  return file;
}

TEST_F(HostileLoaderTest, GetsWeightsOnlyOnRequest) {
  const std::string path = folder_.Write("model.gguf", WithWeights("weights 65536"));
  const Told zeros = TryOn(path);
  EXPECT_EQ(zeros.file.at("outcome"), "runs") << zeros.file;
  EXPECT_LT(zeros.file.at("read_bytes"), 65536);
  const Told real = TryOn(path, {"--data", "real"});
  EXPECT_EQ(real.file.at("outcome"), "refuses") << real.file;
  EXPECT_THAT(real.file.at("reason"), HasSubstr("the act weights succeeded"));
  EXPECT_EQ(real.file.at("read_bytes"), real.file.at("size"));
}

TEST_F(HostileLoaderTest, DoesNotChangeTheModel) {
  const std::vector<std::uint8_t> before = WithWeights("stand-in");
  const std::string path = folder_.Write("model.gguf", before);
  const Told told = TryOn(path, {"--data", "real"});
  EXPECT_EQ(told.file.at("outcome"), "runs") << told.file;
  std::vector<std::uint8_t> after;
  ASSERT_TRUE(ReadWhole(path, after));
  EXPECT_EQ(after, before);
}

// A model that the check copied from a pipe is no file, and needs no permission to be read.
TEST_F(HostileLoaderTest, GetsTheWeightsOfAPipe) {
  const std::vector<std::uint8_t> model = WithWeights("weights 65536");
  const CommandResult result =
      RunCommand({"rehearse", "--data", "real", "--loader", GGUFGATE_HOSTILE_LOADER, "-"},
                 {.input = std::string(model.begin(), model.end())});
  EXPECT_EQ(result.exit_code, 1) << result.error;
  EXPECT_THAT(result.out, AllOf(HasSubstr("data    real"), HasSubstr("the act weights succeeded")));
}

// Blocks that a loader only clears, and copies of zeros, take no memory. memset() and memcpy() have
// no other effect.
TEST_F(HostileLoaderTest, ClearsAndCopiesLargeBlocks) {
  Model model = Model::Minimal();
  model.Add("weights", TensorType::kF32, {std::uint64_t{4} << 20});
  for (const char* const act : {"act:clear;", "act:copy;"}) {
    const std::vector<std::uint8_t> whole = Write(model.Set("general.description", act));
    const Bytes front = Bytes(whole).first(whole.size() - (std::size_t{16} << 20));
    const Told told =
        TryOn(folder_.MakeSparse("large.gguf", front, whole.size()),
              {"--memory", kSanitized ? "2048" : "256"});  // a sanitizer's functions use all pages
    EXPECT_EQ(told.file.at("outcome"), "runs") << told.file;
  }
  const Told wrong = Try("clear-read-only");
  EXPECT_EQ(wrong.file.at("outcome"), "crashes") << wrong.file;
  EXPECT_EQ(wrong.file.at("stage"), "load");
}

TEST_F(HostileLoaderTest, StartsNoMoreThreadsThanItMay) {
  const Told told = Try("threads");
  EXPECT_EQ(told.exit_code, 1);
  EXPECT_EQ(told.file.at("outcome"), "exceeds-memory");
  EXPECT_THAT(told.file.at("reason"), HasSubstr("thread limit"));
}

TEST_F(HostileLoaderTest, TakesNoMoreTimeThanItMay) {
  const Told told = Try("time", {"--seconds", "1"});
  EXPECT_EQ(told.exit_code, 1);
  EXPECT_EQ(told.file.at("outcome"), "hangs");
  if (!kFullLength) return;  // the limit of elapsed time is at least ten seconds
  EXPECT_EQ(Try("sleep", {"--seconds", "1"}).file.at("outcome"), "hangs");
}

TEST_F(HostileLoaderTest, EndlessOutputIsReadAndForgotten) {
  const Told told = Try("output", {"--seconds", "1"});
  EXPECT_EQ(told.exit_code, 1);
  EXPECT_EQ(told.file.at("outcome"), "hangs");
  EXPECT_LT(told.out.size(), 10'000U);
  EXPECT_LT(told.peak_bytes, std::uint64_t{256} << 20);
}

TEST_F(HostileLoaderTest, ForgesNoOutcome) {
  const Told forged = Try("forge");
  EXPECT_EQ(forged.exit_code, 2);
  EXPECT_EQ(forged.file.at("outcome"), "not-rehearsed");
  const Told exited = Try("exit");
  EXPECT_EQ(exited.exit_code, 1);
  EXPECT_EQ(exited.file.at("outcome"), "crashes");
  EXPECT_EQ(exited.file.at("stage"), "load");
  EXPECT_EQ(Try("close").exit_code, 1) << "a report that does not arrive is missed";
  const Told killed = Try("kill");
  EXPECT_EQ(killed.exit_code, 2);
  EXPECT_EQ(killed.file.at("outcome"), "not-rehearsed");
}

TEST_F(HostileLoaderTest, ItsWordsAreEscaped) {
  Model model = Model::Minimal();
  model.Set("general.description", "act:say x\x1b[31m;");
  const std::string path = folder_.Write("model.gguf", Write(model));
  for (const char* const format : {"text", "json"}) {
    const CommandResult result =
        RunCommand({"rehearse", "--format", format, "--loader", GGUFGATE_HOSTILE_LOADER, path});
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_THAT(result.out, Not(HasSubstr("\x1b")));
    EXPECT_THAT(result.out, HasSubstr("act say succeeded"));
  }
}

TEST_F(HostileLoaderTest, EveryReportFitsTheSchema) {
  ASSERT_TRUE(CanValidate()) << "python3-jsonschema is missing: run scripts/setup";
  for (const char* const act : {"nothing", "exit", "forge", "say \x1b"}) {
    EXPECT_TRUE(FitsSchema(Try(act).out, "rehearsal-1")) << act;
  }
  EXPECT_TRUE(FitsSchema(TryOn(folder_.Path("absent")).out, "rehearsal-1"));
}

TEST_F(HostileLoaderTest, StandardInputIsRehearsed) {
  const std::vector<std::uint8_t> bytes = Write(Model::Minimal());
  const CommandResult result = RunCommand({"rehearse", "--loader", GGUFGATE_HOSTILE_LOADER, "-"},
                                          {.input = {bytes.begin(), bytes.end()}});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.error;
  EXPECT_THAT(result.out, HasSubstr("runs            -"));
}

TEST_F(HostileLoaderTest, ItsNameNeedsNoEnding) {
  const std::string loader = folder_.Path("loader");
  std::filesystem::copy_file(GGUFGATE_HOSTILE_LOADER, loader);
  const std::string model = folder_.Write("model.gguf", Write(Model::Minimal()));
  const CommandResult result = RunCommand({"rehearse", "--loader", loader, model});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.error;
}

TEST_F(HostileLoaderTest, AFolderIsNoLoader) {
  const std::string model = folder_.Write("model.gguf", Write(Model::Minimal()));
  const CommandResult result = RunCommand({"rehearse", "--loader", folder_.Path("."), model});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.error, HasSubstr("this is a folder; give the library in it"));
}

TEST_F(HostileLoaderTest, WhatIsRejectedIsNotGivenToIt) {
  std::vector<std::uint8_t> bytes = Write(Model::Minimal());
  bytes.at(0) = 'X';
  const Told told = TryOn(folder_.Write("bad.gguf", bytes));
  EXPECT_EQ(told.exit_code, 1);
  EXPECT_EQ(told.file.at("outcome"), "not-rehearsed");
  EXPECT_EQ(told.file.at("static_verdict"), "reject");
  EXPECT_THAT(told.error, HasSubstr("magic"));
}

}  // namespace
}  // namespace ggufgate::testing
