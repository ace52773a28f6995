#include "fuzz/external/attack.h"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "check/rule.h"
#include "fuzz/external/attack_words.h"
#include "fuzz/external/results.h"
#include "mutate/mutator.h"
#include "mutate/naming.h"
#include "tests/oracles/plain_files.h"
#include "tests/oracles/verdict.h"
#include "words/escape.h"

namespace ggufgate::external {
namespace {

using mutate::Mode;
using Clock = std::chrono::steady_clock;

constexpr std::array kAllModes = {Mode::kConsistent, Mode::kOneLie, Mode::kSemi,  Mode::kRaw,
                                  Mode::kGenerate,   Mode::kMixed,  Mode::kReduce};
constexpr std::size_t kMostTogether = 512;  // mutants per child

// Plan is a Wish whose words have been parsed.
struct Plan {
  std::vector<Mode> modes;
  Policy policy;
  mutate::DataNeeded data = mutate::DataNeeded::kNone;
  const Loader* loader = nullptr;
  std::vector<File> seeds;
};

// MakeFolder makes the folder unless it exists. It returns the problem, or "".
std::string MakeFolder(const std::string& path) {
  if (::mkdir(path.c_str(), 0777) != 0 && errno != EEXIST) {
    const int error = errno;
    return EscapeText(path) +
           ": cannot make this folder for --out: " + std::generic_category().message(error);
  }
  struct stat status{};
  const bool is_folder = ::stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
  return is_folder ? "" : EscapeText(path) + ": is not a folder, as --out needs";
}

// Listed joins words: "a, b or c".
std::string Listed(std::span<const std::string_view> words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? " or " : ", ";
    text += words[i];
  }
  return text;
}

std::string MakePlan(const Wish& wish, std::span<const Loader> loaders, Plan& plan) {
  if (const std::optional<Mode> mode = mutate::FindMode(wish.mode)) plan.modes = {*mode};
  if (wish.mode == "all") plan.modes.assign(kAllModes.begin(), kAllModes.end());
  if (plan.modes.empty()) {
    return "--mode is mixed, consistent, one-lie, semi, raw, generate, reduce or all, not " +
           Quoted(wish.mode);
  }
  const auto profile = std::ranges::find(kProfileWords, wish.profile);
  if (profile == kProfileWords.end()) {
    return "--profile is " + Listed(kProfileWords) + ", not " + Quoted(wish.profile);
  }
  plan.policy = PolicyFor(static_cast<Profile>(profile - kProfileWords.begin()));
  const auto data = mutate::FindDataNeeded(wish.data);
  if (!data) return "--data is none, scales or full, not " + Quoted(wish.data);
  plan.data = *data;
  plan.policy.data = static_cast<DataScan>(*data);
  const auto is_meant = [&](const Loader& one) {
    const bool is_path = wish.loader.find('/') != std::string::npos;
    return is_path ? one.open != nullptr : wish.loader.empty() || one.name == wish.loader;
  };
  const auto loader = std::ranges::find_if(loaders, is_meant);
  if (loader == loaders.end()) {
    std::vector<std::string_view> names;
    for (const Loader& one : loaders) names.push_back(one.name);
    return "--loader is " + Listed(names) + ", not " + Quoted(wish.loader);
  }
  plan.loader = &*loader;
  for (const std::string& path : testing::FilesOf(wish.seeds)) {
    File bytes;
    struct stat status{};
    const bool fits = ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) &&
                      static_cast<std::uint64_t>(status.st_size) <= kLargestSeed;
    if (!fits || !testing::ReadWhole(path, bytes)) {
      return EscapeText(path) + ": cannot read this seed: it must be a file of at most 16 MiB";
    }
    KeepFromChildren(bytes);
    plan.seeds.push_back(std::move(bytes));
  }
  if (plan.seeds.empty()) {
    return wish.seeds.empty() ? "no SEED is given: name files, or folders of them"
                              : "no file is in the folders that are named as SEED";
  }
  if (!wish.out.empty()) {
    if (const std::string problem = MakeFolder(wish.out); !problem.empty()) return problem;
  }
  if (plan.loader->open != nullptr) return plan.loader->open(wish.loader);
  return plan.loader->prepare != nullptr ? plan.loader->prepare() : "";
}

// Campaign makes the mutants and loads them.
class Campaign {
 public:
  Campaign(const Wish& wish, const Plan& plan)
      : wish_(wish),
        plan_(plan),
        mutator_(wish.max_size),
        harness_(*plan.loader,
                 {.patience = std::chrono::seconds(wish.patience), .memory = wish.memory << 20}) {}

  void Run() {
    const auto begin = Clock::now();
    const auto past = [&] { return std::chrono::duration<double>(Clock::now() - begin).count(); };
    const bool alone = wish_.alone || plan_.loader->alone;
    for (std::uint64_t i = 0; i < wish_.count;) {
      if (wish_.seconds > 0 && past() >= static_cast<double>(wish_.seconds)) break;
      const std::uint64_t end = std::min(wish_.count, i + (alone ? 1 : kMostTogether));
      for (; i < end; ++i) MakeOne(i);
      AskAboutAll();
    }
    frame_ = {.loader = std::string(plan_.loader->name),
              .profile = wish_.profile,
              .mode = wish_.mode,
              .seed = wish_.seed,
              .seconds = past(),
              .children = harness_.children()};
  }

  [[nodiscard]] const Results& results() const { return results_; }
  [[nodiscard]] const Frame& frame() const { return frame_; }
  [[nodiscard]] bool kept_all() const { return kept_all_; }

