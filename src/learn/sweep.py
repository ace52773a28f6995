"""All single changes of a model that are useful to try with a loader: keys, tensors, their types and shapes.

The name of a change is a short text, "key=value" or "tensor: what", so that a table or a person can repeat it.
"""

import itertools
import math
import re
from dataclasses import replace

from gguf_file import TYPE_OF, TYPES, Value

NUMBERS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 24, 31, 32, 33, 48, 63, 64, 65, 80, 96, 128, 192, 256, 512, 1000, 1025,
           65536, 1 << 20, (1 << 31) - 1, 1 << 31, (1 << 32) - 2, (1 << 32) - 1]
FLOATS = [0.0, -0.0, 1.0, -1.0, 0.5, 1e-30, 1e30, math.inf, -math.inf, math.nan]
WORDS = ["", "none", "linear", "yarn", "longrope", "LINEAR", "dynamic", "llama3", "silu", "gelu", "x"]
SHAPE_TYPES = ["F32", "F16", "BF16", "F64", "I8", "I16", "I32", "I64", "Q4_0", "Q5_1", "Q8_0", "Q8_1", "IQ4_NL",
               "MXFP4", "NVFP4", "Q8_K", "Q4_K", "IQ1_S", "TQ2_0"]


def text_of(value):
    if value is None:
        return "absent"
    return f"{value.value}" if value.type in ("u32", "f32", "bool", "str") else f"{value.type} {value.value}"


def _arrays(value, layers):
    """Per-layer arrays for a number."""
    number = value.value if value.type == "u32" else value.value[0] if value.type == "[u32]" and value.value else 1
    forms = [[number] * layers, [number] * (layers + 1), [number] * (layers - 1), [], [0] * layers,
             [number] + [0] * (layers - 1), [0] + [number] * (layers - 1), [number] + [2 * number] * (layers - 1),
             [number] + [1] * (layers - 1), [2 * number] + [number] * (layers - 1),
             [number] + [4_294_967_295] * (layers - 1)]
    return [Value("[u32]", form) for form in forms]


SECTIONS = [[8, 8, 8, 8], [16, 0, 0, 0], [4, 6, 6, 0], [0, 0, 0, 0], [1, -1, 0, 0], [0, 0, 0, 16], [0, 8, 8, 0],
            [16, 16, 16, 16], [1, 1, 1, 1], [8, 8, 8], [8], [8, 8, 8, 8, 8], [-1, 8, 8, 8], [100, 0, 0, 0]]


