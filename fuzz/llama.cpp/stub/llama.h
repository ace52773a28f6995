// SPDX-License-Identifier: MIT
#pragma once

// What the targets use of llama.cpp's C interface, declared anew: enough to compile them where there is
// no llama.cpp. Names and types are those of llama.h of llama.cpp; structs have the members that are used.

#include <cstddef>
#include <cstdint>

extern "C" {

struct llama_model;
struct llama_vocab;
struct llama_context;
struct llama_adapter_lora;

typedef int32_t llama_token;

enum llama_vocab_type { LLAMA_VOCAB_TYPE_NONE = 0, LLAMA_VOCAB_TYPE_SPM = 1 };

enum ggml_log_level { GGML_LOG_LEVEL_NONE = 0 };
typedef void (*ggml_log_callback)(enum ggml_log_level level, const char * text, void * user_data);

struct llama_model_params {
    int32_t n_gpu_layers;
    bool    vocab_only;
    bool    check_tensors;
};

struct llama_context_params {
    uint32_t n_ctx;
    uint32_t n_batch;
    uint32_t n_ubatch;
    int32_t  n_threads;
    int32_t  n_threads_batch;
};

struct llama_batch {
    int32_t       n_tokens;
    llama_token * token;
};

void llama_log_set(ggml_log_callback log_callback, void * user_data);
void llama_backend_init(void);

struct llama_model_params   llama_model_default_params(void);
struct llama_context_params llama_context_default_params(void);

struct llama_model *   llama_model_load_from_file(const char * path_model, struct llama_model_params params);
void                   llama_model_free(struct llama_model * model);
struct llama_context * llama_init_from_model(struct llama_model * model, struct llama_context_params params);
void                   llama_free(struct llama_context * ctx);

int32_t      llama_model_meta_count(const struct llama_model * model);
int32_t      llama_model_meta_key_by_index(const struct llama_model * model, int32_t i, char * buf, size_t size);
int32_t      llama_model_meta_val_str_by_index(const struct llama_model * model, int32_t i, char * buf, size_t size);
int32_t      llama_model_desc(const struct llama_model * model, char * buf, size_t size);
const char * llama_model_chat_template(const struct llama_model * model, const char * name);
bool         llama_model_has_encoder(const struct llama_model * model);
bool         llama_model_has_decoder(const struct llama_model * model);

const struct llama_vocab * llama_model_get_vocab(const struct llama_model * model);
enum llama_vocab_type      llama_vocab_type(const struct llama_vocab * vocab);
int32_t                    llama_vocab_n_tokens(const struct llama_vocab * vocab);
int32_t llama_tokenize(const struct llama_vocab * vocab, const char * text, int32_t length, llama_token * tokens,
                       int32_t n_tokens_max, bool add_special, bool parse_special);
int32_t llama_detokenize(const struct llama_vocab * vocab, const llama_token * tokens, int32_t n_tokens, char * text,
                         int32_t text_len_max, bool remove_special, bool unparse_special);
int32_t llama_token_to_piece(const struct llama_vocab * vocab, llama_token token, char * buf, int32_t length,
                             int32_t lstrip, bool special);

struct llama_batch llama_batch_get_one(llama_token * tokens, int32_t n_tokens);
int32_t            llama_encode(struct llama_context * ctx, struct llama_batch batch);
int32_t            llama_decode(struct llama_context * ctx, struct llama_batch batch);

struct llama_adapter_lora * llama_adapter_lora_init(struct llama_model * model, const char * path_lora);
int32_t llama_set_adapters_lora(struct llama_context * ctx, struct llama_adapter_lora ** adapters, size_t n_adapters,
                                float * scales);

}  // extern "C"
