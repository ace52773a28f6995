"""The functions of ggufgate.h for ctypes. Not for users of the package."""

import ctypes as c
import functools
import hashlib
import os
from typing import Any

_FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "_lib")
_SONAME = "libggufgate.so.0"


def _load() -> c.CDLL:
    """The library of the package, or of the system if the package contains none."""
    path = os.path.join(_FOLDER, _SONAME)
    try:
        return c.CDLL(path if os.path.exists(path) else _SONAME)
    except OSError as error:
        raise ImportError(f"the library {_SONAME} cannot be loaded ({error}): install the package with pip, "
                          "or the library on this system") from None


class Options(c.Structure):
    _fields_ = [("size", c.c_size_t), ("policy", c.c_void_p), ("name", c.c_char_p), ("data", c.c_int32),
                ("fail_on", c.c_int32), ("jobs", c.c_uint32), ("sha256", c.c_int32), ("open_rejected", c.c_int32),
                ("second_opinion", c.c_int32), ("timeout_ms", c.c_uint32)]


class Fact(c.Structure):
    _fields_ = [("kind", c.c_int32), ("number", c.c_uint64), ("text", c.c_char_p)]


class Finding(c.Structure):
    _fields_ = [("size", c.c_size_t), ("rule", c.c_char_p), ("severity", c.c_int32), ("offset", c.c_uint64),
                ("length", c.c_uint64), ("place", c.c_char_p), ("message", c.c_char_p), ("observed", Fact),
                ("allowed", Fact), ("suppressed", c.c_char_p), ("cause", c.c_char_p), ("cause_message", c.c_char_p),
                ("advice", c.c_char_p)]


class Key(c.Structure):
    _fields_ = [("size", c.c_size_t), ("name", c.c_void_p), ("name_size", c.c_size_t), ("type", c.c_int32),
                ("element_type", c.c_int32), ("count", c.c_uint64), ("offset", c.c_uint64), ("length", c.c_uint64)]


class Tensor(c.Structure):
    _fields_ = [("size", c.c_size_t), ("name", c.c_void_p), ("name_size", c.c_size_t), ("type", c.c_uint32),
                ("type_name", c.c_char_p), ("block_elements", c.c_uint32), ("block_bytes", c.c_uint32),
                ("dimension_count", c.c_uint32), ("dimensions", c.c_uint64 * 5), ("offset", c.c_uint64),
                ("bytes", c.c_uint64), ("elements", c.c_uint64), ("readable", c.c_int32)]


ReadFunction = c.CFUNCTYPE(c.c_int, c.c_void_p, c.c_uint64, c.c_void_p, c.c_size_t)


class Reader(c.Structure):
    _fields_ = [("size", c.c_size_t), ("file_size", c.c_uint64), ("context", c.c_void_p), ("read", ReadFunction)]


_P, _S, _N, _Q, _I = c.c_void_p, c.c_char_p, c.c_size_t, c.c_uint64, c.c_int32
_TO = c.POINTER
_OPTIONS = _TO(Options)

