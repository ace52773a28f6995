#include "check/rules/contract/parameters/compressed_kinds.h"

#include "check/rules/contract/parameters/formula_words.h"
#include "check/rules/rule_functions.h"
#include "check/rules/tokenizer/vocabulary_view.h"

namespace ggufgate {
namespace {

bool HasKinds(const LoaderParameters& parameters) {
  const std::string_view architecture = parameters.architecture();
  return architecture == "deepseek2" || architecture == "mistral4";
}

// IsLite: models of some sizes have uncompressed queries, and the loader requires other keys and
// tensors. Source: llama.cpp v0.5.0, measured with each number of layers.
bool IsLite(const Context& context, const LoaderParameters& parameters) {
  const Number layers = parameters.all_layers();
  if (layers == 26 || layers == 27) return true;
  return layers == 48 && VocabularyOf(context).token_count == 128256;
}

// IsOfCompressedQueries returns whether only models that are not lite have a key or tensor.
bool IsOfCompressedQueries(std::string_view name) {
  return name == "attention.q_lora_rank" || name.starts_with("blk.*.attn_q_");
}

}  // namespace

// Source: load_arch_tensors of src/models/deepseek2.cpp of llama.cpp v0.5.0.
CompressedKinds::CompressedKinds(const Context& context, const LoaderParameters& parameters)
    : lite_(HasKinds(parameters) && IsLite(context, parameters)),
      unsplit_(HasKinds(parameters) && !formula::IsLatent(parameters)) {}

std::string_view CompressedKinds::Instead(std::string_view name) const {
  if (lite_ && IsOfCompressedQueries(name)) return "";
  if (unsplit_ && name == "blk.*.attn_v_b.weight") return "";
  if (unsplit_ && name == "blk.*.attn_k_b.weight") return "blk.*.attn_kv_b.weight";
  return name;
}

}  // namespace ggufgate
