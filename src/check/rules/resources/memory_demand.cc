// The rule about memory that a loader allocates because of a few bytes.
//
// The formulas are those of llama.cpp v0.5.0:
//
// - caches of keys and values (src/llama-kv-cache.cpp, n_embd_k_gqa and n_embd_v_gqa of
//   src/llama-hparams.cpp, in F16)
// - recurrent states (n_embd_r and n_embd_s, in F32)
// - logits of a batch of 512 tokens and the output buffer (output_reserve of src/llama-context.cpp)
// - results of an encoder (t5)
// - the attention mask
// - the vocabulary (src/llama-vocab.cpp)
// - the list of tokens in a window (set_input_kq_mask of llama-kv-cache.cpp)
// - control vectors (common/common.cpp)
//
// For a per-layer array, each formula uses the largest number for all layers. So it may give too
// much, but never too little. Amounts that the sizes of the tensors limit are omitted: they are
// proportional to the file.

#include <algorithm>
#include <array>
#include <span>

#include "bytes/checked.h"
#include "check/hyper_parameters.h"
#include "check/rules/rule_functions.h"
#include "check/values.h"
#include "format/loader_limits.h"

namespace ggufgate {
namespace {

// Memory for graphs and buffers of a context without weights: 47 to 80 MiB were measured.
constexpr std::uint64_t kEveryContext = std::uint64_t{96} << 20;

// Amount is a saturating number of bytes.
class Amount {
 public:
  Amount(std::uint64_t value = 0) : value_(value) {}  // NOLINT(google-explicit-constructor)
  friend Amount operator+(Amount a, Amount b) {
    return CheckedAdd(a.value_, b.value_).value_or(UINT64_MAX);
  }
  friend Amount operator*(Amount a, Amount b) {
    return CheckedMul(a.value_, b.value_).value_or(UINT64_MAX);
  }
  [[nodiscard]] std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_;
};

// Number is the value of a key (for an array, the largest), and its entry.
struct Number {
  const MetadataEntry* entry = nullptr;
  std::uint64_t value = 0;

  [[nodiscard]] std::uint64_t Or(std::uint64_t fallback) const {
    return entry != nullptr ? value : fallback;
  }
};

// Demand is a sum of allocations. It remembers the number that causes the largest part.
class Demand {
 public:
  // Add adds `bytes`, which depend on `numbers`.
  void Add(Amount bytes, std::span<const Number> numbers) {
    total_ = total_ + bytes;
    if (bytes.value() <= most_) return;
    const auto largest = std::ranges::max_element(numbers, {}, &Number::value);
    if (largest->entry == nullptr) return;
    most_ = bytes.value();
    culprit_ = largest->entry;
  }
  [[nodiscard]] std::uint64_t total() const { return total_.value(); }
  [[nodiscard]] const MetadataEntry* culprit() const { return culprit_; }

 private:
  Amount total_ = kEveryContext;
  std::uint64_t most_ = 0;
  const MetadataEntry* culprit_ = nullptr;
};

class Reckoner {
 public:
  explicit Reckoner(const Context& context)
      : document_(context.document),
        parameters_(context.parameters),
        layers_(parameters_.Layers().value_or(0)),
        width_(Of("embedding_length")) {}

  // For computes the memory for loading and for a context of `tokens` tokens.
  [[nodiscard]] Demand For(std::uint64_t tokens, const Number& context_length) const {
    Demand demand;
    AddKeysAndValues(tokens, context_length, demand);
    AddStates(demand);
    AddOutputs(demand);
    AddEncoded(demand);
    const Number window = Of("attention.sliding_window");
    demand.Add(Amount(4) * window.value, std::array{window});
    return demand;
  }

  [[nodiscard]] Number Of(std::string_view name) const {
    const MetadataEntry* entry = parameters_.Find(name);
    if (entry == nullptr) return {};
    Number number{.entry = entry};
    if (const std::optional<Integer> value = IntegerOf(document_, *entry)) {
      number.value = value->Unsigned().value_or(0);
    }
    const std::uint64_t count = entry->type == ValueType::kArray ? entry->count : 0;
    for (std::uint64_t i = 0; i < std::min(count, kMostLayers); ++i) {
      const std::optional<Integer> value = IntegerAt(document_, *entry, i);
      number.value = std::max(number.value, value ? value->Unsigned().value_or(0) : 0);
    }
    return number;
  }

