#pragma once

// A small loader that works like llama.cpp. It reads hyper-parameters, and requires exactly the
// tensors that follow from them, each with its shape. Then it runs the graph. It loads models with
// layers of llama, qwen3 or gemma3, dense or with experts, and refuses all others.
//
// Bugs are planted in it (docs/planted-bugs.md) that only a loadable file can reach: Decode()
// relies on the checks of Load(). It parses with the witness, so it shares no code with the gate.
// The values of its floats have no meaning: only the places of its reads and writes matter.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace plain {

// PerLayer is a number per layer: one for all, or an array with one element for each.
class PerLayer {
 public:
  PerLayer() = default;
  explicit PerLayer(std::uint64_t all) : all_(all) {}
  explicit PerLayer(std::vector<std::uint64_t> each) : each_(std::move(each)) {}

  [[nodiscard]] std::uint64_t At(std::size_t layer) const {
    return each_.empty() ? all_ : each_[layer];
  }

 private:
  std::uint64_t all_ = 0;
  std::vector<std::uint64_t> each_;
};

// Tensor is a tensor of the file, with a separate allocation for its data, so that reads past the
// end are detected.
struct Tensor {
  std::uint64_t columns = 0;
  std::uint64_t rows = 0;  // total number, over all dimensions
  bool floats = false;
  std::vector<std::uint8_t> data;

  [[nodiscard]] std::uint64_t RowBytes() const { return data.size() / rows; }
};

struct Model {
  std::uint64_t layers = 0;
  std::uint64_t embedding = 0;
  std::uint64_t tokens = 0;
  std::uint64_t key_width = 0;    // of one head
  std::uint64_t value_width = 0;  // of one head
  std::uint64_t experts = 0;
  std::uint64_t experts_used = 0;  // per token
  PerLayer heads;
  PerLayer key_value_heads;  // divides the heads
  PerLayer feed_forward;
  std::vector<std::uint64_t> special;  // ids of special tokens, below `tokens`
  std::unordered_map<std::string, Tensor> tensors;

  // Find returns nullptr if there is no such tensor.
  [[nodiscard]] const Tensor* Find(const std::string& name) const;
  // OfLayer finds "blk.LAYER.NAME".
  [[nodiscard]] const Tensor* OfLayer(std::size_t layer, const char* name) const;
};

// Load returns the model of a file; nullopt if it refuses the file.
[[nodiscard]] std::optional<Model> Load(std::span<const std::uint8_t> file);

// Decode runs two tokens through the graph and returns the most likely next token.
std::uint64_t Decode(const Model& model);

}  // namespace plain
