// ggufgate mutate: files, and a manifest of their expected verdicts.

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "check/rule.h"
#include "mutate/mutation.h"
#include "parse/model.h"
#include "tests/support/command.h"
#include "tests/support/judge.h"
#include "tests/support/matchers.h"
#include "tests/support/temp_folder.h"
#include "tests/support/texts/command_text.h"

namespace ggufgate::testing {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using Arguments = std::vector<std::string>;
using ::testing::IsSubsetOf;

std::vector<std::uint8_t> ContentOf(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<std::string> NamesIn(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) {
    names.push_back(entry.path().filename().string());
  }
  std::ranges::sort(names);
  return names;
}

std::vector<Json> ManifestIn(const std::string& folder) {
  const std::vector<std::uint8_t> bytes = ContentOf(folder + "/manifest.jsonl");
  std::vector<Json> lines;
  for (const std::string& line : Lines(std::string(bytes.begin(), bytes.end()))) {
    lines.push_back(Json::parse(line));
  }
  return lines;
}

std::set<std::string> RulesOf(const Json& line) {
  const Json rule = line.at("rule");
  if (rule.is_string()) return {rule.get<std::string>()};
  return rule.get<std::set<std::string>>();
}

Model SmallModel() {
  Model model = Model::Minimal();
  model.Set("general.name", "small").Set("llama.block_count", std::uint32_t{1});
  model.Add("a", TensorType::kF32, {8});
  model.Add("b", TensorType::kQ8_0, {32, 2});
  return model;
}

// MutateTest has a seed, and a folder for output that does not exist yet.
class MutateTest : public ::testing::Test {
 protected:
  CommandResult Mutate(const Arguments& more, const std::string& into = {}) {
    Arguments arguments = {"mutate", seed_, "--output-dir", into.empty() ? out_ : into};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return RunCommand(arguments);
  }

  // ExpectRefused expects an error with this message, and no output.
  void ExpectRefused(const Arguments& arguments, const std::string& message) {
    const CommandResult result = RunCommand(arguments);
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.out, IsEmpty());
    EXPECT_THAT(result.error, HasSubstr(message));
    EXPECT_TRUE(IsHarmless(result.error));
    EXPECT_FALSE(fs::exists(out_));
  }

  TempFolder folder_;
  std::string seed_ = folder_.Write("seed.gguf", Write(SmallModel()));
  std::string out_ = folder_.Path("out");
};

TEST_F(MutateTest, WritesNumberedFilesAndALineForEach) {
  const CommandResult result = Mutate({"--count", "300"});
  EXPECT_EQ(result.exit_code, 0) << result.error;
  EXPECT_THAT(result.out, IsEmpty());
  EXPECT_EQ(result.error, "300 mutants and manifest.jsonl in " + out_ + "\n");
  const std::vector<std::string> names = NamesIn(out_);
  ASSERT_EQ(names.size(), 301U);
  EXPECT_EQ(names.front(), "000000.gguf");
  EXPECT_EQ(names.back(), "manifest.jsonl");

  const std::vector<Json> manifest = ManifestIn(out_);
  ASSERT_EQ(manifest.size(), 300U);
  std::set<std::string> modes;
  for (std::size_t i = 0; i < manifest.size(); ++i) {
    const Json& line = manifest.at(i);
    EXPECT_EQ(line.at("file"), names.at(i));
    EXPECT_TRUE(line.at("seed").is_number_unsigned());
    EXPECT_EQ(line.at("from"), seed_);
    EXPECT_EQ(line.contains("rule"), line.at("expect") == "reject");
    for (const Json& slug : line.at("mutations")) {
      EXPECT_NE(mutate::FindMutation(slug.get<std::string>()), nullptr) << slug;
    }
    EXPECT_NE(ContentOf(out_ + "/" + names.at(i)), ContentOf(seed_)) << line;
    modes.insert(line.at("mode"));
  }
  EXPECT_EQ(modes, (std::set<std::string>{"consistent", "one-lie", "raw", "semi"}));
}

TEST_F(MutateTest, ConsistentAndGeneratedAreAccepted) {
  for (const std::string mode : {"consistent", "generate"}) {
    const std::string into = folder_.Path(mode);
    ASSERT_EQ(Mutate({"--count", "200", "--mode", mode}, into).exit_code, 0);
    for (const Json& line : ManifestIn(into)) {
      EXPECT_EQ(line.at("expect"), "accept");
      EXPECT_TRUE(Judge(ContentOf(into + "/" + line.at("file").get<std::string>())).Accepted())
          << line;
    }
  }
}

