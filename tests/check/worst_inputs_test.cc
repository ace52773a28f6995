// The most expensive files of 16 MiB: memory and reads are counted and must stay proportional.
// Times are recorded, not asserted: `check_test --gtest_filter='WorstInputs.*' --gtest_output=xml`.

#include <gtest/gtest.h>

#include <atomic>
#include <ctime>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "bytes/memory_source.h"
#include "check/check.h"
#include "parse/model.h"
#include "parse/parse.h"
#include "tests/support/counted_heap/counted_heap.h"
#include "tests/support/parse_helpers.h"
#include "tests/support/sizes.h"
#include "tests/support/vocabularies.h"

namespace ggufgate::testing {
namespace {

using testing::kMiB;

#ifdef NDEBUG
constexpr std::size_t kSize = 16 * kMiB;
#else  // at least ten times slower
constexpr std::size_t kSize = kMiB / 2;
#endif
constexpr std::size_t kSmall = kSize / 16;

// The limit of SECURITY.md on heap memory in addition to the bytes of the file: 15 bytes per byte
// of metadata, and the data of the rules.
constexpr std::size_t kPromised = 15;
constexpr std::size_t kConstant = 8 * kMiB;

// CountingSource counts the bytes that are read of a file.
class CountingSource final : public ByteSource {
 public:
  explicit CountingSource(Bytes bytes) : source_(bytes) {}
  [[nodiscard]] std::uint64_t size() const override { return source_.size(); }
  [[nodiscard]] ReadOutcome ReadAt(std::uint64_t offset, MutableBytes out) const override {
    read += out.size();
    ++reads;
    return source_.ReadAt(offset, out);
  }
  mutable std::atomic<std::uint64_t> read = 0;
  mutable std::atomic<std::uint64_t> reads = 0;

