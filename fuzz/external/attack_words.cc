#include "fuzz/external/attack_words.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <system_error>
#include <utility>

#include "words/escape.h"

namespace ggufgate::external {

void PrintUsage(std::FILE* to, std::span<const Loader> loaders, const char* program) {
  std::fprintf(
      to,
      "usage: %s [OPTION...] SEED...\n\n"
      "Makes mutants of the seeds (files, or folders of them), asks the gate and a loader\n"
      "about each, and reports by rule what loads although the gate rejects it, and what\n"
      "the loader dies of.\n\n"
      "  --count N          mutants, at most (10000)\n"
      "  --seconds T        no new ones after so long\n"
      "  --seed S           of the random numbers (1): the same S, the same mutants\n"
      "  --mode MODE        mixed (default), consistent, one-lie, semi, raw, generate,\n"
      "                     reduce, or all in turn\n"
      "  --data HOW         tensor data: none (default), scales, full\n"
      "  --profile PROFILE  of the gate: gate (default), llama.cpp, spec, diffusion\n"
      "  --max-size BYTES   of a mutant (65536)\n"
      "  --patience T       seconds for one file (10)\n"
      "  --memory MIB       for one file (1024)\n"
      "  --alone            load each file in its own process\n"
      "  --json FILE        the report, for programs\n"
      "  --out FOLDER       keep the first file of each kind of misbehaviour there;\n"
      "                     the folder is made where its parent exists\n"
      "  --must-load        look for one thing only: accepted by the gate, not loaded\n"
      "  --loader NAME      one of:\n",
      program);
  for (const Loader& loader : loaders) {
    std::fprintf(to, "      %-14.*s %.*s\n", static_cast<int>(loader.name.size()),
                 loader.name.data(), static_cast<int>(loader.what.size()), loader.what.data());
  }
  std::fprintf(
      to,
      "\nexit code: 0 nothing found; 1 the loader crashed, hung, took too much memory or,\n"
      "with --must-load, did not load what the gate accepts; 2 it could not be done\n");
}

namespace {

bool ReadNumber(const std::string& word, std::uint64_t& out) {
  const char* const end = word.data() + word.size();
  const auto [rest, error] = std::from_chars(word.data(), end, out);
  return error == std::errc() && rest == end;
}

// Number is an option with a number and its allowed range.
struct Number {
  const char* first;
  std::uint64_t* second;
  std::uint64_t least;
  std::uint64_t most;
};

// FaultOf returns the error of an option's value, or "".
std::string FaultOf(const Number& option, const std::string& word) {
  if (ReadNumber(word, *option.second) && *option.second >= option.least &&
      *option.second <= option.most) {
    return "";
  }
  std::string fault = std::string(option.first) + " needs a whole number ";
  if (option.most == std::numeric_limits<std::uint64_t>::max()) {
    fault += "of at least " + std::to_string(option.least);
  } else {
    fault += "from " + std::to_string(option.least) + " to " + std::to_string(option.most);
  }
  return fault + ", not " + Quoted(word);
}

}  // namespace

std::string Understand(const std::vector<std::string>& words, Wish& wish) {
  constexpr std::uint64_t kMost = 1'000'000;  // of seconds and MiB: their products cannot overflow
  constexpr std::uint64_t kAny = std::numeric_limits<std::uint64_t>::max();
  const std::array<Number, 6> numbers = {{{"--count", &wish.count, 1, kAny},
                                          {"--seed", &wish.seed, 0, kAny},
                                          {"--seconds", &wish.seconds, 0, kMost},
                                          {"--patience", &wish.patience, 1, kMost},
                                          {"--memory", &wish.memory, 1, kMost},
                                          {"--max-size", &wish.max_size, 1, kLargestSeed}}};
  const std::array<std::pair<const char*, std::string*>, 6> texts = {{{"--mode", &wish.mode},
                                                                      {"--profile", &wish.profile},
                                                                      {"--data", &wish.data},
                                                                      {"--loader", &wish.loader},
                                                                      {"--json", &wish.json},
                                                                      {"--out", &wish.out}}};
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words.at(i);
    const auto is_word = [&](const auto& option) { return word == option.first; };
    if (word == "--help" || word == "-h") {
      wish.help = true;
    } else if (word == "--must-load") {
      wish.must_load = true;
    } else if (word == "--alone") {
      wish.alone = true;
    } else if (const auto number = std::ranges::find_if(numbers, is_word);
               number != numbers.end()) {
      if (++i == words.size()) return word + " needs a value";
      if (std::string fault = FaultOf(*number, words.at(i)); !fault.empty()) return fault;
    } else if (const auto text = std::ranges::find_if(texts, is_word); text != texts.end()) {
      if (++i == words.size()) return word + " needs a value";
      *text->second = words.at(i);
    } else if (word.starts_with("-")) {
      return "there is no option " + Quoted(word);
    } else {
      wish.seeds.push_back(word);
    }
  }
  return "";
}

}  // namespace ggufgate::external
