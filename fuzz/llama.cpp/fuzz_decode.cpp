// SPDX-License-Identifier: MIT
// A model is loaded, gets a context, and decodes some tokens.

#include "fuzz_file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t * data, size_t size) {
    static fuzz_file file;
    fuzz_start();

    llama_model * model = llama_model_load_from_file(file.put(data, size), fuzz_model_params());
    if (model == nullptr) {
        return 0;
    }
    if (llama_context * context = llama_init_from_model(model, fuzz_context_params())) {
        const int32_t known     = llama_vocab_n_tokens(llama_model_get_vocab(model));
        llama_token   tokens[4] = { 0, 1, 2, known - 1 };
        if (known > 3) {
            llama_batch batch = llama_batch_get_one(tokens, 4);
            if (llama_model_has_encoder(model)) {
                llama_encode(context, batch);
            }
            if (llama_model_has_decoder(model)) {
                llama_decode(context, batch);
                llama_decode(context, llama_batch_get_one(tokens, 1));
            }
        }
        llama_free(context);
    }
    llama_model_free(model);
    return 0;
}
