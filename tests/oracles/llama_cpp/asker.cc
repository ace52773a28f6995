#include "tests/oracles/llama_cpp/asker.h"

#include <array>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "tests/oracles/llama_cpp/deaths.h"

namespace ggufgate::oracles::llama_cpp {
namespace {

constexpr std::size_t kMostMessage = 400;  // bytes

// Signs of an informative line, the best first. The last ones say only that something failed, which
// may not be the reason for a crash.
constexpr std::array<std::string_view, 15> kSigns = {"uncaught ",
                                                     "what():",
                                                     "GGML_ASSERT",
                                                     "attempted to allocate",
                                                     "failed to allocate",
                                                     "unable to allocate",
                                                     "corrupt",
                                                     "free()",
                                                     kDiedIn,
                                                     "error loading model: ",
                                                     "failed to initialize the context: ",
                                                     "rror",
                                                     "fail",
                                                     "unable",
                                                     "invalid"};
constexpr std::size_t kAssertion = 2;
constexpr std::size_t kOfDeaths = 9;
constexpr std::size_t kGeneral = 11;

// ggml_abort prints "/where/it/was/built/llama.cpp/src/file.cpp:123: why".
std::string_view WithoutFolders(std::string_view line) {
  const std::size_t where = line.find(".c");
  if (line.empty() || line.front() != '/' || where == std::string_view::npos) return line;
  for (const std::string_view top : {"/llama.cpp/src/", "/llama.cpp/ggml/"}) {
    const std::size_t at = line.find(top);
    if (at != std::string_view::npos) return line.substr(at + std::strlen("/llama.cpp/"));
  }
  return line.substr(line.rfind('/', where) + 1);
}

// IsPlace recognises "/folder/file.cpp:12: …", the beginning of every ggml_abort message.
bool IsPlace(std::string_view line) {
  return line.starts_with("/") &&
         (line.find(".cpp:") != std::string_view::npos ||
          line.find(".c:") != std::string_view::npos || line.find(".h:") != std::string_view::npos);
}

std::size_t RankOf(std::string_view line) {
  for (std::size_t rank = 0; rank < kSigns.size(); ++rank) {
    if (rank == kAssertion && IsPlace(line)) return rank;
    if (line.find(kSigns.at(rank)) != std::string_view::npos) return rank;
  }
  return kSigns.size();
}

}  // namespace

std::string_view WordFor(Outcome outcome) {
  constexpr std::array<std::string_view, 5> kWords = {"ran", "refused", "died", "hung", "memory"};
  return kWords.at(static_cast<std::size_t>(outcome));
}

std::string NameOf(int signal) {
  const char* const name = signal > 0 ? ::sigabbrev_np(signal) : nullptr;
  return name == nullptr ? "" : std::string("SIG") + name;
}

std::string TellingLine(std::string_view words, End end) {
  std::string_view best;
  const bool sudden = end == End::kDied || end == End::kHung;
  std::size_t best_rank = sudden ? kOfDeaths : kSigns.size();
  while (!words.empty()) {
    const std::size_t length = words.find('\n');
    const std::string_view line = words.substr(0, length);
    words = length == std::string_view::npos ? "" : words.substr(length + 1);
    const std::size_t rank = RankOf(line);
    // Of lines that say that something failed, take the last. Of others take the first, which is
    // nearest to the cause.
    if (rank < best_rank || (rank == best_rank && rank >= kGeneral && rank < kSigns.size())) {
      best = line;
      best_rank = rank;
    }
  }
  return Demangled(WithoutFolders(best)).substr(0, kMostMessage);
}

Asker::Asker(const Library& library, const Limits& limits)
    : library_(library), children_(limits), progress_(Shared<Progress>()) {}

Answer Asker::Ask(const std::string& path, const RunOptions& options) {
  progress_.stage = Stage::kLoad;
  progress_.refused = false;
  progress_.decoded = false;
  progress_.odd_rows = false;
  // A file is mapped, and its weights may be copied into a layout for the processor.
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  const std::uint64_t allowance = error ? 0 : 2 * std::uint64_t{size};
  const Ending ending =
      children_.Try([&] { Run(library_, path.c_str(), options, progress_); }, allowance);
  Answer answer{.stage = progress_.stage,
                .signal = ending.signal,
                .message = TellingLine(ending.words, ending.end),
                .peak_bytes = ending.peak_bytes,
                .decoded = progress_.decoded,
                .odd_rows = progress_.odd_rows};
  switch (ending.end) {
    case End::kDone:
      answer.outcome = progress_.refused ? Outcome::kRefused : Outcome::kRan;
      break;
    case End::kDied:
      answer.outcome = Outcome::kDied;
      break;
    case End::kHung:
      answer.outcome = Outcome::kHung;
      break;
    case End::kMemory:
      answer.outcome = Outcome::kMemory;
      break;
  }
  return answer;
}

}  // namespace ggufgate::oracles::llama_cpp
