// Blocks of a template: facts that hold while they are open, and facts about the text that they
// keep.

#include <algorithm>

#include "jinja/reader.h"
#include "jinja/resource_use/own_lists.h"

namespace ggufgate {
namespace {

bool Captures(std::string_view keyword) {
  return keyword == "set" || keyword == "macro" || keyword == "call";
}

// KnownText returns the text of a block if it is one text that white space and escapes do not
// change.
TemplateValue KnownText(const TemplateBlock& block) {
  const auto loose = [](const Constant& item) {
    return item.number || item.text.size() > TextStore::kLongest ||
           (!item.text.empty() &&
            (SpaceAt(item.text, 0) > 0 || SpaceAt(item.text, item.text.size() - 1) > 0)) ||
           item.text.find_first_of("<>&'\"") != std::string_view::npos;
  };
  TemplateValue text = block.pieces == 0 ? TextValue("") : block.text;
  if (block.pieces > 1 || !text.IsExact() || std::ranges::any_of(text.items, loose)) {
    text = ComputedValue(block.keyword == "set" ? block.keyword : block.name);
  }
  text.outside = block.text.outside;
  text.bytes = block.text.bytes;
  text.parts = block.text.parts;
  text.alias = {};
  return text;
}

}  // namespace

void TemplateReader::Open(std::string_view keyword, std::string_view name) {
  const std::size_t outer = blocks_.empty() ? TemplateScope::kNoSlot : blocks_.back().capture;
  // The code of a macro counts once for its definition, and again at each call.
  const bool inner = keyword != "macro" && !blocks_.empty();
  blocks_.push_back({.keyword = keyword,
                     .name = name,
                     .rounds = inner ? blocks_.back().rounds : 1,
                     .data_rounds = inner ? blocks_.back().data_rounds : 1,
                     .of_data = inner && blocks_.back().of_data,
                     .loops = inner ? blocks_.back().loops : 0,
                     .loops_of_data = inner ? blocks_.back().loops_of_data : 0,
                     .loops_of_lengths = inner ? blocks_.back().loops_of_lengths : 0,
                     .called_again = keyword == "block" || (inner && blocks_.back().called_again),
                     .depth = inner ? blocks_.back().depth + 1 : 1,
                     .longer = inner ? blocks_.back().longer : 1,
                     .repeats = scope_.repeats,
                     .certain = keyword == "macro" || IsCertain(),
                     .of_user = scope_.of_user,
                     .missed = scope_.missed,
                     .looped = scope_.looped,
                     .macro_branch = scope_.macro_branch,
                     .loop_branch = scope_.loop_branch,
                     .macro_outside = scope_.macro,
                     .capture = Captures(keyword) ? blocks_.size() : outer});
  static constexpr std::array<std::string_view, 4> kRepeat = {"for", "macro", "block", "call"};
  scope_.repeats = scope_.repeats || std::ranges::count(kRepeat, keyword) > 0;
  scope_.EnterBranch(keyword == "macro");
  // Each call of a macro counts as a separate round.
  if (keyword == "for" || keyword == "macro") scope_.loop_branch = scope_.branch();
  if (keyword == "macro") scope_.missed = scope_.looped = {};
  if (keyword == "call") ++scope_.call_blocks;
  if (keyword == "block") ++scope_.named_blocks;
}

// KeepRenewed keeps only the names that the current branch renews, too.
void TemplateReader::KeepRenewed(TemplateBlock& block) const {
  std::vector<std::size_t> renewed = scope_.RenewedHere();
  if (block.branches) {
    std::erase_if(renewed, [&](std::size_t slot) {
      return !std::ranges::binary_search(block.renewed, slot);
    });
  }
  block.renewed = std::move(renewed);
  block.branches = true;
}

// Rejoin begins another branch of the innermost block. The last branch runs if no other does.
void TemplateReader::Rejoin(bool last) {
  TemplateBlock& block = blocks_.back();
  KeepRenewed(block);
  block.complete = last && block.keyword == "if";
  scope_.missed = block.missed;
  scope_.missed |= block.taken_before;
  scope_.looped = block.looped;
  scope_.LeaveBranch();
  scope_.EnterBranch(/*of_macro=*/false);
  // The `else` of a loop runs if the loop has no rounds.
  if (block.keyword == "for" && !scope_.loops.empty()) scope_.loops.back() = {};
}

// `value if condition else other`, outside of brackets.
TemplateChoice TemplateReader::ChoiceIn(JinjaTokens tokens) const {
  // The `if` of a loop skips elements.
  const bool loop = !tokens.empty() && tokens.front().Is("for");
  if (loop || scope_.macro == TemplateScope::kNoSlot) return {};
  std::size_t depth = 0;
  std::size_t begin = tokens.size();
  std::size_t end = tokens.size();
  for (std::size_t i = 1; i < tokens.size() && end == tokens.size(); ++i) {
    const JinjaToken& token = tokens[i];
    if (OpensBracket(token)) ++depth;
    if (depth > 0 && ClosesBracket(token)) --depth;
    if (depth > 0) continue;
    if (token.Is(",")) return {};  // the `if` belongs to one of several values
    if (token.Is("if") && begin == tokens.size()) begin = i;
    if (token.Is("else") && begin < i) end = i;
  }
  if (begin == tokens.size()) return {};
  const HollowOutcome outcome = TryHollow(tokens.subspan(begin + 1, end - begin - 1), scope_);
  return {.before = tokens[begin].begin,
          .missed_before = outcome.fails,
          .behind = end < tokens.size() ? tokens[end].begin : TemplateScope::kNoSlot,
          .missed_behind = outcome.holds};
}

void TemplateReader::Close() {
  TemplateBlock block = std::move(blocks_.back());
  blocks_.pop_back();
  if (block.keyword == "macro") {
    TemplateMacro* macro = scope_.DefineMacro(block.name);
    if (macro != nullptr) macro->depth = scope_.Weight(scope_.macro).depth;
  }
  if (block.keyword == "call") --scope_.call_blocks;
  if (block.keyword == "block") --scope_.named_blocks;
  scope_.macro = block.macro_outside;
  scope_.missed = block.missed;
  scope_.looped = block.looped;
  scope_.macro_branch = block.macro_branch;
  scope_.loop_branch = block.loop_branch;
  if (block.complete) KeepRenewed(block);
  scope_.LeaveBranch();
  if (block.complete) scope_.JoinBranches(block.renewed);
  scope_.of_user = block.of_user;
  scope_.repeats = block.repeats;
  if (block.keyword == "for" && !scope_.loops.empty()) {
    EndOwnLists(scope_);
    scope_.loops.pop_back();
    scope_.loop_branches.pop_back();
  }
  if (!Captures(block.keyword)) return;
  const TemplateValue value = KnownText(block);
  if (block.longer > 1) CheckGrowth(value, {.text = "{%", .begin = scope_.at}, scope_);
  if (block.keyword != "set") {
    TemplateMacro* macro = scope_.DefineMacro(block.name);
    if (macro != nullptr) scope_.SetOutput(*macro, value, block.writes);
    return;
  }
  if (!block.object.empty()) {
    return StoreField({.text = block.object, .begin = scope_.at}, block.name, value);
  }
  scope_.SetVariable(block.name, value);
  scope_.Renew(block.name);
}

// Write adds a value to the innermost block whose text is kept.
void TemplateReader::Write(const TemplateValue& value) {
  const std::size_t capture = blocks_.empty() ? TemplateScope::kNoSlot : blocks_.back().capture;
  if (capture == TemplateScope::kNoSlot) return;
  TemplateBlock& block = blocks_.at(capture);
  // Under a condition, in a loop or in a filter block the value may be missing or changed.
  const bool certain = capture + 1 == blocks_.size();
  const std::uint64_t rounds = blocks_.back().rounds / std::max(block.rounds, std::uint64_t{1});
  const std::uint64_t longer = blocks_.back().longer;
  const std::uint64_t bytes =
      SumOf(block.text.bytes,
            ProductOf(std::max(value.bytes, std::uint64_t{1}), ProductOf(rounds, longer)));
  const bool outside = block.text.outside || value.outside;
  std::vector<TemplateValue::Part> before = std::move(block.text.parts);
  if (block.pieces == 0) block.text = value;
  block.text.outside = outside;
  block.text.parts = std::move(before);
  AddParts(block.text, value);
  for (const TemplateValue::Part& part : value.parts) {
    if (part.traced) continue;  // the variable that was made of it counts instead
    block.writes = std::min(block.writes + std::clamp(part.times, 1U, 1'000U), 1'000'000U);
  }
  if (blocks_.back().loops > block.loops) AddParts(block.text, value);
  block.text.bytes = bytes;
  block.pieces += certain ? 1 : 2;
}

// llama.cpp compares the output of several conversations to find the beginning of tool calls. The
// time is quadratic in the size of the output: 0.9 MB of `<a>` take more than 5 s.
void TemplateReader::CountOutput(const TemplateValue& value) {
  // Other rules report larger values. The output of a macro counts at its calls.
  if (value.bytes > kTemplateMade || value.written) return;
  if (!value.repeated) ChargeTags(value, 1, scope_);
  TemplateWeight& weight = scope_.Weight(scope_.macro);
  const bool within = weight.output <= kTemplateOutput;
  // A conversation has several messages, and each may cause a long text.
  constexpr std::uint64_t kLong = 4096;
  constexpr std::uint64_t kMessages = 8;
  const bool again = scope_.of_data && value.bytes > kLong && (value.IsExact() || value.repeated);
  const std::uint64_t times = ProductOf(scope_.rounds, again ? kMessages : 1);
  weight.output = SumOf(weight.output, ProductOf(value.bytes, times));
  // Another finding may already be about this expression.
  const bool told = !scope_.remarks.empty() && scope_.remarks.back().at >= scope_.at;
  if (!within || weight.output <= kTemplateOutput || told) return;
  scope_.Add(TemplateRemark::Kind::kOutput,
             {.text = text_.substr(scope_.at, 2), .begin = scope_.at}, {}, weight.output);
}

}  // namespace ggufgate
