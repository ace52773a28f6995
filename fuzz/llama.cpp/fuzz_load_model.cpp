// SPDX-License-Identifier: MIT
// A model is loaded, with all of its data looked at, and asked about itself.

#include "fuzz_file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t * data, size_t size) {
    static fuzz_file file;
    fuzz_start();

    llama_model_params params = fuzz_model_params();
    params.check_tensors      = true;
    llama_model * model       = llama_model_load_from_file(file.put(data, size), params);
    if (model == nullptr) {
        return 0;
    }
    char text[256];
    for (int32_t i = 0; i < llama_model_meta_count(model); ++i) {
        llama_model_meta_key_by_index(model, i, text, sizeof(text));
        llama_model_meta_val_str_by_index(model, i, text, sizeof(text));
    }
    llama_model_desc(model, text, sizeof(text));
    llama_model_chat_template(model, nullptr);
    llama_model_free(model);
    return 0;
}
