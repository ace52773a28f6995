// The kinds of generated files: each has the contents of its name, fits into any room, and is
// valid.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "format/architecture.h"
#include "mutate/build/entry_value.h"
#include "mutate/build/known_key.h"
#include "mutate/generate/parts.h"
#include "mutate/repair/repair.h"
#include "tests/mutate/seed_files.h"
#include "tests/mutate/workshop.h"

namespace ggufgate::mutate {
namespace {

using ::testing::IsEmpty;

struct Persona {
  std::string_view name;
  void (*generate)(MutationContext& context);
};
constexpr std::array kPersonas = {
    Persona{"model", GenerateModel}, Persona{"adapter", GenerateAdapter},
    Persona{"control vector", GenerateControlVector}, Persona{"projector", GenerateProjector},
    Persona{"shard", GenerateShard}};

TEST(GenerateModels, AreAcceptedInEveryRoom) {
  for (const Persona& persona : kPersonas) {
    for (const std::size_t room : {24u, 100u, 300u, 1000u, 1u << 14}) {
      Workshop workshop(room, room);
      for (std::uint64_t i = 0; i < Rounds(300); ++i) {
        MutationContext& context = workshop.Fresh();
        persona.generate(context);
        Repair(context);
        ASSERT_TRUE(context.Write()) << persona.name << room;
        ASSERT_THAT(ErrorsIn(context.bytes()), IsEmpty()) << persona.name << room;
        ASSERT_TRUE(room > 24 || context.draft.entries.empty());
      }
    }
  }
}

// Calls `made` for many files of a kind, before Repair.
template <typename Made>
void ForMany(void (*generate)(MutationContext& context), Made made) {
  Workshop workshop(7, std::size_t{1} << 14);
  for (std::uint64_t i = 0; i < Rounds(1000); ++i) {
    MutationContext& context = workshop.Fresh();
    generate(context);
    made(context);
    if (::testing::Test::HasFatalFailure()) return;
  }
}

std::uint64_t NumberOf(Draft& draft, const std::string& key) {
  const Entry* const entry = draft.Find(key);
  return entry == nullptr ? 0 : UnsignedOf(*entry).value_or(0);
}

TEST(GenerateModels, HaveHeadsLayersAndWidth) {
  std::map<std::string, int> architectures;
  ForMany(GenerateModel, [&](MutationContext& context) {
    const Entry* const entry = context.draft.Find(kArchitectureKey);
    ASSERT_NE(entry, nullptr);
    const std::string name(*TextOf(*entry));
    ++architectures[name];
    EXPECT_TRUE(name == "test" || FindArchitecture(name) != nullptr) << name;
    const std::uint64_t layers = NumberOf(context.draft, name + ".block_count");
    const std::uint64_t heads = NumberOf(context.draft, name + ".attention.head_count");
    EXPECT_TRUE(layers >= 1 && layers <= 3) << layers;
    ASSERT_TRUE(heads >= 1 && heads <= 4) << heads;
    EXPECT_EQ(NumberOf(context.draft, name + ".embedding_length") % heads, 0u);
    EXPECT_LE(context.draft.tensors.size(), layers);
  });
  EXPECT_GT(architectures["llama"], 0);
  EXPECT_GT(architectures.size(), Rounds(1000) < 100 ? 5u : 10u);
}

TEST(GenerateModels, AdaptersHaveBothHalvesOfTheSameRank) {
  ForMany(GenerateAdapter, [](MutationContext& context) {
    const FixedVector<Tensor>& tensors = context.draft.tensors;
    ASSERT_TRUE(tensors.size() == 2 || tensors.size() == 4);
    for (std::size_t i = 0; i < tensors.size(); i += 2) {
      const Tensor& a = tensors[i];
      const Tensor& b = tensors[i + 1];
      EXPECT_TRUE(a.name.ends_with(".lora_a") && b.name.ends_with(".lora_b")) << a.name;
      EXPECT_EQ(a.name.substr(0, a.name.size() - 1), b.name.substr(0, b.name.size() - 1));
      EXPECT_EQ(a.dims[1], b.dims[0]);
    }
    Repair(context);
    EXPECT_EQ(TextOf(*context.draft.Find("general.type")), "adapter");
    EXPECT_EQ(TextOf(*context.draft.Find("adapter.type")), "lora");
    EXPECT_NE(context.draft.Find("adapter.lora.alpha"), nullptr);
  });
}

TEST(GenerateModels, ControlVectorsKeepAllTheirDirections) {
  int named = 0;
  ForMany(GenerateControlVector, [&](MutationContext& context) {
    const std::size_t count = context.draft.tensors.size();
    ASSERT_TRUE(count >= 1 && count <= 3);
    Repair(context);
    EXPECT_EQ(context.draft.tensors.size(), count);
    for (const Tensor& tensor : context.draft.tensors) {
      EXPECT_TRUE(tensor.name.starts_with("direction."));
    }
    if (context.draft.Find(kArchitectureKey) != nullptr) ++named;
  });
  EXPECT_GT(named, 0);
  EXPECT_LT(named, static_cast<int>(Rounds(1000)));
}

TEST(GenerateModels, ProjectorsSayThatTheySee) {
  std::map<std::string, int> keys;
  ForMany(GenerateProjector, [&](MutationContext& context) {
    Repair(context);
    EXPECT_EQ(TextOf(*context.draft.Find(kArchitectureKey)), "clip");
    EXPECT_EQ(TextOf(*context.draft.Find("general.type")), "mmproj");
    EXPECT_NE(context.draft.Find("clip.has_vision_encoder"), nullptr);
    ASSERT_EQ(context.draft.tensors.size(), 1u);
    EXPECT_EQ(context.draft.tensors[0].name, "v.patch_embd.weight");
    for (const Entry& entry : context.draft.entries) ++keys[std::string(entry.key)];
  });
  if (Rounds(1000) == 1000) {
    EXPECT_GT(keys.size(), 15u);  // most known keys
  }
}

TEST(GenerateModels, ShardsAreAmongTheirNumber) {
  int whole = 0;
  ForMany(GenerateShard, [&](MutationContext& context) {
    const std::uint64_t count = NumberOf(context.draft, "split.count");
    EXPECT_LT(count, 4u);
    EXPECT_LT(NumberOf(context.draft, "split.no"), std::max<std::uint64_t>(count, 1));
    Repair(context);
    EXPECT_NE(context.draft.Find("split.no"), nullptr);
    EXPECT_NE(context.draft.Find("split.count"), nullptr);
    if (context.draft.Find("split.tensors.count") != nullptr) ++whole;
  });
  EXPECT_GT(whole, 0);
}

// A value of a known key must have its required shape.
TEST(GenerateModels, KnownValuesHaveTheirShapes) {
  Workshop workshop(9);
  for (std::size_t id = 0; id < kKnownKeys.size(); ++id) {
    for (std::uint64_t count = 0; count < 20; ++count) {
      MutationContext& context = workshop.Fresh();
      AddKnownValue(context, id, "llama", count);
      ASSERT_EQ(context.draft.entries.size(), 1u) << kKnownKeys[id].name;
      const Entry& entry = context.draft.entries[0];
      EXPECT_EQ(FindKeyId(entry.key, "llama"), id) << entry.key;
      EXPECT_TRUE(HasShape(entry, kKnownKeys[id].shape)) << entry.key;
      if (Is(entry, ValueType::kArray)) {
        EXPECT_EQ(CountOf(entry), count) << entry.key;
      }
    }
  }
}

}  // namespace
}  // namespace ggufgate::mutate