TEST_F(MutateTest, ALieIsRejectedByItsRule) {
  ASSERT_EQ(Mutate({"--count", "200", "--mode", "one-lie"}).exit_code, 0);
  for (const Json& line : ManifestIn(out_)) {
    ASSERT_EQ(line.at("expect"), "reject") << line;
    const std::set<std::string> rules = RulesOf(line);
    const std::string path = out_ + "/" + line.at("file").get<std::string>();
    EXPECT_THAT(
        Judge(ContentOf(path)).AllRules(Severity::kError),
        Contains(::testing::Truly([&](const std::string& rule) { return rules.contains(rule); })))
        << line;
    for (const std::string& rule : rules) EXPECT_NE(FindRule(rule), nullptr) << rule;
  }
}

TEST_F(MutateTest, ReducedIsNeverLarger) {
  ASSERT_EQ(Mutate({"--count", "100", "--mode", "reduce"}).exit_code, 0);
  std::set<std::size_t> sizes;
  for (const Json& line : ManifestIn(out_)) {
    EXPECT_EQ(line.at("mode"), "reduce");
    sizes.insert(ContentOf(out_ + "/" + line.at("file").get<std::string>()).size());
  }
  EXPECT_LE(*sizes.rbegin(), ContentOf(seed_).size());
  EXPECT_LT(*sizes.begin(), ContentOf(seed_).size());
  EXPECT_GT(sizes.size(), 3U);
}

TEST_F(MutateTest, TheSameCommandMakesTheSameFiles) {
  const std::string again = folder_.Path("again");
  const std::string other = folder_.Path("other");
  ASSERT_EQ(Mutate({"--count", "200", "--seed", "7"}).exit_code, 0);
  ASSERT_EQ(Mutate({"--count", "200", "--seed", "7"}, again).exit_code, 0);
  ASSERT_EQ(Mutate({"--count", "200", "--seed", "8"}, other).exit_code, 0);
  std::size_t differ = 0;
  for (const std::string& name : NamesIn(out_)) {
    EXPECT_EQ(ContentOf(out_ + "/" + name), ContentOf(again + "/" + name)) << name;
    differ += ContentOf(out_ + "/" + name) != ContentOf(other + "/" + name) ? 1U : 0U;
  }
  EXPECT_GT(differ, 150U);
}

TEST_F(MutateTest, AnyFileIsMadeAgainFromItsLine) {
  const std::string second = folder_.Write("second.gguf", Write(Model::Minimal()));
  ASSERT_EQ(Mutate({second, "--count", "40"}).exit_code, 0);
  for (const Json& line : ManifestIn(out_)) {
    const std::string again = folder_.Path("again");
    fs::remove_all(again);
    const std::string seed = std::to_string(line.at("seed").get<std::uint64_t>());
    ASSERT_EQ(RunCommand({"mutate", line.at("from"), line.at("donor"), "--count", "1", "--seed",
                          seed, "--output-dir", again})
                  .exit_code,
              0);
    EXPECT_EQ(ContentOf(again + "/000000.gguf"),
              ContentOf(out_ + "/" + line.at("file").get<std::string>()))
        << line;
  }
}

TEST_F(MutateTest, NoMutantIsLargerThanAsked) {
  ASSERT_EQ(Mutate({"--count", "300", "--max-size", "100"}).exit_code, 0);
  for (const std::string& name : NamesIn(out_)) {
    if (name == "manifest.jsonl") continue;
    EXPECT_LE(fs::file_size(out_ + "/" + name), 100U);
  }
}

TEST_F(MutateTest, SeedsMayBeFoldersAndStandardInputAndNoModelAtAll) {
  const std::string models = folder_.MakeFolder("models");
  const std::string one = folder_.Write("models/one.gguf", Write(Model::Minimal()));
  const std::string two = folder_.Write("models/two", Write(Model::Minimal()));
  folder_.WriteText("models/notes.txt", "no model");
  const std::string odd = folder_.WriteText("odd", "anything");
  const CommandResult result = RunCommand(
      {"mutate", models, "-", odd, "--count", "8", "--output-dir", out_}, {.input = "GGUF"});
  ASSERT_EQ(result.exit_code, 0) << result.error;
  std::vector<std::string> from;
  for (const Json& line : ManifestIn(out_)) from.push_back(line.at("from"));
  EXPECT_THAT(from, ElementsAre(one, two, "-", odd, one, two, "-", odd));
  const std::string notice = ": does not begin with \"GGUF\"; its mutants may keep little of it\n";
  EXPECT_THAT(result.error, ::testing::StartsWith("ggufgate: " + odd + notice + "8 mutants"));
}

