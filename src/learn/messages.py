"""Completes a model from the messages of the loader: the tensors that it misses, and the shapes that it expects."""

import re
from dataclasses import replace

from gguf_file import TYPE_OF, Tensor

MOST_TENSORS = 200  # that the loader asks for
ABSENT = re.compile(r"tensor '(\S+)' not found")
MISSHAPEN = re.compile(r"tensor '(\S+)' has wrong shape; expected ([\d, ]+), got")


def expected(answer):
    """(name, dimensions) of a tensor whose shape the loader refused; None if it did not."""
    found = MISSHAPEN.search(answer["message"])
    return (found[1], tuple(int(number) for number in found[2].split(","))) if found else None


def completed(ask, model, added, known=()):
    """The model with those tensors that the loader requires; the names of the new ones, in the order of its messages; its
    last answer. added: names that are new already; known: tensors to take, the others are F32."""
    known = {tensor.name: tensor for tensor in known}
    made, added = model.copy(), list(added)
    answer = ask(made)
    for _ in range(2 * MOST_TENSORS):
        absent, shape = ABSENT.search(answer["message"]), expected(answer)
        if absent and absent[1] not in added:
            added.append(absent[1])
            made.tensors.append(known.get(absent[1], Tensor(absent[1], TYPE_OF["F32"], (1,))))
        elif shape and shape[0] in added and 0 not in shape[1]:
            made = made.with_tensors(lambda tensor: replace(tensor, dims=shape[1]) if tensor.name == shape[0] else tensor)
        else:
            break
        answer = ask(made)
    return made, added, answer
