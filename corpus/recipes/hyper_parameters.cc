// Keys of architectures.

#include <limits>

#include "corpus/recipes/recipe.h"

namespace ggufgate::corpus {
namespace {

constexpr Verdict kLoadersRefuse{.gate = false, .llama_cpp = false, .spec = true};

// Tiny returns the parts of a model of two layers that the rules check, without most of its
// tensors.
Model Tiny(const std::string& architecture = "llama") {
  Model model = TwoLayers(architecture);
  AddFloats(model, "blk.0.attn_norm.weight", 8);
  AddFloats(model, "blk.1.attn_norm.weight", 8);
  return model;
}

Recipe Llama(std::string file, std::string shows, Verdict verdict, std::vector<std::string> rules,
             std::string recipe, const std::function<void(Model&)>& edit) {
  return FromModel(Tiny(), std::move(file), std::move(shows), verdict, std::move(rules),
                   std::move(recipe), edit);
}

std::function<void(Model&)> Set(const std::string& key, std::uint32_t value) {
  return [key, value](Model& m) { m.Set(key, value); };
}

std::function<void(Model&)> SetArray(const std::string& key,
                                     const std::vector<std::uint32_t>& values) {
  return [key, values](Model& m) { m.Set(key, values); };
}

Recipes ArchitectureRecipes() {
  return {
      FromModel(Base(), "valid/architecture-missing.warned.gguf",
                "no architecture, as image models have none: reported; llama.cpp refuses the model",
                kAccept, {"architecture-missing"}, "general.name for general.architecture",
                [](Model& m) {
                  m.metadata.clear();
                  m.Set("general.name", "nobody knows what");
                }),
      FromModel(Base(), "valid/architecture-missing.near-miss.gguf",
                "the second of two shards: the first has the metadata", kAccept, {},
                "split.no 1, split.count 2, split.tensors.count 2",
                [](Model& m) {
                  m.metadata.clear();
                  m.Set("split.no", std::uint16_t{1}).Set("split.count", std::uint16_t{2});
                  m.Set("split.tensors.count", std::int32_t{2});
                }),
      FromModel(Base(), "valid/architecture-missing.imatrix.near-miss.gguf",
                "an importance matrix: it has no tensor of a model", kAccept, {},
                "weight.in_sum2, weight.counts, no architecture",
                [](Model& m) {
                  m.metadata.clear();
                  m.Set("general.type", "imatrix");
                  m.tensors.front().name = "weight.in_sum2";
                  AddFloats(m, "weight.counts", 1);
                }),
      FromModel(Base(), "valid/architecture-missing.claim.warned.gguf",
                "a weight in a file that says it is an importance matrix", kAccept,
                {"architecture-missing"}, "general.type imatrix, no architecture",
                [](Model& m) {
                  m.metadata.clear();
                  m.Set("general.type", "imatrix");
                }),
      FromModel(Base(), "valid/architecture-unknown.warned.gguf",
                "an architecture the table does not have: llama.cpp refuses it",
                kOnlyLlamaCppRejects, {"architecture-unknown"}, "architecture `newest`",
                [](Model& m) { m.Set("general.architecture", "newest"); }),
      FromModel(Base(), "valid/architecture-unknown.never-ran.warned.gguf",
                "one that llama.cpp knows, and no model of it ran", kOnlyLlamaCppRejects,
                {"architecture-unknown"}, "architecture `chameleon`",
                [](Model& m) { m.Set("general.architecture", "chameleon"); }),
      Llama("valid/architecture-unknown.near-miss.gguf", "llama, which the table has", kAccept, {},
            "a tiny llama", [](Model&) {}),
      Llama("invalid/hyperparameter-type.gguf", "block_count as a string", kReject,
            {"hyperparameter-type"}, "llama.block_count string 2",
            [](Model& m) { m.Set("llama.block_count", "2"); }),
      Llama("invalid/hyperparameter-type.architecture.gguf", "the architecture as a number",
            kReject, {"hyperparameter-type"}, "general.architecture u32 5",
            [](Model& m) { m.Set("general.architecture", std::uint32_t{5}); }),
      Llama("invalid/hyperparameter-type.heads.gguf", "head counts as an array of strings", kReject,
            {"hyperparameter-type"}, "llama.attention.head_count [\"2\", \"2\"]",
            [](Model& m) {
              m.Set("llama.attention.head_count", std::vector<std::string>{"2", "2"});
            }),
      Llama("valid/hyperparameter-type.near-miss.gguf",
            "counts as u64 and as an array of i32: integers all of them", kAccept, {},
            "llama.block_count u64, llama.attention.head_count_kv [i32]",
            [](Model& m) {
              m.Set("llama.block_count", std::uint64_t{2});
              m.Set("llama.attention.head_count_kv", std::vector<std::int32_t>{1, 1});
            }),
  };
}

Recipes CountRecipes() {
  const std::string layers = "llama.block_count";
  const std::string heads = "llama.attention.head_count";
  return {
      Llama("invalid/block-count.gguf", "513 layers, one more than llama.cpp has room for",
            kLoadersRefuse, {"block-count"}, "llama.block_count 513", Set(layers, 513)),
      Llama("invalid/block-count.0.gguf", "no layers", kLoadersRefuse, {"block-count"},
            "llama.block_count 0", Set(layers, 0)),
      Llama("valid/block-count.near-miss.gguf", "512 layers in a file of metadata only", kAccept,
            {}, "llama.block_count 512, no tensors",
            [&](Model& m) {
              m.tensors.clear();
              m.Set(layers, std::uint32_t{512});
            }),
      Llama("invalid/head-count.gguf", "no heads in an architecture that attends", kLoadersRefuse,
            {"head-count"}, "llama.attention.head_count 0", Set(heads, 0)),
      Llama("invalid/head-count.uneven.gguf", "a width of 8 in 3 heads", kLoadersRefuse,
            {"head-count"}, "llama.attention.head_count 3", Set(heads, 3)),
      Llama("valid/head-count.near-miss.gguf", "a width of 8, 3 heads, each said to be 4 wide",
            kAccept, {}, "head_count 3, key_length 4",
            [&](Model& m) {
              m.Set(heads, std::uint32_t{3});
              m.Set("llama.attention.key_length", std::uint32_t{4});
            }),
      FromModel(Tiny("mamba"), "valid/head-count.mamba.near-miss.gguf",
                "Mamba has no heads and says so", kAccept, {}, "mamba.attention.head_count 0",
                Set("mamba.attention.head_count", 0)),
      FromModel(Tiny("jamba"), "valid/head-count.array.near-miss.gguf",
                "a model that attends in its second layer only", kAccept, {},
                "jamba.attention.head_count [0, 2], ssm.inner_size 16",
                [](Model& m) {
                  m.Set("jamba.attention.head_count", std::vector<std::uint32_t>{0, 2});
                  m.Set("jamba.ssm.inner_size", std::uint32_t{16});
                }),
      Llama("invalid/embedding-length.gguf", "layers without a width", kLoadersRefuse,
            {"embedding-length"}, "llama.embedding_length 0, no tensors",
            [](Model& m) {
              m.tensors.clear();
              m.Set("llama.embedding_length", std::uint32_t{0});
            }),
      Llama("valid/embedding-length.near-miss.gguf", "layers of width 1, of one head", kAccept, {},
            "llama.embedding_length 1, head_count 1, no tensors",
            [](Model& m) {
              m.tensors.clear();
              m.Set("llama.embedding_length", std::uint32_t{1});
              m.Set("llama.attention.head_count", std::uint32_t{1});
            }),
      FromModel(Tiny("olmo2"), "invalid/divisor-missing.gguf",
                "no number of heads, by which olmo2 divides: llama.cpp v0.5.0 dies of SIGFPE",
                kLoadersRefuse, {"divisor-missing"}, "without olmo2.attention.head_count",
                [](Model& m) {
                  std::erase_if(m.metadata, [](const Model::Entry& entry) {
                    return entry.key == "olmo2.attention.head_count";
                  });
                }),
      FromModel(Tiny("phimoe"), "invalid/divisor-missing.array.gguf",
                "no heads in the first layer, by which phimoe divides", kLoadersRefuse,
                {"divisor-missing"}, "phimoe.attention.head_count [0, 2]",
                SetArray("phimoe.attention.head_count", {0, 2})),
      FromModel(Tiny("olmo2"), "valid/divisor-missing.near-miss.gguf",
                "an adapter says no number of heads, and needs none", kAccept, {},
                "no key of olmo2, both halves for blk.0.attn_q.weight",
                [](Model& m) {
                  m.tensors.clear();
                  m.metadata.clear();
                  m.Set("general.architecture", "olmo2").Set("general.type", "adapter");
                  AddFloats(m, "blk.0.attn_q.weight.lora_a", 8);
                  AddFloats(m, "blk.0.attn_q.weight.lora_b", 8).dims = {1, 8};
                  m.LayOut();
                }),
      FromModel(Tiny("olmo2"), "invalid/divisor-missing.claim.gguf",
                "a model that says it is an adapter: llama.cpp loads it, and divides",
                kLoadersRefuse, {"adapter", "divisor-missing"},
                "general.type adapter, without olmo2.attention.head_count",
                [](Model& m) {
                  m.Set("general.type", "adapter");
                  std::erase_if(m.metadata, [](const Model::Entry& entry) {
                    return entry.key == "olmo2.attention.head_count";
                  });
                }),
      FromModel(Tiny("qwen35"), "invalid/divisor-zero.gguf",
                "full attention every 0 layers: llama.cpp v0.5.0 dies of SIGFPE", kLoadersRefuse,
                {"divisor-zero"}, "qwen35.full_attention_interval 0",
                Set("qwen35.full_attention_interval", 0)),
      Llama("invalid/divisor-zero.heads-kv.gguf", "no heads of keys and values", kLoadersRefuse,
            {"divisor-zero"}, "llama.attention.head_count_kv 0",
            Set("llama.attention.head_count_kv", 0)),
      FromModel(Tiny("qwen35"), "valid/divisor-zero.near-miss.gguf",
                "full attention in every layer", kAccept, {}, "qwen35.full_attention_interval 1",
                Set("qwen35.full_attention_interval", 1)),
      FromModel(Tiny("llama4"), "valid/divisor-zero.llama4.near-miss.gguf",
                "llama4 means by 0 that no layer has experts", kAccept, {},
                "llama4.interleave_moe_layer_step 0", Set("llama4.interleave_moe_layer_step", 0)),
      Llama("invalid/per-layer-array-length.gguf", "three head counts for two layers",
            kLoadersRefuse, {"per-layer-array-length"}, "llama.attention.head_count [2, 2, 2]",
            SetArray(heads, {2, 2, 2})),
      Llama("invalid/per-layer-array-length.short.gguf", "one width for two layers", kLoadersRefuse,
            {"per-layer-array-length"}, "llama.feed_forward_length [16]",
            SetArray("llama.feed_forward_length", {16})),
      Llama("invalid/per-layer-array-length.sections.gguf", "five sections of the rotation",
            kLoadersRefuse, {"per-layer-array-length"}, "llama.rope.dimension_sections of five i32",
            [](Model& m) {
              m.Set("llama.rope.dimension_sections", std::vector<std::int32_t>{1, 1, 1, 1, 0});
            }),
      Llama("valid/per-layer-array-length.near-miss.gguf", "two head counts for two layers",
            kAccept, {}, "llama.attention.head_count [2, 2]", SetArray(heads, {2, 2})),
      Llama("invalid/expert-count.gguf", "1,025 experts", kLoadersRefuse, {"expert-count"},
            "expert_count 1025, expert_used_count 2",
            [](Model& m) {
              m.Set("llama.expert_count", std::uint32_t{1025});
              m.Set("llama.expert_used_count", std::uint32_t{2});
            }),
      Llama("invalid/expert-count.used.gguf", "9 of 8 experts used", kLoadersRefuse,
            {"expert-count"}, "expert_count 8, expert_used_count 9",
            [](Model& m) {
              m.Set("llama.expert_count", std::uint32_t{8});
              m.Set("llama.expert_used_count", std::uint32_t{9});
            }),
      Llama("invalid/expert-count.unused.gguf", "none of 8 experts used", kLoadersRefuse,
            {"expert-count"}, "expert_count 8, expert_used_count 0",
            [](Model& m) {
              m.Set("llama.expert_count", std::uint32_t{8});
              m.Set("llama.expert_used_count", std::uint32_t{0});
            }),
      Llama("valid/expert-count.near-miss.gguf", "all of 1,024 experts used", kAccept, {},
            "expert_count 1024, expert_used_count 1024",
            [](Model& m) {
              m.Set("llama.expert_count", std::uint32_t{1024});
              m.Set("llama.expert_used_count", std::uint32_t{1024});
            }),
  };
}

Recipes TensorRecipes() {
  const auto quantised = [](Model& m) {
    Dice dice(7);
    m.Add("q", TensorType::kQ4_0, {32}).data = TensorData(TensorType::kQ4_0, 18, dice);
  };
  return {
      Llama("valid/tensor-shape.warned.gguf", "embeddings of 2 tokens, the model has 3", kAccept,
            {"tensor-shape"}, "token_embd.weight [8, 2]",
            [](Model& m) {
              m.tensors.front().dims = {8, 2};
              m.tensors.front().data = Floats(16);
              m.LayOut();
            }),
      Llama("valid/tensor-shape.block.warned.gguf", "a tensor of block 2, there are 0 and 1",
            kAccept, {"tensor-shape"}, "blk.2.attn_norm.weight",
            [](Model& m) { AddFloats(m, "blk.2.attn_norm.weight", 8); }),
      Llama("valid/tensor-shape.missing.warned.gguf", "no tensor of block 1", kAccept,
            {"tensor-shape"}, "without blk.1.attn_norm.weight",
            [](Model& m) { m.tensors.pop_back(); }),
      Llama("valid/tensor-shape.near-miss.gguf",
            "block 1 predicts a further token, and was left out", kAccept, {},
            "nextn_predict_layers 1, without blk.1.attn_norm.weight",
            [](Model& m) {
              m.tensors.pop_back();
              m.Set("llama.nextn_predict_layers", std::uint32_t{1});
            }),
      Llama("valid/quantization-version-missing.warned.gguf", "Q4_0, of no version", kAccept,
            {"quantization-version-missing"}, "Q4_0 [32]", quantised),
      Llama("valid/quantization-version-missing.near-miss.gguf", "Q4_0 of version 2", kAccept, {},
            "Q4_0 [32], general.quantization_version 2",
            [&](Model& m) {
              m.Set("general.quantization_version", std::uint32_t{2});
              quantised(m);
            }),
      Llama("valid/file-type-mismatch.warned.gguf", "said to be F16, all tensors are F32", kAccept,
            {"file-type-mismatch"}, "general.file_type 1", Set("general.file_type", 1)),
      Llama("valid/file-type-mismatch.fallback.noted.gguf",
            "said to be Q4_K, whose blocks no row fits: a note", kAccept, {},
            "general.file_type 15, rows of 8", Set("general.file_type", 15)),
      Llama("valid/file-type-mismatch.near-miss.gguf", "said to be F32", kAccept, {},
            "general.file_type 0", Set("general.file_type", 0)),
  };
}

std::function<void(Model&)> SetFloat(const std::string& key, float value) {
  return [key, value](Model& m) { m.Set(key, value); };
}

Recipes RopeRecipes() {
  return {
      Llama("valid/rope-value.warned.gguf", "a base of 0: all logits are NaN", kAccept,
            {"rope-value"}, "llama.rope.freq_base 0", SetFloat("llama.rope.freq_base", 0)),
      Llama("valid/rope-value.factor.warned.gguf", "a factor that is not a number", kAccept,
            {"rope-value"}, "llama.rope.scaling.factor NaN",
            SetFloat("llama.rope.scaling.factor", std::numeric_limits<float>::quiet_NaN())),
      Llama("valid/rope-value.near-miss.gguf", "a base above 0, and a factor of 0, which is none",
            kAccept, {}, "llama.rope.freq_base 1, llama.rope.scaling.factor 0",
            [](Model& m) {
              m.Set("llama.rope.freq_base", 1.0F).Set("llama.rope.scaling.factor", 0.0F);
            }),
  };
}

}  // namespace

Recipes HyperParameterRecipes() {
  Recipes all;
  for (const auto& part : {ArchitectureRecipes(), CountRecipes(), TensorRecipes(), RopeRecipes()}) {
    all.insert(all.end(), part.begin(), part.end());
  }
  return all;
}

}  // namespace ggufgate::corpus
