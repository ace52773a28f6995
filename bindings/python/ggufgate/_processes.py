"""Work in processes that may crash."""

from __future__ import annotations

import itertools
import multiprocessing
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from typing import Any, Callable, Dict, Iterator, List, Tuple

_AT_ONCE = 32  # sources per process

Piece = List[Tuple[int, Any]]


def _pool(processes: int) -> ProcessPoolExecutor:
    # No fork: the child would have the locks of the caller's threads, but not the threads.
    return ProcessPoolExecutor(processes, mp_context=multiprocessing.get_context("spawn"))


def in_processes(listed: Iterator[Tuple[int, Any]], processes: int, threads: int, settings: Any,
                 judge_all: Callable[[Piece, int, Any], List[Any]],
                 ended: Callable[[int, Any, Any], Any]) -> Iterator[Any]:
    """Yields the results of `judge_all` for a list. If a process crashes, each piece in work is tried again in a
    separate process. If that crashes too, the piece is divided into halves, until the source that causes the crash is
    alone. Its result is that of `ended`."""
    pool = _pool(processes)
    pending: Dict[Future, Piece] = {}
    try:
        while True:
            while len(pending) < 2 * processes and (piece := list(itertools.islice(listed, _AT_ONCE))):
                pending[_submitted(pool, judge_all, piece, threads, settings)] = piece
            if not pending:
                return
            done, _ = wait(pending, return_when=FIRST_COMPLETED)
            broken = False
            for future in done:
                if isinstance(future.exception(), BrokenProcessPool):
                    broken = True
                else:
                    del pending[future]
                    yield from future.result()
            if broken:
                pool.shutdown(wait=True)
                left, pending = list(pending.values()), {}
                pool = _pool(processes)
                for piece in left:
                    yield from _by_halves(piece, threads, settings, judge_all, ended)
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _submitted(pool: ProcessPoolExecutor, *work: Any) -> Future:
    """Submits work, or reports that the pool is already broken."""
    try:
        return pool.submit(*work)
    except BrokenProcessPool as broken:
        future: Future = Future()
        future.set_exception(broken)
        return future


def _by_halves(piece: Piece, threads: int, settings: Any, judge_all: Callable[[Piece, int, Any], List[Any]],
               ended: Callable[[int, Any, Any], Any]) -> Iterator[Any]:
    waiting = [piece]
    while waiting:
        part = waiting.pop()
        with _pool(1) as pool:
            try:
                results = pool.submit(judge_all, part, threads, settings).result()
            except BrokenProcessPool:
                if len(part) > 1:
                    waiting += [part[:len(part) // 2], part[len(part) // 2:]]
                    continue
                results = [ended(*part[0], settings)]
        yield from results
