// The cost of a mutant: parse, mutate, repair and emit, by mode, for the files of the corpus up to
// 4 KiB. See docs/benchmarks.md.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <vector>

#include "mutate/file/writer.h"
#include "mutate/mutator.h"
#include "mutate/reduce/reduce.h"
#include "tests/mutate/seed_files.h"

namespace ggufgate::bench {
namespace {

using File = std::vector<std::uint8_t>;
using mutate::Mode;

constexpr std::size_t kSmall = 4096;

// Report prints the median and the 99th percentile of single mutants, in nanoseconds. These include
// about 20 for the clock itself.
void Report(benchmark::State& state, std::vector<std::uint32_t>& nanoseconds) {
  std::ranges::sort(nanoseconds);
  state.counters["median_ns"] = nanoseconds[nanoseconds.size() / 2];
  state.counters["p99_ns"] = nanoseconds[nanoseconds.size() * 99 / 100];
  state.SetItemsProcessed(state.iterations());
}

template <typename Work>
void Each(benchmark::State& state, Work work) {
  using Clock = std::chrono::steady_clock;
  static const std::vector<File> files = mutate::CorpusFiles(kSmall);
  std::vector<std::uint32_t> nanoseconds;
  nanoseconds.reserve(std::size_t{1} << 24);
  std::uint64_t i = 0;
  for (auto _ : state) {
    const auto begin = Clock::now();
    work(files[i % files.size()], i);
    const auto taken = Clock::now() - begin;
    if (nanoseconds.size() < nanoseconds.capacity()) {
      nanoseconds.push_back(static_cast<std::uint32_t>(
          std::chrono::duration_cast<std::chrono::nanoseconds>(taken).count()));
    }
    ++i;
  }
  Report(state, nanoseconds);
}

void Make(benchmark::State& state, Mode mode) {
  mutate::Mutator mutator(std::size_t{1} << 16);
  Each(state, [&](const File& file, std::uint64_t i) {
    benchmark::DoNotOptimize(
        mutator.Make({.input = file, .mode = mode, .seed = i, .max_size = kSmall}));
  });
}

// Generate makes files from seeds only. The result is the number of items per second.
void Generate(benchmark::State& state) {
  mutate::Mutator mutator(std::size_t{1} << 16);
  std::uint64_t seed = 0;
  std::uint64_t bytes = 0;
  for (auto _ : state) {
    bytes +=
        mutator.Make({.input = {}, .mode = Mode::kGenerate, .seed = ++seed, .max_size = kSmall})
            .bytes.size();
  }
  state.SetItemsProcessed(state.iterations());
  state.SetBytesProcessed(static_cast<std::int64_t>(bytes));
}

void TakeApartAndEmit(benchmark::State& state) {
  mutate::Draft draft;
  File out(kSmall);
  Each(state, [&](const File& file, std::uint64_t) {
    TakeApart(file, draft);
    benchmark::DoNotOptimize(WriteAsItStands(draft, {.first = draft.tail}, out));
  });
}

BENCHMARK_CAPTURE(Make, mixed, Mode::kMixed);
BENCHMARK_CAPTURE(Make, consistent, Mode::kConsistent);
BENCHMARK_CAPTURE(Make, one_lie, Mode::kOneLie);
BENCHMARK_CAPTURE(Make, semi, Mode::kSemi);
BENCHMARK_CAPTURE(Make, raw, Mode::kRaw);
BENCHMARK_CAPTURE(Make, reduce, Mode::kReduce);
BENCHMARK(Generate);
BENCHMARK(TakeApartAndEmit);

}  // namespace
}  // namespace ggufgate::bench
