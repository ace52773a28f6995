// examine: the mutator and the gate check each other.
//
//   examine [--count N] [--seed S] [--data none|scales|full] [--only MUTATION] [--keep FOLDER]
//           [--also yes] SEED...
//
// SEED is a file, or a folder that is searched for files. N mutants of every mode are made from the
// seeds in turn. The gate must accept the mutants that the mutator calls consistent or generated,
// and must report the rule, or one of the rules, that a lie breaks. It prints a table by lie and by
// rule; with --also, it also counts the other rules that reported a lie. The exit code is 1 if the
// two disagree; the first mutants on which they disagree are kept in FOLDER.
//
// It does not use GoogleTest, and uses only the core of the library, so that it runs under
// MemorySanitizer.

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bytes/memory_source.h"
#include "check/check.h"
#include "check/rule.h"
#include "mutate/mutator.h"
#include "parse/parse.h"
#include "tests/oracles/plain_files.h"

namespace ggufgate {
namespace {

using File = std::vector<std::uint8_t>;
using mutate::Expectation;
using mutate::Mode;

constexpr std::size_t kLargestSeed = std::size_t{256} << 10;
constexpr std::size_t kMostPrinted = 12;
constexpr std::size_t kMostRules = 256;

struct Wish {
  std::uint64_t count = 100'000;
  std::uint64_t seed = 1;
  mutate::DataNeeded data = mutate::DataNeeded::kFull;
  std::string only;
  std::string keep;
  bool also = false;
  std::vector<std::string> paths;
};

// Tally counts the results for the mutants of one mutation.
struct Tally {
  std::uint64_t told = 0;
  std::uint64_t named = 0;
  std::array<std::uint64_t, kMostRules> also{};  // lies that this rule also reported
};

// ReadSeeds reads all files up to a maximum size. The first seed is empty, for mutants without a
// seed.
std::vector<File> ReadSeeds(const std::vector<std::string>& paths) {
  std::vector<File> seeds(1);
  for (const std::string& path : testing::FilesOf(paths)) {
    File bytes;
    const bool is_model = path.ends_with(".gguf") && testing::ReadWhole(path, bytes);
    if (is_model && bytes.size() <= kLargestSeed) seeds.push_back(std::move(bytes));
  }
  return seeds;
}

class Examination {
 public:
  Examination(const Wish& wish, std::vector<File> seeds)
      : wish_(wish),
        seeds_(std::move(seeds)),
        mutator_(kLargestSeed),
        tallies_(mutate::AllMutations().size()) {
    policy_.data = static_cast<DataScan>(wish.data);
  }

  bool Run() {
    const std::array modes = {Mode::kConsistent, Mode::kOneLie, Mode::kGenerate};
    for (const Mode mode : modes) {
      if (!wish_.only.empty() && mode != Mode::kOneLie) continue;
      for (std::uint64_t i = 0; i < wish_.count; ++i) Examine(mode, i);
    }
    PrintTables();
    return disagreements_ == 0;
  }

 private:
  void Examine(Mode mode, std::uint64_t i) {
    const File& seed = seeds_[i % seeds_.size()];
    const mutate::Mutant mutant =
        mutator_.Make({.input = seed,
                       .mode = mode,
                       .seed = wish_.seed * 0x9E37'79B9 + i,
                       .max_size = i % 4 != 0 ? seed.size() + 4096 : SIZE_MAX,
                       .data = wish_.data});
    if (mutant.expect == Expectation::kAny) {
      ++raw_;
      return;
    }
    if (!wish_.only.empty() && mutant.mutations.back()->slug != wish_.only) return;
    const ParseResult parsed = Parse(mutant.bytes, mutant.bytes.size(), policy_.limits);
    const MemorySource source(mutant.bytes);
    const Findings findings = Check(parsed.document, source, policy_).findings;
    const bool rejected = findings.Worst() >= Severity::kError;
    if (mutant.expect == Expectation::kAccept) {
      ++consistent_;
      if (rejected) Disagree(mutant, findings, i);
      return;
    }
    Tally& tally =
        tallies_[static_cast<std::size_t>(mutant.mutations.back() - mutate::AllMutations().data())];
    ++tally.told;
    if (wish_.also) CountOthers(findings, mutant.rules, tally);
    if (rejected && Names(findings, mutant.rules)) {
      ++tally.named;
    } else {
      Disagree(mutant, findings, i);
    }
  }

