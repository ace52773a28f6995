"""Finds tensors that replace an embedding, so that rows are looked up in a matrix that the loader may repack.

The CPU backend stores matrices of some types with eight rows interleaved, for products only. A matrix with row look-ups
must not be one of them: the loader places it by the use that its name implies, and the graph then finds no backend
(GGML_ASSERT(*cur_backend_id != -1), ggml-backend.cpp). The vocabularies of the tiny models are not multiples of eight,
so the sweep does not find this.
"""

from dataclasses import replace

from fit import BAD
from gguf_file import TYPE_OF, Value

ROWS_TOGETHER = 8  # src/ggml-cpu/repack.cpp, ggml_repack_get_optimal_repack_type
REPACKED, KEPT = "IQ4_NL", "Q5_1"
EMBEDDING, MATRIX = "token_embd.weight", "output.weight"
_MORE = {"[str]": lambda i: f"more{i}", "[f32]": lambda i: -1000.0, "[i32]": lambda i: 1, "[u32]": lambda i: 1}


def rounded(model):
    """The model with the number of tokens rounded up to a multiple of ROWS_TOGETHER."""
    tokens = len(model.keys["tokenizer.ggml.tokens"].value)
    more = -tokens % ROWS_TOGETHER
    made = model.copy()
    for name, value in model.keys.items():
        if name.startswith("tokenizer.") and value.type in _MORE and len(value.value) == tokens:
            made.keys[name] = Value(value.type, list(value.value) + [_MORE[value.type](i) for i in range(more)])
    return made.with_tensors(lambda t: replace(t, dims=tuple(d + more if d == tokens else d for d in t.dims)))


def retyped(model, word):
    return model.with_tensors(lambda t: replace(t, type=TYPE_OF[word]) if t.name == MATRIX else t)


def lines(runner, options, models):
    """The line "rows" of one architecture, if a model of it has the matrix and no embedding."""
    for model in models:
        names = {tensor.name for tensor in model.tensors}
        if MATRIX not in names or EMBEDDING in names:
            continue
        outcomes = [runner.ask_model(retyped(rounded(model), word), options)["outcome"] for word in (REPACKED, KEPT)]
        if outcomes[0] in BAD and outcomes[1] == "ran":
            return [f"rows {MATRIX} {EMBEDDING}"]
    return []
