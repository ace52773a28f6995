// SPDX-License-Identifier: MIT
// A vocabulary without weights: texts become tokens, and every token a text.

#include "fuzz_file.h"

#include <cstring>

// What tokenizers treat each in its own way: words, blanks, digits, other scripts, bytes that are no
// text, and the names of special tokens.
static const char * const texts[] = {
    "",
    "Hello world",
    "  two  blanks\n\n\tand a tab ",
    "1234567890 3.14 don't I'LL",
    "\xe6\x97\xa5\xe6\x9c\xac\xe8\xaa\x9e \xd8\xb9\xd8\xb1\xd8\xa8\xd9\x8a \xf0\x9f\x98\x80",
    "\xff\xfe\x80 \xc3",
    "<s></s><unk><|im_start|>user<|endoftext|>[INST]",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
};

extern "C" int LLVMFuzzerTestOneInput(const uint8_t * data, size_t size) {
    static fuzz_file file;
    fuzz_start();

    llama_model_params params = fuzz_model_params();
    params.vocab_only         = true;
    llama_model * model       = llama_model_load_from_file(file.put(data, size), params);
    if (model == nullptr) {
        return 0;
    }
    const llama_vocab * vocab = llama_model_get_vocab(model);
    if (llama_vocab_type(vocab) == LLAMA_VOCAB_TYPE_NONE) {  // there is nothing to ask, and asking aborts
        llama_model_free(model);
        return 0;
    }
    llama_token tokens[512];
    char        piece[256];
    for (const char * text : texts) {
        const int32_t length = (int32_t) strlen(text);
        for (int special = 0; special < 2; ++special) {
            const int32_t count = llama_tokenize(vocab, text, length, tokens, 512, special != 0, special != 0);
            if (count > 0) {
                llama_detokenize(vocab, tokens, count, piece, sizeof(piece), false, special != 0);
            }
        }
    }
    const int32_t known = llama_vocab_n_tokens(vocab);
    for (llama_token token = 0; token < known && token < 4096; ++token) {
        llama_token_to_piece(vocab, token, piece, sizeof(piece), 0, true);
    }
    llama_model_free(model);
    return 0;
}
