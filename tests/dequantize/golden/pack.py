#!/usr/bin/env python3
"""Packs reference vectors of dequantization into the files that tests/dequantize/golden_test.cc reads.

usage: pack.py FROM-FOLDER TO-FOLDER

Of each vector the blocks are kept whole, of the expected floats a digest of every chunk, and all of
them for one chunk of each category. README.md describes both formats.
"""

import glob
import os
import struct
import sys

CHUNK_ELEMENTS = 256
NAN = struct.pack("<I", 0x7FC00000)


def canonical(floats):
    """Floats with every NaN made the same: of a NaN only that it is one is specified."""
    out = bytearray(floats)
    for at in range(0, len(out), 4):
        bits, = struct.unpack_from("<I", out, at)
        if bits & 0x7FFFFFFF > 0x7F800000:
            out[at:at + 4] = NAN
    return bytes(out)


def digest(data):
    """FNV-1a over 32-bit words."""
    value = 0xCBF29CE484222325
    for word, in struct.iter_unpack("<I", data):
        value = (value ^ word) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return value


def pack(data):
    _, _, type_id, elements, size, count, flags = struct.unpack_from("<8s6I", data, 0)
    tags, blocks, floats, _ = struct.unpack_from("<4Q", data, 32)
    if not flags & 1:
        return None
    per_chunk = max(1, CHUNK_ELEMENTS // elements)
    expected = canonical(data[floats:floats + 4 * elements * count])
    step = 4 * elements * per_chunk
    chunks = [expected[at:at + step] for at in range(0, len(expected), step)]
    categories = data[tags:tags + count]
    kept = sorted({categories.index(category) // per_chunk for category in set(categories)})

    out = struct.pack("<4s7I", b"GGDQ", type_id, elements, size, count, per_chunk, len(chunks), len(kept))
    out += data[blocks:blocks + count * size]
    out += b"".join(struct.pack("<Q", digest(chunk)) for chunk in chunks)
    for index in kept:
        out += struct.pack("<I", index) + chunks[index]
    return out


def main():
    source, target = sys.argv[1:]
    for path in sorted(glob.glob(os.path.join(source, "*.bin"))):
        with open(path, "rb") as file:
            packed = pack(file.read())
        if packed:
            name = os.path.basename(path)[:-len(".bin")] + ".golden"
            with open(os.path.join(target, name), "wb") as file:
                file.write(packed)


if __name__ == "__main__":
    main()
