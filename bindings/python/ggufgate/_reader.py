"""Files that a function reads by ranges."""

from __future__ import annotations

import ctypes
import io
import threading
from typing import Any, Callable, Optional

from . import _library

_LARGEST_ERRNO = 4095
_EIO = 5


class Reader:
    """A file that a function reads by ranges: from a web server, an archive, an object store.

        report = ggufgate.check(ggufgate.Reader(size, lambda offset, size: ...))

    `read(offset, size)` returns exactly these bytes, or raises: then the verdict is undecided. The check reads little
    more than the metadata, unless it checks tensor data or computes a digest. It makes one call at a time; with `jobs`
    above 1, calls may come from other threads.
    """

    def __init__(self, size: int, read: Callable[[int, int], Any]) -> None:
        self.size = size
        self.read = read

    @classmethod
    def of_file(cls, file: Any) -> Reader:
        """From an object with seek and read, such as those of fsspec and io. Do not use it elsewhere meanwhile."""
        lock = threading.Lock()

        def read(offset: int, size: int) -> bytes:
            with lock:
                file.seek(offset)
                pieces = []
                while size > 0 and (piece := file.read(size)):
                    pieces.append(piece)
                    size -= len(piece)
                return b"".join(pieces)
        return cls(file.seek(0, io.SEEK_END), read)


class ReaderPlace:
    """A reader for the library. It must live as long as the library uses it."""

    def __init__(self, reader: Reader) -> None:
        if not 0 <= reader.size < 2**63:
            raise ValueError(f"the size of the file is {reader.size}")
        self.error: Optional[Exception] = None  # the first read error
        self._stopped: Optional[BaseException] = None
        self._reader = reader
        self.struct = _library.Reader(size=ctypes.sizeof(_library.Reader), file_size=reader.size, context=None,
                                      read=_library.ReadFunction(self._read))

    def _read(self, _context: Any, offset: int, address: int, size: int) -> int:
        try:
            data = memoryview(self._reader.read(offset, size)).cast("B")
            if data.nbytes != size:
                raise EOFError(f"read {data.nbytes} of {size} bytes from byte {offset}")
            memoryview((ctypes.c_char * size).from_address(address)).cast("B")[:] = data
            return 0
        except Exception as error:  # noqa: BLE001: any error makes the file undecided
            self.error = self.error or error
            number = getattr(error, "errno", None)
            return number if isinstance(number, int) and 0 < number <= _LARGEST_ERRNO else _EIO
        except BaseException as stopped:  # an interrupt cannot be returned to the library
            self._stopped = stopped
            return -1

    def done(self) -> None:
        """Raises an interrupt that came while a range was read."""
        if self._stopped is not None:
            stopped, self._stopped = self._stopped, None
            raise stopped


def reader_of(source: Any) -> Optional[Reader]:
    """The reader of an object, or a new one."""
    if isinstance(source, Reader):
        return source
    if hasattr(source, "seek") and hasattr(source, "read"):
        return Reader.of_file(source)
    return None
