// Vocabularies and types of tensors with which a model still runs.

#include <algorithm>
#include <array>
#include <charconv>

#include "mutate/build/compose.h"
#include "mutate/build/entry_value.h"
#include "mutate/build/records.h"
#include "mutate/generate/learned_model.h"
#include "mutate/models/running_model.h"
#include "mutate/mutations/mutations.h"

namespace ggufgate::mutate {
namespace {

constexpr std::string_view kTokensKey = "tokenizer.ggml.tokens";

// MoreElements appends elements to an array.
Bytes MoreElements(MutationContext& context, const Entry& entry, std::uint64_t more, Bytes added) {
  const MutableBytes copy = context.arena.Take(entry.value.size() + added.size());
  if (copy.empty()) return {};
  std::ranges::copy(entry.value, copy.begin());
  std::ranges::copy(added, copy.subspan(entry.value.size()).begin());
  Store(CountOf(entry) + more, ByteOrder::kLittle, copy.subspan(4));
  return copy;
}

// NewTokens returns strings that no small vocabulary has.
Bytes NewTokens(MutationContext& context, std::uint64_t first, std::uint64_t count) {
  constexpr std::size_t kDigits = 6;
  const MutableBytes room = context.arena.Take(count * (kStringHead + 1 + kDigits));
  if (room.empty()) return {};
  MutableBytes rest = room;
  for (std::uint64_t i = first; i < first + count; ++i) {
    std::array<char, 1 + kDigits> text{'w', '0', '0', '0', '0', '0', '0'};
    std::uint64_t number = i;
    for (std::size_t at = kDigits; at > 0; --at, number /= 10) {
      text.at(at) = static_cast<char>('0' + number % 10);
    }
    rest = rest.subspan(StoreText({text.data(), text.size()}, rest));
  }
  return room;
}

const TensorTypeInfo& SomeType(Random& random) {
  const std::span<const TensorTypeInfo> all = AllTensorTypes();
  const std::size_t begin = random.Below(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    const TensorTypeInfo& type = all[(begin + i) % all.size()];
    if (RunsInMatrices(type.type)) return type;
  }
  return all.front();
}

}  // namespace

bool ModelVocabulary(MutationContext& context) {
  return context.running->SetVocabulary(context.random.Pick(context.running->vocabularies().All()));
}

bool ModelTokens(MutationContext& context) {
  const Entry* const tokens = context.draft.Find(kTokensKey);
  if (tokens == nullptr || !IsArrayOf(*tokens, ValueType::kString)) return false;
  const std::uint64_t more = context.random.Between(1, 64);
  const Bytes texts = NewTokens(context, CountOf(*tokens), more);
  const auto zeros = [&](std::size_t size) -> Bytes {
    const MutableBytes room = context.arena.Take(more * size);
    std::ranges::fill(room, std::uint8_t{0});
    return room;
  };
  const MutableBytes types = context.arena.Take(more * 4);
  for (MutableBytes rest = types; !rest.empty(); rest = rest.subspan(4)) {
    Store(std::int32_t{1}, ByteOrder::kLittle, rest);
  }
  const Bytes scores = zeros(4);
  if (texts.empty() || types.empty() || scores.empty()) return false;
  for (const auto& [key, added] : {std::pair<std::string_view, Bytes>{kTokensKey, texts},
                                   {"tokenizer.ggml.token_type", types},
                                   {"tokenizer.ggml.scores", scores}}) {
    Entry* const entry = context.draft.Find(key);
    if (entry == nullptr) continue;
    const Bytes value = MoreElements(context, *entry, more, added);
    if (!SetValue(*entry, value)) return false;
  }
  return true;
}

bool ModelTokenIds(MutationContext& context) {
  constexpr std::array<std::string_view, 9> kIds = {
      "tokenizer.ggml.bos_token_id",      "tokenizer.ggml.eos_token_id",
      "tokenizer.ggml.eot_token_id",      "tokenizer.ggml.eom_token_id",
      "tokenizer.ggml.padding_token_id",  "tokenizer.ggml.fim_pre_token_id",
      "tokenizer.ggml.mask_token_id",     "tokenizer.ggml.unknown_token_id",
      "tokenizer.ggml.seperator_token_id"};
  constexpr std::array<std::string_view, 3> kFlags = {"tokenizer.ggml.add_bos_token",
                                                      "tokenizer.ggml.add_eos_token",
                                                      "tokenizer.ggml.add_space_prefix"};
  Random& random = context.random;
  if (random.OneIn(3)) return SetNumber(context, random.Pick(kFlags), random.OneIn(2));
  const std::uint64_t tokens = context.running->Tokens();
  const std::string_view key = random.Pick(kIds);
  return tokens > 0 && SetNumber(context, key, static_cast<std::uint32_t>(random.Below(tokens)));
}

bool ModelType(MutationContext& context) {
  const std::uint32_t type = IdOf(SomeType(context.random).type);
  for (Tensor& tensor : context.draft.tensors) {
    if (tensor.type == IdOf(TensorType::kF32)) tensor.type = type;
  }
  return !context.draft.tensors.empty();
}

bool ModelTypes(MutationContext& context) {
  Random& random = context.random;
  for (Tensor& tensor : context.draft.tensors) {
    if (tensor.type != IdOf(TensorType::kI32) && random.OneIn(4)) {
      tensor.type = IdOf(SomeType(random).type);
    }
  }
  return !context.draft.tensors.empty();
}

bool ModelUnscaled(MutationContext& context) {
  const std::size_t before = context.draft.tensors.size();
  context.draft.tensors.Keep([](const Tensor& tensor) {
    return !tensor.name.ends_with(".scale") && !tensor.name.ends_with(".input_scale");
  });
  return context.draft.tensors.size() < before;
}

}  // namespace ggufgate::mutate
