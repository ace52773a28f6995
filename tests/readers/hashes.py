#!/usr/bin/env python3
"""Compares `ggufgate manifest --format gguf-hash` for the corpus with llama-gguf-hash --sha256: with the hashes of
the data of each tensor that ggml returns, called like that program does.

usage: hashes.py GATE    exit code 1 if they differ, 77 if the reference is missing
"""

import ctypes
import glob
import hashlib
import os
import platform
import subprocess
import sys

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FOLDER = {"x86_64": "linux-x64", "aarch64": "linux-arm64"}.get(platform.machine(), "")
LIBRARY = os.path.join(TOP, "build", "reference", "package", "bins", FOLDER, "libggml-base.so")


class Parameters(ctypes.Structure):
    _fields_ = [("no_alloc", ctypes.c_bool), ("context", ctypes.POINTER(ctypes.c_void_p))]


class Ggml:
    def __init__(self):
        self.library = ctypes.CDLL(LIBRARY)

    def call(self, name, result, *arguments):
        function = getattr(self.library, name)
        function.restype = result
        return function(*arguments)

    def lines(self, path):
        """The output of llama-gguf-hash --sha256; None if the file does not load."""
        context = ctypes.c_void_p()
        gguf = self.call("gguf_init_from_file", ctypes.c_void_p, path.encode(),
                         Parameters(False, ctypes.pointer(context)))
        if not gguf:
            return None
        gguf = ctypes.c_void_p(gguf)
        lines, whole = [], hashlib.sha256()
        for i in range(self.call("gguf_get_n_tensors", ctypes.c_int64, gguf)):
            name = self.call("gguf_get_tensor_name", ctypes.c_char_p, gguf, ctypes.c_int64(i))
            tensor = ctypes.c_void_p(self.call("ggml_get_tensor", ctypes.c_void_p, context, name))
            data = ctypes.string_at(self.call("ggml_get_data", ctypes.c_void_p, tensor),
                                    self.call("ggml_nbytes", ctypes.c_size_t, tensor))
            whole.update(data)
            lines.append(f"{'sha256':<8}  {hashlib.sha256(data).hexdigest()}  {path}:{name.decode()}")
        self.call("gguf_free", None, gguf)
        self.call("ggml_free", None, context)
        return "".join(line + "\n" for line in lines + [f"{'sha256':<8}  {whole.hexdigest()}  {path}"])


def main():
    if not os.path.exists(LIBRARY):
        print("skipped: no reference library; scripts/fetch-reference fetches it")
        return 77
    ggml, same, tensors, differ = Ggml(), 0, 0, []
    for path in sorted(glob.glob(os.path.join(TOP, "corpus", "valid", "*.gguf"))):
        ours = subprocess.run([sys.argv[1], "manifest", "--format", "gguf-hash", path], check=False,
                              capture_output=True, text=True)
        theirs = ggml.lines(path) if ours.returncode == 0 else None
        if theirs is None:
            continue
        tensors += theirs.count("\n") - 1
        same += ours.stdout == theirs
        if ours.stdout != theirs:
            differ.append(f"{path}:\n{ours.stdout}is, by ggml,\n{theirs}")
    print("\n".join(differ) + f"hashes: {same} files with {tensors} tensors alike, {len(differ)} not")
    return 1 if differ or same < 200 else 0


if __name__ == "__main__":
    sys.exit(main())
