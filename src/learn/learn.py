"""Learns tiny models of every architecture from the loader."""

from dataclasses import replace

import recipes
import vocabularies
from gguf_file import TYPE_OF, Model, Tensor, Value
from sweep import pattern_of, patterns_of

MOST_BYTES = 1 << 22  # for tensors that depend on a key


def _trim(dims):
    dims = list(dims)
    while len(dims) > 1 and dims[-1] == 1:
        dims.pop()
    return tuple(dims)


class Learned:
    """The answers of the loader about one architecture: a model that it builds, and everything that it looked up."""

    def __init__(self, architecture, experts, everything, answer, model, keys, required):
        self.architecture = architecture
        self.experts = experts
        self.everything = everything  # with the optional tensors
        self.answer = answer          # the last message of the loader
        self.model = model            # None: it was not built
        self.keys = keys              # key -> type, None if it was not found
        self.required = required      # names of tensors
        self.fresh = None             # of a form with other keys: the patterns that no other form has

    def patterns(self):
        return patterns_of(self.model.tensors)

    @property
    def name(self):
        return f"{self.architecture}{'+experts' if self.experts else ''}{'+optional' if self.everything else ''}"


def metadata(architecture, experts, kind=None, changes=None):
    model = Model()
    model.keys["general.architecture"] = Value("str", architecture)
    model.keys["general.quantization_version"] = Value("u32", 2)
    for name, value in (recipes.values(architecture, experts) | (changes or {})).items():
        # llama.cpp looks up the four keys of xIELU without the architecture.
        model.keys[name if name.startswith("xielu.") else f"{architecture}.{name}"] = value
    model.keys |= vocabularies.KINDS[kind or vocabularies.kind_for(architecture)]()
    return model


def tensors_of(answer):
    made = {}
    for tensor in answer["tensors"]:
        if tensor["name"]:
            made[tensor["name"]] = Tensor(tensor["name"], TYPE_OF[tensor["type"].upper()], _trim(tensor["dims"]))
    return list(made.values())


def is_built(answer):
    """Whether all tensors were created, even if their number is wrong afterwards."""
    return answer["outcome"] == "built" or "number of tensors" in answer["message"] or "tensors created" in answer["message"]


def type_of(tensor):
    """The type of a new tensor: tables of experts by token contain integers (deepseek4)."""
    return TYPE_OF["I32"] if "tid2eid" in tensor.name else tensor.type


def reshaped(model, answer):
    """The model with the tensors that the loader makes from its keys, if it gets that far and they are small."""
    if not is_built(answer):
        return model
    types = {tensor.name: tensor.type for tensor in model.tensors}
    copy = model.copy()
    copy.tensors = [replace(one, type=types.get(one.name, type_of(one))) for one in tensors_of(answer)]
    small = sum(tensor.size() for tensor in copy.tensors) <= MOST_BYTES
    return copy if small and all(tensor.fits() for tensor in copy.tensors) else model


def learn(asker, architecture, experts, everything, kind=None, without=(), changes=None):
    """A form of an architecture; `everything`: with the optional tensors, except for the names and patterns in
    `without`. changes: other values of keys than those of recipes.py."""
    model = metadata(architecture, experts, kind, changes)
    first = answer = asker.ask_model(model)
    if not is_built(answer) and not (everything and answer["tensors_sought"]):
        return Learned(architecture, experts, everything, answer, None, {}, set())
    required = {tensor.name for tensor in tensors_of(answer)}
    for _ in range(4):
        if not everything:
            break
        known = {tensor.name for tensor in model.tensors}
        sought = [one["name"] for one in answer["tensors_sought"]] + sorted(required)
        new = [name for name in dict.fromkeys(sought) if name not in known and not {name, pattern_of(name)} & set(without)]
        if not new:
            break
        model.tensors += [Tensor(name, 0, (1,)) for name in new]
        answer = asker.ask_model(model)
    asked = {key["key"]: key["type"] for one in (first, answer) for key in one["keys"]}
    prefix = architecture + "."
    kept = {name: value for name, value in model.keys.items()
            if name in asked or not name.startswith((prefix, "xielu."))}
    return Learned(architecture, experts, everything, answer, Model(kept, tensors_of(answer)), asked, required)
