// Loads a model from a file; all refusals happen here.

#include <algorithm>
#include <array>
#include <string_view>

#include "tests/oracles/plain_loader/plain_loader.h"
#include "witness/witness.h"

namespace plain {
namespace {

using File = std::span<const std::uint8_t>;

constexpr std::uint32_t kU32 = 4;
constexpr std::uint32_t kArray = 9;
constexpr std::uint32_t kF32 = 0;  // of tensors
constexpr std::uint64_t kMostLayers = 128;
constexpr std::uint64_t kMostExperts = 128;
constexpr std::uint64_t kWidest = std::uint64_t{1} << 16;

std::uint64_t U32At(File file, std::uint64_t at) {
  std::uint64_t number = 0;
  for (std::uint64_t i = 4; i > 0; --i) number = number << 8 | file[at + i - 1];
  return number;
}

// Keys returns metadata for a loader.
class Keys {
 public:
  Keys(File file, const witness::File& read) : file_(file), read_(read) {
    const witness::Entry* const entry = Find("general.architecture");
    if (entry != nullptr && entry->texts.size() == 1) architecture_ = entry->texts.front();
  }

  [[nodiscard]] const witness::Entry* Find(const std::string& key) const {
    const auto found = std::ranges::find(read_.entries, key, &witness::Entry::key);
    return found != read_.entries.end() ? &*found : nullptr;
  }

  [[nodiscard]] const witness::Entry* FindOwn(const char* name) const {
    return Find(architecture_ + "." + name);
  }

  // Number returns `absent` if the key is missing, and nullopt if it is not a u32.
  [[nodiscard]] std::optional<std::uint64_t> Number(const char* name,
                                                    std::optional<std::uint64_t> absent) const {
    const witness::Entry* const entry = FindOwn(name);
    if (entry == nullptr) return absent;
    return entry->type == kU32 ? std::optional(entry->natural) : std::nullopt;
  }

  // Each returns one number per layer.
  [[nodiscard]] std::optional<PerLayer> Each(const char* name, std::uint64_t layers,
                                             const std::optional<PerLayer>& absent) const {
    const witness::Entry* const entry = FindOwn(name);
    if (entry == nullptr) return absent;
    if (entry->type == kU32) return PerLayer(entry->natural);
    if (entry->type != kArray || entry->element_type != kU32 || entry->count != layers) {
      return std::nullopt;
    }
    std::vector<std::uint64_t> each;
    for (std::uint64_t i = 0; i < layers; ++i) {
      each.push_back(U32At(file_, entry->contents + 4 * i));
    }
    return PerLayer(std::move(each));
  }

