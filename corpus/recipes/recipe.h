#pragma once

// Recipe describes one file of the corpus: how it is made, what it shows, and the expected result
// of the gate. The expected result is written by hand, never computed by the gate.

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "parse/model.h"

namespace ggufgate::corpus {

using FileBytes = std::vector<std::uint8_t>;

// Verdict tells which profiles accept a file.
struct Verdict {
  bool gate;
  bool llama_cpp;
  bool spec;
};
inline constexpr Verdict kAccept{.gate = true, .llama_cpp = true, .spec = true};
inline constexpr Verdict kReject{.gate = false, .llama_cpp = false, .spec = false};
// Rejected as dangerous or malformed, although the reference loader accepts it.
inline constexpr Verdict kOnlyLlamaCpp{.gate = false, .llama_cpp = true, .spec = false};
// Valid by the specification; the reference loader and the gate reject it.
inline constexpr Verdict kOnlySpec{.gate = false, .llama_cpp = false, .spec = true};
inline constexpr Verdict kOnlyGateRejects{.gate = false, .llama_cpp = true, .spec = true};
// Loaders of image and video models accept it; llama.cpp and the specification reject it.
inline constexpr Verdict kOnlyGate{.gate = true, .llama_cpp = false, .spec = false};
// The gate warns about it, and llama.cpp refuses it or crashes.
inline constexpr Verdict kOnlyLlamaCppRejects{.gate = true, .llama_cpp = false, .spec = true};
inline constexpr Verdict kOnlySpecRejects{.gate = true, .llama_cpp = true, .spec = false};

struct Recipe {
  std::string file;   // path in the corpus folder
  std::string shows;  // for people: its special property
  Verdict verdict;
  std::vector<std::string> rules = {};  // all errors and warnings under profile gate
  std::string recipe;                   // for people: how it is made
  std::function<FileBytes()> make;
  std::string cause = {};  // slug of the reported cause, see causes.def
  // Of the policy, if they differ from the defaults.
  std::map<std::string, std::uint64_t> limits = {};
  // The value of --data that the rules need: "scales" or "full".
  std::string data = {};
  // Allow-lists of the policy, with the names of a policy file: "architectures", "tensor_types".
  std::map<std::string, std::vector<std::string>> policy = {};
  std::string origin = "made for this corpus";  // source of the case
};
using Recipes = std::vector<Recipe>;

// SetRecipe describes shards that are checked together: a folder below sets/.
struct SetRecipe {
  std::string folder;  // path in the corpus folder
  std::string shows;
  Verdict verdict;                      // of every file in it
  std::vector<std::string> rules = {};  // errors and warnings of all files, under profile gate
  std::string recipe;
  std::map<std::string, Model> shards;  // by file name
  std::string origin = "made for this corpus";
};
using SetRecipes = std::vector<SetRecipe>;

// Sets of shards, in shard_sets.cc.
SetRecipes ShardSetRecipes();

// The families. Each is in the file of its name; a new one needs a line here and in main.cc.
Recipes MagicRecipes();
Recipes ContainerRecipes();
Recipes MetadataRecipes();
Recipes TensorDirectoryRecipes();
Recipes DataLayoutRecipes();
Recipes TensorDataRecipes();
Recipes HyperParameterRecipes();
Recipes ContractRecipes();
Recipes TokenizerRecipes();
Recipes TokenizerTextRecipes();
Recipes ChatTemplateRecipes();
Recipes SidecarRecipes();
Recipes OtherReaderRecipes();
Recipes PolicyRecipes();
Recipes ResourceRecipes();
Recipes ValueTypeRecipes();
Recipes TensorTypeRecipes();
Recipes ShapeRecipes();
Recipes DamageRecipes();
Recipes CirculationRecipes();
Recipes ReportRecipes();
Recipes ModelReportRecipes();
Recipes FileReportRecipes();
Recipes UpstreamRecipes();
Recipes SampleRecipes();
Recipes RegressionRecipes();
Recipes ExampleRecipes();

// Base returns the model with which nearly every recipe starts: the architecture `test` and one F32
// tensor `weight` of 8 values. 160 bytes.
Model Base();

// Edit makes a file from Base() after `edit`.
std::function<FileBytes()> Edit(std::function<void(Model&)> edit);
// FromBase returns the recipe of such a file, without limits, data or lists of the policy.
Recipe FromBase(std::string file, std::string shows, Verdict verdict,
                std::vector<std::string> rules, std::string recipe,
                std::function<void(Model&)> edit);
// FromModel returns the recipe of a file made of `model` after `edit`.
Recipe FromModel(Model model, std::string file, std::string shows, Verdict verdict,
                 std::vector<std::string> rules, std::string recipe,
                 const std::function<void(Model&)>& edit);
// Raw makes a file of exactly these bytes.
std::function<FileBytes()> Raw(std::string bytes);
// FromHex makes a file of hexadecimal digits, and skips blanks between them.
std::function<FileBytes()> FromHex(std::string_view digits);
// FirstBytes makes a file of the first `count` bytes of another. A negative `count` is relative to
// its size.
std::function<FileBytes()> FirstBytes(std::function<FileBytes()> make, std::int64_t count);

// Floats returns `count` little-endian F32 values: 1, 2, 3, …
FileBytes Floats(std::uint64_t count);

// Claim gives the first tensor dimensions and a type without matching data, and removes its data.
void Claim(Model& model, std::vector<std::uint64_t> dims, TensorType type = TensorType::kF32);
// AddOnTop is used with Claim: it adds a second tensor of 8 F32 values at this offset, with its
// data.
void AddOnTop(Model& model, std::uint64_t offset);

// AddFloats appends an F32 tensor of `count` values with data, and lays the model out.
Model::Tensor& AddFloats(Model& model, std::string_view name, std::uint64_t count);

// TwoLayers returns a model of two layers of two heads, 8 wide, with 3 tokens and their embeddings:
// the keys that most architectures require, and no other tensor.
Model TwoLayers(const std::string& architecture);
// WholeModel is the same with the tensors that an architecture requires.
Model WholeModel(const std::string& architecture);
// WholeModelWithExperts has the tensors that an architecture requires if it has experts.
Model WholeModelWithExperts(const std::string& architecture);

// Append adds an entry of type u8, even if its key exists.
void Append(Model& model, std::string key, std::uint8_t value);

// SetAlignment writes the key and lays out the data accordingly.
void SetAlignment(Model& model, std::uint32_t alignment);

// BeginDataAt adds a key so that the data begin `past` bytes after a multiple of 32.
void BeginDataAt(Model& model, std::uint64_t past = 0);

// Put overwrites bytes of a file with a little-endian number.
template <Scalar T>
void Put(FileBytes& file, std::size_t at, T value) {
  Store(value, ByteOrder::kLittle, MutableBytes(file).subspan(at, sizeof(T)));
}

// Dice draws the same numbers on every machine: xorshift64* (Vigna, 2016).
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(seed) {}

  std::uint64_t Next() {
    state_ ^= state_ >> 12;
    state_ ^= state_ << 25;
    state_ ^= state_ >> 27;
    return state_ * 0x2545'F491'4F6C'DD1D;
  }
  // A number below `bound`.
  std::uint64_t Below(std::uint64_t bound) { return (Next() >> 16) % bound; }
  std::uint8_t Byte() { return static_cast<std::uint8_t>(Next() >> 56); }

 private:
  std::uint64_t state_;
};

// TensorData fills a tensor of this type with random codes and small finite scales, without
// reserved encodings, so that no rule about values has a finding. `bytes` is a whole number of
// blocks.
FileBytes TensorData(TensorType type, std::uint64_t bytes, Dice& dice);

}  // namespace ggufgate::corpus