 private:
  MemorySource source_;
};

std::string Repeated(std::string_view text, std::size_t bytes) {
  std::string all;
  all.reserve(bytes + text.size());
  while (all.size() < bytes) all += text;
  return all;
}

File WithText(std::string_view key, std::string_view text, std::size_t bytes) {
  Model model = Model::Minimal();
  model.Set(std::string(key), Repeated(text, bytes));
  return Write(model);
}

File WithTemplate(std::string_view text, std::size_t bytes) {
  // Each is as large as the part that is read, and the file has as many as fit.
  Model model = Model::Minimal();
  const std::size_t most = std::min<std::size_t>(Limits{}.template_bytes, bytes);
  for (std::size_t i = 0; i < bytes / most; ++i) {
    model.Set("tokenizer.chat_template." + std::to_string(i), Repeated(text, most - text.size()));
  }
  return Write(model);
}

File WithTokensOf(const char* tokenizer, std::size_t each, bool distinct, std::size_t bytes) {
  std::vector<std::string> tokens;
  for (std::size_t i = 0; i < bytes / (8 + each); ++i) {
    std::string token(each, 'a');
    std::size_t rest = i;
    for (std::size_t at = 0; distinct && at < each; ++at, rest /= 26) {
      token.at(at) = static_cast<char>('a' + rest % 26);
    }
    tokens.push_back(std::move(token));
  }
  return Write(WithTokens(tokenizer, tokens));
}

File WithData(TensorType type, std::uint8_t byte, std::size_t bytes) {
  Model model = Model::Minimal();
  const TensorTypeInfo& info = *FindTensorType(static_cast<std::uint32_t>(type));
  const std::uint64_t blocks = bytes / info.block_bytes;
  model.Add("weight", type, {blocks * info.block_elements});
  model.tensors.back().data.assign(blocks * info.block_bytes, byte);
  return Write(model);
}

// Shapes are files of about the requested size, named by their most expensive property.
const std::map<std::string, std::function<File(std::size_t)>>& Shapes() {
  static const std::map<std::string, std::function<File(std::size_t)>> kShapes = {
      {"keys",
       [](std::size_t bytes) {
         Encoder out = HeaderOf(0, bytes / 13);
         for (std::size_t i = 0; i < bytes / 13; ++i) {
           out.PutString("").Put(std::uint32_t{0}).PutZeros(1);
         }
         return out.Take();
       }},
      {"long keys",
       [](std::size_t bytes) {
         Model model = Model::Minimal();
         for (std::size_t i = 0; i < bytes / 60'000; ++i) {
           model.Set(Repeated("a.", 59'980) + std::to_string(i), std::uint32_t{1});
         }
         return Write(model);
       }},
      {"tensors",
       [](std::size_t bytes) {
         return HeaderOf(bytes / kMinimumTensorBytes, 0).PutZeros(bytes).Take();
       }},
      {"names of tensors",
       [](std::size_t bytes) {
         Model model = Model::Minimal();
         for (std::size_t i = 0; i < bytes / 200; ++i) {
           model.Add("blk." + std::to_string(i) + Repeated(".attn", 120), TensorType::kF32, {1});
         }
         return Write(model);
       }},
      {"equal tokens", [](std::size_t n) { return WithTokensOf("gpt2", 1, false, n); }},
      {"distinct tokens", [](std::size_t n) { return WithTokensOf("llama", 5, true, n); }},
      {"long tokens", [](std::size_t n) { return WithTokensOf("plamo2", 60'000, true, n); }},
      {"wide tokens", [](std::size_t n) { return WithTokensOf("gpt2", 130, true, n); }},
      {"empty tokens", [](std::size_t n) { return WithTokensOf("bert", 0, false, n); }},
      {"blanks", [](std::size_t n) { return WithText("general.name", " ", n); }},
      {"hidden", [](std::size_t n) { return WithText("general.name", "\xE2\x80\x8B", n); }},
      {"no UTF-8", [](std::size_t n) { return WithText("general.name", "\xF0\x90\x80", n); }},
      {"template {{", [](std::size_t n) { return WithTemplate("{{", n); }},
      {"template if", [](std::size_t n) { return WithTemplate("{% if a %}", n); }},
      {"template (", [](std::size_t n) { return WithTemplate("{{((((", n); }},
      {"template .", [](std::size_t n) { return WithTemplate("{{a.b['c'].d|e}}", n); }},
      {"template ~", [](std::size_t n) { return WithTemplate("{{'_'~'_'~'a'}}", n); }},
      {"template quotes", [](std::size_t n) { return WithTemplate("{{'\\u005f\\x5f'}}", n); }},
      {"array of arrays",
       [](std::size_t bytes) {
         Encoder out = HeaderOf(0, 1);
         const std::uint64_t count = bytes / 12;
         out.PutString("k").Put(std::uint32_t{9}).Put(std::uint32_t{9}).Put(count);
         for (std::uint64_t i = 0; i < count; ++i) out.PutZeros(12);
         return out.Take();
       }},
      {"deep arrays",
       [](std::size_t bytes) {
         Encoder out = HeaderOf(0, 1);
         out.PutString("k").Put(std::uint32_t{9});
         for (std::size_t i = 0; i < bytes / 12; ++i) {
           out.Put(std::uint32_t{9}).Put(std::uint64_t{1});
         }
         return out.Take();
       }},
      {"NaN", [](std::size_t n) { return WithData(TensorType::kF16, 0xFF, n); }},
      {"reserved codes", [](std::size_t n) { return WithData(TensorType::kQ8_0, 0x80, n); }},
      {"zeros", [](std::size_t n) { return WithData(TensorType::kQ4_K, 0, n); }},
  };
  return kShapes;
}

struct Cost {
  std::size_t heap = 0;
  std::uint64_t read = 0;
  std::uint64_t reads = 0;
  double seconds = 0;
};

Cost CostOf(const File& file) {
  const CountingSource source(file);
  Policy policy;
  policy.data = DataScan::kFull;
  timespec begin = {};
  timespec end = {};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
  const std::size_t before = counted_heap.live;
  counted_heap.peak = counted_heap.live;
  {
    const ParseResult parsed = Parse(file, file.size(), policy.limits);
    const CheckResult checked = Check(parsed.document, source, policy);
    EXPECT_TRUE(checked.io.complete());
  }
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
  return {.heap = counted_heap.peak - before,
          .read = source.read,
          .reads = source.reads,
          .seconds = static_cast<double>(end.tv_sec - begin.tv_sec) +
                     static_cast<double>(end.tv_nsec - begin.tv_nsec) / 1e9};
}

TEST(WorstInputs, TakeMemoryAndReadsInProportion) {
  for (const auto& [name, make] : Shapes()) {
    SCOPED_TRACE(name);
    const File file = make(kSize);
    EXPECT_GE(file.size(), kSize * 9 / 10);
    const Cost cost = CostOf(file);
    EXPECT_LE(cost.heap, kPromised * file.size() + kConstant);
    EXPECT_LE(cost.read, 2 * file.size()) << "no byte is read again and again";
    // A sixteenth of the file must take a sixteenth, or nearly nothing.
    const Cost small = CostOf(make(kSmall));
    EXPECT_LE(cost.heap, 20 * small.heap + kConstant);
    EXPECT_LE(cost.reads, 20 * small.reads + 64);
    RecordProperty(name + ", seconds", std::to_string(cost.seconds));
    RecordProperty(name + ", MiB of heap", std::to_string(cost.heap / kMiB));
  }
}

}  // namespace
}  // namespace ggufgate::testing
