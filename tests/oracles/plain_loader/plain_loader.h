#pragma once

// A loader in small, as llama.cpp is one: it reads hyper-parameters, wants the tensors that follow
// from them and no others, each in its shape, and then runs the graph. It loads what has the layers
// of llama, qwen3 or gemma3, dense or with experts, and refuses all else.
//
// It is there for bugs to be planted in (docs/planted-bugs.md) that only a file can reach which
// loads: Decode() trusts what Load() has looked at. Read by the witness, so that it shares no line
// with the gate. Its floats are none: what is asked of a graph here is where it reads and writes.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace plain {

// PerLayer is a number that layers have: one for all of them, or an array with an element for each.
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

// Tensor is one of the file's, with its data in memory of its own: what reads past its end reads
// nobody's memory.
struct Tensor {
  std::uint64_t columns = 0;
  std::uint64_t rows = 0;  // all there are, whatever the number of dimensions
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
  std::uint64_t experts_used = 0;  // for one token
  PerLayer heads;
  PerLayer key_value_heads;  // divide the heads
  PerLayer feed_forward;
  std::vector<std::uint64_t> special;  // ids of special tokens, below `tokens`
  std::unordered_map<std::string, Tensor> tensors;

  // Find is nullptr where there is no such tensor.
  [[nodiscard]] const Tensor* Find(const std::string& name) const;
  // OfLayer finds "blk.LAYER.NAME".
  [[nodiscard]] const Tensor* OfLayer(std::size_t layer, const char* name) const;
};

// Load is the model of a file; nullopt where it is refused.
[[nodiscard]] std::optional<Model> Load(std::span<const std::uint8_t> file);

// Decode runs two tokens through the graph and gives the token that it finds most likely.
std::uint64_t Decode(const Model& model);

}  // namespace plain
