#pragma once

// A small loader in the style of llama.cpp. It reads hyper-parameters, requires exactly the tensors
// that follow from them, each in its shape, and then runs the graph. It loads models with the
// layers of llama, qwen3 or gemma3, dense or with experts, and refuses all others.
//
// Its purpose are planted bugs (docs/planted-bugs.md) that only a file that loads can reach:
// Decode() trusts the checks of Load(). It uses the witness as its parser, so that it shares no
// code with the gate. Its floats are meaningless, because only the addresses that a graph reads and
// writes matter here.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace plain {

// PerLayer is a number per layer: one for all, or an array with an element for each.
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

// Tensor is a tensor of the file. Its data have a separate allocation, so that a read past its end
// is detected.
struct Tensor {
  std::uint64_t columns = 0;
  std::uint64_t rows = 0;  // all rows, for any number of dimensions
  bool floats = false;
  std::vector<std::uint8_t> data;

  [[nodiscard]] std::uint64_t RowBytes() const { return data.size() / rows; }
};

struct Model {
  std::uint64_t layers = 0;
  std::uint64_t embedding = 0;
  std::uint64_t tokens = 0;
  std::uint64_t key_width = 0;    // per head
  std::uint64_t value_width = 0;  // per head
  std::uint64_t experts = 0;
  std::uint64_t experts_used = 0;  // per token
  PerLayer heads;
  PerLayer key_value_heads;  // must divide the number of heads
  PerLayer feed_forward;
  std::vector<std::uint64_t> special;  // ids of special tokens, less than `tokens`
  std::unordered_map<std::string, Tensor> tensors;

  // Find returns nullptr if there is no such tensor.
  [[nodiscard]] const Tensor* Find(const std::string& name) const;
  // OfLayer finds "blk.LAYER.NAME".
  [[nodiscard]] const Tensor* OfLayer(std::size_t layer, const char* name) const;
};

// Load returns the model of a file, or nullopt if it refuses the file.
[[nodiscard]] std::optional<Model> Load(std::span<const std::uint8_t> file);

// Decode runs two tokens through the graph and returns the most likely token.
std::uint64_t Decode(const Model& model);

}  // namespace plain
