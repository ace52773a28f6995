"""Finds tensors that are optional for the loader, but that the graph uses in layers of one kind: tries CANDIDATES.

A candidate names a tensor, another tensor of its layer, and a third one that determines the kind of layer: it is
present, or absent with "!". The candidate is proven for an architecture if a model crashes without the first in such a
layer, and no model runs.
"""

import itertools
import re

import fit
import used
from gguf_file import Value

# As in src/models/*.cpp of llama.cpp v0.5.0: it loads a network, or a shared expert, with any parts (hy_v3), also
# next to experts (grok). Layers with keys and values load attn_qkv and multiply by attn_q (qwen4exp). Layers with
# states use attn_qkv together with attn_gate, even if ssm_in is there (qwen3next). Norms of joined queries and keys are
# applied to a view, which is not contiguous (jina-bert-v2).
CANDIDATES = (
    ("ffn_up_shexp", "ffn_down_shexp", "ffn_gate_inp"), ("ffn_down_shexp", "ffn_up_shexp", "ffn_gate_inp"),
    ("ffn_up_shexp", "ffn_gate_shexp", "ffn_gate_inp"), ("ffn_up", "ffn_down", "!ffn_gate_inp"),
    ("ffn_down", "ffn_up", "!ffn_gate_inp"), ("ffn_up", "ffn_gate", "!ffn_gate_inp"),
    ("ffn_down", "ffn_up", "ffn_gate_inp"), ("attn_q", "attn_output", "attn_qkv"),
    ("attn_q", "attn_q_norm", "attn_qkv"), ("attn_k", "attn_k_norm", "attn_qkv"),
    ("attn_gate", "attn_qkv", "ssm_conv1d"), ("attn_qkv", "attn_gate", "ssm_conv1d"),
)


def _names(model):
    return {tensor.name for tensor in model.tensors}


def without(model, names):
    """The model without some tensors, their biases and their scales, which would otherwise be unused."""
    stems = {used.stem(name) for name in names}
    return model.with_tensors(lambda tensor: None if used.stem(tensor.name) in stems else tensor)


# Further tensors that such a layer does not use. Where they are left, the loader counts the tensors and refuses.
UNUSED = {"attn_qkv": {"attn_v"}}


def _others(candidate):
    """Other names in candidates of the same kind of layer: the result must hold with and without them."""
    kind = candidate[2]
    names = {name for other in CANDIDATES if other[2] == kind for name in other[:2]} | UNUSED.get(kind, set())
    return sorted(names - set(candidate[:2]))


def _of_kind(built, model, layer, kind):
    """The model with a layer of this kind, or None. built(model, names): the model with these tensors added."""
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


# A sum accepts a narrower part whose width divides the whole, but not this one.
WIDTHS = {"expert_shared_feed_forward_length": Value("u32", 48)}


def _of_widths(model, follow):
    prefix = model.keys["general.architecture"].value + "."
    for name, value in WIDTHS.items():
        if prefix + name in model.keys:
            model = follow(model.with_key(prefix + name, value))
    return model


def lines(ask, built, follow, models):
    """The lines "used" of the candidates that some models prove. ask(model): the outcome. follow(model): the model with
    the tensors that the loader makes from its keys."""
    models, told = [_of_widths(model, follow) for model in models], set()
    for candidate in CANDIDATES:
        outcomes = [outcome for model in models for outcome in _outcomes(ask, built, model, candidate)]
        if "ran" not in outcomes and any(outcome in fit.BAD for outcome in outcomes):
            told.add("used " + " ".join(("!" if name.startswith("!") else "") + f"blk.*.{name.removeprefix('!')}.weight"
                                        for name in candidate))
    return told
