// The time of the gate for the header of a large model, compared with reading the same bytes and
// with the reference loader. See docs/benchmarks.md.

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "parse/model.h"
#include "tests/bench/bench_support.h"
#include "tests/bench/large_model.h"

namespace ggufgate::bench {
namespace {

// ReadWhole reads the first out.size() bytes with one open and the minimum number of reads.
bool ReadWhole(const std::string& path, std::span<std::uint8_t> out) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  while (!out.empty()) {
    const ssize_t got = ::read(descriptor, out.data(), out.size());
    if (got <= 0) break;
    out = out.subspan(static_cast<std::size_t>(got));
  }
  ::close(descriptor);
  return out.empty();
}

// RunRead reads into a new buffer every time.
void RunRead(benchmark::State& state, const std::string& path, std::size_t bytes) {
  for (auto iteration : state) {
    const auto buffer = std::make_unique_for_overwrite<std::uint8_t[]>(bytes);
    if (!ReadWhole(path, {buffer.get(), bytes})) state.SkipWithError("cannot read");
    benchmark::DoNotOptimize(buffer.get());
  }
}

// RunIn runs the three in turns with one kind of memory and prints their ratios.
void RunIn(Memory memory, const std::string& path, std::size_t bytes, int argc, char** argv) {
  Use(memory);
  benchmark::RegisterBenchmark("read", RunRead, path, bytes);
  benchmark::RegisterBenchmark("gate", RunGate, path, JudgeOptions(), Verdict::kAccept);
  benchmark::RegisterBenchmark("reference", RunReference, path);
  Medians medians;
  RunAll(argc, argv, "11", medians);
  std::printf("\nratios of medians, %s\n",
              memory == Memory::kNew ? "memory new each time" : "memory used again");
  medians.PrintRatio("gate", "read");
  medians.PrintRatio("reference", "gate");
  std::fflush(stdout);
}

int Main(int argc, char** argv) {
  TakeVectorsOption(argc, argv);
  Use(Memory::kNew);
  std::uint64_t data_bytes = 0;
  const std::vector<std::uint8_t> head = Write(LargeModel(data_bytes));
  const TemporaryFile file(head, head.size() + data_bytes);
  std::printf("header of %zu bytes, %zu tokens, %zu merges\n", head.size(), kTokens, kMerges);
  std::fflush(stdout);

  // A separate process, because memory that was used once is never completely new again.
  const pid_t again = ::fork();
  if (again == 0) {
    RunIn(Memory::kUsedAgain, file.path(), head.size(), argc, argv);
    std::_Exit(0);
  }
  int status = 1;
  if (::waitpid(again, &status, 0) < 0 || status != 0) return 1;
  RunIn(Memory::kNew, file.path(), head.size(), argc, argv);
  return 0;
}

}  // namespace
}  // namespace ggufgate::bench

int main(int argc, char** argv) { return ggufgate::bench::Main(argc, argv); }
