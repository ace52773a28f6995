"""Combined changes that the lists of sweep.py do not contain: (text, changed model).

follow(model): the model with the tensors that the loader makes from its keys.
"""

import itertools
from dataclasses import replace

from gguf_file import TYPE_OF, Value, retyped


def _tables(learned, follow):
    """A layer that looks up its experts by token, in a table that does not contain integers."""
    key = f"{learned.architecture}.hash_layer_count"
    if key in learned.keys:
        model = follow(learned.model.with_key(key, Value("u32", 1)))
        yield f"{key}=1 & a table of F32", model.with_tensors(
            lambda tensor: retyped(tensor, TYPE_OF["F32"]) if "tid2eid" in tensor.name else tensor)


def _latent_experts(learned, follow):
    """Experts of another width than the model, without the two tensors that convert between the widths, or one of
    them."""
    key = f"{learned.architecture}.moe_latent_size"
    if key not in learned.keys:
        return
    model = follow(learned.model.with_key(key, Value("u32", 32)))
    for gone in (("ffn_latent_down",), ("ffn_latent_up",), ("ffn_latent_down", "ffn_latent_up")):
        yield f"{key}=32 & {' '.join(gone)}: absent", model.with_tensors(
            lambda tensor, gone=gone: None if any(f".{word}." in tensor.name for word in gone) else tensor)


def _convolutions(learned, follow):
    """A convolution over both directions, with an odd or even number of tokens."""
    causal, width = (f"{learned.architecture}.{name}" for name in ("attention.causal", "shortconv.l_cache"))
    for number in (2, 3, 4, 5) if width in learned.keys and causal in learned.keys else ():
        for flag in (False, True):
            model = learned.model.with_key(causal, Value("bool", flag)).with_key(width, Value("u32", number))
            yield f"{causal}={flag} & {width}={number}", follow(model)


# Heads of two layers, and of keys and values in the second, which is the only one with attention.
LATER_HEADS = ((2, 2, 1), (2, 3, 2), (2, 3, 3), (1, 2, 2), (1, 2, 1), (2, 4, 4), (2, 4, 2), (4, 2, 2), (4, 2, 1), (4, 2, 4))


def _later_heads(learned, follow):
    """Heads of a later layer, if the first has no key-value heads."""
    heads, kv = (f"{learned.architecture}.attention.{name}" for name in ("head_count", "head_count_kv"))
    value = learned.model.keys.get(kv)
    if value is None or value.type != "[u32]" or len(value.value) != 2 or 0 not in value.value:
        return
    for first, second, keys in LATER_HEADS:
        model = learned.model.with_key(heads, Value("[u32]", [first, second])).with_key(kv, Value("[u32]", [0, keys]))
        yield f"{heads}=[{first}, {second}] & {kv}=[0, {keys}]", follow(model)


def _fewer_first_heads(learned, follow):
    """Fewer heads than key-value heads in the first layer."""
    heads, kv = (f"{learned.architecture}.attention.{name}" for name in ("head_count", "head_count_kv"))
    layers = learned.model.keys[f"{learned.architecture}.block_count"].value
    number, value = learned.model.keys.get(heads), learned.model.keys.get(kv)
    if number is None or value is None or (number.type, value.type) != ("u32", "u32") or layers < 2:
        return
    for first, later in ((1, 2), (1, 4), (2, 4)):
        model = learned.model.with_key(heads, Value("[u32]", [first] + [later] * (layers - 1))).with_key(kv, Value("u32", later))
        yield f"{heads}=[{first}, {later}, ...] & {kv}={later}", follow(model)


def _exchanged(model, architecture):
    """The model with its two layers in the other order."""
    order = {"0": "1", "1": "0"}

    def renamed(tensor):
        words = tensor.name.split(".")
        if words[0] == "blk":
            words[1] = order[words[1]]
        return replace(tensor, name=".".join(words))

    made = model.with_tensors(renamed)
    for name, value in model.keys.items():
        if value.type.startswith("[") and name.startswith(architecture + ".") and len(value.value) == 2:
            made.keys[name] = Value(value.type, value.value[::-1])
    return made


def _first_without_heads(learned, _follow):
    """The second layer alone attends, and the file states the widths that follow from the heads of the first."""
    prefix = learned.architecture + "."
    heads = learned.model.keys.get(prefix + "attention.head_count")
    if heads is None or heads.type != "[u32]" or len(heads.value) != 2 or heads.value[1] != 0:
        return
    model = _exchanged(learned.model, learned.architecture)
    width = Value("u32", learned.model.keys[prefix + "embedding_length"].value // heads.value[0])
    for part in ("key", "value"):
        model = model.with_key(f"{prefix}attention.{part}_length", model.keys.get(f"{prefix}attention.{part}_length", width))
    for rotated in (None, width):
        made = model.with_key(prefix + "rope.dimension_count", rotated)
        yield f"{prefix}attention.head_count={heads.value[::-1]} & rope.dimension_count={rotated and rotated.value}", made


def _compressed(learned, follow):
    """Keys and values stored compressed or not, with one tensor for both of them or two."""
    prefix, model = f"{learned.architecture}.attention.", learned.model
    kv = model.keys.get(prefix + "head_count_kv")
    if prefix + "key_length_mla" not in learned.keys or kv is None:
        return
    for widths, heads, width in itertools.product(((32, 32), (0, 0), (0, 32)), (1, 2), (None, 32)):
        made = model.with_key(prefix + "head_count_kv",
                              Value(kv.type, heads if kv.type == "u32" else [heads * bool(one) for one in kv.value]))
        for part, number in zip(("key", "value"), widths):
            made = made.with_key(f"{prefix}{part}_length_mla", Value("u32", number))
        made = made.with_key(prefix + "key_length", Value("u32", width)) if width else made
        text = f"{prefix}key_length_mla={widths} & head_count_kv={heads} & key_length={width}"
        yield text, follow(made)
        yield f"{text} & attn_kv_b", follow(_joint(made))


def _joint(model):
    """The model with attn_kv_b instead of attn_k_b and attn_v_b."""
    made = model.with_tensors(lambda tensor: None if ".attn_v_b." in tensor.name else tensor)
    return made.with_tensors(lambda tensor: replace(tensor, name=tensor.name.replace(".attn_k_b.", ".attn_kv_b.")))


def changes(learned, follow):
    for make in (_fewer_first_heads, _first_without_heads, _compressed, _tables, _latent_experts, _convolutions, _later_heads):
        yield from make(learned, follow)
