#pragma once

// The state that the parts of a run share.

#include "tests/oracles/llama_cpp/run.h"

namespace ggufgate::oracles::llama_cpp {

struct Session {
  const Library& llama;
  const RunOptions& options;
  Progress& progress;
  llama_model* model = nullptr;
  const llama_vocab* vocab = nullptr;
  int tokens = 0;  // size of the vocabulary
  llama_adapter_lora* adapter = nullptr;

  void Enter(Stage stage) const { progress.stage = stage; }
  [[nodiscard]] bool HasText() const {
    return llama.llama_vocab_type(vocab) != LLAMA_VOCAB_TYPE_NONE;
  }
};

// ReadText reads every token, and converts texts to tokens and back.
void ReadText(const Session& session);

// UseContext makes a context and decodes in it. It returns null if the library made none. The
// caller frees it.
[[nodiscard]] llama_context* UseContext(const Session& session);

// UseSequences decodes two sequences in one batch, if the library makes a context for that.
void UseSequences(const Session& session);

// UseEmbeddings does the same in a context that returns embeddings, if the library makes one.
void UseEmbeddings(const Session& session);

// ShiftMemory removes the first two tokens of a context and moves the rest, like a server.
void ShiftMemory(const Session& session, llama_context* context);

// Look uses a value, so that compilers do not remove the read.
template <typename Value>
void Look(const Value& value) {
  asm volatile("" : : "m"(value) : "memory");
}

}  // namespace ggufgate::oracles::llama_cpp
