"""Writes small GGUF files. Every byte depends only on the arguments.

A model is its metadata (a dict from key to Value, in file order) and its tensors (a list of Tensor). The container has
version 3, little-endian, alignment 32.
"""

import functools
import math
import struct
from dataclasses import dataclass, field, replace

ALIGNMENT = 32
SCALARS = {"u8": (0, "B"), "i8": (1, "b"), "u16": (2, "H"), "i16": (3, "h"), "u32": (4, "I"), "i32": (5, "i"),
           "f32": (6, "f"), "bool": (7, "?"), "u64": (10, "Q"), "i64": (11, "q"), "f64": (12, "d")}
STRING, ARRAY = 8, 9

# Tensor types by their number in ggml.h: name, elements per block, bytes per block.
TYPES = {0: ("F32", 1, 4), 1: ("F16", 1, 2), 2: ("Q4_0", 32, 18), 3: ("Q4_1", 32, 20), 6: ("Q5_0", 32, 22),
         7: ("Q5_1", 32, 24), 8: ("Q8_0", 32, 34), 9: ("Q8_1", 32, 36), 10: ("Q2_K", 256, 84),
         11: ("Q3_K", 256, 110), 12: ("Q4_K", 256, 144), 13: ("Q5_K", 256, 176), 14: ("Q6_K", 256, 210),
         15: ("Q8_K", 256, 292), 16: ("IQ2_XXS", 256, 66), 17: ("IQ2_XS", 256, 74), 18: ("IQ3_XXS", 256, 98),
         19: ("IQ1_S", 256, 50), 20: ("IQ4_NL", 32, 18), 21: ("IQ3_S", 256, 110), 22: ("IQ2_S", 256, 82),
         23: ("IQ4_XS", 256, 136), 24: ("I8", 1, 1), 25: ("I16", 1, 2), 26: ("I32", 1, 4), 27: ("I64", 1, 8),
         28: ("F64", 1, 8), 29: ("IQ1_M", 256, 56), 30: ("BF16", 1, 2), 34: ("TQ1_0", 256, 54),
         35: ("TQ2_0", 256, 66), 39: ("MXFP4", 32, 17), 40: ("NVFP4", 64, 36)}
TYPE_OF = {name: number for number, (name, _, _) in TYPES.items()}


@dataclass(frozen=True)
class Value:
    """type: a word of SCALARS or "str"; in brackets for an array, such as "[u32]"."""
    type: str
    value: object

    def bytes(self):
        # Cached, because the same vocabulary is written into a hundred thousand files.
        if "_bytes" not in self.__dict__:
            object.__setattr__(self, "_bytes", self._written())
        return self._bytes

    def _written(self):
        if self.type.startswith("["):
            element = self.type[1:-1]
            head = struct.pack("<IQ", _number(element), len(self.value))
            return head + b"".join(_plain(element, one) for one in self.value)
        return _plain(self.type, self.value)


def _number(word):
    return STRING if word == "str" else SCALARS[word][0]


@functools.lru_cache(maxsize=4096)
def _text(name):
    return _plain("str", name)


def _plain(word, value):
    if word == "str":
        data = value if isinstance(value, bytes) else value.encode()
        return struct.pack("<Q", len(data)) + data
    return struct.pack("<" + SCALARS[word][1], value)


@dataclass(frozen=True)
class Tensor:
    name: str
    type: int
    dims: tuple

    def front(self):
        """Its description, up to the type."""
        # Cached for the same reason.
        if "_front" not in self.__dict__:
            front = (_text(self.name) + struct.pack("<I", len(self.dims)) +
                     struct.pack(f"<{len(self.dims)}Q", *self.dims) + struct.pack("<I", self.type))
            object.__setattr__(self, "_front", front)
        return self._front

    @property
    def type_word(self):
        return TYPES[self.type][0]

    def size(self):
        _, elements, size = TYPES[self.type]
        return math.prod(self.dims) // elements * size

    def fits(self):
        """Whether a row is a whole number of blocks."""
        return self.dims[0] % TYPES[self.type][1] == 0


