#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rehearse/driver/loader.h"
#include "rehearse/driver/speaker.h"

namespace ggufgate::driver {

// Session is the state that the parts of a rehearsal share.
struct Session {
  const Loader& llama;
  Speaker& speaker;
  unsigned prompt_tokens = 2;
  std::size_t shards = 1;
  std::size_t adapters = 0;
  Model* model = nullptr;
  std::vector<Adapter*> loaded = {};  // its adapters, which are freed with it
  const Vocab* vocab = nullptr;
  std::int32_t tokens = 0;  // size of the vocabulary

  // A vocabulary of type 0 has no texts.
  [[nodiscard]] bool HasText() const { return llama.llama_vocab_type(vocab) != 0; }
};

// ReadModel reads the metadata of the model.
void ReadModel(const Session& session);

// ReadVocabulary reads every token, converts texts to tokens, and tokens to texts.
void ReadVocabulary(const Session& session);

// ApplyTemplates formats a chat with the model's templates: with the C API, and with the engine of
// llama-server if the library libllama-common is in the loader's folder.
void ApplyTemplates(const Session& session);

// MakeContext makes a context with default parameters and the adapters, or reports that the loader
// refuses it.
[[nodiscard]] Context* MakeContext(const Session& session);

// Compute encodes, decodes a prompt and a token, and saves and restores the state. Unless `last` is
// kDecode, it also reads embeddings.
void Compute(const Session& session, Context* context, RehearsalStage last);

}  // namespace ggufgate::driver