 private:
  File file_;
  const witness::File& read_;
  std::string architecture_;
};

bool ReadNumbers(const Keys& keys, Model& model) {
  const auto layers = keys.Number("block_count", std::nullopt);
  const auto embedding = keys.Number("embedding_length", std::nullopt);
  if (!layers || *layers < 1 || *layers > kMostLayers) return false;
  if (!embedding || *embedding < 1 || *embedding > kWidest) return false;
  const auto heads = keys.Each("attention.head_count", *layers, std::nullopt);
  const auto key_value_heads = keys.Each("attention.head_count_kv", *layers, heads);
  const auto feed_forward = keys.Each("feed_forward_length", *layers, std::nullopt);
  if (!heads || !key_value_heads || !feed_forward || heads->At(0) == 0) return false;
  const std::uint64_t width = *embedding / heads->At(0);
  const auto key_width = keys.Number("attention.key_length", width);
  const auto value_width = keys.Number("attention.value_length", width);
  const auto experts = keys.Number("expert_count", 0);
  const auto used = keys.Number("expert_used_count", 0);
  if (!key_width || !value_width || !experts || !used) return false;
  if (*key_width < 1 || *key_width > kWidest || *value_width < 1 || *value_width > kWidest) {
    return false;
  }
  if (*experts > kMostExperts || *used > *experts || (*experts > 0 && *used == 0)) return false;
  model.layers = *layers;
  model.embedding = *embedding;
  model.key_width = *key_width;
  model.value_width = *value_width;
  model.experts = *experts;
  model.experts_used = *used;
  model.heads = *heads;
  model.key_value_heads = *key_value_heads;
  model.feed_forward = *feed_forward;
  for (std::size_t layer = 0; layer < model.layers; ++layer) {
    const std::uint64_t all = heads->At(layer);
    const std::uint64_t shared = key_value_heads->At(layer);
    if (shared == 0 || all == 0 || all > kWidest || all % shared != 0) return false;
    if (feed_forward->At(layer) == 0 || feed_forward->At(layer) > kWidest) return false;
  }
  return true;
}

bool ReadVocabulary(const Keys& keys, const witness::File& read, Model& model) {
  const witness::Entry* const tokens = keys.Find("tokenizer.ggml.tokens");
  if (tokens == nullptr || tokens->type != kArray || tokens->texts.empty()) return false;
  model.tokens = tokens->texts.size();
  for (const witness::Entry& entry : read.entries) {
    const std::string_view key = entry.key;
    if (!key.starts_with("tokenizer.ggml.") || !key.ends_with("_token_id")) continue;
    // An id without a token is ignored, as in llama.cpp.
    if (entry.type == kU32 && entry.natural < model.tokens) model.special.push_back(entry.natural);
  }
  return true;
}

// Dim names the value that determines a dimension.
enum class Dim : std::uint8_t {
  kNone,
  kAny,
  kOne,
  kEmbedding,
  kTokens,
  kQueries,
  kKeys,
  kValues,
  kJoined,    // queries, keys and values
  kAttended,  // the output of the heads
  kKeyWidth,
  kFeedForward,
  kExperts,
};

struct Wanted {
  std::string_view name;  // after "blk.N." in layers
  std::array<Dim, 3> dims;
};

using enum Dim;
constexpr auto kOfModel = std::to_array<Wanted>({{"token_embd.weight", {kEmbedding, kTokens}},
                                                 {"output.weight", {kEmbedding, kTokens}},
                                                 {"output_norm.weight", {kEmbedding}},
                                                 {"rope_freqs.weight", {kAny}},
                                                 {"cls.output.weight", {kEmbedding}}});
constexpr auto kOfLayers = std::to_array<Wanted>({
    {"attn_norm.weight", {kEmbedding}},
    {"post_attention_norm.weight", {kEmbedding}},
    {"ffn_norm.weight", {kEmbedding}},
    {"post_ffw_norm.weight", {kEmbedding}},
    {"attn_q.weight", {kEmbedding, kQueries}},
    {"attn_k.weight", {kEmbedding, kKeys}},
    {"attn_v.weight", {kEmbedding, kValues}},
    {"attn_qkv.weight", {kEmbedding, kJoined}},
    {"attn_qkv.bias", {kJoined}},
    {"attn_q_norm.weight", {kKeyWidth}},
    {"attn_k_norm.weight", {kKeyWidth}},
    {"attn_output.weight", {kAttended, kEmbedding}},
    {"attn_output.bias", {kEmbedding}},
    {"ffn_gate.weight", {kEmbedding, kFeedForward}},
    {"ffn_up.weight", {kEmbedding, kFeedForward}},
    {"ffn_down.weight", {kFeedForward, kEmbedding}},
    {"ffn_gate.bias", {kFeedForward}},
    {"ffn_up.bias", {kFeedForward}},
    {"ffn_down.bias", {kEmbedding}},
    {"ffn_gate_inp.weight", {kEmbedding, kExperts}},
    {"ffn_gate_exps.weight", {kEmbedding, kFeedForward, kExperts}},
    {"ffn_up_exps.weight", {kEmbedding, kFeedForward, kExperts}},
    {"ffn_down_exps.weight", {kFeedForward, kEmbedding, kExperts}},
});

std::uint64_t Length(const Model& model, std::size_t layer, Dim dim) {
  const std::uint64_t heads = model.heads.At(layer);
  const std::uint64_t shared = model.key_value_heads.At(layer);
  switch (dim) {
    case kEmbedding:
      return model.embedding;
    case kTokens:
      return model.tokens;
    case kQueries:
      return heads * model.key_width;
    case kKeys:
      return shared * model.key_width;
    case kValues:
      return shared * model.value_width;
    case kJoined:
      return (heads + shared) * model.key_width + shared * model.value_width;
    case kAttended:
      return heads * model.value_width;
    case kKeyWidth:
      return model.key_width;
    case kFeedForward:
      return model.feed_forward.At(layer);
    case kExperts:
      return model.experts;
    default:
      return 1;
  }
}

bool HasShape(const Model& model, std::size_t layer, const Wanted& wanted,
              const witness::Tensor& tensor) {
  for (std::size_t i = 0; i < wanted.dims.size(); ++i) {
    const std::uint64_t length = i < tensor.dims.size() ? tensor.dims[i] : 1;
    if (wanted.dims.at(i) != kAny && length != Length(model, layer, wanted.dims.at(i))) {
      return false;
    }
  }
  return tensor.dims.size() <= wanted.dims.size();
}

// IsScale tells whether a tensor contains the scales for the matrix of a few types.
bool IsScale(const Model& model, std::string_view name, const witness::Tensor& tensor) {
  if (!name.ends_with(".scale") && !name.ends_with(".input_scale")) return false;
  return tensor.dims.size() == 1 && (tensor.dims[0] == 1 || tensor.dims[0] == model.experts);
}

// IsWanted tells whether a model with these parameters has a tensor of this name and shape.
bool IsWanted(const Model& model, const witness::Tensor& tensor) {
  std::string_view name = tensor.name;
  std::span<const Wanted> list = kOfModel;
  std::size_t layer = 0;
  if (name.starts_with("blk.")) {
    while (layer < model.layers && !name.starts_with("blk." + std::to_string(layer) + ".")) ++layer;
    if (layer == model.layers) return false;
    name.remove_prefix(name.find('.', 4) + 1);
    if (IsScale(model, name, tensor)) return true;
    list = kOfLayers;
  }
  const auto wanted = std::ranges::find(list, name, &Wanted::name);
  return wanted != list.end() && HasShape(model, layer, *wanted, tensor);
}

bool TakeTensors(File file, const witness::File& read, Model& model) {
  for (const witness::Tensor& tensor : read.tensors) {
    if (!IsWanted(model, tensor) || !tensor.sized || tensor.dims.empty()) return false;
    if (std::ranges::find(tensor.dims, 0U) != tensor.dims.end()) return false;
    Tensor& taken = model.tensors[tensor.name];
    taken.columns = tensor.dims[0];
    taken.rows = 1;
    for (std::size_t i = 1; i < tensor.dims.size(); ++i) taken.rows *= tensor.dims[i];
    taken.floats = tensor.type == kF32;
    const File data = file.subspan(read.data + tensor.offset, tensor.bytes);
    taken.data.assign(data.begin(), data.end());
  }
  return true;
}

// HasGraph tells whether all tensors exist that the graph requires.
bool HasGraph(const Model& model) {
  if (model.Find("token_embd.weight") == nullptr || model.Find("output_norm.weight") == nullptr) {
    return false;
  }
  for (std::size_t layer = 0; layer < model.layers; ++layer) {
    const auto has = [&](std::initializer_list<const char*> names) {
      return std::ranges::all_of(
          names, [&](const char* name) { return model.OfLayer(layer, name) != nullptr; });
    };
    const bool attends =
        has({"attn_q.weight", "attn_k.weight", "attn_v.weight"}) || has({"attn_qkv.weight"});
    const bool feeds =
        model.experts > 0
            ? has({"ffn_gate_inp.weight", "ffn_up_exps.weight", "ffn_down_exps.weight"})
            : has({"ffn_up.weight", "ffn_down.weight"});
    const bool others = has({"attn_norm.weight", "attn_output.weight", "ffn_norm.weight"});
    if (!attends || !feeds || !others) return false;
  }
  return true;
}

}  // namespace

const Tensor* Model::Find(const std::string& name) const {
  const auto found = tensors.find(name);
  return found != tensors.end() ? &found->second : nullptr;
}

const Tensor* Model::OfLayer(std::size_t layer, const char* name) const {
  return Find("blk." + std::to_string(layer) + "." + name);
}

std::optional<Model> Load(File file) {
  if (file.empty()) return std::nullopt;
  // Without the last byte, which is tensor data. So the witness does not check the bytes between
  // tensors, which no loader reads and which would take most of the time.
  const witness::Verdict verdict =
      witness::JudgeFront(file.first(file.size() - 1), file.size(), witness::Reading::kLlamaCpp);
  const witness::File& read = verdict.file;
  if (!verdict.Sound() || !read.whole || read.big_endian) return std::nullopt;
  const Keys keys(file, read);
  Model model;
  if (!ReadNumbers(keys, model) || !ReadVocabulary(keys, read, model)) return std::nullopt;
  if (!TakeTensors(file, read, model) || !HasGraph(model)) return std::nullopt;
  return model;
}

}  // namespace plain
