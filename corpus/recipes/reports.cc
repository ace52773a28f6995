// Files of public reports, rebuilt: each has the number of its report.

#include <algorithm>

#include "corpus/recipes/report.h"

namespace ggufgate::corpus {

Recipe Report(std::string file, std::string numbers, std::string shows, Verdict verdict,
              std::vector<std::string> rules, std::string recipe, Model model,
              const ReportEdit& edit) {
  Recipe made = FromModel(std::move(model), std::move(file), std::move(shows), verdict,
                          std::move(rules), std::move(recipe), [&](Model& m) {
                            edit(m);
                            m.LayOut();
                          });
  made.origin = "public report " + std::move(numbers);
  return made;
}

void WithoutKey(Model& model, std::string_view key) {
  std::erase_if(model.metadata, [&](const Model::Entry& entry) { return entry.key == key; });
}

void WithoutTensor(Model& model, std::string_view name) {
  std::erase_if(model.tensors, [&](const Model::Tensor& tensor) { return tensor.name == name; });
}

Model::Tensor& TensorNamed(Model& model, std::string_view name) {
  return *std::ranges::find(model.tensors, name, &Model::Tensor::name);
}

void ReportShape(Model& model, std::string_view name, std::vector<std::uint64_t> dims) {
  Model::Tensor& tensor = TensorNamed(model, name);
  tensor.data = Floats(dims.at(0) * dims.at(1));
  tensor.dims = std::move(dims);
}

namespace {

Recipes ShapeReports() {
  return {
      Report("valid/report-feed-forward-length.gguf", "llama.cpp#9235",
             "feed_forward_length of another model", kOnlyLlamaCppRejects, {"shape-refused"},
             "blk.0.ffn_gate.weight [8, 12] where feed_forward_length is 8", WholeModel("llama"),
             [](Model& m) { ReportShape(m, "blk.0.ffn_gate.weight", {8, 12}); }),
      Report("valid/report-key-length.gguf", "FreedomIntelligence/Apollo#6",
             "queries of wider heads than the file says", kOnlyLlamaCppRejects, {"shape-refused"},
             "blk.*.attn_q.weight [8, 16], no attention.key_length", WholeModel("llama"),
             [](Model& m) {
               for (const std::string layer : {"blk.0.", "blk.1."}) {
                 ReportShape(m, layer + "attn_q.weight", {8, 16});
               }
             }),
      Report("valid/report-head-count-kv.gguf", "llama.cpp#6437, inference#971",
             "one head of keys and values, and no key that says it", kOnlyLlamaCppRejects,
             {"shape-refused"}, "no attention.head_count_kv, attn_k and attn_v of 8 by 4",
             WholeModel("llama"),
             [](Model& m) {
               WithoutKey(m, "llama.attention.head_count_kv");
               for (const std::string layer : {"blk.0.", "blk.1."}) {
                 ReportShape(m, layer + "attn_k.weight", {8, 4});
                 ReportShape(m, layer + "attn_v.weight", {8, 4});
               }
             }),
      Report("valid/report-embeddings.gguf", "llama.cpp#7963",
             "the embeddings of a projector in place of those of tokens", kOnlyLlamaCppRejects,
             {"shape-refused", "tensor-shape"}, "token_embd.weight [4, 4]", WholeModel("llama"),
             [](Model& m) { ReportShape(m, "token_embd.weight", {4, 4}); }),
      Report("valid/report-query-key-value.gguf", "llama.cpp#8467",
             "keys of more heads than the keys of the file say", kOnlyLlamaCppRejects,
             {"shape-refused"}, "blk.0.attn_k.weight [8, 12]", WholeModel("llama"),
             [](Model& m) { ReportShape(m, "blk.0.attn_k.weight", {8, 12}); }),
  };
}

Recipes NameReports() {
  return {
      Report("valid/report-no-embeddings.gguf", "llama.cpp#3917", "no embeddings of tokens",
             kOnlyLlamaCppRejects, {"tensor-missing"}, "no token_embd.weight", WholeModel("llama"),
             [](Model& m) { WithoutTensor(m, "token_embd.weight"); }),
      Report("valid/report-rope-freqs.gguf", "llama.cpp#8761",
             "frequencies of Llama 3.1, which old loaders did not look up", kAccept, {},
             "rope_freqs.weight [2]", WholeModel("llama"),
             [](Model& m) { m.Add("rope_freqs.weight", TensorType::kF32, {2}).data = Floats(2); }),
      Report("valid/report-attention-mask.gguf", "llama.cpp#5518",
             "the mask of the attention, which old converters kept", kOnlyLlamaCppRejects,
             {"tensor-unknown"}, "blk.0.attn.bias [1]", WholeModel("llama"),
             [](Model& m) { AddFloats(m, "blk.0.attn.bias", 1); }),
      Report("valid/report-experts-of-phi.gguf", "koboldcpp#849",
             "a mixture of experts under an architecture without any", kOnlyLlamaCppRejects,
             {"tensor-missing", "tensor-unknown"}, "blk.*.ffn_down.0.weight for ffn_down.weight",
             WholeModel("llama"),
             [](Model& m) {
               for (const std::string layer : {"blk.0.", "blk.1."}) {
                 TensorNamed(m, layer + "ffn_down.weight").name = layer + "ffn_down.0.weight";
               }
             }),
      Report("valid/report-projector-inside.gguf", "llama.cpp#27349",
             "Ollama's file of gemma4: model and projector in one", kOnlyLlamaCppRejects,
             {"context-shift", "tensor-unknown"}, "gemma3 with v.patch_embd.weight and mm.0.weight",
             WholeModel("gemma3"),
             [](Model& m) {
               AddFloats(m, "v.patch_embd.weight", 8);
               AddFloats(m, "mm.0.weight", 8);
             }),
  };
}

Recipes ArchitectureReports() {
  const auto named = [](std::string file, std::string number, std::string shows,
                        const char* architecture, std::vector<std::string> rules) {
    return Report("valid/report-" + std::move(file), std::move(number), std::move(shows), kAccept,
                  std::move(rules), std::string("architecture ") + architecture, Base(),
                  [architecture](Model& m) { m.Set("general.architecture", architecture); });
  };
  Recipes recipes = {
      named("hyvid.gguf", "ComfyUI-GGUF#184", "a video model", "hyvid", {}),
      named("cosmos.gguf", "ComfyUI-MultiGPU#22", "a video model", "cosmos", {}),
      named("replit.gguf", "lmstudio-bug-tracker#1107", "a model that llama.cpp does not know",
            "replit", {"architecture-unknown"}),
      named("pig.gguf", "ComfyUI-GGUF#230", "a name of gguf-node alone", "pig",
            {"architecture-unknown"}),
  };
  for (Recipe& recipe : recipes) recipe.verdict = kOnlyLlamaCppRejects;
  return recipes;
}

}  // namespace

Recipes ReportRecipes() {
  Recipes all;
  for (const auto& part : {ShapeReports(), NameReports(), ArchitectureReports()}) {
    all.insert(all.end(), part.begin(), part.end());
  }
  return all;
}

}  // namespace ggufgate::corpus
