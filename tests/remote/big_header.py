"""Writes a model with a header as large as that of a published one, and any amount of data after it, as a sparse
file."""

import random
import struct


def text(value):
    data = value.encode()
    return struct.pack("<Q", len(data)) + data


def array(name, element_type, items):
    return text(name) + struct.pack("<IIQ", 9, element_type, len(items)) + b"".join(items)


def write(path, tokens=128_000, merges=280_000, tensors=290, tensor_bytes=138 << 20):
    """Writes a header of 7 MB and data of 40 GB, unless other numbers are given; returns the length of the header."""
    chance = random.Random(1)
    letters = "abcdefghijklmnopqrstuvwxyz"

    def word(least, most):
        return "".join(chance.choices(letters, k=chance.randint(least, most)))

    # Later ones are longer, as in vocabularies of byte pairs.
    words = [text(f"{word(1, 3 + i * 8 // tokens)}_{i:x}") for i in range(tokens)]
    entries = [
        text("general.architecture") + struct.pack("<I", 8) + text("test"),
        text("general.alignment") + struct.pack("<II", 4, 32),
        text("tokenizer.ggml.model") + struct.pack("<I", 8) + text("gpt2"),
        text("tokenizer.ggml.pre") + struct.pack("<I", 8) + text("llama-bpe"),
        array("tokenizer.ggml.tokens", 8, words),
        array("tokenizer.ggml.token_type", 5, [struct.pack("<i", 1)] * tokens),
        array("tokenizer.ggml.merges", 8, [text(f"{word(1, 2 + i * 5 // merges)} {word(1, 3 + i * 6 // merges)}")
                                           for i in range(merges)]),
        text("general.name") + struct.pack("<I", 8) + text("a test"),
    ]
    elements = tensor_bytes // 2  # F16
    directory = [text(f"blk.{i}.weight") + struct.pack("<IQQIQ", 2, 4096, elements // 4096, 1, i * tensor_bytes)
                 for i in range(tensors)]
    header = b"GGUF" + struct.pack("<IQQ", 3, tensors, len(entries)) + b"".join(entries) + b"".join(directory)
    begin = -(-len(header) // 32) * 32
    with open(path, "wb") as file:
        file.write(header)
        file.truncate(begin + tensors * tensor_bytes)
    return len(header)
