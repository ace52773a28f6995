"""Checks a list of files with the workers of a Dask cluster.

    import distributed, ggufgate.dask

    with distributed.Client("tcp://scheduler:8786") as client:
        counts = ggufgate.dask.scan(client, "models.txt", "results/")

Every file gets exactly one verdict, even if processes crash. Finished pieces are kept in the folder. Pieces of a lost
worker are given to others. To continue an interrupted run, repeat the same call.
"""

from __future__ import annotations

import fcntl
import os
import uuid
from typing import Any, Dict, Iterable, List, Optional, Tuple, Union

from ._job import Job, JobError, read_list
from ._scan import Result, Settings, ended, judge_all

__all__ = ["JobError", "scan"]

Piece = List[Tuple[int, Any]]


class _Work:
    """Pieces in the cluster, and finished results."""

    def __init__(self, client: Any, job: Job, threads: int, settings: Settings) -> None:
        from distributed import as_completed

        self._client = client
        self._job = job
        self._threads = threads
        self._settings = settings
        self._run = uuid.uuid4().hex
        self._tasks = 0
        self._at_work: Dict[str, Tuple[int, Piece]] = {}  # by task key: the piece, or a part of it
        self._suspects: List[Tuple[int, Piece]] = []  # single files that may have crashed workers
        self._alone = False
        self._parts: Dict[int, List[Result]] = {}  # results of divided pieces
        self._completed = as_completed(loop=client.loop)

    @property
    def busy(self) -> int:
        return len(self._at_work)

    def give(self, number: int, part: Optional[Piece] = None) -> None:
        """Submits a piece, or a part of it, to any free worker."""
        work = self._job.piece(number) if part is None else part
        self._tasks += 1
        key = f"ggufgate-{self._run}-{number}-{self._tasks}"
        future = self._client.submit(judge_all, work, self._threads, self._settings, key=key, pure=False, retries=2)
        self._at_work[key] = (number, work)
        self._completed.add(future)

    def take(self) -> None:
        """Waits for a finished task and keeps its results."""
        from distributed.scheduler import KilledWorker

        future = next(self._completed)
        number, work = self._at_work.pop(future.key)
        error = future.exception()
        if error is None:
            return self._keep(number, future.result())
        if not isinstance(error, KilledWorker):
            raise error
        # Workers with this piece stopped, maybe because of another piece. Halving finds the file, which is blamed only
        # if it ran alone.
        if len(work) == 1 and self._alone:
            return self._keep(number, [ended(*work[0], self._settings)])
        if len(work) == 1:
            self._suspects.append((number, work))
            return None
        for part in (work[:len(work) // 2], work[len(work) // 2:]):
            self.give(number, part)

    def take_suspects(self) -> None:
        """Submits suspect files, one at a time and alone."""
        self._alone = True
        for number, work in self._suspects:
            self.give(number, work)
            self.take()

    def _keep(self, number: int, results: List[Result]) -> None:
        have = self._parts.pop(number, []) + results
        if len(have) < len(self._job.piece(number)):
            self._parts[number] = have
        else:
            self._job.keep(number, have)


def scan(client: Any, sources: Union[str, "os.PathLike[str]", Iterable[Any]], output: Union[str, "os.PathLike[str]"], *,
         piece_files: int = 100, threads: int = 8, in_flight: Optional[int] = None, parquet: bool = False,
         **settings: Any) -> Dict[str, int]:
    """Checks the files of a list with the workers of `client`, and returns the number of files per verdict.

    `sources` is a list of paths and addresses, or the path of a text file with one per line. `output` is a local
    folder. Its results.jsonl has a line for each file, in the order of the list; with `parquet`, which requires
    pyarrow, results.parquet has a row for each. Finished work of an interrupted run is not repeated.

    A task checks `piece_files` files, `threads` at the same time. At most `in_flight` tasks are submitted, by default
    two for each thread of the cluster. The other options are those of ggufgate.scan. The workers need this package,
    and resolve local paths on their machines.
    """
    listed = read_list(os.fspath(sources)) if isinstance(sources, (str, os.PathLike)) else list(sources)
    wanted = Settings(**settings)
    job = Job(os.fspath(output), listed, wanted.judged_by(), piece_files)
    if parquet:
        import pyarrow  # noqa: F401: fail now if it is missing, not after the work
    with open(os.path.join(job.folder, ".lock"), "w", encoding="ascii") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise JobError(f"another run uses {job.folder}") from error
        work = _Work(client, job, threads, wanted)
        missing = iter(job.missing())
        while True:
            most = in_flight or 2 * max(1, sum(client.nthreads().values()))
            while work.busy < most and (number := next(missing, None)) is not None:
                work.give(number)
            if work.busy == 0:
                work.take_suspects()
                return job.merge(parquet=parquet)
            work.take()
