"""Checked files and their tensors."""

from __future__ import annotations

import array as _array
import ctypes
import threading
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Dict, Iterator, Optional, Tuple

from . import _library
from ._check import OPEN_OPTIONS, Source, Wanted, place_of, refuse_unknown
from ._errors import NOT_ACCEPTED, NOT_FOUND, ClosedError, UnsupportedError, require
from ._library import lib
from ._report import NotAcceptedError, Report, take_report
from ._values import TYPES, Array, Value, numpy_module, scalar, text_at

if TYPE_CHECKING:
    import numpy

# Tensor types with a NumPy type.
_PLAIN = {"F32": "f4", "F16": "f2", "F64": "f8", "I8": "i1", "I16": "i2", "I32": "i4", "I64": "i8"}


class _Handle:
    """An open file of the library: freed when it is closed and not in use."""

    def __init__(self, pointer: ctypes.c_void_p, kept: Any) -> None:
        self.pointer = pointer
        self.kept = kept  # objects that the library uses while the file is open
        self.lock = threading.Lock()
        self.users = 0
        self.closed = False

    def __enter__(self) -> ctypes.c_void_p:
        with self.lock:
            if self.closed:
                raise ClosedError("the file has been closed")
            self.users += 1
        return self.pointer

    def __exit__(self, *_: Any) -> None:
        with self.lock:
            self.users -= 1
            last = self.closed and self.users == 0
        if last:
            lib.file_free(self.pointer)

    def close(self) -> None:
        with self.lock:
            last = not self.closed and self.users == 0
            self.closed = True
        if last:
            lib.file_free(self.pointer)


class Tensor:
    """A tensor of a file. Its data are read on demand."""

    def __init__(self, file: File, index: int, info: _library.Tensor) -> None:
        self._file = file
        self._index = index
        self.name: str = text_at(info.name, info.name_size)
        self.type: str = info.type_name.decode() or f"type {info.type}"  # "Q4_K"
        self.type_id: int = info.type
        self.block_elements: int = info.block_elements
        self.block_bytes: int = info.block_bytes
        # As in NumPy: the slowest dimension first, the reverse of the order in the file.
        self.shape: Tuple[int, ...] = tuple(reversed(info.dimensions[: info.dimension_count]))
        self.elements: int = info.elements
        self.offset: int = info.offset  # of its data, in the file
        self.nbytes: int = info.bytes  # of its data
        self.readable: bool = bool(info.readable)  # whether all its data are in the file

    def read(self, offset: int = 0, size: Optional[int] = None) -> bytes:
        """Bytes of its data, as in the file."""
        size = self.nbytes - offset if size is None else size
        return bytes(self._read(offset, size))

    def _read(self, offset: int, size: int) -> bytearray:
        # Check before allocating: missing data must not allocate memory.
        if not self.readable:
            raise UnsupportedError("the file does not have all its data")
        if offset < 0 or size < 0 or offset + size > self.nbytes:
            raise IndexError("the tensor has no such bytes")
        data = bytearray(size)
        room = (ctypes.c_char * size).from_buffer(data) if size else None
        with self._file._in_use as file:
            require(lib.tensor_read(file, self._index, offset, room, size))
        del room
        return data

    def _view(self) -> Any:
        """All of its data, without a copy if the file was opened from memory."""
        memory = self._file._memory
        if memory is None or not self.readable:
            return self._read(0, self.nbytes)
        with self._file._in_use:
            return memory.view[self.offset : self.offset + self.nbytes].toreadonly()

    def floats(self, first: int = 0, count: Optional[int] = None) -> _array.array:
        """`count` decoded elements from `first`, as an array.array; needs no NumPy."""
        count = self._count(first, count)
        floats = _array.array("f", bytes(4 * count))
        self._decode(first, count, floats.buffer_info()[0])
        return floats

    def _count(self, first: int, count: Optional[int]) -> int:
        if not self.readable:
            raise UnsupportedError("the file does not have all its data")
        count = self.elements - first if count is None else count
        if first < 0 or count < 0 or first + count > self.elements:
            raise IndexError("the tensor has no such elements")
        return count

    def _decode(self, first: int, count: int, address: int) -> None:
        with self._file._in_use as file:
            require(lib.tensor_floats(file, self._index, first, ctypes.c_void_p(address), count))

    def dequantize(self) -> numpy.ndarray:
        """All elements as float32, bit for bit as ggml decodes them, in the shape of the tensor."""
        numpy = numpy_module()

        floats = numpy.empty(self.shape, dtype=numpy.float32)
        self._decode(0, self._count(0, None), floats.ctypes.data)
        return floats

    def numpy(self) -> numpy.ndarray:
        """The elements of a plain type (F32, F16, F64, I8 to I64) in the shape of the tensor.

        The array is read-only. If the file was opened from memory, the array is a view of it. Data of a file on disk
        are read: with a mapping, the process would crash if the file were truncated.
        """
        if self.type not in _PLAIN:
            raise UnsupportedError(f"NumPy has no type for {self.type}: use dequantize() or blocks()")
        numpy = numpy_module()

        dtype = numpy.dtype(_PLAIN[self.type]).newbyteorder("<" if self._file.byte_order == "little" else ">")
        numbers = numpy.frombuffer(self._view(), dtype=dtype).reshape(self.shape)
        numbers.flags.writeable = False
        return numbers

    def blocks(self) -> numpy.ndarray:
        """The data as bytes, in blocks: an array of shape (number of blocks, bytes of a block)."""
        numpy = numpy_module()

        if not self.block_bytes:
            raise UnsupportedError(f"the blocks of {self.type} are unknown")
        blocks = numpy.frombuffer(self._view(), dtype=numpy.uint8).reshape(-1, self.block_bytes)
        blocks.flags.writeable = False
        return blocks

    def __repr__(self) -> str:
        return f"<ggufgate.Tensor {self.name!r} {self.type} {self.shape}>"


