#include "mutate/naming.h"

#include <algorithm>
#include <array>

#include "mutate/memory/random.h"

namespace ggufgate::mutate {
namespace {

using std::string_view_literals::operator""sv;

constexpr std::array kModes = {"consistent"sv, "one-lie"sv, "semi"sv,  "raw"sv,
                               "generate"sv,   "havoc"sv,   "reduce"sv};
constexpr std::array kExpectations = {"accept"sv, "reject"sv, "any"sv};
constexpr std::array kKinds = {"edit"sv, "benign"sv, "lie"sv, "model"sv};
constexpr std::array kData = {"none"sv, "scales"sv, "full"sv};

static_assert(kModes.size() == static_cast<std::size_t>(Mode::kReduce) + 1);
static_assert(kExpectations.size() == static_cast<std::size_t>(Expectation::kAny) + 1);
static_assert(kKinds.size() == static_cast<std::size_t>(MutationKind::kModel) + 1);
static_assert(kData.size() == static_cast<std::size_t>(DataNeeded::kFull) + 1);

template <typename Enum, std::size_t kCount>
std::optional<Enum> Find(const std::array<std::string_view, kCount>& words, std::string_view word) {
  const auto found = std::ranges::find(words, word);
  if (found == words.end()) return std::nullopt;
  return static_cast<Enum>(found - words.begin());
}

}  // namespace

std::string_view WordFor(Mode mode) { return kModes[static_cast<std::size_t>(mode)]; }
std::string_view WordFor(Expectation expectation) {
  return kExpectations[static_cast<std::size_t>(expectation)];
}
std::string_view WordFor(MutationKind kind) { return kKinds[static_cast<std::size_t>(kind)]; }
std::string_view WordFor(DataNeeded data) { return kData[static_cast<std::size_t>(data)]; }

std::optional<Mode> FindMode(std::string_view word) {
  if (word == "mixed") return Mode::kMixed;
  return Find<Mode>(kModes, word);
}

std::optional<DataNeeded> FindDataNeeded(std::string_view word) {
  return Find<DataNeeded>(kData, word);
}

std::string_view TakeRule(std::string_view& rules) {
  const std::size_t end = std::min(rules.find('|'), rules.size());
  const std::string_view rule = rules.substr(0, end);
  rules.remove_prefix(std::min(end + 1, rules.size()));
  return rule;
}

std::size_t Describe(const Mutant& mutant, MutableBytes out) {
  std::size_t at = 0;
  const auto put = [&](char before, std::string_view word) {
    const std::size_t size = word.size() + (before == '\0' ? 0 : 1);
    if (size > out.size() - at) return false;
    if (before != '\0') out[at++] = static_cast<std::uint8_t>(before);
    std::ranges::copy(AsBytes(word), out.subspan(at).begin());
    at += word.size();
    return true;
  };
  bool room = put('\0', WordFor(mutant.mode));
  char before = ':';
  for (const Mutation* mutation : mutant.mutations) {
    room = room && put(before, mutation->slug);
    before = '+';
  }
  return at;
}

std::uint64_t SeedOf(std::uint64_t run, std::uint64_t i) {
  if (i == 0) return run;
  // The i-th number of SplitMix64, whose state is run + i times this constant.
  return Random(run + i * 0x9E37'79B9'7F4A'7C15).Next() >> 11;
}

}  // namespace ggufgate::mutate
