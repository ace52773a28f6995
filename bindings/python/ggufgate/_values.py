"""Values of keys: Python scalars, and arrays that are read by element."""

from __future__ import annotations

import array as _array
import ctypes
import sys
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ContextManager, Iterator, List, Protocol, Union

from . import _library
from ._errors import UnsupportedError, require
from ._library import lib

if TYPE_CHECKING:
    import numpy

# Value types by number: name, kind of getter, NumPy type.
TYPES = {
    0: ("u8", "unsigned", "u1"), 1: ("i8", "signed", "i1"), 2: ("u16", "unsigned", "u2"), 3: ("i16", "signed", "i2"),
    4: ("u32", "unsigned", "u4"), 5: ("i32", "signed", "i4"), 6: ("f32", "real", "f4"), 7: ("bool", "bool", "?"),
    8: ("string", "string", None), 9: ("array", "array", None), 10: ("u64", "unsigned", "u8"),
    11: ("i64", "signed", "i8"), 12: ("f64", "real", "f8"),
}
_ROOM = {"unsigned": ctypes.c_uint64, "signed": ctypes.c_int64, "real": ctypes.c_double, "bool": ctypes.c_int}
_STRINGS_AT_ONCE = 4096

Value = Union[int, float, bool, str, "Array"]


def numpy_module() -> Any:
    """NumPy, for functions that return its arrays."""
    try:
        import numpy
    except ModuleNotFoundError as error:
        if error.name != "numpy":
            raise
        raise ModuleNotFoundError("this needs NumPy, which is not installed: run 'pip install numpy'",
                                  name="numpy") from None
    return numpy


def text_of(data: bytes) -> str:
    """Text of a file. Invalid UTF-8, which only rejected files have in names, stays distinguishable."""
    return data.decode("utf-8", "surrogateescape")


def text_at(address: Any, size: int) -> str:
    return text_of(_library.bytes_at(address, size))


def scalar(prefix: str, handle: Any, index: int, kind: str) -> Union[int, float, bool, str]:
    """The value with number `index` of a file or an array."""
    if kind == "string":
        address, size = ctypes.c_void_p(), ctypes.c_size_t()
        require(getattr(lib, prefix + "string")(handle, index, address, size))
        return text_at(address, size.value)
    room = _ROOM[kind]()
    require(getattr(lib, prefix + kind)(handle, index, room))
    return bool(room.value) if kind == "bool" else room.value


class Opened(Protocol):
    """The file of an array."""

    _in_use: ContextManager  # keeps the file open; raises ClosedError

    @property
    def byte_order(self) -> str: ...


class Array(Sequence):
    """An array of a file: a sequence that reads elements on demand.

    It keeps its file in memory, but not open: after File.close() it raises ClosedError.
    """

    def __init__(self, file: Opened, handle: ctypes.c_void_p) -> None:
        self._file = file
        self._handle = handle
        self._lock = threading.Lock()  # an array of the library belongs to one thread at a time
        self._count = lib.array_count(handle)
        self._word, self._kind, self._letters = TYPES[lib.array_type(handle)]

    @property
    def type(self) -> str:
        """The type of the elements: "u32", "string", "array"."""
        return self._word

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(self._count))]
        if index < 0:
            index += self._count
        if not 0 <= index < self._count:
            raise IndexError("no such element")
        with self._file._in_use, self._lock:
            if self._kind != "array":
                return scalar("array_", self._handle, index, self._kind)
            inner = ctypes.c_void_p()
            require(lib.array_array(self._handle, index, inner))
            return Array(self._file, inner)

    def __iter__(self) -> Iterator[Any]:
        if self._kind == "string":
            for first in range(0, self._count, _STRINGS_AT_ONCE):
                yield from self._strings(first, min(_STRINGS_AT_ONCE, self._count - first))
        elif self._kind == "array":
            for index in range(self._count):
                yield self[index]
        elif self._kind == "bool":
            yield from (byte != 0 for byte in self.to_bytes())
        else:
            yield from self._numbers()

    def _strings(self, first: int, count: int) -> List[str]:
        places, sizes = (ctypes.c_void_p * count)(), (ctypes.c_size_t * count)()
        with self._file._in_use, self._lock:
            require(lib.array_strings(self._handle, first, count, places, sizes))
            return [text_at(place, size) for place, size in zip(places, sizes)]

    def _numbers(self) -> Any:
        assert self._letters is not None
        code = {"u1": "B", "i1": "b", "u2": "H", "i2": "h", "u4": "I", "i4": "i", "u8": "Q", "i8": "q",
                "f4": "f", "f8": "d"}[self._letters]
        numbers = _array.array(code)
        numbers.frombytes(self.to_bytes())
        if self._file.byte_order != sys.byteorder:
            numbers.byteswap()
        return numbers

    def to_bytes(self) -> bytes:
        """All elements of an array of numbers or bools, in the byte order of the file."""
        place, size = ctypes.c_void_p(), ctypes.c_size_t()
        with self._file._in_use, self._lock:
            require(lib.array_view(self._handle, place, size))
            return _library.bytes_at(place, size.value)

    def to_list(self) -> List[Any]:
        """All elements, nested arrays as lists."""
        # Arrays are nested at most 16 deep, or less by policy.
        return [element.to_list() if isinstance(element, Array) else element for element in self]

    def numpy(self) -> numpy.ndarray:
        """All elements of an array of numbers or bools, as a read-only NumPy array."""
        if self._letters is None:
            raise UnsupportedError(f"an array of {self._word} is not an array of numbers")
        numpy = numpy_module()

        order = "<" if self._file.byte_order == "little" else ">"
        return numpy.frombuffer(self.to_bytes(), dtype=numpy.dtype(self._letters).newbyteorder(order))

    def __repr__(self) -> str:
        return f"<ggufgate.Array of {self._count} {self._word}>"

    def __del__(self) -> None:
        if handle := getattr(self, "_handle", None):
            lib.array_free(handle)
