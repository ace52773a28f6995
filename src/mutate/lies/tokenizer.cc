// Lies about vocabularies.

#include <array>

#include "format/limits.h"
#include "format/tokenizers/tokenizer.h"
#include "mutate/build/compose.h"
#include "mutate/build/known_key.h"
#include "mutate/build/records.h"
#include "mutate/lies/lie_context.h"
#include "mutate/mutations/mutations.h"

namespace ggufgate::mutate {
namespace {

constexpr std::uint64_t kTokenizerRoom = 768;

constexpr std::string_view kScores = "tokenizer.ggml.scores";
constexpr std::string_view kTypes = "tokenizer.ggml.token_type";

// ArrayKey is an array of the tokenizer with its required shape.
struct ArrayKey {
  std::string_view key;
  KeyShape shape;
};
constexpr std::array<ArrayKey, 6> kArrays = {{{kTokens, KeyShape::kStrings},
                                              {kScores, KeyShape::kF32s},
                                              {kTypes, KeyShape::kI32s},
                                              {"tokenizer.ggml.merges", KeyShape::kStrings},
                                              {"tokenizer.ggml.suppress_tokens", KeyShape::kI32s},
                                              {kCharsMap, KeyShape::kBytes}}};

}  // namespace

bool LieTokenizerArrayType(MutationContext& context) {
  if (!MakeRoom(context, kTokenizerRoom)) return false;
  const Entry* const tokens = SomeVocabulary(context);
  if (tokens == nullptr) return false;
  const ArrayKey& array = context.random.Pick(kArrays);
  // One element per token, if there are few: the length is not the lie.
  constexpr std::uint64_t kFew = 16;
  std::uint64_t count = CountOf(*tokens);
  if (count > kFew && (array.key == kScores || array.key == kTypes)) {
    DropKeys(context.draft, "tokenizer.ggml.");
    count = kFew;
  }
  count = std::min(count, kFew);
  Entry wrong = MisshapenEntry(context, array.key, array.shape, count);
  const bool tolerable = (array.key == kScores && IsArrayOf(wrong, ValueType::kI32)) ||
                         (array.key == kTypes && IsArrayOf(wrong, ValueType::kU32));
  if (tolerable) {
    wrong = PlainArray(context, array.key, ValueType::kI64, count);
  }
  const bool is_array = Is(wrong, ValueType::kArray);
  return TellEntry(context, wrong, is_array ? Part::kValue : Part::kType);
}

bool LieTokenizerArrayLength(MutationContext& context) {
  if (!MakeRoom(context, kTokenizerRoom)) return false;
  const Entry* const tokens = SomeVocabulary(context);
  if (tokens == nullptr) return false;
  Random& random = context.random;
  const std::uint64_t count = CountOf(*tokens);
  const std::array<std::uint64_t, 4> counts = {count - 1, count + 1, 0, 1};
  std::uint64_t wrong = random.Pick(counts);
  if (wrong == count) wrong = count + 1;
  if (4 * wrong > context.arena.Left() || 4 * wrong + kTokenizerRoom > context.room()) wrong = 0;
  const bool scores = random.OneIn(2);
  const std::string_view key = scores ? kScores : kTypes;
  const ValueType element = scores ? ValueType::kF32 : ValueType::kI32;
  return TellEntry(context, PlainArray(context, key, element, wrong), Part::kCount);
}

bool LieTokenId(MutationContext& context) {
  if (!MakeRoom(context, kTokenizerRoom)) return false;
  const Entry* const tokens = SomeVocabulary(context);
  if (tokens == nullptr || CountOf(*tokens) > UINT32_MAX / 4) return false;
  const auto count = static_cast<std::uint32_t>(CountOf(*tokens));
  const std::array<std::uint32_t, 6> ids = {count,        count + 1, 2 * count,
                                            kNoToken - 1, INT32_MAX, std::uint32_t{1} << 31};
  const std::string_view key = context.random.Pick(kTokenIdKeys);
  return TellEntry(context, NumberEntry(context.arena, key, context.random.Pick(ids)),
                   Part::kValue);
}

bool LieTokenIdType(MutationContext& context) {
  if (!MakeRoom(context, kTokenizerRoom)) return false;
  const std::string_view key = context.random.Pick(kTokenIdKeys);
  Entry wrong = MisshapenEntry(context, key, KeyShape::kU32, 2);
  // An i32 is only a warning, except for numbers below -1.
  if (Is(wrong, ValueType::kI32)) wrong = NumberEntry(context.arena, key, std::int32_t{-2});
  return TellEntry(context, wrong, Part::kType);
}

bool LieVocabularyEmpty(MutationContext& context) {
  constexpr std::array<std::string_view, 6> kModels = {"llama", "gpt2", "bert",
                                                       "t5",    "rwkv", "plamo2"};
  if (!MakeRoom(context, kTokenizerRoom)) return false;
  const std::string_view model = context.random.Pick(kModels);
  return SetVocabulary(context, model, {}) && Tell(context, kTokens, Part::kCount);
}

bool LieVocabularyTooSmall(MutationContext& context) {
  if (!MakeRoom(context, kTokenizerRoom)) return false;
  bool made = false;
  switch (context.random.Below(4)) {
    case 0:
      made = SetVocabulary(context, "hybriddna", {"a", "b"});
      break;
    case 1:
      made = SetVocabulary(context, "gpt2", {"a", "b", "ab"});
      break;
    case 2:
      made = SetVocabulary(context, "t5", {"<pad>", "</s>"});
      break;
    default:
      made = SetVocabulary(context, "plamo2", {"a", "b"});
      break;
  }
  return made && Tell(context, kTokens, Part::kCount);
}

bool LieTokenUnnamed(MutationContext& context) {
  if (!MakeRoom(context, kTokenizerRoom)) return false;
  constexpr std::array<std::string_view, 3> kThree = {"<pad>", "</s>", "<unk>"};
  if (context.random.OneIn(2)) {  // begins texts with a token by default
    return SetVocabulary(context, "gemma4", kThree) && Tell(context, kTokenizerModel, Part::kValue);
  }
  constexpr std::string_view kAdd = "tokenizer.ggml.add_bos_token";
  if (!SetVocabulary(context, "t5", kThree)) return false;
  if (context.random.OneIn(2) && !SetNumber(context, kTokenIdKeys.front(), kNoToken)) {
    return false;
  }
  return TellEntry(context, NumberEntry(context.arena, kAdd, true), Part::kValue);
}

bool LieNoByteTokens(MutationContext& context) {
  constexpr std::array<std::array<std::string_view, 4>, 4> kTokensWithout = {
      {{"<unk>", "<s>", "</s>", "a"},
       {"<0x0a>", "<0xff>", "<0xfF>", "<0xF>"},
       {"<0xG0>", "<0x000>", " <0x00>", "0x00"},
       {"", "", "", ""}}};
  if (!MakeRoom(context, kTokenizerRoom)) return false;
  return SetVocabulary(context, "llama", context.random.Pick(kTokensWithout)) &&
         Tell(context, kTokens, Part::kCount);
}

namespace {

bool NameSpecialTokens(MutationContext& context) {
  constexpr std::array<std::string_view, 3> kKeys = {"tokenizer.ggml.unknown_token_id",
                                                     "tokenizer.ggml.bos_token_id",
                                                     "tokenizer.ggml.seperator_token_id"};
  std::uint32_t id = 0;
  return std::ranges::all_of(kKeys,
                             [&](std::string_view key) { return AddNumber(context, key, id++); });
}

}  // namespace

bool LieByteToken(MutationContext& context) {
  constexpr std::array<std::string_view, 8> kWrong = {"",        "\xFF", "<0xG0>", "<0x0>",
                                                      "<0x000>", "0x00", "<0X00>", "<0x00>\n"};
  constexpr std::array<std::string_view, 3> kModels = {"plamo2", "t5", "bert"};
  if (!MakeRoom(context, kTokenizerRoom)) return false;
  const std::string_view model = context.random.Pick(kModels);
  // WordPiece has no byte tokens, in any form.
  const std::string_view wrong = model == "bert" ? "<0x00>" : context.random.Pick(kWrong);
  const std::array<std::string_view, 4> tokens = {"<unk>", "<0x0A>", "</s>", wrong};
  if (!SetVocabulary(context, model, tokens)) return false;
  if (model == "bert" && !NameSpecialTokens(context)) return false;
  std::size_t i = 0;
  const auto type = [&] {
    const bool last = ++i == tokens.size();
    return static_cast<std::int32_t>(last ? TokenType::kByte : TokenType::kNormal);
  };
  return AddEntry(context.draft,
                  ArrayEntry<std::int32_t>(context.arena, kTypes, tokens.size(), type)) &&
         Tell(context, kTokens, Part::kValue);
}

bool LieCharsMap(MutationContext& context) {
  // A trie that is cut inside a number: the whole numbers are a block that no letter leaves.
  constexpr std::uint32_t kBlock = 4 * 256;
  if (!MakeRoom(context, kTokenizerRoom + kBlock)) return false;
  DropKeys(context.draft, "tokenizer.ggml.");
  if (!AddText(context, kTokenizerModel, "t5")) return false;
  Random& random = context.random;
  const std::uint64_t style = random.Below(5);
  constexpr std::array<std::uint32_t, 4> kTooLong = {13, 16, UINT32_MAX, std::uint32_t{1} << 31};
  constexpr std::uint64_t kSize = 16;
  std::uint32_t trie = 8;
  if (style == 1) trie = random.Pick(kTooLong);
  if (style == 2) trie = kBlock + static_cast<std::uint32_t>(random.Between(1, 3));
  if (style == 3) trie = kSize - 4;  // no texts
  const std::uint64_t whole = style == 2 ? kBlock + kSize : kSize;
  const std::uint64_t size = style == 0 ? random.Below(4) : whole;
  std::uint64_t i = 0;
  const auto next = [&]() -> std::uint8_t {
    const std::uint64_t at = i++;
    if (at < 4) return static_cast<std::uint8_t>(trie >> (8 * at));
    return style == 4 ? std::uint8_t{'x'} : std::uint8_t{0};  // no NUL
  };
  return AddEntry(context.draft, ArrayEntry<std::uint8_t>(context.arena, kCharsMap, size, next)) &&
         Tell(context, kCharsMap, size == 0 ? Part::kCount : Part::kValue);
}

bool LieTokenLong(MutationContext& context) {
  constexpr std::uint64_t kLongest = Limits{}.token_bytes;
  if (!MakeRoom(context, kLongest + kTokenizerRoom)) return false;
  const std::uint64_t size = kLongest + context.random.Between(1, 64);
  const MutableBytes text = context.arena.Take(size);
  if (text.empty()) return false;
  std::ranges::fill(text, static_cast<std::uint8_t>(context.random.Between('a', 'z')));
  DropKeys(context.draft, "tokenizer.ggml.");
  std::size_t i = 0;
  constexpr std::array<std::string_view, 3> kShort = {"a", "", "b"};
  const auto next = [&] { return i++ == 1 ? AsText(text) : kShort.at(i - 1); };
  return AddText(context, kTokenizerModel, "t5") &&
         AddEntry(context.draft, TextArrayEntry(context.arena, kTokens, 3, size, next)) &&
         Tell(context, kTokens, Part::kValue);
}

bool LieSwitchValue(MutationContext& context) {
  constexpr std::array<std::string_view, 6> kSwitches = {"tokenizer.ggml.add_space_prefix",
                                                         "tokenizer.ggml.add_sep_token",
                                                         "clip.use_gelu",
                                                         "clip.has_vision_encoder",
                                                         "llama.attention.causal",
                                                         "tokenizer.ggml.normalizer.lowercase"};
  constexpr std::array<std::uint8_t, 5> kValues = {2, 0xFF, 0x80, 0x7F, 0x03};
  if (!MakeRoom(context, kTokenizerRoom)) return false;
  const std::string_view key = context.random.Pick(kSwitches);
  Entry entry = NumberEntry(context.arena, key, context.random.Pick(kValues));
  entry.type = IdOf(ValueType::kBool);
  return TellEntry(context, entry, Part::kValue);
}

}  // namespace ggufgate::mutate
