// ggufgate manifest, verify, diff: as users run them.

#include <filesystem>
#include <string>

#include "parse/model.h"
#include "tests/support/command.h"
#include "tests/support/matchers.h"
#include "tests/support/stores/stores.h"
#include "tests/support/temp_folder.h"
#include "tests/support/texts/command_text.h"

namespace ggufgate::testing {
namespace {

Model Sample() {
  Model model = Model::Minimal();
  model.Set("number", std::uint32_t{1});
  model.Add("v", TensorType::kF32, {8});
  return model;
}

class Manifests : public ::testing::Test {
 protected:
  const TempFolder folder;
  const std::string model = folder.Write("model.gguf", Write(Sample()));
  const std::string manifest = folder.Path("model.json");

  // Other is the model with different last bytes.
  [[nodiscard]] std::string Other() const {
    std::vector<std::uint8_t> file = Write(Sample());
    file.back() ^= 1;
    return folder.Write("other.gguf", file);
  }
  void MakeManifest() const {
    ASSERT_EQ(RunCommand({"manifest", model, "--output", manifest}).exit_code, 0);
  }
};

TEST_F(Manifests, AreMadeAndVerified) {
  const CommandResult made = RunCommand({"manifest", model});
  EXPECT_EQ(made.exit_code, 0);
  EXPECT_THAT(made.error, IsEmpty());
  EXPECT_TRUE(FitsSchema(made.out, "manifest-1"));
  EXPECT_THAT(made.out, HasSubstr(Sha256OfBytes(Write(Sample()))));
  MakeManifest();
  const CommandResult same = RunCommand({"verify", model, manifest});
  EXPECT_EQ(same.exit_code, 0);
  EXPECT_EQ(same.out, "same      " + manifest + "  " + model + "\n");
}

TEST_F(Manifests, GoToStandardOutputByItsName) {
  EXPECT_EQ(RunCommand({"manifest", model, "--output", "-"}).out,
            RunCommand({"manifest", model}).out);
}

TEST_F(Manifests, SayWhichTensorIsAnother) {
  MakeManifest();
  const CommandResult result = RunCommand({"verify", Other(), manifest});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.out,
              AllOf(StartsWith("~ tensor  v  data  "), HasSubstr("~ file    data of all tensors  "),
                    HasSubstr("3 differences")));
  const CommandResult json = RunCommand({"verify", "--format", "json", Other(), manifest});
  EXPECT_EQ(json.exit_code, 1);
  EXPECT_TRUE(FitsSchema(json.out, "differences-1"));
}

// Edits only one fact about the whole file in the manifest; no other fact depends on it.
TEST_F(Manifests, AreHeldAgainstAllTheySay) {
  const std::string sound = RunCommand({"manifest", model}).out;
  const std::string size = std::to_string(Write(Sample()).size());
  for (const auto& [from, to, said] :
       {std::tuple{"\"bytes\":" + size + ",\"sha256\"", std::string("\"bytes\":1,\"sha256\""),
                   "~ file    bytes  1 → " + size},
        std::tuple{std::string("\"keys\":"), std::string("\"keys\":99"),
                   std::string("~ file    number of keys  99")},
        std::tuple{std::string("\"data_sha256\": \""),
                   "\"data_sha256\": \"" + std::string(64, '0') + "\",\n \"data\": \"",
                   std::string("~ file    data of all tensors  0000")}}) {
    std::string text = sound;
    ASSERT_NE(text.find(from), std::string::npos) << from << " in " << text;
    text.replace(text.find(from), from.size(), to);
    const CommandResult result = RunCommand({"verify", model, folder.WriteText("m", text)});
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_THAT(result.out, AllOf(StartsWith(said), HasSubstr("1 difference\n")));
  }
}

TEST_F(Manifests, OfLlamaGgufHashAreVerifiedToo) {
  const CommandResult made = RunCommand({"manifest", "--format", "gguf-hash", model});
  EXPECT_THAT(made.out, HasSubstr("  " + model + ":v\n"));
  const std::string lines = folder.WriteText("model.sha256", made.out);
  EXPECT_EQ(RunCommand({"verify", model, lines}).exit_code, 0);
  EXPECT_EQ(RunCommand({"verify", Other(), lines}).exit_code, 1);
}

TEST_F(Manifests, ComeFromStandardInputToo) {
  const std::vector<std::uint8_t> file = Write(Sample());
  const CommandOptions pipe{.input = std::string(AsText(file))};
  EXPECT_THAT(RunCommand({"manifest", "-"}, pipe).out, HasSubstr(Sha256OfBytes(file)));
  MakeManifest();
  EXPECT_EQ(RunCommand({"verify", "-", manifest}, pipe).exit_code, 0);
  EXPECT_EQ(RunCommand({"diff", "-", model}, pipe).exit_code, 0);
}

TEST_F(Manifests, NothingIsHashedOfARejectedFile) {
  Model bad = Sample();
  bad.Set("general.alignment", std::uint32_t{0});
  const std::string path = folder.Write("bad.gguf", Write(bad));
  const CommandResult made = RunCommand({"manifest", path, "--output", manifest});
  EXPECT_EQ(made.exit_code, 1);
  EXPECT_THAT(made.out, IsEmpty());
  EXPECT_THAT(made.error, AllOf(HasSubstr("reject"), HasSubstr("no manifest was made")));
  EXPECT_FALSE(std::filesystem::exists(manifest));
  MakeManifest();
  const CommandResult verified = RunCommand({"verify", path, manifest});
  EXPECT_EQ(verified.exit_code, 1);
  EXPECT_THAT(verified.error, HasSubstr("it was not verified"));
  const CommandResult compared = RunCommand({"diff", model, path});
  EXPECT_EQ(compared.exit_code, 2) << "1 says that they differ";
  EXPECT_THAT(compared.error, HasSubstr("they were not compared"));
}

TEST_F(Manifests, ErrorsElsewhereMayBeOverlooked) {
  Model bad = Sample();
  bad.Set("general.architecture", std::uint32_t{1});
  const std::string path = folder.Write("bad.gguf", Write(bad));
  EXPECT_THAT(RunCommand({"manifest", path}).error, HasSubstr("--despite-findings ignores this"));
  EXPECT_EQ(RunCommand({"manifest", "--despite-findings", path}).exit_code, 0);
  EXPECT_EQ(RunCommand({"diff", "--despite-findings", path, model}).exit_code, 1);
}

TEST_F(Manifests, AHostileManifestIsNone) {
  for (const std::string& text :
       {std::string(), std::string("{}"), std::string(1'000'000, '['), std::string("\0{}", 3),
        std::string("{\"schema\":\"\033[31m\"}"), std::string("sha256 x y\n")}) {
    const CommandResult result = RunCommand({"verify", model, folder.WriteText("bad", text)});
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.error, HasSubstr("not a manifest: "));
    EXPECT_EQ(result.error.find('\033'), std::string::npos);
  }
}

