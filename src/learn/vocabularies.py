"""Small vocabularies of every kind of tokenizer in llama.cpp; each is safe for every text.

The requirements of each kind were measured with llama.cpp v0.5.0: byte tokens for SentencePiece and PLaMo-2, all 256
single bytes for RWKV, the letters of byte-level BPE, [UNK] [CLS] [SEP] at their default ids for WordPiece.
"""

from gguf_file import Value

NORMAL, UNKNOWN, CONTROL, USER, BYTE = 1, 2, 3, 4, 6
WORDS = ["the", "ab", "hello", "world", "a", "b", "c", "e", "h", "l", "o", "t"]


def _keys(model, tokens, types=None, scores=None, **more):
    keys = {"tokenizer.ggml.model": Value("str", model), "tokenizer.ggml.tokens": Value("[str]", tokens)}
    if scores is not None:
        keys["tokenizer.ggml.scores"] = Value("[f32]", scores)
    if types is not None:
        keys["tokenizer.ggml.token_type"] = Value("[i32]", types)
    for name, value in more.items():
        keys["tokenizer.ggml." + name] = value
    return keys


def _byte_tokens():
    return [f"<0x{byte:02X}>" for byte in range(256)]


def _id(number):
    return Value("u32", number)


def sentence_piece():
    words = ["\u2581" + word for word in WORDS] + WORDS
    tokens = ["<unk>", "<s>", "</s>"] + _byte_tokens() + words
    types = [UNKNOWN, CONTROL, CONTROL] + [BYTE] * 256 + [NORMAL] * len(words)
    scores = [0.0] * 259 + [-1.0 - i for i in range(len(words))]
    return _keys("llama", tokens, types, scores, bos_token_id=_id(1), eos_token_id=_id(2), unknown_token_id=_id(0))


def byte_pairs():
    # The letters for bytes: GPT-2's table, with printable ones for themselves, the others from U+0100.
    letters, spare = [], 0
    for byte in range(256):
        if 33 <= byte <= 126 or 161 <= byte <= 172 or 174 <= byte <= 255:
            letters.append(chr(byte))
        else:
            letters.append(chr(256 + spare))
            spare += 1
    merged = ["th", "the", "he", "ab", "\u0120a", "ll"]
    merges = ["t h", "th e", "h e", "a b", "\u0120 a", "l l"]
    tokens = letters + merged + ["<|endoftext|>", "<|im_start|>"]
    types = [NORMAL] * (256 + len(merged)) + [CONTROL, CONTROL]
    return _keys("gpt2", tokens, types, None, pre=Value("str", "gpt-2"), merges=Value("[str]", merges),
                 bos_token_id=_id(262), eos_token_id=_id(262))


def word_pieces():
    letters = [chr(code) for code in range(97, 123)] + [chr(code) for code in range(48, 58)]
    tokens = ["[PAD]"] + [f"[unused{i}]" for i in range(99)] + ["[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    tokens += ["\u2581" + letter for letter in letters] + letters + ["\u2581the", "\u2581hello", "\u2581world"]
    types = [CONTROL if token.startswith("[") else NORMAL for token in tokens]
    return _keys("bert", tokens, types, None, token_type_count=_id(2), bos_token_id=_id(101), eos_token_id=_id(102),
                 unknown_token_id=_id(100), seperator_token_id=_id(102), padding_token_id=_id(0))


def unigrams():
    words = ["\u2581"] + ["\u2581" + word for word in WORDS] + WORDS
    tokens = ["<pad>", "</s>", "<unk>"] + words + _byte_tokens()
    types = [CONTROL, CONTROL, UNKNOWN] + [NORMAL] * len(words) + [BYTE] * 256
    scores = [0.0, 0.0, 0.0] + [-2.0 - i for i in range(len(words))] + [0.0] * 256
    return _keys("t5", tokens, types, scores, bos_token_id=_id(1), eos_token_id=_id(1), unknown_token_id=_id(2),
                 padding_token_id=_id(0))


def _rwkv_text(byte):
    """A byte as in the vocabulary file of RWKV-World."""
    if byte == 0x5C:
        return "\\\\"
    return chr(byte) if 32 <= byte < 127 else f"\\x{byte:02x}"


def rwkv():
    words = ["the", " the", "hello", " world", "ab"]
    tokens = ["<s>"] + [_rwkv_text(byte) for byte in range(256)] + words
    types = [CONTROL] + [NORMAL] * (256 + len(words))
    return _keys("rwkv", tokens, types, None, bos_token_id=_id(0), eos_token_id=_id(0))


def plamo2():
    tokens = ["<|plamo:unk|>", "<|plamo:bos|>", "<|plamo:eos|>"] + _byte_tokens() + [" "] + WORDS
    types = [UNKNOWN, CONTROL, CONTROL] + [BYTE] * 256 + [NORMAL] * (1 + len(WORDS))
    scores = [0.0] * 259 + [-1.0 - i for i in range(1 + len(WORDS))]
    return _keys("plamo2", tokens, types, scores, bos_token_id=_id(1), eos_token_id=_id(2), unknown_token_id=_id(0))


KINDS = {"spm": sentence_piece, "bpe": byte_pairs, "wpm": word_pieces, "ugm": unigrams, "rwkv": rwkv,
         "plamo2": plamo2}


def kind_for(architecture):
    """The kind of vocabulary of published models of an architecture, if the loader requires it."""
    if "bert" in architecture and architecture != "modern-bert" and architecture != "eurobert":
        return "wpm"
    if architecture in ("t5", "t5encoder"):
        return "ugm"
    if architecture.startswith("rwkv") and architecture != "rwkv6qwen2":
        return "rwkv"
    if architecture == "plamo2":
        return "plamo2"
    return "spm"
