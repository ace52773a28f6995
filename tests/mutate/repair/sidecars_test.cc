// Adapters, control vectors, shards and projectors: the last valid value, the first invalid one.

#include "mutate/repair/meaning.h"
#include "tests/mutate/lies/meaning_lines.h"

namespace ggufgate::mutate {
namespace {

class Sidecars : public MeaningLines {
 protected:
  // KeptTensors returns the names of the tensors that survive Repair of a file with these entries.
  std::vector<std::string_view> KeptTensors(const Entries& with) {
    MutationContext& context = Repaired(with, Text("general.name", "x"));
    std::vector<std::string_view> names;
    for (const Tensor& tensor : context.draft.tensors) names.push_back(tensor.name);
    return names;
  }
};

TEST_F(Sidecars, KeepAdaptersWithBothHalves) {
  struct Case {
    std::vector<std::string_view> tensors;
    bool whole;
  };
  for (const Case& halves :
       std::vector<Case>{{{}, true},
                         {{"a.weight"}, true},
                         {{"x.lora_a", "x.lora_b"}, true},
                         {{"x.lora_b", "x.lora_a"}, true},
                         {{"x.lora_a", "y", "y.lora_b", "x.lora_b", "y.lora_a"}, true},
                         {{".lora_a", ".lora_b"}, true},
                         {{"x.lora_a"}, false},
                         {{"x.lora_b"}, false},
                         {{"x.lora_a", "y.lora_b"}, false},
                         {{"x.lora_a", "x.lora_b", "y.lora_a"}, false},
                         {{"x.lora_a", "x.lora_b", ".lora_b"}, false}}) {
    SCOPED_TRACE(::testing::PrintToString(halves.tensors));
    HasNoTensors();
    for (const std::string_view name : halves.tensors) Has(name, {4, 4, 1, 1});
    for (const Entry& entry : {Text("general.type", "adapter"), Text("adapter.type", "lora"),
                               Text("general.type", "model")}) {
      if (halves.whole) {
        ExpectKept({}, entry);
      } else {
        EXPECT_THAT(ErrorsUnrepaired({}, entry), ::testing::Contains("adapter"));
        EXPECT_THAT(KeptTensors({entry}), ::testing::IsEmpty());
      }
    }
  }
}

TEST_F(Sidecars, KeepDirectionsOfLayers) {
  for (const std::string_view sound :
       {"direction.1", "direction.9", "direction.10", "direction.512",
        "direction."
        "31"}) {
    HasNoTensors();
    Has(sound);
    EXPECT_THAT(KeptTensors({}), ::testing::ElementsAre(sound));
    EXPECT_THAT(KeptTensors({Architecture("controlvector")}), ::testing::ElementsAre(sound));
  }
  for (const std::string_view unsound :
       {"direction.0", "direction.513", "direction.", "direction.x", "direction.-1", "direction.1x",
        "direction.1000", "direction.99999999999999999999"}) {
    HasNoTensors();
    Has(unsound);
    EXPECT_THAT(KeptTensors({}), ::testing::IsEmpty()) << unsound;
    EXPECT_THAT(KeptTensors({Architecture("controlvector")}), ::testing::IsEmpty()) << unsound;
    EXPECT_THAT(KeptTensors({Architecture("llama")}), ::testing::IsEmpty()) << unsound;
  }
}

TEST_F(Sidecars, KeepDirectionsThatAreRowsOfF32) {
  Has("direction.1", {8, 1, 1, 1});
  Has("direction.2", {8, 2, 1, 1});
  Has("direction.3", {8, 1, 2, 1});
  Has("direction.4", {8, 1, 1, 2});
  Has("direction.5", {8, 1, 1, 1}, TensorType::kF16);
  Has("directions", {8, 2, 1, 1}, TensorType::kF16);
  EXPECT_THAT(KeptTensors({}), ::testing::ElementsAre("direction.1", "directions"));
}

TEST_F(Sidecars, KeepShardsThatAreAmongTheirNumber) {
  const auto number = [&](std::uint16_t value) { return Number("split.no", value); };
  const auto count = [&](std::uint16_t value) { return Number("split.count", value); };
  ExpectKept({count(3)}, number(2));
  ExpectDropped({count(3)}, number(3));
  ExpectKept({count(1)}, number(0));
  ExpectDropped({count(1)}, number(1));
  ExpectKept({count(0)}, number(7));  // a merged file
  ExpectKept({}, number(7));
  ExpectDropped({count(3)}, U32("split.no", 0));
}

TEST_F(Sidecars, KeepNumbersOfTensorsThatAreEnough) {
  const auto all = [&](std::int32_t value) { return Number("split.tensors.count", value); };
  const Entries one = {Number<std::uint16_t>("split.count", 1),
                       Number<std::uint16_t>("split.no", 0)};
  const Entries two = {Number<std::uint16_t>("split.count", 2),
                       Number<std::uint16_t>("split.no", 0)};
  Has("a");
  Has("b");
  ExpectKept(one, all(2));
  ExpectDropped(one, all(1));
  ExpectDropped(one, all(3));
  ExpectKept(two, all(2));
  ExpectKept(two, all(3));
  ExpectDropped(two, all(1));
  ExpectDropped(two, all(-1));
  ExpectKept({}, all(1));  // has no meaning without the number of shards
}

TEST_F(Sidecars, KeepProjectorsWithinBounds) {
  struct Bound {
    std::string_view key;
    std::uint32_t least, most;
  };
  constexpr std::uint32_t kNoBound = UINT32_MAX;
  for (const Bound& bound :
       {Bound{"clip.vision.block_count", 0, 512}, Bound{"clip.audio.block_count", 0, 512},
        Bound{"clip.vision.patch_size", 1, kNoBound}, Bound{"clip.vision.image_size", 0, 1 << 14},
        Bound{"clip.vision.preproc_image_size", 0, 1 << 14},
        Bound{"clip.vision.image_min_pixels", 0, 1 << 28},
        Bound{"clip.vision.image_max_pixels", 0, 1 << 28}}) {
    const Entry clip = Architecture("clip");
    ExpectKept({clip}, U32(bound.key, bound.least));
    ExpectKept({clip}, U32(bound.key, bound.most));
    if (bound.least > 0) ExpectDropped({clip}, U32(bound.key, bound.least - 1));
    if (bound.most < kNoBound) ExpectDropped({clip}, U32(bound.key, bound.most + 1));
  }
}

TEST_F(Sidecars, KeepColoursAndGridsOfTheRightLength) {
  const Entry clip = Architecture("clip");
  for (const std::string_view key : {"clip.vision.image_mean", "clip.vision.image_std"}) {
    ExpectKept({clip}, Numbers(key, std::vector<float>(3, 0.5F)));
    ExpectDropped({clip}, Numbers(key, std::vector<float>(2, 0.5F)));
    ExpectDropped({clip}, Numbers(key, std::vector<float>(4, 0.5F)));
  }
  constexpr std::string_view kGrid = "clip.vision.image_grid_pinpoints";
  ExpectKept({clip}, Numbers<std::int32_t>(kGrid, {1, 2, 3, 4}));
  ExpectDropped({clip}, Numbers<std::int32_t>(kGrid, {1, 2, 3}));
}

}  // namespace
}  // namespace ggufgate::mutate