TEST_F(Manifests, WrongUseIsUndecided) {
  MakeManifest();
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{"manifest"},
                                             {"manifest", folder.Path("none")},
                                             {"manifest", folder.path()},
                                             {"manifest", model, "--format", "xml"},
                                             {"manifest", model, "--output", model},
                                             {"verify", model},
                                             {"verify", model, folder.Path("none")},
                                             {"verify", folder.Path("none"), manifest},
                                             {"diff", model},
                                             {"diff", model, folder.Path("none")},
                                             {"diff", "-", "-"},
                                             {"diff", model, model, model}}) {
    const CommandResult result = RunCommand(arguments);
    EXPECT_EQ(result.exit_code, 2) << ::testing::PrintToString(arguments);
    EXPECT_THAT(result.out, IsEmpty());
    EXPECT_THAT(result.error, HasSubstr("ggufgate: "));
  }
}

TEST_F(Manifests, DiffSaysWhatChanged) {
  Model other = Sample();
  other.Set("number", std::uint32_t{2});
  const std::string path = folder.Write("changed.gguf", Write(other));
  const CommandResult text = RunCommand({"diff", model, path});
  EXPECT_EQ(text.exit_code, 1);
  EXPECT_EQ(text.out, "~ key     number  u32 1 → u32 2\ndifferent " + model + "  " + path +
                          "   1 difference\n");
  const CommandResult json = RunCommand({"diff", "--format", "json", model, path});
  EXPECT_EQ(json.exit_code, 1);
  EXPECT_TRUE(FitsSchema(json.out, "differences-1"));
  EXPECT_EQ(RunCommand({"diff", model, model}).exit_code, 0);
  EXPECT_EQ(RunCommand({"diff", model, Other()}).exit_code, 1);
  const CommandResult no_data = RunCommand({"diff", "--no-data", model, Other()});
  EXPECT_EQ(no_data.exit_code, 0);
  EXPECT_THAT(no_data.out, HasSubstr("(tensor data not compared)"));
}

TEST_F(Manifests, TakeTheSameMemoryForAnyTensor) {
  if (kSanitized) GTEST_SKIP() << "sanitizers have memory of their own";
  std::string path;
  {  // freed before the command begins in a copy of this process
    Model large = Model::Minimal();
    large.Add("large", TensorType::kF32, {32 << 20});  // 128 MiB
    path = folder.Write("large.gguf", Write(large));
  }
  const CommandResult made = RunCommand({"manifest", path});
  EXPECT_EQ(made.exit_code, 0);
  EXPECT_LT(made.peak_bytes, 64U << 20);
}

}  // namespace
}  // namespace ggufgate::testing
