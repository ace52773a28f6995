"""The bytes of a GGUF file, parsed by the letter of the specification and put together again.

Only for files that the gate accepts; a file that cannot be parsed raises Unreadable.
"""

import dataclasses
import math
import struct

FORMATS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
STRING, ARRAY = 8, 9
ALIGNMENT = b"general.alignment"
MOST_ALIGNED = 1 << 16  # bytes


class Unreadable(Exception):
    pass


class Cursor:
    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, count):
        if count > len(self.data) - self.at:
            raise Unreadable("the file ends too early")
        self.at += count
        return self.data[self.at - count:self.at]

    def numbers(self, code, count=1):
        layout = f"<{count}{code}"
        return struct.unpack(layout, self.take(struct.calcsize(layout)))

    def text(self):
        return self.take(self.numbers("Q")[0])

    def value(self, kind):
        """A scalar, or for an array (element type, list)."""
        if kind == STRING:
            return self.text()
        if kind == ARRAY:
            element, (count,) = self.numbers("I")[0], self.numbers("Q")
            if element in FORMATS:
                return element, list(self.numbers(FORMATS[element], count))
            return element, [self.value(element) for _ in range(count)]
        if kind not in FORMATS:
            raise Unreadable(f"value type {kind}")
        return self.numbers(FORMATS[kind])[0]


def text_bytes(text):
    return struct.pack("<Q", len(text)) + text


def value_bytes(kind, value):
    if kind == STRING:
        return text_bytes(value)
    if kind == ARRAY:
        element, items = value
        head = struct.pack("<IQ", element, len(items))
        if element in FORMATS:
            return head + struct.pack(f"<{len(items)}{FORMATS[element]}", *items)
        return head + b"".join(value_bytes(element, item) for item in items)
    return struct.pack("<" + FORMATS[kind], value)


@dataclasses.dataclass
class Key:
    name: bytes
    kind: int
    value: object


@dataclasses.dataclass
class Tensor:
    name: bytes
    shape: list
    kind: int
    offset: int
    data: bytes = b""  # with the following padding and any other bytes


def padded(size, alignment):
    return size + -size % alignment


class Model:
    def __init__(self, data):
        cursor = Cursor(data)
        magic, (self.version,) = cursor.take(4), cursor.numbers("I")
        if magic != b"GGUF" or self.version not in (2, 3):
            raise Unreadable("no GGUF file of version 2 or 3")
        tensors, keys = cursor.numbers("Q", 2)
        self.keys, self.tensors = [], []
        for _ in range(keys):
            name, (kind,) = cursor.text(), cursor.numbers("I")
            self.keys.append(Key(name, kind, cursor.value(kind)))
        for _ in range(tensors):
            name, (dimensions,) = cursor.text(), cursor.numbers("I")
            shape = list(cursor.numbers("Q", dimensions))
            self.tensors.append(Tensor(name, shape, *cursor.numbers("I"), *cursor.numbers("Q")))
        self.begin = padded(cursor.at, self.alignment())
        ends = [tensor.offset for tensor in self.tensors[1:]] + [len(data)]
        for tensor, end in zip(self.tensors, ends):
            tensor.data = data[self.begin + tensor.offset:self.begin + end]

    def alignment(self):
        stated = [key.value for key in self.keys if key.name == ALIGNMENT and key.kind == 4]
        return stated[0] if stated and stated[0] else 32

    def bytes(self):
        """The file, with the data laid out for its alignment, unless that would make it large."""
        alignment = self.alignment() if self.alignment() <= MOST_ALIGNED else 32
        out = b"GGUF" + struct.pack("<IQQ", self.version, len(self.tensors), len(self.keys))
        out += b"".join(text_bytes(key.name) + struct.pack("<I", key.kind) + value_bytes(key.kind, key.value)
                        for key in self.keys)
        data = b""
        for tensor in self.tensors:
            out += text_bytes(tensor.name)
            out += struct.pack(f"<I{len(tensor.shape)}QIQ", len(tensor.shape), *tensor.shape, tensor.kind, len(data))
            data += tensor.data + bytes(-len(tensor.data) % alignment)
        return out + bytes(-len(out) % alignment) + data if self.tensors else out


def number(value):
    """An integral number is its digits, any other its bits, as in read.mjs."""
    if isinstance(value, float):
        if math.isnan(value):
            return "nan"
        if not math.isfinite(value) or value != int(value):
            return "f" + struct.pack(">d", value).hex()
        if value == 0 and math.copysign(1, value) < 0:
            return "-0"
    return f"n{int(value)}"


def canonical(value):
    """A value in the notation of read.mjs; text represents bytes, one character each."""
    if isinstance(value, bytes):
        return "s" + value.decode("latin-1")
    if isinstance(value, tuple):
        return [canonical(element) for element in value[1]]
    return value if isinstance(value, bool) else number(value)


def reading(data):
    """A reading in the sense of asking.py."""
    model = Model(data)
    return {
        "version": str(model.version),
        "tensor_count": str(len(model.tensors)),
        "keys": [[key.name.decode("latin-1"), key.kind, key.value[0] if key.kind == ARRAY else None,
                  canonical(key.value)] for key in model.keys],
        "tensors": [[tensor.name.decode("latin-1"), [str(size) for size in tensor.shape], tensor.kind,
                     str(tensor.offset), str(model.begin + tensor.offset), None] for tensor in model.tensors],
    }
