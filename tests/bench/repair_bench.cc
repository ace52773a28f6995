// The time of a repair, compared with a check of the same file and with a plain copy. Writing is
// measured without the second process, which judges and compares the copy. See docs/benchmarks.md.

#include <fcntl.h>
#include <unistd.h>

#include <filesystem>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "cli/descriptor_buffer.h"
#include "cli/repair/copy_to.h"
#include "gate/reading/input.h"
#include "gate/reading/read_document.h"
#include "parse/model.h"
#include "repair/repair.h"
#include "repair/repaired_source.h"
#include "tests/bench/bench_support.h"
#include "tests/bench/large_model.h"

namespace ggufgate::bench {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kTrailing = 32;                // what the repair removes
constexpr std::uint64_t kElements = 64 * 1024 * 1024;  // 256 MiB of F32

// Planned is a file with the plan of its repair.
struct Planned {
  Input input;
  ReadDocument read;
  Repair repair;

  // Of returns nullopt if the file could not be read.
  static std::optional<Planned> Of(const std::string& path) {
    absl::StatusOr<Input> input = Input::Open(path);
    if (!input.ok()) return std::nullopt;
    absl::StatusOr<ReadDocument> read =
        ReadDocument::Read(input->source(), PolicyOfRepair().limits);
    if (!read.ok()) return std::nullopt;
    Repair repair = TryRepair(read->document(), input->source());
    return Planned{*std::move(input), *std::move(read), std::move(repair)};
  }
};

// RunPlan reads the metadata, plans the changes, and judges the planned file.
void RunPlan(benchmark::State& state, const std::string& path) {
  for (auto iteration : state) {
    const std::optional<Planned> planned = Planned::Of(path);
    if (!planned || planned->repair.outcome != Repair::Outcome::kRepaired) {
      state.SkipWithError("not repaired");
      break;
    }
    benchmark::DoNotOptimize(planned);
  }
}

// RunWrite writes the file of a plan as the command does.
void RunWrite(benchmark::State& state, const std::string& path, const std::string& copy) {
  const std::optional<Planned> planned = Planned::Of(path);
  for (auto iteration : state) {
    const int file = ::open(copy.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file < 0 || !planned) Die("open");
    bool written = false;
    {
      DescriptorBuffer buffer(file);
      std::ostream out(&buffer);
      const RepairedSource repaired(planned->repair.plan, planned->input.source());
      written = CopyTo(repaired, out).ok() && out.flush();
    }
    ::close(file);
    if (!written) {
      state.SkipWithError("cannot copy");
      break;
    }
    state.PauseTiming();
    fs::remove(copy);
    state.ResumeTiming();
  }
}

// RunCopy copies in the kernel, without looking at the bytes.
void RunCopy(benchmark::State& state, const std::string& path, const std::string& copy) {
  for (auto iteration : state) {
    if (!fs::copy_file(path, copy)) {
      state.SkipWithError("cannot copy");
      break;
    }
    state.PauseTiming();
    fs::remove(copy);
    state.ResumeTiming();
  }
}

// TensorFile returns a file of one tensor, with all its data.
std::vector<std::uint8_t> TensorFile() {
  Model model = Model::Minimal();
  model.tensors.clear();
  Model::Tensor& tensor = model.Add("weight", TensorType::kF32, {kElements});
  for (std::size_t i = 0; i < tensor.data.size(); i += sizeof(float)) {
    tensor.data[i] = static_cast<std::uint8_t>(i / 64);
  }
  model.trailing.assign(kTrailing, 0);
  return Write(model);
}

int Main(int argc, char** argv) {
  std::uint64_t data_bytes = 0;
  const std::vector<std::uint8_t> head = Write(LargeModel(data_bytes));
  const TemporaryFile large(head, head.size() + data_bytes + kTrailing);
  const std::vector<std::uint8_t> bytes = TensorFile();
  const TemporaryFile tensor(bytes, bytes.size());
  std::printf("header of %zu bytes; tensor of %llu bytes\n", head.size(),
              static_cast<unsigned long long>(kElements * sizeof(float)));

  const std::string copy = tensor.path() + ".copy";
  benchmark::RegisterBenchmark("check", RunGate, large.path(), JudgeOptions(), Verdict::kAccept);
  benchmark::RegisterBenchmark("plan", RunPlan, large.path());
  benchmark::RegisterBenchmark("write", RunWrite, tensor.path(), copy)
      ->Unit(benchmark::kMillisecond);
  benchmark::RegisterBenchmark("copy_file", RunCopy, tensor.path(), copy)
      ->Unit(benchmark::kMillisecond);

  Medians medians;
  RunAll(argc, argv, "11", medians);
  std::printf("\nratios of medians\n");
  medians.PrintRatio("plan", "check");
  medians.PrintRatio("write", "copy_file");
  return 0;
}

}  // namespace
}  // namespace ggufgate::bench

int main(int argc, char** argv) { return ggufgate::bench::Main(argc, argv); }
