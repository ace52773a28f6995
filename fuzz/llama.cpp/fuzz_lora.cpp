// SPDX-License-Identifier: MIT
// An adapter is loaded onto a model that is sound, and used. The model is fuzz_lora_base.gguf beside the
// program, or what LLAMA_FUZZ_BASE names.

#include "fuzz_file.h"

#include <string>

static std::string base_path() {
    if (const char * named = getenv("LLAMA_FUZZ_BASE")) {
        return named;
    }
    char              program[4096];
    const ssize_t     size = readlink("/proc/self/exe", program, sizeof(program));
    const std::string path(program, size > 0 ? (size_t) size : 0);
    return path.substr(0, path.rfind('/') + 1) + "fuzz_lora_base.gguf";
}

static llama_model * base_model() {
    llama_model * model = llama_model_load_from_file(base_path().c_str(), fuzz_model_params());
    if (model == nullptr) {
        fprintf(stderr, "fuzz_lora: no model to adapt: %s\n", base_path().c_str());
        exit(1);
    }
    return model;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t * data, size_t size) {
    static fuzz_file file;
    fuzz_start();
    // An adapter belongs to the model until that is freed, so it is loaded anew each time.
    llama_model *        model   = base_model();
    llama_adapter_lora * adapter = llama_adapter_lora_init(model, file.put(data, size));
    if (adapter != nullptr) {
        if (llama_context * context = llama_init_from_model(model, fuzz_context_params())) {
            float scale = 0.5f;
            if (llama_set_adapters_lora(context, &adapter, 1, &scale) == 0) {
                llama_token tokens[3] = { 0, 1, 2 };
                llama_decode(context, llama_batch_get_one(tokens, 3));
            }
            llama_free(context);
        }
    }
    llama_model_free(model);
    return 0;
}
