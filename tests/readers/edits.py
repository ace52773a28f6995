"""Changes to a valid file that readers may interpret differently. The mutator targets loaders in C; these target
the handling of names, text and numbers in other languages. The gate may accept or reject most results; accepted
files are compared.
"""

import copy
import math

import layout
from layout import ARRAY, STRING, Key

# Names with a special meaning for a reader in some language: members of every object in JavaScript and Python, readers'
# names for parts of the header, numbers, empty names, operators of query languages.
SEGMENTS = (b"__proto__ prototype constructor toString valueOf hasOwnProperty toJSON then length __defineGetter__ "
            b"__class__ __dict__ version tensor_count kv_count tensorCount metadata tensors GGUF GGUF.version "
            b"GGUF.tensor_count parameter_count 0 1 00 -1 1e3 NaN null undefined true None $ref $ # [0] * _ - . .. / "
            b"\\ ' \" < %00 \\0 ${x}").split() + [b" ", b"A" * 300]

# Text that decoders change, cut, or confuse with other text.
TEXTS = [
    b"\0", b"a\0", b"\0a", b"a\0b",
    b"\xef\xbb\xbf", b"\xef\xbb\xbfa", b"a\xef\xbb\xbf", b"\xef\xbb\xbf\xef\xbb\xbf",  # byte order marks
    b"\xff\xfea\0", b"\xfe\xff",  # of UTF-16
    b"\xef\xbf\xbd", b"\xff", b"a\xe9", b"\xc0\x80",  # U+FFFD, and bytes that become it
    b"\xed\xa0\x80", b"\xed\xb0\x80", b"\xed\xa0\xbd\xed\xb8\x80",  # surrogates
    b"\xf0\x9f\x98", b"\xf0\x9f\x98\x80", b"\xf4\x90\x80\x80", b"\xf8\x88\x80\x80\x80",  # cut, complete, too high
    b"\xe2\x80\xa8", b"\xe2\x80\xae", b"\xe2\x80\x8b", b"\xc2\xad", b"\xc2\x85", b"\xc2\xa0",  # separators, invisible
    b"e\xcc\x81", b"\xc3\xa9", b"\xef\xac\x81", b"\xc4\xb0", b"\xc3\x9f",  # composed or not, ligature, case
    b"\xef\xbf\xbe", b"\xef\xbf\xbf",  # not characters
    b"\r\n", b"\r", b"\n", b"\t", b"\x1b[0m", b"\x7f", b" ", b"a ", b" a", b"",
    b"\\", b"\\u0000", b"\\x00", b'"', b"%s", b"__proto__", b"a" * 63, b"a" * 64, b"a" * 5000,
]

NUMBERS = {
    0: [0, 255], 1: [-128, 127, -1], 2: [0, 65535], 3: [-32768, 32767],
    4: [0, 2**31, 2**32 - 1], 5: [-2**31, 2**31 - 1, -1],
    6: [0.0, -0.0, 1.0, 0.1, 2.0**24 + 2, 2.0**-149, 3.4028234663852886e38, math.inf, -math.inf, math.nan],
    7: [False, True],
    10: [0, 2**53, 2**53 + 1, 2**63 - 1, 2**63, 2**64 - 1], 11: [-2**63, 2**63 - 1, -2**53 - 1, -1, 2**53 + 1],
    12: [0.0, -0.0, 0.1, 1e300, 2.0**-1074, 1.7976931348623157e308, math.inf, -math.inf, math.nan, 2.0**53, 2.0**63],
}


def some_text(rng):
    text = rng.choice(TEXTS)
    return text + rng.choice(TEXTS) if rng.random() < 0.2 else text


def some_value(rng):
    """A type and a value of it."""
    kind = rng.choice([*NUMBERS, STRING, ARRAY])
    if kind == STRING:
        return kind, some_text(rng)
    if kind == ARRAY:
        element, count = rng.choice([*NUMBERS, STRING]), rng.choice([0, 1, 2, 9, 300])
        pick = (lambda: some_text(rng)) if element == STRING else (lambda: rng.choice(NUMBERS[element]))
        return kind, (element, [pick() for _ in range(count)])
    return kind, rng.choice(NUMBERS[kind])


