// ggufgate check --jobs: many files at the same time, with the same report.

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "parse/model.h"
#include "tests/support/command.h"
#include "tests/support/sizes.h"
#include "tests/support/temp_folder.h"
#include "tests/support/texts/command_text.h"

namespace ggufgate::testing {
namespace {

using testing::kMiB;

using Json = nlohmann::ordered_json;

// MakeFiles makes files of different sizes, some of them broken. The names sort like numbers.
std::vector<std::string> MakeFiles(const TempFolder& folder, int count) {
  std::vector<std::string> paths;
  for (int i = 0; i < count; ++i) {
    Model model = Model::Minimal();
    if (i % 16 == 0) model.Add("large", TensorType::kI8, {1 << 20});
    if (i % 5 == 0) model.Set("Some.Note", std::uint32_t{1});
    if (i % 7 == 0) model.Set("", "no key");
    std::vector<std::uint8_t> file = Write(model);
    if (i % 3 == 0) file.resize(file.size() - 8);
    std::array<char, 16> name{};
    std::snprintf(name.data(), name.size(), "%05d.gguf", i);
    paths.push_back(folder.Write(name.data(), file));
  }
  return paths;
}

CommandResult CheckWith(const std::vector<std::string>& paths, const std::string& format,
                        const std::string& jobs) {
  std::vector<std::string> arguments = {"check", "--format", format, "--jobs", jobs, "--verbose"};
  arguments.insert(arguments.end(), paths.begin(), paths.end());
  return RunCommand(arguments);
}

TEST(CheckJobs, AnyNumberGivesTheSameReport) {
  const TempFolder folder;
  std::vector<std::string> paths = MakeFiles(folder, 60);
  paths.insert(paths.begin() + 10, folder.Path("missing"));
  std::ranges::reverse(paths);
  for (const std::string format : {"text", "json"}) {
    const CommandResult one = CheckWith(paths, format, "1");
    EXPECT_EQ(one.exit_code, 1);
    ASSERT_FALSE(one.out.empty());
    for (const char* jobs : {"2", "8", "64"}) {
      const CommandResult more = CheckWith(paths, format, jobs);
      EXPECT_EQ(more.exit_code, one.exit_code);
      EXPECT_EQ(WithoutTimes(more.out), WithoutTimes(one.out)) << jobs;
      EXPECT_EQ(more.error, one.error);
    }
  }
}

TEST(CheckJobs, FiveHundredFilesComeInOrder) {
  const TempFolder folder;
  std::vector<std::string> paths = MakeFiles(folder, 500);
  std::rotate(paths.begin(), paths.begin() + 123, paths.end());
  const Json report = Json::parse(CheckWith(paths, "json", "8").out);
  std::vector<std::string> seen;
  for (const Json& file : report.at("files")) seen.push_back(file.at("path"));
  EXPECT_EQ(seen, paths);
}

TEST(CheckJobs, AFolderOfFiveHundredComesSorted) {
  const TempFolder folder;
  const std::vector<std::string> paths = MakeFiles(folder, 500);
  const CommandResult result = RunCommand({"check", "--format", "json", folder.path()});
  const Json report = Json::parse(result.out);
  std::vector<std::string> seen;
  for (const Json& file : report.at("files")) seen.push_back(file.at("path"));
  EXPECT_EQ(seen, paths);
}

TEST(CheckJobs, MoreThanThereIsMemoryForDoNoHarm) {
  if (kSanitized) GTEST_SKIP() << "sanitizers need the address space themselves";
  const TempFolder folder;
  const std::string path = folder.Write("a", Write(Model::Minimal()));
  std::vector<std::string> arguments = {"check", "--quiet", "--jobs", "1024"};
  arguments.resize(arguments.size() + 1500, path);
  // The memory that remains after all stacks and arenas differs each time.
  for (const std::uint64_t mib : {1024U, 1022U, 1020U, 1018U, 300U, 100U}) {
    for (const char* data : {"--data=none", "--data=full"}) {
      std::vector<std::string> all = arguments;
      all.emplace_back(data);
      const CommandResult result = RunCommand(all, {.most_memory = mib * kMiB});
      EXPECT_EQ(result.exit_code, 0) << mib << data;
      EXPECT_EQ(result.error, "1500 files: 1500 ok, 0 rejected, 0 undecided\n") << mib << data;
    }
  }
}

TEST(CheckJobs, FilesThatTogetherNeedTooMuchMemoryAreJudgedAlone) {
  if (kSanitized) GTEST_SKIP() << "sanitizers need the address space themselves";
  const TempFolder folder;
  // One string of zeros: a hole in the file, but 262 MiB of memory in each of two threads.
  constexpr std::uint64_t kLength = 250 * kMiB;
  Encoder file(ByteOrder::kLittle);
  file.PutBytes(AsBytes(kMagic)).Put(std::uint32_t{3}).Put(std::uint64_t{0}).Put(std::uint64_t{1});
  file.PutString("k").Put(std::uint32_t{8}).Put(kLength);
  const std::string path = folder.Write("a", file.Take());
  std::filesystem::resize_file(path, std::filesystem::file_size(path) + kLength);
  std::vector<std::string> arguments = {"check", "--jobs", "1"};
  arguments.resize(arguments.size() + 6, path);
  const CommandResult one = RunCommand(arguments, {.most_memory = 590 * kMiB});
  EXPECT_EQ(one.exit_code, 0);
  EXPECT_EQ(one.error, "6 files: 6 ok, 0 rejected, 0 undecided\n");
  arguments.at(2) = "8";
  const CommandResult more = RunCommand(arguments, {.most_memory = 590 * kMiB});
  EXPECT_EQ(more.exit_code, one.exit_code);
  EXPECT_EQ(WithoutTimes(more.out), WithoutTimes(one.out));
  EXPECT_EQ(more.error, one.error);
}

}  // namespace
}  // namespace ggufgate::testing
