// ask-llama: runs model files and reports the outcome, one line of JSON for each.

#include <cstdio>
#include <exception>
#include <nlohmann/json.hpp>

#include "tests/oracles/llama_cpp/asker.h"
#include "tests/oracles/llama_cpp/command_line.h"

namespace ggufgate::oracles::llama_cpp {
namespace {

using Json = nlohmann::ordered_json;

void PrintUsage(std::FILE* to) {
  std::fputs(
      "usage: ask-llama [--memory MIB] [--seconds N] [--guard] [FILE[<tab>OPTION,OPTION...]...]\n\n"
      "Runs each file through llama.cpp, in a child of its own, and prints a line of JSON:\n"
      "outcome ran, refused, died, hung or memory, and the last stage that was begun. Without\n"
      "files it reads lines of standard input.\n\n"
      "  --memory MIB  of address space for one file (1024), above twice its size\n"
      "  --seconds N   of processor time for one file, as 0.4 (5)\n"
      "  --guard       a page behind every block that must not be touched; needs more memory\n\n"
      "options of a file:\n",
      to);
#define FLAG(member, word, meaning) std::fprintf(to, "  %-14s %s\n", word, meaning);
#include "tests/oracles/llama_cpp/options.def"
#undef FLAG
  std::fputs("  adapter:PATH   with a LoRA adapter\n", to);
}

void Print(const Json& line) {
  const std::string text =
      line.dump(-1, ' ', /*ensure_ascii=*/true, Json::error_handler_t::replace) + "\n";
  std::fputs(text.c_str(), stdout);
  std::fflush(stdout);
}

void AskAbout(Asker& asker, const Library& library, std::string_view line) {
  const std::size_t tab = line.find('\t');
  const std::string file(line.substr(0, tab));
  const auto options = ReadRunOptions(tab == std::string_view::npos ? "" : line.substr(tab + 1));
  if (!options) {
    Print({{"file", file}, {"error", "no such option"}});
    return;
  }
  const Answer answer = asker.Ask(file, *options);
  Json told = {{"file", file},
               {"outcome", WordFor(answer.outcome)},
               {"stage", WordFor(answer.stage)},
               {"signal", answer.signal == 0 ? Json(nullptr) : Json(NameOf(answer.signal))},
               {"message", answer.message},
               {"peak_bytes", answer.peak_bytes},
               {"decoded", answer.decoded}};
  if (options->rotations) told["odd_rows"] = answer.odd_rows;
  if (!library.lacks.empty()) told["skipped"] = library.lacks;  // functions that the release lacks
  Print(told);
}

int Main(int argc, char** argv) {
  const std::optional<CommandLine> line = ReadCommandLine(argc, argv);
  if (!line || line->help) {
    PrintUsage(line ? stdout : stderr);
    return line ? 0 : 2;
  }
  Library library;
  std::string problem = line->guard ? StartGuarded(argv) : "";
  if (problem.empty()) problem = Open(library);
  if (!problem.empty()) {
    std::fprintf(stderr, "ask-llama: %s\n", problem.c_str());
    return 3;
  }
  Asker asker(library, line->limits);
  ForEachLine(*line, [&](std::string_view text) { AskAbout(asker, library, text); });
  return 0;
}

}  // namespace
}  // namespace ggufgate::oracles::llama_cpp

int main(int argc, char** argv) {
  try {
    return ggufgate::oracles::llama_cpp::Main(argc, argv);
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "ask-llama: %s\n", problem.what());
    return 2;
  }
}
