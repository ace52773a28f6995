#include "check/rules/readers/alike.h"

#include <array>
#include <numeric>
#include <span>
#include <string>

#include "bytes/bytes.h"
#include "check/repeats/repeat_filter.h"

namespace ggufgate {
namespace {

// HashOfRecord needs a length in front. The same length for all is enough, because it hashes the
// whole record.
constexpr std::size_t kLengthBytes = 8;

RepeatFilter FilterOf(const std::vector<NumberedName>& names) {
  RepeatFilter filter(names.size());
  std::array<std::uint64_t, 256> hashes;
  std::size_t used = 0;
  std::string fold;
  for (const NumberedName& numbered : names) {
    fold.assign(kLengthBytes, '\0');
    AppendFold(numbered.name, fold);
    hashes.at(used++) = HashOfRecord(AsBytes(fold));
    if (used < hashes.size()) continue;
    filter.Add(hashes);
    used = 0;
  }
  filter.Add(std::span(hashes).first(used));
  return filter;
}

// MayBeAlike returns the positions in `names` that need an exact comparison.
std::vector<std::uint64_t> MayBeAlike(const std::vector<NumberedName>& names) {
  const RepeatFilter filter = FilterOf(names);
  if (!filter.gave_up()) return filter.MayBeSame();
  std::vector<std::uint64_t> all(names.size());
  std::iota(all.begin(), all.end(), std::uint64_t{0});
  return all;
}

}  // namespace

std::vector<Repeat> FindAlikeNames(const std::vector<NumberedName>& names) {
  struct Folded {
    NumberedName numbered;
    std::string fold;
  };
  std::vector<Folded> found;
  for (const std::uint64_t position : MayBeAlike(names)) {
    found.push_back({.numbered = names.at(position), .fold = {}});
    AppendFold(found.back().numbered.name, found.back().fold);
  }
  std::vector<Repeat> alike;
  for (const Repeat repeat :
       FindRepeats(found, [](const Folded& folded) { return std::string_view(folded.fold); })) {
    const NumberedName& name = found.at(repeat.index).numbered;
    const NumberedName& first = found.at(repeat.first).numbered;
    if (name.name != first.name) alike.push_back({.index = name.index, .first = first.index});
  }
  return alike;
}

}  // namespace ggufgate