TEST_F(MutateTest, GenerateNeedsNoSeed) {
  ASSERT_EQ(
      RunCommand({"mutate", "--mode", "generate", "--count", "5", "--output-dir", out_}).exit_code,
      0);
  EXPECT_EQ(ManifestIn(out_).size(), 5U);
}

// --- where it writes -----------------------------------------------------------------------------

TEST_F(MutateTest, TakesAnEmptyFolderAndNoOtherUnlessForced) {
  fs::create_directory(out_);
  ASSERT_EQ(Mutate({"--count", "5"}).exit_code, 0);
  const CommandResult again = Mutate({"--count", "3"});
  EXPECT_EQ(again.exit_code, 2);
  EXPECT_THAT(again.error, HasSubstr("it is not empty; --force"));
  EXPECT_EQ(ManifestIn(out_).size(), 5U) << "as it was";
  EXPECT_EQ(Mutate({"--count", "3", "--force"}).exit_code, 0);
  EXPECT_EQ(ManifestIn(out_).size(), 3U);
}

TEST_F(MutateTest, ForcedItReplacesLinksAndNotWhatTheyLeadTo) {
  fs::create_directory(out_);
  const std::string mine = folder_.WriteText("mine", "precious");
  fs::create_symlink(mine, out_ + "/000000.gguf");
  fs::create_hard_link(mine, out_ + "/000001.gguf");
  ASSERT_EQ(Mutate({"--count", "2", "--force"}).exit_code, 0);
  EXPECT_EQ(ContentOf(mine).size(), 8U);
  EXPECT_FALSE(fs::is_symlink(out_ + "/000000.gguf"));
}

TEST_F(MutateTest, NeverOverwritesItsSeeds) {
  fs::create_directory(out_);
  const std::string seed = folder_.Write("out/000000.gguf", Write(SmallModel()));
  const std::string link = folder_.Link("link", "out/000000.gguf");
  for (const std::string& named : {seed, link, out_}) {
    const CommandResult result = RunCommand({"mutate", named, "--output-dir", out_, "--force"});
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.error, HasSubstr("it contains seeds"));
  }
  EXPECT_EQ(ContentOf(seed), Write(SmallModel()));
}

TEST_F(MutateTest, LeavesNothingBehindWhenItFails) {
  // The second batch of files finds a folder where a file should be.
  fs::create_directories(out_ + "/000200.gguf");
  const CommandResult result = Mutate({"--count", "300", "--force"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.error, HasSubstr("cannot write"));
  EXPECT_THAT(NamesIn(out_), ElementsAre("000200.gguf"));
}

TEST_F(MutateTest, SaysWhyItCannotWrite) {
  folder_.WriteText("file", "x");
  ExpectRefused({"mutate", seed_, "--output-dir", folder_.Path("file")}, "it is not a folder");
  ExpectRefused({"mutate", seed_, "--output-dir", folder_.Path("none/out")},
                "there is no folder " + folder_.Path("none"));
}

// --- wrong usage ---------------------------------------------------------------------------------

TEST_F(MutateTest, RefusesWhatItCannotUse) {
  ExpectRefused({"mutate", seed_}, "needs --output-dir");
  ExpectRefused({"mutate", "--output-dir", out_}, "needs a SEED");
  ExpectRefused({"mutate", seed_, "--output-dir", out_, "--mode", "worse"}, "--mode");
  ExpectRefused({"mutate", seed_, "--output-dir", out_, "--count", "0"}, "--count");
  ExpectRefused({"mutate", seed_, "--output-dir", out_, "--seed", "x"}, "--seed");
  ExpectRefused({"mutate", seed_, "--output-dir", out_, "--max-size", "99999999999"}, "--max-size");
  ExpectRefused({"mutate", seed_, "--list"}, "cannot be combined with seeds");
  ExpectRefused({"mutate", "-", "-", "--output-dir", out_}, "(-) is given more than once");
  ExpectRefused({"mutate", "", "--output-dir", out_}, "SEED: must not be empty");
  ExpectRefused({"mutate", seed_, "--output-dir", ""}, "--output-dir: must not be empty");
  ExpectRefused({"mutate", folder_.Path("none"), "--output-dir", out_}, "No such file");
  ExpectRefused({"mutate", folder_.MakeFolder("empty"), "--output-dir", out_}, "no GGUF file in");
  ExpectRefused({"mutate", folder_.MakePipe("pipe"), "--output-dir", out_}, "pipe");
}

TEST_F(MutateTest, ALargeSeedIsAnErrorWhenNamedAndLeftOutWhenFound) {
  folder_.MakeFolder("models");
  const std::string large =
      folder_.MakeSparse("models/large.gguf", Write(SmallModel()), (16U << 20) + 1);
  ExpectRefused({"mutate", large, "--output-dir", out_},
                "seed size is 16,777,217 bytes; must be at most");
  ExpectRefused({"mutate", folder_.Path("models"), "--output-dir", out_}, "no seeds");
  folder_.Write("models/small.gguf", Write(SmallModel()));
  const CommandResult result =
      RunCommand({"mutate", folder_.Path("models"), "--count", "2", "--output-dir", out_});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.error, HasSubstr("large.gguf: seed size"));
  EXPECT_THAT(result.error, HasSubstr("left out"));
}

