"""Tests tensors again that run with any type: together with certain other tensors, the graph may not use them.

hy_v3 loads both ffn_gate_exps and ffn_gate_up_exps, but uses only the latter. So each other tensor is removed. If the
model then runs, all tensors that run with any type are tested together. The same is done for tensors that replace
others.
"""

import fit
import used
from gguf_file import TYPE_OF, retyped
from sweep import pattern_of

TELLING = "I16"  # runs in no part of a graph


def _typed(model, patterns, word):
    return model.with_tensors(lambda tensor: retyped(tensor, TYPE_OF[word]) if pattern_of(tensor.name) in patterns else tensor)


def _used(ask, model, patterns):
    """The patterns whose tensors the graph of a running model uses: with another type the loader crashes."""
    if not patterns or ask(_typed(model, patterns, TELLING))["outcome"] not in fit.BAD:
        return []
    if len(patterns) == 1:
        return patterns
    half = len(patterns) // 2
    return _used(ask, model, patterns[:half]) + _used(ask, model, patterns[half:])


def seen(ask, architecture, forms, takes_any, words):
    """The outcomes for types of tensors in `takes_any` that a graph uses after all. forms: (letter, model)."""
    left, found = set(takes_any), []
    for letter, model in forms:
        patterns = list(dict.fromkeys(pattern_of(tensor.name) for tensor in model.tensors))
        for gone in [None] + patterns:
            variant = used.without(model, {gone})
            asked = [pattern for pattern in patterns if pattern in left and pattern != gone]
            if not asked or ask(variant)["outcome"] != "ran":
                continue
            for pattern in _used(ask, variant, asked):
                left.discard(pattern)
                for word in words:
                    made = _typed(variant, {pattern}, word)
                    if all(tensor.fits() for tensor in made.tensors):
                        found.append(fit.Seen(architecture, letter, f"{pattern}: {word}", ask(made)))
    return found
