// Limits of the policy. The defaults are far above what a small file can show (10,000,000 strings
// in arrays are 80 MB), so these files live in limits/ and carry the limits that they break: under
// the defaults all of them are accepted.

#include "corpus/recipes/recipe.h"

namespace ggufgate::corpus {
namespace {

using Limits = std::map<std::string, std::uint64_t>;

Recipe Limited(std::string file, std::string shows, Limits limits, std::vector<std::string> rules,
               std::string recipe, std::function<void(Model&)> edit,
               Verdict when_broken = kReject) {
  const Verdict verdict = rules.empty() ? kAccept : when_broken;
  return {.file = std::move(file),
          .shows = std::move(shows),
          .verdict = verdict,
          .rules = std::move(rules),
          .recipe = std::move(recipe),
          .make = Edit(std::move(edit)),
          .limits = std::move(limits)};
}

void Names(Model& model, std::size_t count) {
  model.Set("test.names", std::vector<std::string>(count, "a"));
}

}  // namespace

Recipes ResourceRecipes() {
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

}  // namespace ggufgate::corpus
