"""Locations of files: this machine, a web server, or fsspec."""

from __future__ import annotations

import os
import re
from typing import Any, Dict, Mapping, Optional, Tuple

from ._http import FetchError, HttpFile, Web, is_strong
from ._reader import Reader

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+):")  # at least two letters, so that a drive letter does not match


class Opened:
    """A source to check; `target` is the argument for ggufgate.check."""

    def __init__(self, target: Any, kept: Any = None) -> None:
        self.target = target
        self._kept = kept

    @property
    def etag(self) -> Optional[str]:
        return getattr(self._kept, "etag", None)

    @property
    def requests(self) -> int:
        return getattr(self._kept, "requests", 0)

    @property
    def bytes(self) -> int:
        return getattr(self._kept, "bytes", 0)

    @property
    def unchanged(self) -> bool:
        """Whether it has the known version."""
        return getattr(self._kept, "unchanged", False)

    def close(self) -> None:
        close = getattr(self._kept, "close", None)
        if close is not None:
            close()


class _FileOfFsspec:
    """Ranges of a file opened by fsspec, without read-ahead."""

    def __init__(self, source: str, options: Mapping[str, Any]) -> None:
        try:
            import fsspec
        except ImportError as error:
            raise FetchError(f"{scheme_of(source)}: this needs fsspec, which is not installed") from error
        file_system, path = fsspec.core.url_to_fs(source, **options)
        self._file = file_system.open(path, "rb", cache_type="none")
        size = getattr(self._file, "size", None)
        if not isinstance(size, int):
            self._file.close()
            raise FetchError("its size is not known, or it cannot be read by ranges")
        self._reader = Reader.of_file(self._file)
        self.size = size
        details = getattr(self._file, "details", None)
        etag = details.get("ETag") if isinstance(details, dict) else None
        self.etag: Optional[str] = etag if isinstance(etag, str) else None
        self.unchanged = False
        self.requests = 0
        self.bytes = 0

    def read(self, offset: int, size: int) -> bytes:
        data = self._reader.read(offset, size)
        self.requests += 1
        self.bytes += len(data)
        return data

    def close(self) -> None:
        self._file.close()


def scheme_of(source: str) -> str:
    """"https" of an address; "" of a path."""
    match = _SCHEME.match(source)
    return match[1].lower() if match and source[match.end():].startswith("//") else ""


def is_local(source: str, storage_options: Mapping[str, Dict[str, Any]]) -> bool:
    """Whether the library reads it directly."""
    scheme = scheme_of(source)
    return scheme in ("", "file") and scheme not in storage_options


def open_place(source: str, web: Web, storage_options: Mapping[str, Dict[str, Any]],
               known: Optional[str] = None, until: Optional[float] = None) -> Opened:
    """Opens a source of a list, unless it has the ETag `known`. This package reads from web servers, unless fsspec has
    options for them, and not after `until` (by time.monotonic())."""
    scheme = scheme_of(source)
    if is_local(source, storage_options):
        return Opened(source[len("file://"):] if scheme else source)
    kept: Any
    if scheme in ("http", "https") and scheme not in storage_options:
        kept = HttpFile(source, web, known, until)
    else:
        kept = _FileOfFsspec(source, storage_options.get(scheme, {}))
        kept.unchanged = is_strong(known) and kept.etag == known
    return Opened(Reader(kept.size, kept.read), kept)


def printable(source: Any) -> Tuple[str, str]:
    """A source as text for the library and reports."""
    text = os.fsdecode(source)
    return text, text.encode("utf-8", "backslashreplace").decode("utf-8")
