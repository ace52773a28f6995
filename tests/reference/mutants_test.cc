// Thousands of broken copies of valid models, checked with the library and with profile llama.cpp.
//
// A file that the profile accepts must load; otherwise the gate has a hole. If the profile rejects
// a file that the library loads, the rule must be one of those that are stricter by design.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "parse/extent.h"
#include "tests/support/judge.h"
#include "tests/support/reference/library.h"
#include "tests/support/reference/mutants.h"
#include "tests/support/reference/stricter.h"

namespace ggufgate::testing {
namespace {

// Counts holds the results of both for many files.
struct Counts {
  std::uint64_t both_accept = 0;
  std::uint64_t both_refuse = 0;
  std::uint64_t unpadded = 0;  // accepted, but refused by the library only with its data
  std::map<std::string, std::uint64_t> stricter;  // per rule
  std::map<std::string, std::uint64_t> deadly;    // the library crashes or hangs; per rule

  void Print(std::string_view name) const {
    std::cout << name << ": both accept " << both_accept << " (" << unpadded
              << " without the last padding), both refuse " << both_refuse << '\n';
    for (const auto& [rule, count] : stricter) {
      std::cout << "  stricter: " << rule << ' ' << count << '\n';
    }
    for (const auto& [rule, count] : deadly) {
      std::cout << "  the library dies: " << rule << ' ' << count << '\n';
    }
  }
};

// Unpadded tells whether the file ends inside the padding of its last tensor.
bool Unpadded(const Document& document) {
  return std::ranges::any_of(document.tensors, [&](const TensorInfo& tensor) {
    const Extent extent = ExtentOf(tensor, document.alignment.value());
    const ByteRange data = DataRange(document, tensor, extent).value();
    return data.begin + extent.padded.value() > document.file_size;
  });
}

std::string Describe(const Mutant& mutant) {
  return mutant.what + ", " + std::to_string(mutant.file.size()) + " bytes";
}

// IsModest tells whether no tensor is so large that allocating its data may fail.
bool IsModest(const Document& document) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 26;
  return std::ranges::all_of(document.tensors, [&](const TensorInfo& tensor) {
    return ExtentOf(tensor, document.alignment.value_or(1)).padded.value_or(kMost) < kMost;
  });
}

std::vector<std::vector<std::uint8_t>> FilesOf(const Mutants& mutants) {
  std::vector<std::vector<std::uint8_t>> files;
  files.reserve(mutants.size());
  for (const Mutant& mutant : mutants) files.push_back(mutant.file);
  return files;
}

class MutantTest : public ReferenceTest {
 protected:
  // Compare checks all mutants with both and adds to counts_.
  void Compare(const Mutants& mutants) {
    const std::vector<std::vector<std::uint8_t>> files = FilesOf(mutants);
    const auto metadata = Library().AskAll(files, Mode::kMetadata);
    const auto context = Library().AskAll(files, Mode::kContext);

    Mutants accepted;
    Mutants short_of_data;
    for (std::size_t i = 0; i < mutants.size(); ++i) {
      const Judged judged = Judge(files.at(i), PolicyFor(Profile::kLlamaCpp));
      const auto errors = judged.Rules(Severity::kError);
      if (errors.empty()) {
        EXPECT_EQ(metadata.at(i), Answer::kLoads) << Describe(mutants.at(i));
        EXPECT_EQ(context.at(i), Answer::kLoads) << Describe(mutants.at(i));
        accepted.push_back(mutants.at(i));
      } else {
        if (errors == std::vector<std::string>{"tensor-data-bounds"} &&
            IsModest(judged.parsed.document)) {
          short_of_data.push_back(mutants.at(i));
        }
        CountRefused(mutants.at(i), errors, std::max(metadata.at(i), context.at(i)),
                     std::min(metadata.at(i), context.at(i)) == Answer::kLoads);
      }
    }
    CompareData(accepted);
    const auto with_data = Library().AskAll(FilesOf(short_of_data), Mode::kData);
    for (std::size_t i = 0; i < with_data.size(); ++i) {
      EXPECT_NE(with_data.at(i), Answer::kLoads) << Describe(short_of_data.at(i));
    }
  }

  void TearDown() override {
    if (Reference::Get() != nullptr) {
      counts_.Print(::testing::UnitTest::GetInstance()->current_test_info()->name());
    }
  }

 private:
  void CountRefused(const Mutant& mutant, const std::vector<std::string>& errors, Answer worst,
                    bool loads) {
    if (worst >= Answer::kLeaves) ++counts_.deadly[errors.front()];
    if (!loads) {
      ++counts_.both_refuse;
      return;
    }
    const auto reason = std::ranges::find_if(errors, IsStricterThanReference);
    EXPECT_NE(reason, errors.end())
        << Describe(mutant) << " loads, and " << ::testing::PrintToString(errors)
        << " are not known to be stricter";
    if (reason != errors.end()) ++counts_.stricter[*reason];
  }

