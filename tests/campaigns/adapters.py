"""Random LoRA adapters for learned models, and the behaviour of the loader.

Most halves fit a tensor of the model. Some have another shape, rank or type, or lack the other half. The gate checks an
adapter alone. The loader runs it with its model.
"""

import os
from dataclasses import replace

import learner  # pylint: disable=unused-import
import campaign
import main as learning
from gguf_file import TYPES
from halves import halves, with_halves

MOST_TENSORS = 4


class Trial:
    """One adapter and its model."""

    def __init__(self, shop, contents, model):
        said = shop.lab.judge.ask(contents)
        self.accepted = {profile: not said[profile]["errors"] for profile in campaign.PROFILES}
        self.warnings, self.outcome, self.where = said["gate"]["warnings"], "not run", ""
        if any(self.accepted.values()):
            path = f"/dev/shm/adapter-{os.getpid()}.gguf"
            with open(path, "wb") as file:
                file.write(contents)
            answer = shop.lab.runner.ask(model.bytes(), learning.options_of(shop.architecture, "no-text", f"adapter:{path}"))
            os.remove(path)
            self.outcome = answer["outcome"]
            self.where = f"{answer['stage']} {answer['signal'] or ''}: {answer['message'][:200]}"

    def offence(self):
        """A violated promise of the gate. A warning is enough in both profiles, because other models run with the same
        adapter."""
        silent = self.outcome in campaign.BAD and "adapter" not in self.warnings
        accepted = [profile for profile in campaign.PROFILES if self.accepted[profile]]
        return f"accepted by {' and '.join(accepted)} without a warning" if silent else ""


def _dims(random, dims):
    dims = list(dims)
    at = random.randrange(len(dims))
    way = random.randrange(6)
    if way == 0:
        return tuple(dims[:2])
    if way == 1:
        return tuple(dims[::-1])
    if way == 2:
        return tuple(dims + [random.choice([1, 2])])
    dims[at] = {3: 0, 4: 1, 5: dims[at] * 2}[way]
    return tuple(dims)


def _changed(random, tensors):
    """The description of a change, and the changed halves."""
    at, way = random.randrange(len(tensors)), random.randrange(6)
    made = list(tensors)
    if way == 0:
        return f"{made[at].name}: absent", made[:at] + made[at + 1:]
    if way < 3:
        number = random.choice([one for one in TYPES if made[at].dims[0] % TYPES[one][1] == 0])
        made[at] = replace(made[at], type=number)
        return f"{made[at].name}: {TYPES[number][0]}", made
    made[at] = replace(made[at], dims=_dims(random, made[at].dims))
    if not made[at].fits():
        return "", list(tensors)
    return f"{made[at].name}: {list(made[at].dims)}", made


def adapter(shop, random):
    """(text, bytes, model): an adapter with up to two changes."""
    if not shop.running:
        return None
    model = random.choice(shop.running)
    base = [tensor for tensor in model.tensors if len(tensor.dims) > 1 and tensor.name.endswith(".weight")]
    if not base:
        return None
    tensors = []
    for tensor in random.sample(base, min(len(base), random.randint(1, MOST_TENSORS))):
        tensors += halves(random, tensor)
    told = [tensor.name for tensor in tensors[::2]]
    for _ in range(random.choice([0, 1, 1, 1, 2])):
        text, tensors = _changed(random, tensors) if tensors else ("", tensors)
        told += [text] if text else []
    return " & ".join(told), with_halves(shop.architecture, tensors).bytes(), model


KINDS = {"adapter": adapter}
