// Lies about vocabularies that load, but crash on some texts.

#include <algorithm>
#include <array>

#include "mutate/build/compose.h"
#include "mutate/build/records.h"
#include "mutate/lies/lie_context.h"
#include "mutate/mutations/mutations.h"

namespace ggufgate::mutate {
namespace {

constexpr std::uint64_t kVocabularyRoom = 1536;

constexpr std::string_view kPretokenizer = "tokenizer.ggml.pre";

using Four = std::array<std::string_view, 4>;

}  // namespace

bool LieTokenTwice(MutationContext& context) {
  constexpr std::array<std::string_view, 3> kModels = {"t5", "plamo2", "test"};
  constexpr std::array<Four, 3> kTwice = {
      {{"a", "b", "c", "a"}, {"</s>", "</s>", "b", "c"}, {"", "[EMPTY_0]", "a", "b"}}};
  if (!MakeRoom(context, kVocabularyRoom)) return false;
  const std::string_view model = context.random.Pick(kModels);
  return SetVocabulary(context, model, context.random.Pick(kTwice)) &&
         Tell(context, kTokens, Part::kValue);
}

bool LieFirstBytes(MutationContext& context) {
  constexpr std::array<Four, 4> kEndless = {{{"a", "b", "ab", "cd"},
                                             {"\\x61b", "\\xff", "\\n", "b"},
                                             {"\\r\\n", "\\n", "\\t", "a"},
                                             {"\\\\x", "x", "61", "6"}}};
  if (!MakeRoom(context, kVocabularyRoom)) return false;
  return SetVocabulary(context, "rwkv", context.random.Pick(kEndless)) &&
         SetNumber<std::uint32_t>(context, "tokenizer.ggml.unknown_token_id", 0) &&
         Tell(context, kTokens, Part::kValue);
}

bool LieTokenUtf8(MutationContext& context) {
  constexpr std::array<std::string_view, 6> kWrong = {"\x80",     "a\xFF",        "\xC3(",
                                                      "\xE6\x97", "\xE0\x82\x80", "\xC0\x80"};
  if (!MakeRoom(context, kVocabularyRoom)) return false;
  return SetVocabulary(context, "plamo2", {"a", "b", "c", context.random.Pick(kWrong)}) &&
         Tell(context, kTokens, Part::kValue);
}

bool LieSpecialTokens(MutationContext& context) {
  if (!MakeRoom(context, kVocabularyRoom)) return false;
  return SetVocabulary(context, "bert", {"[PAD]", "[UNK]", "[CLS]", "[SEP]"}) &&
         Tell(context, kTokens, Part::kCount);
}

bool LieTokenCost(MutationContext& context) {
  constexpr std::uint64_t kLongest = 900;
  if (!MakeRoom(context, kVocabularyRoom + 4 * kLongest)) return false;
  const std::uint64_t size = context.random.Between(500, kLongest);  // 500 cubed exceeds the limit
  const MutableBytes text = context.arena.Take(size);
  if (text.empty()) return false;
  std::ranges::fill(text, static_cast<std::uint8_t>(context.random.Between('a', 'z')));
  DropKeys(context.draft, "tokenizer.ggml.");
  std::size_t i = 0;
  constexpr Four kOthers = {"a", "b", "c", ""};
  const auto next = [&] { return i < 3 ? kOthers.at(i++) : AsText(text); };
  return AddText(context, kTokenizerModel, "plamo2") &&
         AddEntry(context.draft, TextArrayEntry(context.arena, kTokens, 4, size, next)) &&
         Tell(context, kTokens, Part::kValue);
}

bool LieVocabularyClaimed(MutationContext& context) {
  constexpr std::array<std::string_view, 2> kModels = {"none", "no_vocab"};
  constexpr std::array<std::uint32_t, 4> kSizes = {2'000'001, 2'000'500, 2'001'000, 2'001'900};
  const auto any = [](const ArchitectureInfo& /*info*/) { return true; };
  const auto architecture = SomeArchitecture(context, any, kVocabularyRoom);
  if (!architecture) return false;
  DropKeys(context.draft, "tokenizer.ggml.");
  const std::string_view key = KeyFor(context, *architecture, "vocab_size");
  return AddText(context, kTokenizerModel, context.random.Pick(kModels)) &&
         TellEntry(context, NumberEntry(context.arena, key, context.random.Pick(kSizes)),
                   Part::kValue);
}

bool LieCharsMapWalk(MutationContext& context) {
  if (!MakeRoom(context, kVocabularyRoom)) return false;
  DropKeys(context.draft, "tokenizer.ggml.");
  if (!AddText(context, kTokenizerModel, "t5")) return false;
  // A trie of zeros that is too small for the first letter, or one whose root has a base after its
  // end.
  const bool small = context.random.OneIn(2);
  const std::uint64_t trie = small ? 4 * context.random.Between(1, 255) : 4 * 256;
  constexpr std::uint8_t kBeyond = 0x04;  // the root's number is 0x4'0000: base 256
  std::uint64_t i = 0;
  const auto next = [&]() -> std::uint8_t {
    const std::uint64_t at = i++;
    if (at < 4) return static_cast<std::uint8_t>(trie >> (8 * at));
    return !small && at == 6 ? kBeyond : std::uint8_t{0};
  };
  return AddEntry(context.draft,
                  ArrayEntry<std::uint8_t>(context.arena, kCharsMap, 4 + trie + 1, next)) &&
         Tell(context, kCharsMap, Part::kValue);
}

bool LieBlanksLeft(MutationContext& context) {
  constexpr std::array<std::string_view, 2> kModels = {"gpt2", "hybriddna"};
  if (!MakeRoom(context, kVocabularyRoom)) return false;
  const std::string_view model = context.random.Pick(kModels);
  return SetVocabulary(context, model, {"a", "b", "ab", "c"}) &&
         AddText(context, kPretokenizer, "whitespace") &&
         SetNumber<std::uint32_t>(context, "tokenizer.ggml.bos_token_id", 0) &&
         SetNumber<std::uint32_t>(context, "tokenizer.ggml.eos_token_id", 1) &&
         Tell(context, kPretokenizer, Part::kValue);
}

}  // namespace ggufgate::mutate