 private:
  // FirstOf returns the number of the first layer: the loader divides by that, regardless of the
  // others.
  [[nodiscard]] std::uint64_t FirstOf(const Number& number) const {
    if (number.entry->type != ValueType::kArray) return number.value;
    const std::optional<Integer> first = IntegerAt(document_, *number.entry, 0);
    return first ? first->Unsigned().value_or(0) : 0;
  }

  void AddKeysAndValues(std::uint64_t tokens, const Number& context_length, Demand& demand) const {
    const Number heads = Of("attention.head_count");
    if (heads.value == 0) return;  // then key_length is not read
    const Number heads_kv = Of("attention.head_count_kv");
    const std::array keys = {Of("attention.key_length"), Of("attention.key_length_swa")};
    const std::array values = {Of("attention.value_length"), Of("attention.value_length_swa")};
    const Number indexer = Of("attention.indexer.key_length");
    const std::uint64_t first = FirstOf(heads);
    const std::uint64_t of_head = width_.value / (first > 0 ? first : heads.value);
    const auto widest = [&](const std::array<Number, 2>& lengths) {
      return std::max(lengths[0].Or(of_head), lengths[1].value);
    };
    const Amount of_token =
        Amount(heads_kv.Or(heads.value)) * (Amount(widest(keys)) + widest(values));
    const Amount cache = Amount(2) * layers_ * tokens * (of_token + indexer.value);
    constexpr std::uint64_t kCell = 52;  // position, shift, and its sequences
    const Amount mask = (Amount(2) * kDefaultBatch + kCell) * tokens;
    demand.Add(cache + mask, std::array{heads, heads_kv, keys[0], keys[1], values[0], values[1],
                                        indexer, width_, context_length});
  }

  void AddStates(Demand& demand) const {
    const Amount per_float = Amount(4) * layers_;
    const Number shifts = Of("token_shift_count");
    const Number head = Of("wkv.head_size");
    if (head.value > 0) {
      const Amount state = Amount(width_.value) * (Amount(head.value) + shifts.Or(2));
      demand.Add(per_float * state, std::array{shifts, head, width_});
    }
    const Number inner = Of("ssm.inner_size");
    const Number state = Of("ssm.state_size");
    const Number groups = Of("ssm.group_count");
    const Number kernel = Of("ssm.conv_kernel");
    const Amount convolved = Amount(inner.value) + Amount(2) * groups.value * state.value;
    const Amount kept = Amount(std::max<std::uint64_t>(kernel.value, 1) - 1) * convolved;
    demand.Add(per_float * (kept + Amount(state.value) * inner.value),
               std::array{inner, state, groups, kernel});
    const Number taps = Of("shortconv.l_cache");
    demand.Add(per_float * taps.value * width_.value, std::array{taps, width_});
    const Number linear = Of("kda.head_dim");
    const Number heads = Of("attention.head_count");
    const Amount taken =
        Amount(linear.value) + Amount(3) * std::max<std::uint64_t>(kernel.value, 4);
    demand.Add(per_float * heads.value * linear.value * taken, std::array{linear, heads, kernel});
  }

  void AddOutputs(Demand& demand) const {
    const Number out = Of("embedding_length_out");
    demand.Add(Amount(4) * kDefaultBatch * out.value,
               std::array{out});  // encoders return it for each token
    const Number vocabulary = Vocabulary();
    constexpr std::uint64_t kToken = 40;  // llama_vocab::token_data: a string, a score, attributes
    constexpr std::uint64_t kLogits =
        4 * (kDefaultBatch + 1);  // in the graph, and the last ones kept
    demand.Add(Amount(kToken + kLogits) * vocabulary.value, std::array{vocabulary});
  }