class _Named(Mapping):
    """Keys or tensors of a file by their names, in the order of the file."""

    _count: Any
    _find: Any

    def __init__(self, file: File) -> None:
        self._file = file
        with file._in_use as handle:
            self._length = type(self)._count(handle)

    def __len__(self) -> int:
        return self._length

    def __getitem__(self, name: str) -> Any:
        if not isinstance(name, str):
            raise KeyError(name)
        encoded = name.encode("utf-8", "surrogateescape")
        index = ctypes.c_uint64()
        with self._file._in_use as handle:
            status = type(self)._find(handle, encoded, len(encoded), index)
        if status == NOT_FOUND:
            raise KeyError(name)
        require(status)
        return self._at(index.value)

    def __contains__(self, name: object) -> bool:
        try:
            self[name]  # type: ignore[index]
        except KeyError:
            return False
        return True

    def __iter__(self) -> Iterator[str]:
        seen = set()  # a rejected file may repeat a name: the first one counts
        for index in range(self._length):
            name = self._name(index)
            if name not in seen:
                seen.add(name)
                yield name

    def _at(self, index: int) -> Any:
        raise NotImplementedError

    def _name(self, index: int) -> str:
        raise NotImplementedError


class Metadata(_Named):
    """The keys of a file and their values."""

    _count = lib.file_key_count
    _find = lib.file_find_key

    def _key(self, index: int) -> _library.Key:
        key = _library.Key(size=ctypes.sizeof(_library.Key))
        with self._file._in_use as handle:
            require(lib.file_key(handle, index, key))
        return key

    def _name(self, index: int) -> str:
        key = _library.Key(size=ctypes.sizeof(_library.Key))
        with self._file._in_use as handle:
            require(lib.file_key(handle, index, key))
            return text_at(key.name, key.name_size)

    def _at(self, index: int) -> Value:
        kind = TYPES[self._key(index).type][1]
        with self._file._in_use as handle:
            if kind != "array":
                return scalar("file_", handle, index, kind)
            array = ctypes.c_void_p()
            require(lib.file_array(handle, index, array))
            return Array(self._file, array)

    def type_of(self, name: str) -> str:
        """The type of a value in the file: "u32", "string", "array"."""
        encoded = name.encode("utf-8", "surrogateescape")
        index = ctypes.c_uint64()
        with self._file._in_use as handle:
            if lib.file_find_key(handle, encoded, len(encoded), index) == NOT_FOUND:
                raise KeyError(name)
        return TYPES[self._key(index.value).type][0]

    def to_dict(self) -> Dict[str, Any]:
        """All keys with their values, arrays as lists."""
        return {name: value.to_list() if isinstance(value, Array) else value for name, value in self.items()}


