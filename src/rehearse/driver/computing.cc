// Contexts: computation, logits, state and embeddings.

#include <sched.h>

#include <algorithm>
#include <span>
#include <vector>

#include "bytes/bytes.h"
#include "rehearse/driver/session.h"
#include "rehearse/driver_record.h"

namespace ggufgate::driver {
namespace {

using Tokens = std::vector<std::int32_t>;

constexpr std::size_t kMostState = std::size_t{512} << 20;  // bytes
constexpr std::int32_t kMostThreads = 4;

// Threads returns one thread for a large model, which has a short prompt. On a busy processor, more
// threads wait for each other in loops: Command R then took four times the processor time, nearly
// the limit of a hanging loader.
std::int32_t Threads(const Session& session) {
  if (session.prompt_tokens < kLongPrompt) return 1;
  cpu_set_t processors;
  CPU_ZERO(&processors);
  if (::sched_getaffinity(0, sizeof(processors), &processors) != 0) return 1;
  return std::clamp(CPU_COUNT(&processors), 1, kMostThreads);
}

// Some tokens of a text, then the first, the last, and others from the whole vocabulary.
Tokens Prompt(const Session& session) {
  Tokens tokens(std::max(session.prompt_tokens, 16U));
  std::int32_t found = 0;
  if (session.HasText()) {
    found = session.llama.llama_tokenize(session.vocab, "one day", 7, tokens.data(),
                                         static_cast<std::int32_t>(tokens.size()), true, true);
  }
  tokens.resize(static_cast<std::size_t>(std::max(0, found)));
  const std::int64_t count = std::max(1, session.tokens);
  tokens.push_back(0);
  tokens.push_back(static_cast<std::int32_t>(count - 1));
  for (std::int64_t i = 5; tokens.size() < session.prompt_tokens; i += 41) {
    tokens.push_back(static_cast<std::int32_t>(i % count));
  }
  tokens.resize(session.prompt_tokens);
  return tokens;
}

void LookAt(const float* numbers, std::int32_t count) {
  if (numbers == nullptr || count <= 0) return;
  GGUFGATE_AUDITED_BEGIN  // the library guarantees this size; otherwise this process crashes
      const std::span<const float>
          all(numbers, static_cast<std::size_t>(count));
  GGUFGATE_AUDITED_END
  float sum = 0;
  for (const float number : all) sum += number;
  Look(sum);
}

bool Decodes(const Session& session, Context* context, Tokens& tokens) {
  const auto count = static_cast<std::int32_t>(tokens.size());
  const Blob batch = session.llama.llama_batch_get_one(tokens.data(), count);
  return session.llama.llama_decode(context, batch) == 0;
}

void Decode(const Session& session, Context* context, Tokens& tokens) {
  if (!Decodes(session, context, tokens)) session.speaker.Refused();
}

// Encode sets the tokens at which a decoder begins. It returns false if the model has no decoder.
bool Encode(const Session& session, Context* context, Tokens& tokens) {
  const Loader& llama = session.llama;
  if (llama.llama_model_has_encoder == nullptr || llama.llama_encode == nullptr) return true;
  if (llama.llama_model_has_encoder(session.model)) {
    const auto count = static_cast<std::int32_t>(tokens.size());
    if (llama.llama_encode(context, llama.llama_batch_get_one(tokens.data(), count)) != 0) {
      session.speaker.Refused();
    }
    const std::int32_t start = llama.llama_model_decoder_start_token != nullptr
                                   ? llama.llama_model_decoder_start_token(session.model)
                                   : 0;
    tokens.assign(1, std::max(start, 0));
  }
  return llama.llama_model_has_decoder == nullptr || llama.llama_model_has_decoder(session.model);
}

std::int32_t Greedy(const Session& session, Context* context) {
  const float* const logits = session.llama.llama_get_logits_ith(context, -1);
  if (logits == nullptr || session.tokens <= 0) return 0;
  LookAt(logits, session.tokens);
  return session.tokens - 1;
}

void SaveAndRestore(const Session& session, Context* context) {
  const Loader& llama = session.llama;
  if (llama.llama_state_get_size == nullptr || llama.llama_state_get_data == nullptr ||
      llama.llama_state_set_data == nullptr) {
    return;
  }
  const std::size_t size = llama.llama_state_get_size(context);
  if (size > kMostState) {
    session.speaker.Note("the state of the context was not saved: it needs more than 512 MiB");
    return;
  }
  std::vector<std::uint8_t> state(size);
  const std::size_t got = llama.llama_state_get_data(context, state.data(), state.size());
  if (got <= state.size()) llama.llama_state_set_data(context, state.data(), got);
}

void ReadEmbeddings(const Session& session, Context* context) {
  const Loader& llama = session.llama;
  if (llama.llama_set_embeddings == nullptr) return;
  llama.llama_set_embeddings(context, true);
  Tokens one(1, 0);
  if (!Decodes(session, context, one)) {
    session.speaker.Note("the loader gave no embeddings");
    return;
  }
  if (llama.llama_get_embeddings_ith != nullptr) {
    Look(llama.llama_get_embeddings_ith(context, -1));
  }
  if (llama.llama_get_embeddings_seq != nullptr) {
    Look(llama.llama_get_embeddings_seq(context, 0));
  }
}

void SetAdapters(const Session& session, Context* context) {
  const Loader& llama = session.llama;
  std::vector<Adapter*> adapters = session.loaded;
  if (adapters.empty()) return;
  std::vector<float> scales(adapters.size(), 1);
  if (llama.llama_set_adapters_lora != nullptr) {
    if (llama.llama_set_adapters_lora(context, adapters.data(), adapters.size(), scales.data()) !=
        0) {
      session.speaker.Refused();
    }
    return;
  }
  for (Adapter* const adapter : adapters) {
    if (llama.llama_set_adapter_lora(context, adapter, 1) != 0) session.speaker.Refused();
  }
}

}  // namespace

Context* MakeContext(const Session& session) {
  const Loader& llama = session.llama;
  Context* const context =
      llama.llama_init_from_model(session.model, llama.llama_context_default_params());
  if (context == nullptr) session.speaker.Refused();
  if (llama.llama_set_n_threads != nullptr) {
    const std::int32_t threads = Threads(session);
    llama.llama_set_n_threads(context, threads, threads);
  }
  SetAdapters(session, context);
  return context;
}

void Compute(const Session& session, Context* context, RehearsalStage last) {
  Tokens tokens = Prompt(session);
  session.speaker.Enter(RehearsalStage::kEncode);
  const bool decodes = Encode(session, context, tokens);
  session.speaker.Enter(RehearsalStage::kDecode);
  if (!decodes) return;
  Decode(session, context, tokens);
  session.speaker.Enter(RehearsalStage::kLogits);
  Tokens next(1, Greedy(session, context));
  Decode(session, context, next);
  session.speaker.Enter(RehearsalStage::kState);
  SaveAndRestore(session, context);
  if (last == RehearsalStage::kDecode) return;
  session.speaker.Enter(RehearsalStage::kEmbeddings);
  ReadEmbeddings(session, context);
}

}  // namespace ggufgate::driver
