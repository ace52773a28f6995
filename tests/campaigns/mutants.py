"""Models with one or two random changes: of keys, of tensors, of the vocabulary.

They depend only on the seed. A change is a pair: a short text that allows a person to repeat it, and a function from
model to model.
"""

import math
from dataclasses import replace

import learner  # pylint: disable=unused-import
import sweep
from gguf_file import TYPES, Value

NUMBERS = [0, 1, 2, 3, 5, 7, 8, 15, 16, 17, 24, 31, 32, 40, 48, 63, 64, 65, 72, 96, 100, 127, 128, 129, 192, 255, 256, 257,
           511, 512, 513, 1000, 4096, 65535, 65536, 1 << 20, 1 << 24, (1 << 31) - 1, 1 << 31, (1 << 32) - 2, (1 << 32) - 1]
REALS = [0.0, -0.0, 1e-38, 1e-6, 0.25, 0.5, 1.0, 2.0, 100.0, 1e4, 1e30, -1e-6, -1.0, -1e30, math.inf, -math.inf, math.nan]
PRE_TOKENIZERS = ["default", "gpt-2", "llama-bpe", "qwen2", "deepseek-llm", "falcon", "starcoder", "tekken", "mpt", "x", ""]
TYPES_DRAWN = [number for number, (word, _, _) in TYPES.items() if word != "F32"]