 private:
  void MakeOne(std::uint64_t i) {
    const File& seed = plan_.seeds.at(i % plan_.seeds.size());
    const File& donor = plan_.seeds.at((i + 1 + i / plan_.seeds.size()) % plan_.seeds.size());
    const mutate::Mutant mutant = mutator_.Make({.input = seed,
                                                 .donor = donor,
                                                 .mode = plan_.modes.at(i % plan_.modes.size()),
                                                 .seed = mutate::SeedOf(wish_.seed, i),
                                                 .max_size = wish_.max_size,
                                                 .data = plan_.data});
    Case& made = cases_.emplace_back();
    made.number = i;
    made.mode = mutate::WordFor(mutant.mode);
    for (const mutate::Mutation* mutation : mutant.mutations) {
      made.mutations.emplace_back(mutation->slug);
    }
    files_.emplace_back(mutant.bytes.begin(), mutant.bytes.end());
    made.rules = RulesAgainst(files_.back());
  }

  // RulesAgainst returns the rules with which the gate rejects a file; none if it accepts the file.
  [[nodiscard]] std::vector<std::string> RulesAgainst(const File& file) const {
    std::vector<std::string> rules;
    for (const Finding& finding : fuzz::Judge(file, plan_.policy).checked.findings.list) {
      const std::string slug(RuleOf(finding.rule).slug);
      const bool known = std::ranges::find(rules, slug) != rules.end();
      if (finding.severity >= Severity::kError && !known) rules.push_back(slug);
    }
    return rules;
  }

  void AskAboutAll() {
    const std::vector<Answer> answers = harness_.AskAll(files_);
    for (std::size_t i = 0; i < answers.size(); ++i)
      Note(cases_.at(i), files_.at(i), answers.at(i));
    cases_.clear();
    files_.clear();
  }

  void Note(const Case& made, const File& file, Answer answer) {
    // If a child loads several files, the output of successful loads is not kept.
    const bool survived = answer.signal == 0 && answer.exit_code == 0 && answer.words.empty();
    const bool of_note = answer.outcome == Outcome::kMemory ||
                         (answer.outcome == Outcome::kRefuses && made.rules.empty());
    if (survived && of_note) {
      const Answer alone = harness_.Ask(file);
      if (alone.outcome == answer.outcome || IsDeath(alone.outcome)) answer = alone;
    }
    if (!results_.Add(made, answer)) return;
    Sort& sort = results_.TheSort();
    sort.alone = harness_.Ask(file).outcome == answer.outcome;
    if (!wish_.out.empty()) Keep(file, sort);
  }

  void Keep(const File& bytes, Sort& sort) {
    const std::string path = wish_.out + "/mutant-" + std::to_string(sort.first.number) + ".gguf";
    std::FILE* const file = std::fopen(path.c_str(), "wbxe");
    const bool written =
        file != nullptr && std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
    const bool closed = file != nullptr && std::fclose(file) == 0;
    kept_all_ = kept_all_ && written && closed;
    if (written && closed) sort.kept = path;
  }

  const Wish& wish_;
  const Plan& plan_;
  mutate::Mutator mutator_;
  Harness harness_;
  std::vector<Case> cases_;
  std::vector<File> files_;
  Results results_;
  Frame frame_;
  bool kept_all_ = true;
};

bool WriteText(const std::string& path, const std::string& text) {
  std::FILE* const file = std::fopen(path.c_str(), "we");
  if (file == nullptr) return false;
  const bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  return std::fclose(file) == 0 && written;
}

int Report(const Wish& wish, const Campaign& campaign) {
  const Results& results = campaign.results();
  std::fputs(TextOf(results, campaign.frame()).c_str(), stdout);
  if (!wish.json.empty() && !WriteText(wish.json, JsonOf(results, campaign.frame()))) {
    std::fprintf(stderr, "%s: cannot be written\n", EscapeText(wish.json).c_str());
    return 2;
  }
  if (!campaign.kept_all()) {
    std::fprintf(stderr, "%s: a file could not be kept there, or one of its name is there\n",
                 EscapeText(wish.out).c_str());
    return 2;
  }
  if (wish.must_load) {
    std::printf("\n%llu of the files that the gate accepts do not load\n",
                static_cast<unsigned long long>(results.unloaded()));
  }
  return (wish.must_load ? results.unloaded() : results.deaths()) > 0 ? 1 : 0;
}

}  // namespace

File BytesOf(const char* path) {
  File bytes;
  if (!testing::ReadWhole(path, bytes)) bytes.clear();
  return bytes;
}

int Attack(std::span<const Loader> loaders, int argc, char** argv) {
  Wish wish;
  const std::span<char*> words(argv, static_cast<std::size_t>(argc));
  const auto refuse = [&](const std::string& problem) {
    std::fprintf(stderr, "%s: %s\nTry '%s --help'.\n", words.front(), problem.c_str(),
                 words.front());
    return 2;
  };
  if (const std::string problem = Understand({words.begin() + 1, words.end()}, wish);
      !wish.help && !problem.empty()) {
    return refuse(problem);
  }
  if (wish.help) {
    PrintUsage(stdout, loaders, words.front());
    return 0;
  }
  try {
    Plan plan;
    if (const std::string problem = MakePlan(wish, loaders, plan); !problem.empty()) {
      return refuse(problem);
    }
    Campaign campaign(wish, plan);
    campaign.Run();
    return Report(wish, campaign);
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "%s: %s\n", words.front(), problem.what());
    return 2;
  }
}

}  // namespace ggufgate::external
