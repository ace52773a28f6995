// The time of the gate for 120,000 keys in 2 MB. Loaders that compare keys pairwise take seconds
// for them. See docs/benchmarks.md.

#include <string>
#include <vector>

#include "parse/model.h"
#include "tests/bench/bench_support.h"

namespace ggufgate::bench {
namespace {

constexpr std::uint64_t kKeys = 120'000;

// KeyNumber writes a number with three letters: with short keys, 2 MB have room for more.
std::string KeyNumber(std::uint64_t number) {
  constexpr std::string_view kDigits = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUV";
  std::string key;
  for (int i = 0; i < 3; ++i) {
    key += kDigits[number % kDigits.size()];
    number /= kDigits.size();
  }
  return key;
}

std::vector<std::uint8_t> ManyKeys() {
  Model model;
  for (std::uint64_t i = 0; i < kKeys; ++i) {
    model.metadata.push_back(
        {.key = KeyNumber(i), .type = static_cast<std::uint32_t>(ValueType::kU8), .payload = {7}});
  }
  return Write(model);
}

int Main(int argc, char** argv) {
  const std::vector<std::uint8_t> bytes = ManyKeys();
  const TemporaryFile file(bytes, bytes.size());
  std::printf("%zu keys in %zu bytes\n", static_cast<std::size_t>(kKeys), bytes.size());

  JudgeOptions whole;
  whole.policy.limits.metadata_keys = UINT64_MAX;
  benchmark::RegisterBenchmark("gate", RunGate, file.path(), JudgeOptions(), Verdict::kReject);
  benchmark::RegisterBenchmark("gate_without_limit", RunGate, file.path(), whole, Verdict::kAccept);
  benchmark::RegisterBenchmark("reference", RunReference, file.path())
      ->Iterations(1)
      ->Unit(benchmark::kMillisecond);

  Medians medians;
  RunAll(argc, argv, "3", medians);
  std::printf("\nratios of medians\n");
  medians.PrintRatio("reference", "gate_without_limit");
  medians.PrintRatio("reference", "gate");
  return 0;
}

}  // namespace
}  // namespace ggufgate::bench

int main(int argc, char** argv) { return ggufgate::bench::Main(argc, argv); }
