#include "parse/front/prefix_estimate.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "format/limits.h"
#include "parse/model.h"
#include "parse/parse.h"

namespace ggufgate {
namespace {

std::vector<std::string> Words(std::size_t count, std::size_t length) {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < count; ++i) {
    std::string word = std::to_string(i);
    words.push_back(std::string(length - std::min(length, word.size()), 'x') + word);
  }
  return words;
}

// Cost is the number of reads until the metadata are complete, and the bytes read. The first read
// has `first` bytes.
struct Cost {
  int reads = 1;
  std::uint64_t bytes = 0;
};
Cost Read(const std::vector<std::uint8_t>& file, std::uint64_t first) {
  Cost cost{.reads = 1, .bytes = first};
  while (true) {
    const ParseResult parsed = Parse(Bytes(file).first(cost.bytes), file.size(), Limits{});
    if (!parsed.NeedsMore()) return cost;
    const std::uint64_t next = EstimatePrefix(parsed.document);
    EXPECT_GT(next, cost.bytes);
    EXPECT_LE(next, 8 * cost.bytes);
    cost.bytes = std::min<std::uint64_t>(std::max(next, parsed.bytes_needed), file.size());
    ++cost.reads;
  }
}

TEST(EstimatePrefix, AVocabularyTakesFewReadsAndFewBytes) {
  Model model;
  model.Set("tokenizer.ggml.model", "gpt2");
  model.Set("tokenizer.ggml.tokens", Words(100'000, 12));
  model.Set("tokenizer.ggml.token_type", std::vector<std::int32_t>(100'000, 1));
  model.Set("tokenizer.ggml.merges", Words(200'000, 14));
  model.Add("weight", TensorType::kF32, {32, 1 << 20});
  const std::vector<std::uint8_t> file = Write(model);
  const std::uint64_t header = Parse(file, file.size(), Limits{}).document.directory_end;
  const Cost cost = Read(file, 512 << 10);
  EXPECT_LE(cost.reads, 4);
  EXPECT_LE(cost.bytes, header + header / 10);
}

TEST(EstimatePrefix, ADirectoryIsGuessedByItsFirstRecords) {
  Model model;
  for (int i = 0; i < 20'000; ++i) {
    model.Add("a.name.of.some.length." + std::to_string(i), TensorType::kF32, {1});
  }
  const std::vector<std::uint8_t> file = Write(model);
  const std::uint64_t header = Parse(file, file.size(), Limits{}).document.directory_end;
  const Cost cost = Read(file, 64 << 10);
  EXPECT_LE(cost.reads, 4);
  EXPECT_LE(cost.bytes, header + header / 10 + (16 << 10));
}

// For any header, at most eight times the existing bytes are requested.
TEST(EstimatePrefix, LiesAreBounded) {
  Model model;
  model.Set("tokenizer.ggml.tokens", Words(10'000, 12));
  std::vector<std::uint8_t> file = Write(model);
  for (const std::size_t at : {8U, 16U}) {  // counts of tensors and keys
    std::vector<std::uint8_t> lying = file;
    for (std::size_t i = 0; i < 5; ++i) lying.at(at + i) = 0xFF;
    const ParseResult parsed = Parse(Bytes(lying).first(4096), std::uint64_t{1} << 50, Limits{});
    ASSERT_TRUE(parsed.NeedsMore() || parsed.document.fault);
    const std::uint64_t next = EstimatePrefix(parsed.document);
    EXPECT_GT(next, 4096U);
    EXPECT_LE(next, 8U * 4096U);
  }
}

// For every byte at which a prefix may end.
TEST(EstimatePrefix, IsTotal) {
  Model model;
  model.Set("general.architecture", "llama");
  model.Set("tokenizer.ggml.model", "gpt2");
  model.Set("tokenizer.ggml.tokens", Words(20, 5));
  model.Set("scores", std::vector<float>(20, 1.0F));
  model.Add("weight", TensorType::kF32, {32});
  const std::vector<std::uint8_t> file = Write(model);
  for (std::size_t size = 1; size <= file.size(); ++size) {
    const ParseResult parsed = Parse(Bytes(file).first(size), file.size(), Limits{});
    const std::uint64_t next = EstimatePrefix(parsed.document);
    EXPECT_GE(next, size);
    EXPECT_LE(next, 8 * size);
  }
}

}  // namespace
}  // namespace ggufgate
