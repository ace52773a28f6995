#pragma once

// Common code of the benchmarks: a temporary file, the reference loader, the gate, and a table of
// ratios at the end. docs/benchmarks.md promises ratios of medians of interleaved runs; absolute
// times depend on the machine.

#include <benchmark/benchmark.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gate/judge.h"
#include "scan/limit_vectors.h"

namespace ggufgate::bench {

[[noreturn]] inline void Die(const char* what) {
  std::perror(what);
  std::exit(1);
}

// TemporaryFile is a sparse file: `head`, then a hole up to `size`. It is removed with the object.
class TemporaryFile {
 public:
  TemporaryFile(std::span<const std::uint8_t> head, std::uint64_t size) {
    path_ = std::filesystem::temp_directory_path() / "ggufgate-bench-XXXXXX";
    const int descriptor = ::mkstemp(path_.data());
    if (descriptor < 0) Die("mkstemp");
    for (std::span<const std::uint8_t> rest = head; !rest.empty();) {
      const ssize_t put = ::write(descriptor, rest.data(), rest.size());
      if (put <= 0) Die("write");
      rest = rest.subspan(static_cast<std::size_t>(put));
    }
    if (::ftruncate(descriptor, static_cast<off_t>(size)) != 0) Die("ftruncate");
    ::close(descriptor);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() { ::unlink(path_.c_str()); }

  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// ReferenceLoader calls gguf_init_from_file of the library that scripts/fetch-reference fetches.
class ReferenceLoader {
 public:
  ReferenceLoader() {
    void* library =
        ::dlopen(GGUFGATE_SOURCE_DIR "/build/reference/package/bins/linux-x64/libggml-base.so",
                 RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) return;
    init_ = reinterpret_cast<Init*>(::dlsym(library, "gguf_init_from_file"));
    free_ = reinterpret_cast<Free*>(::dlsym(library, "gguf_free"));
  }

  [[nodiscard]] bool there() const { return init_ != nullptr && free_ != nullptr; }

  // Load reads the metadata, without the data, and frees them again.
  [[nodiscard]] bool Load(const std::string& path) const {
    void* file = init_(path.c_str(), {.no_alloc = true, .context = nullptr});
    if (file == nullptr) return false;
    free_(file);
    return true;
  }

 private:
  struct Params {
    bool no_alloc;
    void** context;
  };
  using Init = void*(const char*, Params);
  using Free = void(void*);
  Init* init_ = nullptr;
  Free* free_ = nullptr;
};

// Memory is the source of large buffers. kNew: new from the system each time, with page faults, as
// in a program that checks a single file. kUsedAgain: kept by the allocator and reused, as in one
// that checks many files. A process starts with the first, and may switch to the second.
enum class Memory { kNew, kUsedAgain };

inline void Use(Memory memory) {
  constexpr int kMost = 32 << 20;  // the largest threshold that glibc accepts
  constexpr int kLeast = 64 << 10;
  ::mallopt(M_MMAP_THRESHOLD, memory == Memory::kNew ? kLeast : kMost);
  ::mallopt(M_TRIM_THRESHOLD, memory == Memory::kNew ? kLeast : 8 * kMost);
}

inline void RunReference(benchmark::State& state, const std::string& path) {
  static const ReferenceLoader loader;
  if (!loader.there()) {
    state.SkipWithError("no reference library: scripts/fetch-reference fetches it");
    return;
  }
  for (auto iteration : state) {
    if (!loader.Load(path)) state.SkipWithError("the reference refuses the file");
  }
}

inline void RunGate(benchmark::State& state, const std::string& path, const JudgeOptions& options,
                    Verdict expected) {
  for (auto iteration : state) {
    const FileReport report = JudgePath(path, options);
    if (report.verdict != expected) state.SkipWithError("another verdict than expected");
    benchmark::DoNotOptimize(report.summary.tensors);
  }
}

// Medians prints like the console reporter, and keeps the median processor time of each benchmark.
class Medians : public benchmark::ConsoleReporter {
 public:
  void ReportRuns(const std::vector<Run>& runs) override {
    ConsoleReporter::ReportRuns(runs);
    for (const Run& run : runs) {
      if (run.error_occurred || run.aggregate_name != "median") continue;
      nanoseconds_[run.run_name.function_name] =
          run.GetAdjustedCPUTime() / benchmark::GetTimeUnitMultiplier(run.time_unit) * 1e9;
    }
  }

  // NanosecondsOf returns the median of a benchmark, or 0 if it was not run.
  [[nodiscard]] double NanosecondsOf(const std::string& name) const {
    const auto found = nanoseconds_.find(name);
    return found == nanoseconds_.end() ? 0 : found->second;
  }

  // PrintRatio prints the time of `slow` divided by that of `fast`.
  void PrintRatio(const std::string& slow, const std::string& fast) const {
    const auto a = nanoseconds_.find(slow);
    const auto b = nanoseconds_.find(fast);
    if (a == nanoseconds_.end() || b == nanoseconds_.end()) return;
    std::printf("%-28s / %-20s %10.2f\n", slow.c_str(), fast.c_str(), a->second / b->second);
  }

 private:
  std::map<std::string, double> nanoseconds_;
};

// TakeVectorsOption removes --vectors=NAME from the command line. The gate then uses no better
// instruction set than that one. This does not affect the reference and the C library: see
// docs/benchmarks.md.
inline void TakeVectorsOption(int& argc, char** argv) {
  constexpr std::string_view kOption = "--vectors=";
  std::vector<char*> rest;
  for (char* const word : std::span(argv, static_cast<std::size_t>(argc))) {
    const std::string_view text(word);
    if (!text.starts_with(kOption)) {
      rest.push_back(word);
    } else if (!LimitVectorsTo(text.substr(kOption.size()))) {
      std::fprintf(stderr, "%s: this build or this processor has no such vectors\n", word);
      std::exit(2);
    }
  }
  argc = static_cast<int>(rest.size());
  std::copy(rest.begin(), rest.end(), argv);
}

// InitializeAll makes the benchmarks run in turns and repeatedly, unless the command line has other
// options.
inline void InitializeAll(int argc, char** argv, const char* repetitions) {
  std::vector<std::string> words{argv[0], "--benchmark_enable_random_interleaving=true",
                                 std::string("--benchmark_repetitions=") + repetitions,
                                 "--benchmark_report_aggregates_only=true"};
  words.insert(words.end(), argv + 1, argv + argc);
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  int count = static_cast<int>(pointers.size());
  benchmark::Initialize(&count, pointers.data());
  if (benchmark::ReportUnrecognizedArguments(count, pointers.data())) std::exit(2);
}

inline void RunAll(int argc, char** argv, const char* repetitions, Medians& medians) {
  InitializeAll(argc, argv, repetitions);
  benchmark::RunSpecifiedBenchmarks(&medians);
  benchmark::Shutdown();
}

}  // namespace ggufgate::bench
