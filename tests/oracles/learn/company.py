"""Finds tensors that the graph uses only in layers of one kind, and that the loader does not require: it tries
CANDIDATES.

A candidate names a tensor, one next to it, and one that shows the kind of the layer: it must exist or, with "!",
must not. It is proven for an architecture if a model without the first in such a layer crashes, and no such model
runs.
"""

import itertools
import re

import fit
import used
from gguf_file import Value

# As in src/models/*.cpp of llama.cpp v0.5.0: a network, or a shared expert, is loaded with any of its parts (hy_v3);
# layers with keys and values load attn_qkv and multiply by attn_q (qwen4exp).
CANDIDATES = (
    ("ffn_up_shexp", "ffn_down_shexp", "ffn_gate_inp"), ("ffn_down_shexp", "ffn_up_shexp", "ffn_gate_inp"),
    ("ffn_up_shexp", "ffn_gate_shexp", "ffn_gate_inp"), ("ffn_up", "ffn_down", "!ffn_gate_inp"),
    ("ffn_down", "ffn_up", "!ffn_gate_inp"), ("ffn_up", "ffn_gate", "!ffn_gate_inp"),
    ("attn_q", "attn_output", "attn_qkv"),
)


def _names(model):
    return {tensor.name for tensor in model.tensors}


def without(model, names):
    """The model without some tensors, and without their biases and scales, which the loader would not use."""
    stems = {used.stem(name) for name in names}
    return model.with_tensors(lambda tensor: None if used.stem(tensor.name) in stems else tensor)


def _others(candidate):
    """Names next to a candidate's in candidates for the same kind of layer: the result must hold with and without
    them."""
    return sorted({name for other in CANDIDATES if other[2] == candidate[2] for name in other[:2]} - set(candidate[:2]))


def _of_kind(built, model, layer, kind):
    """The model whose layer is of a kind; None if it cannot be built. built(model, names): with these additional
    tensors."""
    name = layer(kind.removeprefix("!"))
    if kind.startswith("!"):
        return without(model, {name})
    return model if name in _names(model) else built(model, (name,))


def _outcomes(ask, built, model, candidate):
    absent, beside, kind = candidate
    for number in sorted({int(found[1]) for found in (re.match(r"blk\.(\d+)\.", name) for name in _names(model)) if found}):
        def layer(name, number=number):
            return f"blk.{number}.{name}.weight"
        made = _of_kind(built, model, layer, kind)
        if made is None or layer(beside) not in _names(made):
            continue
        others = [name for name in map(layer, _others(candidate)) if name in _names(made)]
        for count in range(len(others) + 1):
            for gone in itertools.combinations(others, count):
                yield ask(without(made, {layer(absent), *gone}))


# A sum accepts a narrower part if it divides the width, for any purpose: this one does not.
WIDTHS = {"expert_shared_feed_forward_length": Value("u32", 48)}


def _of_widths(model, follow):
    prefix = model.keys["general.architecture"].value + "."
    for name, value in WIDTHS.items():
        if prefix + name in model.keys:
            model = follow(model.with_key(prefix + name, value))
    return model


def lines(ask, built, follow, models):
    """The lines "used" of the candidates that some models prove. ask(model): the result for it; follow(model): the same
    with the tensors that the loader makes from its keys."""
    models, told = [_of_widths(model, follow) for model in models], set()
    for candidate in CANDIDATES:
        outcomes = [outcome for model in models for outcome in _outcomes(ask, built, model, candidate)]
        if "ran" not in outcomes and any(outcome in fit.BAD for outcome in outcomes):
            told.add("used " + " ".join(("!" if name.startswith("!") else "") + f"blk.*.{name.removeprefix('!')}.weight"
                                        for name in candidate))
    return told
