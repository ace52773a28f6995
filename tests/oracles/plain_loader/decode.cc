// The graph. It uses only numbers that Load() has checked.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

#include "tests/oracles/plain_loader/plain_loader.h"

namespace plain {
namespace {

using Vector = std::vector<float>;
using View = std::span<const float>;

// Row returns a row of a tensor. It does not decode blocks of quantised types, but makes as many
// numbers of the bytes of a row as the row has elements.
Vector Row(const Tensor& tensor, std::size_t number) {
  const std::size_t size = tensor.RowBytes();
  const auto bytes = std::span(tensor.data).subspan(number * size, size);
  Vector row(tensor.columns);
  if (tensor.floats) {
    std::memcpy(row.data(), bytes.data(), row.size() * sizeof(float));
    return row;
  }
  for (std::size_t i = 0; i < row.size(); ++i) {
    row[i] = (static_cast<float>(bytes[i * size / row.size()]) - 128) / 1024;
  }
  return row;
}

float Dot(View a, View b) { return std::inner_product(a.begin(), a.end(), b.begin(), 0.0F); }

// Product multiplies `count` rows of a matrix, from `first` on, by a vector.
Vector Product(const Tensor& matrix, View vector, std::size_t first, std::size_t count) {
  Vector product(count);
  for (std::size_t i = 0; i < count; ++i) product[i] = Dot(Row(matrix, first + i), vector);
  return product;
}

Vector Product(const Tensor& matrix, View vector) {
  return Product(matrix, vector, 0, matrix.rows);
}

Vector Norm(const Tensor& weight, View vector) {
  const float scale = 1 / std::sqrt(Dot(vector, vector) / static_cast<float>(vector.size()) + 1);
  Vector norm = Row(weight, 0);
  for (std::size_t i = 0; i < norm.size(); ++i) norm[i] *= vector[i] * scale;
  return norm;
}

void Add(Vector& sum, View more) {
  std::ranges::transform(sum, more, sum.begin(), std::plus<float>());
}

// Cache holds the keys and values of one layer, position by position.
struct Cache {
  Vector keys;
  Vector values;
};

class Graph {
 public:
  Graph(const Model& model, std::size_t positions)
      : model_(model), caches_(model.layers), special_((model.tokens + 7) / 8) {
    for (std::size_t layer = 0; layer < model.layers; ++layer) {
      const std::size_t heads = model.key_value_heads.At(layer);
      caches_[layer].keys.resize(positions * heads * model.key_width);
      caches_[layer].values.resize(positions * heads * model.value_width);
    }
    for (const std::uint64_t id : model.special) {
      special_[id / 8] |= static_cast<std::uint8_t>(1U << id % 8);
    }
  }

  // Step returns the logits after a token.
  Vector Step(std::size_t token, std::size_t position) {
    Vector state = Row(*model_.Find("token_embd.weight"), token);
    for (std::size_t layer = 0; layer < model_.layers; ++layer) {
      Add(state, Attention(layer, state, position));
      const Vector input = Norm(*model_.OfLayer(layer, "ffn_norm.weight"), state);
      Add(state, model_.experts > 0 ? Experts(layer, input) : FeedForward(layer, input));
    }
    const Tensor* const output = model_.Find("output.weight");
    return Product(output != nullptr ? *output : *model_.Find("token_embd.weight"),
                   Norm(*model_.Find("output_norm.weight"), state));
  }

  [[nodiscard]] bool IsSpecial(std::size_t token) const {
    return (special_[token / 8] >> token % 8 & 1) != 0;
  }

 private:
  // Projected multiplies the input by a separate matrix, or by its rows of the joined one.
  Vector Projected(std::size_t layer, const char* name, View input, std::size_t first,
                   std::size_t count) {
    if (const Tensor* const joined = model_.OfLayer(layer, "attn_qkv.weight")) {
      return Product(*joined, input, first, count);
    }
    return Product(*model_.OfLayer(layer, name), input);
  }

