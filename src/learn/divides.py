"""Finds out whether the loader divides by the dimensions of a tensor.

Before August 2026, gguf.cpp guarded products of dimensions against overflows with divisions. A dimension of 0 after the
first one then ended every program with SIGFPE, before it looked at the model.
"""

from dataclasses import replace


def lines(runner, options, models):
    """The line "load", if the loader dies at load because a matrix has no rows."""
    for model in models:
        at = next((i for i, tensor in enumerate(model.tensors) if len(tensor.dims) > 1), None)
        if at is None:
            continue
        empty = model.copy()
        empty.tensors[at] = replace(empty.tensors[at], dims=(empty.tensors[at].dims[0], 0))
        answer = runner.ask_model(empty, options)
        divides = (answer["outcome"], answer["stage"], answer["signal"]) == ("died", "load", "SIGFPE")
        return ["load divides-by-dimensions"] if divides else []
    return []
