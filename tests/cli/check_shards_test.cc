// ggufgate check: the shards of one model.

#include <algorithm>
#include <filesystem>
#include <string>

#include "parse/model.h"
#include "tests/support/command.h"
#include "tests/support/matchers.h"
#include "tests/support/temp_folder.h"
#include "tests/support/texts/command_text.h"

namespace ggufgate::testing {
namespace {

std::string Name(const std::string& stem, std::uint16_t number, std::uint16_t count) {
  return stem + "-0000" + std::to_string(number) + "-of-0000" + std::to_string(count) + ".gguf";
}

// Put writes shard `number`, from 1, and returns its path.
std::string Put(const TempFolder& folder, const std::string& stem, std::uint16_t number,
                std::uint16_t count) {
  Model model;
  if (number == 1) model.Set("general.architecture", "test");
  model.Set("split.no", static_cast<std::uint16_t>(number - 1)).Set("split.count", count);
  model.Set("split.tensors.count", std::int32_t{count});
  model.Add("w." + std::to_string(number), TensorType::kF32, {8});
  return folder.Write(Name(stem, number, count), Write(model));
}

TEST(CheckShards, AFolderWithAMissingShardNamesIt) {
  const TempFolder folder;
  Put(folder, "model", 1, 3);
  Put(folder, "model", 3, 3);
  const CommandResult result = RunCommand({"check", folder.path()});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.out, HasSubstr("error[shard-set] split.count: shard "
                                    "\"model-00002-of-00003.gguf\" is missing"));
  EXPECT_THAT(result.out,
              HasSubstr("\"model-00001-of-00003.gguf\", another shard of the set, is faulty"));
  EXPECT_EQ(result.error, "2 files: 0 ok, 2 rejected, 0 undecided\n");
}

TEST(CheckShards, ACompleteSetIsOkInAnyOrderOfPaths) {
  const TempFolder folder;
  std::vector<std::string> arguments = {"check", "--jobs", "4"};
  for (std::uint16_t number = 3; number > 0; --number) {
    arguments.push_back(Put(folder, "model", number, 3));
  }
  const CommandResult reversed = RunCommand(arguments);
  EXPECT_EQ(reversed.exit_code, 0) << reversed.out;
  const std::vector<std::string> lines = Lines(reversed.out);
  ASSERT_EQ(lines.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_THAT(lines.at(i), StartsWith("ok      " + arguments.at(i + 3)));
  }
  EXPECT_EQ(RunCommand({"check", folder.path()}).exit_code, 0);
  EXPECT_EQ(RunCommand({"check", arguments.back()}).exit_code, 0) << "one of them alone";
}

TEST(CheckShards, AFirstShardBringsItsSet) {
  const TempFolder folder;
  const std::string first = Put(folder, "model", 1, 3);
  const std::string second = Put(folder, "model", 2, 3);
  const std::string third = Put(folder, "model", 3, 3);
  const CommandResult whole = RunCommand({"check", first});
  EXPECT_EQ(whole.exit_code, 0) << whole.out;
  EXPECT_THAT(Lines(whole.out), SizeIs(3));
  EXPECT_THAT(whole.out, Not(HasSubstr("checked alone")));
  const CommandResult further = RunCommand({"check", second});
  EXPECT_THAT(Lines(further.out), SizeIs(1));
  EXPECT_THAT(further.out, HasSubstr("one of 3 shards, checked alone"));

  std::filesystem::resize_file(second, std::filesystem::file_size(second) - 16);
  const CommandResult cut = RunCommand({"check", first});
  EXPECT_EQ(cut.exit_code, 1);
  EXPECT_THAT(cut.out, AllOf(HasSubstr("reject  " + first), HasSubstr("reject  " + second)));
  std::filesystem::remove(second);
  const CommandResult missing = RunCommand({"check", first});
  EXPECT_EQ(missing.exit_code, 1);
  EXPECT_THAT(missing.out, HasSubstr("shard \"model-00002-of-00003.gguf\" is missing"));
  std::filesystem::create_symlink("nowhere", second);
  EXPECT_EQ(RunCommand({"check", first}).exit_code, 2) << "nobody can read it";
}

// As `hf download` makes them.
TEST(CheckShards, AFirstShardThatIsALinkBringsTheLinksBesideIt) {
  const TempFolder folder;
  folder.MakeFolder("blobs");
  for (const std::uint16_t number : {std::uint16_t{1}, std::uint16_t{2}}) {
    std::filesystem::rename(Put(folder, "m", number, 2),
                            folder.Path("blobs/" + std::to_string(number)));
    folder.Link(Name("m", number, 2), "blobs/" + std::to_string(number));
  }
  const std::string first = folder.Path(Name("m", 1, 2));
  EXPECT_THAT(Lines(RunCommand({"check", first}).out), SizeIs(2));
  EXPECT_EQ(RunCommand({"check", first}).exit_code, 0);
  std::filesystem::remove(folder.Path(Name("m", 2, 2)));
  EXPECT_EQ(RunCommand({"check", first}).exit_code, 1);
}

TEST(CheckShards, ANameThatNoShardHasIsSaid) {
  const TempFolder folder;
  std::filesystem::rename(Put(folder, "m", 2, 2), folder.Path(Name("m", 3, 2)));
  for (const std::string& path : {folder.path(), folder.Path(Name("m", 3, 2))}) {
    const CommandResult result = RunCommand({"check", path});
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_THAT(result.out, HasSubstr("error[shard-set] the file name says shard 3 of 2; there is "
                                      "no such shard"));
  }
}

TEST(CheckShards, AWholeModelUnderTheNameOfAPartIsToldOf) {
  const TempFolder folder;
  const std::string part = folder.Write(Name("m", 2, 2), Write(Model::Minimal()));
  const std::string warning = "warning[shard-set] split.no or split.count is absent";
  for (const std::string& path : {part, folder.path()}) {
    const CommandResult result = RunCommand({"check", path});
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_THAT(result.out, HasSubstr(warning)) << path;
    EXPECT_EQ(RunCommand({"check", "--fail-on", "warning", path}).exit_code, 1);
  }
  const std::string first = folder.Write(Name("n", 1, 2), Write(Model::Minimal()));
  EXPECT_THAT(RunCommand({"check", first}).out, HasSubstr(warning));
  const std::string whole = folder.Write(Name("o", 1, 1), Write(Model::Minimal()));
  EXPECT_THAT(RunCommand({"check", whole}).out, Not(HasSubstr("shard-set")));
}

TEST(CheckShards, TwoSetsMixedAreToldApart) {
  const TempFolder folder;
  const std::vector<std::string> paths = {"check", Put(folder, "a", 1, 2), Put(folder, "b", 1, 2),
                                          Put(folder, "a", 2, 2), Put(folder, "b", 2, 2)};
  EXPECT_EQ(RunCommand(paths).exit_code, 0);
  // The second shard of one model instead of the other's.
  Model model;
  model.Set("split.no", std::uint16_t{1}).Set("split.count", std::uint16_t{2});
  model.Set("split.tensors.count", std::int32_t{2});
  model.Add("w.1", TensorType::kF32, {8});
  folder.Write(Name("b", 2, 2), Write(model));
  const CommandResult result = RunCommand(paths);
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.out,
              AllOf(HasSubstr("ok      " + paths.at(1)), HasSubstr("ok      " + paths.at(3)),
                    HasSubstr("reject  " + paths.at(2)),
                    HasSubstr("w.1: the tensor is also in \"b-00001-of-00002.gguf\"")));
}

TEST(CheckShards, ANameFromTheFolderIsEscaped) {
  const TempFolder folder;
  Put(folder, "evil\n\x1B[2J", 1, 2);
  const CommandResult result = RunCommand({"check", folder.path()});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(result.out.find('\x1B'), std::string::npos);
  EXPECT_EQ(Lines(result.out).size(), 2U) << result.out;
}

}  // namespace
}  // namespace ggufgate::testing