def values_for(name, value, word, layers, arrays):
    """Values to try for a key. `value` is the current one, None if it is absent; `word` is the type that the loader
    reads."""
    if "dimension_sections" in name:
        return [None] + [Value("[i32]", one) for one in SECTIONS]
    kind = value.type if value is not None else word
    made = [None] if value is not None else []
    if kind in ("u32", "i32", "u16"):
        numbers = list(NUMBERS)
        if value is not None:
            numbers += [value.value - 1, value.value + 1, value.value * 2, value.value // 2]
        made += [Value(kind, n) for n in sorted(set(numbers)) if 0 <= n < (1 << (32 if kind == "u32" else 31 if kind == "i32" else 16))]
        if kind == "u32" and arrays:
            made += _arrays(value or Value("u32", 1), layers)
            made += [Value("[bool]", [True] * layers), Value("[bool]", [False] * layers), Value("[i32]", [-1] * layers)]
            if layers > 2:
                made += [Value("[u32]", [i % 2 for i in range(layers)]), Value("[bool]", [i % 2 == 1 for i in range(layers)])]
        made += [Value("u64", 1)]
    elif kind == "f32":
        made += [Value("f32", one) for one in FLOATS] + [Value("f64", 1.0), Value("[f32]", [1.0] * layers)]
    elif kind == "bool":
        made += [Value("bool", False), Value("bool", True), Value("u32", 1)]
    elif kind == "str":
        made += [Value("str", one) for one in WORDS]
    elif kind.startswith("["):
        element = kind[1:-1]
        many = list(value.value) if value is not None else [1] * layers
        if element == "str":
            return made + [Value(kind, []), Value(kind, ["a", "b"])]
        if element == "f32":
            made += [Value(kind, many[:-1]), Value(kind, many + [1.0]), Value(kind, []), Value(kind, [math.nan] * len(many)),
                     Value(kind, [0.0] * len(many)), Value("f32", 1.0)]
        else:
            forms = [many[:-1], many + many[-1:], [], [0] * len(many), [1] * len(many), many[::-1]]
            if element == "bool":
                forms = [[bool(x) for x in form] for form in forms]
            else:
                forms += [many[:-1] + [2 * many[-1] + 1], [2 * many[0] + 1] + many[1:], many[:-1] + [2**31 - 1]]
                if many:
                    forms += [[3 * many[0]] + many[1:], [(many[0] << 28) % 2**31] + many[1:], [1] * (len(many) - 1) + [0]]
            made += [Value(kind, form) for form in forms]
            if element in ("u32", "i32", "bool"):
                made += [Value("u32", n) for n in (0, 1, 2, 3, 5, 64)]
                made += [Value("[u32]", [int(x) for x in form]) for form in forms if element == "bool"]
                made += [Value("[bool]", [True] * len(many)), Value("[bool]", [False] * len(many))]
    return made


def key_changes(model, asked, types):
    """(name, changed model): one key set to one value, or removed."""
    architecture = model.keys["general.architecture"].value
    layers = model.keys.get(f"{architecture}.block_count")
    layers = layers.value if layers else 1
    names = [name for name in dict.fromkeys(list(model.keys) + list(asked)) if name.startswith((architecture + ".", "xielu."))]
    for name in names:
        value = model.keys.get(name)
        word, arrays = types.get(name.removeprefix(architecture + "."), ("u32", True))
        for one in values_for(name, value, word, layers, arrays):
            if value is not None and one is not None and one.type == value.type and repr(one.value) == repr(value.value):
                continue
            yield f"{name}={text_of(one)}" + ("" if one is None else f" ({one.type})"), model.with_key(name, one)


# Changes that the loader accepts only together, because shapes depend on products.
PAIRS = (
    {"attention.head_count_kv": "double", "attention.value_length": "half"},
    {"attention.head_count_kv": "double", "attention.key_length": "half"},
    {"attention.head_count_kv": "double", "attention.key_length": "half", "attention.value_length": "half"},
    {"rope.dimension_count": None, "attention.key_length": 4},
    {"rope.dimension_count": None, "attention.key_length": 48},
    {"rope.dimension_count": 16, "attention.key_length": 16},
    {"rope.dimension_count": 48, "attention.key_length": 48},
    {"attention.key_length_swa": 48, "attention.value_length_swa": 48},
    {"attention.key_length_swa": 16, "attention.value_length_swa": 16},
    {"attention.key_length": 33, "attention.value_length": 33},
    {"attention.key_length_swa": 33, "attention.value_length_swa": 33},
    {"embedding_length": 66},
    # Models as published before latent attention had keys for its widths.
    {"attention.key_length_mla": None, "attention.value_length_mla": None, "attention.head_count_kv": 2,
     "attention.key_length": 32, "attention.value_length": 16},
    {"attention.key_length_mla": None, "attention.value_length_mla": None},
    {"attention.key_length_mla": None, "attention.head_count_kv": 2},
    {"attention.value_length_mla": None, "attention.head_count_kv": 2},
    {"ssm.group_count": 1, "ssm.time_step_rank": 3},
    {"attention.indexer.key_length": 128},
    {"attention.indexer.key_length": 192},
    {"rope.dimension_count": None, "attention.value_length": 16},
    # An odd number of rotated values, together with an even number of others.
    {"rope.dimension_count": 17, "attention.key_length": 33},
    {"rope.dimension_count": 17, "attention.key_length": 49, "attention.key_length_mla": 33},
    {"rope.dimension_count_swa": 17, "attention.key_length_swa": 33},
    {"embedding_length": 65},
    {"rope.dimension_count": None, "embedding_length": 66},
    {"rope.dimension_count": None, "embedding_length": 128},
    {"attention.head_count": 4, "attention.head_count_kv": 1},
    {"attention.head_count": 4, "attention.head_count_kv": 3},
    # Without the second key, the first also applies to layers with a sliding window.
) + tuple({"rope.dimension_count": None, "attention.head_count": number} for number in (1, 3, 4, 5, 16)
) + tuple({"rope.dimension_count": number, "rope.dimension_count_swa": 32} for number in (0, 1, 18, 48, 2**24, 2**31, 2**32 - 2))


def _has_sliding_windows(model, architecture):
    return any(name.startswith(f"{architecture}.attention.sliding_window") for name in model.keys)


def _width(model, architecture, name):
    value = model.keys.get(f"{architecture}.{name}")
    if value is not None:
        return value
    embedding, heads = (model.keys.get(f"{architecture}.{one}") for one in ("embedding_length", "attention.head_count"))
    known = name != "attention.head_count_kv" and heads is not None and heads.type == "u32" and heads.value
    return Value("u32", embedding.value // heads.value) if known else heads


def pair_changes(model, asked):
    """(name, changed model) of PAIRS."""
    architecture = model.keys["general.architecture"].value
    for pair in PAIRS:
        if not all(f"{architecture}.{name}" in asked for name in pair):
            continue
        if "rope.dimension_count_swa" in pair and not _has_sliding_windows(model, architecture):
            continue
        made, told = model, []
        for name, number in pair.items():
            if isinstance(number, str):
                value = _width(model, architecture, name)
                if value is None or value.type != "u32":
                    break
                number = 2 * value.value if number == "double" else value.value // 2
            one = None if number is None else Value("u32", number)
            told.append(f"{architecture}.{name}={text_of(one)}")
            made = made.with_key(f"{architecture}.{name}", one)
        if len(told) == len(pair):
            yield " & ".join(told), made


# Only all widths of heads together show which of them a graph uses, and in which layers.
WIDTHS = ("attention.key_length", "attention.value_length")
WINDOW_WIDTHS = ("attention.key_length_swa", "attention.value_length_swa")
ROTATED = ("rope.dimension_count", "rope.dimension_count_swa")
ROTATIONS = ((), (None, None), (16, 16))  # unchanged; the width that follows; at most one of them


def width_changes(model, asked):
    """(name, changed model) of all combinations of absent widths, smaller and larger than the default."""
    architecture = model.keys["general.architecture"].value
    names = [name for name in WIDTHS + WINDOW_WIDTHS * _has_sliding_windows(model, architecture)
             if f"{architecture}.{name}" in asked]
    done = set()
    for rotation, widths in itertools.product(ROTATIONS, itertools.product((None, 16, 48), repeat=len(names))):
        made, told = model, []
        for name, number in [*zip(ROTATED, rotation), *zip(names, widths)]:
            key = f"{architecture}.{name}"
            if key in asked and (number is not None or key in model.keys):
                one = None if number is None else Value("u32", number)
                told.append(f"{key}={text_of(one)}")
                made = made.with_key(key, one)
        text = " & ".join(told)
        if len(told) > 1 and text not in done:
            done.add(text)
            yield text, made


def default_changes(model):
    """(name, changed model) of heads per layer, in a file without the number of key-value heads."""
    architecture = model.keys["general.architecture"].value
    heads, kv, blocks = (f"{architecture}.{name}" for name in ("attention.head_count", "attention.head_count_kv", "block_count"))
    number, layers = model.keys.get(heads), model.keys.get(blocks)
    if kv not in model.keys or number is None or number.type != "u32" or layers is None or layers.value < 2:
        return
    for first, later in ((1, 1), (1, 2), (2, 1), (2, 2), (1, 0)):
        one = Value("[u32]", [first * number.value] + [later * number.value] * (layers.value - 1))
        yield f"{heads}={text_of(one)} & {kv}=absent", model.with_key(heads, one).with_key(kv, None)


def _turned(model, layers):
    """The model with its first layer last: tensors and per-layer keys."""
    def name(one):
        found = re.match(r"blk\.(\d+)\.(.*)", one)
        return f"blk.{(int(found[1]) - 1) % layers}.{found[2]}" if found else one
    made = model.with_tensors(lambda tensor: replace(tensor, name=name(tensor.name)))
    for key, value in model.keys.items():
        if value.type.startswith("[") and not key.startswith("tokenizer.") and len(value.value) == layers:
            made.keys[key] = Value(value.type, value.value[1:] + value.value[:1])
    return made


def mixed_changes(model):
    """(name, changed model) of layers with different key-value heads: more in later layers or, if some layers have
    none, with another layer first."""
    architecture = model.keys["general.architecture"].value
    heads, kv, blocks = (f"{architecture}.{name}" for name in ("attention.head_count", "attention.head_count_kv", "block_count"))
    number, many, layers = model.keys.get(heads), model.keys.get(kv), model.keys.get(blocks)
    if number is None or many is None or layers is None or layers.value < 2:
        return
    if many.type == "u32":
        one = Value("[u32]", [1] + [2] * (layers.value - 1))
        yield f"{kv}={text_of(one)}", model.with_key(kv, one)
    elif many.type == "[u32]" and number.type == "[u32]":
        turned = _turned(model, layers.value)
        yield f"{kv}: the first layer last", turned
        most = Value("u32", max(number.value))
        yield f"{kv}: the first layer last & {heads}={text_of(most)}", turned.with_key(heads, most)


# Their shapes depend on the key, so with these tensors every other value is refused.
TIED = {"rope.dimension_count": ("rope_freqs.weight", "rope_factors_long.weight", "rope_factors_short.weight")}


def untied_changes(model):
    """(name, changed model) of keys that determine optional tensors, without those tensors."""
    architecture = model.keys["general.architecture"].value
    for name, tied in TIED.items():
        found = [tensor.name for tensor in model.tensors if tensor.name in tied]
        if not found:
            continue
        untied = model.with_tensors(lambda t: None if t.name in found else t)
        for number in (0, 1, 18, 48, 2**20, 2**24, 2**31, 2**32 - 2):
            key = f"{architecture}.{name}"
            yield f"{key}={number} & {' '.join(found)}: absent", untied.with_key(key, Value("u32", number))


def projections(model, asked):
    """The model with two projections of its embeddings, if the loader looks up their widths."""
    prefix = model.keys["general.architecture"].value + "."
    width = model.keys.get(prefix + "embedding_length")
    names = [f"{prefix}dense_{number}_feat_{side}" for number in (2, 3) for side in ("in", "out")]
    if width is not None and all(name in asked for name in names):
        for name, one in zip(names, (width, Value("u32", 48), Value("u32", 48), width)):
            model = model.with_key(name, one)
        yield model


def pattern_of(name):
    return re.sub(r"(?<=\.)\d+(?=\.)", "#", name)


def patterns_of(tensors):
    return {pattern_of(tensor.name) for tensor in tensors}


def shape_changes(model, pattern, members):
    """(name, changed model) of shapes with one row, and with twice as many."""
    dims = next(tensor.dims for tensor in model.tensors if tensor.name == members[0])
    for last in (1, 2 * dims[-1]) if len(dims) == 2 else ():
        made = dims[:-1] + (last,)
        yield (f"{pattern}: rows={last}",
               model.with_tensors(lambda t: replace(t, dims=made) if t.name in members else t))


def tensor_changes(model, types=True):
    """(name, changed model): tensors of one pattern removed, retyped or reshaped, in all layers or in one."""
    patterns = dict.fromkeys(pattern_of(tensor.name) for tensor in model.tensors)
    for pattern in patterns:
        members = [tensor.name for tensor in model.tensors if pattern_of(tensor.name) == pattern]
        yield f"{pattern}: absent", model.with_tensors(lambda t: None if t.name in members else t)
        if len(members) > 1:
            yield f"{members[-1]}: absent", model.with_tensors(lambda t: None if t.name == members[-1] else t)
        if not types:
            continue
        yield from shape_changes(model, pattern, members)
        for word in SHAPE_TYPES:
            number = TYPE_OF[word]
            first = next(t for t in model.tensors if t.name == members[0])
            if number == first.type or first.dims[0] % TYPES[number][1] != 0:
                continue
            yield (f"{pattern}: {word}",
                   model.with_tensors(lambda t: replace(t, type=number) if t.name in members else t))
