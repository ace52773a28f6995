"""Finds the matrices for which a sound LoRA adapter crashes the loader.

With an adapter, a product becomes a sum of products. Older releases set the precision of some products, and abort at
sums (GGML_ASSERT(a->op == GGML_OP_MUL_MAT), ggml_mul_mat_set_prec).
"""

import os
import random

from fit import BAD
from halves import halves, with_halves
from sweep import pattern_of

# The loader uses its halves for the output as well, if the model has none: rule `adapter`.
TIED = "token_embd.weight"


def _ends(runner, options, model, tensor):
    """Whether the loader crashes on the model with an adapter for one of its tensors."""
    architecture = model.keys["general.architecture"].value
    path = f"/dev/shm/unadapted-{os.getpid()}.gguf"
    with open(path, "wb") as file:
        file.write(with_halves(architecture, halves(random.Random(1), tensor)).bytes())
    answer = runner.ask(model.bytes(), f"{options},adapter:{path}")
    os.remove(path)
    return answer["outcome"] in BAD


def lines(runner, options, models, excepted=()):
    """The line "unadapted": tensors that no model runs with an adapter for. excepted: names that another line explains."""
    crashed, ran = set(), set()
    for model in models:
        first = {pattern_of(one.name): one for one in reversed(model.tensors)
                 if len(one.dims) > 1 and one.name.endswith(".weight") and one.name not in (TIED, *excepted)}
        for pattern, tensor in first.items():
            if pattern not in ran:
                (crashed if _ends(runner, options, model, tensor) else ran).add(pattern)
    found = sorted(pattern.replace("#", "*") for pattern in crashed - ran)
    return ["unadapted " + " ".join(found)] if found else []
