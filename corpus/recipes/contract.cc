// Models that crash llama.cpp, according to the contracts of their architectures:
// src/format/contracts.

#include <algorithm>
#include <limits>

#include "corpus/recipes/recipe.h"
#include "format/contracts/contract.h"

namespace ggufgate::corpus {
namespace {

// A later release of llama.cpp may support what this one does not.
constexpr Verdict kOnlyLlamaCppRejects{.gate = true, .llama_cpp = false, .spec = true};

// DimsOf returns the dimensions of a learned tensor for a model that is 8 wide, with heads of 4.
std::vector<std::uint64_t> DimsOf(const ContractTensor& tensor) {
  constexpr std::uint64_t kTokens = 3;
  std::vector<std::uint64_t> dims;
  for (const std::uint64_t learned : tensor.Dimensions()) {
    // embedding_length and feed_forward_length are 64 and 96 there, 8 here; gate and up may be
    // joined.
    const std::uint64_t wide = tensor.name.ends_with("ffn_up.weight") ? 16 : learned / 8;
    const std::uint64_t dim = learned == 32    ? 4
                              : learned >= 128 ? wide
                                               : std::min<std::uint64_t>(learned, 8);
    dims.push_back(learned == ContractTensor::kTokens ? kTokens : dim);
  }
  return dims;
}

// AddTensor adds a tensor, in each layer if its name has a layer number.
void AddTensor(Model& model, const ContractTensor& tensor) {
  const std::size_t star = tensor.name.find('*');
  std::vector<std::string> names = {std::string(tensor.name)};
  if (star != std::string_view::npos) {
    names = {std::string(tensor.name).replace(star, 1, "0"),
             std::string(tensor.name).replace(star, 1, "1")};
  }
  for (const std::string& name : names) {
    Model::Tensor& added = model.Add(name, TensorType::kF32, DimsOf(tensor));
    std::uint64_t elements = 1;
    for (const std::uint64_t dim : added.dims) elements *= dim;
    added.data = Floats(elements);
  }
}

// Whole returns a model of two layers with the tensors that one form of its architecture requires.
Model Whole(const std::string& architecture, ContractForm form) {
  Model model = TwoLayers(architecture);
  model.Set(architecture + ".feed_forward_length", std::uint32_t{8});
  model.Set(architecture + ".attention.head_count_kv", std::uint32_t{2});
  for (const ContractLine& line : ContractLines(*FindContract(architecture))) {
    const std::optional<ContractTensor> tensor = TensorOf(line);
    const bool wanted = tensor && tensor->required && tensor->forms.Has(form);
    if (wanted && tensor->name != "token_embd.weight") AddTensor(model, *tensor);
  }
  return model;
}

// MakeFirstShard makes a model the first of two shards, with `tensors` tensors in total.
void MakeFirstShard(Model& model, std::size_t tensors) {
  model.Set("split.no", std::uint16_t{0}).Set("split.count", std::uint16_t{2});
  model.Set("split.tensors.count", static_cast<std::int32_t>(tensors));
}

// PredictFurther makes the last `layers` of two layers of glm4 predict further tokens, with the
// tensors that the loader requires for it.
void PredictFurther(Model& model, std::uint32_t layers) {
  model.Set("glm4.nextn_predict_layers", layers);
  for (std::uint32_t layer = 2 - layers; layer < 2; ++layer) {
    const std::string prefix = "blk." + std::to_string(layer) + ".nextn.";
    model.Add(prefix + "eh_proj.weight", TensorType::kF32, {16, 8}).data = Floats(16 * 8);
    model.Add(prefix + "enorm.weight", TensorType::kF32, {8}).data = Floats(8);
    model.Add(prefix + "hnorm.weight", TensorType::kF32, {8}).data = Floats(8);
  }
}

using Edit = std::function<void(Model&)>;

Recipe Case(Model model, std::string file, std::string shows, Verdict verdict,
            std::vector<std::string> rules, std::string recipe, const Edit& edit) {
  Recipe made = FromModel(std::move(model), std::move(file), std::move(shows), verdict,
                          std::move(rules), std::move(recipe), [&](Model& m) {
                            edit(m);
                            m.LayOut();
                          });
  made.origin = "seen on llama.cpp v0.5.0";
  return made;
}

Model Dense(const std::string& architecture) { return Whole(architecture, ContractForm::kDense); }

Edit Set(const std::string& key, std::uint32_t value) {
  return [key, value](Model& m) { m.Set(key, value); };
}

using U32s = std::vector<std::uint32_t>;

void Reshape(Model& model, std::string_view name, std::vector<std::uint64_t> dims) {
  for (Model::Tensor& tensor : model.tensors) {
    if (tensor.name != name) continue;
    tensor.data = Floats(dims.at(0) * dims.at(1));
    tensor.dims = dims;
  }
}

// Embedding returns a model for embeddings, with a sliding window in one of its layers.
Model Embedding() {
  Model model = Dense("gemma-embedding");
  model.Set("gemma-embedding.attention.sliding_window_pattern", U32s{1, 0});
  model.Set("gemma-embedding.attention.sliding_window", std::uint32_t{16});
  return model;
}

// HeadsOf returns a model whose head width differs from that of its embedding; 4 dimensions of each
// head are rotated.
Model HeadsOf(const std::string& architecture, std::uint32_t width) {
  Model model = Dense(architecture);
  model.Set(architecture + ".attention.key_length", width);
  model.Set(architecture + ".attention.value_length", width);
  model.Set(architecture + ".rope.dimension_count", std::uint32_t{4});
  for (const std::string layer : {"blk.0.", "blk.1."}) {
    for (const char* name : {"attn_q.weight", "attn_k.weight", "attn_v.weight"}) {
      Reshape(model, layer + name, {8, std::uint64_t{2} * width});
    }
    Reshape(model, layer + "attn_output.weight", {std::uint64_t{2} * width, 8});
  }
  return model;
}

// Starcoder has learned positions of tokens, and no rotary embedding.
Model Starcoder() {
  Model model = Dense("starcoder");
  model.Set("starcoder.attention.layer_norm_epsilon", 1e-5F);
  model.Set("starcoder.context_length", std::uint32_t{64});
  Reshape(model, "position_embd.weight", {8, 64});
  return model;
}

Model Granite() {
  Model model = Dense("granite");
  model.Set("granite.logit_scale", 1.0F);
  return model;
}

// Recurrent returns a model whose second layer has a state.
Model Recurrent() {
  Model model = Whole("jamba", ContractForm::kDense);
  model.Set("jamba.attention.head_count_kv", U32s{2, 0});
  for (const char* name : {"ssm.conv_kernel", "ssm.state_size", "ssm.time_step_rank"}) {
    model.Set(std::string("jamba.") + name, std::uint32_t{4});
  }
  return model;
}

Recipes LoadRecipes() {
  return {
      Case(Dense("llama"), "invalid/expert-routing.gguf",
           "experts, and how many are used is not said", kReject,
           {"expert-routing", "tensor-missing"}, "llama.expert_count 4",
           Set("llama.expert_count", 4)),
      Case(Dense("llama"), "valid/expert-routing.near-miss.gguf",
           "two of four experts are used, in two groups of which one is", kOnlyLlamaCppRejects,
           {"tensor-missing"},
           "expert_count 4, expert_used_count 2, expert_group_count 2, expert_group_used_count 1",
           [](Model& m) {
             m.Set("llama.expert_count", std::uint32_t{4});
             m.Set("llama.expert_used_count", std::uint32_t{2});
             m.Set("llama.expert_group_count", std::uint32_t{2});
             m.Set("llama.expert_group_used_count", std::uint32_t{1});
           }),
      Case(Dense("llama"), "invalid/layer-counts.gguf", "two layers of two predict further tokens",
           kReject, {"layer-counts"}, "llama.nextn_predict_layers 2",
           Set("llama.nextn_predict_layers", 2)),
      Case(Dense("llama"), "valid/layer-counts.near-miss.gguf",
           "one layer of two does, and has no tensors", kAccept, {},
           "llama.nextn_predict_layers 1, no blk.1.*",
           [](Model& m) {
             m.Set("llama.nextn_predict_layers", std::uint32_t{1});
             std::erase_if(m.tensors,
                           [](const auto& tensor) { return tensor.name.starts_with("blk.1."); });
           }),
      Case(Dense("glm4"), "invalid/layer-counts.all-next.gguf",
           "all layers predict further tokens, with all tensors for it", kReject, {"layer-counts"},
           "glm4.nextn_predict_layers 2 and the tensors of nextn",
           [](Model& m) { PredictFurther(m, 2); }),
      Case(Dense("glm4"), "valid/layer-counts.next.near-miss.gguf", "one layer of two does",
           kAccept, {}, "glm4.nextn_predict_layers 1 and the tensors of nextn",
           [](Model& m) { PredictFurther(m, 1); }),
      Case(Dense("llama"), "invalid/rope-scaling-type.gguf", "a word that a later release may know",
           kOnlySpec, {"rope-scaling-type"}, "llama.rope.scaling.type llama3",
           [](Model& m) { m.Set("llama.rope.scaling.type", "llama3"); }),
      Case(Dense("llama"), "valid/rope-scaling-type.near-miss.gguf", "a word that it knows",
           kAccept, {}, "llama.rope.scaling.type longrope",
           [](Model& m) { m.Set("llama.rope.scaling.type", "longrope"); }),
      Case(Embedding(), "invalid/architecture-condition.gguf",
           "a dense layer behind the model of another width", kReject, {"architecture-condition"},
           "gemma-embedding.dense_2_feat_in 9", Set("gemma-embedding.dense_2_feat_in", 9)),
      Case(Embedding(), "valid/architecture-condition.near-miss.gguf", "of the same width", kAccept,
           {}, "gemma-embedding.dense_2_feat_in 8", Set("gemma-embedding.dense_2_feat_in", 8)),
      Case(Recurrent(), "invalid/state-dimensions.gguf",
           "an inner width that is not twice the outer", kReject, {"state-dimensions"},
           "jamba.ssm.inner_size 17", Set("jamba.ssm.inner_size", 17)),
      Case(Recurrent(), "valid/state-dimensions.near-miss.gguf", "that is", kAccept, {},
           "jamba.ssm.inner_size 16", Set("jamba.ssm.inner_size", 16)),
  };
}

Recipes ContextRecipes() {
  return {
      Case(Dense("llama"), "invalid/head-widths.gguf",
           "fewer heads of keys and values in the second layer", kReject, {"head-widths"},
           "llama.attention.head_count_kv [2, 1]",
           [](Model& m) { m.Set("llama.attention.head_count_kv", U32s{2, 1}); }),
      Case(Dense("llama"), "valid/head-widths.near-miss.gguf", "as many in both", kAccept, {},
           "llama.attention.head_count_kv [2, 2]",
           [](Model& m) { m.Set("llama.attention.head_count_kv", U32s{2, 2}); }),
      Case(Dense("qwen3"), "invalid/rope-dimensions.gguf", "half of a head is rotated", kReject,
           {"rope-dimensions"}, "qwen3.rope.dimension_count 2, heads of 4",
           Set("qwen3.rope.dimension_count", 2)),
      Case(Dense("qwen3"), "invalid/rope-dimensions.first-shard.gguf",
           "the first of two shards, which leaves all tensors to the other", kReject,
           {"rope-dimensions"}, "qwen3.rope.dimension_count 2, heads of 4; no tensors",
           [](Model& m) {
             m.Set("qwen3.rope.dimension_count", std::uint32_t{2});
             MakeFirstShard(m, m.tensors.size());
             m.tensors.clear();
           }),
      Case(Dense("qwen3"), "invalid/rope-dimensions.claim.gguf",
           "a model that says it is a projector: llama.cpp loads it, and dies", kReject,
           {"rope-dimensions"}, "qwen3.rope.dimension_count 2, general.type mmproj",
           [](Model& m) {
             m.Set("qwen3.rope.dimension_count", std::uint32_t{2}).Set("general.type", "mmproj");
           }),
      Case(Dense("qwen3"), "invalid/rope-dimensions.shard-claim.gguf",
           "shard 1 of a number that is not said: llama.cpp loads it, and dies", kReject,
           {"rope-dimensions"}, "qwen3.rope.dimension_count 2, split.no 1",
           [](Model& m) {
             m.Set("qwen3.rope.dimension_count", std::uint32_t{2});
             m.Set("split.no", std::uint16_t{1});
           }),
      Case(Dense("qwen3"), "valid/rope-dimensions.claim.near-miss.gguf",
           "a sound model that says it is a projector", kAccept, {},
           "qwen3.rope.dimension_count 4, general.type mmproj",
           [](Model& m) {
             m.Set("qwen3.rope.dimension_count", std::uint32_t{4}).Set("general.type", "mmproj");
           }),
      Case(Dense("qwen3"), "valid/rope-dimensions.near-miss.gguf", "all of it", kAccept, {},
           "qwen3.rope.dimension_count 4", Set("qwen3.rope.dimension_count", 4)),
      Case(HeadsOf("gemma2", 5), "invalid/rope-dimensions.odd-rest.gguf",
           "an odd rest of a head is not rotated: a number is written behind the last row", kReject,
           {"rope-dimensions"}, "gemma2.rope.dimension_count 4, heads of 5", [](Model&) {}),
      Case(HeadsOf("gemma2", 6), "valid/rope-dimensions.odd-rest.near-miss.gguf", "an even rest",
           kAccept, {}, "gemma2.rope.dimension_count 4, heads of 6", [](Model&) {}),
      Case(Dense("gemma2"), "invalid/sliding-window.gguf", "a sliding window that no layer has",
           kReject, {"sliding-window"}, "gemma2.attention.sliding_window_pattern [0, 0]",
           [](Model& m) { m.Set("gemma2.attention.sliding_window_pattern", U32s{0, 0}); }),
      Case(Dense("gemma2"), "valid/sliding-window.near-miss.gguf", "that one layer has", kAccept,
           {}, "gemma2.attention.sliding_window_pattern [1, 0]",
           [](Model& m) { m.Set("gemma2.attention.sliding_window_pattern", U32s{1, 0}); }),
      Case(Whole("deepseek2", ContractForm::kExperts), "invalid/expert-gating.gguf",
           "a function that a later release may know", kOnlySpec,
           {"expert-gating", "hyperparameter-missing", "tensor-missing"},
           "deepseek2.expert_gating_func 5, rope.dimension_count 2",
           [](Model& m) {
             m.Set("deepseek2.expert_count", std::uint32_t{4});
             m.Set("deepseek2.expert_used_count", std::uint32_t{2});
             m.Set("deepseek2.rope.dimension_count", std::uint32_t{2});
             m.Set("deepseek2.expert_gating_func", std::uint32_t{5});
           }),
      Case(Whole("deepseek2", ContractForm::kExperts), "valid/expert-gating.near-miss.gguf",
           "one that it knows", kOnlyLlamaCppRejects, {"hyperparameter-missing", "tensor-missing"},
           "deepseek2.expert_gating_func 4, rope.dimension_count 2",
           [](Model& m) {
             m.Set("deepseek2.expert_count", std::uint32_t{4});
             m.Set("deepseek2.expert_used_count", std::uint32_t{2});
             m.Set("deepseek2.rope.dimension_count", std::uint32_t{2});
             m.Set("deepseek2.expert_gating_func", std::uint32_t{4});
           }),
  };
}

// AddQueries adds queries, keys and values as one tensor.
void AddQueries(Model& model, std::string_view name) {
  model.Add(name, TensorType::kF32, {8, 24}).data = Floats(std::uint64_t{8} * 24);
}

Recipes DecodeRecipes() {
  return {
      Case(Dense("llama"), "invalid/epsilon.gguf", "an epsilon that is no number", kReject,
           {"epsilon"}, "llama.attention.layer_norm_rms_epsilon NaN",
           [](Model& m) {
             m.Set("llama.attention.layer_norm_rms_epsilon",
                   std::numeric_limits<float>::quiet_NaN());
           }),
      Case(Dense("llama"), "valid/epsilon.near-miss.gguf", "0", kAccept, {},
           "llama.attention.layer_norm_rms_epsilon 0",
           [](Model& m) { m.Set("llama.attention.layer_norm_rms_epsilon", 0.0F); }),
      Case(Starcoder(), "valid/context-shift.warned.gguf",
           "a graph without rotary embedding, and more dimensions to turn than a head has",
           kOnlyLlamaCppRejects, {"context-shift"}, "starcoder.rope.dimension_count 6",
           Set("starcoder.rope.dimension_count", 6)),
      Case(Starcoder(), "valid/context-shift.near-miss.gguf", "as many as it has", kAccept, {},
           "starcoder.rope.dimension_count 4", Set("starcoder.rope.dimension_count", 4)),
      Case(Granite(), "valid/context-unshiftable.warned.gguf", "a model without rotary embedding",
           kAccept, {"context-unshiftable"}, "granite.rope.scaling.finetuned false",
           [](Model& m) { m.Set("granite.rope.scaling.finetuned", false); }),
      Case(Granite(), "valid/context-unshiftable.near-miss.gguf", "with it", kAccept, {},
           "granite.rope.scaling.finetuned true",
           [](Model& m) { m.Set("granite.rope.scaling.finetuned", true); }),
      Case(HeadsOf("llama", 32), "valid/cache-type.noted.gguf",
           "heads of half a block of the rotation", kAccept, {}, "llama.attention.key_length 32",
           [](Model&) {}),
      Case(HeadsOf("llama", 64), "valid/cache-type.near-miss.gguf", "heads of a whole block",
           kAccept, {}, "llama.attention.key_length 64", [](Model&) {}),
      Case(Dense("llama"), "invalid/pooling-type.gguf", "a number that a later release may know",
           kOnlySpec, {"pooling-type"}, "llama.pooling_type 5", Set("llama.pooling_type", 5)),
      Case(Dense("llama"), "valid/pooling-type.near-miss.gguf", "one that it knows", kAccept, {},
           "llama.pooling_type 4", Set("llama.pooling_type", 4)),
      Case(Dense("llama"), "invalid/tensor-role.gguf", "a norm that is not F32", kReject,
           {"tensor-role"}, "output_norm.weight F16",
           [](Model& m) {
             for (Model::Tensor& tensor : m.tensors) {
               if (tensor.name != "output_norm.weight") continue;
               tensor.type_id = static_cast<std::uint32_t>(TensorType::kF16);
               tensor.data.resize(tensor.data.size() / 2);
             }
           }),
      Case(Dense("llama"), "valid/tensor-role.near-miss.gguf", "a matrix that is F16", kAccept, {},
           "blk.0.attn_q.weight F16",
           [](Model& m) {
             for (Model::Tensor& tensor : m.tensors) {
               if (tensor.name != "blk.0.attn_q.weight") continue;
               tensor.type_id = static_cast<std::uint32_t>(TensorType::kF16);
               tensor.data.resize(tensor.data.size() / 2);
             }
           }),
      Case(Dense("llama"), "invalid/tensor-empty.gguf", "a feed-forward network of no width",
           kReject, {"shape-refused", "tensor-empty", "tensor-row-empty"},
           "blk.0.ffn_down.weight of dimension 0",
           [](Model& m) {
             m.Set("llama.feed_forward_length", std::uint32_t{0});
             for (Model::Tensor& tensor : m.tensors) {
               if (tensor.name != "blk.0.ffn_down.weight") continue;
               tensor.dims = {0};
               tensor.data.clear();
             }
           }),
      Case(Dense("llama"), "invalid/tensor-empty.absent.gguf",
           "a feed-forward network of which no width is said", kReject,
           {"shape-refused", "tensor-empty", "tensor-row-empty"},
           "no feed_forward_length, and blk.0.ffn_down.weight of dimension 0",
           [](Model& m) {
             std::erase_if(m.metadata, [](const Model::Entry& entry) {
               return entry.key == "llama.feed_forward_length";
             });
             for (Model::Tensor& tensor : m.tensors) {
               if (tensor.name != "blk.0.ffn_down.weight") continue;
               tensor.dims = {0};
               tensor.data.clear();
             }
           }),
      Case(Dense("llama"), "valid/tensor-empty.near-miss.gguf", "a feed-forward network of width 1",
           kOnlyLlamaCppRejects, {"shape-refused"}, "blk.0.ffn_down.weight of dimension 1",
           [](Model& m) {
             m.Set("llama.feed_forward_length", std::uint32_t{1});
             for (Model::Tensor& tensor : m.tensors) {
               if (tensor.name != "blk.0.ffn_down.weight") continue;
               tensor.dims = {1};
               tensor.data.resize(4);
             }
           }),
      Case(Whole("phi3", ContractForm::kWholeDense), "invalid/tensor-used.gguf",
           "a layer without queries, alone or with keys and values", kReject, {"tensor-used"},
           "no blk.1.attn_qkv.weight and no blk.1.attn_q.weight",
           [](Model& m) { AddQueries(m, "blk.0.attn_qkv.weight"); }),
      Case(Whole("phi3", ContractForm::kWholeDense), "valid/tensor-used.near-miss.gguf",
           "both layers have them together", kAccept, {},
           "blk.0.attn_qkv.weight and blk.1.attn_qkv.weight",
           [](Model& m) {
             AddQueries(m, "blk.0.attn_qkv.weight");
             AddQueries(m, "blk.1.attn_qkv.weight");
           }),
      Case(Whole("phi3", ContractForm::kWholeDense), "valid/tensor-used.first-shard.near-miss.gguf",
           "the other shard has those of the other layer", kAccept, {},
           "blk.0.attn_qkv.weight, split.count 2",
           [](Model& m) {
             AddQueries(m, "blk.0.attn_qkv.weight");
             MakeFirstShard(m, m.tensors.size() + 1);
           }),
  };
}

void Drop(Model& model, std::string_view name) {
  std::erase_if(model.tensors, [&](const Model::Tensor& tensor) { return tensor.name == name; });
}

// Files that the loader refuses without a crash.
Recipes RefusalRecipes() {
  return {
      Case(Dense("llama"), "valid/hyperparameter-missing.warned.gguf",
           "no epsilon, which the loader asks for", kOnlyLlamaCppRejects,
           {"hyperparameter-missing"}, "no llama.attention.layer_norm_rms_epsilon",
           [](Model& m) {
             std::erase_if(m.metadata, [](const Model::Entry& entry) {
               return entry.key == "llama.attention.layer_norm_rms_epsilon";
             });
           }),
      Case(Dense("llama"), "valid/hyperparameter-missing.near-miss.gguf",
           "no heads of keys and values, which are then as many as the others", kAccept, {},
           "no llama.attention.head_count_kv",
           [](Model& m) {
             std::erase_if(m.metadata, [](const Model::Entry& entry) {
               return entry.key == "llama.attention.head_count_kv";
             });
           }),
      Case(Dense("llama"), "valid/tensor-missing.warned.gguf", "one of two layers lacks a norm",
           kOnlyLlamaCppRejects, {"tensor-missing"}, "no blk.1.ffn_norm.weight",
           [](Model& m) { Drop(m, "blk.1.ffn_norm.weight"); }),
      Case(Dense("glm4"), "valid/tensor-missing.next-layer.warned.gguf",
           "a layer that predicts further tokens is announced and left out", kOnlyLlamaCppRejects,
           {"tensor-missing"}, "glm4 of 2 layers, block_count 3, nextn_predict_layers 1",
           [](Model& m) {
             m.Set("glm4.block_count", std::uint32_t{3});
             m.Set("glm4.nextn_predict_layers", std::uint32_t{1});
           }),
      Case(Dense("glm4"), "valid/tensor-missing.next-part.warned.gguf",
           "the last layer predicts further tokens, but lacks its tensors for it",
           kOnlyLlamaCppRejects, {"tensor-missing"}, "glm4.nextn_predict_layers 1",
           [](Model& m) { m.Set("glm4.nextn_predict_layers", std::uint32_t{1}); }),
      Case(Dense("glm4"), "valid/tensor-unknown.next-scale.warned.gguf",
           "a scale in a layer that predicts further tokens, as in files of NVFP4",
           kOnlyLlamaCppRejects, {"tensor-unknown"}, "glm4 with nextn, blk.1.attn_output.scale",
           [](Model& m) {
             PredictFurther(m, 1);
             m.Add("blk.1.attn_output.scale", TensorType::kF32, {1}).data = Floats(1);
           }),
      Case(Dense("glm4"), "valid/tensor-unknown.next-scale.near-miss.gguf",
           "the scale in another layer", kAccept, {}, "glm4 with nextn, blk.0.attn_output.scale",
           [](Model& m) {
             PredictFurther(m, 1);
             m.Add("blk.0.attn_output.scale", TensorType::kF32, {1}).data = Floats(1);
           }),
      Case(Dense("llama"), "valid/tensor-unknown.next-layer.warned.gguf",
           "the last layer predicts further tokens, which this architecture cannot",
           kOnlyLlamaCppRejects, {"tensor-unknown"}, "llama.nextn_predict_layers 1",
           [](Model& m) { m.Set("llama.nextn_predict_layers", std::uint32_t{1}); }),
      Case(Dense("llama"), "valid/tensor-missing.next-layer.near-miss.gguf",
           "the same of an architecture that has no such layers", kAccept, {},
           "llama of 2 layers, block_count 3, nextn_predict_layers 1",
           [](Model& m) {
             m.Set("llama.block_count", std::uint32_t{3});
             m.Set("llama.nextn_predict_layers", std::uint32_t{1});
           }),
      Case(Dense("llama"), "valid/hyperparameter-missing.first.warned.gguf",
           "no number of tokens, which the loader asks for first", kOnlyLlamaCppRejects,
           {"hyperparameter-missing"}, "no llama.context_length",
           [](Model& m) {
             std::erase_if(m.metadata, [](const Model::Entry& entry) {
               return entry.key == "llama.context_length";
             });
           }),
      Case(Dense("llama"), "valid/hyperparameter-missing.tokenizer.warned.gguf",
           "no word for the tokenizer", kOnlyLlamaCppRejects, {"hyperparameter-missing"},
           "no tokenizer.ggml.model",
           [](Model& m) {
             std::erase_if(m.metadata, [](const Model::Entry& entry) {
               return entry.key == "tokenizer.ggml.model";
             });
           }),
      Case(Dense("llama"), "valid/tensor-missing.near-miss.gguf",
           "no output.weight: the embeddings of tokens stand in", kAccept, {}, "no output.weight",
           [](Model& m) { Drop(m, "output.weight"); }),
      Case(Dense("mpt"), "invalid/tensor-unfit.gguf",
           "a norm of queries, with which no such model runs", kReject, {"tensor-unfit"},
           "blk.0.attn_q_norm.weight in F32",
           [](Model& m) {
             m.Set("mpt.attention.layer_norm_epsilon", 1e-5F);
             Model::Tensor norm =
                 *std::ranges::find(m.tensors, "blk.0.attn_norm.weight", &Model::Tensor::name);
             norm.name = "blk.0.attn_q_norm.weight";
             m.tensors.push_back(norm);
           }),
      Case(Dense("mpt"), "valid/tensor-unfit.near-miss.gguf",
           "a bias of the norm, which the loader takes", kAccept, {}, "blk.0.attn_norm.bias in F32",
           [](Model& m) {
             m.Set("mpt.attention.layer_norm_epsilon", 1e-5F);
             Model::Tensor norm =
                 *std::ranges::find(m.tensors, "blk.0.attn_norm.weight", &Model::Tensor::name);
             norm.name = "blk.0.attn_norm.bias";
             m.tensors.push_back(norm);
           }),
      Case(Dense("llama"), "valid/tensor-unknown.warned.gguf",
           "a norm of a name that nobody looks up", kOnlyLlamaCppRejects, {"tensor-unknown"},
           "blk.0.attn_norm_3.weight",
           [](Model& m) {
             Model::Tensor norm =
                 *std::ranges::find(m.tensors, "blk.0.attn_norm.weight", &Model::Tensor::name);
             norm.name = "blk.0.attn_norm_3.weight";
             m.tensors.push_back(norm);
           }),
      Case(Dense("llama"), "valid/tensor-unknown.near-miss.gguf",
           "a bias that the loader looks up and few models have", kAccept, {},
           "blk.0.attn_output.bias in F32",
           [](Model& m) {
             Model::Tensor bias =
                 *std::ranges::find(m.tensors, "blk.0.attn_norm.weight", &Model::Tensor::name);
             bias.name = "blk.0.attn_output.bias";
             m.tensors.push_back(bias);
           }),
      Case(Dense("llama"), "valid/shape-refused.warned.gguf",
           "keys of one head where there are two", kOnlyLlamaCppRejects, {"shape-refused"},
           "blk.1.attn_k.weight of 8 by 4",
           [](Model& m) { Reshape(m, "blk.1.attn_k.weight", {8, 4}); }),
      Case(Dense("llama"), "valid/shape-refused.near-miss.gguf",
           "keys and values of one head, as is said", kAccept, {},
           "llama.attention.head_count_kv 1, attn_k and attn_v of 8 by 4",
           [](Model& m) {
             m.Set("llama.attention.head_count_kv", std::uint32_t{1});
             for (const char* name : {"blk.0.attn_k.weight", "blk.1.attn_k.weight",
                                      "blk.0.attn_v.weight", "blk.1.attn_v.weight"}) {
               Reshape(m, name, {8, 4});
             }
           }),
  };
}

// FormWith returns `form`, or `whole` if the contract knows only models with all optional tensors.
ContractForm FormWith(const std::string& architecture, ContractForm form, ContractForm whole) {
  for (const ContractLine& line : ContractLines(*FindContract(architecture))) {
    const std::optional<ContractTensor> tensor = TensorOf(line);
    if (tensor && tensor->forms.Has(form)) return form;
  }
  return whole;
}

}  // namespace

Model WholeModel(const std::string& architecture) {
  return Whole(architecture,
               FormWith(architecture, ContractForm::kDense, ContractForm::kWholeDense));
}

Model WholeModelWithExperts(const std::string& architecture) {
  return Whole(architecture,
               FormWith(architecture, ContractForm::kExperts, ContractForm::kWholeExperts));
}

Recipes ContractRecipes() {
  Recipes recipes = LoadRecipes();
  for (const auto& more : {ContextRecipes(), DecodeRecipes(), RefusalRecipes()}) {
    recipes.insert(recipes.end(), more.begin(), more.end());
  }
  return recipes;
}

}  // namespace ggufgate::corpus
