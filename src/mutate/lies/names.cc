// Lies in keys and names: characters that hide text, move the cursor or end a string early.

#include <array>
#include <initializer_list>

#include "bytes/utf8.h"
#include "format/tensors/tensor_type.h"
#include "mutate/build/compose.h"
#include "mutate/build/records.h"
#include "mutate/lies/lie_context.h"
#include "mutate/mutations/mutations.h"

namespace ggufgate::mutate {
namespace {

constexpr std::uint64_t kNameRoom = 256;

using namespace std::string_view_literals;

constexpr std::array<std::string_view, 6> kControls = {"\x1B[2J", "\x1B]0;x\x07", "\r\n",
                                                       "\x7F",    "\x01",         "\b \b"};
// Right-to-left override, zero width, a Cyrillic letter, overlong, half a surrogate, a lone byte, a
// fullwidth dot, a combining mark, a byte order mark.
constexpr std::array<std::string_view, 9> kForeign = {
    "\xE2\x80\xAE", "\xE2\x80\x8B", "\xD0\xB0", "\xC0\xAE",    "\xED\xA0\x80",
    "\xFF",         "\xEF\xBC\x8E", "\xCC\x81", "\xEF\xBB\xBF"};

// AddTwin adds an entry whose key contains `inside`. The entry is a copy of another one, or new.
bool AddTwin(MutationContext& context, std::string_view inside, bool at_end) {
  Draft& draft = context.draft;
  Random& random = context.random;
  Entry twin = PlainEntry(context, "user.note", ValueType::kU32);
  if (!draft.entries.empty() && random.OneIn(2)) {
    const Entry& entry = draft.entries[random.Below(draft.entries.size())];
    // Long values need too much room, and long keys would be cut.
    if (entry.value.size() <= 64 && entry.key.size() <= 64) twin = entry;
  }
  const std::string_view key = twin.key;
  // An earlier lie may have left a key that is too short.
  const bool inner = !at_end && key.size() >= 2;
  const std::size_t at = inner ? random.Between(1, key.size() - 1) : key.size();
  twin.key = Joined(context.arena, {key.substr(0, at), inside, key.substr(at)});
  return !twin.key.empty() && AddEntry(draft, twin) && Tell(context, twin.key, Part::kKey);
}

// NameToTwin returns a short name of some tensor, or a new one.
std::string_view NameToTwin(MutationContext& context) {
  constexpr std::size_t kLongest = 48;
  const FixedVector<Tensor>& tensors = context.draft.tensors;
  if (tensors.empty()) return "weight";
  const std::string_view other = tensors[context.random.Below(tensors.size())].name;
  // The name of a control vector's tensor must end with a number.
  const bool usable = !other.empty() && !other.starts_with("direction.");
  return usable ? other.substr(0, kLongest) : "weight";
}

// AddLyingName adds a tensor with a name that consists of `parts`.
bool AddLyingName(MutationContext& context, std::initializer_list<std::string_view> parts) {
  Tensor tensor{.name = Joined(context.arena, parts),
                .dimension_count = 1,
                .type = static_cast<std::uint32_t>(TensorType::kF32)};
  return !tensor.name.empty() && AddLyingTensor(context, tensor) &&
         TellTensor(context, TensorPart::kName);
}

// AddTwinTensor adds a tensor with the name of another one and `inside` in it.
bool AddTwinTensor(MutationContext& context, std::string_view inside) {
  return AddLyingName(context, {NameToTwin(context), inside, "~"});
}

}  // namespace

bool LieKeyNul(MutationContext& context) {
  constexpr std::array<std::string_view, 4> kTails = {"\0"sv, "\0x"sv, "\0\0\0"sv, "\0.hidden"sv};
  if (!MakeRoom(context, kNameRoom)) return false;
  // Equal to another key for readers that stop at the NUL.
  if (!context.random.OneIn(4))
    return AddTwin(context, context.random.Pick(kTails), /*at_end=*/true);
  const std::string_view key = "general.alignment\0x"sv;
  return AddNumber(context, key, std::uint32_t{64}) && Tell(context, key, Part::kKey);
}

bool LieKeyControl(MutationContext& context) {
  if (!MakeRoom(context, kNameRoom)) return false;
  const bool at_end = context.random.OneIn(2);
  return AddTwin(context, context.random.Pick(kControls), at_end);
}

bool LieKeyForeign(MutationContext& context) {
  if (!MakeRoom(context, kNameRoom)) return false;
  const bool at_end = context.random.OneIn(2);
  return AddTwin(context, context.random.Pick(kForeign), at_end);
}

bool LieKeyPrototype(MutationContext& context) {
  constexpr std::array<std::string_view, 6> kKeys = {
      "tokenizer.__proto__.chat_template", "__proto__.general.architecture", "user.__proto__",
      "constructor.prototype.note",        "user.constructor.name",          "prototype"};
  if (!MakeRoom(context, kNameRoom)) return false;
  const Entry entry = PlainEntry(context, context.random.Pick(kKeys), ValueType::kU32);
  return AddEntry(context.draft, entry) && Tell(context, entry.key, Part::kKey);
}

bool LieTensorNameNul(MutationContext& context) {
  constexpr std::array<std::string_view, 3> kNuls = {"\0"sv, "\0x"sv, "\0\0"sv};
  if (!MakeRoom(context, kNameRoom + context.draft.alignment)) return false;
  return AddTwinTensor(context, context.random.Pick(kNuls));
}

bool LieTensorNameControl(MutationContext& context) {
  if (!MakeRoom(context, kNameRoom + context.draft.alignment)) return false;
  return AddTwinTensor(context, context.random.Pick(kControls));
}

// An invalid byte, a lead byte alone, an overlong slash, half of a surrogate pair, a character
// above the last one.
bool LieTensorNameUtf8(MutationContext& context) {
  constexpr std::array<std::string_view, 5> kBroken = {"\xFF", "\xC3", "\xC0\xAF", "\xED\xA0\x80",
                                                       "\xF4\x90\x80\x80"};
  if (!MakeRoom(context, kNameRoom + context.draft.alignment)) return false;
  return AddLyingName(context, {"weight", context.random.Pick(kBroken)});
}

// A byte order mark, a zero-width space and joiner, a soft hyphen, a right-to-left override, a
// variation selector, a tag, a filler.
bool LieTensorNameInvisible(MutationContext& context) {
  constexpr std::array<std::string_view, 8> kUnseen = {"\uFEFF", "\u200B", "\u200D",     "\u00AD",
                                                       "\u202E", "\uFE0F", "\U000E0041", "\u3164"};
  if (!MakeRoom(context, kNameRoom + context.draft.alignment)) return false;
  const std::string_view unseen = context.random.Pick(kUnseen);
  std::string_view name = NameToTwin(context);
  // In an adapter it would be an unpaired half. Invalid UTF-8 contains no such characters.
  if (name.ends_with(".lora_a") || name.ends_with(".lora_b") || !IsUtf8(AsBytes(name))) {
    name = "weight";
  }
  if (context.random.OneIn(2)) return AddLyingName(context, {unseen, name});
  return AddLyingName(context, {name, unseen});
}

}  // namespace ggufgate::mutate
