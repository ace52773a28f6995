// Public reports about models whose keys or tensors a loader refuses, or accepts against the
// report.

#include "corpus/recipes/report.h"

namespace ggufgate::corpus {
namespace {

using U32s = std::vector<std::uint32_t>;

Recipes TensorReports() {
  return {
      Report("valid/report-output-norm.gguf", "llama.cpp#3242",
             "no last norm: a part of the checkpoint was not converted", kOnlyLlamaCppRejects,
             {"tensor-missing"}, "no output_norm.weight", WholeModel("llama"),
             [](Model& m) { WithoutTensor(m, "output_norm.weight"); }),
      Report("valid/report-tied-output.gguf", "llama.cpp#6720, lmstudio-bug-tracker#24",
             "no matrix of the output: newer loaders use the embeddings", kAccept, {},
             "starcoder without output.weight", WholeModel("starcoder"),
             [](Model& m) {
               constexpr std::uint32_t kPositions = 64;  // the loader tries a text of this length
               m.Set("starcoder.context_length", kPositions);
               m.Set("starcoder.attention.layer_norm_epsilon", 1e-5F);
               ReportShape(m, "position_embd.weight", {8, kPositions});
             }),
      Report("valid/report-transposed.gguf", "llama.cpp#12634",
             "an attention output whose dimensions are swapped", kOnlyLlamaCppRejects,
             {"shape-refused"}, "heads of 8 numbers, blk.*.attn_output.weight [8, 16]",
             WholeModel("llama"),
             [](Model& m) {
               m.Set("llama.attention.key_length", std::uint32_t{8});
               m.Set("llama.attention.value_length", std::uint32_t{8});
               for (const std::string layer : {"blk.0.", "blk.1."}) {
                 for (const char* name : {"attn_q", "attn_k", "attn_v", "attn_output"}) {
                   ReportShape(m, layer + name + ".weight", {8, 16});
                 }
               }
             }),
      Report("valid/report-norm-of-embeddings.gguf", "lmstudio-bug-tracker#1325",
             "the last norm under the name that LFM2 has for it", kAccept, {},
             "lfm2 with token_embd_norm.weight, without output_norm.weight", WholeModel("lfm2"),
             [](Model& m) {
               m.Set("lfm2.attention.head_count_kv", U32s{2, 0});
               m.Set("lfm2.shortconv.l_cache", std::uint32_t{3});
             }),
      Report("valid/report-prefix-twice.gguf", "stable-diffusion.cpp#434",
             "tensors of an image model with the prefix of the converter twice",
             kOnlyLlamaCppRejects, {}, "flux with model.diffusion_model.model.diffusion_model.*",
             Base(),
             [](Model& m) {
               m.Set("general.architecture", "flux");
               m.tensors.front().name = "model.diffusion_model.model.diffusion_model.img_in.weight";
             }),
      Report("valid/report-padding-token.gguf", "ComfyUI-GGUF#392",
             "a parameter of shape [1, n], stored without the leading 1", kOnlyLlamaCppRejects, {},
             "lumina2, x_pad_token [8]", Base(),
             [](Model& m) {
               m.Set("general.architecture", "lumina2");
               m.tensors.front().name = "x_pad_token";
             }),
      Report("valid/report-original-shape.gguf", "InvokeAI#9564",
             "a tensor of an image model in another shape, and a key with its own",
             kOnlyLlamaCppRejects, {}, "flux, img_in.weight [4, 4], comfy.gguf.orig_shape [8, 2]",
             Base(),
             [](Model& m) {
               m.Set("general.architecture", "flux");
               m.Set("comfy.gguf.orig_shape.img_in.weight", std::vector<std::int32_t>{8, 2});
               m.tensors.front().name = "img_in.weight";
               m.tensors.front().data = Floats(16);
               m.tensors.front().dims = {4, 4};
             }),
      Report("valid/report-no-metadata.gguf", "candle#1182",
             "tensors of a checkpoint under their names, and no key", kAccept, {},
             "no metadata, model.layers.0.mlp.up_proj.weight [8]", Base(),
             [](Model& m) {
               m.metadata.clear();
               m.tensors.front().name = "model.layers.0.mlp.up_proj.weight";
             }),
  };
}

Recipes KeyReports() {
  return {
      Report("valid/report-no-window.gguf", "wllama#106",
             "phi3 of before its sliding window: newer loaders do without the key", kAccept, {},
             "phi3, no attention.sliding_window", WholeModel("phi3"),
             [](Model& m) {
               for (const std::string layer : {"blk.0.", "blk.1."}) {
                 m.Add(layer + "attn_qkv.weight", TensorType::kF32, {8, 24}).data = Floats(192);
               }
             }),
      Report("valid/report-number-per-layer.gguf", "gpustack#1686",
             "a number for each layer where a parser expects one number", kAccept, {},
             "deci, head_count, head_count_kv and feed_forward_length as arrays",
             WholeModel("deci"),
             [](Model& m) {
               m.Set("deci.attention.head_count", U32s{2, 2});
               m.Set("deci.attention.head_count_kv", U32s{2, 2});
               m.Set("deci.feed_forward_length", U32s{8, 8});
             }),
      Report("valid/report-no-tokenizer.gguf", "llama.cpp#14642",
             "a model with many experts, converted without its vocabulary", kOnlyLlamaCppRejects,
             {"hyperparameter-missing"}, "no tokenizer.ggml.model", WholeModel("llama"),
             [](Model& m) { WithoutKey(m, "tokenizer.ggml.model"); }),
      Report("invalid/report-no-heads.gguf", "1bit-MONSTER#694",
             "no attention heads: loaders divide by their number", kOnlySpec, {"head-count"},
             "llama.attention.head_count 0", TwoLayers("llama"),
             [](Model& m) { m.Set("llama.attention.head_count", std::uint32_t{0}); }),
  };
}

// SetAll sets keys of the architecture to numbers.
void SetAll(Model& m, const std::string& architecture,
            const std::vector<std::pair<const char*, std::uint32_t>>& keys) {
  for (const auto& [name, value] : keys) m.Set(architecture + "." + name, value);
}

// SharedKeys returns three layers of gemma4, of which the last uses the keys of the first, and has
// no tensors of keys.
Model SharedKeys() {
  Model m = WholeModel("gemma4");
  const std::vector<Model::Tensor> two_layers = m.tensors;
  for (Model::Tensor tensor : two_layers) {
    if (!tensor.name.starts_with("blk.1.") || tensor.name.find("attn_k") != std::string::npos) {
      continue;
    }
    tensor.name.replace(4, 1, "2");
    m.tensors.push_back(std::move(tensor));
  }
  SetAll(m, "gemma4",
         {{"block_count", 3},
          {"attention.shared_kv_layers", 1},
          {"attention.sliding_window", 16},
          {"embedding_length_per_layer_input", 4},
          {"attention.key_length", 4},
          {"attention.value_length", 4},
          {"attention.key_length_swa", 4},
          {"attention.value_length_swa", 4},
          {"rope.dimension_count", 4},
          {"rope.dimension_count_swa", 4}});
  Encoder pattern(ByteOrder::kLittle);
  pattern.Put(static_cast<std::uint32_t>(ValueType::kBool)).Put(std::uint64_t{3});
  for (const bool has_window : {true, false, true}) {
    pattern.Put(static_cast<std::uint8_t>(has_window));
  }
  m.SetRaw("gemma4.attention.sliding_window_pattern", ValueType::kArray, pattern.Take());
  ReportShape(m, "per_layer_token_embd.weight", {12, 3});
  ReportShape(m, "per_layer_model_proj.weight", {8, 12});
  TensorNamed(m, "rope_freqs.weight").dims = {2};
  TensorNamed(m, "rope_freqs.weight").data = Floats(2);
  return m;
}

// Qwen35Experts returns a model with two small experts in each layer.
Model Qwen35Experts() {
  Model m = WholeModelWithExperts("qwen35moe");
  SetAll(m, "qwen35moe",
         {{"full_attention_interval", 2},
          {"ssm.inner_size", 16},
          {"ssm.conv_kernel", 4},
          {"ssm.state_size", 4},
          {"ssm.time_step_rank", 4},
          {"ssm.group_count", 2},
          {"expert_count", 2},
          {"expert_used_count", 1},
          {"expert_feed_forward_length", 2},
          {"expert_shared_feed_forward_length", 4},
          {"rope.dimension_count", 4}});
  const auto add = [&](const std::string& name, std::vector<std::uint64_t> dims) {
    m.Add(name, TensorType::kF32, std::move(dims));
    m.tensors.back().data = Floats(m.tensors.back().data.size() / sizeof(float));
  };
  for (const std::string layer : {"blk.0.", "blk.1."}) {
    WithoutTensor(m, layer + "ffn_down_exps.weight");
    add(layer + "ffn_down_exps.weight", {2, 8, 2});
    add(layer + "ffn_gate_exps.weight", {8, 2, 2});
    add(layer + "ffn_up_exps.weight", {8, 2, 2});
    ReportShape(m, layer + "ffn_gate_inp.weight", {8, 2});
    add(layer + "attn_qkv.weight", {8, 32});
  }
  add("blk.0.attn_gate.weight", {8, 16});
  return m;
}

// KimiK2 returns the first of two shards, because the attention of one layer takes 100 kB.
Model KimiK2() {
  constexpr std::uint64_t kQueries = 4 * 192;  // of four heads
  Model m = TwoLayers("deepseek2");
  SetAll(m, "deepseek2",
         {{"attention.head_count", 4},
          {"attention.head_count_kv", 1},
          {"attention.key_length", 576},
          {"attention.value_length", 512},
          {"attention.q_lora_rank", 1},
          {"attention.kv_lora_rank", 512},
          {"rope.dimension_count", 64},
          {"leading_dense_block_count", 1},
          {"expert_count", 2},
          {"expert_used_count", 1},
          {"expert_shared_count", 1},
          {"expert_feed_forward_length", 8}});
  m.Set("split.no", std::uint16_t{0}).Set("split.count", std::uint16_t{2});
  m.Set("split.tensors.count", std::int32_t{40});
  m.Add("blk.0.attn_q_b.weight", TensorType::kF32, {1, kQueries}).data = Floats(kQueries);
  return m;
}

Recipes LayoutReports() {
  return {
      Report("valid/report-gemma4.gguf", "llama.cpp#22048, lmstudio-bug-tracker#1824",
             "no tensors of keys in a layer that takes those of another", kAccept, {},
             "gemma4 of 3 layers, shared_kv_layers 1, no blk.2.attn_k*", SharedKeys(),
             [](Model&) {}),
      Report("valid/report-kimi-k2.gguf", "ik_llama.cpp#609",
             "one head of keys and values, as ik_llama.cpp's Kimi K2 has it", kOnlyLlamaCppRejects,
             {"head-widths", "shape-refused"}, "deepseek2, first of two shards, no key_length_mla",
             KimiK2(), [](Model&) {}),
      Report("valid/report-kimi-k2.near-miss.gguf", "ik_llama.cpp#609",
             "the same with the widths that llama.cpp reads", kAccept, {},
             "key_length_mla 192, value_length_mla 128", KimiK2(),
             [](Model& m) {
               SetAll(m, "deepseek2",
                      {{"attention.key_length_mla", 192}, {"attention.value_length_mla", 128}});
             }),
  };
}

Recipes OllamaReports() {
  return {
      Report("valid/report-qwen35moe.gguf", "ollama#14428",
             "Ollama's qwen35moe: its engine does without the sections", kOnlyLlamaCppRejects,
             {"hyperparameter-missing"}, "qwen35moe, no rope.dimension_sections", Qwen35Experts(),
             [](Model&) {}),
      Report("valid/report-qwen35moe.near-miss.gguf", "ollama#14428", "the same with sections",
             kAccept, {}, "qwen35moe, rope.dimension_sections 1, 1, 0, 0", Qwen35Experts(),
             [](Model& m) { m.Set("qwen35moe.rope.dimension_sections", U32s{1, 1, 0, 0}); }),
      Report("valid/report-qwen35moe-three.gguf", "lmstudio-bug-tracker#2398, ollama#17903",
             "three sections, as Ollama writes them: llama.cpp wants four", kOnlyLlamaCppRejects,
             {"hyperparameter-missing"}, "qwen35moe, rope.dimension_sections 1, 1, 0",
             Qwen35Experts(),
             [](Model& m) { m.Set("qwen35moe.rope.dimension_sections", U32s{1, 1, 0}); }),
      Report("valid/report-qwen35moe-time-step.gguf", "llama.cpp#25334",
             "time steps under the name that Ollama gives them", kOnlyLlamaCppRejects,
             {"tensor-unknown"}, "qwen35moe, blk.0.ssm_dt for blk.0.ssm_dt.bias", Qwen35Experts(),
             [](Model& m) {
               m.Set("qwen35moe.rope.dimension_sections", U32s{1, 1, 0, 0});
               TensorNamed(m, "blk.0.ssm_dt.bias").name = "blk.0.ssm_dt";
             }),
  };
}

}  // namespace

Recipes ModelReportRecipes() {
  Recipes all;
  for (const auto& part : {TensorReports(), KeyReports(), LayoutReports(), OllamaReports()}) {
    all.insert(all.end(), part.begin(), part.end());
  }
  return all;
}

}  // namespace ggufgate::corpus
