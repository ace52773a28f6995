// Offsets of tensor data.

#include "corpus/recipes/recipe.h"

namespace ggufgate::corpus {
namespace {

Recipe Layout(std::string file, std::string shows, Verdict verdict, std::vector<std::string> rules,
              std::string recipe, std::function<void(Model&)> edit) {
  return FromBase(std::move(file), std::move(shows), verdict, std::move(rules),
                  "tensors of 32 bytes; " + std::move(recipe), std::move(edit));
}

// Offsets gives a model one tensor of 32 bytes per offset, with data at 0, 32, 64, …
void Offsets(Model& model, const std::vector<std::uint64_t>& offsets) {
  const std::vector<std::string> names = {"first", "second", "third"};
  model.tensors.clear();
  for (std::size_t i = 0; i < offsets.size(); ++i) AddFloats(model, names.at(i), 8);
  for (std::size_t i = 0; i < offsets.size(); ++i) model.tensors.at(i).offset = offsets.at(i);
}

Recipes OffsetRecipes() {
  return {
      Layout("invalid/tensor-offset-alignment.gguf",
             "a second tensor at 33: neither aligned nor where it belongs", kReject,
             {"tensor-offset-alignment", "tensor-order"}, "offsets 0, 33; 31 zero bytes behind",
             [](Model& m) {
               Offsets(m, {0, 33});
               m.trailing.assign(32, 0);
             }),
      Layout("valid/tensor-offset-alignment.near-miss.gguf", "a second tensor at 32", kAccept, {},
             "offsets 0, 32", [](Model& m) { Offsets(m, {0, 32}); }),
      Layout("invalid/tensor-data-bounds.gguf", "the last byte of the last tensor is missing",
             kReject, {"tensor-data-bounds"}, "offsets 0, 32, the last byte cut off",
             [](Model& m) {
               Offsets(m, {0, 32});
               m.tensors.back().data.pop_back();
               m.pad_last_tensor = false;
             }),
      Layout("invalid/tensor-data-bounds.no-data.gguf",
             "no data at all: gguf_init_from_file loads it unless it reads the data", kReject,
             {"tensor-data-bounds"}, "offset 0, cut at the start of the data",
             [](Model& m) { m.tensors.front().data.clear(); }),
      Layout("invalid/tensor-data-bounds.no-padding.gguf", "cut inside the padding before the data",
             kReject, {"tensor-data-bounds"}, "offset 0, the first 110 bytes of the file",
             [](Model&) {}),
      Layout("invalid/tensor-data-bounds.wraps.gguf",
             "offset 2^64-32: plus 32 bytes it is 0, which is inside", kReject,
             {"tensor-data-bounds", "tensor-order"}, "offset 2^64-32, no data",
             [](Model& m) {
               Offsets(m, {UINT64_MAX - 31});
               m.tensors.front().data.clear();
             }),
      Layout("invalid/tensor-data-bounds.lie.gguf",
             "2^36 bytes claimed, 32 there: llama.cpp allocates before it reads, and dies when it "
             "cannot",
             kReject, {"tensor-data-bounds"}, "an I8 tensor of 2^36 elements with 32 bytes",
             [](Model& m) {
               m.tensors.front().type_id = static_cast<std::uint32_t>(TensorType::kI8);
               m.tensors.front().dims = {std::uint64_t{1} << 36};
             }),
      Layout("valid/tensor-data-bounds.near-miss.gguf",
             "the last byte of a last tensor of 20 bytes is the last of the file: its padding is "
             "absent. llama.cpp loads it (mmap), and refuses only when it reads the data as one "
             "blob; refusing it is a false alarm",
             kAccept, {}, "a second tensor of 5 values, not padded",
             [](Model& m) {
               AddFloats(m, "more", 5);
               m.pad_last_tensor = false;
             }),
      Layout("invalid/tensor-overlap.gguf", "two tensors on the same bytes", kReject,
             {"tensor-order", "tensor-overlap"}, "offsets 0, 0, the data of the second taken out",
             [](Model& m) {
               Offsets(m, {0, 0});
               m.tensors.back().data.clear();
             }),
      Layout("invalid/tensor-overlap.by-half.gguf", "a second tensor in the middle of the first",
             kReject, {"tensor-order", "tensor-overlap"},
             "64 bytes at 0, 32 bytes at 32, the data of the second taken out",
             [](Model& m) {
               m.tensors.front().dims = {16};
               m.tensors.front().data = Floats(16);
               AddFloats(m, "second", 8).offset = 32;
               m.tensors.back().data.clear();
             }),
      Layout("invalid/tensor-overlap.one-byte.gguf",
             "with alignment 1, tensors that share one byte", kReject,
             {"alignment-small", "tensor-order", "tensor-overlap"},
             "general.alignment 1; 32 bytes at 0, 32 at 31",
             [](Model& m) {
               m.Set("general.alignment", std::uint32_t{1});
               m.alignment = 1;
               Offsets(m, {0, 31});
               m.tensors.back().data.pop_back();
               BeginDataAt(m);
             }),
      Layout("valid/tensor-overlap.near-miss.gguf",
             "a tensor without elements at the start of another shares no byte with it", kAccept,
             {"tensor-row-empty"}, "[0] at 0, then 32 bytes at 0",
             [](Model& m) {
               Claim(m, {0});
               AddFloats(m, "second", 8);
             }),
      Layout("invalid/tensor-order.gguf",
             "a gap of 32 bytes between tensors: fine by the specification, refused by llama.cpp",
             kOnlySpec, {"tensor-order"}, "offsets 0, 64; zeros between",
             [](Model& m) {
               Offsets(m, {0, 64});
               m.tensors.front().data.resize(64);
             }),
      Layout("invalid/tensor-order.swapped.gguf", "the first tensor's data behind the second's",
             kOnlySpec, {"tensor-order"}, "offsets 32, 0", [](Model& m) { Offsets(m, {32, 0}); }),
      Layout("invalid/tensor-order.first-not-0.gguf",
             "the only tensor begins 32 bytes into the data section", kOnlySpec, {"tensor-order"},
             "offset 32; zeros before",
             [](Model& m) {
               Offsets(m, {32});
               m.tensors.front().data.insert(m.tensors.front().data.begin(), 32, 0);
             }),
      Layout("valid/tensor-order.near-miss.gguf", "three tensors one behind the other", kAccept, {},
             "offsets 0, 32, 64", [](Model& m) { Offsets(m, {0, 32, 64}); }),
  };
}

// ForkLayout: type 42 in the layout of a fork, 34 bytes for 128 elements; the reference has 18 for
// 64.
FileBytes ForkLayout(std::uint64_t elements) {
  Model m = Base();
  m.Set("general.quantization_version", std::uint32_t{2});
  m.tensors.clear();
  Dice dice(34);
  for (const char* name : {"first", "second"}) {
    m.Add(name, TensorType::kQ2_0, {elements}).data.resize(elements / 128 * 34);
    for (std::uint8_t& byte : m.tensors.back().data) byte = dice.Byte() & 0x33;
  }
  m.LayOut();
  return Write(m);
}

}  // namespace

Recipes DataLayoutRecipes() {
  Recipes recipes = OffsetRecipes();
  for (Recipe& recipe : recipes) {
    if (recipe.file == "invalid/tensor-data-bounds.no-padding.gguf") {
      recipe.make = FirstBytes(recipe.make, 110);
    }
  }
  recipes.push_back(
      {.file = "invalid/tensor-order.fork-layout.gguf",
       .shows =
           "type 42 as a fork writes it, 34 bytes for 128 elements where the reference has 36: "
           "the room between the offsets tells",
       .verdict = kReject,
       .rules = {"tensor-data-bounds", "tensor-order", "tensor-overlap"},
       .recipe = "two rows of 2048 elements, 544 bytes each; the reference expects 576",
       .make = [] { return ForkLayout(2048); },
       .cause = "fork-layout"});
  recipes.push_back(
      {.file = "valid/tensor-order.fork-layout-hidden.gguf",
       .shows = "the same fork, rows of 1024: 272 bytes or 288, which the padding makes one; the "
                "file cannot be told from a sound one by its layout, and llama.cpp loads it wrong",
       .verdict = kAccept,
       .recipe = "two rows of 1024 elements, 272 bytes each",
       .make = [] { return ForkLayout(1024); }});
  return recipes;
}

}  // namespace ggufgate::corpus
