// Lies in texts that loaders interpret.

#include <array>

#include "format/key.h"
#include "format/tensors/layout.h"
#include "mutate/build/compose.h"
#include "mutate/build/entry_value.h"
#include "mutate/build/records.h"
#include "mutate/lies/lie_context.h"
#include "mutate/mutations/mutations.h"

namespace ggufgate::mutate {
namespace {

using namespace std::string_view_literals;

constexpr std::size_t kLongest = 64;
constexpr std::uint64_t kStringRoom = 256;

// SomeText returns an entry with a text that loaders interpret: a short one of the file, or a new
// one.
Entry SomeText(MutationContext& context) {
  const Entry* const said = context.draft.Find(kArchitectureKey);
  const std::string_view architecture = said != nullptr ? TextOf(*said).value_or("") : "";
  const Entry* const own = AnyOf(context.draft.entries, context.random, [&](const Entry& entry) {
    return TextOf(entry).value_or("").size() < kLongest && Is(entry, ValueType::kString) &&
           IsReadByLoaders(entry.key, architecture);
  });
  if (own != nullptr && context.random.OneIn(2)) return *own;
  if (context.random.OneIn(2)) return TextEntry(context.arena, "general.type", "model");
  return TextEntry(context.arena, "tokenizer.chat_template", "{{ messages }}");
}

}  // namespace

bool LieStringNul(MutationContext& context) {
  constexpr std::array<std::string_view, 4> kTails = {"\0"sv, "\0x"sv, "\0\0\0"sv, "\0{{ x }}"sv};
  if (!MakeRoom(context, kStringRoom)) return false;
  const Entry entry = SomeText(context);
  const std::string_view text =
      Joined(context.arena, {TextOf(entry).value_or(""), context.random.Pick(kTails)});
  return !text.empty() &&
         TellEntry(context, TextEntry(context.arena, entry.key, text), Part::kValue);
}

}  // namespace ggufgate::mutate