def _number(random, old):
    if isinstance(old, int) and random.random() < 0.5:
        return max(0, random.choice([old - 1, old + 1, old * 2, old // 2, old + 2, old * 3, old * 4, old ^ 1])) % (1 << 32)
    return random.choice(NUMBERS) if random.random() < 0.8 else random.randrange(1 << random.randrange(1, 33))


def _element(random, word, old):
    if word == "bool":
        return not old
    if word in ("f32", "f64"):
        return random.choice(REALS)
    if word == "str":
        return random.choice([old + "x", old[:-1], "", "\u0120a", "<0x41>", "a" * 70, "\u2581", "\U0001F600"])
    number = _number(random, old)
    if word in ("i8", "i16", "i32", "i64"):
        bits = 8 * {"i8": 1, "i16": 2, "i32": 4, "i64": 8}[word]
        number = random.choice([number, -number, -1]) if random.random() < 0.3 else number
        return (number + (1 << bits - 1)) % (1 << bits) - (1 << bits - 1)
    return number % {"u8": 1 << 8, "u16": 1 << 16}.get(word, 1 << 32)


def _array(random, word, many):
    many = list(many)
    way = random.randrange(6)
    if way == 0:
        return many[:-1]
    if way == 1:
        return many + many[-1:]
    if way == 2:
        return many[:random.randrange(len(many) + 1)]
    if many and way < 5:
        at = random.randrange(len(many))
        many[at] = _element(random, word, many[at])
        return many
    return [_element(random, word, many[0])] * len(many) if many else many


def _vocabulary_value(random, name, value):
    if name.endswith(".pre"):
        return Value("str", random.choice(PRE_TOKENIZERS))
    if value.type.startswith("["):
        return Value(value.type, _array(random, value.type[1:-1], value.value))
    return Value(value.type, _element(random, value.type, value.value))


def key_change(random, seed):
    """A change of a hyper-parameter: any that the loader reads, present or not."""
    names = [name for name in dict.fromkeys(list(seed.model.keys) + list(seed.keys))
             if name.startswith((seed.architecture + ".", "xielu."))]
    name = random.choice(sorted(names))
    value = seed.model.keys.get(name)
    layers = seed.model.keys[seed.architecture + ".block_count"].value
    way = random.random()
    if value is not None and way < 0.1:
        made = None
    elif value is not None and value.type.startswith("[") and way < 0.5:
        made = Value(value.type, _array(random, value.type[1:-1], value.value))
    elif value is not None and not value.type.startswith("[") and value.type != "str" and way < 0.7:
        made = Value(value.type, _element(random, value.type, value.value))
    else:
        word = random.choice(["u32", "u32", "u32", "f32", "bool", "str"])  # the loader prints no absent keys
        made = random.choice(sweep.values_for(name, value, word, layers, True) or [None])
    return f"{name}={sweep.text_of(made)}", lambda model: model.with_key(name, made)


def vocabulary_change(random, seed):
    names = sorted(name for name in seed.model.keys if name.startswith("tokenizer."))
    name = random.choice(names)
    if random.random() < 0.3:
        kind = random.choice(["bos", "eos", "unknown", "padding", "seperator", "mask", "cls", "eot", "eom", "fim_pre"])
        name = f"tokenizer.ggml.{kind}_token_id"
    value = seed.model.keys.get(name, Value("u32", 1))
    made = None if random.random() < 0.1 else _vocabulary_value(random, name, value)
    shown = "absent" if made is None else repr(made.value)
    return f"{name}={shown[:80]}", lambda model: model.with_key(name, made)


def _dims(random, dims):
    dims = list(dims)
    way = random.randrange(7)
    at = random.randrange(len(dims))
    if way == 0:
        return tuple(dims[::-1])
    if way == 1:
        return tuple(dims[:-1]) or (1,)
    if way == 2:
        return tuple(dims[:3] + [random.choice([1, 1, 2])])
    dims[at] = {3: 1, 4: dims[at] * 2, 5: max(1, dims[at] // 2), 6: random.choice([0, dims[at] + 1, dims[at] + 32])}[way]
    return tuple(dims)


def _fitting(tensor):
    """The tensor; None if its row is not a whole number of blocks."""
    return tensor if tensor.fits() else None


def tensor_change(random, seed):
    """Changes a tensor, or all tensors of one name: another type, another shape, or removed."""
    if not seed.model.tensors:
        return key_change(random, seed)
    chosen = random.choice(seed.model.tensors)
    pattern = sweep.pattern_of(chosen.name)
    everywhere = random.random() < 0.5
    def meant(tensor):
        return sweep.pattern_of(tensor.name) == pattern if everywhere else tensor.name == chosen.name
    shown = pattern if everywhere else chosen.name
    way = random.random()
    if way < 0.2:
        return f"{shown}: absent", lambda model: model.with_tensors(lambda t: None if meant(t) else t)
    if way < 0.75:
        number = random.choice([one for one in TYPES_DRAWN if chosen.dims[0] % TYPES[one][1] == 0])
        return (f"{shown}: {TYPES[number][0]}",
                lambda model: model.with_tensors(lambda t: _fitting(replace(t, type=number)) if meant(t) else t))
    dims = _dims(random, chosen.dims)
    if math.prod(dims) > 1 << 20:
        dims = chosen.dims[::-1]
    return (f"{shown}: {list(dims)}",
            lambda model: model.with_tensors(lambda t: _fitting(replace(t, dims=dims)) if meant(t) else t))


def added_tensor(random, seed):
    """An absent tensor that belongs to a tensor of the model: a bias, a scale, rope factors."""
    chosen = random.choice(seed.model.tensors)
    stem = chosen.name.removesuffix(".weight").removesuffix(".bias")
    name = random.choice([stem + ".bias", stem + ".scale", stem + ".input_scale", "rope_freqs.weight",
                          "blk.0.rope_freqs.weight", "output.weight", "output.bias"])
    dims = random.choice([(1,), chosen.dims[-1:], chosen.dims[:1], chosen.dims])
    made = replace(chosen, name=name, dims=dims, type=0)
    def add(model):
        copy = model.copy()
        if all(tensor.name != name for tensor in copy.tensors):
            copy.tensors.append(made)
        return copy
    return f"{name}: added {list(dims)}", add


def changes(random, seed):
    """One change, or two."""
    ways = [key_change] * 12 + [tensor_change] * 6 + [vocabulary_change] * 3 + [added_tensor]
    if not seed.model.tensors:
        ways = [key_change, vocabulary_change]
    return [random.choice(ways)(random, seed) for _ in range(random.choice([1, 2]))]


def applied(model, many):
    for _, change in many:
        model = change(model)
    return model