def near(rng, name):
    """A name that is easily confused with `name`."""
    if rng.random() < 0.6:
        end = rng.choice([b" ", b"\xe2\x80\x8b", b"\xff", b"\xfe", b"\xef\xbf\xbd", b"\0x", b".", b""])
        return rng.choice([b"", b" ", b"\xef\xbb\xbf"]) + name + end
    return rng.choice([name.upper(), name.capitalize(), name.replace(b"a", b"\xd0\xb0"), name.replace(b"_", b"."),
                       name.replace(b".", b"_")])


def with_segment(rng, name):
    parts = name.split(b".")
    parts.insert(rng.randrange(len(parts) + 1), rng.choice(SEGMENTS))
    return b".".join(parts)


def new_name(rng, key):
    parts = key.split(b".")
    return rng.choice([rng.choice(SEGMENTS), with_segment(rng, key), near(rng, key), key + b".x", b"x." + key,
                       key + b"." + rng.choice(SEGMENTS), b".".join(parts[:rng.randint(1, len(parts))]),
                       b"test.%d" % rng.randrange(99)])


def add_key(rng, model):
    name = new_name(rng, rng.choice(model.keys).name if model.keys else b"a.b")
    model.keys.insert(rng.randint(0, len(model.keys)), Key(name, *some_value(rng)))


def rename_key(rng, model):
    if model.keys:
        key = rng.choice(model.keys)
        key.name = with_segment(rng, key.name) if rng.random() < 0.5 else near(rng, key.name)


def change_text(rng, model):
    texts = [key for key in model.keys if key.kind == STRING]
    arrays = [key for key in model.keys if key.kind == ARRAY and key.value[0] == STRING and key.value[1]]
    put = rng.choice([lambda old, new: new, lambda old, new: old + new, lambda old, new: new + old,
                      lambda old, new: old[:len(old) // 2] + new + old[len(old) // 2:]])
    if arrays and (not texts or rng.random() < 0.5):
        items = rng.choice(arrays).value[1]
        at = rng.randrange(len(items))
        items[at] = put(items[at], some_text(rng))
    elif texts:
        key = rng.choice(texts)
        key.value = put(key.value, some_text(rng))


def change_number(rng, model):
    scalars = [key for key in model.keys if key.kind in NUMBERS and key.name != layout.ALIGNMENT]
    if scalars:
        key = rng.choice(scalars)
        key.value = rng.choice(NUMBERS[key.kind])


def rename_tensor(rng, model):
    if model.tensors:
        tensor, other = rng.choice(model.tensors), rng.choice(model.tensors)
        tensor.name = rng.choice([some_text(rng), near(rng, tensor.name), near(rng, other.name),
                                  with_segment(rng, tensor.name), tensor.name + some_text(rng)])


def change_alignment(rng, model):
    model.keys = [key for key in model.keys if key.name != layout.ALIGNMENT]
    if rng.random() < 0.8:
        stated = rng.choice([*((4, value) for value in (8, 16, 32, 64, 128, 4096)), (10, 64), (5, 64), (STRING, b"64")])
        model.keys.insert(rng.randint(0, len(model.keys)), Key(layout.ALIGNMENT, *stated))


def change_order(rng, model):
    rng.shuffle(model.keys)
    if rng.random() < 0.5:
        rng.shuffle(model.tensors)


def change_version(rng, model):
    model.version = 5 - model.version


def change_shape(rng, model):
    if model.tensors:
        tensor = rng.choice(model.tensors)
        shape = tensor.shape
        shorter = shape[:-1] if shape[-1:] == [1] else [1, *shape]
        tensor.shape = rng.choice([[*shape, 1], shorter, [math.prod(shape)], shape[::-1]])


EDITS = [(add_key, 5), (rename_key, 2), (change_text, 4), (change_number, 2), (rename_tensor, 4), (change_alignment, 1),
         (change_order, 1), (change_version, 1), (change_shape, 1)]


def edited(rng, model):
    """The bytes of a changed copy, and the names of the changes."""
    changed, done = copy.deepcopy(model), []
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        edit = rng.choices([edit for edit, _ in EDITS], [weight for _, weight in EDITS])[0]
        edit(rng, changed)
        done.append(edit.__name__)
    return changed.bytes(), done
