// Projectors, adapters, control vectors, shards.

#include "corpus/recipes/recipe.h"

namespace ggufgate::corpus {
namespace {

constexpr Verdict kOnlyGate{.gate = false, .llama_cpp = true, .spec = true};
constexpr Verdict kLoadersRefuse{.gate = false, .llama_cpp = false, .spec = true};

// Projector returns the parts of a vision tower that the rules check.
std::function<void(Model&)> Projector(std::function<void(Model&)> edit) {
  return [change = std::move(edit)](Model& m) {
    m.Set("general.architecture", "clip").Set("general.type", "mmproj");
    m.Set("clip.has_vision_encoder", true).Set("clip.projector_type", "mlp");
    m.Set("clip.vision.block_count", std::uint32_t{512});
    m.Set("clip.vision.image_size", std::uint32_t{16'384});
    m.Set("clip.vision.patch_size", std::uint32_t{1});
    m.Set("clip.vision.image_max_pixels", std::uint32_t{1} << 28);
    m.Set("clip.vision.image_mean", std::vector<float>{0.5F, 0.5F, 0.5F});
    m.Set("clip.vision.image_std", std::vector<float>{0.5F, 0.5F, 0.5F});
    m.Set("clip.vision.image_grid_pinpoints", std::vector<std::int32_t>{336, 672});
    change(m);
  };
}

Recipe BadProjector(std::string variant, std::string shows, std::string recipe,
                    std::function<void(Model&)> edit) {
  return FromBase("invalid/projector" + std::move(variant) + ".gguf", std::move(shows), kOnlyGate,
                  {"projector"}, std::move(recipe), Projector(std::move(edit)));
}

Recipes ProjectorRecipes() {
  return {
      FromBase("valid/projector.whole.near-miss.gguf", "a vision tower with all that is allowed",
               kAccept, {},
               "512 layers, edge 16384, patch 1, 2^28 pixels, mean and std of three, one pair",
               Projector([](Model&) {})),
      FromBase(
          "valid/projector.no-type.warned.gguf",
          "no word for the type of the projector, as old converters left it: llama.cpp refuses",
          kAccept, {"projector"}, "no clip.projector_type", Projector([](Model& m) {
            std::erase_if(m.metadata, [](const Model::Entry& entry) {
              return entry.key == "clip.projector_type";
            });
          })),
      FromBase("valid/projector.unknown-type.warned.gguf",
               "a type of projector that llama.cpp does not know: it refuses", kAccept,
               {"projector"}, "clip.projector_type mlp2",
               Projector([](Model& m) { m.Set("clip.projector_type", "mlp2"); })),
      BadProjector(".pinpoints", "three pinpoints: a width without a height",
                   "image_grid_pinpoints of three i32",
                   [](Model& m) {
                     m.Set("clip.vision.image_grid_pinpoints",
                           std::vector<std::int32_t>{336, 672, 336});
                   }),
  };
}

// Adapter returns an adapter with both halves for one tensor, with an edit.
std::function<void(Model&)> Adapter(std::function<void(Model&)> edit) {
  return [change = std::move(edit)](Model& m) {
    m.Set("general.architecture", "llama").Set("general.type", "adapter");
    m.Set("adapter.type", "lora").Set("adapter.lora.alpha", 16.0F);
    m.tensors.clear();
    AddFloats(m, "blk.0.attn_q.weight.lora_a", 8);
    AddFloats(m, "blk.0.attn_q.weight.lora_b", 8).dims = {1, 8};
    change(m);
    m.LayOut();
  };
}

// Halves changes the pair to one for the tensor `base`, with these dimensions.
std::function<void(Model&)> Halves(const std::string& base, std::vector<std::uint64_t> a,
                                   std::vector<std::uint64_t> b) {
  return Adapter([base, dims_a = std::move(a), dims_b = std::move(b)](Model& m) {
    m.tensors.clear();
    const auto add = [&](const std::string& name, const std::vector<std::uint64_t>& dims) {
      std::uint64_t count = 1;
      for (const std::uint64_t dim : dims) count *= dim;
      AddFloats(m, name, count).dims = dims;
    };
    add(base + ".lora_a", dims_a);
    add(base + ".lora_b", dims_b);
  });
}

std::function<void(Model&)> Direction(const std::string& name, std::vector<std::uint64_t> dims) {
  return [name, shape = std::move(dims)](Model& m) {
    m.Set("general.architecture", "controlvector");
    m.tensors.front().name = name;
    m.tensors.front().dims = shape;
  };
}

Recipes AdapterRecipes() {
  return {
      FromBase("invalid/adapter.gguf", "lora_a without lora_b", kLoadersRefuse, {"adapter"},
               "one half of the pair", Adapter([](Model& m) { m.tensors.pop_back(); })),
      FromBase("invalid/adapter.claim.gguf", "lora_a without lora_b, in what says it is a model",
               kLoadersRefuse, {"adapter"}, "one half of the pair, general.type model",
               [](Model& m) {
                 m.Set("general.architecture", "llama").Set("general.type", "model");
                 m.tensors.front().name = "blk.0.attn_q.weight.lora_a";
               }),
      FromBase("valid/adapter.near-miss.gguf", "both halves of a pair, and a norm", kAccept, {},
               "lora_a, lora_b, output_norm.weight",
               Adapter([](Model& m) { AddFloats(m, "output_norm.weight", 8); })),
      FromBase("invalid/adapter.kernel.gguf",
               "a half of I32, with which nothing is multiplied: llama.cpp calls through null",
               kLoadersRefuse, {"adapter"}, "lora_a I32 [8]", Adapter([](Model& m) {
                 m.tensors.front().type_id = static_cast<std::uint32_t>(TensorType::kI32);
               })),
      FromBase("invalid/adapter.dimensions.gguf",
               "halves with a third dimension, for a matrix: llama.cpp aborts", kLoadersRefuse,
               {"adapter"}, "lora_a [4, 1, 2], lora_b [1, 4, 2]",
               Halves("blk.0.attn_q.weight", {4, 1, 2}, {1, 4, 2})),
      FromBase("valid/adapter.experts.near-miss.gguf", "halves with a third dimension, for experts",
               kAccept, {}, "lora_a [4, 1, 2], lora_b [1, 4, 2]",
               Halves("blk.0.ffn_up_exps.weight", {4, 1, 2}, {1, 4, 2})),
      FromBase("invalid/adapter.experts.gguf",
               "halves without a third dimension, for experts: llama.cpp reads past them",
               kLoadersRefuse, {"adapter"}, "lora_a [4, 1], lora_b [1, 4]",
               Halves("blk.0.ffn_up_exps.weight", {4, 1}, {1, 4})),
      FromBase("invalid/adapter.rank.gguf",
               "halves for the tokens, of ranks 2 and 1: llama.cpp aborts", kLoadersRefuse,
               {"adapter"}, "lora_a [2, 4], lora_b [1, 4]",
               Halves("token_embd.weight", {2, 4}, {1, 4})),
      FromBase("valid/adapter.rank.near-miss.gguf",
               "halves for the tokens, both of rank 2, and others for the output", kAccept, {},
               "token_embd and output: lora_a [2, 4] and [4, 2], lora_b [2, 4]",
               Adapter([](Model& m) {
                 m.tensors.clear();
                 for (const char* half : {"a", "b"}) {
                   AddFloats(m, "token_embd.weight.lora_" + std::string(half), 8).dims = {2, 4};
                 }
                 AddFloats(m, "output.weight.lora_a", 8).dims = {4, 2};
                 AddFloats(m, "output.weight.lora_b", 8).dims = {2, 4};
               })),
      FromBase("valid/adapter.tied.warned.gguf",
               "halves for the tokens alone: llama.cpp aborts where the model has no output.weight",
               kAccept, {"adapter"}, "token_embd: lora_a [2, 4], lora_b [2, 4]",
               Halves("token_embd.weight", {2, 4}, {2, 4})),
      FromBase("valid/adapter.rows.warned.gguf",
               "halves for the output of codeshell, which is its embedding where it has no other",
               kAccept, {"adapter"}, "codeshell, output: lora_a [4, 2], lora_b [2, 4]",
               Adapter([](Model& m) {
                 m.Set("general.architecture", "codeshell");
                 m.tensors.clear();
                 AddFloats(m, "output.weight.lora_a", 8).dims = {4, 2};
                 AddFloats(m, "output.weight.lora_b", 8).dims = {2, 4};
               })),
      FromBase("invalid/adapter.rank-zero.gguf", "halves of rank 0: llama.cpp aborts",
               kLoadersRefuse, {"adapter", "tensor-dimension-zero", "tensor-row-empty"},
               "lora_a [4, 0], lora_b [0, 4]", Halves("blk.0.attn_q.weight", {4, 0}, {0, 4})),
      FromBase("valid/adapter.refused.warned.gguf", "another type of adapter: llama.cpp refuses it",
               kAccept, {"adapter"}, "adapter.type dora",
               Adapter([](Model& m) { m.Set("adapter.type", "dora"); })),
      FromBase("invalid/adapter.direction.gguf", "a direction for layer 0", kLoadersRefuse,
               {"adapter"}, "direction.0", Direction("direction.0", {8})),
      FromBase("invalid/adapter.direction-513.gguf", "a direction for layer 513", kLoadersRefuse,
               {"adapter"}, "direction.513", Direction("direction.513", {8})),
      FromBase("invalid/adapter.direction-2d.gguf", "a direction of two dimensions", kLoadersRefuse,
               {"adapter"}, "direction.1 [4, 2]", Direction("direction.1", {4, 2})),
      FromBase("valid/adapter.direction.near-miss.gguf", "a direction for layer 512", kAccept, {},
               "direction.512 [8]", Direction("direction.512", {8})),
  };
}

std::function<void(Model&)> Shard(std::uint16_t number, std::uint16_t count, std::int32_t tensors) {
  return [=](Model& m) {
    m.Set("split.no", number).Set("split.count", count).Set("split.tensors.count", tensors);
  };
}

Recipes ShardRecipes() {
  return {
      FromBase("invalid/shard-fields.gguf", "shard 2 of 2: numbers begin at 0", kLoadersRefuse,
               {"shard-fields"}, "split.no 2, split.count 2", Shard(2, 2, 5)),
      FromBase("invalid/shard-fields.type.gguf", "the number of shards as u32: llama.cpp refuses",
               kLoadersRefuse, {"shard-fields"}, "split.count u32 2",
               [](Model& m) {
                 Shard(0, 2, 5)(m);
                 m.Set("split.count", std::uint32_t{2});
               }),
      FromBase("invalid/shard-fields.negative.gguf", "-1 tensors in all shards", kLoadersRefuse,
               {"shard-fields"}, "split.tensors.count -1", Shard(0, 2, -1)),
      FromBase("valid/shard-fields.near-miss.gguf", "the last of two shards", kAccept, {},
               "split.no 1, split.count 2", Shard(1, 2, 5)),
      FromBase("valid/shard-fields.merged.near-miss.gguf",
               "shards merged again: llama-gguf-split leaves 0 of 0", kAccept, {},
               "split.no 0, split.count 0, split.tensors.count 5", Shard(0, 0, 5)),
      FromBase("invalid/shard-set.gguf",
               "one shard of one, with 1 tensor where the set has 5; llama.cpp does not look",
               kOnlyGate, {"shard-set"}, "split.count 1, split.tensors.count 5", Shard(0, 1, 5)),
      FromBase("invalid/shard-set.more.gguf",
               "the first of two shards has more tensors than both together are said to have",
               kLoadersRefuse, {"shard-set"}, "split.count 2, split.tensors.count 0",
               Shard(0, 2, 0)),
      FromBase("valid/shard-set.near-miss.gguf", "one shard of one, with all tensors", kAccept, {},
               "split.count 1, split.tensors.count 1", Shard(0, 1, 1)),
  };
}

}  // namespace

Recipes SidecarRecipes() {
  Recipes all;
  for (const auto& part : {ProjectorRecipes(), AdapterRecipes(), ShardRecipes()}) {
    all.insert(all.end(), part.begin(), part.end());
  }
  return all;
}

}  // namespace ggufgate::corpus