  // IsAmong tells whether a rule is in a list of slugs.
  static bool IsAmong(RuleId rule, std::string_view rules) {
    const std::string_view slug = RuleOf(rule).slug;
    for (std::string_view rest = rules; !rest.empty();) {
      const std::size_t end = std::min(rest.find('|'), rest.size());
      if (rest.substr(0, end) == slug) return true;
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return false;
  }

  static void CountOthers(const Findings& findings, std::string_view rules, Tally& tally) {
    std::array<bool, kMostRules> counted{};
    for (const Finding& finding : findings.list) {
      bool& once = counted.at(static_cast<std::size_t>(finding.rule));
      if (finding.severity < Severity::kError || once || IsAmong(finding.rule, rules)) continue;
      once = true;
      ++tally.also.at(static_cast<std::size_t>(finding.rule));
    }
  }

  // Names tells whether one of the rules has an error.
  static bool Names(const Findings& findings, std::string_view rules) {
    return std::ranges::any_of(findings.list, [&](const Finding& finding) {
      return finding.severity == Severity::kError && IsAmong(finding.rule, rules);
    });
  }

  void Disagree(const mutate::Mutant& mutant, const Findings& findings, std::uint64_t i) {
    if (++disagreements_ > kMostPrinted) return;
    std::printf("DISAGREE %llu:", static_cast<unsigned long long>(i));
    for (const mutate::Mutation* mutation : mutant.mutations) {
      std::printf(" %.*s", static_cast<int>(mutation->slug.size()), mutation->slug.data());
    }
    std::printf("; expected %.*s, found", static_cast<int>(mutant.rules.size()),
                mutant.rules.empty() ? "" : mutant.rules.data());
    for (const Finding& finding : findings.list) {
      if (finding.severity < Severity::kError) continue;
      const std::string_view slug = RuleOf(finding.rule).slug;
      std::printf(" %.*s@%llu", static_cast<int>(slug.size()), slug.data(),
                  static_cast<unsigned long long>(finding.where.begin));
    }
    std::printf("\n");
    if (mutant.expect == Expectation::kAccept) {
      for (const Finding& finding : findings.list) {
        if (finding.severity == Severity::kError) PrintRepair(RuleOf(finding.rule));
      }
    } else {
      PrintLie(*mutant.mutations.back());
    }
    if (wish_.keep.empty()) return;
    const std::string path = wish_.keep + "/" + std::to_string(disagreements_) + ".gguf";
    if (std::FILE* const file = std::fopen(path.c_str(), "wb"); file != nullptr) {
      std::fwrite(mutant.bytes.data(), 1, mutant.bytes.size(), file);
      std::fclose(file);
    }
  }

  // PrintRepair tells, once per rule, where to repair the file of a rejected consistent mutant.
  void PrintRepair(const Rule& rule) {
    bool& once = repairs_printed_.at(static_cast<std::size_t>(rule.id));
    if (once) return;
    once = true;
    std::printf(
        "  If %.*s is right, repair must drop or change what it rejects. If its example in\n"
        "  src/mutate/examples/examples.def has this key or tensor, write kGood instead of kAll.\n"
        "  Otherwise, add a line like this to the loop over the records in src/mutate/repair/%s,\n"
        "  with the condition of the rule:\n"
        "    if (condition) return false;\n",
        static_cast<int>(rule.slug.size()), rule.slug.data(), RepairFileFor(rule.family));
  }

  static const char* RepairFileFor(Family family) {
    switch (family) {
      case Family::kTensorDirectory:
        return "tensors.cc";
      case Family::kDataLayout:
        return "placement.cc";
      case Family::kTensorData:
        return "clean.cc";
      case Family::kHyperParameters:
        return "hyper_parameters.cc";
      case Family::kTokenizer:
        return "tokenizer.cc";
      case Family::kChatTemplate:
        return "meaning.cc";
      case Family::kSidecars:
        return "sidecars.cc";
      default:
        return "metadata.cc";
    }
  }

  static void PrintLie(const mutate::Mutation& lie) {
    std::printf(
        "  Correct the function of %.*s in src/mutate/lies, or the rules in its line in\n"
        "  src/mutate/mutations: one of them must report it. If the name begins with example-,\n"
        "  correct the bad record in src/mutate/examples/examples.def.\n",
        static_cast<int>(lie.slug.size()), lie.slug.data());
  }

  // PrintTables prints expected and reported findings, by lie and by rule. A lie with several rules
  // counts for each of them.
  void PrintTables() const {
    std::printf("%-36s %-40s %9s %9s\n", "lie", "rules, one of which answers", "told", "named");
    Tally all;
    for (const mutate::Mutation& mutation : mutate::AllMutations()) {
      if (mutation.kind != mutate::MutationKind::kLie) continue;
      const Tally& tally = TallyOf(mutation);
      PrintLine(mutation.slug, 36, mutation.rules, 40, tally);
      PrintOthers(tally);
      all.told += tally.told;
      all.named += tally.named;
    }
    std::printf("\n%-36s %-40s %9s %9s\n", "rule", "", "told", "named");
    for (const Rule& rule : AllRules()) {
      Tally tally;
      for (const mutate::Mutation& mutation : mutate::AllMutations()) {
        if (!IsAmong(rule.id, mutation.rules)) continue;
        tally.told += TallyOf(mutation).told;
        tally.named += TallyOf(mutation).named;
      }
      if (tally.told > 0) PrintLine(rule.slug, 36, "", 40, tally);
    }
    std::printf(
        "\n%llu consistent, %llu lies told, %llu named, %llu raw for want of room; "
        "%llu disagreements\n",
        static_cast<unsigned long long>(consistent_), static_cast<unsigned long long>(all.told),
        static_cast<unsigned long long>(all.named), static_cast<unsigned long long>(raw_),
        static_cast<unsigned long long>(disagreements_));
  }

  static void PrintLine(std::string_view name, int width, std::string_view rules, int rules_width,
                        const Tally& tally) {
    std::printf("%-*.*s %-*.*s %9llu %9llu\n", width, static_cast<int>(name.size()), name.data(),
                rules_width, static_cast<int>(rules.size()), rules.empty() ? "" : rules.data(),
                static_cast<unsigned long long>(tally.told),
                static_cast<unsigned long long>(tally.named));
  }

  const Tally& TallyOf(const mutate::Mutation& mutation) const {
    return tallies_[static_cast<std::size_t>(&mutation - mutate::AllMutations().data())];
  }

  static void PrintOthers(const Tally& tally) {
    for (std::size_t rule = 0; rule < kMostRules; ++rule) {
      if (tally.also.at(rule) == 0) continue;
      const std::string_view slug = RuleOf(static_cast<RuleId>(rule)).slug;
      std::printf("%36s + %-38.*s %9llu\n", "", static_cast<int>(slug.size()), slug.data(),
                  static_cast<unsigned long long>(tally.also.at(rule)));
    }
  }

  const Wish& wish_;
  std::vector<File> seeds_;
  Policy policy_ = PolicyFor(Profile::kGate);
  mutate::Mutator mutator_;
  std::vector<Tally> tallies_;  // by mutation
  std::uint64_t consistent_ = 0;
  std::uint64_t raw_ = 0;
  std::uint64_t disagreements_ = 0;
  std::array<bool, kMostRules> repairs_printed_{};
};

bool Understand(const std::vector<std::string>& words, Wish& wish) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (!word.starts_with("--")) {
      wish.paths.push_back(word);
      continue;
    }
    if (++i == words.size()) return false;
    const std::string& value = words[i];
    if (word == "--count") {
      wish.count = std::strtoull(value.c_str(), nullptr, 10);
    } else if (word == "--seed") {
      wish.seed = std::strtoull(value.c_str(), nullptr, 10);
    } else if (word == "--only") {
      wish.only = value;
    } else if (word == "--keep") {
      wish.keep = value;
    } else if (word == "--also") {
      wish.also = value == "yes";
    } else if (word == "--data") {
      const auto found = std::ranges::find(kDataScanWords, value);
      if (found == kDataScanWords.end()) return false;
      wish.data = static_cast<mutate::DataNeeded>(found - kDataScanWords.begin());
    } else {
      return false;
    }
  }
  return !wish.paths.empty() && wish.count > 0;
}

}  // namespace
}  // namespace ggufgate

int main(int argc, char** argv) {
  ggufgate::Wish wish;
  if (!ggufgate::Understand(std::vector<std::string>(argv + 1, argv + argc), wish)) {
    std::fprintf(stderr,
                 "usage: examine [--count N] [--seed S] [--data none|scales|full] "
                 "[--only MUTATION] [--keep FOLDER] [--also yes] SEED...\n");
    return 2;
  }
  std::vector<ggufgate::File> seeds = ggufgate::ReadSeeds(wish.paths);
  if (seeds.size() < 2) {
    std::fprintf(stderr, "examine: no seeds\n");
    return 2;
  }
  ggufgate::Examination examination(wish, std::move(seeds));
  return examination.Run() ? 0 : 1;
}
