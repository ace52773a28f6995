"""Random changes of learned models, by type alone: this module does not know which values loaders check.

Numbers are limits of types, registers and tables, and neighbours of the old number. Words are the old ones with a
changed letter, or random letters.
"""

import math
import string
from dataclasses import dataclass, field, replace

import learner  # pylint: disable=unused-import
import mutants
import vocabularies
from gguf_file import TYPES, Value

EDGES = sorted({max(0, (1 << bits) + near) for bits in range(33) for near in (-1, 0, 1)} - {1 << 32, (1 << 32) + 1})
SMALL = range(12)


@dataclass
class Change:
    text: str
    function: object = field(repr=False)
    reshapes: bool = False   # the tensors follow
    of_text: bool = False    # of the vocabulary


def applied(seed, many):
    model = seed.model
    for one in many:
        model = one.function(model)
    return model


def place_of(text):
    """The key or the pattern of tensors that a change affects."""
    return text.split("=", 1)[0] if "=" in text else text.rsplit(": ", 1)[0]


def number(random, old):
    way = random.randrange(4)
    if way == 0 and isinstance(old, int):
        return max(0, random.choice([old - 1, old + 1, old * 2, old // 2, old + 2, old * 3, old // 4, old ^ 1]))
    return random.choice(SMALL) if way == 1 else random.choice(EDGES)


def fitting(word, one):
    """The lowest bits of a number that the type can hold."""
    bits = 8 * {"u8": 1, "i8": 1, "u16": 2, "i16": 2, "u64": 8, "i64": 8}.get(word, 4)
    one %= 1 << bits
    return one - (1 << bits) if word.startswith("i") and one >> (bits - 1) else one


def word(random, old):
    letters = string.ascii_lowercase
    if old and random.random() < 0.5:
        at = random.randrange(len(old))
        return old[:at] + random.choice(["", random.choice(letters), old[at].swapcase()]) + old[at + 1:]
    return "".join(random.choice(letters) for _ in range(random.randrange(9)))


def element(random, kind, old):
    if kind == "bool":
        return not old
    if kind in ("f32", "f64"):
        return random.choice(mutants.REALS)
    if kind == "str":
        return word(random, old if isinstance(old, str) else "")
    one = number(random, old)
    return fitting(kind, -one if random.random() < 0.25 else one)


def array(random, kind, many):
    """An array with other elements, more of them or fewer."""
    many, way = list(many), random.randrange(5)
    if way == 0:
        return many[:random.randrange(len(many) + 1)] if random.random() < 0.5 else many + many[-1:]
    if not many:
        return many
    if way == 1:
        return [element(random, kind, many[0])] * len(many)
    if way == 2:
        few = [element(random, kind, many[0]), many[0], fitting(kind, 1) if kind[0] in "iu" else many[-1],
               fitting(kind, 0) if kind[0] in "iu" else many[0]]
        return [random.choice(few) for _ in many]
    at = random.randrange(len(many))
    many[at] = element(random, kind, many[at])
    return many


def layered(random, kind, one, layers):
    """A number for each layer."""
    return Value(f"[{kind}]", array(random, kind, [one] * layers))


def key_change(random, seed):
    """A change of a hyper-parameter: any that the loader reads, present or not."""
    prefix = seed.architecture + "."
    there = sorted(name for name in seed.model.keys if name.startswith((prefix, "xielu.")))
    absent = sorted(name for name in seed.keys if name.startswith((prefix, "xielu.")) and name not in seed.model.keys)
    name = random.choice(absent if absent and random.random() < 0.4 else there)
    value, layers = seed.model.keys.get(name), seed.model.keys[prefix + "block_count"].value
    if value is None:
        kind = random.choice(["u32"] * 6 + ["f32", "bool", "str", "array"])
        if kind == "array":
            made = layered(random, random.choice(["u32", "i32"]), 1, layers if random.random() < 0.7 else 4)
        else:
            old = {"u32": 0, "f32": 0.0, "bool": random.random() < 0.5, "str": ""}[kind]
            made = Value(kind, element(random, kind, old))
    elif random.random() < 0.1:
        made = None
    elif value.type.startswith("["):
        made = Value(value.type, array(random, value.type[1:-1], value.value))
    elif value.type in ("u32", "bool") and random.random() < 0.2:
        made = layered(random, value.type, value.value, layers)
    else:
        made = Value(value.type, element(random, value.type, value.value))
    shown = "absent" if made is None else f"{made.value} ({made.type})"[:90]
    return Change(f"{name}={shown}", lambda model: model.with_key(name, made), reshapes=random.random() < 0.5)


def tensor_change(random, seed):
    if not seed.model.tensors:
        return key_change(random, seed)
    text, function = mutants.tensor_change(random, seed)
    return Change(text, function)


def added_tensor(random, seed):
    if not seed.model.tensors:
        return key_change(random, seed)
    text, function = mutants.added_tensor(random, seed)
    return Change(text, function)


def vocabulary_change(random, seed):
    """A change of the vocabulary: one of another kind, or another value."""
    kind = random.choice(sorted(vocabularies.KINDS))
    keys = vocabularies.KINDS[kind]()
    name = random.choice(sorted(keys))
    value = keys[name]
    if random.random() < 0.1:
        made = None
    elif value.type.startswith("["):
        made = Value(value.type, array(random, value.type[1:-1], value.value))
    else:
        made = Value(value.type, element(random, value.type, value.value))
    shown = "absent" if made is None else repr(made.value)[:60]

    def change(model):
        copy = model.copy()
        for old in [one for one in copy.keys if one.startswith("tokenizer.")]:
            del copy.keys[old]
        copy.keys |= keys
        return copy.with_key(name, made)
    return Change(f"{kind} {name}={shown}", change, reshapes=True, of_text=True)


def changes(random, seed):
    """One change, sometimes two."""
    ways = [key_change] * 14 + [tensor_change] * 4 + [vocabulary_change, added_tensor]
    return [random.choice(ways)(random, seed) for _ in range(2 if random.random() < 0.15 else 1)]
