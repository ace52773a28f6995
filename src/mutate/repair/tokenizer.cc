// The tokenizer: the vocabulary and its keys must fit together.

#include <algorithm>
#include <array>

#include "format/limits.h"
#include "format/tokenizers/pretokenizer.h"
#include "format/tokenizers/tokenizer.h"
#include "mutate/build/entry_value.h"
#include "mutate/repair/meaning.h"

namespace ggufgate::mutate {
namespace {

constexpr std::uint64_t kLongestToken = Limits{}.token_bytes;

constexpr KeyId kModel = IdOf("tokenizer.ggml.model");
constexpr KeyId kPretokenizer = IdOf("tokenizer.ggml.pre");
constexpr KeyId kTokensId = IdOf("tokenizer.ggml.tokens");
constexpr KeyId kScores = IdOf("tokenizer.ggml.scores");
constexpr KeyId kTypes = IdOf("tokenizer.ggml.token_type");
constexpr KeyId kCharsMapId = IdOf("tokenizer.ggml.precompiled_charsmap");

constexpr auto kTokenIds = [] {
  constexpr auto kIsId = [](const KnownKey& key) { return key.name.ends_with("_token_id"); };
  std::array<KeyId, static_cast<std::size_t>(std::ranges::count_if(kKnownKeys, kIsId))> ids{};
  std::size_t count = 0;
  for (std::size_t i = 0; i < kKnownKeys.size(); ++i) {
    if (kKnownKeys.at(i).name.ends_with("_token_id")) ids.at(count++) = static_cast<KeyId>(i);
  }
  return ids;
}();

// Special is a token for which a tokenizer has a default.
struct Special {
  KeyId key;
  std::uint32_t TokenizerInfo::* fallback;
};
constexpr std::array kSpecials = {
    Special{IdOf("tokenizer.ggml.bos_token_id"), &TokenizerInfo::bos},
    Special{IdOf("tokenizer.ggml.eos_token_id"), &TokenizerInfo::eos},
    Special{IdOf("tokenizer.ggml.unknown_token_id"), &TokenizerInfo::unknown},
    Special{IdOf("tokenizer.ggml.seperator_token_id"), &TokenizerInfo::separator},
    Special{IdOf("tokenizer.ggml.padding_token_id"), &TokenizerInfo::padding},
};

// Adding is a setting: texts begin or end with a special token.
struct Adding {
  Special token;
  KeyId key;
  bool TokenizerInfo::* by_default;
};
constexpr std::array kAddings = {
    Adding{kSpecials[0], IdOf("tokenizer.ggml.add_bos_token"), &TokenizerInfo::adds_bos},
    Adding{kSpecials[1], IdOf("tokenizer.ggml.add_eos_token"), &TokenizerInfo::adds_eos},
};

// AsLoadersRead returns a text up to its first NUL, as readers in C see it.
std::string_view AsLoadersRead(std::string_view text) { return text.substr(0, text.find('\0')); }

bool IsHexDigit(char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'F') || (c >= 'a' && c <= 'f');
}

// IsByteToken is true for `<0xHH>`.
bool IsByteToken(std::string_view text) {
  return text.size() == 6 && text.starts_with("<0x") && text.back() == '>' && IsHexDigit(text[3]) &&
         IsHexDigit(text[4]);
}

// HasLongToken: if the whole vocabulary is short enough, its tokens need no check.
bool HasLongToken(const Entry& tokens) {
  if (tokens.value.size() <= kLongestToken) return false;
  for (Strings strings(ElementsOf(tokens)); strings.Next();) {
    if (strings.text().size() > kLongestToken) return true;
  }
  return false;
}

// HasWrongBytes returns whether a token of type byte has another form.
bool HasWrongBytes(const Entry& tokens, Bytes types, const TokenizerInfo* tokenizer) {
  const bool word_piece = tokenizer != nullptr && tokenizer->kind == TokenizerKind::kWordPiece;
  constexpr std::size_t kSize = sizeof(std::int32_t);
  bool any = false;
  for (Bytes rest = types; rest.size() >= kSize && !any; rest = rest.subspan(kSize)) {
    any =
        Load<std::int32_t>(rest, ByteOrder::kLittle) == static_cast<std::int32_t>(TokenType::kByte);
  }
  if (!any || word_piece) return any;
  Strings strings(ElementsOf(tokens));
  for (Bytes rest = types; rest.size() >= kSize && strings.Next(); rest = rest.subspan(kSize)) {
    const std::string_view text = strings.text();
    const auto type = Load<std::int32_t>(rest, ByteOrder::kLittle);
    if (type == static_cast<std::int32_t>(TokenType::kByte) && !IsByteToken(text)) {
      return true;
    }
  }
  return false;
}

// IsSoundMap requires the size of a trie, the trie in blocks of 256 numbers, and texts that end
// with a NUL. The trie must be empty: then no text can leave it.
bool IsSoundMap(Bytes map) {
  constexpr std::size_t kNumber = sizeof(std::uint32_t);
  if (map.size() <= kNumber || map.back() != 0) return false;
  const auto trie = Load<std::uint32_t>(map, ByteOrder::kLittle);
  if (trie % (256 * kNumber) != 0 || trie >= map.size() - kNumber) return false;
  return std::ranges::all_of(map.subspan(kNumber, trie), [](std::uint8_t b) { return b == 0; });
}

void KeepSoundArrays(KnownEntries& known, const TokenizerInfo* tokenizer) {
  const Entry* const map = known.Find(kCharsMapId);
  if (map != nullptr && !IsSoundMap(ElementsOf(*map))) known.Drop(kCharsMapId);
  const Entry* tokens = known.Find(kTokensId);
  if (tokens != nullptr && HasLongToken(*tokens)) known.Drop(kTokensId);
  tokens = known.Find(kTokensId);
  if (tokens == nullptr) return;
  for (const KeyId id : {kScores, kTypes}) {
    const Entry* const entry = known.Find(id);
    if (entry != nullptr && CountOf(*entry) != CountOf(*tokens)) known.Drop(id);
  }
  const Entry* const types = known.Find(kTypes);
  if (types != nullptr && HasWrongBytes(*tokens, ElementsOf(*types), tokenizer)) {
    known.Drop(kTypes);
  }
}

void KeepSoundIds(KnownEntries& known, std::uint64_t count) {
  for (const KeyId id : kTokenIds) {
    const Entry* const entry = known.Find(id);
    if (entry == nullptr) continue;
    const std::optional<std::uint64_t> token = UnsignedOf(*entry);
    if (token && *token >= count && *token != kNoToken) known.Drop(id);
  }
}

// NamesToken is true if the file has an id for the token.
bool NamesToken(const Entry* entry) {
  return entry != nullptr && UnsignedOf(*entry).value_or(kNoToken) != kNoToken;
}

bool IsAdded(const KnownEntries& known, const TokenizerInfo& tokenizer, const Adding& adding) {
  // For Gemma 4, a text begins with its token regardless of the key.
  if (tokenizer.word == "gemma4" && tokenizer.*adding.by_default) return true;
  const Entry* const said = known.Find(adding.key);
  return said != nullptr ? said->value.front() != 0 : tokenizer.*adding.by_default;
}

// Serves returns whether a vocabulary has everything that the tokenizer requires.
bool Serves(const KnownEntries& known, const TokenizerInfo& tokenizer, const Entry& tokens) {
  const std::uint64_t count = CountOf(tokens);
  if (count == 0) return false;
  for (const Special& special : kSpecials) {
    const std::uint32_t id = tokenizer.*special.fallback;
    if (id != kNoToken && id >= count && !NamesToken(known.Find(special.key))) return false;
  }
  if (!ServesTexts(tokenizer, tokens, NamesToken(known.Find(kSpecials[2].key)))) return false;
  if (!tokenizer.heeds_adding) return true;
  return std::ranges::none_of(kAddings, [&](const Adding& adding) {
    return IsAdded(known, tokenizer, adding) && tokenizer.*adding.token.fallback == kNoToken &&
           !NamesToken(known.Find(adding.token.key));
  });
}

// KeepSoundPretokenizer drops pre-tokenizers that always begin a text with a token, or do so by
// default although the vocabulary lacks that token. It also drops those without a default for that
// token, and those that keep spaces raw.
void KeepSoundPretokenizer(KnownEntries& known, const TokenizerInfo& tokenizer,
                           std::uint64_t count) {
  const Entry* const entry = known.Find(kPretokenizer);
  if (entry == nullptr || tokenizer.kind != TokenizerKind::kBytePairs) return;
  const PretokenizerInfo* const info = FindPretokenizer(AsLoadersRead(*TextOf(*entry)));
  if (info == nullptr) return;
  const bool begins = info->begins == BeginsText::kAlways ||
                      (info->begins == BeginsText::kUnlessSaid && tokenizer.bos >= count);
  if (begins || !info->has_default_begin || info->blanks == Blanks::kRaw) known.Drop(kPretokenizer);
}

}  // namespace

void KeepSoundTokenizer(KnownEntries& known) {
  const Entry* const model = known.Find(kModel);
  const TokenizerInfo* const tokenizer =
      model != nullptr ? FindTokenizer(AsLoadersRead(*TextOf(*model))) : nullptr;
  const bool none = tokenizer != nullptr && tokenizer->kind == TokenizerKind::kNone;
  const Entry* const listed = known.Find(kTokensId);
  const std::uint64_t count = listed != nullptr ? CountOf(*listed) : 0;
  if (tokenizer != nullptr) KeepSoundPretokenizer(known, *tokenizer, count);
  KeepSoundArrays(known, tokenizer);
  const Entry* const tokens = known.Find(kTokensId);
  if (tokens == nullptr) return;  // without them loaders refuse, without harm
  if (CountOf(*tokens) > 0) KeepSoundIds(known, CountOf(*tokens));
  // The vocabulary of an unknown tokenizer may be anything.
  const bool judged = tokenizer != nullptr && !none;
  if (judged && !Serves(known, *tokenizer, *tokens)) known.Drop(kModel);
}

}  // namespace ggufgate::mutate