TEST_F(MutateTest, HostileNamesAreEscaped) {
  const std::string name = "a\x1b[31m\n\xE2\x80\xAE.gguf";
  folder_.MakeFolder("odd");
  folder_.Write("odd/" + name, Write(SmallModel()));
  const CommandResult result =
      RunCommand({"mutate", folder_.Path("odd"), "--count", "3", "--output-dir", out_});
  ASSERT_EQ(result.exit_code, 0) << result.error;
  const std::vector<std::uint8_t> manifest = ContentOf(out_ + "/manifest.jsonl");
  EXPECT_TRUE(IsHarmless(std::string(manifest.begin(), manifest.end())));
  const std::string into = folder_.Path("out\x1b[31m");
  EXPECT_TRUE(IsHarmless(Mutate({"--count", "1"}, into).error));
  EXPECT_TRUE(IsHarmless(Mutate({"--count", "1"}, into).error));  // fails
}

// --- the list ------------------------------------------------------------------------------------

TEST(MutateList, HasALineForEachMutation) {
  const CommandResult result = RunCommand({"mutate", "--list"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.error, IsEmpty());
  const std::vector<std::string> lines = Lines(result.out);
  ASSERT_EQ(lines.size(), mutate::AllMutations().size());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const mutate::Mutation& mutation = mutate::AllMutations()[i];
    EXPECT_TRUE(lines.at(i).starts_with("  " + std::string(mutation.slug) + " "));
    EXPECT_THAT(lines.at(i), HasSubstr(std::string(mutation.what)));
  }
}

TEST(MutateList, JsonHasFamilyKindDataAndRules) {
  const CommandResult result = RunCommand({"mutate", "--list", "--format", "json"});
  EXPECT_EQ(result.exit_code, 0);
  const Json list = Json::parse(result.out);
  EXPECT_EQ(list.at("schema"), "ggufgate.mutations/1");
  ASSERT_EQ(list.at("mutations").size(), mutate::AllMutations().size());
  for (std::size_t i = 0; i < list.at("mutations").size(); ++i) {
    const Json& json = list.at("mutations").at(i);
    const mutate::Mutation& mutation = mutate::AllMutations()[i];
    EXPECT_EQ(json.at("id"), mutation.slug);
    EXPECT_EQ(json.at("family"), WordFor(mutation.family));
    EXPECT_THAT(json.at("kind"), AnyOf("edit", "benign", "lie", "model"));
    EXPECT_THAT(json.at("data"), AnyOf("none", "scales", "full"));
    EXPECT_EQ(json.at("rules").empty(), json.at("kind") != "lie");
    for (const Json& rule : json.at("rules")) {
      EXPECT_NE(FindRule(rule.get<std::string>()), nullptr) << rule;
    }
  }
}

}  // namespace
}  // namespace ggufgate::testing
