// The vocabulary of a file, found out once for all rules about it.

#include "check/tokenizer.h"

#include <algorithm>
#include <array>

#include "check/repeat_sieve.h"

namespace ggufgate {
namespace {

constexpr std::string_view kPrefix = "tokenizer.ggml.";

struct KeyMember {
  std::string_view name;
  const MetadataEntry* TokenizerKeys::* member;
};

constexpr std::array kMembers = {
    KeyMember{"model", &TokenizerKeys::model},
    KeyMember{"tokens", &TokenizerKeys::tokens},
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
    const auto* found =
        std::ranges::find(kMembers, entry.key.substr(kPrefix.size()), &KeyMember::name);
    if (found == kMembers.end()) continue;
    const MetadataEntry*& slot = keys.*found->member;
    if (slot == nullptr) slot = &entry;
  }
  return keys;
}

int DigitOf(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

bool IsCapitalOrDigit(char c) { return c < 'a'; }

// Look notes what one token is. Nearly all of them are nothing but text.
void Look(std::string_view text, TokenFacts& facts) {
  if (text.size() == 1) facts.bytes.set(static_cast<unsigned char>(text.front()));
  if (text.size() != 6 || !IsByteToken(text)) return;
  const std::string_view digits = text.substr(3, 2);
  if (!std::ranges::all_of(digits, IsCapitalOrDigit)) return;
  facts.byte_tokens.set(static_cast<std::size_t>((DigitOf(digits[0]) << 4) | DigitOf(digits[1])));
}

// TypeWalk gives the types of the tokens one after another.
class TypeWalk {
 public:
  TypeWalk(const Document& document, const MetadataEntry* types) : order_(document.byte_order) {
    if (types != nullptr && types->IsArrayOf(ValueType::kI32)) {
      rest_ = document.BytesAt(types->ElementsRange());
    }
  }
  [[nodiscard]] bool NextIsByte() {
    if (rest_.empty()) return false;
    const auto type = Load<std::int32_t>(rest_, order_);
    rest_ = rest_.subspan(sizeof(type));
    return type == static_cast<std::int32_t>(TokenType::kByte);
  }

 private:
  Bytes rest_;
  ByteOrder order_;
};

TokenFacts WalkTokens(const Context& context, const Vocabulary& vocabulary) {
  constexpr std::uint64_t kLengthBytes = 8;
  const Document& document = context.document;
  const LeafArray tokens = TokensOf(vocabulary);
  const std::uint64_t longest = context.policy.limits.token_bytes;
  TokenFacts facts;
  TypeWalk types(document, vocabulary.keys.token_type);
  RepeatSieve sieve(tokens.count);
  Bytes rest = document.BytesAt(tokens.elements);
  for (std::uint64_t i = 0; i < tokens.count; ++i) {
    const auto length = Load<std::uint64_t>(rest, document.byte_order);
    const Bytes record = rest.first(kLengthBytes + length);
    rest = rest.subspan(record.size());
    const std::string_view text = AsText(record.subspan(kLengthBytes));
    if (length > longest) ++facts.long_tokens;
    if (length > 0) sieve.Add(HashOfRecord(record));
    Look(text, facts);
    if (types.NextIsByte()) {
      ++facts.typed_bytes;
      if (!IsByteToken(text)) ++facts.wrong_bytes;
    }
  }
  sieve.Flush();
  facts.repeats = FindRepeatedStrings(document.BytesAt(tokens.elements), document.byte_order,
                                      tokens.count, sieve);
  return facts;
}

Vocabulary Find(const Context& context) {
  const Document& document = context.document;
  Vocabulary vocabulary{.keys = KeysOf(document)};
  const TokenizerKeys& keys = vocabulary.keys;
  if (keys.model != nullptr) {
    vocabulary.tokenizer = FindTokenizer(document.StringOf(*keys.model).value_or(""));
  }
  vocabulary.has_tokens = keys.tokens != nullptr && keys.tokens->IsArrayOf(ValueType::kString);
  if (vocabulary.has_tokens) {
    vocabulary.token_count = keys.tokens->count;
    vocabulary.facts = WalkTokens(context, vocabulary);
  }
  return vocabulary;
}

}  // namespace

const Vocabulary& VocabularyOf(const Context& context) {
  if (!context.vocabulary) context.vocabulary = std::make_shared<const Vocabulary>(Find(context));
  return *context.vocabulary;
}

LeafArray TokensOf(const Vocabulary& vocabulary) {
  const MetadataEntry& tokens = *vocabulary.keys.tokens;
  return {.element_type = tokens.element_type,
          .count = tokens.count,
          .elements = tokens.ElementsRange()};
}

std::optional<TokenType> TypeOf(const Document& document, const Vocabulary& vocabulary,
                                std::uint64_t index) {
  const MetadataEntry* types = vocabulary.keys.token_type;
  if (types == nullptr || !types->IsArrayOf(ValueType::kI32) || index >= types->count) {
    return std::nullopt;
  }
  const Bytes elements = document.BytesAt(types->ElementsRange());
  return TokenType{
      Load<std::int32_t>(elements.subspan(index * sizeof(std::int32_t)), document.byte_order)};
}

bool IsByteToken(std::string_view text) {
  return text.size() == 6 && text.starts_with("<0x") && text.ends_with('>') &&
         DigitOf(text[3]) >= 0 && DigitOf(text[4]) >= 0;
}

ByteRange CountRange(const MetadataEntry& array) {
  return {.begin = array.ValueRange().begin + 4, .size = 8};
}

Severity UnlessLlamaCpp(const Context& context, bool error_there) {
  const bool milder = context.policy.profile == Profile::kLlamaCpp && !error_there;
  return milder ? Severity::kWarning : Severity::kError;
}

}  // namespace ggufgate