  Vector Attention(std::size_t layer, View state, std::size_t position) {
    const Vector input = Norm(*model_.OfLayer(layer, "attn_norm.weight"), state);
    const std::size_t heads = model_.heads.At(layer);
    const std::size_t queries = heads * model_.key_width;
    const std::size_t keys = model_.key_value_heads.At(layer) * model_.key_width;
    const std::size_t values = model_.key_value_heads.At(layer) * model_.value_width;
    const Vector query = Projected(layer, "attn_q.weight", input, 0, queries);
    const Vector key = Projected(layer, "attn_k.weight", input, queries, keys);
    const Vector value = Projected(layer, "attn_v.weight", input, queries + keys, values);
    Cache& cache = caches_[layer];
    std::ranges::copy(key, std::span(cache.keys).subspan(position * keys, keys).begin());
    std::ranges::copy(value, std::span(cache.values).subspan(position * values, values).begin());
    Vector attended(heads * model_.value_width);
    for (std::size_t head = 0; head < heads; ++head) {
      // Some heads share keys and values.
      const std::size_t shared = head / (heads / model_.key_value_heads.At(layer));
      Attend(cache, position + 1, View(query).subspan(head * model_.key_width, model_.key_width),
             shared, std::span(attended).subspan(head * model_.value_width, model_.value_width));
    }
    return Product(*model_.OfLayer(layer, "attn_output.weight"), attended);
  }

  void Attend(const Cache& cache, std::size_t positions, View query, std::size_t head,
              std::span<float> out) const {
    const std::size_t heads = cache.keys.size() / model_.key_width / kPositions;
    for (std::size_t position = 0; position < positions; ++position) {
      const std::size_t row = position * heads + head;
      const float weight =
          Dot(View(cache.keys).subspan(row * model_.key_width, model_.key_width), query);
      const View value = View(cache.values).subspan(row * model_.value_width, model_.value_width);
      for (std::size_t i = 0; i < out.size(); ++i) out[i] += weight * value[i];
    }
  }

  Vector FeedForward(std::size_t layer, View input) const {
    Vector wide = Product(*model_.OfLayer(layer, "ffn_up.weight"), input);
    if (const Tensor* const gate = model_.OfLayer(layer, "ffn_gate.weight")) {
      Add(wide, Product(*gate, input));
    }
    return Product(*model_.OfLayer(layer, "ffn_down.weight"), wide);
  }

  // Experts sums the results of the experts with the highest votes.
  Vector Experts(std::size_t layer, View input) const {
    const Vector votes = Product(*model_.OfLayer(layer, "ffn_gate_inp.weight"), input);
    std::vector<std::size_t> order(votes.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, [&](std::size_t one, std::size_t other) {
      const float more = Rank(votes[one]);
      const float less = Rank(votes[other]);
      return more != less ? more > less : one < other;
    });
    std::vector<std::size_t> chosen(model_.experts_used);
    for (std::size_t i = 0; i < model_.experts_used; ++i) chosen[i] = order[i];
    Vector sum(model_.embedding);
    for (const std::size_t expert : chosen) {
      const std::size_t width = model_.feed_forward.At(layer);
      const Vector wide =
          Product(*model_.OfLayer(layer, "ffn_up_exps.weight"), input, expert * width, width);
      Add(sum, Product(*model_.OfLayer(layer, "ffn_down_exps.weight"), wide,
                       expert * model_.embedding, model_.embedding));
    }
    return sum;
  }

  // Rank also orders NaN.
  static float Rank(float vote) { return std::isnan(vote) ? 0 : vote; }

 public:
  static constexpr std::size_t kPositions = 2;

 private:
  const Model& model_;
  std::vector<Cache> caches_;
  std::vector<std::uint8_t> special_;  // one bit per token
};

}  // namespace

std::uint64_t Decode(const Model& model) {
  Graph graph(model, Graph::kPositions);
  graph.Step(model.special.empty() ? 0 : model.special.front(), 0);
  const Vector logits = graph.Step(model.tokens - 1, 1);
  std::uint64_t best = 0;
  for (std::uint64_t token = 0; token < logits.size(); ++token) {
    if (logits[token] > logits[best] && !graph.IsSpecial(token)) best = token;
  }
  return best;
}

}  // namespace plain
