// Lies in keys and names: characters that hide, move the cursor or end a string early.

#include <array>
#include <initializer_list>

#include "bytes/utf8.h"
#include "format/tensor_type.h"
#include "mutate/compose.h"
#include "mutate/lie_context.h"
#include "mutate/mutations.h"

namespace ggufgate::mutate {
namespace {

constexpr std::uint64_t kRoom = 256;

using namespace std::string_view_literals;

constexpr std::array<std::string_view, 6> kControls = {"\x1B[2J", "\x1B]0;x\x07", "\r\n",
                                                       "\x7F",    "\x01",         "\b \b"};
// Right-to-left override, zero width, a Cyrillic letter, overlong, half a surrogate, a lone byte,
// a fullwidth dot, a combining mark, a byte order mark.
constexpr std::array<std::string_view, 9> kForeign = {
    "\xE2\x80\xAE", "\xE2\x80\x8B", "\xD0\xB0", "\xC0\xAE",    "\xED\xA0\x80",
    "\xFF",         "\xEF\xBC\x8E", "\xCC\x81", "\xEF\xBB\xBF"};

// A key with something in it; the entry is a copy of another, or a new one.
bool AddTwin(Bench& bench, std::string_view inside, bool at_end) {
  Draft& draft = bench.draft;
  Random& random = bench.random;
  Entry twin = PlainEntry(bench, "user.note", ValueType::kU32);
  if (!draft.entries.empty() && random.OneIn(2)) {
    const Entry& entry = draft.entries[random.Below(draft.entries.size())];
    // Long values would need much room, and long keys be cut nowhere.
    if (entry.value.size() <= 64 && entry.key.size() <= 64) twin = entry;
  }
  const std::string_view key = twin.key;
  // What a lie before this one left may have a key without an inside.
  const bool inner = !at_end && key.size() >= 2;
  const std::size_t at = inner ? random.Between(1, key.size() - 1) : key.size();
  twin.key = Joined(bench.scratch, {key.substr(0, at), inside, key.substr(at)});
  return !twin.key.empty() && AddEntry(draft, twin) && Tell(bench, twin.key, Part::kKey);
}

// NameToTwin is the name of some tensor as far as a lie needs it, or a new one.
std::string_view NameToTwin(Bench& bench) {
  constexpr std::size_t kLongest = 48;
  const Table<Tensor>& tensors = bench.draft.tensors;
  if (tensors.empty()) return "weight";
  const std::string_view other = tensors[bench.random.Below(tensors.size())].name;
  // A name of a control vector would have to be a number.
  const bool usable = !other.empty() && !other.starts_with("direction.");
  return usable ? other.substr(0, kLongest) : "weight";
}

// AddLyingName adds a tensor of a name that is put together of these.
bool AddLyingName(Bench& bench, std::initializer_list<std::string_view> parts) {
  Tensor tensor{.name = Joined(bench.scratch, parts),
                .dimension_count = 1,
                .type = static_cast<std::uint32_t>(TensorType::kF32)};
  return !tensor.name.empty() && AddLyingTensor(bench, tensor) &&
         TellTensor(bench, TensorPart::kName);
}

// A tensor whose name is another's, with something in it.
bool AddTwinTensor(Bench& bench, std::string_view inside) {
  return AddLyingName(bench, {NameToTwin(bench), inside, "~"});
}

}  // namespace

bool LieKeyNul(Bench& bench) {
  constexpr std::array<std::string_view, 4> kTails = {"\0"sv, "\0x"sv, "\0\0\0"sv, "\0.hidden"sv};
  if (!MakeRoom(bench, kRoom)) return false;
  // The same as another key to who reads up to the NUL.
  if (!bench.random.OneIn(4)) return AddTwin(bench, bench.random.Pick(kTails), /*at_end=*/true);
  const std::string_view key = "general.alignment\0x"sv;
  return AddEntry(bench.draft, NumberEntry(bench.scratch, key, std::uint32_t{64})) &&
         Tell(bench, key, Part::kKey);
}

bool LieKeyControl(Bench& bench) {
  if (!MakeRoom(bench, kRoom)) return false;
  const bool at_end = bench.random.OneIn(2);
  return AddTwin(bench, bench.random.Pick(kControls), at_end);
}

bool LieKeyForeign(Bench& bench) {
  if (!MakeRoom(bench, kRoom)) return false;
  const bool at_end = bench.random.OneIn(2);
  return AddTwin(bench, bench.random.Pick(kForeign), at_end);
}

bool LieKeyPrototype(Bench& bench) {
  constexpr std::array<std::string_view, 6> kKeys = {
      "tokenizer.__proto__.chat_template", "__proto__.general.architecture", "user.__proto__",
      "constructor.prototype.note",        "user.constructor.name",          "prototype"};
  if (!MakeRoom(bench, kRoom)) return false;
  const Entry entry = PlainEntry(bench, bench.random.Pick(kKeys), ValueType::kU32);
  return AddEntry(bench.draft, entry) && Tell(bench, entry.key, Part::kKey);
}

bool LieTensorNameNul(Bench& bench) {
  constexpr std::array<std::string_view, 3> kNuls = {"\0"sv, "\0x"sv, "\0\0"sv};
  if (!MakeRoom(bench, kRoom + bench.draft.alignment)) return false;
  return AddTwinTensor(bench, bench.random.Pick(kNuls));
}

bool LieTensorNameControl(Bench& bench) {
  if (!MakeRoom(bench, kRoom + bench.draft.alignment)) return false;
  return AddTwinTensor(bench, bench.random.Pick(kControls));
}

// A byte that begins nothing, a lead alone, an overlong slash, half of a surrogate pair, a
// character beyond the last.
bool LieTensorNameUtf8(Bench& bench) {
  constexpr std::array<std::string_view, 5> kBroken = {"\xFF", "\xC3", "\xC0\xAF", "\xED\xA0\x80",
                                                       "\xF4\x90\x80\x80"};
  if (!MakeRoom(bench, kRoom + bench.draft.alignment)) return false;
  return AddLyingName(bench, {"weight", bench.random.Pick(kBroken)});
}

// A byte order mark, a zero-width space and joiner, a soft hyphen, a right-to-left override, a
// variation selector, a tag, a filler.
bool LieTensorNameInvisible(Bench& bench) {
  constexpr std::array<std::string_view, 8> kUnseen = {"\uFEFF", "\u200B", "\u200D",     "\u00AD",
                                                       "\u202E", "\uFE0F", "\U000E0041", "\u3164"};
  if (!MakeRoom(bench, kRoom + bench.draft.alignment)) return false;
  const std::string_view unseen = bench.random.Pick(kUnseen);
  std::string_view name = NameToTwin(bench);
  // Of an adapter it would be a half without the other; what is not UTF-8 has no such characters.
  if (name.ends_with(".lora_a") || name.ends_with(".lora_b") || !IsUtf8(AsBytes(name))) {
    name = "weight";
  }
  if (bench.random.OneIn(2)) return AddLyingName(bench, {unseen, name});
  return AddLyingName(bench, {name, unseen});
}

}  // namespace ggufgate::mutate
