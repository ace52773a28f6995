// SPDX-License-Identifier: MIT
// The real library under the targets, opened at run time and never linked: LLAMA_LIBRARY names libllama,
// LLAMA_BACKENDS the folder with the backends. Compiled with the headers of that release.

#include "ggml-backend.h"
#include "llama.h"

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>

namespace {

void * library() {
    static void * const handle = [] {
        const char * path  = getenv("LLAMA_LIBRARY");
        void *       found = path == nullptr ? nullptr : dlopen(path, RTLD_NOW | RTLD_LOCAL);
        if (found == nullptr) {
            fprintf(stderr, "LLAMA_LIBRARY: %s\n", path == nullptr ? "not set" : dlerror());
            exit(2);
        }
        return found;
    }();
    return handle;
}

template <typename Function> Function * real(Function *, const char * name) {
    void * found = dlsym(library(), name);
    if (found == nullptr) {
        fprintf(stderr, "the library has no %s\n", name);
        exit(2);
    }
    return reinterpret_cast<Function *>(found);
}

}  // namespace

// FORWARD(result, name, (parameters), (arguments)) defines a function that calls the library's.
#define FORWARD(result, name, parameters, arguments)                                                                   \
    result name parameters {                                                                                           \
        static auto * const f = real(&name, #name);                                                                    \
        return f            arguments;                                                                                 \
    }

typedef struct llama_model        model_t;
typedef struct llama_vocab        vocab_t;
typedef struct llama_context      context_t;
typedef struct llama_adapter_lora lora_t;

extern "C" {

FORWARD(void, llama_log_set, (ggml_log_callback f0, void * data), (f0, data))
FORWARD(llama_model_params, llama_model_default_params, (void), ())
FORWARD(llama_context_params, llama_context_default_params, (void), ())
FORWARD(model_t *, llama_model_load_from_file, (const char * path, llama_model_params p), (path, p))
FORWARD(void, llama_model_free, (model_t * m), (m))
FORWARD(context_t *, llama_init_from_model, (model_t * m, llama_context_params p), (m, p))
FORWARD(void, llama_free, (context_t * c), (c))
FORWARD(int32_t, llama_model_meta_count, (const model_t * m), (m))
FORWARD(int32_t, llama_model_meta_key_by_index, (const model_t * m, int32_t i, char * b, size_t n), (m, i, b, n))
FORWARD(int32_t, llama_model_meta_val_str_by_index, (const model_t * m, int32_t i, char * b, size_t n), (m, i, b, n))
FORWARD(int32_t, llama_model_desc, (const model_t * m, char * b, size_t n), (m, b, n))
FORWARD(const char *, llama_model_chat_template, (const model_t * m, const char * n), (m, n))
FORWARD(bool, llama_model_has_encoder, (const model_t * m), (m))
FORWARD(bool, llama_model_has_decoder, (const model_t * m), (m))
FORWARD(const vocab_t *, llama_model_get_vocab, (const model_t * m), (m))
FORWARD(enum llama_vocab_type, llama_vocab_type, (const vocab_t * v), (v))
FORWARD(int32_t, llama_vocab_n_tokens, (const vocab_t * v), (v))
FORWARD(int32_t, llama_tokenize,
        (const vocab_t * v, const char * t, int32_t n, llama_token * k, int32_t m, bool a, bool s),
        (v, t, n, k, m, a, s))
FORWARD(int32_t, llama_detokenize,
        (const vocab_t * v, const llama_token * k, int32_t n, char * t, int32_t m, bool r, bool u),
        (v, k, n, t, m, r, u))
FORWARD(int32_t, llama_token_to_piece, (const vocab_t * v, llama_token k, char * b, int32_t n, int32_t l, bool s),
        (v, k, b, n, l, s))
FORWARD(llama_batch, llama_batch_get_one, (llama_token * k, int32_t n), (k, n))
FORWARD(int32_t, llama_encode, (context_t * c, llama_batch b), (c, b))
FORWARD(int32_t, llama_decode, (context_t * c, llama_batch b), (c, b))
FORWARD(lora_t *, llama_adapter_lora_init, (model_t * m, const char * path), (m, path))
FORWARD(int32_t, llama_set_adapters_lora, (context_t * c, lora_t ** a, size_t n, float * s), (c, a, n, s))

void llama_backend_init(void) {
    if (const char * folder = getenv("LLAMA_BACKENDS")) {
        real(&ggml_backend_load_all_from_path, "ggml_backend_load_all_from_path")(folder);
    }
    real(&llama_backend_init, "llama_backend_init")();
}

}  // extern "C"
