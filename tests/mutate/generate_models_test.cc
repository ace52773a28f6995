// The personas of generated files: each holds what its name says, in every room, and is sound.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "format/architecture.h"
#include "mutate/compose.h"
#include "mutate/generate_parts.h"
#include "mutate/known_key.h"
#include "mutate/repair.h"
#include "tests/mutate/seed_files.h"
#include "tests/mutate/workshop.h"

namespace ggufgate::mutate {
namespace {

using testing::IsEmpty;

struct Persona {
  std::string_view name;
  void (*generate)(Bench& bench);
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
        Bench& bench = workshop.Fresh();
        persona.generate(bench);
        Repair(bench);
        ASSERT_TRUE(bench.Write()) << persona.name << room;
        ASSERT_THAT(ErrorsIn(bench.bytes()), IsEmpty()) << persona.name << room;
        ASSERT_TRUE(room > 24 || bench.draft.entries.empty());
      }
    }
  }
}

// Made is called for many files of a persona, before Repair sees them.
template <typename Made>
void ForMany(void (*generate)(Bench& bench), Made made) {
  Workshop workshop(7, std::size_t{1} << 14);
  for (std::uint64_t i = 0; i < Rounds(1000); ++i) {
    Bench& bench = workshop.Fresh();
    generate(bench);
    made(bench);
    if (testing::Test::HasFatalFailure()) return;
  }
}

std::uint64_t NumberOf(Draft& draft, const std::string& key) {
  const Entry* const entry = draft.Find(key);
  return entry == nullptr ? 0 : UnsignedOf(*entry).value_or(0);
}

TEST(GenerateModels, HaveHeadsLayersAndWidth) {
  std::map<std::string, int> architectures;
  ForMany(GenerateModel, [&](Bench& bench) {
    const Entry* const entry = bench.draft.Find(kArchitectureKey);
    ASSERT_NE(entry, nullptr);
    const std::string name(*TextOf(*entry));
    ++architectures[name];
    EXPECT_TRUE(name == "test" || FindArchitecture(name) != nullptr) << name;
    const std::uint64_t layers = NumberOf(bench.draft, name + ".block_count");
    const std::uint64_t heads = NumberOf(bench.draft, name + ".attention.head_count");
    EXPECT_TRUE(layers >= 1 && layers <= 3) << layers;
    ASSERT_TRUE(heads >= 1 && heads <= 4) << heads;
    EXPECT_EQ(NumberOf(bench.draft, name + ".embedding_length") % heads, 0u);
    EXPECT_LE(bench.draft.tensors.size(), layers);
  });
  EXPECT_GT(architectures["llama"], 0);
  EXPECT_GT(architectures.size(), 10u);
}

TEST(GenerateModels, AdaptersHaveBothHalvesOfTheSameRank) {
  ForMany(GenerateAdapter, [](Bench& bench) {
    const Table<Tensor>& tensors = bench.draft.tensors;
    ASSERT_TRUE(tensors.size() == 2 || tensors.size() == 4);
    for (std::size_t i = 0; i < tensors.size(); i += 2) {
      const Tensor& a = tensors[i];
      const Tensor& b = tensors[i + 1];
      EXPECT_TRUE(a.name.ends_with(".lora_a") && b.name.ends_with(".lora_b")) << a.name;
      EXPECT_EQ(a.name.substr(0, a.name.size() - 1), b.name.substr(0, b.name.size() - 1));
      EXPECT_EQ(a.dims[1], b.dims[0]);
    }
    Repair(bench);
    EXPECT_EQ(TextOf(*bench.draft.Find("general.type")), "adapter");
    EXPECT_EQ(TextOf(*bench.draft.Find("adapter.type")), "lora");
    EXPECT_NE(bench.draft.Find("adapter.lora.alpha"), nullptr);
  });
}

TEST(GenerateModels, ControlVectorsKeepAllTheirDirections) {
  int named = 0;
  ForMany(GenerateControlVector, [&](Bench& bench) {
    const std::size_t count = bench.draft.tensors.size();
    ASSERT_TRUE(count >= 1 && count <= 3);
    Repair(bench);
    EXPECT_EQ(bench.draft.tensors.size(), count);
    for (const Tensor& tensor : bench.draft.tensors) {
      EXPECT_TRUE(tensor.name.starts_with("direction."));
    }
    if (bench.draft.Find(kArchitectureKey) != nullptr) ++named;
  });
  EXPECT_GT(named, 0);
  EXPECT_LT(named, static_cast<int>(Rounds(1000)));
}

TEST(GenerateModels, ProjectorsSayThatTheySee) {
  std::map<std::string, int> keys;
  ForMany(GenerateProjector, [&](Bench& bench) {
    Repair(bench);
    EXPECT_EQ(TextOf(*bench.draft.Find(kArchitectureKey)), "clip");
    EXPECT_EQ(TextOf(*bench.draft.Find("general.type")), "mmproj");
    EXPECT_NE(bench.draft.Find("clip.has_vision_encoder"), nullptr);
    ASSERT_EQ(bench.draft.tensors.size(), 1u);
    EXPECT_EQ(bench.draft.tensors[0].name, "v.patch_embd.weight");
    for (const Entry& entry : bench.draft.entries) ++keys[std::string(entry.key)];
  });
  if (Rounds(1000) == 1000) {
    EXPECT_GT(keys.size(), 15u);  // most that there are
  }
}

TEST(GenerateModels, ShardsAreAmongTheirNumber) {
  int whole = 0;
  ForMany(GenerateShard, [&](Bench& bench) {
    const std::uint64_t count = NumberOf(bench.draft, "split.count");
    EXPECT_LT(count, 4u);
    EXPECT_LT(NumberOf(bench.draft, "split.no"), std::max<std::uint64_t>(count, 1));
    Repair(bench);
    EXPECT_NE(bench.draft.Find("split.no"), nullptr);
    EXPECT_NE(bench.draft.Find("split.count"), nullptr);
    if (bench.draft.Find("split.tensors.count") != nullptr) ++whole;
  });
  EXPECT_GT(whole, 0);
}

// A value of every known key has the shape that the key must have.
TEST(GenerateModels, KnownValuesHaveTheirShapes) {
  Workshop workshop(9);
  for (std::size_t id = 0; id < kKnownKeys.size(); ++id) {
    for (std::uint64_t count = 0; count < 20; ++count) {
      Bench& bench = workshop.Fresh();
      AddKnownValue(bench, id, "llama", count);
      ASSERT_EQ(bench.draft.entries.size(), 1u) << kKnownKeys[id].name;
      const Entry& entry = bench.draft.entries[0];
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
