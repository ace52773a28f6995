#include "fuzz/external/llama_cpp_runner.h"

#include <cstdlib>
#include <string>

#ifdef GGUFGATE_RUNS_LLAMA_CPP
#include "tests/oracles/llama_cpp/children.h"
#include "tests/oracles/llama_cpp/deaths.h"
#include "tests/oracles/llama_cpp/library.h"
#include "tests/oracles/llama_cpp/run.h"
#endif

namespace ggufgate::external {
namespace {

#ifdef GGUFGATE_RUNS_LLAMA_CPP

namespace llama_cpp = oracles::llama_cpp;

llama_cpp::Library library;
llama_cpp::Progress* progress = nullptr;  // shared with the children
llama_cpp::RunOptions options;

// The memory of lfm2 claims that it can be shifted, but llama.cpp v0.5.0 crashes on it for any
// file.
constexpr const char* kUsual = "no-shift";

std::string Prepare() {
  const char* const named = std::getenv("GGUFGATE_RUN_OPTIONS");
  const auto read = llama_cpp::ReadRunOptions(named != nullptr ? named : kUsual);
  if (!read) return "GGUFGATE_RUN_OPTIONS: no such option; ask-llama --help lists them";
  options = *read;
  progress = &llama_cpp::Shared<llama_cpp::Progress>();
  return llama_cpp::Open(library);
}

bool Load(const char* path) {
  static llama_cpp::Peak peak;
  llama_cpp::WatchDeaths(peak);
  progress->refused = false;
  llama_cpp::Run(library, path, options, *progress);
  return !progress->refused;
}

std::string_view StageOf() { return llama_cpp::WordFor(progress->stage); }

#else

std::string Prepare() {
  return "not built: scripts/fetch-reference fetches the headers that it needs; configure again";
}

bool Load(const char* /*path*/) { return false; }

std::string_view StageOf() { return ""; }

#endif

}  // namespace

// A child per file: memory that one file corrupts could crash the next, and a child costs little
// compared with a run.
Loader LlamaCppRunner() {
  return {.name = "run",
          .what = "libllama: load, tokenise, decode, save, restore (docs/attach.md)",
          .load = Load,
          .prepare = Prepare,
          .alone = true,
          .stage = StageOf};
}

}  // namespace ggufgate::external
