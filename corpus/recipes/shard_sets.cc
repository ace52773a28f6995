// Shards that are checked together.

#include <algorithm>
#include <stdexcept>

#include "corpus/recipes/recipe.h"
#include "parse/parse.h"

namespace ggufgate::corpus {
namespace {

constexpr Verdict kLoadersRefuse{.gate = false, .llama_cpp = false, .spec = true};

using Shards = std::map<std::string, Model>;

std::string NameOf(std::uint16_t number, std::uint16_t count) {
  return "model-0000" + std::to_string(number + 1) + "-of-0000" + std::to_string(count) + ".gguf";
}

// Whole returns a model in `count` shards, with one tensor in each.
Shards Whole(std::uint16_t count) {
  Shards shards;
  for (std::uint16_t number = 0; number < count; ++number) {
    Model model;
    if (number == 0) model.Set("general.architecture", "test");
    model.Set("split.no", number).Set("split.count", count);
    model.Set("split.tensors.count", std::int32_t{count});
    AddFloats(model, "weight." + std::to_string(number), 8);
    shards[NameOf(number, count)] = std::move(model);
  }
  return shards;
}

SetRecipe Set(std::string name, std::string shows, Verdict verdict, std::string recipe,
              const std::function<void(Shards&)>& edit) {
  Shards shards = Whole(3);
  edit(shards);
  return {
      .folder = "sets/" + std::move(name),
      .shows = std::move(shows),
      .verdict = verdict,
      .rules = verdict.gate ? std::vector<std::string>() : std::vector<std::string>{"shard-set"},
      .recipe = std::move(recipe),
      .shards = std::move(shards)};
}

// WholeModel returns a parsed file of recipes/contract.cc.
Model WholeModel(const std::string& file) {
  const Recipes recipes = ContractRecipes();
  const auto recipe = std::ranges::find(recipes, file, &Recipe::file);
  if (recipe == recipes.end()) throw std::runtime_error("no recipe makes " + file);
  const FileBytes bytes = recipe->make();
  return ModelOf(Parse(bytes, bytes.size(), {}).document, bytes);
}

// Cut splits a model into two shards: all keys with the first tensors, and the other tensors.
Shards Cut(const Model& whole) {
  constexpr std::ptrdiff_t kFirst = 1;
  const auto middle = whole.tensors.begin() + kFirst;
  Model first = whole;
  first.tensors.assign(whole.tensors.begin(), middle);
  Model second;
  second.tensors.assign(middle, whole.tensors.end());
  Shards shards = {{NameOf(0, 2), std::move(first)}, {NameOf(1, 2), std::move(second)}};
  std::uint16_t number = 0;
  for (auto& [name, model] : shards) {
    model.Set("split.no", number++).Set("split.count", std::uint16_t{2});
    model.Set("split.tensors.count", static_cast<std::int32_t>(whole.tensors.size()));
    model.LayOut();
  }
  return shards;
}

// OfModel returns a set whose shards are valid separately; the model breaks `rules`.
SetRecipe OfModel(std::string name, std::string shows, const std::string& file,
                  std::vector<std::string> rules) {
  return {.folder = "sets/" + std::move(name),
          .shows = std::move(shows),
          .verdict = rules.empty() ? kAccept : kReject,
          .rules = std::move(rules),
          .recipe = file + " in two, one tensor in the first",
          .shards = Cut(WholeModel(file)),
          .origin = "seen on llama.cpp v0.5.0"};
}

SetRecipes OfModels() {
  return {
      OfModel("joined", "a matrix of F16 in the second", "valid/tensor-role.near-miss.gguf", {}),
      OfModel("joined-role",
              "a norm that is not F32 in the second, and its architecture in the first",
              "invalid/tensor-role.gguf", {"shard-set", "tensor-role"}),
      OfModel("joined-empty", "a feed-forward network of no width in the second",
              "invalid/tensor-empty.gguf",
              {"shape-refused", "shard-set", "tensor-empty", "tensor-row-empty"}),
      OfModel("joined-used", "a layer without queries, as both shards together show",
              "invalid/tensor-used.gguf", {"shard-set", "tensor-used"}),
      OfModel("joined-used.near-miss", "queries of both layers", "valid/tensor-used.near-miss.gguf",
              {}),
  };
}

SetRecipes ByNumbers() {
  return {
      Set("complete", "three shards of three", kAccept, "as they are", [](Shards&) {}),
      Set("missing", "the second of three shards is missing", kLoadersRefuse, "without the second",
          [](Shards& s) { s.erase(NameOf(1, 3)); }),
      Set("repeated-number", "two shards say that they are the second", kLoadersRefuse,
          "split.no 1 in the third",
          [](Shards& s) { s[NameOf(2, 3)].Set("split.no", std::uint16_t{1}); }),
      Set("swapped", "the second and the third have each other's names", kLoadersRefuse,
          "two names swapped", [](Shards& s) { std::swap(s[NameOf(1, 3)], s[NameOf(2, 3)]); }),
      Set("other-count", "the second comes from a model in four shards", kLoadersRefuse,
          "split.count 4 in the second",
          [](Shards& s) { s[NameOf(1, 3)].Set("split.count", std::uint16_t{4}); }),
      Set("other-total", "the third speaks of four tensors, the others of three", kLoadersRefuse,
          "split.tensors.count 4 in the third",
          [](Shards& s) { s[NameOf(2, 3)].Set("split.tensors.count", std::int32_t{4}); }),
      Set("wrong-total", "all speak of four tensors, and three are there", kLoadersRefuse,
          "split.tensors.count 4 in all",
          [](Shards& s) {
            for (auto& [name, model] : s) model.Set("split.tensors.count", std::int32_t{4});
          }),
      Set("repeated-tensor", "a tensor of the first is in the third again", kLoadersRefuse,
          "the name of the first tensor for the third",
          [](Shards& s) { s[NameOf(2, 3)].tensors.front().name = "weight.0"; }),
      Set("no-keys", "the third does not say that it is a shard", kLoadersRefuse,
          "no split.* in the third",
          [](Shards& s) {
            s[NameOf(2, 3)].metadata.clear();
            s[NameOf(2, 3)].Set("general.architecture", "test");
          }),
      Set("not-shards", "a model called 1 of 1 that was never split", kAccept,
          "one file without split.*, named 00001-of-00001",
          [](Shards& s) {
            s.clear();
            s[NameOf(0, 1)] = Base();
          }),
  };
}

// Names that contradict the keys, and a name that does not.
SetRecipes ByNames() {
  return {
      Set("merged-part", "the second says that it is a merged model", kLoadersRefuse,
          "split.count 0 in the second",
          [](Shards& s) {
            s[NameOf(1, 3)]
                .Set("split.count", std::uint16_t{0})
                .Set("general.architecture", "test");
          }),
      Set("merged", "a merged model called 1 of 1", kAccept,
          "split.no 0 and split.count 0 in one file, named 00001-of-00001",
          [](Shards& s) {
            s.clear();
            Model merged = Base();
            s[NameOf(0, 1)] =
                merged.Set("split.no", std::uint16_t{0}).Set("split.count", std::uint16_t{0});
          }),
      Set("impossible-name", "the third is called 4 of 3", kLoadersRefuse, "another name",
          [](Shards& s) {
            s[NameOf(3, 3)] = s[NameOf(2, 3)];
            s.erase(NameOf(2, 3));
          }),
  };
}

}  // namespace

SetRecipes ShardSetRecipes() {
  SetRecipes recipes = ByNumbers();
  for (const SetRecipes& more : {ByNames(), OfModels()}) {
    recipes.insert(recipes.end(), more.begin(), more.end());
  }
  return recipes;
}

}  // namespace ggufgate::corpus