@dataclass
class Model:
    keys: dict = field(default_factory=dict)
    tensors: list = field(default_factory=list)

    def copy(self):
        return Model(dict(self.keys), list(self.tensors))

    def with_key(self, name, value):
        """A copy with one key set, or removed if `value` is None."""
        made = self.copy()
        if value is None:
            made.keys.pop(name, None)
        else:
            made.keys[name] = value
        return made

    def with_tensors(self, change):
        """A copy in which `change` maps each tensor; None removes it."""
        return Model(dict(self.keys), [made for made in map(change, self.tensors) if made is not None])

    def header(self):
        """Everything except the tensor data."""
        head = [struct.pack("<4sIQQ", b"GGUF", 3, len(self.tensors), len(self.keys))]
        for name, value in self.keys.items():
            array = value.type.startswith("[")
            head += (_text(name), struct.pack("<I", ARRAY if array else _number(value.type)), value.bytes())
        at = 0
        for tensor in self.tensors:
            head += (tensor.front(), struct.pack("<Q", at))
            size = tensor.size()
            at += size + -size % ALIGNMENT
        front = b"".join(head)
        return front + bytes(-len(front) % ALIGNMENT)

    def data(self):
        """The tensor data, behind the header."""
        return _data(tuple(self.tensors))

    def bytes(self):
        return self.header() + self.data()


# Weights: 1,021 pseudo-random floats from -1 to 1; a prime, so that rows differ.
_RAW = [((i * 7919 + 104729) * 2654435761 % 2**32) / 2**31 - 1 for i in range(1021)]
_PATTERNS = {}


def _pattern(kind):
    """One period of the contents of float tensors, as bytes of f32 or f16."""
    if kind not in _PATTERNS:
        role, width = kind
        scale = {"weight": 0.1, "norm": 0.02, "decay": 0.3}[role]
        shift = {"weight": 0.0, "norm": 1.0, "decay": -1.0}[role]
        _PATTERNS[kind] = struct.pack(f"<1021{width}", *(shift + scale * one for one in _RAW))
    return _PATTERNS[kind]


def _role(name):
    if "ssm_a" in name:
        return "decay"  # Mamba's A must be negative
    return "norm" if "norm" in name and name.endswith(".weight") else "weight"


# Quantised blocks that are valid with any contents: the bytes of one block, with small scales.
_HALF = struct.pack("<e", 0.01)


def _block(type_number):
    name, _, size = TYPES[type_number]
    body = bytes((i * 37 + 11) & 0x3F for i in range(size))
    places = {"Q4_1": (0, 2), "Q5_1": (0, 2), "Q8_1": (0, 2), "Q2_K": (80, 82), "Q3_K": (108,), "Q4_K": (0, 2),
              "Q5_K": (0, 2), "Q6_K": (208,), "TQ1_0": (52,), "TQ2_0": (64,)}.get(name, (0,))
    if name == "Q8_K":
        return struct.pack("<f", 0.01) + body[4:260] + bytes(32)
    if name in ("MXFP4", "NVFP4"):
        return bytes([0x38]) * (1 if name == "MXFP4" else 4) + body[1 if name == "MXFP4" else 4:]
    if name == "IQ1_M":
        return body[:48] + bytes([0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x21])
    block = bytearray(body)
    for place in places:
        block[place:place + 2] = _HALF
    return bytes(block)


def _fill(pattern, size):
    return (pattern * (size // len(pattern) + 1))[:size]


def content(tensor, size):
    """The bytes of a tensor's data: floats for its role, valid blocks, zeros for integers."""
    name = TYPES[tensor.type][0]
    role = _role(tensor.name)
    if name == "F32":
        return _fill(_pattern((role, "f")), size)
    if name == "F16":
        return _fill(_pattern((role, "e")), size)
    if name == "F64":
        return _fill(_pattern((role, "d")), size)
    if name == "BF16":
        key = (role, "bf16")
        if key not in _PATTERNS:
            wide = _pattern((role, "f"))
            _PATTERNS[key] = b"".join(wide[i + 2:i + 4] for i in range(0, len(wide), 4))
        return _fill(_PATTERNS[key], size)
    if name.startswith("I") and not name.startswith("IQ"):
        return bytes(size)
    return _fill(_block(tensor.type), size)


@functools.lru_cache(maxsize=8)
def _data(tensors):
    """The data section. It is cached, because most files of a sweep differ only in a key."""
    data = []
    for tensor in tensors:
        size = tensor.size()
        data += [content(tensor, size), bytes(-size % ALIGNMENT)]
    return b"".join(data)


def retyped(tensor, number):
    return replace(tensor, type=number)
