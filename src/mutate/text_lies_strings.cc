// Lies in texts that loaders act on.

#include <array>

#include "format/key.h"
#include "format/layout.h"
#include "mutate/compose.h"
#include "mutate/entry_value.h"
#include "mutate/lie_context.h"
#include "mutate/mutations.h"
#include "mutate/values.h"

namespace ggufgate::mutate {
namespace {

using namespace std::string_view_literals;

constexpr std::size_t kLongest = 64;
constexpr std::uint64_t kRoom = 256;

// SomeText gives an entry whose text loaders act on, one of the file's own where there is one that
// is short.
Entry SomeText(Bench& bench) {
  const Entry* const said = bench.draft.Find(kArchitectureKey);
  const std::string_view architecture = said != nullptr ? TextOf(*said).value_or("") : "";
  const Entry* const own = AnyOf(bench.draft.entries, bench.random, [&](const Entry& entry) {
    return TextOf(entry).value_or("").size() < kLongest && Is(entry, ValueType::kString) &&
           IsReadByLoaders(entry.key, architecture);
  });
  if (own != nullptr && bench.random.OneIn(2)) return *own;
  if (bench.random.OneIn(2)) return TextEntry(bench.scratch, "general.type", "model");
  return TextEntry(bench.scratch, "tokenizer.chat_template", "{{ messages }}");
}

}  // namespace

bool LieStringNul(Bench& bench) {
  constexpr std::array<std::string_view, 4> kTails = {"\0"sv, "\0x"sv, "\0\0\0"sv, "\0{{ x }}"sv};
  if (!MakeRoom(bench, kRoom)) return false;
  const Entry entry = SomeText(bench);
  const std::string_view text =
      Joined(bench.scratch, {TextOf(entry).value_or(""), bench.random.Pick(kTails)});
  return !text.empty() && SetEntry(bench.draft, TextEntry(bench.scratch, entry.key, text)) &&
         Tell(bench, entry.key, Part::kValue);
}

}  // namespace ggufgate::mutate
