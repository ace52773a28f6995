// Edits of metadata records.

#include "format/value_type.h"
#include "mutate/mutations.h"

namespace ggufgate::mutate {

bool EditAddEntry(Bench& bench) {
  Draft& draft = bench.draft;
  const MutableBytes key = bench.scratch.Take(10);
  const auto type = static_cast<std::uint32_t>(bench.random.Below(13));
  const ValueTypeInfo& info = InfoOf(ValueType{type});
  const MutableBytes value = bench.scratch.Take(info.scalar_bytes);
  if (key.empty() || value.empty()) return false;
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz_.";
  for (std::uint8_t& c : key) c = static_cast<std::uint8_t>(kLetters[bench.random.Below(28)]);
  for (std::uint8_t& byte : value) byte = static_cast<std::uint8_t>(bench.random.Next());
  return draft.entries.Insert(bench.random.Below(draft.entries.size() + 1),
                              {.key = AsText(key), .type = type, .value = value});
}

}  // namespace ggufgate::mutate
