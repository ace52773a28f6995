// The vocabulary of a file, found out once for all rules about it.

#include "check/tokenizer.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <span>

#include "bytes/audited.h"
#include "check/repeat_sieve.h"

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

// TypesOf are the types of the tokens; nothing where the file gives none of the right kind.
Bytes TypesOf(const Document& document, const Vocabulary& vocabulary) {
  const MetadataEntry* types = vocabulary.keys.token_type;
  if (types == nullptr || !types->IsArrayOf(ValueType::kI32)) return {};
  return document.BytesAt(types->ElementsRange());
}

// CountByteTypes counts the tokens of type byte, by the bytes of that number in the file's order.
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

// Records walks over strings with their lengths. The parser has seen that all are whole.
class Records {
 public:
  explicit Records(Bytes bytes) : rest_(bytes) {}

  // Next is the next string with its length in front; there must be one.
  [[nodiscard]] Bytes Next(ByteOrder order) {
    const Bytes record = rest_.first(kLengthBytes + Load<std::uint64_t>(rest_, order));
    rest_ = rest_.subspan(record.size());
    return record;
  }

 private:
  Bytes rest_;
};

// Hash hashes the next strings and gives the length of the longest. This is the hot loop of the
// rules: a vocabulary has up to 300,000 tokens. The order is settled when it is compiled.
template <ByteOrder kOrder>
std::uint64_t Hash(Records& records_in, std::span<std::uint64_t> hashes) {
  Records records = records_in;
  std::uint64_t longest = 0;
  for (std::uint64_t& hash : hashes) {
    const Bytes record = records.Next(kOrder);
    longest = std::max<std::uint64_t>(longest, record.size() - kLengthBytes);
    hash = HashOfRecord(record);
  }
  records_in = records;
  return longest;
}

// LookAtAll finds what all vocabularies are asked for.
void LookAtAll(const Document& document, const LeafArray& tokens, TokenFacts& facts) {
  const Bytes bytes = document.BytesAt(tokens.elements);
  const bool little = document.byte_order == ByteOrder::kLittle;
  RepeatSieve sieve(tokens.count);
  Records records(bytes);
  std::array<std::uint64_t, 256> some;
  for (std::uint64_t left = tokens.count; left > 0;) {
    const auto hashes = std::span(some).first(std::min<std::uint64_t>(left, some.size()));
    const std::uint64_t longest =
        little ? Hash<ByteOrder::kLittle>(records, hashes) : Hash<ByteOrder::kBig>(records, hashes);
    facts.longest = std::max(facts.longest, longest);
    sieve.Add(hashes);
    left -= hashes.size();
  }
  facts.repeats = FindRepeatedStrings(bytes, document.byte_order, tokens.count, sieve);
}

// LookForBytes finds what only vocabularies with byte tokens are asked for.
void LookForBytes(const Document& document, const LeafArray& tokens, Bytes types,
                  TokenFacts& facts) {
  Records records(document.BytesAt(tokens.elements));
  for (std::uint64_t i = 0; i < tokens.count; ++i) {
    const std::string_view text = AsText(records.Next(document.byte_order).subspan(kLengthBytes));
    const bool is_form = IsByteToken(text);
    if (text.size() == 1) facts.bytes.set(static_cast<unsigned char>(text.front()));
    if (is_form && std::ranges::all_of(text.substr(3, 2), IsCapitalOrDigit)) {
      facts.byte_tokens.set(static_cast<std::size_t>(DigitOf(text[3]) << 4 | DigitOf(text[4])));
    }
    if (is_form || i >= types.size() / sizeof(std::int32_t)) continue;
    const auto type =
        Load<std::int32_t>(types.subspan(i * sizeof(std::int32_t)), document.byte_order);
    if (type == static_cast<std::int32_t>(TokenType::kByte)) ++facts.wrong_bytes;
  }
}

TokenFacts LookAt(const Document& document, const Vocabulary& vocabulary) {
  const LeafArray tokens = TokensOf(vocabulary);
  const Bytes types = TypesOf(document, vocabulary);
  TokenFacts facts;
  LookAtAll(document, tokens, facts);
  facts.typed_bytes = CountByteTypes(types, document.byte_order);
  if (facts.typed_bytes > 0 || vocabulary.Is(TokenizerKind::kSentencePiece)) {
    LookForBytes(document, tokens, types, facts);
  }
  return facts;
}

Vocabulary Find(const Document& document) {
  Vocabulary vocabulary{.keys = KeysOf(document)};
  const TokenizerKeys& keys = vocabulary.keys;
  if (keys.model != nullptr) {
    vocabulary.tokenizer = FindTokenizer(document.StringOf(*keys.model).value_or(""));
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
  if (!context.vocabulary)
    context.vocabulary = std::make_shared<const Vocabulary>(Find(context.document));
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
  const Bytes types = TypesOf(document, vocabulary);
  if (index >= types.size() / sizeof(std::int32_t)) return std::nullopt;
  return TokenType{
      Load<std::int32_t>(types.subspan(index * sizeof(std::int32_t)), document.byte_order)};
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
