// render-llama: renders chat templates with llama.cpp's engine and reports the result, one line of
// JSON per template.

#include <dlfcn.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/oracles/llama_cpp/children.h"
#include "tests/oracles/llama_cpp/library.h"

// From common/chat.h of the release, which is not a public header. A unique_ptr with a custom
// deleter is returned like this structure.
struct common_chat_templates;
struct ReturnedTemplates {
  common_chat_templates* templates = nullptr;
  ~ReturnedTemplates() {}  // NOLINT(modernize-use-equals-default): is returned in memory so
};

namespace ggufgate::oracles::llama_cpp {
namespace {

using Json = nlohmann::ordered_json;
using Init = ReturnedTemplates(const llama_model*, const std::string&, const std::string&,
                               const std::string&);
using Format = std::string(const common_chat_templates*, bool,
                           const std::map<std::string, std::string>&);

// The calls of llama-server for a model's template before it serves requests.
struct Engine {
  Init* init = nullptr;
  Format* format = nullptr;
};

// The mangled names of the functions, for the compiler of the release.
#define GGUFGATE_STRING "NSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE"
constexpr const char* kInit =
    "_Z26common_chat_templates_initPK11llama_modelRK" GGUFGATE_STRING "S9_S9_";
constexpr const char* kFormat =
    "_Z26common_chat_format_examplePK21common_chat_templatesbRKSt3mapI" GGUFGATE_STRING
    "S8_St4lessIS8_ESaISt4pairIKS8_S8_EEE";

std::string Open(Engine& engine) {
  ::setenv("GGML_NO_BACKTRACE", "1", 1);
  const std::string path = FolderOfLibraries() + "/libllama-common.so";
  void* const handle = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) return "no reference library: scripts/fetch-reference fetches it";
  engine.init = reinterpret_cast<Init*>(::dlsym(handle, kInit));
  engine.format = reinterpret_cast<Format*>(::dlsym(handle, kFormat));
  return engine.init == nullptr || engine.format == nullptr ? "the library has no such engine" : "";
}

struct Told {
  std::atomic<bool> rendered = false;
  std::atomic<std::uint64_t> bytes = 0;
};

// A refusal is an exception of the library, which callers catch.
void Render(const Engine& engine, const std::string& text, Told& told) {
  try {
    const ReturnedTemplates made = engine.init(nullptr, text, "<s>", "</s>");
    told.bytes = engine.format(made.templates, true, {}).size();
    told.rendered = true;
  } catch (const std::exception& refusal) {
    std::fprintf(stderr, "refused: %.300s\n", refusal.what());
  }
}

const char* WordFor(const Ending& ending, const Told& told) {
  if (ending.end == End::kDied) return "died";
  if (ending.end == End::kHung) return "hung";
  if (ending.end == End::kMemory && !told.rendered) return "memory";
  return told.rendered ? "rendered" : "refused";
}

int RenderAll(const Engine& engine, std::istream& lines) {
  // Address space and time per template: the limits for the engine in the tests.
  Children children({.memory = std::uint64_t{4} << 30, .seconds = 5});
  Told& told = Shared<Told>();
  for (std::string line; std::getline(lines, line);) {
    const std::string text = Json::parse(line).at("template").get<std::string>();
    told.rendered = false;
    told.bytes = 0;
    const Ending ending = children.Try([&] { Render(engine, text, told); });
    const Json answer = {{"outcome", WordFor(ending, told)},
                         {"signal", ending.signal},
                         {"bytes", told.bytes.load()},
                         {"peak_bytes", ending.peak_bytes},
                         {"words", ending.words.substr(0, 400)}};
    std::cout << answer.dump(-1, ' ', /*ensure_ascii=*/true, Json::error_handler_t::replace)
              << std::endl;
  }
  return EXIT_SUCCESS;
}

int Main(int argc, char** argv) {
  if (argc != 2 || std::string(argv[1]) == "--help") {
    std::puts(
        "usage: render-llama FILE\n\n"
        "Gives each template of FILE (lines of JSON: {\"template\": …}) to llama.cpp's own engine "
        "as\n"
        "llama-server does at start, in a child of its own with 4 GiB and 5 seconds of processor\n"
        "time, and prints a line of JSON: outcome rendered, refused, died, hung or memory.");
    return argc == 2 ? 0 : 2;
  }
  Engine engine;
  const std::string problem = Open(engine);
  if (!problem.empty()) {
    std::fprintf(stderr, "render-llama: %s\n", problem.c_str());
    return 77;
  }
  std::ifstream lines(argv[1]);
  return RenderAll(engine, lines);
}

}  // namespace
}  // namespace ggufgate::oracles::llama_cpp

int main(int argc, char** argv) {
  try {
    return ggufgate::oracles::llama_cpp::Main(argc, argv);
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "render-llama: %s\n", problem.what());
    return 2;
  }
}