  // An accepted file also loads with its data, except for the last tensor's padding.
  void CompareData(const Mutants& accepted) {
    const std::vector<std::vector<std::uint8_t>> files = FilesOf(accepted);
    const auto answers = Library().AskAll(files, Mode::kData);
    for (std::size_t i = 0; i < files.size(); ++i) {
      ++counts_.both_accept;
      if (answers.at(i) == Answer::kLoads) continue;
      const Judged judged = Judge(files.at(i), PolicyFor(Profile::kLlamaCpp));
      EXPECT_EQ(answers.at(i), Answer::kRefuses) << Describe(accepted.at(i));
      EXPECT_TRUE(Unpadded(judged.parsed.document)) << Describe(accepted.at(i));
      ++counts_.unpadded;
    }
  }

  Counts counts_;
};

// SmallModels are valid, and small enough to try every field and every length.
std::vector<Model> SmallModels() {
  std::vector<Model> models{Model::Minimal(), RandomModel(1, 12, 5), RandomModel(2, 6, 8, 1),
                            RandomModel(3, 0, 3), RandomModel(4, 4, 0)};
  Model sample;
  sample.Set(kArchitectureKey, "llama").Set("llama.block_count", std::uint32_t{1});
  sample.Set(kAlignmentKey, std::uint32_t{64}).Set("tokenizer.ggml.add_bos_token", true);
  sample.Set("tokenizer.ggml.tokens", std::vector<std::string>{"<unk>", "\u0120the", "", "a"});
  sample.Set("tokenizer.ggml.scores", std::vector<float>{0, -1, -2, -3});
  sample.Set("empty.strings", std::vector<std::string>{});
  sample.alignment = 64;
  sample.Add("token_embd.weight", TensorType::kQ4_K, {256, 4});
  sample.Add("blk.0.attn_q.weight", TensorType::kQ8_0, {32, 3});
  sample.Add("blk.0.attn_norm.weight", TensorType::kF32, {7});
  sample.Add("scalar", TensorType::kF32, {});
  sample.Add("empty", TensorType::kF16, {0});
  sample.Add("output.weight", TensorType::kF16, {5, 3, 2, 2});
  models.push_back(std::move(sample));
  return models;
}

// The number of edited copies per model, and of copies with changed bytes.
#ifdef NDEBUG
constexpr std::size_t kRounds = 2000;
#else
constexpr std::size_t kRounds = 200;
#endif

TEST_F(MutantTest, FieldLies) {
  for (const Model& model : SmallModels()) Compare(FieldLies(Write(model)));
}

TEST_F(MutantTest, Truncations) {
  for (Model model : SmallModels()) {
    Compare(Truncations(Write(model)));
    model.pad_last_tensor = false;
    Compare(Truncations(Write(model)));
  }
}

TEST_F(MutantTest, ByteFlips) {
  Random random(11);
  for (const Model& model : SmallModels()) {
    const std::vector<std::uint8_t> file = Write(model);
    const ParseResult parsed = Parse(file, file.size(), {});
    Compare(ByteFlips(file, parsed.document.data_begin.value(), kRounds, random));
  }
}

TEST_F(MutantTest, Edits) {
  Random random(12);
  for (const Model& model : SmallModels()) Compare(Edits(model, kRounds, random));
}

std::vector<std::uint8_t> ReadFile(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST_F(MutantTest, Corpus) {
  Random random(14);
  const auto folder = std::filesystem::path(GGUFGATE_SOURCE_DIR) / "corpus" / "valid";
  std::set<std::filesystem::path> paths;  // sorted, for the same order everywhere
  for (const auto& entry : std::filesystem::directory_iterator(folder)) paths.insert(entry.path());
  for (const std::filesystem::path& path : paths) {
    const std::vector<std::uint8_t> file = ReadFile(path);
    const ParseResult parsed = Parse(file, file.size(), {});
    ASSERT_FALSE(parsed.document.fault) << path;
    const std::uint64_t data = parsed.document.data_begin.value();
    Compare(ByteFlips(file, std::max<std::uint64_t>(data, 1), kRounds / 20, random));
    if (!parsed.document.tensors.empty()) {
      Compare(Edits(ModelOf(parsed.document, file), kRounds / 50, random));
    }
  }
}

TEST_F(MutantTest, UpstreamLikeModels) {
  Random random(13);
  for (std::uint64_t seed = 20; seed < 40; ++seed) {
    const Model model = RandomModel(seed, 100, 40, seed % 2 == 0 ? 32 : 8);
    const std::vector<std::uint8_t> file = Write(model);
    const ParseResult parsed = Parse(file, file.size(), {});
    Compare(ByteFlips(file, parsed.document.data_begin.value(), kRounds / 10, random));
    Compare(Edits(model, kRounds / 10, random));
  }
}

}  // namespace
}  // namespace ggufgate::testing
