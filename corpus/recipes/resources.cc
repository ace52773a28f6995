// Limits of the policy. The defaults are far above what a small file can reach (10,000,000 strings
// in arrays are 80 MB). So these files are in limits/, and their recipes contain the limits that
// they exceed. With the defaults all of them are accepted.

#include "corpus/recipes/recipe.h"

namespace ggufgate::corpus {
namespace {

using Limits = std::map<std::string, std::uint64_t>;

Recipe Limited(std::string file, std::string shows, Limits limits, std::vector<std::string> rules,
               std::string recipe, std::function<void(Model&)> edit,
               Verdict when_broken = kReject) {
  const Verdict verdict = rules.empty() ? kAccept : when_broken;
  Recipe made = FromBase(std::move(file), std::move(shows), verdict, std::move(rules),
                         std::move(recipe), std::move(edit));
  made.limits = std::move(limits);
  return made;
}

void Names(Model& model, std::size_t count) {
  model.Set("test.names", std::vector<std::string>(count, "a"));
}

Recipes LimitRecipes() {
  return {
      Limited("limits/limit-exceeded.gguf", "101 strings in arrays where 100 are allowed",
              {{"array_strings", 100}}, {"limit-exceeded"}, "arrays of 60 and 41 strings",
              [](Model& m) {
                Names(m, 60);
                m.Set("test.more", std::vector<std::string>(41, "b"));
              }),
      Limited("valid/limit-exceeded.near-miss.gguf", "100 strings in arrays where 100 are allowed",
              {{"array_strings", 100}}, {}, "arrays of 60 and 40 strings",
              [](Model& m) {
                Names(m, 60);
                m.Set("test.more", std::vector<std::string>(40, "b"));
              }),
      Limited("limits/limit-exceeded.metadata-bytes.gguf",
              "the tensor directory ends at byte 106, the limit is 105", {{"metadata_bytes", 105}},
              {"limit-exceeded"}, "as it is", [](Model&) {}),
      Limited("valid/limit-exceeded.metadata-bytes.near-miss.gguf",
              "the tensor directory ends at byte 106, the limit is 106", {{"metadata_bytes", 106}},
              {}, "as it is", [](Model&) {}),
      Limited("limits/limit-exceeded.tensor-elements.gguf", "8 elements where 7 are allowed",
              {{"tensor_elements", 7}}, {"limit-exceeded"}, "as it is", [](Model&) {}),
      Limited("valid/limit-exceeded.tensor-elements.near-miss.gguf",
              "8 elements where 8 are allowed", {{"tensor_elements", 8}}, {}, "as it is",
              [](Model&) {}),
      Limited("limits/metadata-count.by-limit.gguf", "3 keys where 2 are allowed",
              {{"metadata_keys", 2}}, {"metadata-count"}, "two keys more",
              [](Model& m) { m.Set("a", std::uint8_t{1}).Set("b", std::uint8_t{2}); }),
      Limited("limits/tensor-count.by-limit.gguf", "2 tensors where 1 is allowed", {{"tensors", 1}},
              {"tensor-count"}, "a tensor more", [](Model& m) { AddFloats(m, "more", 8); }),
      Limited("limits/string-length.by-limit.gguf",
              "a string of 21 characters where 20 are allowed", {{"string_bytes", 20}},
              {"string-length"}, "a name of 21 characters",
              [](Model& m) { m.Set("general.name", "twenty-one characters"); }),
      Limited("limits/array-count.by-limit.gguf", "an array of 9 elements where 8 are allowed",
              {{"array_elements", 8}}, {"array-count"}, "9 elements of u8",
              [](Model& m) { m.Set("test.values", std::vector<std::uint8_t>(9, 1)); }),
      Limited(
          "limits/key-length.by-limit.gguf", "a key of 33 characters where 32 are allowed",
          {{"key_bytes", 32}}, {"key-length"}, "33 times `k`",
          [](Model& m) { m.Set(std::string(33, 'k'), std::uint8_t{1}); }, kOnlyLlamaCpp),
      Limited(
          "limits/alignment-large.by-limit.gguf", "alignment 128 where 64 is allowed",
          {{"alignment", 64}}, {"alignment-large"}, "u32 128, laid out for it",
          [](Model& m) {
            m.Set("general.alignment", std::uint32_t{128});
            m.alignment = 128;
          },
          kOnlyGateRejects),
  };
}

// Phi2 returns a model of two layers with two heads each, only metadata, with an edit.
Recipe Phi2(std::string file, std::string shows, Verdict verdict, std::vector<std::string> rules,
            std::string recipe, const std::function<void(Model&)>& edit) {
  Model model;
  model.Set("general.architecture", "phi2").Set("phi2.block_count", std::uint32_t{2});
  model.Set("phi2.context_length", std::uint32_t{2048});
  model.Set("phi2.embedding_length", std::uint32_t{64});
  model.Set("phi2.attention.head_count", std::uint32_t{2});
  return FromModel(std::move(model), std::move(file), std::move(shows), verdict, std::move(rules),
                   std::move(recipe), edit);
}

constexpr Verdict kLoadersSuffer{.gate = false, .llama_cpp = false, .spec = true};

Recipes MemoryRecipes() {
  const auto set = [](const char* key, std::uint32_t value) {
    return [=](Model& m) { m.Set(key, value); };
  };
  return {
      Phi2("invalid/memory-demand.gguf",
           "keys of 2^32-1 numbers: llama.cpp asks for 8.8 TB for a context of 512 tokens",
           kLoadersSuffer, {"memory-demand"}, "phi2.attention.key_length 2^32-1",
           set("phi2.attention.key_length", UINT32_MAX)),
      Phi2("invalid/memory-demand.window.gguf",
           "a sliding window of 2^32-1 tokens, of which llama.cpp makes a list", kLoadersSuffer,
           {"memory-demand"}, "phi2.attention.sliding_window 2^32-1",
           set("phi2.attention.sliding_window", UINT32_MAX)),
      Phi2("invalid/memory-demand.vocabulary.gguf", "2^26 tokens that are not in the file",
           kLoadersSuffer, {"memory-demand", "vocabulary-claimed"},
           "tokenizer no_vocab, phi2.vocab_size 2^26",
           [](Model& m) {
             m.Set("tokenizer.ggml.model", "no_vocab");
             m.Set("phi2.vocab_size", std::uint32_t{1} << 26);
           }),
      Phi2("valid/memory-demand.near-miss.gguf",
           "keys of 2^19 numbers: 2 GiB for a context of 512 tokens", kAccept, {},
           "phi2.attention.key_length 2^19, context_length 512",
           [](Model& m) {
             m.Set("phi2.attention.key_length", std::uint32_t{1} << 19);
             m.Set("phi2.context_length", std::uint32_t{512});
           }),
      Phi2("valid/memory-demand.context.warned.gguf",
           "a model for 2^32-1 tokens, of two small layers: what a context of as many asks for",
           kAccept, {"memory-demand"}, "phi2.context_length 2^32-1, a norm in each layer",
           [](Model& m) {
             m.Set("phi2.context_length", std::uint32_t{UINT32_MAX});
             AddFloats(m, "blk.0.attn_norm.weight", 64);
             AddFloats(m, "blk.1.attn_norm.weight", 64);
           }),
      Phi2("valid/memory-demand.context.near-miss.gguf", "a model for 2^20 tokens", kAccept, {},
           "phi2.context_length 2^20, a norm in each layer",
           [](Model& m) {
             m.Set("phi2.context_length", std::uint32_t{1} << 20);
             AddFloats(m, "blk.0.attn_norm.weight", 64);
             AddFloats(m, "blk.1.attn_norm.weight", 64);
           }),
  };
}

}  // namespace

Recipes ResourceRecipes() {
  Recipes all = LimitRecipes();
  const Recipes memory = MemoryRecipes();
  all.insert(all.end(), memory.begin(), memory.end());
  return all;
}

}  // namespace ggufgate::corpus
