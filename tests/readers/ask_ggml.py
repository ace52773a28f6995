"""Reads GGUF files with the reference library and prints the result, one line of JSON per file (asking.py describes
it). It is a separate process, because the library may crash it.

usage: ask_ggml.py LIBGGML_BASE
"""

import ctypes
import json
import struct
import sys

from layout import ARRAY, FORMATS, STRING, number


class InitParams(ctypes.Structure):  # gguf_init_params of gguf.h
    _fields_ = [("no_alloc", ctypes.c_bool), ("context", ctypes.c_void_p)]


def library(path):
    ggml = ctypes.CDLL(path)
    c, file, index = ctypes, ctypes.c_void_p, ctypes.c_int64
    functions = {
        "gguf_init_from_file": (file, c.c_char_p, InitParams), "gguf_free": (None, file),
        "gguf_get_version": (c.c_uint32, file), "gguf_get_data_offset": (c.c_size_t, file),
        "gguf_get_n_kv": (index, file), "gguf_get_n_tensors": (index, file),
        "gguf_get_key": (c.c_char_p, file, index), "gguf_get_kv_type": (c.c_int, file, index),
        "gguf_get_arr_type": (c.c_int, file, index), "gguf_get_arr_n": (c.c_size_t, file, index),
        "gguf_get_arr_data": (file, file, index), "gguf_get_arr_str": (c.c_char_p, file, index, c.c_size_t),
        "gguf_get_val_str": (c.c_char_p, file, index), "gguf_get_val_data": (file, file, index),
        "gguf_get_tensor_name": (c.c_char_p, file, index), "gguf_get_tensor_type": (c.c_int, file, index),
        "gguf_get_tensor_ne": (c.POINTER(c.c_int64), file, index),
        "gguf_get_tensor_offset": (c.c_size_t, file, index), "gguf_get_tensor_size": (c.c_size_t, file, index),
    }
    for name, (result, *arguments) in functions.items():
        function = getattr(ggml, name)
        function.restype, function.argtypes = result, arguments
    return ggml


def text(found):
    return found.decode("latin-1")


def scalars(address, kind, count):
    layout = f"<{count}{FORMATS[kind]}"
    values = struct.unpack(layout, ctypes.string_at(address, struct.calcsize(layout))) if count else ()
    return [value if isinstance(value, bool) else number(value) for value in values]


def key_of(ggml, file, index):
    kind, element = ggml.gguf_get_kv_type(file, index), None
    if kind == ARRAY:
        element, count = ggml.gguf_get_arr_type(file, index), ggml.gguf_get_arr_n(file, index)
        if element == STRING:
            value = ["s" + text(ggml.gguf_get_arr_str(file, index, i)) for i in range(count)]
        else:
            value = scalars(ggml.gguf_get_arr_data(file, index), element, count)
    elif kind == STRING:
        value = "s" + text(ggml.gguf_get_val_str(file, index))
    else:
        value = scalars(ggml.gguf_get_val_data(file, index), kind, 1)[0]
    return [text(ggml.gguf_get_key(file, index)), kind, element, value]


def reading(ggml, path):
    file = ggml.gguf_init_from_file(path, InitParams(True, None))
    if not file:
        return {"refused": "gguf_init_from_file gives nothing"}
    tensors = []
    for i in range(ggml.gguf_get_n_tensors(file)):
        name, shape = text(ggml.gguf_get_tensor_name(file, i)), ggml.gguf_get_tensor_ne(file, i)[:4]
        offset, size = ggml.gguf_get_tensor_offset(file, i), ggml.gguf_get_tensor_size(file, i)
        tensors.append([name, [str(count) for count in shape], ggml.gguf_get_tensor_type(file, i), str(offset),
                        str(ggml.gguf_get_data_offset(file) + offset), str(size)])
    seen = {"version": str(ggml.gguf_get_version(file)), "tensor_count": str(len(tensors)), "tensors": tensors,
            "keys": [key_of(ggml, file, i) for i in range(ggml.gguf_get_n_kv(file))]}
    ggml.gguf_free(file)
    return {"reading": seen}


def main():
    ggml = library(sys.argv[1])
    print("ready", flush=True)
    for line in sys.stdin:
        print(json.dumps(reading(ggml, line.rstrip("\n").encode())), flush=True)


if __name__ == "__main__":
    main()