class Tensors(_Named):
    """The tensors of a file."""

    _count = lib.file_tensor_count
    _find = lib.file_find_tensor

    def _at(self, index: int) -> Tensor:
        info = _library.Tensor(size=ctypes.sizeof(_library.Tensor))
        with self._file._in_use as handle:
            require(lib.file_tensor(handle, index, info))
            return Tensor(self._file, index, info)

    def _name(self, index: int) -> str:
        info = _library.Tensor(size=ctypes.sizeof(_library.Tensor))
        with self._file._in_use as handle:
            require(lib.file_tensor(handle, index, info))
            return text_at(info.name, info.name_size)


class File:
    """A checked file. Threads may share it; see ggufgate.open."""

    def __init__(self, handle: ctypes.c_void_p, report: Report, memory: Any = None, kept: Any = None) -> None:
        self._in_use = _Handle(handle, kept)
        self._memory = memory
        self.report = report
        self.version: int = lib.file_version(handle)
        self.byte_order: str = "big" if lib.file_is_big_endian(handle) else "little"
        self.alignment: int = lib.file_alignment(handle)
        self.metadata = Metadata(self)
        self.tensors = Tensors(self)

    def close(self) -> None:
        """Closes the file. Later calls raise ClosedError. NumPy views stay valid."""
        self._in_use.close()

    def __enter__(self) -> File:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __del__(self) -> None:
        if handle := getattr(self, "_in_use", None):
            handle.close()

    def __repr__(self) -> str:
        return f"<ggufgate.File {self.report.path!r}: {len(self.metadata)} keys, {len(self.tensors)} tensors>"


def open(source: Source, *, even_if_rejected: bool = False, **options: Any) -> File:
    """Checks a file and opens the checked bytes for reading.

    `source` and the options are those of ggufgate.check, except those of a confined check. Bytes must not change
    while the file is open.

    Raises NotAcceptedError, which has the report, if the file is not accepted. With `even_if_rejected`, a rejected
    file is also opened, as far as it could be read; its report has the errors.
    """
    refuse_unknown("open", options, OPEN_OPTIONS)
    kind, place = place_of(source)
    asked = Wanted(even_if_rejected=even_if_rejected, **options)  # keeps the policy until the end of the call
    wanted = asked.options
    report, file = ctypes.c_void_p(), ctypes.c_void_p()
    if kind == "path":
        status = lib.open_path(place, wanted, report, file)
    elif kind == "descriptor":
        status = lib.open_descriptor(place, wanted, report, file)
    elif kind == "reader":
        status = lib.open_reader(place.struct, wanted, report, file)
    else:
        status = lib.open_memory(place.address, place.size, wanted, report, file)
    try:
        told = take_report(report) if report else None
        if kind == "reader":
            place.done()
        if status == NOT_ACCEPTED and told is not None:
            raise NotAcceptedError(told)
        require(status)
        assert told is not None
        handle, file = file, None  # now owned by the File
        return File(handle, told, place if kind == "memory" else None, place)
    finally:
        if file:
            lib.file_free(file)
