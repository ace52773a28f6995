#include "check/rules/contract/tensors/tensor_patterns.h"

#include <algorithm>
#include <memory>
#include <unordered_map>

#include "check/rules/rule_functions.h"
#include "format/contracts/contract.h"

namespace ggufgate {
namespace {

bool IsNumber(std::string_view segment) {
  return !segment.empty() &&
         std::ranges::all_of(segment, [](char c) { return c >= '0' && c <= '9'; });
}

// Split has the text before and after the first number of a name: "blk." and ".attn_q.weight".
struct Split {
  std::string_view head;
  std::string_view tail;
  bool has_number = false;

  friend bool operator==(const Split&, const Split&) = default;
};

struct SplitHash {
  std::size_t operator()(const Split& split) const {
    const std::hash<std::string_view> hash;
    return hash(split.head) * 31 + hash(split.tail) + (split.has_number ? 1 : 0);
  }
};

Split SplitOf(std::string_view name) {
  for (std::size_t begin = 0; begin < name.size();) {
    const std::size_t end = std::min(name.find('.', begin), name.size());
    if (IsNumber(name.substr(begin, end - begin))) {
      return {.head = name.substr(0, begin), .tail = name.substr(end), .has_number = true};
    }
    begin = end + 1;
  }
  return {.head = name};
}

// IsOf returns whether SplitOf(name) is `split`. The head contains no number, so a number after it
// is the first.
bool IsOf(std::string_view name, const Split& split) {
  if (!split.has_number) return name == split.head;
  const std::size_t around = split.head.size() + split.tail.size();
  return name.size() > around && name.ends_with(split.tail) && name.starts_with(split.head) &&
         IsNumber(name.substr(split.head.size(), name.size() - around));
}

}  // namespace

std::string PatternOf(std::string_view name) {
  std::string pattern;
  while (!name.empty()) {
    const std::string_view segment = TakeField(name, '.');
    if (!pattern.empty()) pattern += '.';
    pattern += IsNumber(segment) ? std::string_view("*") : segment;
  }
  return pattern;
}

TensorPatterns::TensorPatterns(const std::vector<TensorInfo>& tensors) {
  std::vector<Split> splits;               // by pattern
  std::vector<std::uint16_t> next_behind;  // by pattern: the pattern that last followed it
  std::unordered_map<Split, std::uint16_t, SplitHash> known;
  indexes_.assign(tensors.size(), kNone);
  std::uint16_t before = kNone;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const std::string_view name = tensors[i].name;
    std::uint16_t index = before == kNone ? kNone : next_behind[before];
    if (index == kNone || !IsOf(name, splits[index])) {
      if (known.size() == kMost) break;
      const Split split = SplitOf(name);
      const auto next = static_cast<std::uint16_t>(splits.size());
      const auto [place, is_new] = known.try_emplace(split, next);
      index = place->second;
      if (is_new) {
        splits.push_back(split);
        next_behind.push_back(kNone);
        patterns_.push_back(PatternOf(name));
      }
      if (before != kNone) next_behind[before] = index;
    }
    indexes_[i] = index;
    before = index;
  }
}

const TensorPatterns& TensorPatternsOf(const Context& context) {
  return context.cache.Get<TensorPatterns>(
      [&] { return TensorPatterns(context.document.tensors); });
}

}  // namespace ggufgate
