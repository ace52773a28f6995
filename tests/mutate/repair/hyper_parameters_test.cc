// Hyper-parameters: for each condition, the last valid value and the first invalid one.

#include "format/architecture.h"
#include "format/loader_limits.h"
#include "mutate/build/known_key.h"
#include "mutate/examples/examples.h"
#include "mutate/lies/lie_context.h"
#include "mutate/repair/meaning.h"
#include "tests/mutate/lies/meaning_lines.h"

namespace ggufgate::mutate {
namespace {

class HyperParameters : public MeaningLines {
 protected:
  const Entry llama_ = Architecture("llama");
  const Entry layers_ = U32("llama.block_count", 3);

  static std::string KeyOf(const KnownKey& key) {
    return (key.of_architecture ? "llama." : "") + std::string(key.name);
  }
  // Ones returns a valid array for a key with one element per layer.
  Entry Ones(const KnownKey& key, std::string_view name, std::uint64_t count) {
    switch (key.shape) {
      case KeyShape::kLayerFloats:
        return Numbers(name, std::vector<float>(count, 1.0F));
      case KeyShape::kLayerBools:
        return Numbers(name, std::vector<bool>(count, true));
      default:
        return Numbers(name, std::vector<std::uint32_t>(count, 1));
    }
  }
};

TEST_F(HyperParameters, StayWithinTheLimitsOfTheLoader) {
  ExpectDropped({llama_}, U32("llama.block_count", 0));
  ExpectKept({llama_}, U32("llama.block_count", 1));
  ExpectKept({llama_}, Number<std::uint64_t>("llama.block_count", 512));
  ExpectDropped({llama_}, Number<std::uint64_t>("llama.block_count", 513));
  ExpectDropped({llama_}, Number<std::int64_t>("llama.block_count", -1));
  ExpectDropped({llama_}, Text("llama.block_count", "1"));
  ExpectKept({llama_}, U32("llama.expert_count", 1024));
  ExpectDropped({llama_}, U32("llama.expert_count", 1025));
  ExpectKept({llama_}, Numbers<std::int32_t>("llama.rope.dimension_sections", {1, 1, 1, 1}));
  ExpectDropped({llama_}, Numbers<std::int32_t>("llama.rope.dimension_sections", {1, 1, 1, 1, 1}));
}

TEST_F(HyperParameters, HaveHeadsThatDivideTheWidth) {
  constexpr std::string_view kHeads = "llama.attention.head_count";
  const Entry width = U32("llama.embedding_length", 12);
  ExpectKept({llama_}, U32(kHeads, 1));
  ExpectDropped({llama_}, U32(kHeads, 0));
  ExpectKept({llama_, width}, U32(kHeads, 12));
  ExpectDropped({llama_, width}, U32(kHeads, 13));
  ExpectDropped({llama_, width}, U32(kHeads, 5));
  ExpectDropped({llama_, width}, Number<std::int32_t>(kHeads, -1));
  // If the file states the width of a head, no division is needed.
  ExpectKept({llama_, width, U32("llama.attention.key_length", 4)}, U32(kHeads, 5));
  // Heads per layer are not compared with the width, but there must be one number per layer.
  ExpectKept({llama_, layers_, width}, Numbers<std::uint32_t>(kHeads, {5, 0, 13}));
}

TEST_F(HyperParameters, HaveHeadsWhereEveryLayerAttends) {
  for (const ArchitectureInfo& info : AllArchitectures()) {
    if (DividesByHeads(info.name)) continue;  // these require them
    const Entry architecture = Architecture(info.name);
    for (const std::string_view name : {".attention.head_count", ".attention.head_count_kv"}) {
      const std::string key = std::string(info.name) + std::string(name);
      EXPECT_EQ(Keeps({architecture}, U32(key, 0)), !info.attention) << key;
      EXPECT_TRUE(Keeps({architecture}, U32(key, 1))) << key;
    }
  }
}

TEST_F(HyperParameters, AreNotZeroWhereTheyAreDividedBy) {
  int divisors = 0;
  for (const ArchitectureInfo& info : AllArchitectures()) {
    const Entry architecture = Architecture(info.name);
    std::string names(info.divisors);
    std::ranges::replace(names, ' ', '\0');
    for (std::size_t at = 0; at < names.size();) {
      const std::string_view name(names.c_str() + at);
      const std::string key = std::string(info.name) + "." + std::string(name);
      ExpectDropped({architecture}, U32(key, 0));
      ExpectKept({architecture}, U32(key, 1));
      at += name.size() + 1;
      ++divisors;
    }
  }
  EXPECT_GT(divisors, 5);
  // The same key for an architecture that does not divide by it.
  ExpectKept({llama_}, U32("llama.ssm.group_count", 0));
}

TEST_F(HyperParameters, HaveAnElementForEachLayer) {
  int keys = 0;
  for (const KnownKey& key : kKnownKeys) {
    if (!IsPerLayer(key.shape)) continue;
    const std::string name = KeyOf(key);
    ExpectKept({llama_, layers_}, Ones(key, name, 3));
    ExpectDropped({llama_, layers_}, Ones(key, name, 2));
    ExpectDropped({llama_, layers_}, Ones(key, name, 4));
    ExpectDropped({llama_, layers_}, Ones(key, name, 0));
    // Without a number of layers, the limit is the loader's maximum.
    ExpectKept({llama_}, Ones(key, name, kMostLayers));
    ExpectDropped({llama_}, Ones(key, name, kMostLayers + 1));
    ++keys;
  }
  EXPECT_GT(keys, 5);
}

TEST_F(HyperParameters, MayLeaveOutLayersThatOnlyPredict) {
  constexpr std::string_view kKey = "llama.attention.sliding_window_pattern";
  const auto lengths = [&](std::size_t count) {
    return Numbers(kKey, std::vector<std::uint32_t>(count, 1));
  };
  const Entry two = U32("llama.nextn_predict_layers", 2);
  ExpectKept({llama_, layers_, two}, lengths(1));
  ExpectKept({llama_, layers_, two}, lengths(3));
  ExpectDropped({llama_, layers_, two}, lengths(2));
  const auto widths = [&](std::size_t count) {
    return Numbers("llama.feed_forward_length", std::vector<std::uint32_t>(count, 7));
  };
  ExpectKept({llama_, layers_, two}, widths(3));
  ExpectDropped({llama_, layers_, two}, widths(1));
  const Entry all = U32("llama.nextn_predict_layers", 3);
  ExpectDroppedToBeSure({llama_, layers_, all}, lengths(0));
}

TEST_F(HyperParameters, LeaveALayerThatDoesMoreThanPredict) {
  const Entries read_on = {llama_, layers_, U32("llama.context_length", 16),
                           U32("llama.embedding_length", 12), U32("llama.attention.head_count", 2)};
  ExpectKept(read_on, U32("llama.nextn_predict_layers", 2));
  ExpectDroppedToBeSure(read_on, U32("llama.nextn_predict_layers", 3));
}

// Without a context length, a loader refuses the model before it runs it.
TEST_F(HyperParameters, HaveAContextWhereTheirHeadsArePlain) {
  const Entry context = U32("llama.context_length", 16);
  const auto with = [&](const Entries& more) {
    Entries entries = {llama_, layers_, U32("llama.embedding_length", 24)};
    entries.insert(entries.end(), more.begin(), more.end());
    return entries;
  };
  const Entry heads = U32("llama.attention.head_count", 4);
  ExpectKept(with({heads}), context);
  ExpectDroppedToBeSure(with({}), context);
  ExpectKept(with({heads, U32("llama.attention.head_count_kv", 2)}), context);
  ExpectDroppedToBeSure(with({heads, U32("llama.attention.head_count_kv", 3)}), context);
  const Entry keys = U32("llama.attention.key_length", 8);
  ExpectKept(with({heads, keys, U32("llama.attention.value_length", 8)}), context);
  ExpectDroppedToBeSure(with({heads, keys}), context);
  ExpectKept(with({heads, U32("llama.rope.dimension_count", 4)}), context);
  ExpectDroppedToBeSure(with({heads, U32("llama.rope.dimension_count", 3)}), context);
}

TEST_F(HyperParameters, UseExpertsThatAreThere) {
  constexpr std::string_view kUsed = "llama.expert_used_count";
  const Entry eight = U32("llama.expert_count", 8);
  ExpectKept({llama_, eight}, U32(kUsed, 8));
  ExpectDropped({llama_, eight}, U32(kUsed, 9));
  ExpectKept({llama_, eight}, U32(kUsed, 1));
  ExpectDropped({llama_, eight}, U32(kUsed, 0));
  ExpectDroppedToBeSure({llama_, eight}, Number<std::int32_t>(kUsed, -1));
  const Entry none = U32("llama.expert_count", 0);
  ExpectKept({llama_, none}, U32(kUsed, 0));
  ExpectDropped({llama_, none}, U32(kUsed, 1));
  ExpectKept({llama_}, U32(kUsed, 9));
}

TEST_F(HyperParameters, UseExpertsThatAreThereInEveryLayer) {
  constexpr std::string_view kUsed = "llama.expert_used_count";
  const Entries with = {llama_, layers_, U32("llama.expert_count", 8)};
  ExpectKept(with, Numbers<std::uint32_t>(kUsed, {8, 0, 1}));
  ExpectDropped(with, Numbers<std::uint32_t>(kUsed, {1, 9, 1}));
  ExpectKept(with, Numbers<std::int8_t>(kUsed, {2, 0, 2}));
  ExpectDroppedToBeSure(with, Numbers<std::int8_t>(kUsed, {2, -1, 2}));
  ExpectDropped(with, Numbers<std::uint64_t>(kUsed, {1, 1, std::uint64_t{1} << 40}));
}

#ifdef NDEBUG
constexpr std::size_t kEachKey = 1;
#else  // at least ten times slower: one key in seven
constexpr std::size_t kEachKey = 7;
#endif

// HasOneGoodValue returns whether an example keeps only one value of a key.
bool HasOneGoodValue(const KnownKey& key) {
  const std::string pattern =
      (key.of_architecture ? std::string(kArchitecturePattern) : "") + std::string(key.name);
  return std::ranges::any_of(kExamples, [&](const Example& example) {
    return example.IsError() && example.kept == Kept::kGood && example.bad.name == pattern;
  });
}

// For every key, a value of every type: Repair keeps those that the gate accepts.
TEST_F(HyperParameters, AreOfTheTypesThatTheGateAccepts) {
  constexpr std::array kTypes = {ValueType::kU8,  ValueType::kI8,   ValueType::kU16,
                                 ValueType::kI16, ValueType::kU32,  ValueType::kI32,
                                 ValueType::kF32, ValueType::kU64,  ValueType::kI64,
                                 ValueType::kF64, ValueType::kBool, ValueType::kString};
  std::size_t kept = 0;
  std::size_t dropped = 0;
  for (const KnownKey& key : kKnownKeys) {
    if (key.name == kArchitectureKey || HasOneGoodValue(key)) continue;
    // Here the gate only warns.
    if (key.name.ends_with("charsmap") || key.name.ends_with("token_type_count")) continue;
    const std::string name = KeyOf(key);
    if (name.size() % kEachKey != 0) continue;
    for (const ValueType type : kTypes) {
      Workshop values(1);
      MutationContext& context = values.Fresh();
      for (const Entry& entry :
           {PlainEntry(context, name, type), PlainArray(context, name, type, 3)}) {
        ++(Keeps({llama_}, entry) ? kept : dropped);
      }
    }
  }
  EXPECT_GT(kept, 300 / kEachKey);
  EXPECT_GT(dropped, 1000 / kEachKey);
}

}  // namespace
}  // namespace ggufgate::mutate