  // A decoder allocates for the longest input that its encoder accepts (build_inp_cross_embd of
  // src/llama-graph.cpp): three times its embeddings, scores and a mask.
  void AddEncoded(Demand& demand) const {
    if (parameters_.architecture() != "t5") return;
    const Number text = Of("context_length");
    const Number heads = Of("attention.head_count");
    const Amount of_token =
        Amount(12) * width_.value + Amount(4 * kDefaultBatch) * (Amount(heads.value) + 1);
    demand.Add(of_token * text.value, std::array{text, heads, width_});
  }

  // Vocabulary returns the number of tokens in the file; without a list of tokens, the number that
  // a key states.
  [[nodiscard]] Number Vocabulary() const {
    const MetadataEntry* model = document_.Find("tokenizer.ggml.model");
    if (model == nullptr) return {};
    const std::string_view word = TextOf(document_, *model).value_or("");
    if (word == "no_vocab" || word == "none") return Of("vocab_size");
    const MetadataEntry* tokens = document_.Find("tokenizer.ggml.tokens");
    if (tokens == nullptr || tokens->type != ValueType::kArray) return {};
    return {.entry = tokens, .value = tokens->count};
  }

  const Document& document_;
  const HyperParameters& parameters_;
  std::uint64_t layers_;
  Number width_;
};

void Say(const Context& context, const Demand& demand, std::uint64_t allowed,
         MemoryDemandWording wording, Sink& sink) {
  const MetadataEntry* entry = demand.culprit();
  if (entry == nullptr) return;
  sink.Add({.where = entry->ValueRange(),
            .subject = MetadataSubject(context.document, *entry),
            .observed = demand.total(),
            .allowed = allowed,
            .wording = wording,
            .at_most = wording == MemoryDemandWording::kWholeContext ? Severity::kWarning
                                                                     : Severity::kError});
}

// llama.cpp stores a direction for every layer, up to the highest layer in the file.
void CheckControlVector(const Context& context, std::uint64_t allowed, Sink& sink) {
  constexpr std::string_view kPrefix = "direction.";
  for (const TensorInfo& tensor : context.document.tensors) {
    if (!tensor.name.starts_with(kPrefix)) continue;
    std::uint64_t layer = 0;
    for (const char c : tensor.name.substr(kPrefix.size(), 4)) {
      if (c >= '0' && c <= '9') layer = layer * 10 + static_cast<std::uint64_t>(c - '0');
    }
    const Amount bytes = Amount(4) * tensor.dims.front() * layer;
    if (layer > kMostLayers || bytes.value() <= allowed) continue;  // rule adapter reports it
    sink.Add({.where = tensor.NameRange(),
              .subject = TensorSubject(context.document, tensor),
              .observed = bytes.value(),
              .allowed = allowed,
              .wording = MemoryDemandWording::kControlVector});
  }
}

}  // namespace

// The full context of a model may need many times the memory of the model: about 300 times in
// published models for four million tokens.
void CheckMemoryDemand(const Context& context, Sink& sink) {
  constexpr std::uint64_t kTimesTheFile = 1024;
  const std::uint64_t limit = context.policy.limits.loader_memory;
  const std::uint64_t file = context.document.file_size;
  const std::uint64_t allowed = (Amount(file) + limit).value();
  CheckControlVector(context, allowed, sink);

  const Reckoner reckoner(context);
  const Number length = reckoner.Of("context_length");
  const Demand demand = reckoner.For(kDefaultContext, {});
  if (demand.total() > allowed)
    return Say(context, demand, allowed, MemoryDemandWording::kAtOnce, sink);
  // A shard is only a part of the model, and llama.cpp makes no context for a vocabulary alone.
  if (length.entry == nullptr || HasOtherShards(context.document)) return;
  if (context.document.tensors.empty()) return;
  const std::uint64_t for_all = (Amount(file) * kTimesTheFile + limit).value();
  const Demand whole = reckoner.For(length.value, length);
  if (whole.total() > for_all)
    Say(context, whole, for_all, MemoryDemandWording::kWholeContext, sink);
}

}  // namespace ggufgate