# name: result, arguments
_FUNCTIONS = {
    "status_text": (_S, [_I]),
    "version": (_S, []),
    "can_confine": (c.c_int, []),
    "text_chars": (_S, [_P]),
    "text_size": (_N, [_P]),
    "text_free": (None, [_P]),
    "escape": (_I, [_S, _N, _TO(_P)]),
    "policy_of_profile": (_I, [_S, _TO(_P)]),
    "policy_parse": (_I, [_S, _N, _S, _S, _TO(_P), _TO(_P)]),
    "policy_free": (None, [_P]),
    "check_path": (_I, [_S, _OPTIONS, _TO(_P)]),
    "check_descriptor": (_I, [c.c_int, _OPTIONS, _TO(_P)]),
    "check_memory": (_I, [_P, _N, _OPTIONS, _TO(_P)]),
    "check_confined": (_I, [_S, _OPTIONS, _TO(_P)]),
    "check_reader": (_I, [_TO(Reader), _OPTIONS, _TO(_P)]),
    "report_verdict": (_I, [_P]),
    "report_problem": (_S, [_P]),
    "report_finding_count": (_N, [_P]),
    "report_total": (_Q, [_P, _S]),
    "report_finding": (_I, [_P, _N, _TO(Finding)]),
    "report_sha256": (_S, [_P]),
    "report_file_size": (_Q, [_P]),
    "report_json": (_I, [_P, _TO(_P)]),
    "report_free": (None, [_P]),
    "open_path": (_I, [_S, _OPTIONS, _TO(_P), _TO(_P)]),
    "open_descriptor": (_I, [c.c_int, _OPTIONS, _TO(_P), _TO(_P)]),
    "open_memory": (_I, [_P, _N, _OPTIONS, _TO(_P), _TO(_P)]),
    "open_reader": (_I, [_TO(Reader), _OPTIONS, _TO(_P), _TO(_P)]),
    "file_free": (None, [_P]),
    "file_version": (c.c_uint32, [_P]),
    "file_is_big_endian": (c.c_int, [_P]),
    "file_alignment": (_Q, [_P]),
    "file_key_count": (_Q, [_P]),
    "file_tensor_count": (_Q, [_P]),
    "file_key": (_I, [_P, _Q, _TO(Key)]),
    "file_find_key": (_I, [_P, _S, _N, _TO(_Q)]),
    "file_unsigned": (_I, [_P, _Q, _TO(_Q)]),
    "file_signed": (_I, [_P, _Q, _TO(c.c_int64)]),
    "file_real": (_I, [_P, _Q, _TO(c.c_double)]),
    "file_bool": (_I, [_P, _Q, _TO(c.c_int)]),
    "file_string": (_I, [_P, _Q, _TO(_P), _TO(_N)]),
    "file_array": (_I, [_P, _Q, _TO(_P)]),
    "array_array": (_I, [_P, _Q, _TO(_P)]),
    "array_free": (None, [_P]),
    "array_count": (_Q, [_P]),
    "array_type": (_I, [_P]),
    "array_unsigned": (_I, [_P, _Q, _TO(_Q)]),
    "array_signed": (_I, [_P, _Q, _TO(c.c_int64)]),
    "array_real": (_I, [_P, _Q, _TO(c.c_double)]),
    "array_bool": (_I, [_P, _Q, _TO(c.c_int)]),
    "array_string": (_I, [_P, _Q, _TO(_P), _TO(_N)]),
    "array_strings": (_I, [_P, _Q, _N, _TO(_P), _TO(_N)]),
    "array_view": (_I, [_P, _TO(_P), _TO(_N)]),
    "file_tensor": (_I, [_P, _Q, _TO(Tensor)]),
    "file_find_tensor": (_I, [_P, _S, _N, _TO(_Q)]),
    "tensor_view": (_I, [_P, _Q, _TO(_P), _TO(_N)]),
    "tensor_read": (_I, [_P, _Q, _Q, _P, _N]),
    "tensor_floats": (_I, [_P, _Q, _Q, _P, _N]),
}


class _Library:
    """The functions by their names without `ggufgate_`."""

    def __init__(self, library: c.CDLL) -> None:
        for name, (result, arguments) in _FUNCTIONS.items():
            function = getattr(library, "ggufgate_" + name)
            function.restype = result
            function.argtypes = arguments
            setattr(self, name, function)

    def __getattr__(self, name: str) -> Any:  # for type checkers: all functions are set above
        raise AttributeError(name)


_loaded = _load()
lib = _Library(_loaded)


@functools.lru_cache(maxsize=1)
def digest() -> str:
    """The SHA-256 of the loaded library, which identifies its rules exactly."""
    address = c.cast(_loaded.ggufgate_version, c.c_void_p).value
    with open("/proc/self/maps", encoding="utf-8", errors="surrogateescape") as maps:
        for line in maps:
            begin, end = (int(number, 16) for number in line.split(" ", 1)[0].split("-"))
            if begin <= address < end:
                path = line.rstrip("\n").split(None, 5)[5]
                with open(path, "rb") as file:
                    return hashlib.sha256(file.read()).hexdigest()
    raise OSError("the library was not found in memory")


def take_text(pointer: c.c_void_p) -> str:
    """The text of a ggufgate_text; frees it."""
    try:
        return lib.text_chars(pointer).decode("utf-8")
    finally:
        lib.text_free(pointer)


def bytes_at(address: Any, size: int) -> bytes:
    return c.string_at(address, size) if size else b""
