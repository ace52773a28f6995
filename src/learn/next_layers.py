"""Finds the tensors that the loader requires in layers which predict further tokens (nextn_predict_layers)."""

import re
from dataclasses import replace

from gguf_file import TYPE_OF, Tensor, Value
from sweep import pattern_of

MOST_TENSORS = 200  # that the loader asks for, in all such layers


def _layer(name):
    found = re.match(r"blk\.(\d+)\.", name)
    return int(found[1]) if found else -1


def completed(ask, model, first):
    """The model with only those tensors in the layers from `first` on that the loader requires; their names in the
    order in which it asks for them; its last answer."""
    known = {tensor.name: tensor for tensor in model.tensors}
    made = model.with_tensors(lambda tensor: tensor if _layer(tensor.name) < first else None)
    added = []
    answer = ask(made)
    for _ in range(2 * MOST_TENSORS):
        absent = re.search(r"tensor '(\S+)' not found", answer["message"])
        misshapen = re.search(r"tensor '(\S+)' has wrong shape; expected ([\d, ]+), got", answer["message"])
        if absent and absent[1] not in added:
            added.append(absent[1])
            made.tensors.append(known.get(absent[1], Tensor(absent[1], TYPE_OF["F32"], (1,))))
        elif misshapen and misshapen[1] in added:
            dims = tuple(int(number) for number in misshapen[2].split(","))
            if 0 in dims:
                break
            made = made.with_tensors(lambda tensor: replace(tensor, dims=dims) if tensor.name == misshapen[1] else tensor)
        else:
            break
        answer = ask(made)
    return made, added, answer


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
