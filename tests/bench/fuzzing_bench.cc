// The cost of a mutant for a fuzzer: the two functions of the mutator, called like libFuzzer calls
// them, on an evolved corpus. See docs/benchmarks.md.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "bytes/bytes.h"
#include "mutate/memory/copy_bytes.h"
#include "mutate/memory/random.h"
#include "tests/mutate/seed_files.h"
#include "tests/oracles/libfuzzer_calls.h"

namespace ggufgate::bench {
namespace {

using mutate::File;
using mutate::Random;

constexpr std::size_t kMostBytes = 4096;  // -max_len of the fuzz targets
constexpr std::size_t kFiles = 1400;
constexpr int kDepth = 5;  // -mutate_depth: successive mutations of one input

// Corpus returns 1,400 seeds of fuzz targets, which campaigns kept for their coverage: the first
// ones by name; the names are hashes. GGUFGATE_FUZZING_CORPUS names another folder.
std::vector<File> Corpus() {
  const char* const folder = std::getenv("GGUFGATE_FUZZING_CORPUS");
  std::vector<File> files =
      mutate::FilesIn(folder != nullptr ? folder : GGUFGATE_SOURCE_DIR "/fuzz/seeds/gguf",
                      [](const std::filesystem::directory_entry& entry) {
                        return entry.file_size() <= kMostBytes;
                      });
  files.resize(std::min(files.size(), kFiles));
  return files;
}

// Engine does the work of libFuzzer's MutationDispatcher with a custom mutator and a custom
// crossover: each makes half of all mutants. It has no table of compared constants, because the
// cost of the engine's LLVMFuzzerMutate is not measured.
class Engine {
 public:
  explicit Engine(std::uint64_t seed) : random_(seed) {}

  void Begin(const File& file) {
    mutate::CopyBytes(file, data_);
    size_ = file.size();
  }
  void Mutate(const File& other) {
    const auto seed = static_cast<unsigned int>(random_.Next());
    if (random_.OneIn(2)) {
      size_ = LLVMFuzzerCustomMutator(data_.data(), size_, data_.size(), seed);
      return;
    }
    size_ = LLVMFuzzerCustomCrossOver(data_.data(), size_, other.data(), other.size(),
                                      crossed_.data(), crossed_.size(), seed);
    mutate::CopyBytes(Bytes(crossed_).first(size_), data_);
  }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] const File& Pick(const std::vector<File>& files) {
    return files[random_.Below(files.size())];
  }

 private:
  Random random_;
  std::array<std::uint8_t, kMostBytes> data_{};
  std::array<std::uint8_t, kMostBytes> crossed_{};
  std::size_t size_ = 0;
};

// Mutants makes one mutant per iteration, the same ones in every repetition.
void Mutants(benchmark::State& state) {
  static const std::vector<File> files = Corpus();
  if (files.empty()) {
    state.SkipWithError("no files");
    return;
  }
  Engine engine(1);
  const File* other = nullptr;
  int left = 0;
  std::uint64_t bytes = 0;
  for (auto iteration : state) {
    if (left == 0) {
      engine.Begin(engine.Pick(files));
      other = &engine.Pick(files);
      left = kDepth;
    }
    engine.Mutate(*other);
    bytes += engine.size();
    --left;
  }
  state.counters["files"] = static_cast<double>(files.size());
  state.counters["bytes"] =
      benchmark::Counter(static_cast<double>(bytes), benchmark::Counter::kAvgIterations);
}

BENCHMARK(Mutants)->Iterations(200'000);

}  // namespace
}  // namespace ggufgate::bench
