// SPDX-License-Identifier: MIT
// A library that loads whatever begins as a GGUF file does, and knows one token. It shows that the targets
// call what they should and give back what they take: what is left over at the end is told.

#include "llama.h"

#include <cstdio>
#include <cstring>

struct llama_model {};
struct llama_vocab {};
struct llama_context {};
struct llama_adapter_lora {};

namespace {

// What is taken and not given back; adapters go with their model.
struct counts {
    int models   = 0;
    int contexts = 0;
    int loads    = 0;
    int decodes  = 0;
    int adapters = 0;
    ~counts() {
        fprintf(stderr, "stub: %d models, %d adapters, %d decoded; %d models and %d contexts left\n", loads, adapters,
                decodes, models, contexts);
    }
} count;

const llama_vocab  vocabulary;
llama_adapter_lora lora;

bool begins_with_magic(const char * path) {
    char   magic[4] = {};
    FILE * file     = fopen(path, "rb");
    if (file == nullptr) {
        return false;
    }
    const size_t got = fread(magic, 1, 4, file);
    fclose(file);
    return got == 4 && memcmp(magic, "GGUF", 4) == 0;
}

int32_t put(char * buf, size_t size, const char * text) {
    return snprintf(buf, size, "%s", text);
}

}  // namespace

void llama_log_set(ggml_log_callback, void *) {}
void llama_backend_init(void) {}

llama_model_params llama_model_default_params(void) {
    return { -1, false, false };
}
llama_context_params llama_context_default_params(void) {
    return { 512, 2048, 512, 4, 4 };
}

llama_model * llama_model_load_from_file(const char * path, llama_model_params) {
    if (!begins_with_magic(path)) {
        return nullptr;
    }
    ++count.loads;
    ++count.models;
    return new llama_model;
}
void llama_model_free(llama_model * model) {
    --count.models;
    delete model;
}
llama_context * llama_init_from_model(llama_model *, llama_context_params) {
    ++count.contexts;
    return new llama_context;
}
void llama_free(llama_context * ctx) {
    --count.contexts;
    delete ctx;
}

int32_t llama_model_meta_count(const llama_model *) {
    return 1;
}
int32_t llama_model_meta_key_by_index(const llama_model *, int32_t, char * buf, size_t size) {
    return put(buf, size, "general.architecture");
}
int32_t llama_model_meta_val_str_by_index(const llama_model *, int32_t, char * buf, size_t size) {
    return put(buf, size, "llama");
}
int32_t llama_model_desc(const llama_model *, char * buf, size_t size) {
    return put(buf, size, "a stub");
}
const char * llama_model_chat_template(const llama_model *, const char *) {
    return nullptr;
}
bool llama_model_has_encoder(const llama_model *) {
    return true;
}
bool llama_model_has_decoder(const llama_model *) {
    return true;
}

const llama_vocab * llama_model_get_vocab(const llama_model *) {
    return &vocabulary;
}
enum llama_vocab_type llama_vocab_type(const llama_vocab *) {
    return LLAMA_VOCAB_TYPE_SPM;
}
int32_t llama_vocab_n_tokens(const llama_vocab *) {
    return 8;
}
int32_t llama_tokenize(const llama_vocab *, const char *, int32_t length, llama_token * tokens, int32_t most, bool,
                       bool) {
    const int32_t n = length < most ? length : most;
    for (int32_t i = 0; i < n; ++i) {
        tokens[i] = i % 8;
    }
    return n;
}
int32_t llama_detokenize(const llama_vocab *, const llama_token *, int32_t, char * text, int32_t most, bool, bool) {
    return put(text, (size_t) most, "text");
}
int32_t llama_token_to_piece(const llama_vocab *, llama_token, char * buf, int32_t length, int32_t, bool) {
    return put(buf, (size_t) length, "t");
}

llama_batch llama_batch_get_one(llama_token * tokens, int32_t n_tokens) {
    return { n_tokens, tokens };
}
int32_t llama_encode(llama_context *, llama_batch) {
    return 0;
}
int32_t llama_decode(llama_context *, llama_batch batch) {
    count.decodes += batch.n_tokens;
    return 0;
}

llama_adapter_lora * llama_adapter_lora_init(llama_model *, const char * path) {
    if (!begins_with_magic(path)) {
        return nullptr;
    }
    ++count.adapters;
    return &lora;
}
int32_t llama_set_adapters_lora(llama_context *, llama_adapter_lora **, size_t, float *) {
    return 0;
}
