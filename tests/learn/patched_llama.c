// A patched libllama for patched_test.py: it forwards to the real library, and has one more assertion. Its release
// lacks grouped-query attention: llama must have as many key-value heads as heads.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include "llama.h"

typedef struct llama_model* (*Loader)(const char*, struct llama_model_params);

struct llama_model* llama_model_load_from_file(const char* path, struct llama_model_params params) {
  // This library is opened before the real one, which it needs.
  const Loader load = (Loader)dlsym(RTLD_NEXT, "llama_model_load_from_file");
  struct llama_model* const model = load(path, params);
  char name[64] = "";
  if (model == NULL) return NULL;
  llama_model_meta_val_str(model, "general.architecture", name, sizeof(name));
  if (name[0] != 'l' || llama_model_n_head_kv(model) == llama_model_n_head(model)) return model;
  fprintf(stderr, "/llama.cpp/src/llama-model.cpp:1: GGML_ASSERT(n_head_kv == n_head) failed\n");
  abort();
}
