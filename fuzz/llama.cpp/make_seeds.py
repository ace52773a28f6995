#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes the seeds of the targets: models that load and decode, one per architecture, and adapters.

usage: make_seeds.py GATE FOLDER [ARCHITECTURE...]     (default: all of `ggufgate generate --list`)

Writes to FOLDER: seeds/fuzz_load_model and seeds/fuzz_decode (models), seeds/fuzz_vocab (the same, one per kind
of vocabulary), seeds/fuzz_lora (adapters) and fuzz_lora_base.gguf, the model for the adapters.
"""

import pathlib
import struct
import subprocess
import sys

MOST = 1 << 20  # bytes of a seed: smaller files are tried more often
KINDS = ("spm", "bpe", "wpm", "ugm", "rwkv", "plamo2")
# Keys and values of an adapter: gguf.md and llama.cpp's src/llama-adapter.cpp.
STRING, FLOAT32, F32 = 8, 6, 0


def generate(gate, architecture, path, *more):
    done = subprocess.run([gate, "generate", "--architecture", architecture, *more, "--output", str(path)],
                          capture_output=True, text=True, check=False)
    return done.returncode == 0


def architectures(gate):
    printed = subprocess.run([gate, "generate", "--list"], capture_output=True, text=True, check=True).stdout
    return [line.split()[0] for line in printed.splitlines()[1:] if line.strip()]


def text(word):
    data = word.encode()
    return struct.pack("<Q", len(data)) + data


def adapter(pairs, rank=2):
    """A LoRA adapter of llama for tensors given by name, inputs and outputs."""
    keys = [("general.architecture", STRING, text("llama")), ("general.type", STRING, text("adapter")),
            ("adapter.type", STRING, text("lora")), ("adapter.lora.alpha", FLOAT32, struct.pack("<f", 4.0))]
    shapes = [shape for name, ins, outs in pairs
              for shape in ((name + ".lora_a", (ins, rank)), (name + ".lora_b", (rank, outs)))]
    head = b"GGUF" + struct.pack("<IQQ", 3, len(shapes), len(keys))
    head += b"".join(text(key) + struct.pack("<I", kind) + value for key, kind, value in keys)
    data = b""
    for name, shape in shapes:
        head += text(name) + struct.pack("<IQQIQ", 2, *shape, F32, len(data))
        count = shape[0] * shape[1]
        data += struct.pack("<%df" % count, *(0.01 * (i % 7 - 3) for i in range(count)))
        data += bytes(-len(data) % 32)
    return head + bytes(-len(head) % 32) + data


def matrices(gate, path):
    """Names, inputs and outputs of the matrices of the first block."""
    import json
    printed = subprocess.run([gate, "inspect", "--format", "json", str(path)], capture_output=True, text=True,
                             check=True).stdout
    for tensor in json.loads(printed)["tensors"]:
        shape = tensor["dimensions"]
        if tensor["name"].startswith("blk.0.") and len(shape) == 2:
            yield tensor["name"], shape[0], shape[1]


def main(arguments):
    if len(arguments) < 2 or arguments[0].startswith("-"):
        print(__doc__)
        return 2
    gate, folder = arguments[0], pathlib.Path(arguments[1])
    for name in ("load_model", "decode", "vocab", "lora"):
        (folder / "seeds" / f"fuzz_{name}").mkdir(parents=True, exist_ok=True)
    made = 0
    for architecture in arguments[2:] or architectures(gate):
        path = folder / "seeds" / "fuzz_load_model" / f"{architecture}.gguf"
        if not generate(gate, architecture, path):
            print(f"make_seeds: no {architecture}", file=sys.stderr)
            return 1
        if path.stat().st_size > MOST:
            path.unlink()
            continue
        (folder / "seeds" / "fuzz_decode" / path.name).write_bytes(path.read_bytes())
        made += 1
    for kind in KINDS:
        path = folder / "seeds" / "fuzz_vocab" / f"{kind}.gguf"
        if not generate(gate, "llama", path, "--vocabulary", kind):
            return 1
    base = folder / "fuzz_lora_base.gguf"
    if not generate(gate, "llama", base):
        return 1
    pairs = list(matrices(gate, base))
    lora = folder / "seeds" / "fuzz_lora"
    (lora / "one.gguf").write_bytes(adapter(pairs[:1]))
    (lora / "block.gguf").write_bytes(adapter(pairs))
    print(f"{made} models, {len(KINDS)} vocabularies, 2 adapters for {len(pairs)} matrices")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
