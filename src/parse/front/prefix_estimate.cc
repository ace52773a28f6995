#include "parse/front/prefix_estimate.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "bytes/byte_order.h"
#include "bytes/checked.h"

namespace ggufgate {
namespace {

// Saturation: the estimates are sums of products of numbers from the file.
constexpr std::uint64_t kVeryMany = std::uint64_t{1} << 40;
std::uint64_t Times(std::uint64_t a, std::uint64_t b) {
  return std::min(CheckedMul(a, b).value_or(kVeryMany), kVeryMany);
}

// Reader parses a record that is only partly in the prefix.
class Reader {
 public:
  Reader(const Document& document, std::uint64_t at) : document_(document), at_(at) {}

  [[nodiscard]] std::uint64_t at() const { return at_; }

  template <typename T>
  std::optional<T> Read() {
    const Bytes rest = Rest();
    if (rest.size() < sizeof(T)) return std::nullopt;
    at_ += sizeof(T);
    return Load<T>(rest, document_.byte_order);
  }

  // SkipString returns false if the string is incomplete.
  bool SkipString() {
    const std::uint64_t before = at_;
    const std::optional<std::uint64_t> length = Read<std::uint64_t>();
    if (length && *length <= Rest().size()) {
      at_ += *length;
      return true;
    }
    at_ = before;
    return false;
  }

 private:
  [[nodiscard]] Bytes Rest() const {
    return document_.prefix.subspan(std::min<std::uint64_t>(at_, document_.prefix.size()));
  }

  const Document& document_;
  std::uint64_t at_;
};

// EndOfStrings estimates the end of an array of strings. In most vocabularies later strings are
// longer, so it uses the mean of the last quarter of the known strings.
std::uint64_t EndOfStrings(Reader& reader, std::uint64_t count) {
  constexpr std::uint64_t kUnknown = 24;  // assumed bytes of an unknown string
  Reader late = reader;
  std::uint64_t seen = 0;
  while (seen < count && reader.SkipString()) ++seen;
  if (seen == 0) return reader.at() + Times(count, kUnknown);
  const std::uint64_t early = seen - (seen + 3) / 4;
  for (std::uint64_t i = 0; i < early && late.SkipString(); ++i) {
  }
  const std::uint64_t end = reader.at();
  const std::uint64_t mean = (end - late.at()) / (seen - early) + 1;
  return end + Times(count - seen, mean);
}

// In vocabularies, token types and merges follow the tokens.
constexpr std::string_view kTokensKey = "tokenizer.ggml.tokens";
constexpr std::uint64_t kTokenType = 4;  // bytes

// MergesOf estimates the size of the merges that follow. If a vocabulary has merges, there is one
// for each token except the bytes. It has the characters of the token and a space.
std::uint64_t MergesOf(const Document& document, std::uint64_t token_bytes) {
  const MetadataEntry* const model = document.Find("tokenizer.ggml.model");
  const bool merges = model != nullptr && document.StringOf(*model) == "gpt2" &&
                      document.Find("tokenizer.ggml.merges") == nullptr;
  return merges ? token_bytes : 0;
}

// EndOfEntry estimates the end of the entry that the prefix cuts.
std::uint64_t EndOfEntry(const Document& document, std::uint64_t begin) {
  Reader reader(document, begin);
  const std::uint64_t held = document.prefix.size();
  if (!reader.SkipString()) return held;
  const ByteRange key = ByteRange::Between(begin + 8, reader.at());
  const auto type = reader.Read<std::uint32_t>();
  if (!type || *type != static_cast<std::uint32_t>(ValueType::kArray)) return held;
  const auto element_type = reader.Read<std::uint32_t>();
  const auto count = reader.Read<std::uint64_t>();
  if (!element_type || !count) return held;
  if (*element_type == static_cast<std::uint32_t>(ValueType::kString)) {
    const std::uint64_t strings = reader.at();
    const std::uint64_t end = EndOfStrings(reader, *count);
    if (AsText(document.BytesAt(key)) != kTokensKey) return end;
    return end + Times(*count, kTokenType) + MergesOf(document, end - strings);
  }
  const ValueTypeInfo* const info = FindValueType(*element_type);
  if (info == nullptr || info->scalar_bytes == 0) return held;
  return reader.at() + Times(*count, info->scalar_bytes);
}

// EndsIn returns whether the prefix cuts the entry of this key.
bool EndsIn(const Document& document, std::string_view key) {
  Reader reader(document, document.directory_end);
  return reader.SkipString() &&
         AsText(document.BytesAt(ByteRange::Between(document.directory_end + 8, reader.at()))) ==
             key;
}

}  // namespace

std::uint64_t EstimatePrefix(const Document& document) {
  constexpr std::uint64_t kEntry = 48;   // bytes of an entry without an array
  constexpr std::uint64_t kTensor = 64;  // bytes of a directory record
  constexpr std::uint64_t kLeastGrowth = 32;
  constexpr std::uint64_t kMostGrowth = 8;
  constexpr std::uint64_t kSpare = std::uint64_t{16} << 10;
  const std::uint64_t held = document.prefix.size();
  const std::uint64_t keys = document.metadata_count - document.metadata.size();
  const std::uint64_t tensors = document.tensor_count - document.tensors.size();
  std::uint64_t end = document.directory_end;
  if (keys > 0) {
    const std::uint64_t entry = EndOfEntry(document, end);
    const MetadataEntry* const tokens = document.Find(kTokensKey);
    const bool in_merges = EndsIn(document, "tokenizer.ggml.merges");
    end = entry + Times(keys - 1, kEntry) +
          (tokens == nullptr || in_merges ? 0 : MergesOf(document, tokens->range.size));
  }
  std::uint64_t tensor_bytes = kTensor;
  if (!document.tensors.empty()) {
    const std::uint64_t begin = document.tensors.front().begin;
    tensor_bytes = (document.directory_end - begin) / document.tensors.size() + 1;
  }
  end += Times(tensors, tensor_bytes);
  // Without a margin, half of all estimates would be too low, and a further request costs more.
  end += end / 64 + kSpare;
  return std::clamp(end, held + held / kLeastGrowth, held * kMostGrowth);
}

}  // namespace ggufgate
