"""Finds per-layer keys for which an architecture uses the number of the first layer for all layers."""

from gguf_file import Value

# Keys that llama_model_base::load_hparams reads as one number or an array, and that shapes depend on.
KEYS = ("feed_forward_length", "expert_feed_forward_length", "attention.head_count", "attention.head_count_kv")


def _verdicts(made_of, learned):
    """(key, whether other numbers in later layers change no shape) of one form."""
    prefix, model = learned.architecture + ".", learned.model
    layers = model.keys[prefix + "block_count"].value
    for name in KEYS[2:]:  # attention in all layers: others have no shape that depends on heads
        value = model.keys.get(prefix + name)
        if value is not None and value.type == "[u32]":
            model = model.with_key(prefix + name, Value("[u32]", [max(value.value)] * layers))

    def dims(name, first, others):
        array = Value("[u32]", [first] + [others] * (layers - 1))
        made = made_of(model.with_key(prefix + name, array))
        return made and {tensor.name: tensor.dims for tensor in made}

    for name in KEYS:
        value = model.keys.get(prefix + name)
        if value is None or value.type not in ("u32", "[u32]") or layers < 2:
            continue
        first = value.value if value.type == "u32" else max(value.value)
        equal = dims(name, first, first)
        if equal is not None:
            yield name, dims(name, first, 2 * first) == equal


def lines(made_of, forms):
    """The line "first". made_of(model): the tensors that the loader creates; None if it stops before. A form may have no
    tensor that depends on a key, so one form with other shapes is enough against it."""
    found = [verdict for learned in forms for verdict in _verdicts(made_of, learned)]
    names = [name for name in KEYS if (name, True) in found and (name, False) not in found]
    return ["first " + " ".join(names)] if names else []
