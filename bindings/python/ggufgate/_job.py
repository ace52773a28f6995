"""A list of files that any process checks in pieces. Finished pieces are kept in a folder.

    job.json               the digest of the list, the size of its pieces, and the settings that verdicts depend on
    pieces/000042.jsonl    results of a piece in the order of the list, and a final line
    results.jsonl          all results, when no piece is missing

A piece is written completely and then renamed, so an incomplete piece never exists. Damaged pieces are checked again.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence, Tuple

SCHEMA = "ggufgate.scan/1"


class JobError(Exception):
    """The folder belongs to another list or other options, or pieces are missing."""


def read_list(path: str) -> List[str]:
    """The sources in a text file, one per line; empty lines are skipped."""
    with open(path, encoding="utf-8", errors="surrogateescape", newline="\n") as file:
        lines = [line[:-1] if line.endswith("\n") else line for line in file]
    return [line for line in lines if line.strip()]


class Job:
    """The job of a folder, new or continued."""

    def __init__(self, folder: str, sources: Sequence[Any], judged_by: str, piece_files: int = 100) -> None:
        if piece_files < 1:
            raise ValueError("a piece has at least one file")
        self.folder = folder
        self.sources = sources
        self.piece_files = piece_files
        self.pieces = -(-len(sources) // piece_files)
        digest = hashlib.sha256()
        for source in sources:
            digest.update(os.fsencode(source) + b"\0")
        self._told = {"schema": SCHEMA, "files": len(sources), "list_sha256": digest.hexdigest(),
                      "piece_files": piece_files, "judged_by": json.loads(judged_by)}
        os.makedirs(os.path.join(folder, "pieces"), exist_ok=True)
        self._claim()

    def _claim(self) -> None:
        path = os.path.join(self.folder, "job.json")
        text = json.dumps(self._told, sort_keys=True, indent=1) + "\n"
        if not os.path.exists(path):  # several starting processes all write the same
            write_whole(path, text)
        with open(path, encoding="utf-8") as file:
            there = file.read()
        if there != text:
            raise JobError(f"{path} belongs to another list, another division into pieces, or other rules: use another folder")

    def piece(self, number: int) -> List[Tuple[int, Any]]:
        """The sources of a piece with their places in the list."""
        begin = number * self.piece_files
        return list(enumerate(self.sources[begin:begin + self.piece_files], begin))

    def _path(self, number: int) -> str:
        return os.path.join(self.folder, "pieces", f"{number:06}.jsonl")

    def is_done(self, number: int) -> bool:
        return self._lines(number) is not None

    def missing(self) -> List[int]:
        """Missing or damaged pieces."""
        return [number for number in range(self.pieces) if not self.is_done(number)]

    def keep(self, number: int, results: Sequence[Any]) -> None:
        """Writes the results of a piece; each of its files must have one."""
        piece = self.piece(number)
        results = sorted(results, key=lambda result: result.index)
        if [result.index for result in results] != [index for index, _ in piece]:
            raise JobError(f"piece {number} must have one result for each of its files")
        body = "".join(result.to_json() + "\n" for result in results)
        write_whole(self._path(number), body + _closing(number, body))

    def _lines(self, number: int) -> Optional[List[str]]:
        """The results of a complete and undamaged piece, or None."""
        try:
            with open(self._path(number), encoding="ascii") as file:
                lines = file.readlines()
        except (OSError, UnicodeDecodeError):
            return None
        body = "".join(lines[:-1])
        if not lines or lines[-1] != _closing(number, body) or len(lines) - 1 != len(self.piece(number)):
            return None
        return lines[:-1]

    def results(self) -> Iterator[Dict[str, Any]]:
        """All results, in the order of the list. JobError if a piece is missing."""
        for number in range(self.pieces):
            yield from self.results_of(number)

    def results_of(self, number: int) -> Iterator[Dict[str, Any]]:
        """The results of a piece."""
        lines = self._lines(number)
        if lines is None:
            raise JobError(f"piece {number} of {self.pieces} is missing")
        for (index, _), line in zip(self.piece(number), lines):
            result = json.loads(line)
            if result["index"] != index:
                raise JobError(f"piece {number} has a result of another file")
            yield result

    def merge(self, *, parquet: bool = False) -> Dict[str, int]:
        """Writes results.jsonl, and with `parquet` results.parquet; returns the number of files per verdict."""
        counts = {"accept": 0, "reject": 0, "undecided": 0}

        def lines() -> Iterator[str]:
            for result in self.results():
                counts[result["verdict"]] += 1
                yield json.dumps(result, separators=(",", ":")) + "\n"
        write_whole(os.path.join(self.folder, "results.jsonl"), lines())
        if parquet:
            _write_parquet(os.path.join(self.folder, "results.parquet"), self.results)
        return counts


def _closing(number: int, body: str) -> str:
    told = {"piece": number, "sha256": hashlib.sha256(body.encode("ascii")).hexdigest()}
    return json.dumps(told, separators=(",", ":")) + "\n"


def write_whole(path: str, text: Any, *, durable: bool = True) -> None:
    """Writes a file completely or not at all. `text` may be an iterable of parts."""
    descriptor, beside = tempfile.mkstemp(prefix=".", suffix=".part", dir=os.path.dirname(path) or ".")
    try:
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            file.writelines([text] if isinstance(text, str) else text)
            file.flush()
            if durable:
                os.fsync(file.fileno())
        os.replace(beside, path)
    except BaseException:
        os.unlink(beside)
        raise


def _write_parquet(path: str, results: Callable[[], Iterator[Dict[str, Any]]]) -> None:
    """Writes a row for each result, with findings and other lists as JSON."""
    import pyarrow
    import pyarrow.parquet

    schema = pyarrow.schema([("index", pyarrow.int64()), ("source", pyarrow.string()), ("verdict", pyarrow.string()),
                             ("problem", pyarrow.string()), ("size", pyarrow.int64()), ("etag", pyarrow.string()),
                             ("sha256", pyarrow.string()), ("rules", pyarrow.list_(pyarrow.string())),
                             ("findings", pyarrow.string()), ("bytes", pyarrow.int64()),
                             ("seconds", pyarrow.float64())])
    with pyarrow.parquet.ParquetWriter(path + ".part", schema) as writer:
        rows: List[Dict[str, Any]] = []
        for result in results():
            row = {name: result.get(name) for name in schema.names}
            row["rules"] = sorted(result.get("totals", {}))
            row["findings"] = json.dumps(result.get("findings", []))
            rows.append(row)
            if len(rows) == 10_000:
                writer.write_table(pyarrow.Table.from_pylist(rows, schema))
                rows = []
        writer.write_table(pyarrow.Table.from_pylist(rows, schema))
    os.replace(path + ".part", path)
