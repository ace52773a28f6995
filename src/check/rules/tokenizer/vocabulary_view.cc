// The vocabulary of a file, computed once for all rules about it.

#include "check/rules/tokenizer/vocabulary_view.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "bytes/bytes.h"
#include "check/repeats/record_hashes.h"
#include "check/repeats/repeat_filter.h"
#include "check/values.h"

namespace ggufgate {
namespace {

constexpr std::string_view kPrefix = "tokenizer.ggml.";
constexpr std::uint64_t kLengthBytes = 8;

struct KeyMember {
  std::string_view name;
  const MetadataEntry* TokenizerKeys::* member;
};

constexpr std::array kMembers = {
    KeyMember{"model", &TokenizerKeys::model},
    KeyMember{"pre", &TokenizerKeys::pretokenizer},
    KeyMember{"tokens", &TokenizerKeys::tokens},
    KeyMember{"merges", &TokenizerKeys::merges},
    KeyMember{"scores", &TokenizerKeys::scores},
    KeyMember{"token_type", &TokenizerKeys::token_type},
    KeyMember{"precompiled_charsmap", &TokenizerKeys::charsmap},
    KeyMember{"add_bos_token", &TokenizerKeys::add_bos},
    KeyMember{"add_eos_token", &TokenizerKeys::add_eos},
    KeyMember{"bos_token_id", &TokenizerKeys::bos},
    KeyMember{"eos_token_id", &TokenizerKeys::eos},
    KeyMember{"unknown_token_id", &TokenizerKeys::unknown},
    KeyMember{"seperator_token_id", &TokenizerKeys::separator},  // misspelt in the format
    KeyMember{"padding_token_id", &TokenizerKeys::padding},
};

TokenizerKeys KeysOf(const Document& document) {
  TokenizerKeys keys;
  for (const MetadataEntry& entry : document.metadata) {
    if (!entry.key.starts_with(kPrefix)) continue;
    const auto found =
        std::ranges::find(kMembers, entry.key.substr(kPrefix.size()), &KeyMember::name);
    if (found == kMembers.end()) continue;
    const MetadataEntry*& slot = keys.*found->member;
    if (slot == nullptr) slot = &entry;
  }
  return keys;
}

// CountByteTypes counts the tokens of type byte by comparing bytes in the file's order.
std::uint64_t CountByteTypes(Bytes types, ByteOrder order) {
  std::array<std::uint8_t, sizeof(std::int32_t)> wanted{};
  Store(static_cast<std::int32_t>(TokenType::kByte), order, wanted);
  const auto byte = std::bit_cast<std::uint32_t>(wanted);
  std::uint64_t count = 0;
  for (std::size_t at = 0; at < types.size(); at += sizeof(byte)) {
    std::uint32_t type = 0;
    GGUFGATE_AUDITED_BEGIN  // an array of i32 is a multiple of four bytes
        std::memcpy(&type, types.data() + at, sizeof(type));
    GGUFGATE_AUDITED_END
    count += type == byte ? 1 : 0;
  }
  return count;
}

// ParseNumber parses a decimal number without leading zeros, up to any possible array index.
std::optional<std::uint64_t> ParseNumber(std::string_view digits) {
  constexpr std::size_t kMostDigits = 18;
  if (digits.empty() || digits.size() > kMostDigits) return std::nullopt;
  if (digits.size() > 1 && digits.front() == '0') return std::nullopt;
  std::uint64_t number = 0;
  for (const char c : digits) {
    if (c < '0' || c > '9') return std::nullopt;
    number = number * 10 + static_cast<std::uint64_t>(c - '0');
  }
  return number;
}

// AddNamesOfEmpty adds the tokens that equal the name that llama.cpp gives an empty token:
// [EMPTY_3] if token 3 is empty.
void AddNamesOfEmpty(const Document& document, const LeafArray& tokens, TokenFacts& facts) {
  constexpr std::string_view kName = "[EMPTY_";
  std::vector<bool> empty(tokens.count, false);
  for (StringArray strings(document, tokens); strings.Next();) {
    if (strings.text().empty()) empty[strings.index()] = true;
  }
  for (StringArray strings(document, tokens); strings.Next();) {
    const std::string_view text = strings.text();
    if (!text.starts_with(kName) || !text.ends_with(']')) continue;
    const std::string_view digits = text.substr(kName.size(), text.size() - kName.size() - 1);
    const auto index = ParseNumber(digits);
    if (!index || *index >= tokens.count || !empty[*index]) continue;
    facts.repeats.push_back({strings.index(), *index});
  }
  std::ranges::sort(facts.repeats, {}, &Repeat::index);
}

std::uint64_t LongestOf(const Document& document, const LeafArray& tokens) {
  std::uint64_t longest = 0;
  for (StringArray strings(document, tokens); strings.Next();) {
    longest = std::max<std::uint64_t>(longest, strings.text().size());
  }
  return longest;
}

// LookAtAll finds the facts that all vocabularies need.
void LookAtAll(const Document& document, const LeafArray& tokens, TokenFacts& facts) {
  const Bytes bytes = document.BytesAt(tokens.elements);
  RepeatFilter filter(tokens.count);
  const RecordLengths lengths = HashRecords(document, tokens, filter);
  facts.repeats = FindRepeatedStrings(bytes, document.byte_order, tokens.count, filter);
  facts.squares = lengths.squares;
  facts.longest = lengths.longest();
  if (!lengths.any_empty()) return;
  facts.longest = LongestOf(document, tokens);
  AddNamesOfEmpty(document, tokens, facts);
}

TokenFacts LookAt(const Document& document, const Vocabulary& vocabulary) {
  const LeafArray tokens = TokensOf(vocabulary);
  const Bytes types = TypesOf(document, vocabulary);
  TokenFacts facts;
  LookAtAll(document, tokens, facts);
  facts.typed_bytes = CountByteTypes(types, document.byte_order);
  const bool spells = vocabulary.Is(TokenizerKind::kSentencePiece) ||
                      vocabulary.Is(TokenizerKind::kRwkv) || vocabulary.Is(TokenizerKind::kPlamo2);
  if (facts.typed_bytes > 0 || spells) {
    LookForBytes(document, vocabulary, facts);
  }
  return facts;
}

// PretokenizerWord: llama.cpp v0.5.0 treats tokenizer "gemma4" as byte pairs with a special
// pre-tokenizer, regardless of the key.
std::string_view PretokenizerWord(const Document& document, const Vocabulary& vocabulary) {
  if (vocabulary.tokenizer->word == "gemma4") return vocabulary.tokenizer->word;
  const MetadataEntry* said = vocabulary.keys.pretokenizer;
  return said != nullptr ? TextOf(document, *said).value_or("") : "";
}

Vocabulary Find(const Document& document) {
  Vocabulary vocabulary{.keys = KeysOf(document)};
  const TokenizerKeys& keys = vocabulary.keys;
  if (keys.model != nullptr) {
    vocabulary.tokenizer = FindTokenizer(TextOf(document, *keys.model).value_or(""));
  }
  if (vocabulary.Is(TokenizerKind::kBytePairs)) {
    vocabulary.pretokenizer = FindPretokenizer(PretokenizerWord(document, vocabulary));
  }
  vocabulary.has_tokens = keys.tokens != nullptr && keys.tokens->IsArrayOf(ValueType::kString);
  if (vocabulary.has_tokens) {
    vocabulary.token_count = keys.tokens->count;
    vocabulary.facts = LookAt(document, vocabulary);
  }
  return vocabulary;
}

}  // namespace

const Vocabulary& VocabularyOf(const Context& context) {
  return context.cache.Get<Vocabulary>([&] { return Find(context.document); });
}

LeafArray TokensOf(const Vocabulary& vocabulary) {
  const MetadataEntry& tokens = *vocabulary.keys.tokens;
  return {.element_type = tokens.element_type,
          .count = tokens.count,
          .elements = tokens.ElementsRange()};
}

Bytes TypesOf(const Document& document, const Vocabulary& vocabulary) {
  const MetadataEntry* types = vocabulary.keys.token_type;
  if (types == nullptr) return {};
  // mlx-lm writes u32, with the same bits.
  if (!types->IsArrayOf(ValueType::kI32) && !types->IsArrayOf(ValueType::kU32)) return {};
  return document.BytesAt(types->ElementsRange());
}

std::optional<TokenType> TypeOf(const Document& document, const Vocabulary& vocabulary,
                                std::uint64_t index) {
  return TypeIn(TypesOf(document, vocabulary), document.byte_order, index);
}

ByteRange LengthRange(const StringArray& tokens) {
  return {.begin = tokens.range().begin - kLengthBytes, .size = kLengthBytes};
}

ByteRange CountRange(const MetadataEntry& array) {
  return {.begin = array.ValueRange().begin + 4, .size = 8};
}

Severity UnlessLlamaCpp(const Context& context, bool error_there) {
  const bool milder = context.policy.profile == Profile::kLlamaCpp && !error_there;
  return milder ? Severity::kWarning : Severity::kError;
}

Severity WhereRefused(const Context& context) {
  switch (context.policy.profile) {
    case Profile::kLlamaCpp:
      return Severity::kError;
    case Profile::kSpec:
      return Severity::kNote;
    case Profile::kGate:
    case Profile::kDiffusion:
      break;
  }
  return Severity::kWarning;
}

}  // namespace ggufgate
