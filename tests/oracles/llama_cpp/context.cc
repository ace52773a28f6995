// Contexts: decoding, saved states, embeddings.

#include <algorithm>
#include <span>
#include <vector>

#include "tests/oracles/llama_cpp/session.h"

namespace ggufgate::oracles::llama_cpp {
namespace {

using Tokens = std::vector<llama_token>;

constexpr int kContext = 96;  // tokens; enough for everything decoded here
constexpr int kBatch = 64;
constexpr int kUnit = 32;  // of a batch that is computed at once
constexpr int kFromText = 16;
constexpr int kLong = 60;
constexpr int kSingles = 3;
constexpr int kSequences = 2;
constexpr std::size_t kMostState = std::size_t{256} << 20;  // bytes

// NoteRotation is called for each operation of a graph, before it is computed. Rotary embedding
// copies the rest of a row two numbers at a time (ggml_compute_forward_rope_flt), so of an odd row
// it writes one number too many: silent damage. If the number of rotated numbers is negative, the
// copy begins before the row (releases before v0.4.0). An odd number is an assertion instead.
bool NoteRotation(ggml_tensor* tensor, bool ask, void* data) {
  constexpr std::size_t kRotated = 1;  // of the parameters of the operation
  if (!ask || tensor->op != GGML_OP_ROPE) return false;
  const std::int32_t rotated = std::span(tensor->op_params)[kRotated];
  if (rotated % 2 == 0 && (rotated < 0 || tensor->ne[0] % 2 != 0)) {
    static_cast<Progress*>(data)->odd_rows = true;
  }
  return false;  // its result is not needed
}

llama_context_params ParamsOf(const Session& session) {
  llama_context_params params = session.llama.llama_context_default_params();
  GGUFGATE_SET(params, n_ctx, session.options.whole_context ? 0 : kContext);
  GGUFGATE_SET(params, n_batch, kBatch);
  GGUFGATE_SET(params, n_ubatch, kUnit);
  GGUFGATE_SET(params, n_threads, 1);
  GGUFGATE_SET(params, n_threads_batch, 1);
  // LLAMA_FLASH_ATTN_TYPE_ENABLED and …_DISABLED, which older headers lack
  if (session.options.flash) GGUFGATE_SET(params, flash_attn_type, 1);
  if (session.options.no_flash) GGUFGATE_SET(params, flash_attn_type, 0);
  if (session.options.rotations) {
    params.cb_eval = NoteRotation;
    params.cb_eval_user_data = &session.progress;
  }
  if (session.options.small_keys) GGUFGATE_SET(params, type_k, GGML_TYPE_Q8_0);
  return params;
}

llama_context* NewContext(const Session& session, const llama_context_params& params) {
  llama_context* const context = session.llama.llama_init_from_model(session.model, params);
  if (context != nullptr && session.adapter != nullptr) {
    llama_adapter_lora* adapter = session.adapter;
    float scale = 1;
    session.llama.llama_set_adapters_lora(context, &adapter, 1, &scale);
  }
  return context;
}

// Some tokens of a text, the first and the last of the vocabulary, and others from all over it.
// Their number is that of a full compute batch. Buffers have that size, so a write past the end of
// one leaves the allocation only if the batch is full. Attention that looks ahead accepts no more
// tokens.
Tokens Prompt(const Session& session) {
  Tokens tokens(kFromText);
  int found = 0;
  if (session.HasText() && !session.options.no_text) {
    found = session.llama.llama_tokenize(session.vocab, "the ab", 6, tokens.data(), kFromText, true,
                                         true);
  }
  tokens.resize(static_cast<std::size_t>(std::max(0, found)));
  const long long count = std::max(1, session.tokens);
  tokens.push_back(0);
  tokens.push_back(static_cast<llama_token>(count - 1));
  for (long long i = 3; tokens.size() < kUnit; i += 37) {
    tokens.push_back(static_cast<llama_token>(i % count));
  }
  return tokens;
}

bool Decode(const Session& session, llama_context* context, Tokens tokens) {
  const llama_batch batch =
      session.llama.llama_batch_get_one(tokens.data(), static_cast<std::int32_t>(tokens.size()));
  const bool done = session.llama.llama_decode(context, batch) == 0;
  if (done) session.progress.decoded = true;
  return done;
}

void LookAt(const float* numbers, int count) {
  float sum = 0;
  for (int i = 0; numbers != nullptr && i < count; ++i) sum += numbers[i];
  Look(sum);
}

// Encode runs before decoding if a model has an encoder; false: there is nothing to decode.
bool Encode(const Session& session, llama_context* context, Tokens& tokens) {
  const Library& llama = session.llama;
  if (llama.llama_model_has_encoder(session.model)) {
    session.Enter(Stage::kEncode);
    const llama_batch batch =
        llama.llama_batch_get_one(tokens.data(), static_cast<std::int32_t>(tokens.size()));
    if (llama.llama_encode(context, batch) == 0) session.progress.decoded = true;
    const llama_token start = llama.llama_model_decoder_start_token(session.model);
    const llama_token first = llama.llama_vocab_bos(session.vocab);
    tokens.assign(1, start >= 0 ? start : std::max(first, 0));
  }
  return llama.llama_model_has_decoder(session.model);
}

llama_token Sample(const Session& session, llama_context* context) {
  session.Enter(Stage::kLogits);
  Look(session.llama.llama_get_logits(context));
  const float* const logits = session.llama.llama_get_logits_ith(context, -1);
  if (logits == nullptr || session.tokens <= 0) return 0;
  LookAt(logits, session.tokens);
  session.Enter(Stage::kSample);
  llama_sampler* const greedy = session.llama.llama_sampler_init_greedy();
  const llama_token token = session.llama.llama_sampler_sample(greedy, context, -1);
  session.llama.llama_sampler_free(greedy);
  return std::clamp(token, 0, session.tokens - 1);
}

void DecodeAll(const Session& session, llama_context* context) {
  Tokens tokens = Prompt(session);
  if (!Encode(session, context, tokens)) return;
  session.Enter(Stage::kDecode);
  if (!Decode(session, context, tokens)) return;
  const llama_token sampled = Sample(session, context);
  session.Enter(Stage::kDecodeNext);
  for (int i = 0; i < kSingles; ++i) {
    Decode(session, context, {(sampled + i) % std::max(1, session.tokens)});
  }
  if (!session.options.long_prompt) return;
  session.Enter(Stage::kDecode);
  tokens.clear();
  for (int i = 0; i < kLong; ++i) tokens.push_back((i * 13 + 1) % std::max(1, session.tokens));
  Decode(session, context, tokens);
}

void SaveAndRestore(const Session& session, llama_context* context) {
  const Library& llama = session.llama;
  session.Enter(Stage::kState);
  const std::size_t size = llama.llama_state_get_size(context);
  if (size == 0 || size > kMostState) return;
  std::vector<std::uint8_t> state(size);
  const std::size_t written = llama.llama_state_get_data(context, state.data(), state.size());
  session.Enter(Stage::kRestore);
  const bool restored =
      written > 0 && llama.llama_state_set_data(context, state.data(), written) > 0;
  const bool decodes =
      llama.llama_model_has_decoder(session.model) && !llama.llama_model_has_encoder(session.model);
  if (restored && decodes) Decode(session, context, {0});
}

}  // namespace

llama_context* UseContext(const Session& session) {
  llama_context* const context = NewContext(session, ParamsOf(session));
  if (context == nullptr) return nullptr;
  DecodeAll(session, context);
  SaveAndRestore(session, context);
  return context;
}

void UseSequences(const Session& session) {
  const Library& llama = session.llama;
  session.Enter(Stage::kSequences);
  if (llama.llama_model_has_encoder(session.model)) return;
  llama_context_params params = ParamsOf(session);
  GGUFGATE_SET(params, n_seq_max, kSequences);
  llama_context* const context = NewContext(session, params);
  if (context == nullptr) return;
  const Tokens tokens = Prompt(session);
  llama_batch batch =
      llama.llama_batch_init(static_cast<std::int32_t>(tokens.size()), 0, kSequences);
  // Alternate between the two; one may be longer.
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    batch.token[i] = tokens[i];
    batch.pos[i] = static_cast<llama_pos>(i / kSequences);
    batch.n_seq_id[i] = 1;
    batch.seq_id[i][0] = static_cast<llama_seq_id>(i % kSequences);
    batch.logits[i] = 1;
  }
  batch.n_tokens = static_cast<std::int32_t>(tokens.size());
  if (llama.llama_decode(context, batch) == 0) {
    for (int i = 0; i < batch.n_tokens; ++i) {
      LookAt(llama.llama_get_logits_ith(context, i), session.tokens);
    }
  }
  llama.llama_batch_free(batch);
  llama_memory_t const memory = llama.llama_get_memory(context);
  if (memory != nullptr) llama.llama_memory_seq_rm(memory, 1, -1, -1);
  llama.llama_free(context);
}

