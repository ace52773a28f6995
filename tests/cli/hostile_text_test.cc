// Text from a file, or from its name, never reaches a terminal or a program unescaped.

#include <array>
#include <nlohmann/json.hpp>
#include <string>

#include "parse/model.h"
#include "tests/support/command.h"
#include "tests/support/matchers.h"
#include "tests/support/temp_folder.h"
#include "tests/support/texts/command_text.h"
#include "tests/support/texts/hostile_texts.h"

namespace ggufgate::testing {
namespace {

using Json = nlohmann::ordered_json;

using Paths = std::vector<std::string>;
using Commands = std::vector<std::vector<std::string>>;

// Inspections lists the commands that show one file.
Commands Inspections(const std::string& path) {
  return {{"inspect", path},
          {"inspect", "--layout", "--metadata", "--tensors", path},
          {"inspect", "--format", "json", "--layout", "--metadata", "--tensors", "--whole-arrays",
           path},
          {"inspect", "--format", "html", path},
          {"check", "--summary", path},
          {"inspect", "--key", "general.architecture", path},
          {"inspect", "--key", "tokenizer.chat_template", path},
          {"inspect", "--key", "no\x1b[2Jsuch", path},
          {"repair", "--dry-run", path},
          {"dequantize", "--stats", path},
          {"dequantize", "--stats", "--format", "json", path},
          {"dequantize", "--stats", path, "no\x1b[2Jsuch"}};
}

// Checks lists reports on files in every format.
Commands Checks(const Paths& paths) {
  Commands commands;
#define GGUFGATE_FORMAT(name, word, what)                       \
  commands.push_back({"check", "--format", word, "--verbose"}); \
  commands.push_back({"check", "--format", word, "--verbose", "--profile", "spec"});
#include "report/formats.def"
#undef GGUFGATE_FORMAT
  for (std::vector<std::string>& command : commands) {
    command.insert(command.end(), paths.begin(), paths.end());
  }
  return commands;
}

void ExpectHarmlessFrom(const Commands& commands) {
  for (const std::vector<std::string>& arguments : commands) {
    const CommandResult result = RunCommand(arguments);
    EXPECT_LE(result.exit_code, 2);
    EXPECT_GE(result.exit_code, 0);
    EXPECT_TRUE(IsHarmless(result.out)) << ::testing::PrintToString(arguments);
    EXPECT_TRUE(IsHarmless(result.error)) << ::testing::PrintToString(arguments);
  }
}

// ExpectHarmlessInChecks reports on all files at once in every format. Starting a process for each
// file takes minutes under a sanitizer.
void ExpectHarmlessInChecks(const Paths& paths) {
  ExpectHarmlessFrom(Checks({paths.front()}));
  if (paths.size() > 1) ExpectHarmlessFrom(Checks(paths));
}

// Of many files, only one build inspects each. The other builds are slow and would repeat the same
// tests.
#ifdef NDEBUG
constexpr std::size_t kInspectEach = 1;
#elif defined(GGUFGATE_SMOKE)
constexpr std::size_t kInspectEach = 50;
#else
constexpr std::size_t kInspectEach = 5;
#endif

void ExpectHarmlessInInspections(const Paths& paths) {
  for (std::size_t i = 0; i < paths.size(); i += kInspectEach) {
    ExpectHarmlessFrom(Inspections(paths.at(i)));
  }
}

// ExpectHarmless runs every command that shows parts of a file.
void ExpectHarmless(const Paths& paths) {
  ExpectHarmlessInInspections(paths);
  ExpectHarmlessInChecks(paths);
}

void ExpectHarmless(const std::string& path) { ExpectHarmless(Paths{path}); }

TEST(HostileText, InKeysAndValues) {
  const TempFolder folder;
  Model model = Model::Minimal();
  for (const std::string& text : HostileTexts()) {
    model.Set(text, text);
    model.Set("list." + std::to_string(model.metadata.size()),
              std::vector<std::string>{text, text});
  }
  model.Set("tokenizer.chat_template", HostileTexts().front() + "{{ ''.__class__ }}\n\x1b[0m");
  model.Set("general.name", HostileTexts().at(11));
  ExpectHarmless(folder.Write("a", Write(model)));
}

TEST(HostileText, InTheArchitecture) {
  const TempFolder folder;
  for (const std::string& text : HostileTexts()) {
    Model model;
    model.Set(kArchitectureKey, text);
    const CommandResult result = RunCommand({"check", folder.Write("a", Write(model))});
    EXPECT_TRUE(IsHarmless(result.out));
    EXPECT_EQ(Lines(result.out).front().substr(0, 8), "ok      ");
  }
}

TEST(HostileText, InTensorNamesOfEveryRule) {
  const TempFolder folder;
  Model model = Model::Minimal();
  for (const std::string& text : HostileTexts()) {
    model.Add(text, TensorType::kF32, {8});
    model.Add(text, TensorType::kQ4_0, {32});
  }
  for (std::size_t i = 1; i < model.tensors.size(); ++i) {  // some fault in each
    Model::Tensor& tensor = model.tensors.at(i);
    switch (i % 6) {
      case 0:
        tensor.offset += 1;
        break;
      case 1:
        tensor.type_id = 36;
        break;
      case 2:
        tensor.dims = {std::uint64_t{1} << 40, std::uint64_t{1} << 40};
        break;
      case 3:
        tensor.offset = 0;
        break;
      case 4:
        tensor.dims = {33};
        break;
      default:
        tensor.offset = std::uint64_t{1} << 62;
    }
  }
  ExpectHarmless(folder.Write("a", Write(model)));
}

TEST(HostileText, WhereAFaultStopsTheParser) {
  const TempFolder folder;
  Paths unreadable;
  for (const std::string& text : HostileTexts()) {
    Model unknown = Model::Minimal().Set(text, std::uint32_t{1});
    unknown.metadata.back().type = 99;
    unreadable.push_back(folder.Write(std::to_string(unreadable.size()), Write(unknown)));
    Model deep = Model::Minimal();
    deep.Add(text, TensorType::kF32, {8});
    deep.tensors.back().claimed_dimension_count = 1'000;
    const CommandResult result = RunCommand({"check", folder.Write("b", Write(deep))});
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_TRUE(IsHarmless(result.out));
  }
  ExpectHarmless(unreadable);
}

TEST(HostileText, InWhatIsNoModelAtAll) {
  const TempFolder folder;
  Paths paths;
  for (const std::string& text : HostileTexts()) {
    const std::string name = std::to_string(paths.size()) + ".gguf";
    paths.push_back(folder.WriteText(name, text + text + text + text + text));
  }
  ExpectHarmless(paths);
}

TEST(HostileText, InNamesOfFiles) {
  const TempFolder folder;
  Paths accepted;
  Paths rejected;
  Paths missing;
  for (const std::string& text : HostileTexts()) {
    accepted.push_back(folder.Write("+" + text, Write(Model::Minimal())));
    rejected.push_back(folder.Write(text, Write(Model::Minimal().Set("", "rejected"))));
    missing.push_back(folder.Path(text + "missing"));
  }
  const std::array<Paths, 3> kinds = {accepted, rejected, missing};
#ifdef NDEBUG
  constexpr std::size_t kEach = 1;
#else
  constexpr std::size_t kEach = 3;  // a name is that of a file of one of the kinds, in turn
#endif
  for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
    Paths some;
    for (std::size_t i = kind % kEach; i < accepted.size(); i += kEach) {
      some.push_back(kinds.at(kind).at(i));
    }
    ExpectHarmlessInChecks(some);
    ExpectHarmlessInInspections(some);
  }
  const CommandResult all = RunCommand({"check", folder.path()});
  EXPECT_TRUE(IsHarmless(all.out));
  const std::string each = std::to_string(HostileTexts().size());
  EXPECT_EQ(all.error, std::to_string(2 * HostileTexts().size()) + " files: " + each + " ok, " +
                           each + " rejected, 0 undecided\n");
}

TEST(HostileText, InNamesOfEmptyFolders) {
  const TempFolder folder;
  for (const std::string& text : HostileTexts()) {
    const CommandResult result = RunCommand({"check", folder.MakeFolder(text)});
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_TRUE(IsHarmless(result.error));
    EXPECT_EQ(Lines(result.error).size(), 1U) << "no line of theirs among ours";
  }
}

TEST(HostileText, APathTakesOneLineSoThatNoVerdictCanBeForged) {
  const TempFolder folder;
  const std::string forged =
      folder.Write("a\nok      model.gguf", Write(Model::Minimal().Set("", 1U)));
  const CommandResult result = RunCommand({"check", forged});
  EXPECT_EQ(Lines(result.out).size(), 2U) << result.out;
  for (const std::string& line : Lines(result.out)) EXPECT_FALSE(line.starts_with("ok")) << line;
}

std::string FromHex(const std::string& hex) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    bytes += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
  }
  return bytes;
}

