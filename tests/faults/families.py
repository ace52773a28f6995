"""The commands whose calls and allocations each fail once, and the files that each may leave behind."""

import dataclasses
import hashlib
import json
import os
import shutil
import struct


@dataclasses.dataclass(frozen=True)
class Family:
    name: str
    arguments: tuple
    stdin: str = "none"          # none, file, pipe, or a longer pipe
    output: str = ""             # a file or folder that the command makes, complete or not at all
    base: tuple = ()             # faults that are always present, to reach alternative code
    codes: tuple = (2,)          # after a failure
    heap: bool = True            # also allocations


MODEL = "model.gguf"
# The last line of `ggufgate manifest --format gguf-hash` for it.
DATA_OF_MODEL = "d4a13b4b5e3bb1e7d358e5be6c053cf5357b05da5ebdf290062219ab62be96b9"
# The input of a pipe is passed on, most of it while more is still to come.
PASSING = "pass-through"
# No O_TMPFILE, like file systems without unnamed files.
NO_TMPFILE = ("0 openat@. 2 1 errno=95",)


def _check(name, *arguments, **more):
    return Family(f"check {name}", ("check", *arguments), **more)


FAMILIES = [
    _check("plain", MODEL),
    _check("rejected", "bad.gguf"),
    _check("data-full", "--data", "full", "--jobs", "1", MODEL),
    _check("sha256", "--sha256", "--data", "scales", MODEL),
    _check("json", "--format", "json", MODEL, "bad.gguf"),
    _check("output", "--format", "json", "--output", "report.json", MODEL, output="report.json"),
    _check("output-replaced", "--format", "json", "--output", "old.json", MODEL, output="old.json"),
    _check("output-named", "--format", "json", "--output", "report.json", MODEL,
           output="report.json", base=NO_TMPFILE, heap=False),
    _check("folder", "--jobs", "1", "folder"),
    _check("pipe", "-", stdin="pipe", heap=False, codes=(1, 2)),  # truncated: rejected
    _check("stdin", "-", stdin="file"),
    _check(PASSING, "--pass-through", "-", stdin="long pipe", heap=False, codes=(1, 2)),
    _check("second-always", "--second-opinion", "always", MODEL),
    _check("second-never", "--second-opinion", "never", MODEL),
    _check("jobs-2", "--jobs", "2", "--data", "full", MODEL, "second.gguf"),
    _check("shards", "--jobs", "1", "shards"),
    _check("ollama", "--jobs", "1", "--verify-digest", "--ollama", "store"),
    _check("store-noticed", "--jobs", "1", "cache"),
    _check("policy", "--policy", "policy.toml", MODEL),
    Family("inspect", ("inspect", MODEL)),
    Family("inspect json", ("inspect", "--format", "json", "--layout", MODEL)),
    Family("dequantize", ("dequantize", "--jobs", "2", "--output", "out.npy", MODEL,
                          "token_embd.weight"), output="out.npy"),
    Family("dequantize stats", ("dequantize", "--jobs", "1", "--stats", MODEL,
                                "token_embd.weight")),
    Family("manifest", ("manifest", "--output", "out.json", MODEL), output="out.json"),
    Family("repair", ("repair", "faulty.gguf", "repaired.gguf"), output="repaired.gguf"),
    Family("repair replaced", ("repair", "faulty.gguf", "same.gguf"), output="same.gguf"),
    Family("verify", ("verify", MODEL, "model.sha256")),
    Family("diff", ("diff", MODEL, "same.gguf")),
    Family("mutate", ("mutate", "--count", "3", "--output-dir", "mutants", "second.gguf"),
           output="mutants"),
    Family("generate", ("generate", "--architecture", "llama", "--output", "made.gguf"),
           output="made.gguf"),
    Family("policy print", ("policy", "print", "--policy", "policy.toml")),
    Family("policy check", ("policy", "check", "policy.toml")),
    Family("run", ("run", MODEL, "--", "cat", "{}"), codes=(2, 126, 127), heap=False),
    Family("run sealed", ("run", "--seal", MODEL, "--", "cat", "{}"), codes=(2, 126, 127),
           heap=False),
    Family("rules", ("rules",)),
    Family("explain", ("explain", "tensor-data-bounds")),
]

POLICY = """schema = "ggufgate.policy/1"
fail_on = "error"
[severity]
trailing-bytes = "error"
[limits]
metadata_bytes = "64 MiB"
"""


def long_model():
    """A valid file of 2 MiB whose bytes are all different, so that each missing byte is noticed."""
    def text(word):
        return struct.pack("<Q", len(word)) + word

    size = 2 << 20
    header = (b"GGUF" + struct.pack("<IQQ", 3, 1, 1) + text(b"general.architecture") + struct.pack("<I", 8)
              + text(b"none") + text(b"weight") + struct.pack("<IQIQ", 1, size // 4, 0, 0))
    return header + bytes(-len(header) % 32 + size)


def _put(path, content):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(content)


def _fill_stores(folder, model):
    """A model in an Ollama store and one in a Hugging Face cache, and their hash."""
    digest = hashlib.sha256(model).hexdigest()
    _put(os.path.join(folder, "store/blobs", f"sha256-{digest}"), model)
    manifest = {"schemaVersion": 2, "layers": [{"mediaType": "application/vnd.ollama.image.model",
                                                "digest": f"sha256:{digest}", "size": len(model)}]}
    _put(os.path.join(folder, "store/manifests/registry.ollama.ai/library/model/1b"),
         json.dumps(manifest).encode())
    repository = os.path.join(folder, "cache/models--owner--name")
    _put(os.path.join(repository, "blobs", digest), model)
    os.makedirs(os.path.join(repository, "snapshots/main"))
    os.symlink(f"../../blobs/{digest}", os.path.join(repository, "snapshots/main/model.gguf"))


def fill(folder, corpus):
    """Creates the files that the families name."""
    def copy(source, name):
        os.makedirs(os.path.dirname(os.path.join(folder, name)) or folder, exist_ok=True)
        shutil.copy(os.path.join(corpus, source), os.path.join(folder, name))

    copy("valid/sample-llama.gguf", MODEL)
    copy("valid/sample-llama.gguf", "same.gguf")
    copy("valid/every-field.gguf", "second.gguf")
    copy("invalid/damage-cut-short.gguf", "bad.gguf")
    copy("valid/sample-llama.gguf", "folder/one.gguf")
    copy("valid/alignment-64.gguf", "folder/inside/two")
    copy("README.md", "folder/README.md")
    for number in range(1, 4):
        name = f"model-0000{number}-of-00003.gguf"
        copy(f"sets/complete/{name}", f"shards/{name}")
    with open(os.path.join(folder, MODEL), "rb") as file:
        model = file.read()
    _put(os.path.join(folder, "faulty.gguf"), model + b"behind the last tensor")
    _fill_stores(folder, model)
    _put(os.path.join(folder, "model.sha256"), f"sha256  {DATA_OF_MODEL}  {MODEL}\n".encode())
    with open(os.path.join(folder, "policy.toml"), "w", encoding="utf-8") as file:
        file.write(POLICY)
    with open(os.path.join(folder, "old.json"), "w", encoding="utf-8") as file:
        file.write("old\n")


def is_whole_report(content, must_accept):
    """A complete JSON report that accepts all files or not all."""
    try:
        files = json.loads(content)["files"]
    except (ValueError, KeyError, TypeError):
        return False
    return bool(files) and must_accept == all(file["verdict"] == "accept" for file in files)