void UseEmbeddings(const Session& session) {
  const Library& llama = session.llama;
  session.Enter(Stage::kEmbeddingContext);
  llama_context_params params = ParamsOf(session);
  GGUFGATE_SET(params, embeddings, true);
  llama_context* const context = NewContext(session, params);
  if (context == nullptr) return;
  Tokens tokens = Prompt(session);
  const bool decoder = Encode(session, context, tokens);
  session.Enter(Stage::kEmbeddingDecode);
  if (!decoder || Decode(session, context, tokens)) {
    session.Enter(Stage::kEmbeddings);
    const int width = llama.llama_model_n_embd_out(session.model);
    Look(llama.llama_get_embeddings(context));
    const auto pooling = llama.llama_pooling_type(context);
    if (pooling == LLAMA_POOLING_TYPE_NONE) {
      LookAt(llama.llama_get_embeddings_ith(context, -1), width);
    } else {  // for a rank there are as many as the model has classes
      const bool rank = pooling == LLAMA_POOLING_TYPE_RANK;
      LookAt(llama.llama_get_embeddings_seq(context, 0),
             rank ? static_cast<int>(llama.llama_model_n_cls_out(session.model)) : width);
    }
  }
  session.Enter(Stage::kFreeContext);
  llama.llama_free(context);
}

void ShiftMemory(const Session& session, llama_context* context) {
  const Library& llama = session.llama;
  session.Enter(Stage::kShift);
  llama_memory_t const memory = llama.llama_get_memory(context);
  if (memory == nullptr) return;
  if (llama.llama_memory_can_shift(memory) && !llama.llama_model_has_encoder(session.model)) {
    if (llama.llama_memory_seq_rm(memory, 0, 0, 2)) {
      llama.llama_memory_seq_add(memory, 0, 2, -1, -2);
      Decode(session, context, {0});
    }
  }
  llama.llama_memory_clear(memory, true);
}

}  // namespace ggufgate::oracles::llama_cpp