TEST(HostileText, ProgramsRecoverTheNameOfAFile) {
  const TempFolder folder;
  for (const std::string& text : HostileTexts()) {
    const std::string path = folder.Write(text, Write(Model::Minimal()));
    for (const std::vector<std::string>& arguments :
         {std::vector<std::string>{"check", "--format", "json", path},
          {"inspect", "--format", "json", path}}) {
      Json json = Json::parse(RunCommand(arguments).out);
      if (json.contains("files")) json = json.at("files").at(0);
      const std::string recovered =
          json.contains("path_hex") ? FromHex(json.at("path_hex")) : std::string(json.at("path"));
      EXPECT_EQ(recovered, path);
    }
  }
}

TEST(HostileText, JsonOfHostileFilesFitsTheSchemas) {
  ASSERT_TRUE(CanValidate()) << "the package python3-jsonschema is missing: run scripts/setup";
  const TempFolder folder;
  Model model = Model::Minimal();
  for (const std::string& text : HostileTexts())
    model.Set(text, text).Add(text, TensorType::kI8, {1});
  const std::string path = folder.Write("\x1b\n\xff", Write(model));
  EXPECT_TRUE(FitsSchema(RunCommand({"check", "--format", "json", path}).out, "report-1"));
  EXPECT_TRUE(
      FitsSchema(RunCommand({"inspect", "--format", "json", "--layout", path}).out, "inspect-1"));
}

}  // namespace
}  // namespace ggufgate::testing
