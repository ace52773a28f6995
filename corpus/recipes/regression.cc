// Minimised files that once caused a failure of the project's code. They must stay.
//
// A file that a fuzzer found is added as hexadecimal digits:
//
//   {.file = "regression/0001-what-it-was.gguf",
//    .shows = "what went wrong, in one sentence, and the commit that fixed it",
//    .verdict = kReject,
//    .rules = {"string-length"},
//    .recipe = "found by fuzz target parse, minimised",
//    .make = FromHex("47475546 03000000 …")},

#include <algorithm>
#include <iterator>

#include "corpus/recipes/recipe.h"

namespace ggufgate::corpus {
namespace {

// Made by hand from results of the mutual examination: rules that were reported for unread parts.
Recipes UnreadRecipes() {
  return {
      {.file = "regression/0001-alignment-of-a-cut-directory.gguf",
       .shows =
           "offsets of the alignment 8 that the metadata state, in a directory that is cut: they "
           "were judged by 32",
       .verdict = kReject,
       .rules = {"truncated-tensor-info"},
       .recipe = "general.alignment 8, four tensors, cut inside the last record",
       .make = FirstBytes(Edit([](Model& m) {
                            m.Set("general.alignment", std::uint32_t{8});
                            m.alignment = 8;
                            for (const char* name : {"a", "b", "c"}) AddFloats(m, name, 2);
                          }),
                          -73)},
      {.file = "regression/0002-key-length-not-read.gguf",
       .shows = "heads that do not divide the width, and a key_length that the file is cut in: it "
                "counted as absent",
       .verdict = kReject,
       .rules = {"truncated-metadata"},
       .recipe = "head_count 3, embedding_length 8, key_length 4, cut by two bytes",
       .make = FirstBytes(
           [] {
             Model m;
             m.Set("general.architecture", "llama");
             m.Set("llama.embedding_length", std::uint32_t{8});
             m.Set("llama.attention.head_count", std::uint32_t{3});
             m.Set("llama.attention.key_length", std::uint32_t{4});
             return Write(m);
           },
           -2)},
      {.file = "regression/0003-token-id-not-read.gguf",
       .shows = "a vocabulary too small for the default id of the token that texts begin with, and "
                "the id it has instead, which the file is cut in: it counted as absent",
       .verdict = kReject,
       .rules = {"truncated-metadata"},
       .recipe = "gpt2, two tokens, eos_token_id 1, bos_token_id 1 cut by two bytes",
       .make = FirstBytes(
           [] {
             Model m;
             m.Set("general.architecture", "llama");
             m.Set("tokenizer.ggml.model", "gpt2");
             m.Set("tokenizer.ggml.tokens", std::vector<std::string>{"a", "b"});
             m.Set("tokenizer.ggml.merges", std::vector<std::string>{"a b"});
             m.Set("tokenizer.ggml.eos_token_id", std::uint32_t{1});
             m.Set("tokenizer.ggml.bos_token_id", std::uint32_t{1});
             return Write(m);
           },
           -2)}};
}

// Found by campaigns.
Recipes FuzzedRecipes() {
  return {
      {.file = "regression/0004-half-of-a-lie.gguf",
       .shows =
           "half a pair of an adapter: the mutator told its lie about the other half, and made "
           "a sound file of it",
       .verdict = {.gate = false, .llama_cpp = false, .spec = true},
       .rules = {"adapter"},
       .recipe = "found by fuzz target one_lie; an adapter with the half that the mutator adds",
       .make = Edit([](Model& m) {
         m.Set("general.architecture", "llama").Set("general.type", "adapter");
         m.Set("adapter.type", "lora").Set("adapter.lora.alpha", 16.0F);
         AddFloats(m, "blk.0.attn_lie.weight.lora_b", 8);
       })},
      {.file = "regression/0005-test-ends-at-its-bracket.gguf",
       .shows = "a chat template that ends behind the opening bracket of a test: the gate read the "
                "token after the last one and died",
       .verdict = {.gate = false, .llama_cpp = true, .spec = true},
       .rules = {"template-injection", "template-syntax"},
       .recipe = "found by fuzz target cost; the one tag that it took",
       .make = Edit([](Model& m) {
         m.Set("general.architecture", "llama");
         m.Set("tokenizer.chat_template", "{{ x is in(");
       })}};
}

}  // namespace

Recipes RegressionRecipes() {
  Recipes recipes = UnreadRecipes();
  std::ranges::move(FuzzedRecipes(), std::back_inserter(recipes));
  return recipes;
}

}  // namespace ggufgate::corpus
