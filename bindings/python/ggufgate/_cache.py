"""A cache of verdicts, by the address and ETag of a file, or by its SHA-256.

An entry is valid only for the same library (by its digest), the same policy and options, if it is complete, and if
nobody else can write to the folder. Other entries are ignored. Undecided verdicts are never stored.

The server chooses the ETag: anybody who can change a file without changing its ETag gets the verdict on the old file.
"""

from __future__ import annotations

import hashlib
import json
import os
import stat
import warnings
from typing import Any, Dict, Optional

from . import _library
from ._job import write_whole

SCHEMA = "ggufgate.cache/1"
_LARGEST_ENTRY = 16 << 20
_FOLDERS = 256


class Cache:
    """A folder of verdicts. Threads and processes may share it."""

    def __init__(self, folder: str, judged_by: str, most_entries: int = 1_000_000) -> None:
        self._folder = folder
        self._most_in_folder = max(1, most_entries // _FOLDERS)
        self._by = hashlib.sha256(f"{SCHEMA}\0{_library.digest()}\0{judged_by}".encode()).hexdigest()
        self.usable = self._prepare()

    def _prepare(self) -> bool:
        try:
            os.makedirs(self._folder, mode=0o700, exist_ok=True)
            why = _foreign(os.lstat(self._folder), stat.S_ISDIR)
        except OSError as error:
            why = str(error)
        if why:
            warnings.warn(f"ggufgate: the cache {self._folder!r} is not used: {why}", stacklevel=4)
        return not why

    def _path(self, kind: str, name: str) -> str:
        key = hashlib.sha256("\0".join((self._by, kind, name)).encode("utf-8", "surrogatepass")).hexdigest()
        return os.path.join(self._folder, key[:2], key[2:] + ".json")

    def find(self, kind: str, name: str) -> Optional[Dict[str, Any]]:
        """The cached entry of a file."""
        if not self.usable:
            return None
        path = self._path(kind, name)
        try:
            text = _read(path)
            if text is None:
                return None
            head, body = text.split("\n", 1)
            if json.loads(head) != self._head(kind, name, body):
                raise ValueError("it is damaged")
            return json.loads(body)
        except (OSError, ValueError) as error:
            warnings.warn(f"ggufgate: {path!r} of the cache is skipped: {error}", stacklevel=4)
            return None

    def keep(self, kind: str, name: str, told: Dict[str, Any]) -> None:
        """Stores a verdict, if the folder can be written."""
        if not self.usable or told.get("verdict") not in ("accept", "reject"):
            return
        body = json.dumps(told, separators=(",", ":"))
        if len(body) > _LARGEST_ENTRY:
            return
        path = self._path(kind, name)
        try:
            os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
            write_whole(path, json.dumps(self._head(kind, name, body)) + "\n" + body, durable=False)
            self._bound(os.path.dirname(path))
        except OSError as error:
            warnings.warn(f"ggufgate: the cache cannot be written: {error}", stacklevel=4)

    def _head(self, kind: str, name: str, body: str) -> Dict[str, str]:
        return {"schema": SCHEMA, "by": self._by, "kind": kind,
                "name": hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest(),
                "sha256": hashlib.sha256(body.encode("ascii")).hexdigest()}

    def _bound(self, folder: str) -> None:
        """Removes the oldest entries above the limit; another process may do the same."""
        names = os.listdir(folder)
        if len(names) <= self._most_in_folder:
            return
        aged = []
        for name in names:
            try:
                aged.append((os.stat(os.path.join(folder, name)).st_mtime_ns, name))
            except FileNotFoundError:
                pass
        for _, name in sorted(aged)[:len(aged) - self._most_in_folder + self._most_in_folder // 8]:
            try:
                os.unlink(os.path.join(folder, name))
            except FileNotFoundError:
                pass


def _foreign(found: os.stat_result, is_kind: Any) -> str:
    """The reason why an entry cannot be trusted; "" if it belongs to this user alone."""
    if not is_kind(found.st_mode):
        return "it is a link, or of another kind"
    if found.st_uid != os.geteuid():
        return "it belongs to another user"
    if found.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        return "others may write to it"
    return ""


def _read(path: str) -> Optional[str]:
    """The text of an entry, or None."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK)
    except FileNotFoundError:
        return None
    with os.fdopen(descriptor, "rb") as file:
        why = _foreign(os.fstat(descriptor), stat.S_ISREG)
        if why:
            raise ValueError(why)
        data = file.read(_LARGEST_ENTRY + (1 << 20))
    return data.decode("ascii")
