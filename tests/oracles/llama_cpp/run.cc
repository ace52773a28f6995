#include "tests/oracles/llama_cpp/run.h"

#include <array>
#include <cstring>

#include "tests/oracles/llama_cpp/session.h"

namespace ggufgate::oracles::llama_cpp {
namespace {

constexpr std::uint32_t kMostLabels = 1000;  // a model may claim 2^32 of them

void ReadMetadata(const Session& session) {
  const Library& llama = session.llama;
  std::array<char, 4096> text{};
  std::array<char, 3> short_text{};
  const int count = llama.llama_model_meta_count(session.model);
  for (int i = 0; i < count; ++i) {
    llama.llama_model_meta_key_by_index(session.model, i, text.data(), text.size());
    const std::string key(text.data());
    llama.llama_model_meta_val_str_by_index(session.model, i, text.data(), text.size());
    llama.llama_model_meta_val_str_by_index(session.model, i, short_text.data(), short_text.size());
    llama.llama_model_meta_val_str(session.model, key.c_str(), text.data(), text.size());
  }
}

// For a model without weights, some getters read uninitialised memory.
void ReadShape(const Session& session) {
  const Library& llama = session.llama;
  const llama_model* const model = session.model;
  std::array<char, 256> text{};
  llama.llama_model_desc(model, text.data(), text.size());
  Look(llama.llama_model_ftype(model));
  Look(llama.llama_model_size(model) + llama.llama_model_n_params(model));
  for (const auto getter :
       {llama.llama_model_n_ctx_train, llama.llama_model_n_embd, llama.llama_model_n_embd_inp,
        llama.llama_model_n_embd_out, llama.llama_model_n_layer, llama.llama_model_n_layer_nextn,
        llama.llama_model_n_head, llama.llama_model_n_head_kv, llama.llama_model_n_swa,
        llama.llama_model_decoder_start_token}) {
    Look(getter(model));
  }
  for (const auto getter : {llama.llama_model_has_encoder, llama.llama_model_has_decoder,
                            llama.llama_model_is_recurrent, llama.llama_model_is_hybrid,
                            llama.llama_model_is_diffusion}) {
    Look(getter(model));
  }
  Look(llama.llama_model_rope_type(model));
  Look(llama.llama_model_rope_freq_scale_train(model));
}

void ReadLabels(const Session& session) {
  const std::uint32_t count = session.llama.llama_model_n_cls_out(session.model);
  for (std::uint32_t i = 0; i < count && i < kMostLabels; ++i) {
    const char* const label = session.llama.llama_model_cls_label(session.model, i);
    if (label != nullptr) Look(std::strlen(label));
  }
}

bool Refuse(const Session& session) {
  session.progress.refused = true;
  return false;
}

// Work runs the stages of a loaded model; false if the library stopped early.
bool Work(Session& session) {
  const Library& llama = session.llama;
  session.Enter(Stage::kGetters);
  ReadMetadata(session);
  if (!session.options.vocabulary_only) ReadShape(session);
  ReadLabels(session);
  session.vocab = llama.llama_model_get_vocab(session.model);
  session.tokens = llama.llama_vocab_n_tokens(session.vocab);
  if (!session.options.no_text) ReadText(session);
  if (session.options.vocabulary_only) return true;
  if (!session.options.adapter.empty()) {
    session.Enter(Stage::kAdapter);
    session.adapter = llama.llama_adapter_lora_init(session.model, session.options.adapter.c_str());
    if (session.adapter == nullptr) return Refuse(session);
  }
  session.Enter(Stage::kContext);
  llama_context* const context = UseContext(session);
  if (context == nullptr) return Refuse(session);
  if (session.options.sequences) UseSequences(session);
  if (!session.options.no_embeddings) UseEmbeddings(session);
  if (!session.options.no_shift) ShiftMemory(session, context);
  session.Enter(Stage::kFreeContext);
  llama.llama_free(context);
  if (session.options.save) {
    session.Enter(Stage::kSave);
    llama.llama_model_save_to_file(session.model, "/dev/null");
  }
  return true;
}

}  // namespace

std::string_view WordFor(Stage stage) {
  constexpr std::array<std::string_view, static_cast<std::size_t>(Stage::kDone) + 1> kWords = {
#define STAGE(name, word) word,
#include "tests/oracles/llama_cpp/stages.def"
#undef STAGE
  };
  return kWords.at(static_cast<std::size_t>(stage));
}

std::optional<RunOptions> ReadRunOptions(std::string_view words) {
  constexpr std::string_view kAdapter = "adapter:";
  RunOptions options;
  while (!words.empty()) {
    const std::size_t comma = words.find(',');
    const std::string_view word = words.substr(0, comma);
    words = comma == std::string_view::npos ? "" : words.substr(comma + 1);
    if (word.empty()) {
      continue;
    } else if (word.starts_with(kAdapter)) {
      options.adapter = word.substr(kAdapter.size());
#define FLAG(member, name, meaning) \
  }                                 \
  else if (word == (name)) {        \
    options.member = true;
#include "tests/oracles/llama_cpp/options.def"
#undef FLAG
    } else {
      return std::nullopt;
    }
  }
  return options;
}

void Run(const Library& library, const char* path, const RunOptions& options, Progress& progress) {
  Session session{.llama = library, .options = options, .progress = progress};
  llama_model_params params = library.llama_model_default_params();
  GGUFGATE_SET(params, vocab_only, options.vocabulary_only);
  GGUFGATE_SET(params, check_tensors, options.check_tensors);
  // Weights in a layout for the processor cannot be read back: saving them crashes.
  if (options.save || options.plain_weights) GGUFGATE_SET(params, use_extra_bufts, false);
  session.Enter(Stage::kLoad);
  session.model = library.llama_model_load_from_file(path, params);
  if (session.model == nullptr) {
    Refuse(session);
    return;
  }
  const bool all = options.load_only || Work(session);
  const Stage reached = progress.stage;
  session.Enter(Stage::kFree);
  library.llama_model_free(session.model);
  session.Enter(all ? Stage::kDone : reached);
}

}  // namespace ggufgate::oracles::llama_cpp
