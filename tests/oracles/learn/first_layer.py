"""Finds keys for which an architecture uses the number of the first layer for all layers, although they may have one
each."""

from gguf_file import Value

# Keys that llama_model_base::load_hparams reads as one number or an array, and that determine shapes.
KEYS = ("feed_forward_length", "expert_feed_forward_length", "attention.head_count", "attention.head_count_kv")


def _of_form(made_of, learned):
    prefix, model, found = learned.architecture + ".", learned.model, []
    dims = {tensor.name: tensor.dims for tensor in model.tensors}
    layers = model.keys[prefix + "block_count"].value
    for name in KEYS:
        value = model.keys.get(prefix + name)
        if value is None or value.type != "u32" or layers < 2:
            continue
        array = Value("[u32]", [value.value] + [2 * value.value] * (layers - 1))
        made = made_of(model.with_key(prefix + name, array))
        if made is not None and {tensor.name: tensor.dims for tensor in made} == dims:
            found.append(name)
    return found


def lines(made_of, forms):
    """The line "first". made_of(model): the tensors that the loader makes; None if it stops before."""
    found = {name for learned in forms for name in _of_form(made_of, learned)}
    return ["first " + " ".join(name for name in KEYS if name in found)] if found else []
