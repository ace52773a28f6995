// Loops of a template: the values that they iterate over, and the number of rounds.

#include <algorithm>

#include "jinja/reader.h"
#include "jinja/resource_use/own_lists.h"

namespace ggufgate {
namespace {

// IterableIn returns the iterable of a loop, given the tokens after `in`. The condition of the loop
// follows it.
JinjaTokens IterableIn(JinjaTokens tokens) {
  std::size_t depth = 0;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const JinjaToken& token = tokens[i];
    if (OpensBracket(token)) ++depth;
    if (depth > 0 && ClosesBracket(token)) --depth;
    if (depth == 0 && token.Is("if") && !(i > 0 && tokens[i - 1].Is("."))) return tokens.first(i);
  }
  return tokens;
}

// MakesList tells whether the tokens are exactly `range(…)` or `[…]`.
bool MakesList(JinjaTokens tokens, const TemplateScope& scope) {
  const bool range = tokens.size() > 1 && tokens[0].Is("range") && tokens[1].Is("(");
  if (range && scope.IsSet("range")) return false;
  const JinjaTokens brackets = tokens.subspan(range ? 1 : 0);
  if (!range && (brackets.empty() || !brackets[0].Is("["))) return false;
  return ClosingOf(brackets) + 1 == brackets.size();
}

}  // namespace

void TemplateReader::ReadFor(const JinjaToken& keyword, JinjaTokens tokens) {
  const auto in = std::ranges::find_if(tokens, [](const JinjaToken& t) { return t.Is("in"); });
  const auto names = static_cast<std::size_t>(in - tokens.begin());
  const JinjaTokens rest = tokens.subspan(std::min(names + 1, tokens.size()));
  const JinjaTokens iterable = IterableIn(rest);
  const TemplateValue value = ReadExpression(iterable, scope_);
  scope_.ChargeCopies(1);
  // A range() holds nothing that a method stored.
  const bool makes_list = MakesList(iterable, scope_);
  const bool numbers = makes_list && iterable.front().Is("range");
  TemplateValue element = numbers ? ElementOf(value) : scope_.Element(value);
  // All elements together are as long as the whole.
  element.bytes = value.bytes / std::max<std::uint64_t>(RoundsOver(value), 1);
  const auto calls_itself = [](const JinjaToken& token) { return token.Is("recursive"); };
  const bool recursive = std::ranges::any_of(rest, calls_itself);
  if (recursive) {
    Absorb(element, scope_.Element(scope_.Gathered(TemplateScope::Pool::kArgument)));
  }
  // llama.cpp compares the sizes of all elements before the first round only.
  const bool apart =
      std::ranges::any_of(tokens.first(names), [](const JinjaToken& t) { return t.Is(","); });
  if (apart && scope_.pops()) scope_.Add(TemplateRemark::Kind::kPopped, keyword, "pop");
  const TemplateValue bound = Bind(tokens.first(names), element);
  scope_.Gather(TemplateScope::Pool::kLooped, value);
  Open("for");
  BindHere(tokens.first(names), bound);
  scope_.loops.push_back(value);
  if (makes_list) scope_.loops.back().alias = kNewList;
  scope_.loop_branches.push_back(scope_.branch());
  scope_.MissLoop(value);
  if (value.rounds == 0) blocks_.back().certain = false;
  blocks_.back().called_again = blocks_.back().called_again || recursive;
  CountRounds(keyword, value);
  const JinjaTokens condition = rest.subspan(iterable.size());
  if (condition.empty()) return;
  // Each round evaluates the condition.
  scope_.rounds = blocks_.back().rounds;
  scope_.Charge(condition.size());
  static_cast<void>(ReadExpression(condition.subspan(1), scope_));
}

// CountRounds multiplies the rounds of loops in loops.
void TemplateReader::CountRounds(const JinjaToken& keyword, const TemplateValue& value) {
  constexpr std::uint64_t kStepsOfRound = 4;
  // Published templates have at most three nested loops. Deeper ones over texts that do not come
  // from the conversation (`(1/3)|string`) take long, too.
  constexpr std::size_t kMostOfData = 4;
  constexpr std::uint64_t kRoundsOfMore = 16;
  TemplateBlock& block = blocks_.back();
  std::uint64_t each = RoundsOver(value);
  // The size of such a text is unknown.
  constexpr std::uint64_t kShort = 24;
  if (each < kShort && !value.container && !value.IsExact()) each = 0;
  if (each != 1) ++block.loops;
  const std::uint64_t data_rounds = each == 0 ? TemplateScope::kRoundsOfData : each;
  if (each == 0) block.of_data = true;
  if (each == 0 && ++block.loops_of_data > kMostOfData) each = kRoundsOfMore;
  // Measured on llama.cpp v0.5.0: three nested loops over the characters of a text of 300 take more
  // than 25 s at start.
  constexpr std::size_t kMostOfLengths = 2;
  constexpr std::uint64_t kCharacters = 32;
  const bool of_length = value.container && value.number && value.elements == 0;
  if (of_length && ++block.loops_of_lengths > kMostOfLengths) {
    each = kCharacters * kCharacters * kCharacters;
  }
  const std::uint64_t all = ProductOf(block.data_rounds, data_rounds);
  if (each == 0) {
    block.data_rounds = all;
    scope_.ChargeDataRounds(all);
    return scope_.ChargeCopies(TemplateScope::kRoundsOfData);
  }
  // A single loop has been checked with its range(). Larger numbers are not followed.
  const bool judged = value.rounds > kTemplateRounds;
  const std::uint64_t rounds = ProductOf(block.rounds, each);
  if (rounds > kTemplateRounds) {
    if (!judged) scope_.Add(TemplateRemark::Kind::kRange, keyword, {}, rounds);
    return;
  }
  block.rounds = rounds;
  block.data_rounds = all;
  scope_.ChargeDataRounds(all);
  const std::uint64_t steps = kStepsOfRound + scope_.StepsOfCopies();
  scope_.Charge(each > 1 ? each * steps : 0);
}

}  // namespace ggufgate
