// Files that claim much, or contain many small parts: memory stays in proportion to the file.

#include <algorithm>
#include <string>

#include "check/finding.h"
#include "parse/model.h"
#include "tests/support/command.h"
#include "tests/support/matchers.h"
#include "tests/support/sizes.h"
#include "tests/support/temp_folder.h"
#include "tests/support/texts/command_text.h"

namespace ggufgate::testing {
namespace {

using testing::kMiB;

std::uint64_t Baseline() {
  static const std::uint64_t kPeak = RunCommand({"--version"}).peak_bytes;
  return kPeak;
}

// Header begins a file with these claims.
Encoder Header(std::uint64_t tensors, std::uint64_t keys) {
  Encoder file(ByteOrder::kLittle);
  file.PutBytes(AsBytes(kMagic)).Put(std::uint32_t{3}).Put(tensors).Put(keys);
  return file;
}

void ExpectPeak(const CommandResult& result, std::uint64_t most) {
  if (kSanitized) return;  // sanitizers need additional memory
  EXPECT_LE(result.peak_bytes, most) << result.out << result.error;
}

// ExpectRejected expects a finding of one rule, with little memory beyond the file's size.
void ExpectRejected(const std::vector<std::uint8_t>& file, const std::string& rule) {
  const TempFolder folder;
  const std::string path = folder.Write("a", file);
  for (const char* profile : {"gate", "llama.cpp", "spec", "diffusion"}) {
    const CommandResult result = RunCommand({"check", "--profile", profile, path});
    EXPECT_EQ(result.exit_code, 1) << rule;
    EXPECT_THAT(result.out, HasSubstr("error[" + rule + "]")) << profile;
    ExpectPeak(result, Baseline() + file.size() + 16 * kMiB);
  }
  for (const char* format : {"text", "json"}) {
    const CommandResult result = RunCommand({"inspect", "--format", format, "--layout", path});
    EXPECT_EQ(result.exit_code, 1);
    ExpectPeak(result, Baseline() + file.size() + 16 * kMiB);
  }
}

TEST(HostileSize, CountsOfKeys) {
  for (const std::uint64_t count : {std::uint64_t{1} << 63, UINT64_MAX, std::uint64_t{1} << 32}) {
    Encoder file = Header(0, count);
    file.PutZeros(1'000);
    ExpectRejected(file.Take(), "metadata-count");
  }
}

TEST(HostileSize, CountsOfTensors) {
  for (const std::uint64_t count : {std::uint64_t{1} << 63, UINT64_MAX, std::uint64_t{1} << 32}) {
    Encoder file = Header(count, 0);
    file.PutZeros(1'000);
    ExpectRejected(file.Take(), "tensor-count");
  }
}

TEST(HostileSize, LengthsOfStrings) {
  for (const std::uint64_t length : {UINT64_MAX, UINT64_MAX - 8, std::uint64_t{1} << 62}) {
    Encoder key = Header(0, 1);
    key.Put(length).PutZeros(1'000);
    ExpectRejected(key.Take(), "string-length");
    Encoder value = Header(0, 1);
    value.PutString("k").Put(std::uint32_t{8}).Put(length).PutZeros(1'000);
    ExpectRejected(value.Take(), "string-length");
    Encoder name = Header(1, 0);
    name.Put(length).PutZeros(1'000);
    ExpectRejected(name.Take(), "string-length");
  }
}

TEST(HostileSize, CountsOfElements) {
  for (const std::uint32_t type : {0U, 8U, 9U, 10U}) {
    Encoder file = Header(0, 1);
    file.PutString("k").Put(std::uint32_t{9}).Put(type).Put(std::uint64_t{1} << 61).PutZeros(1'000);
    ExpectRejected(file.Take(), "array-count");
  }
}

TEST(HostileSize, DimensionsWhoseProductWraps) {
  Model model = Model::Minimal();
  model.tensors.front().dims = {std::uint64_t{1} << 32, std::uint64_t{1} << 32};
  ExpectRejected(Write(model), "tensor-elements-overflow");
  model.tensors.front().dims = {(std::uint64_t{1} << 62) + 2};
  ExpectRejected(Write(model), "tensor-bytes-overflow");
}

TEST(HostileSize, ArraysNestedAHundredThousandDeep) {
  Encoder file = Header(0, 1);
  file.PutString("k").Put(std::uint32_t{9});
  for (int depth = 0; depth < 100'000; ++depth) {
    file.Put(std::uint32_t{9}).Put(std::uint64_t{1});
  }
  file.Put(std::uint32_t{0}).Put(std::uint64_t{0});
  ExpectRejected(file.Take(), "array-nested");
}

// ManyKeys returns a valid file with `count` keys of one byte each.
std::vector<std::uint8_t> ManyKeys(std::uint64_t count) {
  Encoder file = Header(0, count);
  for (std::uint64_t i = 0; i < count; ++i) {
    file.PutString("k" + std::to_string(100'000 + i)).Put(std::uint32_t{0}).Put(std::uint8_t{1});
  }
  return file.Take();
}

TEST(HostileSize, ManyTinyKeysTakeMemoryInProportion) {
  const TempFolder folder;
  const std::string path = folder.Write("a", ManyKeys(120'000));  // 2.4 MB
  const CommandResult gate = RunCommand({"check", path});
  EXPECT_EQ(gate.exit_code, 1);
  EXPECT_THAT(gate.out, HasSubstr("error[metadata-count]"));
  for (const char* profile : {"gate", "llama.cpp", "spec", "diffusion"}) {
    const CommandResult result = RunCommand({"check", "--profile", profile, path});
    EXPECT_LE(result.exit_code, 1) << profile;
    ExpectPeak(result, 64 * kMiB);
  }
}

TEST(HostileSize, ManyFindingsTakeNoMemory) {
  const TempFolder folder;
  std::vector<std::uint8_t> file = ManyKeys(60'000);
  std::ranges::replace(file, std::uint8_t{'k'}, std::uint8_t{0x1b});  // a fault in every key
  const CommandResult result = RunCommand({"check", folder.Write("a", file)});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.out, HasSubstr("more of key-characters"));
  EXPECT_LT(result.out.size(), 20'000U);
  ExpectPeak(result, 64 * kMiB);
}

// A policy that keeps the maximum number of findings, for keys whose names are kept with them.
TEST(HostileSize, FindingsThatAreKeptTakeLittleMemory) {
  constexpr std::uint64_t kKeys = 50'000;
  Encoder file = Header(0, kKeys);
  for (std::uint64_t i = 0; i < kKeys; ++i) {
    const std::string key = std::to_string(i) + std::string(Subject::kLongestText, 'X');
    file.PutString(key).Put(std::uint32_t{0}).Put(std::uint8_t{0});
  }
  const TempFolder folder;
  const std::vector<std::uint8_t> bytes = file.Take();
  const std::string path = folder.Write("a", bytes);
  const std::string policy =
      folder.WriteText("policy.toml", "schema = \"ggufgate.policy/1\"\nfindings_per_rule = 1000\n");
  const CommandResult few = RunCommand({"check", path});
  const CommandResult many = RunCommand({"check", "--format", "json", "--policy", policy, path});
  EXPECT_THAT(many.out, HasSubstr("\"key-style\":50000"));
  EXPECT_GT(many.out.size(), 1'000 * Subject::kLongestText);
  ExpectPeak(many, few.peak_bytes + 16 * kMiB);
  const std::string more =
      folder.WriteText("more.toml", "schema = \"ggufgate.policy/1\"\nfindings_per_rule = 1001\n");
  const CommandResult refused = RunCommand({"check", "--policy", more, path});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.error, HasSubstr("findings_per_rule must be from 1 to 1,000, not 1,001"));
}

TEST(HostileSize, ASparseFileOfAHundredGigabytesIsNotReadThrough) {
  const TempFolder folder;
  const std::uint64_t size = std::uint64_t{100} << 30;
  const std::string small = folder.MakeSparse("small", Write(Model::Minimal()), size);
  const CommandResult trailing = RunCommand({"check", "--fail-on", "warning", small});
  EXPECT_EQ(trailing.exit_code, 1);
  EXPECT_THAT(trailing.out, HasSubstr("warning[trailing-bytes]"));

  Model model = Model::Minimal();
  model.tensors.front().dims = {std::uint64_t{25} << 30};  // F32: nearly the whole file
  const std::string large = folder.MakeSparse("large", Write(model), size + 4'096);
  const CommandResult sound = RunCommand({"check", large});
  EXPECT_EQ(sound.exit_code, 0) << sound.out;

  for (const std::string& path : {small, large}) {
    for (const std::vector<std::string>& arguments :
         {std::vector<std::string>{"check", path}, {"inspect", "--layout", path}}) {
      const CommandResult result = RunCommand(arguments);
      EXPECT_FALSE(result.hung);
      ExpectPeak(result, Baseline() + 16 * kMiB);
    }
  }
}

TEST(HostileSize, AHoleOfAHundredGigabytesIsRejected) {
  const TempFolder folder;
  const CommandResult result =
      RunCommand({"check", folder.MakeSparse("hole.gguf", {}, std::uint64_t{100} << 30)});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.out, HasSubstr("begins with zeros"));
  ExpectPeak(result, Baseline() + 16 * kMiB);
}

TEST(HostileSize, OutOfMemoryIsUndecided) {
  if (kSanitized) GTEST_SKIP() << "sanitizers need the address space themselves";
  const TempFolder folder;
  Model model = Model::Minimal();
  Encoder array(ByteOrder::kLittle);
  array.Put(std::uint32_t{0}).Put(std::uint64_t{100} << 20).PutZeros(std::uint64_t{100} << 20);
  model.SetRaw("large", ValueType::kArray, array.Take());
  const std::string large = folder.Write("large", Write(model));
  const std::string small = folder.Write("small", Write(Model::Minimal()));
  ASSERT_EQ(RunCommand({"check", large}).exit_code, 0);

  const CommandOptions little{.most_memory = 96 * kMiB};
  ASSERT_EQ(RunCommand({"check", small}, little).exit_code, 0);
  for (const char* jobs : {"1", "4"}) {
    std::vector<std::string> arguments = {"check", "--jobs", jobs, small};
    arguments.resize(20, large);
    arguments.push_back(small);
    const CommandResult result = RunCommand(arguments, little);
    EXPECT_FALSE(result.hung);
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.out, HasSubstr("undecided  " + large + ": out of memory"));
    EXPECT_THAT(result.error, HasSubstr("2 ok, 0 rejected, 16 undecided"));
  }
  const CommandResult inspect = RunCommand({"inspect", large}, little);
  EXPECT_EQ(inspect.exit_code, 2);
  EXPECT_THAT(inspect.error, HasSubstr("out of memory"));
}

TEST(HostileSize, LimitsOfTheUserStayInForce) {
  if (kSanitized) GTEST_SKIP() << "sanitizers need the address space themselves";
  // A user who may not raise a limit must still be able to check a file within it.
  const TempFolder folder;
  const std::string path = folder.Write("a", Write(Model::Minimal()));
  const CommandResult result =
      RunCommand({"check", path}, {.without_privileges = true, .most_memory = 256 * kMiB});
  EXPECT_EQ(result.exit_code, 0) << result.error;
}

// A policy may keep a thousand findings of each rule. No format keeps them after the file is
// reported.
TEST(HostileSize, FindingsOfFilesThatAreReported) {
  if (kSanitized) GTEST_SKIP() << "sanitizers take memory of their own";
  const TempFolder folder;
  Model model = Model::Minimal();
  for (int i = 0; i < 1'000; ++i) {
    model.Set("Bad key\x7f" + std::to_string(i) + std::string(100, 'x'), "\xff");
  }
  const std::vector<std::uint8_t> file = Write(model);
  constexpr int kFiles = 32;  // their findings would take more than 20 MiB together
  const std::string many = folder.MakeFolder("many");
  for (int i = 0; i < kFiles; ++i) folder.Write("many/" + std::to_string(i), file);
  const std::string policy =
      folder.WriteText("policy.toml", "schema = \"ggufgate.policy/1\"\nfindings_per_rule = 1000\n");
  for (const std::string format : {"sarif", "junit", "codequality"}) {
    if (!kFullLength && format != "sarif") break;
    const auto check = [&](const std::string& path) {
      return RunCommand({"check", "--policy", policy, "--format", format, path});
    };
    const CommandResult one = check(many + "/0");
    const CommandResult all = check(many);
    EXPECT_GT(all.out.size(), 10 * one.out.size()) << format;
    EXPECT_LE(all.peak_bytes, one.peak_bytes + 8 * kMiB) << format;
  }
}

}  // namespace
}  // namespace ggufgate::testing
