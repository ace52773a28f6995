"""Finds the tensors that the loader requires in layers which predict further tokens (nextn_predict_layers)."""

import re
from dataclasses import replace

import messages
from gguf_file import TYPE_OF, Tensor, Value
from sweep import pattern_of


def _layer(name):
    found = re.match(r"blk\.(\d+)\.", name)
    return int(found[1]) if found else -1


def completed(ask, model, first):
    """messages.completed() for the layers from `first` on: with only those tensors that the loader requires."""
    made = model.with_tensors(lambda tensor: tensor if _layer(tensor.name) < first else None)
    return messages.completed(ask, made, (), model.tensors)


def _predicting(learned, layers, further):
    """The model with `layers` more layers. The last `further` layers predict further tokens."""
    prefix = learned.architecture + "."
    key = prefix + "block_count"
    before = learned.model.keys[key].value
    model = learned.model.with_key(key, replace(learned.model.keys[key], value=before + layers))
    for name, value in learned.model.keys.items():
        if name.startswith(prefix) and value.type.startswith("[") and len(value.value) == before:
            model = model.with_key(name, replace(value, value=value.value + value.value[-1:] * layers))
    return model.with_key(prefix + "nextn_predict_layers", Value("u32", further))


def _fitting(ask, learned, model):
    """The model. hy_v4 has no element of this array for layers that predict further tokens."""
    key = learned.architecture + ".attention.indexer.types"
    if key not in model.keys or "wrong array length" not in ask(model)["message"]:
        return model
    value = model.keys[key]
    return model.with_key(key, replace(value, value=value.value[:-1]))


def _completed_further(ask, learned, layers):
    """completed() for one more layer that predicts further tokens. nemotron_h wants a width of experts for it."""
    model = _fitting(ask, learned, _predicting(learned, 1, 1))
    made, added, answer = completed(ask, model, layers)
    width = "expert_feed_forward_length"
    if added or width not in answer["message"]:
        return made, added
    model = model.with_key(f"{learned.architecture}.{width}", Value("u32", 32))
    return completed(ask, model, layers)[:2]


def lines(runner, options, learned):
    """The line "next". Of the tensors that such a layer shares with other layers, only the first that the loader asks
    for is listed: others have replacements. "next none": the loader makes no tensor of such a layer."""
    def ask(model):
        return runner.ask_model(model, options)
    layers = learned.model.keys[learned.architecture + ".block_count"].value
    _, added = _completed_further(ask, learned, layers)
    if added:
        names = dict.fromkeys(pattern_of(name) for name in added[:1] + [name for name in added if ".nextn." in name])
        return ["next " + " ".join(name.replace("#", "*") for name in names)]
    plain = ask(_fitting(ask, learned, _predicting(learned, 0, 1)))
    return ["next none"] if plain["outcome"] == "refused" and "wrong number of tensors" in plain["message"] else []


def models(runner, options, learned):
    """Models with the tensors that the loader requires: one whose layers all predict further tokens, if the loader asks
    for tensors of them, and one with one more layer, which does."""
    layers = learned.model.keys[learned.architecture + ".block_count"].value
    def ask(model):
        return runner.ask_model(model, options)
    alone, added, _ = completed(ask, _predicting(learned, 0, layers), 0)
    return ([alone] if added else []) + [_completed_further(ask, learned, layers)[0]]


def form(runner, options, learned, sought, covered):
    """A model with one more layer that predicts further tokens, and with the tensors outside of `covered` that the loader
    looks up for it; None if it does not run. sought(model): pattern to names; covered: patterns."""
    def ask(model):
        return runner.ask_model(model, options)
    layers = learned.model.keys[learned.architecture + ".block_count"].value
    made, _ = _completed_further(ask, learned, layers)
    if ask(made)["outcome"] != "ran":
        return None
    for _ in range(2):  # some tensors are looked up only beside another one
        for pattern, names in sought(made).items():
            if pattern not in covered:
                made = _with(ask, made, names)
    return made


def _with(ask, model, names):
    """The model with these tensors and those that the loader then requires, if it runs."""
    have = {tensor.name for tensor in model.tensors}
    new = [name for name in names if name not in have]
    asked = model.copy()
    asked.tensors = asked.tensors + [Tensor(name, TYPE_OF["F32"], (1,)) for name in new]
    made, _, answer = messages.completed(ask, asked, new)
    return made if new and answer["outcome"] == "ran" else model
