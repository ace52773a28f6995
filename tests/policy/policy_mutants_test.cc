// Random policies: every text is a policy or has a problem with a position, and every policy can be
// used for a check.

#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <random>
#include <string>

#include "bytes/memory_source.h"
#include "gate/judge_source.h"
#include "parse/model.h"
#include "policy/policy_file.h"

namespace ggufgate {
namespace {

std::vector<std::string> Seeds() {
  std::vector<std::string> seeds;
  for (const char* name : {"strict", "laptop", "hub"}) {
    std::ifstream in(std::string(GGUFGATE_SOURCE_DIR) + "/docs/policies/" + name + ".toml");
    seeds.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
    EXPECT_GT(seeds.back().size(), 100U) << name;
  }
  return seeds;
}

// Pieces with a meaning in TOML, or in one TOML parser only.
constexpr std::string_view kPieces[] = {"\"",
                                        "'",
                                        "\"\"\"",
                                        "'''",
                                        "[",
                                        "]",
                                        "[[",
                                        "]]",
                                        "{",
                                        "}",
                                        "=",
                                        ".",
                                        ",",
                                        "\n",
                                        "\r",
                                        "#",
                                        "\\",
                                        "\\u0000",
                                        "\\U0010FFFF",
                                        "0x",
                                        "-1",
                                        "1e400",
                                        "nan",
                                        "-inf",
                                        "1979-05-27T07:32:00Z",
                                        "true",
                                        "a.b",
                                        "\xFF",
                                        "\xC3",
                                        "\xEF\xBB\xBF",
                                        "\xE2\x80\xAE",
                                        "[[[",
                                        "0",
                                        "16",
                                        "9223372036854775807",
                                        "\"unlimited\"",
                                        "\"64 MiB\"",
                                        "\t",
                                        "\x1b",
                                        "[limits]\n",
                                        "[severity]\n",
                                        "[[suppress]]\n",
                                        "profile = \"spec\"\n"};

class Mutator {
 public:
  explicit Mutator(unsigned seed) : random_(seed) {}

  std::size_t Below(std::size_t bound) { return random_() % bound; }

  void Mutate(std::string& text) {
    const std::size_t at = Below(text.size() + 1);
    const std::size_t most = std::min<std::size_t>(text.size() - at, 40);
    switch (Below(5)) {
      case 0:
        if (at < text.size()) text.at(at) = static_cast<char>(Below(256));
        break;
      case 1:
        text.erase(at, Below(most + 1));
        break;
      case 2:
        text.insert(at, kPieces[Below(std::size(kPieces))]);
        break;
      case 3:
        text.insert(Below(text.size() + 1), text.substr(at, Below(most + 1)));
        break;
      default:
        text.resize(text.size() - Below(std::min<std::size_t>(text.size(), 20) + 1));
        break;
    }
  }

 private:
  std::minstd_rand random_;
};

void ExpectAPlace(const TextProblem& problem, const std::string& text) {
  const auto lines = static_cast<std::size_t>(std::ranges::count(text, '\n')) + 1;
  EXPECT_GE(problem.at.line, 1U) << text;
  EXPECT_LE(problem.at.line, lines) << text;
  EXPECT_GE(problem.at.column, 1U) << text;
  EXPECT_FALSE(problem.what.empty()) << text;
  EXPECT_LT(problem.what.size(), 4'096U) << text;
}

TEST(PolicyMutants, ArePoliciesOrHaveAProblemWithAPlace) {
  constexpr int kMutants = 8'000;
  const std::vector<std::string> seeds = Seeds();
  const std::vector<std::uint8_t> file =
      Write(Model::Minimal().Set("Not.Lower", std::vector<std::string>{"a", "\xFF"}));
  int policies = 0;
  for (unsigned i = 0; i < kMutants; ++i) {
    Mutator mutator(i + 1);
    std::string text = seeds.at(i % seeds.size());
    for (std::size_t n = mutator.Below(6); n > 0; --n) mutator.Mutate(text);
    const ParsedPolicy parsed = ParsePolicy(text);
    for (const TextProblem& problem : parsed.problems) ExpectAPlace(problem, text);
    EXPECT_TRUE(std::ranges::is_sorted(parsed.problems, {}, &TextProblem::at));
    if (!parsed.problems.empty()) continue;
    ++policies;
    JudgeOptions options;
    options.policy = parsed.policy;
    const FileReport report = JudgeSource(MemorySource(file), "", options);
    EXPECT_NE(report.verdict, Verdict::kUndecided) << text;
    if (::testing::Test::HasFailure()) return;
  }
  EXPECT_GT(policies, kMutants / 10);
  EXPECT_LT(policies, kMutants / 2);
}

TEST(PolicyMutants, EveryPrefixEndsSomehow) {
  for (const std::string& seed : Seeds()) {
    for (std::size_t length = 0; length < seed.size(); ++length) {
      const std::string text = seed.substr(0, length);
      for (const TextProblem& problem : ParsePolicy(text).problems) ExpectAPlace(problem, text);
    }
  }
}

TEST(PolicyMutants, OfPiecesAlone) {
  for (unsigned i = 0; i < 10'000; ++i) {
    Mutator mutator(i + 1);
    std::string text = i % 2 == 0 ? "" : "schema = \"ggufgate.policy/1\"\n";
    for (std::size_t n = mutator.Below(20); n > 0; --n) {
      text += kPieces[mutator.Below(std::size(kPieces))];
    }
    for (const TextProblem& problem : ParsePolicy(text).problems) ExpectAPlace(problem, text);
  }
}

}  // namespace
}  // namespace ggufgate
